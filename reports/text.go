package reports

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// TextOptions is how a text report looks. The zero value is plain, 100 columns wide.
type TextOptions struct {
	Colour bool
	Width  int // columns; 0: 100; at least 72
}

// Text writes a report to be read by a person, plain and 100 columns wide.
func Text(w io.Writer, r Report) error { return TextWriter(TextOptions{})(w, r) }

// TextWriter gives a writer of text reports: the verdict, what was tested, what
// failed, warnings, advice, what passed, what was not verified and what that
// needs, what does not apply, the figures, and the verdict again with the exit
// code. Everything that came from the server is shown through Safe.
func TextWriter(o TextOptions) func(io.Writer, Report) error {
	if o.Width == 0 {
		o.Width = 100
	}
	return func(w io.Writer, r Report) error {
		p := &page{ink: ink(o.Colour), width: max(o.Width, 72)}
		p.report(r)
		if _, err := w.Write(p.Bytes()); err != nil {
			return fmt.Errorf("writing the text report: %w", err)
		}
		return nil
	}
}

func (p *page) report(r Report) {
	if r.Load != nil {
		p.loadReport(r)
		return
	}
	p.verdict(r)
	p.tested(r)
	p.rerun(r)
	p.baseline(r)
	p.failures(r, ClassFail)
	p.failures(r, ClassWarning)
	p.advice(r)
	p.pending(r)
	p.passed(r)
	if nothingAsked(r) {
		p.blank()
		p.line(0, mute(fmt.Sprintf("Nothing was asked, so nothing is known: %s not run.", Amount(r.Summary.NotRun, "check was", "checks were"))))
	} else {
		p.unverified(r)
		p.notApplicable(r)
	}
	p.leftBehind(r)
	p.profileSection(r)
	p.figures(r)
	p.end(r)
}

// nothingAsked tells a run that never got in and of which nothing was judged: lists
// of what was not verified would hide the one line that matters.
func nothingAsked(r Report) bool {
	s := r.Summary
	return (r.Run.Ended == conform.EndUnreachable || r.Run.Ended == conform.EndUnauthorized) && s.Pass+s.Fail+s.Warning+s.Advice+s.Inconclusive == 0
}

func (p *page) verdict(r Report) {
	sign, look := r.Verdict.mark()
	line := r.VerdictLine
	if line == "" {
		line = r.Verdict.String()
	}
	for i, l := range wrap(Safe(middle(line, mostText)), p.width-2) {
		if i > 0 {
			sign = " "
		}
		p.line(0, p.put(look, sign+" "+mute(l)))
	}
}

// tested says what the verdict is about.
func (p *page) tested(r Report) {
	p.blank()
	t := r.Target
	p.field(2, "target", middle(join(" ", t.Name, bracket(t.File)), mostShown))
	p.field(2, "server", serverLine(t))
	p.field(2, "tools", scopeLine(r.Scope))
	if absent := words(r.Scope.Absent); absent != "" {
		p.field(2, "absent", absent+" (declared by the target file)")
	}
	p.field(2, "narrowed", strings.Join(r.Run.Narrowed, "; "))
	p.field(2, "run", runLine(r))
	p.field(2, "judged by", join(" ", join(" ", "catalogue", r.Catalogue.Set), bracket(middle(r.Catalogue.Digest, 40)))+" of mcpconform "+r.Tool.Version)
	p.field(2, "masked", maskedLine(r))
	p.field(2, "findings", countLine(r))
	if r.Run.Cause != "" && !nothingAsked(r) { // else the verdict line has said it
		p.field(2, "ended", middle(r.Run.Cause, mostShown))
	}
	if r.Quotes != "" {
		p.field(2, "quotes", "answers of "+r.Quotes+" stand below: mind who reads this, or give --evidence none")
	}
	for _, note := range r.Notes {
		p.field(2, "note", middle(note, mostShown))
	}
}

func serverLine(t Target) string {
	server := join(" ", name(t.Server.Name), name(t.Server.Version))
	if server == "" {
		server = "did not say its name"
	}
	if t.Host != "" {
		server += " at " + t.Host
	}
	revision := "no revision agreed"
	if t.Protocol != "" {
		revision = "MCP " + name(t.Protocol)
	}
	version := ""
	if t.HTTP != "" && t.HTTP != "HTTP/1.1" {
		version = name(t.HTTP)
	}
	return join(", ", server, t.Transport, version, revision)
}

