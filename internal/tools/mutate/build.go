package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed switches/switches.go
var switchesSource []byte

// workshop is a folder with the mutated source and what was compiled from it.
// The module itself is not touched: the compiler is told to read some files from
// elsewhere.
type workshop struct {
	in      module
	dir     string
	overlay string
	mutants []mutant
}

// open mutates the packages and writes them down in dir.
func open(in module, packages []pkg, dir string) (*workshop, error) {
	w := &workshop{in: in, dir: dir, overlay: filepath.Join(dir, "overlay.json")}
	replaced := map[string]string{}
	put := func(name string, text []byte) error {
		other := filepath.Join(dir, "source", strconv.Itoa(len(replaced))+".go")
		replaced[name] = other
		return os.WriteFile(other, text, 0o644)
	}
	if err := os.MkdirAll(filepath.Join(dir, "source"), 0o755); err != nil {
		return nil, fmt.Errorf("making a folder for the mutated source: %w", err)
	}
	for _, p := range packages {
		var files []instrumented
		files, w.mutants = instrument(in, p, w.mutants)
		for _, f := range files {
			if err := put(f.name, f.text); err != nil {
				return nil, fmt.Errorf("writing the mutated source of %s: %w", p.path, err)
			}
		}
	}
	if err := put(filepath.Join(in.dir, filepath.FromSlash(switchesFolder), "switches.go"), switchesSource); err != nil {
		return nil, fmt.Errorf("writing the switches: %w", err)
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, fmt.Errorf("writing down which files are replaced: %w", err)
	}
	if err := os.WriteFile(w.overlay, text, 0o644); err != nil {
		return nil, fmt.Errorf("writing down which files are replaced: %w", err)
	}
	return w, nil
}

// compile makes the test binary of a package.
func (w *workshop) compile(path string, flags ...string) (string, error) {
	binary := filepath.Join(w.dir, strings.ReplaceAll(path, "/", "_")+".test")
	args := append([]string{"test", "-c", "-vet=off", "-overlay", w.overlay, "-o", binary}, flags...)
	cmd := exec.Command("go", append(args, path)...)
	cmd.Dir = w.in.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("compiling the tests of %s with their mutants: %w\n%s", path, err, out)
	}
	return binary, nil
}
