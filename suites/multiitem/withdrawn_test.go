package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

func TestTheCallAfterACancelledOne(t *testing.T) {
	cancels := func(p *conform.Planned) { p.Cancels = true }
	notified := func(f *film) {
		f.ask("c1"+conform.CancelledSuffix, nil, func(p *conform.Planned) {
			p.Role, p.Method, p.Instance = conform.RoleLifecycle, "notifications/cancelled", ""
		})
	}
	silent := func(f *film) { f.lose("c1", conform.Withdrawn, good("A-1"), cancels) }
	next := func(f *film) { f.call("c2", rowsOf("A-2+"), good("A-2")) }
	for name, c := range map[string]struct {
		film func(*film)
		want saying
	}{
		"silence, and the next is answered":   {func(f *film) { silent(f); next(f) }, saying{"CON-06": "pass:"}},
		"an answer, and the next is answered": {func(f *film) { f.call("c1", rowsOf("A-1+"), good("A-1"), cancels); notified(f); next(f) }, saying{"CON-06": "pass:"}},
		"rows that say that nothing was done": {func(f *film) {
			f.call("c1", rowsOf("A-1-"), good("A-1"), cancels)
			notified(f)
			next(f)
		}, saying{"CON-06": "pass:"}},
		"the next one hangs": {func(f *film) { silent(f); f.hang("c2", good("A-2")) }, saying{"CON-06": "fail: nothing came: timeout"}},
		"the next one is given up too soon": {func(f *film) {
			silent(f)
			f.lose("c2", conform.TimedOut, good("A-2"))
		}, saying{"CON-06": "inconclusive: nothing came: timeout; the platform would have waited"}},
		"the connection is lost":    {func(f *film) { silent(f); f.lose("c2", conform.Cut, good("A-2")) }, saying{"CON-06": "inconclusive: nothing came: cut"}},
		"nothing is asked any more": {silent, saying{"CON-06": "inconclusive: no call was made after it was cancelled"}},
		"none was to be cancelled":  {next, saying{"CON-06": "not run: no call was cancelled while it was out"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.judge(t, operations[0], c.film)
		})
	}
}

func TestACallThatWasAnsweredBeforeItCouldBeCancelled(t *testing.T) {
	f := &film{}
	f.call("c1", rowsOf("A-1+"), good("A-1"), func(p *conform.Planned) { p.Cancels = true })
	f.call("c2", rowsOf("A-2+"), good("A-2"))
	op := operations[0]
	s := &conform.Subject{Recording: conform.NewRecording(conform.Header{}, f.seen), Operation: &op}
	s.Calls = s.Recording.Calls
	for _, check := range multiitem.Checks() {
		if check.ID != "CON-06" {
			continue
		}
		if why := check.Applies(s); why != "each call that was to be cancelled was answered before that" {
			t.Errorf("it applies: %q", why)
		}
		return
	}
	t.Error("there is no CON-06")
}

// A call that was cancelled and never answered may be at work beside the next one:
// what becomes of that is no matter of calls that are alone.
func TestTheCallAfterACancelledOneIsNotAlone(t *testing.T) {
	lost := func(cancels bool, end conform.End) func(*film) {
		return func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.lose("c1", end, good("A-1"), func(p *conform.Planned) { p.Cancels = cancels })
			f.call("c2", rowsOf("A-2+"), good("A-2"))
			f.look(conform.After, "A-1=ACTIVE", "A-2=ACTIVE")
		}
	}
	saying{"EFF-01": "not run:"}.judge(t, operations[0], lost(true, conform.Withdrawn))
	saying{"EFF-01": "fail: 1 of 1 acknowledged items did not change"}.judge(t, operations[0], lost(false, conform.Cut))
}
