package scenarios

import (
	"encoding/json"

	"github.com/mcpconform/mcpconform/conform"
)

// Turn is what a play's turn needs of whoever plays.
type Turn interface {
	// Reset has the play's operation put back, and tells whether that was acknowledged.
	Reset(*Play) bool
	// Unreset tells whether something was written that such a reset would put back.
	Unreset(*Play) bool
}

// Ready resets what the play needs as new, and binds it. A run and what is foreseen
// of it take this same way.
func (p *Plan) Ready(play *Play, s *Supply, t Turn) (conform.BoundPlay, *conform.Skipped) {
	if play.Reset {
		if t.Reset(play) {
			s.Restored(play.Operation)
		} else {
			s.Refused(play.Operation)
		}
	}
	bound, lacking := p.Bind(play, s)
	if lacking != nil && play.DryRun && t.Unreset(play) && t.Reset(play) {
		// A dry run uses nothing up, but needs what earlier plays have used.
		s.Restored(play.Operation)
		bound, lacking = p.Bind(play, s)
	}
	return bound, lacking
}

// Foresee gives the plan as a run carries it out in which every call is made, and
// every reset, undo and setup works: the plays that are played, each with the calls
// and items that it then has, and among Skipped those that lack something by their
// turn. Ending are the calls that put back and take away at the end.
func (p *Plan) Foresee() *Plan {
	out := *p
	out.Plays, out.Skipped = nil, append([]conform.Skipped(nil), p.Skipped...)
	f := foresight{supply: NewSupply(p.options.Seed), written: map[string]bool{}, inPlace: map[[2]string]bool{}, made: map[string]int{}, seen: map[string]bool{}}
	for _, play := range p.Plays {
		bound, lacking := p.Ready(play, f.supply, &f)
		one := *play
		one.Besides, f.resets = f.resets, 0
		if lacking == nil {
			one.tally(bound)
			lacking = f.setUp(p, &one, bound)
		}
		if lacking != nil {
			lacking.Planned = true
			out.Skipped = append(out.Skipped, *lacking)
			out.Ending += one.Besides // a reset that came to nothing
			continue
		}
		f.play(&one, bound)
		out.Plays = append(out.Plays, &one)
	}
	out.Ending += f.end(p)
	out.Calmed = len(f.seen)
	return &out
}

// foresight is a run without a server.
type foresight struct {
	supply  *Supply
	resets  int                // since it was last looked at
	written map[string]bool    // resets that have something to put back
	inPlace map[[2]string]bool // by setup and item
	made    map[string]int     // items that a setup made, by setup
	seen    map[string]bool    // eyes that have looked
}

func (f *foresight) Reset(p *Play) bool {
	f.resets++
	delete(f.written, p.Operation.ResetID)
	clear(f.inPlace)
	return true
}

func (f *foresight) Unreset(p *Play) bool { return f.written[p.Operation.ResetID] }

// setUp puts in place what the play needs, and the canaries.
func (f *foresight) setUp(plan *Plan, p *Play, bound conform.BoundPlay) *conform.Skipped {
	o := p.Operation
	p.SetUp = 0
	if o.SetUpID == "" || plan.options.NoWrites != "" {
		return nil
	}
	for _, item := range append(append([]conform.Item(nil), plan.Canaries(o)...), bound.Needs...) {
		if at := [2]string{o.SetUpID, o.identity(meant(item))}; !f.inPlace[at] {
			f.inPlace[at] = true
			p.SetUp++
		}
	}
	if p.SetUp == 0 {
		return nil
	}
	p.Besides += o.looked(1)
	if most := plan.options.MaxWriteItems; most > 0 && p.SetUp > most-f.supply.written {
		return p.skip(&shortage{reason: "a setup would write " + OverMost(p.SetUp, max(0, most-f.supply.written), most), key: mostKey, wrong: true})
	}
	f.supply.Wrote(p.SetUp)
	f.made[o.SetUpID] += p.SetUp
	p.Besides += callsFor(p.SetUp, o.SetUpOneByOne) + o.looked(1)
	return nil
}

// play makes the play's calls, and takes back what they did.
func (f *foresight) play(p *Play, bound conform.BoundPlay) {
	o := p.Operation
	looks := 0
	for _, s := range bound.Steps {
		switch s.Act {
		case conform.ActProbe:
			if len(s.Items) > 0 { // else there is nothing to look at, and no call
				looks++
			}
		case conform.ActReset:
			p.Besides++
		}
	}
	p.Besides += looks
	if looks > 0 && o.Write && !f.seen[o.EyesID] {
		f.seen[o.EyesID] = true
		p.Besides += 2 // whether anything moves by itself
	}
	var sent []string
	var items []json.RawMessage
	for _, c := range bound.Calls() {
		sent = append(sent, c.ID)
		if !c.Write {
			continue
		}
		for _, item := range c.Planned.Items {
			items = append(items, meant(item))
		}
	}
	f.supply.Spent(o, bound, conform.Played{Sent: sent})
	if len(items) == 0 {
		return
	}
	if o.ResetID != "" {
		f.written[o.ResetID] = true
	}
	if p.Undo {
		f.supply.Undone(o, items)
		p.Besides += o.looked(2) + callsFor(len(items), o.UndoOneByOne)
		if looks == 0 {
			p.Besides += o.looked(1)
		}
	}
}

// end counts what puts back and takes away at the end.
func (f *foresight) end(plan *Plan) int {
	calls := len(f.written)
	for o := range plan.rules {
		if n := f.made[o.SetUpID]; n > 0 {
			calls += callsFor(n, o.SetUpOneByOne) + o.looked(2)
			delete(f.made, o.SetUpID)
		}
	}
	return calls
}

// callsFor is how many calls hands take for so many items.
func callsFor(items int, oneByOne bool) int {
	if oneByOne {
		return items
	}
	return 1
}
