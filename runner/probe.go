package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/drive"
	"github.com/mcpconform/mcpconform/target"
)

// Probe looks at the state of items through the target file's probe tool. After
// a write it looks again for as long as an acknowledged effect does not show and
// the settle time is not over, so that nobody is accused for being a moment
// behind.
func (r *run) Probe(ctx context.Context, q drive.Probing) {
	op := r.file.Operation(q.Operation)
	if op == nil || op.Probe == nil {
		return
	}
	ids, asked := itemIDs(op, q.Items)
	first := r.look(ctx, q, op, ids, asked, q.Call)
	if q.Phase == conform.Before {
		r.seen = map[string]conform.State{}
		for _, s := range first {
			r.seen[s.ID] = s
		}
		return
	}
	if r.impatient[op.Name] >= mostSettles {
		return
	}
	expected := r.expected(op)
	pause, waited := 25*time.Millisecond, time.Duration(0)
	for n := 2; r.unsettled(expected, first); n++ {
		if waited+pause > settle(op) {
			r.impatient[op.Name]++
			return
		}
		select {
		case <-ctx.Done():
			// What did not show before the interrupt may have shown after it.
			r.Record(conform.Observation{Kind: conform.KindEffect, Call: q.Call, Session: main, Effect: &conform.Effect{
				Instance: q.Instance, Operation: q.Operation, Phase: q.Phase, Eyes: "the tool " + op.Probe.Tool,
				Problem: "the run was interrupted while an effect was waited for",
			}})
			return
		case <-time.After(pause):
		}
		waited += pause
		pause *= 2
		first = r.look(ctx, q, op, ids, asked, fmt.Sprintf("%s.%d", q.Call, n))
	}
}

// mostSettles is how often an operation may use up its settle time; what has not
// shown three times will not show by waiting.
const mostSettles = 3

// defaultSettle is how long an effect may take to show where the target file
// does not say; writes go to loopback and stdio only.
const defaultSettle = 2 * time.Second

func settle(op *target.Operation) time.Duration {
	if op.Probe.Settle > 0 {
		return op.Probe.Settle
	}
	return defaultSettle
}

// expected gives the ids of the good items of the play's acknowledged calls:
// what is to show a change. What only reads has no effect to wait for.
func (r *run) expected(op *target.Operation) map[string]bool {
	if !op.Write || len(r.seen) == 0 {
		return nil
	}
	ids := map[string]bool{}
	for _, c := range conform.NewRecording(r.header, r.record.since(r.playing)).Calls {
		if c.Planned.Role != conform.RolePrimary || !acknowledged(c.Ending().Result) || c.Declined() {
			continue
		}
		for _, item := range c.Planned.Items {
			if id, _, ok := op.ItemID(item); ok && item.Truth == conform.Good {
				ids[id] = true
			}
		}
	}
	return ids
}

// unsettled tells whether an item that is to show a change does not show it yet.
func (r *run) unsettled(expected map[string]bool, now []conform.State) bool {
	if r.stop.cause != "" {
		return false
	}
	for _, s := range now {
		before, known := r.seen[s.ID]
		if !expected[s.ID] || !known {
			continue
		}
		done := s.Changed(before)
		if s.Done != nil {
			done = *s.Done
		}
		if !done {
			return true
		}
	}
	return false
}

// look makes one reading and records it, also where nothing could be read.
func (r *run) look(ctx context.Context, q drive.Probing, op *target.Operation, ids []string, asked []json.RawMessage, call string) []conform.State {
	effect := &conform.Effect{Instance: q.Instance, Operation: q.Operation, Phase: q.Phase, Eyes: "the tool " + op.Probe.Tool}
	defer func() {
		r.Record(conform.Observation{Kind: conform.KindEffect, Call: call, Session: main, Effect: effect})
	}()
	if len(ids) == 0 {
		effect.Problem = "no item has a name that the probe knows it by"
		return nil
	}
	reply := r.tool(ctx, call, conform.Planned{
		Scenario: "", Instance: q.Instance, Operation: q.Operation, Role: conform.RoleProbe, Step: "probe-" + string(q.Phase),
		Tool: op.Probe.Tool, Arguments: op.Probe.Ask(asked),
	})
	if reply.Result == nil {
		effect.Problem = "no answer: " + reply.Problem
		if reply.Response != nil {
			effect.Problem = "a JSON-RPC error"
		}
		return nil
	}
	states, err := op.Probe.Read(reply.Result, ids)
	if err != nil {
		effect.Problem = err.Error()
		return nil
	}
	effect.States = states
	return states
}

// itemIDs gives what the probe is asked for, each once.
func itemIDs(op *target.Operation, items []conform.Item) (ids []string, asked []json.RawMessage) {
	seen := map[string]bool{}
	for _, item := range items {
		id, raw, ok := op.ItemID(item)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		ids, asked = append(ids, id), append(asked, raw)
	}
	return ids, asked
}
