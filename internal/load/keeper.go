package load

import (
	"fmt"
	"sync/atomic"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Keeper records some calls of a load as a transcript has them: every one that was
// wrong or failed, and of each user's others the first and then one in Every. What it
// has recorded is bounded, and half of the room is kept for those that were wrong or
// failed. It is safe for concurrent use.
type Keeper struct {
	Every  int
	Most   int64 // bytes of requests and answers
	Record func(conform.Observation)

	used atomic.Int64
	full atomic.Bool
	kept atomic.Int64
}

// Kept gives how many calls were recorded, and whether others were left out for want
// of room.
func (k *Keeper) Kept() (calls int64, full bool) { return k.kept.Load(), k.full.Load() }

// ends are how a transcript has the ways in which no whole answer came.
var ends = map[lean.Class]conform.End{
	lean.Cut: conform.Cut, lean.Malformed: conform.Cut, lean.TimedOut: conform.TimedOut, lean.Unconnected: conform.Refused, lean.TooLarge: conform.TooLarge,
}

// room takes room for a call; false: there is none.
func (k *Keeper) room(size int64, most int64) bool {
	if k.used.Add(size) <= most {
		return true
	}
	k.used.Add(-size)
	k.full.Store(true)
	return false
}

// sample has a call recorded, where it is one of those.
func (u *User) sample(t *Template, a *lean.Answer, outcome Outcome) {
	k := u.Judge.Keeper
	if k == nil {
		return
	}
	most := k.Most
	if outcome == OK || outcome == Unjudged {
		if u.others++; u.others%k.Every != 1 && k.Every > 1 {
			return
		}
		most /= 2
	}
	if !k.room(int64(len(t.request.Bytes)+len(a.Head)+len(a.Body)), most) {
		return
	}
	k.kept.Add(1)
	x := keep(t, a)
	x.planned.Repeats, x.planned.Follows = "", "" // what they name is not there, or not by that name
	if t.request.Body == 0 {                      // a line: a form is known of answers alone
		x.form = lean.Stdio
	}
	all := x.observations(fmt.Sprintf("load/%s/%d#%d", t.op.Name, t.Items, t.request.ID))
	if end, lost := ends[a.Class]; lost {
		in := conform.Received{Channel: conform.ChannelHTTP, Status: a.Status, Body: x.body, FirstByte: x.first, End: end, Problem: a.Problem}
		if x.form == lean.Stdio {
			in.Channel, in.Status = conform.ChannelStdout, 0
		}
		all = append(all[:2], conform.Observation{At: x.done, Kind: conform.KindReceived, Call: all[0].Call, Session: session, Received: &in})
	}
	for _, o := range all {
		k.Record(o)
	}
}
