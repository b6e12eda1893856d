package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/drive"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// remains is an item that is not as it was before.
type remains struct {
	*entry
	state string // as the probe shows it; empty: nobody could look
	why   string
}

// undoes tells whether what an operation writes is taken back item by item: it
// has an undo, and no reset that still works.
func (r *run) undoes(op *target.Operation) bool {
	return op.Undo != nil && (op.Reset == nil || r.refusals[op.Reset.Key()] > 0)
}

// undo takes back what an operation wrote since it was asked last, and gives the
// items that are as they were, in their canonical form; whole: all of them are.
// Hands that brought nothing back, several times, are not asked any more before
// the end of the run.
func (r *run) undo(ctx context.Context, op *target.Operation) (items []json.RawMessage, whole bool) {
	if r.refusals[op.Undo.Key()] >= mostRefusals || r.stop.cause != "" || ctx.Err() != nil {
		return nil, false
	}
	entries := slices.DeleteFunc(r.kept().written.of(op.Name), func(e *entry) bool { return e.tried || e.open != "" })
	back, left := r.takeBack(ctx, op, op.Undo, conform.DoUndo, entries)
	for _, e := range back {
		items = append(items, e.item)
	}
	return items, len(left) == 0
}

// beforeUndo looks at the items of a play that does not look itself, so that it
// is known what they were.
func (r *run) beforeUndo(ctx context.Context, p *scenarios.Play, bound conform.BoundPlay) {
	op := r.file.Operation(p.Operation.Name)
	if op == nil || !r.undoes(op) {
		return
	}
	var items []*entry
	for _, step := range bound.Steps {
		if step.Act == conform.ActProbe {
			return
		}
		for _, call := range step.Calls {
			for _, item := range call.Planned.Items { // a play that does not look asks no validator
				e := r.kept().entry(op.Name, target.Canonical(item))
				items = append(items, &e)
			}
		}
	}
	r.askings++
	r.states(ctx, op, items, fmt.Sprintf("%s/%s/%d/first", conform.DoUndo, op.Name, r.askings))
}

// takeBack has hands bring items back to what they were before the run: those
// that were acknowledged, or may have been done, or have changed. Where there are
// eyes, they decide what is to be done, and whether it was.
func (r *run) takeBack(ctx context.Context, op *target.Operation, hands *target.Hands, what conform.What, entries []*entry) (back []*entry, left []remains) {
	if len(entries) == 0 {
		return nil, nil
	}
	r.askings++
	a := &asking{run: r, op: op, hands: hands, what: what, name: fmt.Sprintf("%s/%s/%d", what, op.Name, r.askings)}
	now := r.states(ctx, op, entries, a.name+"/before")
	var due []*entry
	for _, e := range entries {
		if state, seen := now[e.known]; seen && e.before != nil {
			if as(op, *e.before, state) && (e.outcome == multiitem.Refused || r.later || what == conform.DoSetupUndo) {
				back = append(back, e)
				continue
			}
		} else if e.outcome == multiitem.Refused {
			back = append(back, e)
			continue
		}
		due = append(due, e)
		a.items = append(a.items, e.item)
	}
	if len(due) > 0 {
		r.putBackBegins(a)
		a.ask(ctx)
		now = r.settled(ctx, a, due, func(e *entry, now map[string]conform.State) bool { return isBack(op, e, now, multiitem.Done) })
		done := len(back)
		for i, e := range due {
			if isBack(op, e, now, a.said[i]) {
				back = append(back, e)
				continue
			}
			e.tried = true
			left = append(left, remains{e, word(now, e), a.unmade(i, now, e)})
		}
		if r.refusals[hands.Key()]++; len(back) > done {
			r.refusals[hands.Key()] = 0
		}
	}
	r.putBackEnds(a, back, left)
	return back, left
}

// putBackBegins and putBackEnds record what hands are asked for, and what came of
// it.
func (r *run) putBackBegins(a *asking) {
	r.Record(conform.Observation{Kind: conform.KindPutBack, PutBack: &conform.PutBack{
		Operation: a.op.Name, What: a.what, Hands: a.hands.Whose(), Begun: true, Items: a.items,
	}})
}

