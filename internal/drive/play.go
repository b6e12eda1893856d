package drive

import (
	"context"
	"fmt"
	"sync"

	"github.com/mcpconform/mcpconform/conform"
)

// Play plays a bound play to its end, or until the target is gone or ctx ends.
// What was not asked is recorded as skipped, with the one cause. The error is
// ctx's alone: what a server does is evidence, never an error.
func Play(ctx context.Context, b conform.BoundPlay, h Host) (conform.Played, error) {
	p := &player{play: b, host: h, answers: map[string]answer{}}
	for i, step := range b.Steps {
		if p.done.Stopped == "" && ctx.Err() != nil {
			p.done.Stopped = "the run was interrupted"
		}
		if p.done.Stopped != "" {
			p.leave(b.Steps[i:])
			break
		}
		p.step(ctx, step)
	}
	return p.done, ctx.Err()
}

type player struct {
	play    conform.BoundPlay
	host    Host
	answers map[string]answer // of validators, by call
	done    conform.Played
	// unended is why the server may still be at work on a write of the play: what
	// came after it would be asked of a state that is not known.
	unended string
	told    string // the reason recorded last: one cause is told once
}

// answer is what a later step must know of a call.
type answer struct {
	outcome Outcome
	skipped string // why the call was not made
}

func (p *player) step(ctx context.Context, s conform.BoundStep) {
	if p.unended != "" && s.Act != conform.ActProbe {
		p.skip(s.Calls, p.unended)
		return
	}
	switch s.Act {
	case conform.ActProbe:
		p.host.Probe(ctx, Probing{Call: p.play.Instance + "/" + s.Name, Instance: p.play.Instance,
			Operation: p.play.Operation, Phase: s.Phase, Items: s.Items})
	case conform.ActReset:
		if p.host.Reset(ctx, Resetting{Call: p.play.Instance + "/" + s.Name, Instance: p.play.Instance, Operation: p.play.Operation}) {
			p.done.Reset, p.done.Sent = true, nil
		}
	case conform.ActRestart:
		if err := p.host.Restart(ctx); err != nil {
			p.stop(ctx, fmt.Sprintf("the server did not come back when it was restarted: %v", err))
		}
	case conform.ActBurst:
		p.burst(ctx, s.Calls)
	default:
		for i, call := range s.Calls {
			if p.done.Stopped == "" && ctx.Err() != nil {
				p.done.Stopped = "the run was interrupted"
			}
			if p.done.Stopped != "" {
				p.leave([]conform.BoundStep{{Act: s.Act, Calls: s.Calls[i:]}})
				return
			}
			if p.unended != "" {
				p.skip(s.Calls[i:], p.unended)
				return
			}
			p.call(ctx, call)
		}
	}
}

// call plays one call, and once more where a read was lost on the way or an
// intermediary answered it. A dry run is no read: that it does nothing is a promise.
func (p *player) call(ctx context.Context, call conform.BoundCall) {
	if call.Follows != "" {
		followed, why := p.follow(call)
		if why != "" {
			p.skip([]conform.BoundCall{call}, why)
			p.answers[call.ID] = answer{skipped: why}
			return
		}
		call = followed
	}
	out, ok := p.send(ctx, call)
	if !ok {
		return
	}
	p.answers[call.ID] = answer{outcome: p.again(ctx, call, out)}
}

// again makes a call once more that only reads, where it was lost on the way or an
// intermediary answered it, and gives what became of it. Of calls in flight together
// it is made alone.
func (p *player) again(ctx context.Context, call conform.BoundCall, out Outcome) Outcome {
	why := again(out)
	if why == "" || call.Write || call.Planned.DryRun || p.done.Stopped != "" || ctx.Err() != nil {
		return out
	}
	call.Planned.Repeats = call.ID
	call.ID += conform.Again
	call.Planned.Step += " again, after " + why
	call.Planned.Burst = ""
	if second, ok := p.send(ctx, call); ok {
		return second
	}
	return out
}

// again says after what a call that only reads is made once more; empty: it is
// not. A call that timed out is not lost: the server had its time.
func again(o Outcome) string {
	switch {
	case o.End == conform.Cut, o.End == conform.Refused:
		return "a lost connection"
	case o.Page:
		return "an intermediary's page"
	}
	return ""
}

