package selftest

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

// seed makes every selftest ask the same things.
const seed = 20_261_201

// sessions and inFlight are fewer than a run has by itself: what calls in flight
// together show of a server shows in a dozen, and a selftest starts some two hundred.
const (
	sessions = 2
	inFlight = 6
)

// recorded is one run: what it said, and what it was judged by.
type recorded struct {
	file       *target.File
	report     reports.Report
	transcript []byte
	took       time.Duration
}

// record starts the server, runs against it, and ends it.
func record(ctx context.Context, s server, self []string, play []string) (recorded, error) {
	begun := time.Now()
	running, err := s.start(self)
	if err != nil {
		return recorded{}, err
	}
	defer running.close()
	file, err := s.file(ctx, running.at)
	if err != nil {
		return recorded{}, err
	}
	var transcript bytes.Buffer
	report, err := runner.Run(ctx, file, runner.Options{
		Version: "selftest", Catalogue: suites.Open, Seed: seed, Effort: "standard", Scenarios: play, Operations: s.operations, Sessions: sessions, InFlight: inFlight, Transcript: &transcript,
	})
	if err == nil {
		err = ctx.Err()
	}
	return recorded{file, report, transcript.Bytes(), time.Since(begun)}, err
}

// again judges the transcript a second time, as `judge` would: from what was
// written down, with nothing in hand that tells which server it was, and with
// other names for everything that was asked for.
func (r recorded) again(names *redraw) (reports.Report, error) {
	transcript, err := names.transcript(r.transcript)
	if err != nil {
		return reports.Report{}, err
	}
	header, observations, err := conform.ReadTranscript(bytes.NewReader(transcript))
	if err != nil {
		return reports.Report{}, fmt.Errorf("reading the transcript back: %w", err)
	}
	return runner.Judge(header, observations)
}

// difference names the first finding that is not the same where operations are
// called otherwise (rename); empty: all are.
func difference(first, second []conform.Finding, rename func(string) string) string {
	for i, a := range first {
		if i >= len(second) {
			return a.ID + " is missing"
		}
		b := second[i]
		if one, other := says(a, rename(a.Operation)), says(b, b.Operation); one != other {
			return fmt.Sprintf("%s became %s", one, other)
		}
	}
	if len(second) > len(first) {
		return second[len(first)].ID + " is new"
	}
	return ""
}

// says is what a finding comes to, its words aside.
func says(f conform.Finding, operation string) string {
	said := fmt.Sprintf("%s %s %s %d of %d in %q", f.ID, operation, f.Verdict, f.Count, f.Of, f.Scenario)
	if f.ConsequenceOf != "" {
		said += " as a consequence of " + f.ConsequenceOf
	}
	return said
}

// tooLong is left out for time: everything they could show about a rule is shown by a
// batch of 25 as well, and a selftest starts some two hundred servers.
var tooLong = map[string]bool{"sweep": true, "large-batches": true}

// Scenarios gives the scenarios that a selftest plays.
func Scenarios() ([]string, error) {
	all, err := scenarios.All()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range all {
		if !tooLong[s.Name] {
			names = append(names, s.Name)
		}
	}
	return append(names, "large-batches/25"), nil
}

// oddPlays are the scenarios that odd servers are played: those that ask every
// tool for every kind of outcome. What is odd about them shows in every answer,
// and forty servers are many.
var oddPlays = []string{"all-succeed/*", "partial/*", "all-fail", "one-item", "read-only-bulk", "workflow", "scalar-expression", "partial-eligibility", "concurrent/one-session", "progress", "large-batches/25"}