func (r *run) putBackEnds(a *asking, done []*entry, left []remains) {
	put := &conform.PutBack{Operation: a.op.Name, What: a.what, Hands: a.hands.Whose(), Done: len(left) == 0}
	for _, e := range done {
		put.Items = append(put.Items, e.item)
	}
	if len(left) > 0 {
		put.Problem = fmt.Sprintf("%s, for %d of %d items: %s", left[0].why, len(left), len(done)+len(left), few(left))
	}
	r.Record(conform.Observation{Kind: conform.KindPutBack, PutBack: put})
}

// few names some items, and how they stand.
func few(left []remains) string {
	const most = 3
	var words []string
	for _, l := range left[:min(len(left), most)] {
		text := cut(l.known)
		if l.state != "" {
			text += " is " + cut(l.state)
		}
		words = append(words, text)
	}
	if more := len(left) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	return strings.Join(words, ", ")
}

// states looks at the items of entries; nil where nobody can look.
func (r *run) states(ctx context.Context, op *target.Operation, entries []*entry, call string) map[string]conform.State {
	if op.Probe == nil || r.blind[op.Name] || !r.askable(&op.Probe.Means) || op.Probe.Tool != "" && r.shut() != "" || ctx.Err() != nil {
		return nil
	}
	items := make([]conform.Item, len(entries))
	for i, e := range entries {
		items[i] = conform.Item{Given: e.item}
	}
	instance, _, _ := strings.Cut(call, "/")
	at := r.looking(op, drive.Probing{Instance: instance, Operation: op.Name, Phase: conform.Keeping, Items: items})
	seen := at.look(ctx, call, 0)
	if seen == nil {
		return nil
	}
	byID := make(map[string]conform.State, len(seen))
	for _, s := range seen {
		byID[s.ID] = s
	}
	return byID
}

// settled looks at items that hands were asked for, again for as long as one is
// not there that they said was done, and the settle time is not over.
func (r *run) settled(ctx context.Context, a *asking, entries []*entry, there func(e *entry, now map[string]conform.State) bool) map[string]conform.State {
	pause, waited := firstPause, time.Duration(0)
	mark := string(a.what) + " " + a.op.Name
	for n := 1; ; n++ {
		now := r.states(ctx, a.op, entries, fmt.Sprintf("%s/after.%d", a.name, n))
		late := false
		for i, e := range entries {
			late = late || a.said[i] == multiitem.Done && !there(e, now)
		}
		wait := time.Duration(0)
		if late && r.stop.cause == "" && r.impatient[mark] < mostSettles {
			if wait = min(pause, r.settle(a.op)-waited); wait <= 0 {
				r.impatient[mark]++
			}
		}
		if wait <= 0 || sleep(ctx, wait) != nil {
			return now
		}
		waited += wait
		pause *= 2
	}
}

// isBack tells whether an item is as it was: by the eyes, and where they cannot
// tell by the word of the hands.
func isBack(op *target.Operation, e *entry, now map[string]conform.State, said multiitem.Outcome) bool {
	state, seen := now[e.known]
	switch {
	case seen && e.before != nil:
		return as(op, *e.before, state)
	case seen && state.Done != nil:
		return !*state.Done && said == multiitem.Done
	}
	return said == multiitem.Done
}

// as tells whether an item stands as it stood before. How often something was
// done stays true when it is taken back. Where whole rows are compared, in which a
// date may have changed, `done` decides if the target file has it.
func as(op *target.Operation, before, now conform.State) bool {
	if op.Probe.State == "" && before.Done != nil && now.Done != nil {
		return before.Present == now.Present && *before.Done == *now.Done
	}
	return before.Present == now.Present && before.State == now.State
}

// word is the state of an item in a word; empty where nobody could look.
func word(now map[string]conform.State, e *entry) string {
	s, seen := now[e.known]
	if !seen {
		return ""
	}
	var text string
	if json.Unmarshal([]byte(s.Word()), &text) == nil {
		return text
	}
	return s.Word()
}

// unmade says why an item that was to be put back is not.
func (a *asking) unmade(i int, now map[string]conform.State, e *entry) string {
	who := a.hands.Whose()
	_, seen := now[e.known]
	switch {
	case a.said[i] == multiitem.Done:
		return who + " said that it was put back, and it was not"
	case a.said[i] == multiitem.Refused && e.outcome == multiitem.Unknown && !seen:
		return fmt.Sprintf("it may have been done, and %s did not put it back (%s)", who, cut(a.problem))
	}
	return fmt.Sprintf("%s did not put it back (%s)", who, cut(a.problem))
}
