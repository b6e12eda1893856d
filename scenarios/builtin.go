package scenarios

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

//go:embed builtin/*.yaml
var files embed.FS

// builtinPlace is where the built-in files stand in the repository.
const builtinPlace = "scenarios/"

var builtin = sync.OnceValues(func() ([]*Scenario, error) {
	return read(files, "builtin", builtinPlace)
})

// All gives the built-in scenarios in the order in which they are played. What
// is given must not be changed.
func All() ([]*Scenario, error) {
	all, err := builtin()
	return append([]*Scenario{}, all...), err
}

// Load gives the built-in scenarios and those of further folders, in the order
// in which they are played. Two scenarios of one name are an error.
func Load(folders ...string) ([]*Scenario, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		more, err := read(os.DirFS(folder), ".", filepath.ToSlash(folder)+"/")
		if err != nil {
			return nil, fmt.Errorf("reading scenarios from %s: %w", folder, err)
		}
		if len(more) == 0 {
			return nil, fmt.Errorf("reading scenarios from %s: no file there ends in .yaml", folder)
		}
		all = append(all, more...)
	}
	first := map[string]*Scenario{}
	for _, s := range all {
		if before := first[s.Name]; before != nil {
			return nil, &Error{File: s.File, Line: s.Line, Column: 1,
				Problem: fmt.Sprintf("a second scenario named %s (the first is %s:%d)", s.Name, before.File, before.Line), Mend: "name it apart"}
		}
		first[s.Name] = s
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Order < all[j].Order })
	return all, nil
}

func read(in fs.FS, folder, shown string) ([]*Scenario, error) {
	entries, err := fs.ReadDir(in, folder)
	if err != nil {
		return nil, err
	}
	var all []*Scenario
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".yaml") && !strings.HasSuffix(e.Name(), ".yml") {
			continue
		}
		name := path.Join(folder, e.Name())
		text, err := readFile(in, name)
		if err != nil {
			return nil, err
		}
		s, err := Parse(shown+name, text)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Order < all[j].Order })
	return all, nil
}

func readFile(in fs.FS, name string) ([]byte, error) {
	f, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxFile+1))
}
