package multiitem

import (
	"cmp"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// story is what happened to one item in one playing of a scenario.
type story struct {
	item   string // as the eyes know it
	events []conform.Happening
	asked  map[string]position // of each call that asked for it
	crowd  bool                // some of the calls were in flight together with others
	why    string              // why it cannot be told; empty: it can
}

// position is a call, and where in it the item stands.
type position struct {
	v    *sight
	item int
}

// stories gathers what happened to each item of a playing, in the order in which the
// items were first asked for. An item that the first look does not show, that was done
// before anybody asked, or that a call names twice, has none: other rules speak of it.
func stories(s *conform.Subject, instance string) []*story {
	looks := lasting(s, instance)
	if len(looks) == 0 {
		return nil
	}
	first := looks[0]
	byName := map[string]*story{}
	var order []*story
	for _, c := range s.Calls {
		if c.Planned.Instance != instance || c.Planned.Role != conform.RolePrimary || c.Planned.DryRun || c.Sent == nil || c.Sent.Seq < first.Seq {
			continue
		}
		v := see(s.Operation, c)
		outcomes := Outcomes(s.Operation, c)
		for i, item := range v.Planned.Items {
			was := first.of(v.seenAs(item))
			if was == nil || item.Truth == conform.Bad {
				continue
			}
			name := contract.Key(was.ID, s.Operation.FoldCase)
			told := byName[name]
			if told == nil {
				told = &story{item: was.ID, asked: map[string]position{}}
				byName[name], order = told, append(order, told)
			}
			if _, twice := told.asked[c.ID]; twice || was.Done != nil && *was.Done {
				told.asked = nil
			}
			if told.asked == nil {
				delete(byName, name)
				order = slices.DeleteFunc(order, func(s *story) bool { return s == told })
				byName[name] = &story{asked: map[string]position{c.ID: {}}} // stays out of it
				continue
			}
			told.asked[c.ID] = position{v, i}
			told.crowd = told.crowd || c.Planned.Burst != ""
			told.events = append(told.events, v.happened(i, outcomes[i]))
		}
	}
	for _, told := range order {
		told.look(looks, s.Operation.FoldCase)
	}
	return order
}

// happened tells what a call did to one of its items.
func (v *sight) happened(item int, outcome Outcome) conform.Happening {
	h := conform.Happening{Kind: conform.Write, Call: v.ID, Session: v.Session, Key: v.Planned.Key, Said: conform.Unanswered,
		Begun: v.PlannedAt.Seq, From: v.PlannedAt.At}
	switch outcome {
	case Done:
		h.Said = conform.Acknowledged
	case Refused:
		h.Said = conform.Denied
	default:
		return h
	}
	last := v.Received[len(v.Received)-1]
	h.Over, h.To = last.Seq, last.At
	if row := v.rowFor(item); v.Answer != nil && row != nil {
		h.Protocol, _ = protocolOf(row.Node)
	}
	return h
}

// look adds what the eyes saw of the item.
func (t *story) look(looks []*sightOfState, fold bool) {
	var seen []conform.Happening
	was := looks[0].byKey[contract.Key(t.item, fold)]
	for _, l := range looks {
		is := l.byKey[contract.Key(t.item, fold)]
		switch {
		case is == nil:
			continue
		case is.Torn || was.Torn:
			t.why = torn(was, is)
			return
		}
		done := is.Changed(*was)
		if is.Done != nil {
			done = *is.Done
		}
		seen = append(seen, conform.Happening{Kind: conform.Looked, Call: l.Call, Begun: l.from.Seq, From: l.from.At,
			Over: l.Seq, To: l.At, Seen: say(is), Done: done, Count: is.Count})
	}
	t.events = append(seen[:1:1], append(t.events, seen[1:]...)...)
	slices.SortStableFunc(t.events, func(a, b conform.Happening) int { return int(a.Begun - b.Begun) })
}

// sightOfState is a look of the eyes with what came before it: the look began after
// that, and saw what was there by then.
type sightOfState struct {
	*reading
	from *conform.Observation
}

// lasting gives the looks of a playing that count: the first, and of those that followed
// one another the last, since an effect may take a while to show; all of them, where the
// target file says that it does not. What lies before a reset counts no more.
func lasting(s *conform.Subject, instance string) []*sightOfState {
	var all []*sightOfState
	var last *conform.Observation
	for _, o := range eyesOn(s.Recording, instance).all {
		look := &sightOfState{read(o, s.Operation.FoldCase), cmp.Or(lastAnswer(s, instance, o), last, o)}
		last = o
		if n := len(all); n > 0 {
			switch before := all[n-1]; {
			case s.Recording.ResetBetween(before.Seq, o.Seq):
				all = nil
			case n > 1 && before.from == look.from && (!s.Operation.Strong || o.Effect.Problem != ""):
				all = all[:n-1]
			}
		}
		if o.Effect.Problem == "" {
			all = append(all, look)
		}
	}
	return all
}

// lastAnswer gives the last that was received for a call of the playing before a look:
// looks and calls follow one another, and what was received later was still out. Nil
// before the first call.
func lastAnswer(s *conform.Subject, instance string, look *conform.Observation) *conform.Observation {
	var from *conform.Observation
	for _, c := range s.Calls {
		if c.Planned.Instance != instance || c.Planned.Role != conform.RolePrimary || c.Sent == nil {
			continue
		}
		for _, in := range see(s.Operation, c).Received {
			if in.Seq < look.Seq && (from == nil || in.Seq > from.Seq) {
				from = in
			}
		}
	}
	return from
}
