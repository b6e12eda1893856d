// Package filter reads the globs that narrow a run: what they take, and what to say
// of one that takes nothing, since a typing mistake must not turn into a green run.
// It does not know what is chosen by them.
package filter

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpconform/mcpconform/internal/near"
)

// Error is a filter that matches nothing, or cannot be read.
type Error struct {
	Flag, Glob string
	Problem    string   // empty: it matches nothing
	Known      []string // what could be named
	Near       string   // what was probably meant; empty: nothing is near
}

func (e *Error) Error() string {
	switch {
	case e.Problem != "":
		return fmt.Sprintf("%s %q: %s", e.Flag, e.Glob, e.Problem)
	case e.Near != "":
		return fmt.Sprintf("%s %q matches nothing: did you mean %s?", e.Flag, e.Glob, e.Near)
	case len(e.Known) == 0:
		return fmt.Sprintf("%s %q matches nothing: there is nothing to choose from", e.Flag, e.Glob)
	case len(e.Known) > mostNamed:
		return fmt.Sprintf("%s %q matches nothing: there are %s and %d more", e.Flag, e.Glob, strings.Join(e.Known[:mostNamed], ", "), len(e.Known)-mostNamed)
	}
	return fmt.Sprintf("%s %q matches nothing: there are %s", e.Flag, e.Glob, strings.Join(e.Known, ", "))
}

// mostNamed is how many known names an error tells.
const mostNamed = 20

// Check finds the first glob that is none, or that takes none of the known and
// further names; only known ones are told. The error is an *Error.
func Check(flag string, globs, known, further []string) error {
	for _, glob := range globs {
		if _, err := path.Match(glob, ""); err != nil {
			return &Error{Flag: flag, Glob: glob, Problem: "not a pattern: * and ? stand for letters, [ab] for one of them"}
		}
		if !Matches(glob, known...) && !Matches(glob, further...) {
			meant := near.Word(glob, known)
			if strings.Contains(glob, "/") {
				meant = near.Word(glob, further)
			}
			return &Error{Flag: flag, Glob: glob, Known: known, Near: meant}
		}
	}
	return nil
}

// Matches tells whether a glob takes one of the names.
func Matches(glob string, names ...string) bool {
	for _, name := range names {
		if ok, _ := path.Match(glob, name); ok {
			return true
		}
	}
	return false
}

// Takes tells whether one of the globs takes one of the names. No globs take all.
func Takes(globs []string, names ...string) bool {
	for _, glob := range globs {
		if Matches(glob, names...) {
			return true
		}
	}
	return len(globs) == 0
}
