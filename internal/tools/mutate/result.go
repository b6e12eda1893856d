package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// result is what became of all the mutants that were tried.
type result struct {
	packages  string // as they were asked for
	all       int    // mutants that there are
	tried     int
	fates     map[fate]int
	excused   int       // survivors that are listed
	survivors []verdict // those that are not
	stale     []string  // entries of the list that excuse nothing
	list      *excused
}

// sum holds the verdicts against the list. every are all mutants that there are,
// tried or not.
func sum(verdicts []verdict, every []mutant, list *excused) result {
	r := result{all: len(every), tried: len(verdicts), fates: map[fate]int{}, list: list}
	exists, useful, tried := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range every {
		exists[list.of(m)] = true
	}
	for _, v := range verdicts {
		r.fates[v.fate]++
		entry := list.of(v.mutant)
		tried[entry] = true
		if v.fate == byTests || v.fate == byRecordings {
			continue
		}
		if useful[entry] = true; entry != "" {
			r.excused++
		} else {
			r.survivors = append(r.survivors, v)
		}
	}
	for _, entry := range list.order {
		switch {
		case !exists[entry]:
			r.stale = append(r.stale, entry+": there is no such mutant")
		case tried[entry] && !useful[entry] && !strings.HasSuffix(entry, ": *"):
			r.stale = append(r.stale, entry+": it is noticed")
		}
	}
	return r
}

func (r result) holds() bool { return len(r.survivors) == 0 && len(r.stale) == 0 }

func (r result) line() string {
	return fmt.Sprintf("%d mutants, %d killed by tests, %d killed by recordings, %d not reached, %d survived (%d of both listed as equivalent)",
		r.tried, r.fates[byTests], r.fates[byRecordings], r.fates[unmet], r.fates[survived], r.excused)
}

// write tells what is wrong, a line each, and the summary last.
func (r result) write(out io.Writer) {
	for _, v := range r.survivors {
		word := "survived"
		if v.fate == unmet {
			word = "not reached"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\n", word, v.place, v.key())
	}
	for _, s := range r.stale {
		fmt.Fprintf(out, "stale\t%s\n", s)
	}
	fmt.Fprintln(out, r.line())
}

// marks are the lines between which a document holds what the tool wrote of these
// packages.
func marks(packages string) (begin, end string) {
	return "<!-- mutate " + packages + ": begin -->", "<!-- mutate " + packages + ": end -->"
}

// markdown is the result as a part of a document: the figures, the survivors by
// function, and the list with its reasons.
func (r result) markdown() string {
	var b strings.Builder
	begin, end := marks(r.packages)
	fmt.Fprintf(&b, "%s\n\n| mutants | tried | killed by tests | killed by recordings | not reached | survived | of these listed as equivalent |\n|---|---|---|---|---|---|---|\n", begin)
	fmt.Fprintf(&b, "| %d | %d | %d | %d | %d | %d | %d |\n", r.all, r.tried, r.fates[byTests], r.fates[byRecordings], r.fates[unmet], r.fates[survived], r.excused)
	b.WriteString("\nSurvivors:\n\n")
	if len(r.survivors) == 0 {
		b.WriteString("None but the equivalent ones.\n")
	} else {
		b.WriteString("| function | source | change | |\n|---|---|---|---|\n")
		sorted := slices.Clone(r.survivors)
		slices.SortStableFunc(sorted, func(a, b verdict) int {
			return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.function, b.function))
		})
		for _, v := range sorted {
			word := ""
			if v.fate == unmet {
				word = "not reached"
			}
			fmt.Fprintf(&b, "| %s %s | %s | %s | %s |\n", v.pkg, v.function, code(v.was), cell(v.change), word)
		}
	}
	if len(r.list.order) > 0 {
		b.WriteString("\nEquivalent:\n\n| mutant | why nothing can notice it |\n|---|---|\n")
	}
	for _, entry := range r.list.order {
		fmt.Fprintf(&b, "| %s | %s |\n", code(entry), cell(r.list.reasons[entry]))
	}
	fmt.Fprintf(&b, "\n%s", end)
	return b.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// code is source within a line of Markdown, whatever backquotes it holds.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + cell(text) + " " + fence
	}
	return fence + cell(text) + fence
}

// into puts the result into a document, in place of the last one.
func (r result) into(document []byte) ([]byte, error) {
	first, last := marks(r.packages)
	begin, end := bytes.Index(document, []byte(first)), bytes.Index(document, []byte(last))
	if begin < 0 || end < begin {
		return nil, fmt.Errorf("it has no lines %q and %q between which to write", first, last)
	}
	return slices.Concat(document[:begin], []byte(r.markdown()), document[end+len(last):]), nil
}
