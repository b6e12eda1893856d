package baseline

import (
	"slices"
	"strings"
)

// howLaidOut says how a file has to be laid out to be brought up to date.
const howLaidOut = "write its lists as `- check: ID` lines, with the other keys of an entry below"

// layout is how an older file is written, so that what stays of it stays as it is.
type layout struct {
	lines []string // each with its line end
	top   int      // how many lines of comments stand before the first key
	keys  map[string]int
	// spans are the lines of each entry by its line in the file: the comments before it,
	// and all that is further in than its dash.
	spans map[int]span
}

type span struct{ first, last int } // from 0; last is the line after it

// layOut finds what each line of a file belongs to.
func layOut(f *File, text []byte) (*layout, error) {
	l := &layout{lines: strings.SplitAfter(string(text), "\n"), keys: map[string]int{}, spans: map[int]span{}}
	if last := len(l.lines) - 1; l.lines[last] == "" {
		l.lines = l.lines[:last]
	} else {
		l.lines[last] += "\n"
	}
	for l.top < len(l.lines) && idle(l.lines[l.top]) {
		l.top++
	}
	for i, line := range l.lines {
		// What belongs to an entry is further in, a text of many lines too.
		if key, _, ok := strings.Cut(line, ":"); ok && slices.Contains([]string{"version", "failures", "not_run"}, strings.TrimRight(key, " ")) {
			l.keys[key] = i
		}
	}
	entries := slices.Concat(f.Failures, f.NotRun)
	slices.SortFunc(entries, func(a, b Entry) int { return a.Line - b.Line })
	for _, e := range entries {
		line := e.Line - 1
		if !strings.HasPrefix(strings.TrimSpace(l.lines[line]), "- ") {
			return nil, &Error{File: f.Path, Line: e.Line, Column: 1, What: "the entry does not begin with its dash in a line of its own, so that its comments cannot be kept", Mend: howLaidOut}
		}
		l.spans[e.Line] = span{l.above(line), l.below(line)}
	}
	return l, nil
}

// idle tells whether a line says nothing: it is empty, or a comment.
func idle(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || comment(line)
}

func comment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// above gives the line where the comments before a line begin, unless they are the
// file's or an entry's before it.
func (l *layout) above(line int) int {
	floor := l.top
	for _, s := range l.spans {
		if s.last <= line {
			floor = max(floor, s.last)
		}
	}
	first := line
	for i := line - 1; i >= floor && idle(l.lines[i]); i-- {
		if comment(l.lines[i]) {
			first = i
		}
	}
	return first
}

// below gives the line after an entry that begins in a line.
func (l *layout) below(line int) int {
	dash, last := indent(l.lines[line]), line+1
	for last < len(l.lines) && (idle(l.lines[last]) || indent(l.lines[last]) > dash) {
		last++
	}
	for last > line+1 && idle(l.lines[last-1]) && !(comment(l.lines[last-1]) && indent(l.lines[last-1]) > dash) {
		last-- // it stands before what comes next, and is that one's
	}
	return last
}

// written gives the lines of an entry.
func (l *layout) written(e Entry) string {
	s := l.spans[e.Line]
	return strings.Join(l.lines[s.first:s.last], "")
}

// dash gives what stands before the dash of an entry.
func (l *layout) dash(e Entry) string {
	return strings.Repeat(" ", indent(l.lines[e.Line-1]))
}

// key gives the line of a key with the comments before it; empty if it has none.
func (l *layout) key(name string) string {
	line, ok := l.keys[name]
	if !ok {
		return ""
	}
	return strings.Join(l.lines[l.above(line):line+1], "")
}

// header gives the line that begins a list.
func (l *layout) header(name string) string {
	written := l.key(name)
	if line, ok := l.keys[name]; ok {
		if _, value, _ := strings.Cut(l.lines[line], ":"); idle(value) {
			return written
		}
		written = strings.TrimSuffix(written, l.lines[line]) // `[]` or `null`
	}
	return written + name + ":\n"
}

// head gives what stands before the lists: the older file's comments, else our own.
func (l *layout) head() string {
	head, version := strings.Join(l.lines[:l.top], ""), l.key("version")
	if strings.TrimSpace(head) == "" {
		head = "# What this server is known to break: mcpconform run --baseline.\n# An entry may have `until: YYYY-MM-DD`, `scenarios: [GLOB]` and, where it comes and\n# goes, `rate: 0.05`.\n"
	}
	if version == "" {
		version = "version: 1\n"
	}
	return head + version
}

// foot gives the comments that stand after everything else.
func (l *layout) foot() string {
	end := l.top
	for _, line := range l.keys {
		end = max(end, line+1)
	}
	for _, s := range l.spans {
		end = max(end, s.last)
	}
	foot := strings.Join(l.lines[end:], "")
	if !strings.Contains(foot, "#") {
		return ""
	}
	return foot
}
