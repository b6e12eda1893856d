package suites

import (
	"bufio"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Open is the set that is being written: it holds the checks as they are. A
// release freezes it under its name without "-draft", and opens the next one.
const Open = "2026-12" + draft

//go:embed sets
var embedded embed.FS

// Sets gives all sets, oldest first; the last one is the open draft.
func Sets() []Set { return slices.Clone(sets()) }

var sets = sync.OnceValue(func() []Set {
	folder, err := fs.Sub(embedded, "sets")
	if err == nil {
		var sets []Set
		if sets, err = Released(folder); err == nil {
			return append(sets, OpenSet())
		}
	}
	panic(err) // the files are part of the program, and a test reads them
})

// OpenSet is the draft: every check there is.
func OpenSet() Set {
	set := Set{Name: Open}
	for _, c := range All() {
		set.Rules = append(set.Rules, ruleOf(c.Requirement))
	}
	return set
}

// Default is the set that judges where none is asked for: the newest that was
// released; until the first release, the draft.
func Default() Set { return defaultOf(Sets()) }

func defaultOf(sets []Set) Set {
	if len(sets) > 1 {
		return sets[len(sets)-2]
	}
	return sets[len(sets)-1]
}

// FindSet gives a set by its name; without a name the default. The name of a
// draft that was released since stands for what was released.
func FindSet(name string) (Set, error) {
	if name == "" {
		return Default(), nil
	}
	return find(Sets(), name)
}

func find(sets []Set, name string) (Set, error) {
	var names []string
	for _, s := range sets {
		if s.Name == name || s.Name+draft == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Set{}, fmt.Errorf("no set of the catalogue is called %q; this version has %s", name, strings.Join(names, ", "))
}

// Released reads the released sets of a folder. A set that is not what its digest says was
// changed after its release, and is an error.
func Released(folder fs.FS) ([]Set, error) {
	index, err := folder.Open("released.txt")
	if err != nil {
		return nil, fmt.Errorf("reading the released sets: %w", err)
	}
	defer index.Close()
	var sets []Set
	lines := bufio.NewScanner(index)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, digest, _ := strings.Cut(line, " ")
		set, err := readSet(folder, name, digest)
		if err != nil {
			return nil, fmt.Errorf("the released set %s: %w", name, err)
		}
		sets = append(sets, set)
	}
	return sets, lines.Err()
}

func readSet(folder fs.FS, name, digest string) (Set, error) {
	src, err := fs.ReadFile(folder, name+".json")
	if err != nil {
		return Set{}, err
	}
	var set Set
	if err := json.Unmarshal(src, &set); err != nil {
		return Set{}, err
	}
	switch {
	case set.Name != name:
		return Set{}, fmt.Errorf("its file says that it is %q", set.Name)
	case set.Draft():
		return Set{}, errors.New("a draft is not released")
	case set.Digest() != digest:
		return Set{}, fmt.Errorf("it was released as %s, and is %s now: a released set is not changed", digest, set.Digest())
	}
	return set, nil
}
