package runner

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

func TestWritesThatNothingAnsweredAreSettledByTheEyes(t *testing.T) {
	op := &target.Operation{Probe: &target.Probe{ID: "id"}}
	op.Name, op.Write = "cancel", true
	items := func(ids ...string) (all []conform.Item) {
		for _, id := range ids {
			all = append(all, conform.Item{Given: json.RawMessage(`"` + id + `"`)})
		}
		return all
	}
	effect := func(phase conform.Phase, states ...string) conform.Observation {
		e := &conform.Effect{Operation: "cancel", Phase: phase, Eyes: "the tool look"}
		for i := 0; i < len(states); i += 2 {
			e.States = append(e.States, conform.State{ID: states[i], Present: true, State: states[i+1]})
		}
		return conform.Observation{Kind: conform.KindEffect, Effect: e}
	}
	call := func(id string, end conform.End, ids ...string) []conform.Observation {
		in := &conform.Received{Channel: conform.ChannelHTTP, End: end, Problem: "lost"}
		if end == conform.Complete {
			in.Header, in.Body = []conform.HeaderField{{Name: "Content-Type", Value: "application/json"}}, []byte(`{"jsonrpc":"2.0","id":7,"result":{}}`)
		}
		return []conform.Observation{
			{Kind: conform.KindPlanned, Call: id, Planned: &conform.Planned{Role: conform.RolePrimary, Operation: "cancel", Items: items(ids...)}},
			{Kind: conform.KindSent, Call: id, Sent: &conform.Sent{Channel: conform.ChannelHTTP, Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`)}},
			{Kind: conform.KindReceived, Call: id, Received: in},
		}
	}
	for name, c := range map[string]struct {
		observed [][]conform.Observation
		want     string
	}{
		"an answered one": {[][]conform.Observation{{effect(conform.Before, "A", "1")}, call("w1", conform.Complete, "A"), {effect(conform.After, "A", "2")}}, ""},
		"one that was done": {[][]conform.Observation{{effect(conform.Before, "A", "1", "B", "1")}, call("w1", conform.Cut, "A", "B"), {effect(conform.After, "A", "2", "B", "2")}},
			"a write got no answer (w1): it may have been done, and was not repeated; by the eyes of the tool look 2 of the 2 items named changed"},
		"one that was not, and one seen in part": {[][]conform.Observation{{effect(conform.Before, "A", "1", "B", "1")}, call("w1", conform.TimedOut, "A"), call("w2", conform.Cut, "B", "C"), {effect(conform.After, "A", "1", "B", "2")}},
			"2 writes got no answer, the first one w1: they may have been done, and were not repeated; by the eyes of the tool look 1 of the 3 items named changed, and of 1 the state was not seen"},
		"nobody looked": {[][]conform.Observation{call("w1", conform.Cut, "A")},
			"a write got no answer (w1): it may have been done, and was not repeated; nothing shows whether it happened"},
	} {
		var all []conform.Observation
		for _, some := range c.observed {
			all = append(all, some...)
		}
		for i := range all {
			all[i].Seq = int64(i + 1)
		}
		var n indefinite
		n.settle(op, conform.NewRecording(conform.Header{}, all))
		if got := strings.Join(n.notes(), "\n"); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
