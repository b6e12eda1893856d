package suites

import (
	"github.com/mcpconform/mcpconform/conform"
)

// tellsTheEnd is the rule that says of a target that went away what is known of
// it. What it took along is not told by every rule anew.
const tellsTheEnd = "PRO-15"

// departure is the end of a target that was there and then was not.
type departure struct {
	cause string
	// since is when the last call went out that was answered.
	since int64
	// plays are those that calls went down with, by instance.
	plays map[string]bool
}

type departureKey struct{}

// departed gives the end of a recording's target; nil: it was there to the end.
func departed(rec *conform.Recording) *departure {
	return rec.Memo(departureKey{}, func() any {
		if rec.Ended == nil || rec.Ended.Class != conform.EndGone {
			return (*departure)(nil)
		}
		d := &departure{cause: rec.Ended.Cause, plays: map[string]bool{}}
		for _, c := range rec.Calls {
			if c.Response != nil && c.Sent != nil {
				d.since = max(d.since, c.Sent.Seq)
			}
		}
		for _, c := range rec.Calls {
			if d.took(c) && c.Planned.Instance != "" {
				d.plays[c.Planned.Instance] = true
			}
		}
		return d
	}).(*departure)
}

// took tells a call that the target took along: its connection was lost or could
// not be had, and nothing that was sent afterwards was answered.
func (d *departure) took(c *conform.Call) bool {
	if c.Response != nil || len(c.Received) == 0 {
		return false
	}
	last := c.Received[len(c.Received)-1]
	return (last.Received.End == conform.Cut || last.Received.End == conform.Refused) && last.Seq > d.since
}

// explains tells a look that could not be made because the target was gone: the
// answer was lost with it, or came, and what was to show whether it is true did not.
func (d *departure) explains(look conform.Look) bool {
	c := look.Call
	return c != nil && (d.took(c) || c.Response != nil && d.plays[c.Planned.Instance])
}

// without takes out of a tally what the end of the target explains, and tells
// whether that leaves open what the check is about.
func (d *departure) without(t *tallied, whole bool) (open bool) {
	kept := t.unclear[:0:0]
	for _, look := range t.unclear {
		if !d.explains(look) {
			kept = append(kept, look)
		}
	}
	open = len(kept) < len(t.unclear) && (whole || t.passed == 0)
	if open {
		t.unclear = kept
	}
	return open
}
