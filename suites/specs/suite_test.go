package specs_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/mcpconform/mcpconform/suites/specs"
)

// TestConformance is the suite: MCPCONFORM_TARGET=FILE go test ./suites/specs.
func TestConformance(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	o, err := environment{all: os.Environ(), dir: dir}.options()
	if err != nil {
		t.Fatal(err)
	}
	if !o.Target.Demonstration {
		uncached(t, dir)
	}
	if err := specs.Register(o); err != nil {
		t.Fatal(err)
	}
	ginkgo.RunSpecs(t, "mcpconform")
}

// uncached keeps `go test` from giving a passing result again without asking the
// server, which may have changed since. The Go command stores a result together
// with the files the test looked at; the test binary itself is in a folder of its
// own each time and gone the next, so that a stored result never fits. Only names
// beneath the module count, hence the way round.
func uncached(t *testing.T, dir string) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	way, err := filepath.Rel(dir, binary)
	if err != nil {
		return // another volume: nothing can be done
	}
	_, _ = os.Stat(dir + string(filepath.Separator) + way) // that it is asked for is what counts
}