// maskedLine says which values are pseudonyms, and what was to be masked and was
// not found.
func maskedLine(r Report) string {
	var parts []string
	if len(r.Masked) > 0 {
		parts = append(parts, strings.Join(r.Masked, ", ")+": the values they lead to are pseudonyms")
	} else if len(r.Unmasked) > 0 {
		parts = append(parts, "nothing")
	}
	if len(r.Unmasked) > 0 {
		parts = append(parts, strings.Join(unmet(r), ", ")+": led to no value")
	}
	return strings.Join(parts, "; ")
}

func unmet(r Report) []string {
	var masks []string
	for _, u := range r.Unmasked {
		masks = append(masks, u.Mask)
	}
	return masks
}

func scopeLine(s Scope) string {
	var parts []string
	for _, t := range s.Tools {
		tool := name(t.Name)
		switch {
		case !t.counts():
		case t.Operation != "" && strings.ReplaceAll(t.Operation, "-", "_") == t.Name:
			parts = append(parts, tool)
		case t.Operation != "":
			parts = append(parts, tool+" as "+t.Operation)
		case t.Ignored:
			parts = append(parts, join(" ", tool, "(ignored"+after(middle(t.Because, mostShown))+")"))
		default:
			parts = append(parts, join(" ", tool, "(looks multi-item, neither listed nor ignored"+after(middle(t.Because, mostShown))+")"))
		}
	}
	if len(parts) == 0 {
		return "no multi-item tool"
	}
	return strings.Join(parts, ", ")
}

func runLine(r Report) string {
	parts := []string{fmt.Sprintf("%.1f s", r.Run.Seconds), fmt.Sprintf("seed %d", r.Run.Seed)}
	if r.Run.Effort != "" {
		parts = append(parts, "effort "+r.Run.Effort)
	}
	if r.Run.ID != "" {
		parts = append(parts, "id "+r.Run.ID)
	}
	for _, key := range slices.Sorted(maps.Keys(r.Run.Labels)) {
		parts = append(parts, key+"="+r.Run.Labels[key])
	}
	if r.Run.Strict {
		parts = append(parts, "strict")
	}
	if r.Run.Partial {
		parts = append(parts, "PARTIAL: it did not run to its end")
	}
	return strings.Join(parts, ", ")
}

func countLine(r Report) string {
	s := r.Summary
	parts := []string{fmt.Sprintf("%d passed", s.Pass)}
	for _, c := range []struct {
		n    int
		word string
	}{
		{s.Fail, "failed"}, {s.Warning, verb(s.Warning, "warning", "warnings")}, {s.Advice, "advice"},
		{s.Inconclusive, "inconclusive"}, {s.NotRun, "not run"}, {s.Pending, "pending"},
	} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	line := strings.Join(parts, ", ")
	if n := len(r.NotApplicable); n > 0 {
		line += fmt.Sprintf(" (besides, %d not applicable)", n)
	}
	return line
}

// end repeats the verdict with the exit code, for those who read the last lines only.
func (p *page) end(r Report) {
	code := r.ExitCode()
	sign, look := r.Verdict.mark()
	p.blank()
	if r.Run.Ended == conform.EndInterrupted {
		// The process ends with the signal's status, whatever was found before.
		p.line(0, p.put(look, fmt.Sprintf("%s %s as far as it went: the run was interrupted", sign, r.Verdict)))
	} else {
		p.line(0, p.put(look, fmt.Sprintf("%s %s, exit %d: %s", sign, r.Verdict, code, meaning(r, code))))
	}
	if r.Target.Builtin {
		// The very last line says what to type, whole whatever the width.
		p.line(0, "This was the demonstration backend, not your server.")
		p.line(0, "Yours: mcpconform run --url URL | -- CMD | --target FILE")
	}
}

func meaning(r Report, code int) string {
	if r.Baseline != nil {
		if text := r.Baseline.meaning(r, code); text != "" {
			return text
		}
	}
	switch code {
	case ExitConformant:
		if len(r.Run.Narrowed) > 0 {
			return "every MUST rule in this narrowed run holds"
		}
		return "every MUST rule that applies holds"
	case ExitNonconformant:
		if r.Summary.Fail == 0 {
			return "a SHOULD rule is broken, and --strict counts it"
		}
		return "a MUST rule is broken"
	case ExitUnreachable:
		if r.Run.Ended == conform.EndUnauthorized {
			return "the target refused the credentials; give them with --header 'Authorization: Bearer ${NAME}' or --token-env NAME"
		}
		return "the target could not be reached, is no MCP server, or died before its first answer"
	}
	if r.Rerun != nil {
		return "no MUST rule that was asked again is broken; only a run of everything can be conformant"
	}
	return "nothing failed, but something that matters could not be verified"
}

func join(separator string, parts ...string) string {
	var kept []string
	for _, s := range parts {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, separator)
}

func bracket(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}
