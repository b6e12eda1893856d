package selftest

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mcpconform/mcpconform/reports"
)

// WriteJSON writes the whole report as one JSON object.
func WriteJSON(out io.Writer, r Report) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// WriteMarkdown writes the matrix as tables for a page.
func WriteMarkdown(out io.Writer, r Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Self-test\n\n%s\n\n", r.Line())
	fmt.Fprintf(&b, "| check | level | fault | over | what the server does | outcome |\n|---|---|---|---|---|---|\n")
	for _, f := range r.Faults {
		_, variant, _ := strings.Cut(f.Fault, "/")
		row(&b, f.Check, f.Level.String(), variant, string(f.Transport), f.Sentence, outcome(f))
	}
	for _, part := range []struct {
		title string
		list  []Lawful
	}{{"Good servers", r.Good}, {"Odd and right", r.Oddities}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n| what | outcome |\n|---|---|\n", part.title)
		for _, l := range part.list {
			name := l.Name
			if l.Sentence != "" {
				name += ": " + l.Sentence
			}
			row(&b, name, word(l))
		}
	}
	if len(r.Exempt) > 0 {
		fmt.Fprintf(&b, "\n## Checks without a fault\n\n| check | why |\n|---|---|\n")
		for _, e := range r.Exempt {
			row(&b, e.ID, e.Why)
		}
	}
	var t strings.Builder
	troubles(&t, r)
	if t.Len() > 0 {
		// Indented, so that nothing in it is markup.
		fmt.Fprintf(&b, "\n## What is wrong\n")
		for _, line := range strings.Split(strings.TrimRight(t.String(), "\n"), "\n") {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

var cellText = strings.NewReplacer("|", `\|`, "<", "&lt;", "&", "&amp;", "`", "'", "*", `\*`, "_", `\_`, "[", `\[`)

func row(b *strings.Builder, cells ...string) {
	for _, c := range cells {
		fmt.Fprintf(b, "| %s ", cellText.Replace(reports.Safe(c)))
	}
	b.WriteString("|\n")
}
