package reports

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// Baseline is what a baseline of known failures makes of a report. The verdict is
// what it is without one; the exit code says whether the baseline holds.
type Baseline struct {
	File string `json:"file"`
	// Known counts the findings that it expects as they are.
	Known int `json:"known"`
	// Unexpected are failures that it does not list, or not so: they are regressions.
	Unexpected []Deviation `json:"unexpected"`
	// Stale are entries that hold no more: what they list is mended.
	Stale []Deviation `json:"stale"`
	// Unverified are MUST rules that could not be verified, and that it does not list.
	Unverified []Deviation `json:"unverified"`
	Notes      []string    `json:"notes,omitempty"` // entries that have ended, or could not be looked at
}

// Deviation is one thing in which a report and a baseline differ.
type Deviation struct {
	Check     string `json:"check"`
	Operation string `json:"operation,omitempty"`
	What      string `json:"what"`         // in words
	At        string `json:"at,omitempty"` // of an entry: file:line
}

func (d Deviation) String() string {
	text := d.Check
	if d.Operation != "" {
		text += " on " + d.Operation
	}
	return text + ": " + d.What
}

// exit is the exit code of a report that a baseline was held against.
func (b *Baseline) exit(r Report) int {
	switch {
	case r.Run.Ended == conform.EndUnreachable:
		return ExitUnreachable
	case len(b.Unexpected) > 0 || len(b.Stale) > 0:
		return ExitNonconformant
	case r.Run.Ended == conform.EndUnauthorized:
		return ExitUnreachable
	case len(b.Unverified) > 0, r.Rerun != nil: // which asks too little for a 0
		return ExitIncomplete
	}
	return ExitConformant
}

// meaning says what the exit code of such a report means.
func (b *Baseline) meaning(r Report, code int) string {
	switch code {
	case ExitIncomplete:
		switch {
		case b.Known == 0: // then it is as without a baseline
		case len(b.Unverified) == 0 && r.Rerun != nil:
			return "what was asked again is as the baseline says; it takes a run of everything to say that the baseline holds"
		default:
			return "nothing failed but what the baseline lists, and something that matters could not be verified"
		}
	case ExitConformant:
		return "the baseline holds: " + Amount(b.Known, "finding is", "findings are") + " as it says, and nothing else is wrong"
	case ExitNonconformant:
		switch {
		case len(b.Unexpected) == 0:
			return Amount(len(b.Stale), "entry of the baseline holds", "entries of the baseline hold") + " no more"
		case len(b.Stale) == 0:
			return Amount(len(b.Unexpected), "failure is", "failures are") + " not in the baseline"
		}
		return fmt.Sprintf("%s not in the baseline, and %s no more", Amount(len(b.Unexpected), "failure is", "failures are"), Amount(len(b.Stale), "entry of it holds", "entries of it hold"))
	}
	return ""
}

// baseline writes what the baseline makes of the report, and the findings that it
// knows, a line each.
func (p *page) baseline(r Report) {
	b := r.Baseline
	if b == nil {
		return
	}
	_, look := r.Verdict.mark()
	p.heading(look, "AGAINST THE BASELINE "+middle(b.File, mostShown))
	for _, d := range b.Unexpected {
		p.entry(red, "✗", d.Check, join(" ", "not in the baseline:", d.What, bracket(d.Operation)))
	}
	for _, d := range b.Stale {
		p.entry(red, "✗", d.Check, join(" ", d.What, bracket(d.Operation)))
	}
	for _, d := range b.Unverified {
		p.entry(dim, "?", d.Check, join(" ", d.What, bracket(d.Operation)))
	}
	for _, f := range r.Findings {
		if f.Known != nil {
			p.entry(dim, "~", f.ID, knownLine(f))
		}
	}
	for _, note := range b.Notes {
		p.field(2, "note", middle(note, mostShown))
	}
}

// Brief gives the beginning of a text, short enough for one line of a list.
func Brief(text string) string { return Shown(middle(text, mostBrief)) }

const mostBrief = 160 // bytes

// knownLine says in a line what is known of a finding.
func knownLine(f conform.Finding) string {
	word := "known: "
	switch {
	case f.Known.Rate > 0:
		word = fmt.Sprintf("known to fail now and then (%d of %d this time, at most %.3g %%): ", f.Count, f.Of, 100*f.Known.Rate)
	case f.Verdict == conform.NotRun:
		word = "known not to be run: "
	}
	line := word + f.Known.Because
	if f.Known.Until != "" {
		line += ", until " + f.Known.Until
	}
	return join(" ", line, bracket(f.Operation))
}
