package wire

import (
	"time"

	"github.com/mcpconform/mcpconform/internal/frame"
)

// patience is how long one call is waited for: its time, which begins anew with
// each progress notification, and no longer than most in all; and then for the
// overtime that it was given.
type patience struct {
	over    <-chan time.Time
	stirred chan struct{} // holds one: progress was told; nil: it changes nothing

	out   *outgoing
	timer *time.Timer
	began time.Time
	told  bool // of progress
}

func newPatience(out *outgoing) *patience {
	p := &patience{out: out, timer: time.NewTimer(out.timeout + out.overtime), began: time.Now()}
	p.over = p.timer.C
	if out.most > 0 {
		p.stirred = make(chan struct{}, 1)
	}
	return p
}

func (p *patience) stop() { p.timer.Stop() }

// stir notes progress, from any goroutine.
func (p *patience) stir() {
	select {
	case p.stirred <- struct{}{}:
	default: // none counts, or one is noted already
	}
}

// extend begins the call's time anew.
func (p *patience) extend() {
	p.told = true
	p.timer.Reset(min(p.out.timeout, p.out.most-time.Since(p.began)) + p.out.overtime)
}

// more says how much longer than its time the call was waited for.
func (p *patience) more() string {
	if p.out.overtime <= 0 {
		return ""
	}
	return ", nor in " + p.out.overtime.String() + " more"
}

// noAnswer is the problem of a call whose time is up.
func (p *patience) noAnswer() string {
	switch {
	case p.out.key == "":
		return p.out.what + " was not accepted within " + p.out.timeout.String()
	case p.told && time.Since(p.began) >= p.out.most:
		return "no answer to " + p.out.what + " within " + p.out.most.String() + p.more() + ", although it told of progress"
	case p.told:
		return "no answer to " + p.out.what + " within " + p.out.timeout.String() + p.more() + " after the last progress that it told of"
	}
	return "no answer to " + p.out.what + " within " + p.out.timeout.String() + p.more()
}

// progressOf gives the key of the call that a notification tells of progress for;
// empty: it is none. The token that goes out with a call is the call's own id.
func progressOf(m *frame.Message) string {
	if m.Kind != frame.Notification || m.Method != "notifications/progress" {
		return ""
	}
	return frame.Key(m.Params.Get("progressToken"))
}
