// Command freeze releases the open set of the catalogue: it writes the set as it
// is to suites/sets and adds its digest to released.txt. Run it from the
// repository's root, commit what it wrote, and name the next draft in
// suites.Open.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpconform/mcpconform/suites"
)

const folder = "suites/sets"

func main() {
	name, err := freeze(folder, suites.OpenSet())
	if err != nil {
		fmt.Fprintln(os.Stderr, "freeze:", err)
		os.Exit(1)
	}
	fmt.Printf("%s is released. Now let suites.Open name the next draft, and new checks say that they are of it.\n", name)
}

// freeze writes a draft as the released set of its name. What was released
// before is never written over.
func freeze(folder string, set suites.Set) (string, error) {
	if !set.Draft() {
		return "", fmt.Errorf("%s is no draft", set.Name)
	}
	set.Name = strings.TrimSuffix(set.Name, "-draft")
	text, err := json.MarshalIndent(set, "", "  ")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, set.Name+".json")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s was released already", set.Name)
	}
	if err != nil {
		return "", err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	index, err := os.OpenFile(filepath.Join(folder, "released.txt"), os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(index, "%s %s\n", set.Name, set.Digest())
	return set.Name, errors.Join(err, index.Close())
}
