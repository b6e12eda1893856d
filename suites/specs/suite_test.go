package specs_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"

	"github.com/mcpconform/mcpconform/suites/specs"
)

// TestConformance is the suite: MCPCONFORM_TARGET=FILE go test ./suites/specs.
func TestConformance(t *testing.T) {
	again(t)
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
	suite, reporter := ginkgo.GinkgoConfiguration()
	reporter.NoColor = reporter.NoColor || os.Getenv("NO_COLOR") != ""
	ginkgo.RunSpecs(t, "mcpconform", suite, reporter)
}

// again lets the suite run under -count, which Ginkgo refuses by itself because
// its specs are kept in one global tree: the tree is made anew each time.
func again(t *testing.T) {
	globals.Reset()
	count := flag.Lookup("test.count").Value
	before := count.String()
	_ = count.Set("1") // a number always sets
	t.Cleanup(func() { _ = count.Set(before) })
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
