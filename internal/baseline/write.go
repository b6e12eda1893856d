package baseline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// Changes is what a new writing of a baseline has done.
type Changes struct{ Kept, Added, Removed []string }

// Write makes the baseline of a report. What an older one, if there is one, says of
// failures that are still there stays as it is written, with its comments; what is
// mended goes; what is new is added with today's date for a reason. Of a narrowed,
// partial or ended run nothing goes: it may not have been asked. old is nil, or what
// Read gave for the text.
func Write(r *reports.Report, old *File, text []byte, today time.Time) ([]byte, Changes) {
	if old == nil {
		old = &File{}
	}
	judged := *r
	judged.Findings = slices.Clone(r.Findings)
	old.Apply(&judged, today)
	w := &writer{lines: strings.SplitAfter(string(text), "\n"), old: old, report: &judged, today: today}
	for _, d := range judged.Baseline.Stale {
		w.gone = append(w.gone, d.At)
	}
	failures := w.kept(old.Failures)
	notRun := w.kept(old.NotRun)
	for i := range judged.Findings {
		f := &judged.Findings[i]
		if f.Known != nil || f.Narrowed || f.Pending || f.ConsequenceOf != "" {
			continue
		}
		switch reports.ClassOf(*f) {
		case reports.ClassFail, reports.ClassWarning:
			if f.Level == conform.Must || judged.Run.Strict {
				failures = w.add(failures, f, "known since "+today.Format(day)+"; say why it is not mended")
			}
		case reports.ClassNotRun, reports.ClassInconclusive:
			if f.Level == conform.Must {
				notRun = w.add(notRun, f, "since "+today.Format(day)+": "+brief(f.Reason))
			}
		}
	}
	var b bytes.Buffer
	b.WriteString(w.head())
	section(&b, "failures", failures)
	section(&b, "not_run", notRun)
	return b.Bytes(), w.changes
}

// block is one entry as it is written.
type block struct {
	entry Entry
	text  string
}

type writer struct {
	lines   []string // of the older file
	old     *File
	report  *reports.Report
	today   time.Time
	gone    []string // file:line of entries that hold no more
	changes Changes
}

func name(e Entry) string {
	if e.Operation == "" {
		return e.Check
	}
	return e.Check + " on " + e.Operation
}

// kept gives the older entries that stay, as they stand in the file.
func (w *writer) kept(list []Entry) []block {
	var blocks []block
	for _, e := range list {
		if slices.Contains(w.gone, fmt.Sprintf("%s:%d", w.old.Path, e.Line)) {
			w.changes.Removed = append(w.changes.Removed, name(e))
			continue
		}
		w.changes.Kept = append(w.changes.Kept, name(e))
		blocks = append(blocks, block{e, w.written(e)})
	}
	return blocks
}

// written gives the lines of an entry: the comments before it, and all that is
// further in than its dash.
func (w *writer) written(e Entry) string {
	first, last := e.Line-1, e.Line
	dash := indent(w.lines[first])
	for last < len(w.lines) {
		line := strings.TrimSpace(w.lines[last])
		if line != "" && !strings.HasPrefix(line, "#") && indent(w.lines[last]) <= dash {
			break
		}
		last++
	}
	for last > first+1 { // what stands before the next entry is that one's
		line := strings.TrimSpace(w.lines[last-1])
		if line != "" && !(strings.HasPrefix(line, "#") && indent(w.lines[last-1]) <= dash) {
			break
		}
		last--
	}
	for first > 0 && strings.HasPrefix(strings.TrimSpace(w.lines[first-1]), "#") {
		first--
	}
	text := strings.Join(w.lines[first:last], "")
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// add enters a finding that the older file does not list.
func (w *writer) add(blocks []block, f *conform.Finding, because string) []block {
	e := Entry{Check: f.ID, Operation: f.Operation}
	if slices.ContainsFunc(blocks, func(b block) bool { return order(b.entry, e) == 0 }) {
		return blocks // it stands there already, and fails in another way than that
	}
	w.changes.Added = append(w.changes.Added, name(e))
	text := "  - check: " + e.Check + "\n"
	if e.Operation != "" {
		text += "    operation: " + quoted(e.Operation) + "\n"
	}
	text += "    because: " + quoted(because) + "\n"
	return append(blocks, block{e, text})
}

// quoted writes a text so that YAML reads it as that.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// head gives what stands before the entries: the older file's comments, else our own.
func (w *writer) head() string {
	var head strings.Builder
	for _, line := range w.lines {
		if trimmed := strings.TrimSpace(line); trimmed != "" && !strings.HasPrefix(trimmed, "#") {
			break
		}
		head.WriteString(line)
	}
	if strings.TrimSpace(head.String()) == "" {
		head.Reset()
		head.WriteString("# What this server is known to break: mcpconform run --baseline.\n# An entry may have `until: YYYY-MM-DD`, `scenarios: [GLOB]` and, where it comes and\n# goes, `rate: 0.05`.\n")
	}
	return head.String() + "version: 1\n"
}

func section(b *bytes.Buffer, name string, blocks []block) {
	if len(blocks) == 0 {
		return
	}
	slices.SortStableFunc(blocks, func(x, y block) int { return order(x.entry, y.entry) })
	b.WriteString(name + ":\n")
	for _, one := range blocks {
		b.WriteString(one.text)
	}
}
