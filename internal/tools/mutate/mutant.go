package main

import (
	"fmt"
	"strings"
)

// mutant is one change of the source that a switch can make.
type mutant struct {
	id       int    // the number of its switch; from 1
	pkg      string // the folder, from the module's root
	function string // "name", "Type.name", or "var name" for what is computed at the start
	was      string // the source that is changed, on one line
	change   string // what becomes of it
	ordinal  int    // from 2, where the same stands in the function more than once
	place    string // file and line; for people, not part of the key
	initial  bool   // it acts while the program starts, and cannot be turned on later
}

// key names a mutant by what it changes and not by where that stands, so that a
// list of them outlives a change elsewhere in the file.
func (m mutant) key() string {
	key := fmt.Sprintf("%s: %s: %s: %s", m.pkg, m.function, m.was, m.change)
	if m.ordinal > 1 {
		key += fmt.Sprintf(" (%d)", m.ordinal)
	}
	return key
}

// oneLine gives source on one line, cut where it is long.
func oneLine(source string) string {
	const most = 110
	line := []rune(strings.Join(strings.Fields(source), " "))
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}
