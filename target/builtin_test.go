package target

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/wire"
)

func started(t *testing.T, name string) (f *File, dir string) {
	t.Helper()
	f, err := Load(BuiltinPrefix+name, noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	bound, remove, err := f.MakeRunDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	for _, text := range append(bound.Server.Command, bound.Server.Env...) {
		if _, after, ok := strings.Cut(text, os.TempDir()); ok {
			folder, _, _ := strings.Cut(strings.TrimPrefix(after, string(filepath.Separator)), string(filepath.Separator))
			dir = filepath.Join(os.TempDir(), folder)
		}
	}
	if dir == "" {
		t.Fatalf("the server is not told of its folder: %+v", bound.Server)
	}
	return bound, dir
}

// What a target file calls good must be there when the server starts, what it
// calls bad must not.
func TestTheGraphOfServerMemoryHoldsItsItems(t *testing.T) {
	f, dir := started(t, "server-memory")
	in, err := os.Open(filepath.Join(dir, "memory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	there := map[string]int{}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var entity struct {
			Type, Name, EntityType string
			Observations           []string
		}
		if err := json.Unmarshal(lines.Bytes(), &entity); err != nil || entity.Type != "entity" || entity.Observations == nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if there[entity.Name]++; there[entity.Name] > 1 {
			t.Fatalf("%s is there twice", entity.Name)
		}
	}
	for _, o := range f.Operations {
		for _, supply := range []struct {
			is   string
			of   *Supply
			want bool
		}{{"good", &o.Items.Good, true}, {"many", &o.Items.Many, true}, {"bad", &o.Items.Bad, false}} {
			want := supply.want != (o.Name == "create-entities") // to create is good of what is not there yet
			for i := range min(supply.of.Len(), 5000) {
				id, _, ok := o.ItemID(supply.of.Item(i, Run{ID: "r"}))
				if !ok || there[id] > 0 != want {
					t.Fatalf("%s, %s item %d: %q, there: %v", o.Name, supply.is, i, id, there[id] > 0)
				}
			}
		}
	}
}

func TestTheFolderOfServerFilesystemHoldsItsItems(t *testing.T) {
	f, dir := started(t, "server-filesystem")
	items := f.Operation("read-multiple-files").Items
	contents := map[string]bool{}
	for i := range items.Good.Len() {
		var name string
		if err := json.Unmarshal(items.Good.Item(i, Run{}).Given, &name); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if contents[string(content)] || strings.Contains(string(content), "---") || strings.Contains(string(content), "{n}") {
			t.Fatalf("%s: %q", name, content)
		}
		contents[string(content)] = true
	}
	for i := range items.Bad.Len() {
		var name string
		if err := json.Unmarshal(items.Bad.Item(i, Run{}).Given, &name); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

func TestWhatTheWireIsTold(t *testing.T) {
	f := whole(t)
	c := f.Wire(nil)
	if c.URL != f.Server.URL || c.Transport != "streamable-http" || c.Protocol != "2025-11-25" || len(c.Header) != 2 ||
		c.Timeouts.Connect != f.Timeouts.Connect || c.Timeouts.Start != f.Timeouts.Start || c.Timeouts.Call != f.Timeouts.Call {
		t.Errorf("%+v", c)
	}
	bound, dir := started(t, "server-memory")
	c = bound.Wire(nil)
	if c.Transport != "stdio" || c.Command[0] != "npx" || !slices.Equal(c.Env, []string{"MEMORY_FILE_PATH=" + filepath.Join(dir, "memory.jsonl")}) {
		t.Errorf("%+v", c)
	}
}

func TestEveryRevisionOfTheWireCanBeAskedFor(t *testing.T) {
	if got := slices.Sorted(slices.Values(wire.Revisions)); !slices.Equal(got, Protocols) {
		t.Errorf("the wire speaks %q, a target file may ask for %q", got, Protocols)
	}
}