// send plans, sends and waits for one call; ok is false if it could not be made.
func (p *player) send(ctx context.Context, call conform.BoundCall) (Outcome, bool) {
	session, err := p.host.Session(ctx, call.Session)
	if err != nil {
		p.stop(ctx, fmt.Sprintf("the target is gone: %v", err))
		p.skip([]conform.BoundCall{call}, p.done.Stopped)
		return Outcome{}, false
	}
	id := session.NextID()
	p.plan(call)
	out := session.Do(ctx, call, id)
	p.took(ctx, call, out)
	return out, true
}

func (p *player) plan(call conform.BoundCall) {
	planned := call.Planned
	p.host.Record(conform.Observation{Kind: conform.KindPlanned, Call: call.ID, Session: call.Session, Planned: &planned})
}

// took notes what became of a call.
func (p *player) took(ctx context.Context, call conform.BoundCall, out Outcome) {
	if !out.Unsent {
		p.done.Sent = append(p.done.Sent, call.ID)
	}
	if out.Gone != "" {
		p.stop(ctx, out.Gone)
	}
	if out.Unended != "" && p.unended == "" {
		p.unended = "the server may still be at work on the call before: " + out.Unended
	}
}

// stop ends the play; the first cause is the one that counts, and an interrupt
// explains whatever came of it.
func (p *player) stop(ctx context.Context, cause string) {
	if ctx.Err() != nil {
		cause = "the run was interrupted"
	}
	if p.done.Stopped == "" {
		p.done.Stopped = cause
	}
}

// burst plays calls together. Sessions are opened, ids given and everything
// planned, in the order of the script, before the first byte goes out.
func (p *player) burst(ctx context.Context, calls []conform.BoundCall) {
	sessions, ids := make([]Session, len(calls)), make([]int, len(calls))
	for i, call := range calls {
		session, err := p.host.Session(ctx, call.Session)
		if err != nil {
			p.stop(ctx, fmt.Sprintf("the target is gone: %v", err))
			p.skip(calls, p.done.Stopped)
			return
		}
		sessions[i], ids[i] = session, session.NextID()
	}
	for _, call := range calls {
		p.plan(call)
	}
	outcomes := make([]Outcome, len(calls))
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range calls {
		all.Add(1)
		go func() {
			defer all.Done()
			<-start
			outcomes[i] = sessions[i].Do(ctx, calls[i], ids[i])
		}()
	}
	close(start)
	all.Wait()
	for i, call := range calls {
		p.took(ctx, call, outcomes[i])
	}
	for i, call := range calls {
		p.answers[call.ID] = answer{outcome: p.again(ctx, call, outcomes[i])}
	}
}

// follow makes the call that executes what a validator resolved; why says why it
// must not be made.
func (p *player) follow(call conform.BoundCall) (followed conform.BoundCall, why string) {
	asked, ok := p.answers[call.Follows]
	switch {
	case !ok:
		return call, "the validator was not asked"
	case asked.skipped != "":
		return call, asked.skipped
	case asked.outcome.Result == nil:
		return call, "the validator did not answer"
	}
	said, err := read(asked.outcome.Result)
	switch {
	case err != nil:
		return call, err.Error()
	case !said.eligible:
		return call, said.why
	case said.tool != "" && said.tool != call.Planned.Tool:
		// A platform would go there. We call nothing but what the target file names.
		return call, fmt.Sprintf("the validator handed over to the tool %q, which is not this operation's", shortened(said.tool))
	}
	call.Planned.Arguments, err = merge(call.Planned.Arguments, said.resolved, call.Keep)
	if err != nil {
		return call, err.Error()
	}
	return call, ""
}

// shortened bounds how much of a server's text a reason holds.
func shortened(text string) string {
	const most = 80
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

// leave records that steps were not played, once for all of them.
func (p *player) leave(steps []conform.BoundStep) {
	var calls []conform.BoundCall
	for _, s := range steps {
		calls = append(calls, s.Calls...)
	}
	p.skip(calls, p.done.Stopped)
}

func (p *player) skip(calls []conform.BoundCall, reason string) {
	if len(calls) == 0 || p.told == reason {
		return
	}
	p.told = reason
	p.host.Record(conform.Observation{Kind: conform.KindSkipped, Skipped: &conform.Skipped{
		Scenario: p.play.Scenario, Variant: p.play.Variant, Operation: p.play.Operation,
		Reason: reason, Checks: p.play.Checks}})
}
