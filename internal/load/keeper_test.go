package load

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// recording is a user whose calls are recorded.
func recording(every int, most int64) (*User, *Template, *[]conform.Observation) {
	var all []conform.Observation
	k := &Keeper{Every: every, Most: most, Record: func(o conform.Observation) { all = append(all, o) }}
	t := &Template{request: posts{}.Request(nil, []byte(`{"jsonrpc":"2.0"}`)), op: &conform.Operation{Name: "find"}, Items: 3}
	t.planned.Repeats = "another"
	return &User{Judge: &Judge{Keeper: k}}, t, &all
}

// Of the calls that are right the first and one in so many are recorded; of those that
// are not, all.
func TestWhichCallsAreRecorded(t *testing.T) {
	u, template, all := recording(10, 1<<20)
	for i := range 100 {
		template.request.ID = uint64(i)
		outcome := OK
		if i%25 == 24 {
			outcome = Wrong
		}
		u.sample(template, &lean.Answer{Class: lean.Answered, Form: lean.JSON, Status: 200, Body: []byte("{}")}, outcome)
	}
	var calls []string
	for _, o := range *all {
		if o.Kind == conform.KindPlanned {
			calls = append(calls, strings.TrimPrefix(o.Call, "load/find/3#"))
			if o.Planned.Repeats != "" {
				t.Error("it names a call that is not there")
			}
		}
	}
	if got := strings.Join(calls, " "); got != "0 10 20 24 31 41 49 52 62 72 74 83 93 99" || len(*all) != 3*len(calls) {
		t.Errorf("%s, with %d observations", got, len(*all))
	}
	if n, full := u.Judge.Keeper.Kept(); n != 14 || full {
		t.Errorf("%d, %t", n, full)
	}
}

// What there is no room for is left out, and known to be; half of the room is for those
// that are not right.
func TestARecordingIsBounded(t *testing.T) {
	u, template, all := recording(1, 1000)
	answer := &lean.Answer{Class: lean.Answered, Form: lean.JSON, Status: 200, Body: make([]byte, 300)}
	for _, outcome := range []Outcome{OK, OK, Unjudged, Failed, OK, Wrong, Wrong} {
		u.sample(template, answer, outcome)
	}
	if n, full := u.Judge.Keeper.Kept(); n != 2 || !full || len(*all) != 6 {
		t.Errorf("%d calls, %d observations, full: %t", n, len(*all), full)
	}
}

// A call without a whole answer says how it ended.
func TestALostCallIsRecordedAsLost(t *testing.T) {
	for class, want := range map[lean.Class]conform.End{
		lean.TimedOut: conform.TimedOut, lean.Cut: conform.Cut, lean.Unconnected: conform.Refused, lean.TooLarge: conform.TooLarge, lean.Busy: conform.Complete,
	} {
		u, template, all := recording(1000, 1<<20)
		u.sample(template, &lean.Answer{Class: class, Problem: "why", Status: 503}, Failed)
		if got := (*all)[2].Received; len(*all) != 3 || got.End != want || got.Channel != conform.ChannelHTTP || (got.Problem == "why") != (want != conform.Complete) {
			t.Errorf("%s: %+v", class, got)
		}
		template.request = Lines{}.Request(nil, []byte("{}"))
		if u.sample(template, &lean.Answer{Class: class, Problem: "why"}, Failed); (*all)[4].Sent.Channel != conform.ChannelStdin {
			t.Errorf("%s over a pipe: %+v", class, (*all)[4])
		}
	}
	u, template, all := recording(1, 1<<20)
	u.Judge.Keeper = nil
	if u.sample(template, &lean.Answer{}, Wrong); len(*all) != 0 {
		t.Error("nobody asked for a transcript")
	}
}
