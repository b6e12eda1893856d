package suites

import (
	"fmt"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// What a target took along when it went is told by one rule. Whatever else could not
// be observed keeps its own reason.
func TestWhatATargetTookAlong(t *testing.T) {
	const gone = "the target is gone"
	// A recording of three calls of one play: the first is answered, then comes what
	// a case says of the second and of the third.
	record := func(class conform.EndClass, second, third conform.End) *conform.Recording {
		var o []conform.Observation
		add := func(n conform.Observation) {
			n.Seq = int64(len(o) + 1)
			o = append(o, n)
		}
		for i, end := range []conform.End{conform.Complete, second, third} {
			if end == "" {
				continue
			}
			id := fmt.Sprintf("c%d", i+1)
			add(conform.Observation{Kind: conform.KindPlanned, Call: id, Session: "s1", Planned: &conform.Planned{Instance: "play#1", Method: "tools/call"}})
			add(conform.Observation{Kind: conform.KindSent, Call: id, Session: "s1", Sent: &conform.Sent{Channel: conform.ChannelStdin,
				Body: []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call"}`, i))}})
			in := &conform.Received{Channel: conform.ChannelStdout, End: end}
			if end == conform.Complete {
				in.Body = []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i))
			}
			add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: in})
		}
		add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{Class: class, Cause: gone}})
		return conform.NewRecording(conform.Header{}, o)
	}
	unclear, pass := conform.Inconclusive, conform.Pass
	for name, c := range map[string]struct {
		rec   *conform.Recording
		id    string
		whole bool
		looks map[string]conform.Verdict // by call
		want  string
	}{
		"the call it went with":            {record(conform.EndGone, conform.Cut, ""), "X-1", false, map[string]conform.Verdict{"c2": unclear}, "not-run: " + gone},
		"the call behind it":               {record(conform.EndGone, conform.Cut, conform.Refused), "X-1", false, map[string]conform.Verdict{"c3": unclear}, "not-run: " + gone},
		"the rule that tells of it":        {record(conform.EndGone, conform.Cut, ""), "PRO-15", true, map[string]conform.Verdict{"c2": unclear}, "inconclusive: c2"},
		"others passed":                    {record(conform.EndGone, conform.Cut, ""), "X-1", false, map[string]conform.Verdict{"c1": pass, "c2": unclear}, "pass: 1 more could not be observed: c2"},
		"others passed, and one is enough": {record(conform.EndGone, conform.Cut, ""), "X-1", true, map[string]conform.Verdict{"c1": pass, "c2": unclear}, "not-run: " + gone},
		"nobody looked any more":           {record(conform.EndGone, conform.Cut, ""), "X-1", false, map[string]conform.Verdict{"c1": unclear}, "not-run: " + gone},
		"a call that timed out":            {record(conform.EndGone, conform.TimedOut, conform.Cut), "X-1", false, map[string]conform.Verdict{"c2": unclear}, "inconclusive: c2"},
		"a call that timed out, and it":    {record(conform.EndGone, conform.TimedOut, conform.Cut), "X-1", true, map[string]conform.Verdict{"c2": unclear, "c3": unclear}, "inconclusive: c2"},
		"a cut before an answer":           {record(conform.EndGone, conform.Cut, conform.Complete), "X-1", false, map[string]conform.Verdict{"c2": unclear}, "inconclusive: c2"},
		"the target was there to the end":  {record(conform.EndDone, conform.Cut, ""), "X-1", false, map[string]conform.Verdict{"c2": unclear}, "inconclusive: c2"},
		"somebody stopped the run":         {record(conform.EndInterrupted, conform.Cut, ""), "X-1", false, map[string]conform.Verdict{"c2": unclear}, "inconclusive: c2"},
		"a failure stays one":              {record(conform.EndGone, conform.Cut, ""), "X-1", true, map[string]conform.Verdict{"c1": conform.Fail, "c2": unclear}, "fail: "},
	} {
		check := conform.Check{Requirement: conform.Requirement{ID: c.id, Level: conform.Must}, PerServer: true, Whole: c.whole,
			Judge: func(s *conform.Subject) (looks []conform.Look) {
				for _, call := range s.Calls {
					if v, looked := c.looks[call.ID]; looked {
						looks = append(looks, conform.Look{Verdict: v, Call: call, Reason: call.ID})
					}
				}
				return looks
			}}
		f := Judge(c.rec, []conform.Check{check}).Findings[0]
		if got := fmt.Sprintf("%s: %s", f.Verdict, f.Reason); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
