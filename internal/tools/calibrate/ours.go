package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

// seed makes every comparison ask the same things.
const seed = 20_261_201

// perCall is how long a call of ours may take: a faulty server may never answer.
const perCall = 4 * time.Second

// plays are the scenarios of ours that are played where the server's operations are
// known: small ones of every outcome, and one batch large enough for the faults
// that show on large batches only.
var plays = []string{"all-succeed/three", "partial/bad-first", "all-fail", "concurrent/one-session", "progress/three", "large-batches/25"}

// protocolIDs gives the ids of our protocol checks.
func protocolIDs() (ids []string) {
	for _, c := range suites.All() {
		if c.Group == conform.GroupProtocol {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// ours runs our protocol checks against a server.
func (t *tools) ours(ctx context.Context, s Server, url string, h *Heard) error {
	file, err := s.target(url)
	if err != nil {
		return fmt.Errorf("the target of %s: %w", s.Name, err)
	}
	options := runner.Options{Version: "calibrate", Seed: seed, Catalogue: suites.Open, Checks: protocolIDs()}
	if s.fake {
		options.Scenarios, options.Operations = plays, []string{"cancel-products", "query-orders"}
	}
	report, err := runner.Run(ctx, file, options)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("running our checks against %s: %w", s.Name, err)
	}
	if said := report.Target.Protocol; s.Kind != Closed && s.Breaks != "PRO-08" && said != "" && said != s.Revision {
		return fmt.Errorf("%s was to be judged at %s and spoke %s with us", s.Name, s.Revision, said)
	}
	h.find(report.Findings, report.NotApplicable)
	return nil
}

// find puts our findings into h: the verdict on a rule over all operations.
func (h *Heard) find(findings []conform.Finding, inapplicable []conform.NotApplicable) {
	parts := map[string][]Verdict{}
	for _, f := range findings {
		v := Unverified
		switch {
		case f.Verdict == conform.Pass:
			v = Pass
		case f.Verdict == conform.Fail:
			v = Fail
			if h.messages[f.ID] == "" {
				h.messages[f.ID] = oneLine(f.Got)
			}
		}
		parts[f.ID] = append(parts[f.ID], v)
	}
	for _, n := range inapplicable {
		parts[n.ID] = append(parts[n.ID], Inapplicable)
	}
	for id, list := range parts {
		h.Ours[id] = whole(list)
	}
}

// target gives the target file for a server that listens at a URL.
func (s Server) target(url string) (*target.File, error) {
	if !s.fake {
		file, err := target.FromURL(url, nil)
		if err != nil {
			return nil, err
		}
		file.Server.Protocol = s.Revision
		file.Timeouts.Call = perCall
		return file, nil
	}
	at, err := target.ServerAt(url, nil)
	if err != nil {
		return nil, err
	}
	file, err := target.Load("builtin:fakebackend", func(string) (string, bool) { return "", false })
	if err != nil {
		return nil, err
	}
	at.Protocol = s.Revision
	file = file.WithServer(at)
	file.Timeouts.Call = perCall
	return file, nil
}

// handshakeOnly are the rules that have no meaning at 2026-07-28, which knows
// neither sessions nor notifications of a client, and lets structured content be
// anything.
var handshakeOnly = []string{"PRO-02", "PRO-09", "PRO-10"}

func meaningful(id, revision string) bool {
	return revision != newest || !slices.Contains(handshakeOnly, id)
}
