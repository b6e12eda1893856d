package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/measure"
)

// SchemaName names the format of a report. Members may be added to a version, none
// is removed or changes its meaning.
const SchemaName = "mcpconform.report/v1"

// Report is one run, judged. Begin fills in what a transcript's header knows.
type Report struct {
	Schema      string              `json:"schema"`
	Tool        conform.Tool        `json:"tool"`
	Catalogue   conform.Catalogue   `json:"catalogue"`
	Run         Run                 `json:"run"`
	Environment conform.Environment `json:"environment"`
	Target      Target              `json:"target"`
	Scope       Scope               `json:"scope"`

	Verdict     Verdict `json:"verdict"`
	VerdictLine string  `json:"verdict_line"`
	Summary     Summary `json:"summary"` // of Findings; see Summarise

	Findings      []conform.Finding       `json:"findings"`
	NotApplicable []conform.NotApplicable `json:"not_applicable"`
	Performance   []Performance           `json:"performance"`
	// Load is what a load run says besides; nil for any other run.
	Load       *Load        `json:"load,omitempty"`
	LeftBehind []LeftBehind `json:"left_behind"`
	// Baseline is what a baseline of known failures makes of it; nil: none was given.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Rerun is what became of what an earlier run left open; nil: it was no rerun.
	Rerun *Rerun `json:"rerun,omitempty"`
	// Profiles are the server as client platforms see it, where that was asked for.
	Profiles []conform.Profile `json:"profiles,omitempty"`
	// Notes are causes told once instead of in every finding, one line each:
	// "reset was refused (403); write scenarios ran without it".
	Notes []string `json:"notes"`
	// Masked are the paths and header fields whose values are pseudonyms, here and
	// in the transcript; Unmasked are those of the target file that led to nothing.
	Masked   []string        `json:"masked,omitempty"`
	Unmasked []conform.Unmet `json:"unmasked,omitempty"`
	// Evidence is how much of the server's words the findings quote, and Quotes the
	// host whose words they are, where it is not this machine: mind who reads them.
	Evidence Evidence `json:"evidence,omitempty"`
	Quotes   string   `json:"quotes,omitempty"`
}

// Performance is one row of the table of figures.
type Performance = measure.Performance

// Run is how the run was asked for and how it went.
type Run struct {
	ID      string            `json:"id"`
	Started time.Time         `json:"started"`
	Seconds float64           `json:"seconds"`
	Seed    uint64            `json:"seed"`
	Effort  string            `json:"effort"`
	Partial bool              `json:"partial"` // it was interrupted, or its transcript was cut off
	Command string            `json:"command"` // secrets redacted
	Labels  map[string]string `json:"labels,omitempty"`
	// Narrowed says of what a narrowed run's verdict speaks, one entry a
	// filter: "checks RES-*", "effort quick".
	Narrowed []string `json:"narrowed,omitempty"`
	Strict   bool     `json:"strict,omitempty"` // a failed SHOULD made the run nonconformant
	// Ended says what ended the run where it did not end by itself, and Cause
	// the same in a sentence. Ended decides between exit 3 and 4.
	Ended conform.EndClass `json:"ended,omitempty"`
	Cause string           `json:"cause,omitempty"`
}

// Target is the server under test, as it was reached and as it says it is.
type Target struct {
	Name      string `json:"name"`
	File      string `json:"file,omitempty"` // the target file, as given
	Host      string `json:"host,omitempty"` // of an HTTP server
	Transport string `json:"transport"`      // streamable-http | sse | stdio | rest
	Protocol  string `json:"protocol"`       // the revision negotiated; empty: none was
	// HTTP is the version of HTTP that was spoken: "HTTP/1.1", "HTTP/2.0"; empty over
	// stdio, and where nothing answered.
	HTTP    string `json:"http,omitempty"`
	Server  Server `json:"server"`
	Builtin bool   `json:"builtin"` // the demonstration backend
}

// Spoke takes over how the server was spoken to, and what it calls itself.
func (t *Target) Spoke(rec *conform.Recording) {
	t.Protocol, t.HTTP = rec.Revision(), rec.HTTP()
	t.Server.Name, t.Server.Version = rec.ServerInfo()
}

// Server is what the server calls itself. Its own words: see Safe.
type Server struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Scope is which of the server's tools the verdict speaks of.
type Scope struct {
	Tools []ScopeTool `json:"tools"`
	// Absent are the groups that the target file declares absent.
	Absent []conform.Group `json:"absent,omitempty"`
}

