package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/drive"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// Probe looks at the state of items through the eyes of the target file. After
// a write it looks again for as long as an acknowledged effect does not show and
// the settle time is not over, so that nobody is accused for being a moment
// behind. An effect that nobody asked for is looked at twice, apart.
func (r *run) Probe(ctx context.Context, q drive.Probing) {
	op := r.file.Operation(q.Operation)
	if op == nil || op.Probe == nil {
		return
	}
	at := r.looking(op, q)
	now := at.look(ctx, q.Call, 0)
	if q.Phase == conform.Before {
		r.seen = map[string]conform.State{}
		for _, s := range now {
			r.seen[s.ID] = s
		}
		return
	}
	expected := r.expected(op)
	defer func() { r.landed = r.changedOnce(op, q, now) }()
	patient, settle := r.impatient[op.Name] < mostSettles, r.waits(op)
	twice := false
	pause, waited := firstPause, time.Duration(0)
	for n := 2; ; n++ {
		wait := time.Duration(0)
		switch {
		case patient && r.unsettled(expected, now):
			if wait = min(pause, settle-waited); wait <= 0 {
				r.impatient[op.Name]++
				patient = false
				n--
				continue
			}
			waited += wait
			pause *= 2
		case !twice && r.unasked(expected, now):
			twice, wait = true, r.apart()
		default:
			return
		}
		select {
		case <-ctx.Done():
			// What did not show before the interrupt may have shown after it.
			r.Record(conform.Observation{Kind: conform.KindEffect, Call: q.Call, Session: main, Effect: &conform.Effect{
				Instance: q.Instance, Operation: q.Operation, Phase: q.Phase, Eyes: op.Probe.Whose(),
				Problem: "the run was interrupted while an effect was waited for",
			}})
			return
		case <-time.After(wait):
		}
		now = at.look(ctx, fmt.Sprintf("%s.%d", q.Call, n), waited)
	}
}

const (
	// firstPause is how soon a look is repeated; each further pause is twice as long.
	firstPause = 25 * time.Millisecond
	// mostSettles is how often an operation may use up its settle time; what has not
	// shown three times will not show by waiting.
	mostSettles = 3
	// settleHere and settleElsewhere are how long an effect may take to show where
	// the target file does not say: on this machine, and on others.
	settleHere      = 2 * time.Second
	settleElsewhere = 10 * time.Second
)

// waits is how long an effect of an operation is waited for: its settle time, and a
// quarter of the last time for each that went by in vain. By then the operation is told
// as one whose effects do not show, and by a whole settle time.
func (r *run) waits(op *target.Operation) time.Duration {
	return r.settle(op) >> (2 * r.impatient[op.Name])
}

func (r *run) settle(op *target.Operation) time.Duration {
	switch {
	case op.Probe.Settle > 0:
		return op.Probe.Settle
	case r.here():
		return settleHere
	}
	return settleElsewhere
}

// apart is how far apart the two looks at something unexpected are.
func (r *run) apart() time.Duration {
	if r.here() {
		return 25 * time.Millisecond
	}
	return time.Second
}

// here tells whether the server is on this machine.
func (r *run) here() bool {
	host := r.file.Host()
	return host == "" || target.Loopback(host)
}

