package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/suites"
)

func TestADraftIsReleasedOnce(t *testing.T) {
	folder := t.TempDir()
	index := filepath.Join(folder, "released.txt")
	if err := os.WriteFile(index, []byte("# released\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	set := suites.OpenSet()
	name, err := freeze(folder, set)
	if err != nil || name+"-draft" != set.Name {
		t.Fatalf("%q, %v", name, err)
	}
	sets, err := suites.Released(os.DirFS(folder))
	if err != nil || len(sets) != 1 || sets[0].Name != name || sets[0].Digest() != set.Digest() || len(sets[0].Rules) != len(suites.All()) {
		t.Fatalf("read back as %+v, %v", sets, err)
	}
	if len(suites.Diff(set, sets[0])) > 0 {
		t.Errorf("released otherwise than it was: %+v", suites.Diff(set, sets[0]))
	}
	if _, err := freeze(folder, set); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("released a second time: %v", err)
	}
	if _, err := freeze(folder, sets[0]); err == nil {
		t.Error("a released set was released")
	}
}
