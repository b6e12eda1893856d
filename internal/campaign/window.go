package campaign

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// window is one cell's time in one round.
type window struct {
	bench  *Bench
	cell   *Cell
	limits Limits
	conns  []lean.Conn
	kinds  []kind       // of calls; one, but in a mix
	pick   []*rand.Rand // of a mix, one a user
	began  time.Duration
	from   time.Duration // where measuring begins
	to     time.Duration // where it ends, unless it is ended before

	over    atomic.Bool
	calls   *atomic.Int64   // that the campaign may still make; nil: any number
	bad     atomic.Int64    // failed calls
	tabs    []tab           // one a user
	late    []measure.Times // of an open loop: how late the pacer was, one a user
	opened  atomic.Int64    // connections
	dropped int
	use     *measure.Use     // what the server's processes used; nil: nobody knows
	read    measure.Readings // of the server's own metrics around it

	ending sync.Mutex
	cause  string // why the campaign is over
	spent  bool   // items, or the campaign's calls, were used up
}

// kind is one kind of call of a window.
type kind struct {
	cell    *Cell
	users   []*load.User
	ahead   []*load.User    // of journeys; nil: it is one call
	turns   []int           // of journeys, one a user: whose templates are next
	tallies []measure.Tally // one a user
	pulses  []measure.Pulse // one a user; nil: nobody looks on
	upTo    float64         // the share of this kind and of those before it
}

// Limits are the bounds of a campaign; 0: none.
type Limits struct {
	Calls  int     // all cells together
	Errors float64 // the share of failed calls of a window at which the campaign ends
}

const (
	// enoughCalls is from when on a share of errors is looked at.
	enoughCalls = 50
	// breath is what a user waits after a call that could not be sent, or that the server
	// was too busy for, so that it is not called a hundred thousand times a second.
	breath = 10 * time.Millisecond
)

// newWindow gives a cell's users their connections.
func (b *Bench) newWindow(ctx context.Context, c *Cell, length, warm time.Duration, limits Limits, calls *atomic.Int64) (*window, error) {
	conns, err := b.connections(ctx, c.Concurrency)
	if err != nil {
		return nil, err
	}
	w := &window{bench: b, cell: c, limits: limits, conns: conns, late: make([]measure.Times, len(conns)), tabs: make([]tab, len(conns)), calls: calls}
	now := b.now()
	b.silence.begin(now)
	w.began, w.from = now, now+warm
	w.to = w.from + length
	w.mix()
	b.Live.begin(w)
	return w, nil
}

// measured is the time in which calls are measured.
func (w *window) measured() measure.Window {
	return measure.Window{From: w.from, To: w.to, Parts: w.bench.Parts}
}

// mix lays out the kinds of calls, each with all of the window's users.
func (w *window) mix() {
	all := 0.0
	for _, c := range w.cell.kinds() {
		k := kind{cell: c, users: c.crew, ahead: c.ahead, tallies: make([]measure.Tally, len(w.conns)), turns: make([]int, len(w.conns))}
		for i := range w.conns {
			if k.ahead != nil {
				k.ahead[i].Conn = w.conns[i]
			}
			k.users[i].Conn = w.conns[i]
			k.tallies[i].Window = w.measured()
		}
		all += c.Weight
		k.upTo = all
		w.kinds = append(w.kinds, k)
	}
	if len(w.kinds) == 1 {
		return
	}
	for i := range w.kinds {
		w.kinds[i].upTo /= all
	}
	for i := range w.conns {
		w.pick = append(w.pick, rand.New(rand.NewPCG(uint64(w.from), uint64(i))))
	}
}

// next is the kind of a user's next call.
func (w *window) next(i int) *kind {
	if len(w.kinds) == 1 {
		return &w.kinds[0]
	}
	at := w.pick[i].Float64()
	for k := range w.kinds {
		if at < w.kinds[k].upTo {
			return &w.kinds[k]
		}
	}
	return &w.kinds[len(w.kinds)-1]
}

// end ends the window before its time. cause, unless it is empty, ends the campaign.
func (w *window) end(cause string, spent bool) {
	w.ending.Lock()
	if w.cause == "" {
		w.cause = cause
	}
	w.spent = w.spent || spent
	w.ending.Unlock()
	w.over.Store(true)
}

