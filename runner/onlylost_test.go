package runner

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestWhatWouldSettleALostAnswerIsSaidOnce(t *testing.T) {
	written := conform.Planned{Scenario: "sweep", Variant: "n1", Operation: "cancel", Role: conform.RolePrimary, Method: "tools/call"}
	ended := func(r conform.Received) *conform.Recording {
		return conform.NewRecording(conform.Header{}, []conform.Observation{
			{Seq: 1, Kind: conform.KindPlanned, Call: "a", Planned: &written},
			{Seq: 2, Kind: conform.KindSent, Call: "a", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"x"}`)}},
			{Seq: 3, Kind: conform.KindReceived, Call: "a", Received: &r},
		})
	}
	unclear := func(id string, change func(*conform.Finding)) conform.Finding {
		f := found(id, conform.Must, conform.Inconclusive)
		f.Count, f.Of, f.Scenario = 1, 9, "sweep/n1"
		if change != nil {
			change(&f)
		}
		return f
	}
	cut := conform.Received{Channel: conform.ChannelHTTP, End: conform.Cut}
	page := conform.Received{Channel: conform.ChannelHTTP, Status: 502, End: conform.Complete}
	both := []conform.Finding{unclear("RES-01", nil), unclear("PRO-04", func(f *conform.Finding) { f.Operation = "" })}
	for name, c := range map[string]struct {
		received conform.Received
		findings []conform.Finding
		says     string // empty: no note
	}{
		"lost":              {cut, both, "2 MUST rules passed wherever an answer came, and what was lost on the way leaves open (RES-01 on cancel, PRO-04): run again for the whole verdict; `--scenario sweep/n1 --operation cancel` plays the first of them alone"},
		"an intermediary":   {page, both[:1], "1 MUST rule passed"},
		"it timed out":      {conform.Received{Channel: conform.ChannelHTTP, End: conform.TimedOut}, both, ""},
		"nothing passed":    {cut, []conform.Finding{unclear("RES-01", func(f *conform.Finding) { f.Of = 1 })}, ""},
		"no MUST":           {cut, []conform.Finding{unclear("RES-01", func(f *conform.Finding) { f.Level = conform.Should })}, ""},
		"it failed":         {cut, []conform.Finding{unclear("RES-01", func(f *conform.Finding) { f.Verdict = conform.Fail })}, ""},
		"another play":      {cut, []conform.Finding{unclear("RES-01", func(f *conform.Finding) { f.Scenario = "sweep/n2" })}, ""},
		"another operation": {cut, []conform.Finding{unclear("RES-01", func(f *conform.Finding) { f.Operation = "other" })}, ""},
	} {
		notes := onlyLost(ended(c.received), c.findings)
		if (len(notes) == 0) != (c.says == "") || !strings.HasPrefix(strings.Join(notes, "|"), c.says) || len(notes) > 1 {
			t.Errorf("%s: %q", name, notes)
		}
	}
}
