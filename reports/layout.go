package reports

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is how many columns of a terminal a text takes.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += column(r)
	}
	return n
}

func column(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// wrap breaks a text into lines of at most room columns: at spaces, and inside a
// word only where the word alone is longer than a line. Spaces inside a line
// stay as many as they are. Always one line at least.
func wrap(s string, room int) []string {
	room = max(room, 8)
	var lines []string
	line, used := "", 0
	for i, word := range strings.Split(s, " ") {
		size := columns(word)
		switch {
		case i > 0 && used+1+size <= room:
			line, used = line+" "+word, used+1+size
			continue
		case i > 0:
			lines = append(lines, line)
		}
		pieces := chop(word, room)
		lines = append(lines, pieces[:len(pieces)-1]...)
		line = pieces[len(pieces)-1]
		used = columns(line)
	}
	return append(lines, line)
}

// chop cuts a text into pieces of at most room columns, spaces kept as they are:
// after a comma or a space near the end of a piece, else anywhere. Always one
// piece at least.
func chop(s string, room int) []string {
	room = max(room, 8)
	var pieces []string
	start, used, good, after := 0, 0, 0, 0 // good: where to cut best; after: columns since then
	for i, r := range s {
		c := column(r)
		if used+c > room {
			if good <= start || after > room/4 {
				good, after = i, 0
			}
			pieces = append(pieces, s[start:good])
			start, used = good, after
		}
		used, after = used+c, after+c
		if r == ',' || r == ' ' {
			good, after = i+1, 0
		}
	}
	return append(pieces, s[start:])
}

// pad fills a text up to a number of columns.
func pad(s string, to int) string {
	return s + strings.Repeat(" ", max(0, to-columns(s)))
}
