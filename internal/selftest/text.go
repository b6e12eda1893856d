package selftest

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mcpconform/mcpconform/reports"
)

// WriteText writes the matrix for a person: one line a fault, then the good
// servers, then the odd ones, then whatever is wrong in full, then the summary.
func WriteText(out io.Writer, r Report) error {
	tab := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(tab, "CHECK\tLEVEL\tFAULT\tOVER\tOUTCOME\n")
	for _, f := range r.Faults {
		_, variant, _ := strings.Cut(f.Fault, "/")
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\n", f.Check, f.Level, variant, f.Transport, outcome(f))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	for _, part := range []struct {
		title string
		list  []Lawful
	}{{"good servers", r.Good}, {"odd and right", r.Oddities}} {
		if len(part.list) == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", part.title)
		for _, l := range part.list {
			fmt.Fprintf(tab, "  %s\t%s\n", reports.Safe(l.Name), word(l))
		}
		if err := tab.Flush(); err != nil {
			return err
		}
	}
	var b strings.Builder
	troubles(&b, r)
	if len(r.Exempt) > 0 && r.Narrowed == "" {
		fmt.Fprintf(&b, "\nwithout a fault, and why\n")
		for _, e := range r.Exempt {
			fmt.Fprintf(&b, "  %s: %s\n", e.ID, e.Why)
		}
	}
	if len(r.Ahead) > 0 && r.Narrowed == "" {
		fmt.Fprintf(&b, "\nnot played, as no check of this version judges them: %s\n", strings.Join(r.Ahead, ", "))
	}
	if r.Narrowed != "" {
		fmt.Fprintf(&b, "\nnarrowed to --fault %s: good and odd servers were not played\n", r.Narrowed)
	}
	fmt.Fprintf(&b, "\n%s\n", r.Line())
	_, err := io.WriteString(out, b.String())
	return err
}

func outcome(f Faulty) string {
	said := string(f.Word)
	if f.Word == Misattributed {
		said = "caught, and also blamed on " + ids(f.Blamed)
	}
	if f.Word == Missed && len(f.Blamed) > 0 {
		said = "missed, blamed on " + ids(f.Blamed)
	}
	if len(f.Consequences) > 0 {
		said += " (with " + strings.Join(f.Consequences, ", ") + ")"
	}
	if f.Rejudged != "" {
		said += "; judged otherwise the second time"
	}
	return said
}

func word(l Lawful) string {
	switch {
	case len(l.Alarms) > 0:
		return "accused of " + ids(l.Alarms)
	case l.Trouble != "":
		return l.Verdict
	}
	return "nothing to say against it"
}

// troubles tells in full what is not as it should be.
func troubles(b *strings.Builder, r Report) {
	for _, f := range r.Faults {
		if f.Word == Caught && f.Rejudged == "" {
			continue
		}
		fmt.Fprintf(b, "\n%s over %s: %s\n  %s\n", f.Fault, f.Transport, outcome(f), f.Sentence)
		if f.Instead != "" {
			fmt.Fprintf(b, "  %s said instead: %s\n", f.Check, reports.Safe(f.Instead))
		}
		accusations(b, f.Blamed)
		if f.Rejudged != "" {
			fmt.Fprintf(b, "  %s\n", f.Rejudged)
		}
	}
	for _, list := range [][]Lawful{r.Good, r.Oddities} {
		for _, l := range list {
			if !l.FalseAlarm() {
				continue
			}
			fmt.Fprintf(b, "\n%s: a false alarm\n", reports.Safe(l.Name))
			if l.Sentence != "" {
				fmt.Fprintf(b, "  %s\n", reports.Safe(l.Sentence))
			}
			accusations(b, l.Alarms)
			if l.Trouble != "" {
				fmt.Fprintf(b, "  %s\n", reports.Safe(l.Trouble))
			}
		}
	}
	for _, id := range r.Unproven {
		fmt.Fprintf(b, "\n%s: no fault breaks it, so nothing shows that it can fail\n", id)
	}
	for _, id := range r.Unshown {
		fmt.Fprintf(b, "\n%s: no good or odd server passes it, so nothing shows that it can be kept\n", id)
	}
	for _, id := range r.Stale {
		fmt.Fprintf(b, "\n%s: the table of checks without a fault names it for no reason\n", id)
	}
}

func accusations(b *strings.Builder, list []Accused) {
	for _, a := range list {
		fmt.Fprintf(b, "  accused: %s %s", a.Level, a.ID)
		if a.Operation != "" {
			fmt.Fprintf(b, " on %s", reports.Safe(a.Operation))
		}
		if a.Scenario != "" {
			fmt.Fprintf(b, " in %s", reports.Safe(a.Scenario))
		}
		fmt.Fprintf(b, ": %s\n", reports.Safe(a.Got))
	}
}

// ids gives the ids of accusations, each once.
func ids(list []Accused) string {
	var names []string
	seen := map[string]bool{}
	for _, a := range list {
		if !seen[a.ID] {
			seen[a.ID] = true
			names = append(names, a.ID)
		}
	}
	return strings.Join(names, ", ")
}