// call makes one user's next call, and counts it; false: there was none.
func (w *window) call(i int, intended time.Duration) bool {
	if w.calls != nil && w.calls.Add(-1) < 0 {
		w.end("", true)
		return false
	}
	k := w.next(i)
	pulse := k.pulse(i)
	if pulse != nil {
		pulse.Begin()
	}
	var s measure.Sample
	var sent bool
	if k.ahead == nil {
		s, sent = w.made(i, k.users[i].Call(intended))
	} else {
		s, sent = w.journey(k, i, intended)
	}
	if sent {
		k.tallies[i].Add(&s)
	}
	if pulse != nil {
		pulse.End(&s, sent, s.Intended >= w.from)
	}
	return sent
}

// made looks at a call that was made; false: it was not.
func (w *window) made(i int, c load.Call) (s measure.Sample, sent bool) {
	if c.UsedUp {
		w.end("", true)
		return s, false
	}
	if c.Class == lean.Stopped {
		return s, false
	}
	tab := &w.tabs[i]
	tab.own += w.bench.now() - c.Done
	tab.last = max(tab.last, c.Done)
	if c.Opened {
		w.opened.Add(1)
	}
	w.watch(tab, &c)
	return sample(&c), true
}

func sample(c *load.Call) measure.Sample {
	s := measure.Sample{Intended: c.Intended, Sent: c.Sent, First: c.First, Done: c.Done, Items: c.Template.Items, Out: c.Out, In: c.In, Message: c.Message, Form: string(c.Form), Served: c.Served, Timed: c.Timed}
	switch c.Outcome {
	case load.OK:
		s.Outcome = measure.OK
	case load.Wrong:
		s.Outcome = measure.Wrong
	case load.Unjudged:
		s.Outcome = measure.Unjudged
	default:
		s.Outcome, s.Failure = measure.Failed, failure(c)
	}
	switch c.How {
	case load.ByMemory:
		s.Verified = measure.Memory
	case load.ByPass:
		s.Verified = measure.Pass
	case load.Strictly:
		s.Verified = measure.Strict
	case load.BySample:
		s.Verified = measure.Envelope
	}
	return s
}

// failure says in a few words how a call failed.
func failure(c *load.Call) string {
	switch c.Class {
	case lean.Answered:
		return "refused as a whole"
	case lean.Refused:
		return "an HTTP error"
	case lean.Busy:
		return "429 or 503"
	case lean.Unauthorized:
		return "401 or 403"
	case lean.SessionLost:
		return "the session is gone (404)"
	case lean.Redirected:
		return "a redirect"
	case lean.Intermediary:
		return "an intermediary's page"
	case lean.Silent:
		return "an answer without a message"
	case lean.Malformed:
		return "no HTTP"
	case lean.Unconnected:
		return "no connection"
	case lean.Cut:
		return "the connection was lost"
	case lean.TimedOut:
		return "no answer in time"
	case lean.TooLarge:
		return "too large an answer"
	}
	return string(c.Class)
}

// watch looks for a server that is gone, and for too many errors.
func (w *window) watch(tab *tab, c *load.Call) {
	tab.calls.Add(1)
	if !lost(c.Class) {
		tab.heard.Store(int64(c.Done))
		w.bench.silence.broken()
	} else if gone := w.bench.silence.another(c.Class, c.Done, w.heard()); gone != "" {
		w.end(gone, false)
	}
	if c.Outcome != load.Failed || c.Class == lean.Answered {
		return
	}
	bad := w.bad.Add(1)
	switch c.Class {
	case lean.Unauthorized:
		w.end(w.bench.expired(c.Done), false)
	case lean.SessionLost:
		w.end("the server no longer knows the session (404)", false)
	case lean.Unconnected, lean.Busy:
		time.Sleep(breath)
	}
	if w.limits.Errors == 0 {
		return
	}
	if all := w.came(); all >= enoughCalls && float64(bad) > w.limits.Errors*float64(all) {
		w.end(fmt.Sprintf("%d of %d calls failed, more than the %.3g %% at which the run ends", bad, all, 100*w.limits.Errors), false)
	}
}

// tally puts what the users measured together, of one kind of call, once they are done.
func (w *window) tally(k *kind) *measure.Tally {
	whole := &measure.Tally{Window: w.measured()}
	for i := range k.tallies {
		whole.Merge(&k.tallies[i])
	}
	if w.over.Load() { // it ended before its time: with the last answer
		whole.Window.To = min(w.to, max(w.from, w.last()))
	}
	return whole
}

// whole puts all kinds together.
func (w *window) whole() *measure.Tally {
	all := w.tally(&w.kinds[0])
	for i := 1; i < len(w.kinds); i++ {
		all.Merge(w.tally(&w.kinds[i]))
	}
	return all
}
