package runner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
)

// Judge judges a recording and reports on it, without a server: the run that
// wrote the recording got the same findings from the same function. They are
// judged by the catalogue set that the header names.
func Judge(header conform.Header, observations []conform.Observation) (reports.Report, error) {
	set, checks, err := checksOf(header.Catalogue.Set, header.Run.Checks, header.Run.Skip, header.Run.Levels)
	if err != nil {
		return reports.Report{}, err
	}
	header.Catalogue = set.Catalogue()
	if header.Sample != nil {
		return judgeSample(header, observations, checks), nil
	}
	rec := conform.NewRecording(header, observations)
	judged := suites.Judge(rec, checks)

	r := reports.Begin(header)
	r.Target.Spoke(rec)
	r.Run.Partial = rec.Ended == nil || rec.Ended.Partial
	if rec.Ended != nil {
		r.Run.Seconds = rec.Ended.Elapsed.Seconds()
		r.Run.Ended, r.Run.Cause = rec.Ended.Class, rec.Ended.Cause
	} else {
		r.Run.Ended, r.Run.Cause = conform.EndInterrupted, "the recording was cut off before its end"
		if n := len(observations); n > 0 {
			r.Run.Seconds = observations[n-1].At.Seconds()
		}
	}
	r.Findings, r.NotApplicable = judged.Findings, append(judged.NotApplicable, set.Gone(suites.All())...)
	r.Summary = reports.Summarise(r.Findings)
	r.Scope = scopeOf(rec)
	r.Notes = notes(rec)
	if rec.Ended != nil {
		r.Notes = append(r.Notes, rec.Ended.Notes...)
		r.Masked = slices.Clone(r.Masked) // the header's
		for _, unmet := range rec.Ended.Unmet {
			r.Masked = slices.DeleteFunc(r.Masked, func(mask string) bool { return mask == unmet.Mask })
			r.Unmasked = append(r.Unmasked, unmet)
			r.Notes = append(r.Notes, unmet.String())
		}
		r.LeftBehind = append(r.LeftBehind, reports.Left(rec.Ended.Left)...)
	}
	r.Performance = measure.Sweep(rec, r.Target.Protocol, func(call string) bool { return judged.Wrong[call] })
	if r.Run.Ended == conform.EndDone {
		r.Notes = append(r.Notes, onlyLost(rec, r.Findings)...)
	}
	r.Rerun = became(rec, r.Findings, r.NotApplicable)
	if err := profile(&r, rec); err != nil {
		return reports.Report{}, err
	}
	decide(&r, len(header.Target.Operations), header.Target.Guessed)
	gateProfiles(&r, header.Run.GateProfile)
	quote(&r, reports.EvidenceRows, observations)
	return r, nil
}

// notes tells causes once that would else be told in every finding.
func notes(rec *conform.Recording) []string {
	notes := []string{}
	if asked, spoken := rec.Header.Target.Protocol, rec.Revision(); asked != "" && spoken != "" && asked != spoken {
		notes = append(notes, fmt.Sprintf("revision %s was asked for, and the server answered with %s: that is what was spoken", asked, spoken))
	}
	refused := map[string]bool{}
	for _, c := range rec.Calls {
		if c.Planned.Role != conform.RoleReset || c.Sent == nil || refused[c.Planned.Tool] || acknowledged(c.Result) {
			continue
		}
		refused[c.Planned.Tool] = true
		notes = append(notes, fmt.Sprintf("the reset tool %s did not reset (%s): items it did not put back were not used as good again",
			c.Planned.Tool, refusal(c)))
	}
	for _, o := range rec.PutBacks {
		put := o.PutBack
		key := string(put.What) + " " + put.Hands
		if put.Done || put.Begun || refused[key] {
			continue
		}
		refused[key] = true
		notes = append(notes, inVain(put))
	}
	return append(notes, seenBy(rec)...)
}

// inVain tells what hands did not do, and what came of it.
func inVain(put *conform.PutBack) string {
	what, then := string(put.What), "items it did not put back were not used as good again"
	switch put.What {
	case conform.DoSetup:
		then = "what needs the items was not played"
	case conform.DoSetupUndo:
		what, then = "the undo of the setup", "see what was left behind"
	}
	return fmt.Sprintf("%s of %s by %s failed (%s): %s", what, put.Operation, put.Hands, cut(put.Problem), then)
}

// refusal says in a few words why a call was not acknowledged.
func refusal(c *conform.Call) string {
	if m, ok := c.Result.At("content").First().Get("text").Str(); ok {
		return "isError: " + strconv.Quote(cut(m))
	}
	if c.Response != nil {
		if m, ok := c.Response.Error.Get("message").Str(); ok {
			return "JSON-RPC error: " + strconv.Quote(cut(m))
		}
	}
	if in := c.Last(); in != nil {
		if in.Problem != "" {
			return in.Problem
		}
		if in.Status/100 == 2 {
			return "its answer holds no response to the call"
		}
		return fmt.Sprintf("HTTP status %d", in.Status)
	}
	return "no answer"
}

func cut(text string) string {
	const enough = 120
	runes := []rune(text)
	if len(runes) <= enough {
		return text
	}
	return string(runes[:enough]) + "…"
}

// seenBy says whose eyes saw the state, where they are none of the server's tools.
func seenBy(rec *conform.Recording) []string {
	var order []string
	by := map[string][]string{}
	for _, o := range rec.Effects {
		eyes, operation := o.Effect.Eyes, o.Effect.Operation
		if strings.HasPrefix(eyes, "the tool ") || slices.Contains(by[eyes], operation) {
			continue
		}
		if by[eyes] == nil {
			order = append(order, eyes)
		}
		by[eyes] = append(by[eyes], operation)
	}
	var notes []string
	for _, eyes := range order {
		notes = append(notes, fmt.Sprintf("the state of %s was read by %s, beside the server's own tools", strings.Join(by[eyes], ", "), eyes))
	}
	return notes
}