// expected gives the ids of the good items of the play's acknowledged calls: what is
// to show a change. Of an item that several calls in flight together ask for, one of
// them does it. What only reads has no effect to wait for.
func (r *run) expected(op *target.Operation) map[string]bool {
	if !op.Write || len(r.seen) == 0 {
		return nil
	}
	ids := map[string]bool{}
	for _, c := range conform.NewRecording(r.header, r.record.since(r.playing)).Calls {
		if c.Planned.Role != conform.RolePrimary || !acknowledged(c.Ending().Result) || c.Declined() || c.Planned.DryRun {
			continue
		}
		for _, item := range c.Planned.Items {
			if id, _, ok := op.ItemID(item); ok && (item.Truth == conform.Good || c.Planned.Burst != "" && item.Truth == conform.Unknown) {
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
		if !done || s.Torn {
			return true
		}
	}
	return false
}

// unasked tells whether an item shows a change that is not expected of it.
func (r *run) unasked(expected map[string]bool, now []conform.State) bool {
	if r.stop.cause != "" {
		return false
	}
	for _, s := range now {
		if before, known := r.seen[s.ID]; known && !expected[s.ID] && s.Changed(before) {
			return true
		}
	}
	return false
}

// looking is what one probing looks at, again and again.
type looking struct {
	run      *run
	op       *target.Operation
	q        drive.Probing
	ids      []string // of the items, then of the canaries, then of the bystanders
	asked    []json.RawMessage
	canaries int
	standing int // bystanders
}

func (r *run) looking(op *target.Operation, q drive.Probing) *looking {
	l := &looking{run: r, op: op, q: q}
	l.ids, l.asked = itemIDs(op, q.Items)
	if len(l.ids) == 0 || q.Phase == conform.Keeping { // what a setup made may be gone by then
		return l
	}
	known := map[string]bool{}
	for _, id := range l.ids {
		known[id] = true
	}
	ids, asked := itemIDs(op, r.canaries[op.Name])
	for i, id := range ids {
		if !known[id] {
			known[id] = true
			l.ids, l.asked, l.canaries = append(l.ids, id), append(l.asked, asked[i]), l.canaries+1
		}
	}
	if q.Phase == conform.Quiet || r.standing == nil || r.standing.eyes != op.Probe.Key() {
		return l
	}
	ids, asked = itemIDs(op, r.standing.items)
	for i, id := range ids {
		if !known[id] {
			l.ids, l.asked, l.standing = append(l.ids, id), append(l.asked, asked[i]), l.standing+1
		}
	}
	return l
}

// look makes one reading and records it, also where nothing could be read.
func (l *looking) look(ctx context.Context, call string, waited time.Duration) []conform.State {
	r, op, q := l.run, l.op, l.q
	effect := &conform.Effect{Instance: q.Instance, Operation: q.Operation, Phase: q.Phase, Eyes: op.Probe.Whose(), Waited: waited}
	defer func() {
		r.Record(conform.Observation{Kind: conform.KindEffect, Call: call, Session: main, Effect: effect})
	}()
	if len(l.ids) == 0 {
		effect.Problem = "no item has a name that the probe knows it by"
		if len(q.Items) == 0 {
			effect.Problem = "there is no item to look at"
		}
		return nil
	}
	states, err := l.read(ctx, call)
	if err != nil {
		effect.Problem = err.Error()
		return nil
	}
	items := len(states) - l.canaries - l.standing
	effect.States, effect.Canaries, effect.Bystanders = states[:items:items], states[items:items+l.canaries], states[items+l.canaries:]
	return effect.States
}

func (l *looking) read(ctx context.Context, call string) ([]conform.State, error) {
	r, op, q := l.run, l.op, l.q
	if op.Probe.Tool == "" {
		return r.readAside(ctx, op.Probe, l.ids, l.asked)
	}
	reply := r.look(ctx, call, conform.Planned{
		Instance: q.Instance, Operation: q.Operation, Role: conform.RoleProbe, Step: "probe-" + string(q.Phase),
		Tool: op.Probe.Tool, Arguments: op.Probe.Ask(l.asked),
	}, len(l.asked))
	result := resultOf(reply)
	if result == nil {
		if reply.Response != nil {
			return nil, fmt.Errorf("a JSON-RPC error")
		}
		return nil, fmt.Errorf("no answer: %s", reply.Problem)
	}
	return op.Probe.Read(result, l.ids)
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

// quiet looks at the items of the first play that looks for effects, and at the
// canaries, twice, with no call between: what moves by itself is moved by others.
// Operations that are seen by the same eyes are looked at once.
func (r *run) quiet(ctx context.Context, p *scenarios.Play, bound conform.BoundPlay) {
	op := r.file.Operation(p.Operation.Name)
	if op == nil || op.Probe == nil || !op.Write || r.calm[op.Probe.Key()] {
		return
	}
	for _, step := range bound.Steps {
		if step.Act != conform.ActProbe || len(step.Items) == 0 {
			continue
		}
		r.calm[op.Probe.Key()] = true
		instance := "quiet/" + op.Name
		at := r.looking(op, drive.Probing{Instance: instance, Operation: op.Name, Phase: conform.Quiet, Items: step.Items})
		done := map[string]bool{}
		for _, s := range at.look(ctx, instance+"/1", 0) {
			done[s.ID] = s.Done != nil && *s.Done
		}
		for _, item := range bound.Needs {
			if id, _, ok := op.ItemID(item); ok && done[id] {
				r.wary[op.Probe.Key()] = true
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(r.apart()):
			at.look(ctx, instance+"/2", 0)
		}
		return
	}
}
