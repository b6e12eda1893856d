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
type Changes struct {
	Kept, Added, Removed []string
	Ended                []string // of those kept, with file:line: they count no more
}

// Write makes the baseline of a report. What an older one, if there is one, says of
// failures that are still there stays as it is written, with its comments; what is
// mended goes; what is new is added with today's date for a reason. Of a narrowed,
// partial or ended run nothing goes: it may not have been asked. old is nil, or what
// Read gave for the text. An older file whose layout cannot be kept is an error of
// type *Error: nothing of it may be lost.
func Write(r *reports.Report, old *File, text []byte, today time.Time) ([]byte, Changes, error) {
	if old == nil {
		old = &File{}
	}
	lines, err := layOut(old, text)
	if err != nil {
		return nil, Changes{}, err
	}
	judged := *r
	judged.Findings = slices.Clone(r.Findings)
	old.Apply(&judged, today)
	w := &writer{layout: lines, old: old, today: today}
	for _, d := range judged.Baseline.Stale {
		w.gone = append(w.gone, d.At)
	}
	failures := w.kept("failures", old.Failures)
	notRun := w.kept("not_run", old.NotRun)
	for i := range judged.Findings {
		f := &judged.Findings[i]
		if f.Known != nil || f.Narrowed || f.Pending || f.ConsequenceOf != "" {
			continue
		}
		switch {
		case reports.Breaks(*f, judged.Run.Strict):
			w.add(failures, f, "known since "+today.Format(day)+"; say why it is not mended")
		case f.Level == conform.Must && reports.Unverified(*f):
			w.add(notRun, f, "since "+today.Format(day)+": "+brief(f.Reason))
		}
	}
	var b bytes.Buffer
	b.WriteString(w.layout.head())
	failures.write(&b)
	notRun.write(&b)
	b.WriteString(w.layout.foot())
	// YAML knows more layouts than are kept here: what does not read again as it is meant is not written.
	again, err := Read(old.Path, b.Bytes(), func(string) (bool, string) { return true, "" })
	if err != nil || len(again.Failures) != len(failures.blocks) || len(again.NotRun) != len(notRun.blocks) {
		return nil, Changes{}, &Error{File: old.Path, What: "the file is laid out in a way that cannot be kept", Mend: howLaidOut}
	}
	return b.Bytes(), w.changes, nil
}

// block is one entry as it is written.
type block struct {
	entry Entry
	text  string
}

// section is one list of entries as it is written.
type section struct {
	header string // its key, with the comments before it
	dash   string // what stands before the dash of an entry
	blocks []block
}

type writer struct {
	layout  *layout // of the older file
	old     *File
	gone    []string // file:line of entries that hold no more
	today   time.Time
	changes Changes
}

func name(e Entry) string {
	if e.Operation == "" {
		return e.Check
	}
	return e.Check + " on " + e.Operation
}

// kept gives a list with the older entries that stay, as they stand in the file.
func (w *writer) kept(key string, list []Entry) *section {
	s := &section{header: w.layout.header(key), dash: "  "}
	if len(list) > 0 {
		s.dash = w.layout.dash(list[0])
	}
	for _, e := range list {
		if slices.Contains(w.gone, fmt.Sprintf("%s:%d", w.old.Path, e.Line)) {
			w.changes.Removed = append(w.changes.Removed, name(e))
			continue
		}
		w.changes.Kept = append(w.changes.Kept, name(e))
		if e.expired(w.today) {
			w.changes.Ended = append(w.changes.Ended, fmt.Sprintf("%s:%d: %s ended on %s, and counts no more: give it another day, or mend it", w.old.Path, e.Line, name(e), e.Until.Format(day)))
		}
		s.blocks = append(s.blocks, block{e, w.layout.written(e)})
	}
	return s
}

// add enters a finding that the older file does not list.
func (w *writer) add(s *section, f *conform.Finding, because string) {
	e := Entry{Check: f.ID, Operation: f.Operation}
	if slices.ContainsFunc(s.blocks, func(b block) bool { return order(b.entry, e) == 0 }) {
		return // it stands there already, and fails in another way than that
	}
	w.changes.Added = append(w.changes.Added, name(e))
	text := s.dash + "- check: " + e.Check + "\n"
	if e.Operation != "" {
		text += s.dash + "  operation: " + quoted(e.Operation) + "\n"
	}
	text += s.dash + "  because: " + quoted(because) + "\n"
	s.blocks = append(s.blocks, block{e, text})
}

// quoted writes a text so that YAML reads it as that.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func (s *section) write(b *bytes.Buffer) {
	if len(s.blocks) == 0 {
		return
	}
	slices.SortStableFunc(s.blocks, func(x, y block) int { return order(x.entry, y.entry) })
	b.WriteString(s.header)
	for _, one := range s.blocks {
		b.WriteString(one.text)
	}
}
