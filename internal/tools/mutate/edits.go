package main

import (
	"cmp"
	"slices"
	"strings"
)

// edit replaces the bytes from begin to end by a text; where both are the same it
// puts the text in.
type edit struct {
	begin, end int
	text       string
	closes     bool // it ends something: it comes before what begins at the same place
}

// edits are changes of one file, in the order in which they were asked for: what
// is outside comes before what is inside it where it opens, and after it where
// it closes.
type edits struct{ all []edit }

func (e *edits) open(at int, text string) {
	e.all = append(e.all, edit{begin: at, end: at, text: text})
}

func (e *edits) close(at int, text string) {
	e.all = append(e.all, edit{begin: at, end: at, text: text, closes: true})
}

func (e *edits) replace(begin, end int, text string) {
	e.all = append(e.all, edit{begin: begin, end: end, text: text})
}

// apply makes the changes.
func (e *edits) apply(source []byte) []byte {
	sorted := slices.Clone(e.all)
	slices.SortStableFunc(sorted, func(a, b edit) int {
		if c := cmp.Compare(a.begin, b.begin); c != 0 || a.closes == b.closes {
			return c
		}
		if a.closes {
			return -1
		}
		return 1
	})
	var out strings.Builder
	done := 0
	for _, change := range sorted {
		out.Write(source[done:change.begin])
		out.WriteString(change.text)
		done = change.end
	}
	out.Write(source[done:])
	return []byte(out.String())
}