// ScopeTool is one tool of the server. Exactly one of Operation, Ignored and
// Unlisted is set.
type ScopeTool struct {
	Name      string `json:"name"`
	Operation string `json:"operation,omitempty"` // the operation of the target file that names it
	// As is what the operation names it as, where it is not the tool that does the
	// work: "the probe".
	As       string `json:"as,omitempty"`
	Ignored  bool   `json:"ignored,omitempty"`  // left out by the target file
	Unlisted bool   `json:"unlisted,omitempty"` // the target file does not speak of it
	// Single says that the tool does not look multi-item, so that a verdict need
	// not speak of it. A tool that an operation plays is multi-item by that.
	Single  bool   `json:"single,omitempty"`
	Because string `json:"because,omitempty"` // the file's reason to ignore it; of an unlisted one, why it looks multi-item
}

// Played tells whether an operation plays the tool.
func (t ScopeTool) Played() bool { return t.Operation != "" && t.As == "" }

// Left tells whether the tool looks multi-item and was left out without a word.
func (t ScopeTool) Left() bool { return t.Unlisted && !t.Single }

// counts tells whether a verdict on multi-item tools speaks of the tool, or is
// to say that it does not.
func (t ScopeTool) counts() bool { return t.Played() || t.As == "" && !t.Single }

// LeftBehind is something that the run changed and could not put back.
type LeftBehind struct {
	Operation string `json:"operation"`
	Item      string `json:"item,omitempty"`  // its id; empty: the operation as a whole
	State     string `json:"state,omitempty"` // as the probe shows it; empty: nobody could look
	What      string `json:"what"`            // why it is there still
}

// Left gives what a recording says was left behind.
func Left(list []conform.Left) []LeftBehind {
	var left []LeftBehind
	for _, l := range list {
		left = append(left, LeftBehind(l))
	}
	return left
}

// Begin is a report with what the header of a transcript knows. The rest (how
// it ended, the server's name, findings, verdict, figures) is the caller's.
func Begin(header conform.Header) Report {
	return Report{
		Schema:    SchemaName,
		Tool:      header.Tool,
		Catalogue: header.Catalogue,
		Run: Run{
			ID: header.Run.ID, Started: header.Run.Started, Seed: header.Run.Seed, Effort: header.Run.Effort,
			Command: header.Run.Command, Labels: header.Run.Labels, Strict: header.Run.Strict,
			Narrowed: Narrowing(header.Run),
		},
		Environment: header.Environment,
		Target: Target{
			Name: header.Target.Name, File: header.Target.File, Host: header.Target.Host, Transport: header.Target.Transport,
			Protocol: header.Target.Protocol, Builtin: header.Target.Builtin,
		},
		Masked: header.Masked,
	}
}

// complete is the report as it is written: what would be null is empty, so that
// readers of the JSON meet lists only, and bytes that are no UTF-8 are named
// (\xff) where JSON would lose them. The caller's report stays as it is.
func (r Report) complete() Report {
	r.Schema = SchemaName
	r.Findings = slices.Clone(notNil(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Want, f.Got, f.Common, f.Reason = valid(f.Want), valid(f.Got), valid(f.Common), valid(f.Reason)
		f.Evidence = slices.Clone(notNil(f.Evidence))
		for j := range f.Evidence {
			f.Evidence[j].Excerpt, f.Evidence[j].Body = valid(f.Evidence[j].Excerpt), valid(f.Evidence[j].Body)
		}
	}
	r.NotApplicable = notNil(r.NotApplicable)
	r.Performance = slices.Clone(notNil(r.Performance))
	for i := range r.Performance {
		r.Performance[i].Warnings = notNil(r.Performance[i].Warnings)
	}
	if r.Load != nil {
		l := *r.Load
		l.Curves, l.Scaling, l.Skipped, l.Refusals = notNil(l.Curves), notNil(l.Scaling), notNil(l.Skipped), notNil(l.Refusals)
		l.Objectives = notNil(l.Objectives)
		r.Load = &l
	}
	r.LeftBehind = notNil(r.LeftBehind)
	r.Notes = notNil(r.Notes)
	r.Scope.Tools = notNil(r.Scope.Tools)
	return r
}

// valid writes every byte that is no UTF-8 as \xff.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
