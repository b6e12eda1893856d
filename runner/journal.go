package runner

import (
	"encoding/json"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// journal is what a run wrote and has not put back yet. It is read off what is
// recorded and nothing else, so that a cleanup knows what the run knew.
type journal struct {
	file *target.File
	seen map[place]conform.State // the last word of the eyes on each item
	// unreset are the operations that wrote since their last acknowledged reset, in
	// the order in which they did.
	unreset []string
	written ledger // items that writes were sent for
	made    ledger // items that a setup made, or may have made
	// tried are the items of dry runs, which are to stay as they are, until the eyes
	// have looked at them again.
	tried []entry
	// open are the calls that may still be at work, by id.
	open map[string]*unended
}

// place is an item as eyes see it.
type place struct{ eyes, id string }

// entry is an item that is to be as it was before.
type entry struct {
	operation string
	item      json.RawMessage // canonical
	known     string          // what tells it from others
	before    *conform.State  // as it was; nil: nobody looked
	outcome   multiitem.Outcome
	tried     bool // the undo was asked for it in vain
	// open is why the server may still be at work on the item, whatever is put back
	// meanwhile; empty: it is not.
	open string
	// stopped is set where the server was told to stop: what it has not done by then
	// is not expected of it any more.
	stopped bool
}

// ledger is a list of entries, an item of an operation once.
type ledger struct {
	list []*entry
	at   map[[2]string]*entry
}

func newJournal(file *target.File) *journal {
	return &journal{file: file, seen: map[place]conform.State{}, written: newLedger(), made: newLedger(), open: map[string]*unended{}}
}

func newLedger() ledger { return ledger{at: map[[2]string]*entry{}} }

func (l *ledger) of(operation string) []*entry {
	var list []*entry
	for _, e := range l.list {
		if e.operation == operation {
			list = append(list, e)
		}
	}
	return list
}

func (l *ledger) drop(which func(*entry) bool) {
	l.list = slices.DeleteFunc(l.list, func(e *entry) bool {
		gone := which(e)
		if gone {
			delete(l.at, [2]string{e.operation, e.known})
		}
		return gone
	})
}

// add enters an item. One that is there keeps the state it had at first, and the
// worst that became of it.
func (l *ledger) add(e entry) {
	key := [2]string{e.operation, e.known}
	old := l.at[key]
	if old == nil {
		l.at[key] = &e
		l.list = append(l.list, &e)
		return
	}
	old.tried = false
	if e.open != "" {
		old.open, old.stopped = e.open, e.stopped
	}
	if e.outcome == multiitem.Done || old.outcome == multiitem.Refused {
		old.outcome = e.outcome
	}
}

// take reads a stretch of the recording, which ends between two calls.
func (j *journal) take(rec *conform.Recording) {
	for i := range rec.Observations {
		o := &rec.Observations[i]
		switch {
		case o.Kind == conform.KindEffect && o.Effect != nil && o.Effect.Problem == "":
			for _, s := range o.Effect.States {
				j.seen[place{o.Effect.Eyes, s.ID}] = s
			}
			j.shows(o.Effect)
			j.rehearsed(o.Effect.Operation)
		case o.Kind == conform.KindSent:
			if c := rec.Call(o.Call); c != nil && c.Sent == o {
				j.call(rec.Operation(c.Planned.Operation), c)
			}
		case o.Kind == conform.KindReceived && o.Received != nil && j.open[o.Call] != nil:
			j.late(o)
		case o.Kind == conform.KindPutBack && o.PutBack != nil:
			j.put(o.PutBack)
		}
	}
}

// call takes in a call that went out.
func (j *journal) call(op *conform.Operation, c *conform.Call) {
	switch role := c.Planned.Role; {
	case op == nil:
	case role == conform.RoleReset:
		if acknowledged(c.Ending().Result) {
			j.reset(op.Name)
		}
	case c.Planned.DryRun:
		for _, item := range c.Planned.Items {
			j.tried = append(j.tried, j.entry(op.Name, target.Canonical(item)))
		}
	case op.Write && (role == conform.RolePrimary || role == conform.RoleUnit):
		if len(c.Planned.Items) == 0 && multiitem.TurnedAway(c) {
			return
		}
		if !slices.Contains(j.unreset, op.Name) {
			j.unreset = append(j.unreset, op.Name)
		}
		outcomes, why := multiitem.Outcomes(op, c), multiitem.Unended(op, c)
		if why != "" {
			j.open[c.ID] = &unended{op, c}
		}
		for i, item := range c.Planned.Items {
			e := j.entry(op.Name, target.Canonical(item))
			switch e.outcome = outcomes[i]; {
			case e.outcome != multiitem.Unknown:
			case item.Truth == conform.Bad:
				// The server must refuse it, whatever it did not say; where it did not, the eyes show it.
				e.outcome = multiitem.Refused
			default:
				e.open = why
				e.stopped = c.Last() != nil && c.Last().End == conform.Withdrawn
			}
			j.written.add(e)
		}
	}
}

// rehearsed looks at what dry runs of an operation asked for, now that the eyes
// have looked again: an item that is not as it was has been written after all.
func (j *journal) rehearsed(operation string) {
	j.tried = slices.DeleteFunc(j.tried, func(e entry) bool {
		if e.operation != operation {
			return false
		}
		now := j.entry(operation, e.item)
		if e.before != nil && now.before != nil && now.before.Changed(*e.before) {
			if !slices.Contains(j.unreset, operation) {
				j.unreset = append(j.unreset, operation)
			}
			e.outcome = multiitem.Done
			j.written.add(e)
		}
		return true
	})
}

// entry makes the entry of an item, with the state that it was seen in last.
func (j *journal) entry(operation string, item json.RawMessage) entry {
	e := entry{operation: operation, item: item, known: string(item)}
	op := j.file.Operation(operation)
	if op == nil {
		return e
	}
	e.known = op.Known(item)
	if op.Probe != nil {
		if s, ok := j.seen[place{op.Probe.Whose(), e.known}]; ok {
			e.before = &s
		}
	}
	return e
}

// reset takes in that an operation's reset was acknowledged: it is for all
// operations that have the same.
func (j *journal) reset(operation string) {
	back := func(name string) bool {
		a, b := j.file.Operation(operation), j.file.Operation(name)
		return name == operation || a != nil && b != nil && a.Reset != nil && b.Reset != nil && a.Reset.Key() == b.Reset.Key()
	}
	j.written.drop(func(e *entry) bool { return back(e.operation) && e.open == "" })
	j.unreset = slices.DeleteFunc(j.unreset, func(name string) bool { return back(name) && len(j.written.of(name)) == 0 })
}

// put takes in what hands did, or were about to do.
func (j *journal) put(p *conform.PutBack) {
	switch p.What {
	case conform.DoReset:
		if p.Done {
			j.reset(p.Operation)
		}
	case conform.DoSetup:
		if p.Begun {
			for _, item := range p.Items {
				j.made.add(j.entry(p.Operation, item))
			}
			return
		}
		made := j.known(p)
		j.made.drop(func(e *entry) bool {
			return e.operation == p.Operation && !made[e.known] && e.outcome == multiitem.Unknown
		})
		for _, e := range j.made.of(p.Operation) {
			e.outcome = multiitem.Done
		}
	case conform.DoUndo:
		if back := j.known(p); !p.Begun {
			j.written.drop(func(e *entry) bool { return e.operation == p.Operation && back[e.known] && e.open == "" })
			j.settle()
		}
	case conform.DoSetupUndo:
		if gone := j.known(p); !p.Begun {
			j.made.drop(func(e *entry) bool { return e.operation == p.Operation && gone[e.known] })
			// What is not there any more has nothing to be put back.
			j.written.drop(func(e *entry) bool { return gone[e.known] && j.sameEyes(e.operation, p.Operation) })
			j.settle()
		}
	}
}

// settle strikes out operations without a reset of which nothing is left.
func (j *journal) settle() {
	j.unreset = slices.DeleteFunc(j.unreset, func(name string) bool {
		op := j.file.Operation(name)
		return op != nil && op.Reset == nil && len(j.written.of(name)) == 0
	})
}

func (j *journal) known(p *conform.PutBack) map[string]bool {
	known := map[string]bool{}
	for _, item := range p.Items {
		known[j.entry(p.Operation, item).known] = true
	}
	return known
}

// sameEyes tells operations whose items are the same things.
func (j *journal) sameEyes(one, other string) bool {
	a, b := j.file.Operation(one), j.file.Operation(other)
	return one == other || a != nil && b != nil && a.Probe != nil && b.Probe != nil && a.Probe.Key() == b.Probe.Key()
}

// unresetBy tells whether an operation wrote that the reset of this one would put
// back.
func (j *journal) unresetBy(op *target.Operation) bool {
	return op.Reset != nil && slices.ContainsFunc(j.unreset, func(name string) bool {
		other := j.file.Operation(name)
		return other != nil && other.Reset != nil && other.Reset.Key() == op.Reset.Key()
	})
}

// kept gives the journal, with all that was recorded up to now.
func (r *run) kept() *journal {
	if fresh := r.record.read(); len(fresh) > 0 {
		r.journal.take(conform.NewRecording(r.header, fresh))
	}
	return r.journal
}
