package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// stage is a host whose server is a function. It keeps what happened, in order.
type stage struct {
	mu     sync.Mutex
	log    []string
	seen   []conform.Observation
	ids    map[string]int
	server func(call conform.BoundCall) Outcome
	reset  bool
	lost   error  // what a restart ends in
	closed string // why no session can be had
}

func (s *stage) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *stage) Session(_ context.Context, name string) (Session, error) {
	if s.closed != "" {
		return nil, errors.New(s.closed)
	}
	return seat{s, name}, nil
}

func (s *stage) Probe(_ context.Context, p Probing) { s.note("probe %s of %d", p.Phase, len(p.Items)) }

func (s *stage) Reset(context.Context, Resetting) bool {
	s.note("reset %v", s.reset)
	return s.reset
}

func (s *stage) Restart(context.Context) error {
	s.note("restart")
	return s.lost
}

func (s *stage) Record(o conform.Observation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, o)
	switch {
	case o.Planned != nil:
		s.log = append(s.log, "planned "+o.Call)
	case o.Skipped != nil:
		s.log = append(s.log, "skipped: "+o.Skipped.Reason)
	}
}

type seat struct {
	s    *stage
	name string
}

func (s seat) NextID() int {
	s.s.mu.Lock()
	defer s.s.mu.Unlock()
	if s.s.ids == nil {
		s.s.ids = map[string]int{}
	}
	s.s.ids[s.name]++
	return s.s.ids[s.name]
}

func (s seat) Do(_ context.Context, call conform.BoundCall, id int) Outcome {
	s.s.note("sent %s as %s/%d %s", call.ID, s.name, id, call.Planned.Arguments)
	return s.s.server(call)
}

func answered(result string) Outcome {
	return Outcome{End: conform.Complete, Result: json.RawMessage(result)}
}

func call(id string, write bool) conform.BoundCall {
	return conform.BoundCall{ID: id, Session: "s1", Write: write, Planned: conform.Planned{Tool: "t", Step: id,
		Arguments: json.RawMessage(`{"who":"me","items":["a"]}`)}}
}

func calls(list ...conform.BoundCall) conform.BoundStep {
	return conform.BoundStep{Act: conform.ActCalls, Calls: list}
}

func play(steps ...conform.BoundStep) conform.BoundPlay {
	return conform.BoundPlay{Scenario: "s", Variant: "v", Operation: "o", Instance: "s/v/o#1", Checks: []string{"RES-02"}, Steps: steps}
}

func (s *stage) wants(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(s.log, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("what happened:\n%s\nwanted:\n%s", got, strings.Join(want, "\n"))
	}
}

func TestStepsFollowOneAnother(t *testing.T) {
	s := &stage{server: func(conform.BoundCall) Outcome { return answered(`{}`) }}
	done, err := Play(context.Background(), play(
		conform.BoundStep{Act: conform.ActProbe, Phase: conform.Before, Items: make([]conform.Item, 2)},
		calls(call("one", true), call("two", true)),
		conform.BoundStep{Act: conform.ActProbe, Phase: conform.After, Items: make([]conform.Item, 2)},
	), s)
	if err != nil || done.Stopped != "" || strings.Join(done.Sent, " ") != "one two" {
		t.Errorf("played: %+v, %v", done, err)
	}
	s.wants(t, "probe before of 2",
		"planned one", `sent one as s1/1 {"who":"me","items":["a"]}`,
		"planned two", `sent two as s1/2 {"who":"me","items":["a"]}`,
		"probe after of 2")
}

func TestABurstIsPlannedFirstAndInFlightTogether(t *testing.T) {
	const size = 8
	var together sync.WaitGroup
	together.Add(size)
	s := &stage{}
	s.server = func(conform.BoundCall) Outcome {
		together.Done()
		together.Wait() // returns only when all of them are in flight
		return answered(`{}`)
	}
	step := conform.BoundStep{Act: conform.ActBurst}
	for k := range size {
		c := call(fmt.Sprintf("b.%d", k+1), true)
		c.Session = fmt.Sprintf("s%d", 1+k%2)
		step.Calls = append(step.Calls, c)
	}
	done, err := Play(context.Background(), play(step), s)
	if err != nil || len(done.Sent) != size {
		t.Fatalf("played: %+v, %v", done, err)
	}
	ids := map[string]bool{}
	for i, line := range s.log {
		if planned := strings.HasPrefix(line, "planned "); planned != (i < size) {
			t.Errorf("line %d of %d is %q: everything is planned before anything is sent", i+1, len(s.log), line)
		}
		if strings.HasPrefix(line, "sent ") {
			ids[strings.Fields(line)[3]] = true
			// b.1, b.3, b.5, b.7 go out on s1 with the ids 1, 2, 3, 4, whoever runs first.
			var k, on, id int
			if _, err := fmt.Sscanf(line, "sent b.%d as s%d/%d", &k, &on, &id); err != nil || on != 1+(k-1)%2 || id != 1+(k-1)/2 {
				t.Errorf("%q: the id depends on scheduling", line)
			}
		}
	}
	if len(ids) != size {
		t.Errorf("%d different ids for %d calls", len(ids), size)
	}
}

func followed() conform.BoundPlay {
	check := call("validate", false)
	next := call("resolved", true)
	next.Follows, next.Planned.Follows = "validate", "validate"
	return play(calls(check), calls(next))
}

func TestResolvedArgumentsAreExecutedToTheLetter(t *testing.T) {
	for name, c := range map[string]struct{ answer, arguments string }{
		"structured": {`{"structuredContent":{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[ {"id":9007199254740993,"name":"caf\u00e9"} ]}}}}`,
			`{"who":"me","items":[ {"id":9007199254740993,"name":"caf\u00e9"} ]}`},
		"in a text block": {`{"content":[{"type":"text","text":"{\"eligible\":true,\"transaction_decision\":{\"resolved_arguments\":{\"items\":[1.0]}}}"}]}`,
			`{"who":"me","items":[1.0]}`},
		"inside an envelope": {`{"structuredContent":{"ok":true,"result":{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[2]}}}}}`,
			`{"who":"me","items":[2]}`},
		"what says nothing clears nothing, 0 and false count": {`{"structuredContent":{"eligible":true,"transaction_decision":{"resolved_arguments":{"who":null,"items":[],"a":"","b":{},"c":0,"d":false}}}}`,
			`{"who":"me","items":["a"],"c":0,"d":false}`},
		"a new argument comes last": {`{"structuredContent":{"eligible":true,"transaction_decision":{"target_tool":" t ","resolved_arguments":{"x":[1],"who":"you"}}}}`,
			`{"who":"you","items":["a"],"x":[1]}`},
		"no decision leaves the arguments":        {`{"structuredContent":{"eligible":true}}`, `{"who":"me","items":["a"]}`},
		"a decision of another kind is passed by": {`{"structuredContent":{"eligible":true,"transaction_decision":[1]}}`, `{"who":"me","items":["a"]}`},
		"an error with a yes is a yes":            {`{"isError":true,"structuredContent":{"eligible":true}}`, `{"who":"me","items":["a"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			var sent json.RawMessage
			s := &stage{server: func(call conform.BoundCall) Outcome {
				if call.ID == "resolved" {
					sent = call.Planned.Arguments
				}
				return answered(c.answer)
			}}
			b := followed()
			if _, err := Play(context.Background(), b, s); err != nil {
				t.Fatal(err)
			}
			if string(sent) != c.arguments {
				t.Errorf("sent %s, want %s", sent, c.arguments)
			}
			last := s.seen[len(s.seen)-1]
			if last.Planned == nil || string(last.Planned.Arguments) != c.arguments || last.Planned.Follows != "validate" {
				t.Errorf("recorded as planned: %+v", last.Planned)
			}
			if string(b.Steps[1].Calls[0].Planned.Arguments) != `{"who":"me","items":["a"]}` {
				t.Error("the bound play was changed")
			}
		})
	}
}

func TestWithoutAYesNothingIsExecuted(t *testing.T) {
	for name, c := range map[string]struct {
		outcome Outcome
		reason  string
	}{
		"a no":               {answered(`{"structuredContent":{"eligible":false}}`), "the validator said eligible: false"},
		"a word":             {answered(`{"structuredContent":{"eligible":"true"}}`), "the validator's eligible is a string, and only JSON true is a yes"},
		"a number":           {answered(`{"structuredContent":{"eligible":1}}`), "the validator's eligible is a number, and only JSON true is a yes"},
		"nothing said":       {answered(`{"structuredContent":{"status":"OK"}}`), "the validator's answer has no eligible"},
		"hidden by a result": {answered(`{"structuredContent":{"eligible":true,"result":{"x":1}}}`), "the validator's answer has no eligible"},
		"prose":              {answered(`{"content":[{"type":"text","text":"all fine"}]}`), "the validator's answer holds no object"},
		"two blocks":         {answered(`{"content":[{"type":"text","text":"{\"eligible\":true}"},{"type":"text","text":"x"}]}`), "the validator's answer holds no object"},
		"no answer":          {Outcome{End: conform.TimedOut}, "the validator did not answer"},
		"another tool": {answered(`{"structuredContent":{"eligible":true,"transaction_decision":{"target_tool":"delete_everything"}}}`),
			`the validator handed over to the tool "delete_everything", which is not this operation's`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stage{server: func(conform.BoundCall) Outcome { return c.outcome }}
			done, err := Play(context.Background(), followed(), s)
			if err != nil || strings.Join(done.Sent, " ") != "validate" {
				t.Errorf("played: %+v, %v", done, err)
			}
			last := s.seen[len(s.seen)-1]
			if last.Skipped == nil || last.Skipped.Reason != c.reason || last.Skipped.NotApplicable || len(last.Skipped.Checks) != 1 {
				t.Errorf("recorded %+v, want the reason %q", last.Skipped, c.reason)
			}
		})
	}
}

func TestALostReadIsRepeatedOnceAndAWriteNever(t *testing.T) {
	for name, c := range map[string]struct {
		write bool
		out   Outcome
		want  string
	}{
		"a read cut off":                      {false, Outcome{End: conform.Cut}, "r r.again"},
		"a read refused":                      {false, Outcome{End: conform.Refused}, "r r.again"},
		"a read that is slow":                 {false, Outcome{End: conform.TimedOut}, "r"},
		"a read answered":                     {false, Outcome{End: conform.Complete}, "r"},
		"a read answered by an intermediary":  {false, Outcome{End: conform.Complete, Page: true}, "r r.again"},
		"a write cut off":                     {true, Outcome{End: conform.Cut}, "r"},
		"a write answered by an intermediary": {true, Outcome{End: conform.Complete, Page: true}, "r"},
		"a read, and the target is gone":      {false, Outcome{End: conform.Refused, Gone: "gone"}, "r"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stage{server: func(conform.BoundCall) Outcome { return c.out }}
			done, err := Play(context.Background(), play(calls(call("r", c.write))), s)
			if err != nil || strings.Join(done.Sent, " ") != c.want {
				t.Errorf("sent %v, want %s (%v)", done.Sent, c.want, err)
			}
			if last := s.seen[len(s.seen)-1].Planned; strings.Contains(c.want, "again") && (last.Repeats != "r" || !strings.Contains(last.Step, "again")) {
				t.Errorf("the repeat is not marked: %+v", last)
			}
		})
	}
}

func TestAFollowerReadsTheAnswerOfTheRepeat(t *testing.T) {
	first := true
	s := &stage{server: func(conform.BoundCall) Outcome {
		if first {
			first = false
			return Outcome{End: conform.Cut}
		}
		return answered(`{"structuredContent":{"eligible":true}}`)
	}}
	done, err := Play(context.Background(), followed(), s)
	if err != nil || strings.Join(done.Sent, " ") != "validate validate.again resolved" {
		t.Errorf("sent %v, %v", done.Sent, err)
	}
}

func TestWhenTheTargetIsGoneTheRestIsSkippedForOneCause(t *testing.T) {
	s := &stage{server: func(c conform.BoundCall) Outcome {
		if c.ID == "two" {
			return Outcome{End: conform.Cut, Gone: "the server process ended"}
		}
		return answered(`{}`)
	}}
	done, err := Play(context.Background(), play(calls(call("one", false), call("two", false), call("three", false)),
		conform.BoundStep{Act: conform.ActProbe, Phase: conform.After}, calls(call("four", false))), s)
	if err != nil || done.Stopped != "the server process ended" || strings.Join(done.Sent, " ") != "one two" {
		t.Errorf("played: %+v, %v", done, err)
	}
	s.wants(t, "planned one", `sent one as s1/1 {"who":"me","items":["a"]}`, "planned two", `sent two as s1/2 {"who":"me","items":["a"]}`,
		"skipped: the server process ended")
}

func TestWithoutASessionNothingIsPlanned(t *testing.T) {
	for _, act := range []conform.Act{conform.ActCalls, conform.ActBurst} {
		s := &stage{closed: "connection refused"}
		done, err := Play(context.Background(), play(conform.BoundStep{Act: act, Calls: []conform.BoundCall{call("one", false), call("two", false)}}, calls(call("three", true))), s)
		if err != nil || len(done.Sent) != 0 || done.Stopped != "the target is gone: connection refused" {
			t.Errorf("%s played: %+v, %v", act, done, err)
		}
		s.wants(t, "skipped: the target is gone: connection refused")
	}
}

func TestACallThatNeverWentOutUsedNothingUp(t *testing.T) {
	s := &stage{server: func(conform.BoundCall) Outcome { return Outcome{Unsent: true, End: conform.Refused} }}
	done, _ := Play(context.Background(), play(calls(call("one", true))), s)
	if len(done.Sent) != 0 {
		t.Errorf("sent: %v", done.Sent)
	}
}

func TestOnlyAnAcknowledgedResetPutsBack(t *testing.T) {
	for _, acknowledged := range []bool{true, false} {
		s := &stage{reset: acknowledged, server: func(conform.BoundCall) Outcome { return answered(`{}`) }}
		done, err := Play(context.Background(), play(calls(call("one", true)), conform.BoundStep{Act: conform.ActReset}, calls(call("two", true))), s)
		want := "one two"
		if acknowledged {
			want = "two"
		}
		if err != nil || done.Reset != acknowledged || strings.Join(done.Sent, " ") != want {
			t.Errorf("reset %v: %+v, %v", acknowledged, done, err)
		}
	}
}

func TestAPlayGoesOnAfterARestart(t *testing.T) {
	restart := conform.BoundStep{Act: conform.ActRestart}
	for _, lost := range []error{nil, errors.New("it was not ready within 1s")} {
		s := &stage{lost: lost, server: func(conform.BoundCall) Outcome { return answered(`{}`) }}
		done, err := Play(context.Background(), play(calls(call("one", true)), restart, calls(call("two", true))), s)
		if err != nil {
			t.Fatal(err)
		}
		switch sent := strings.Join(done.Sent, " "); {
		case lost == nil && (sent != "one two" || done.Stopped != ""):
			t.Errorf("after a restart: sent %s, stopped %q", sent, done.Stopped)
		case lost != nil && (sent != "one" || done.Stopped != "the server did not come back when it was restarted: it was not ready within 1s"):
			t.Errorf("without the server: sent %s, stopped %q", sent, done.Stopped)
		}
	}
}

func TestAnInterruptStopsSending(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &stage{}
	s.server = func(conform.BoundCall) Outcome {
		cancel()
		return Outcome{End: conform.Stopped, Gone: "the session was closed"}
	}
	done, err := Play(ctx, play(calls(call("one", false), call("two", false)), calls(call("three", true))), s)
	if !errors.Is(err, context.Canceled) || done.Stopped != "the run was interrupted" {
		t.Errorf("played: %+v, %v", done, err)
	}
	s.wants(t, "planned one", `sent one as s1/1 {"who":"me","items":["a"]}`, "skipped: the run was interrupted")
}

func FuzzDecision(f *testing.F) {
	for _, seed := range []string{
		`{"structuredContent":{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[1]},"target_tool":"t"}}}`,
		`{"content":[{"type":"text","text":"{}"}]}`, `[]`, `{"structuredContent":{"eligible":true,"transaction_decision":{"resolved_arguments":{"\ud800":1}}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		said, err := read(answer)
		if err != nil {
			return
		}
		out, err := merge(json.RawMessage(`{"items":["a"],"n":1}`), said.resolved, nil)
		if err != nil {
			t.Fatalf("merging %s: %v", answer, err)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(out, &members); err != nil || len(members) < 2 {
			t.Fatalf("merged to %s: %v", out, err)
		}
	})
}

// Whatever a validator resolves, a dry run stays one.
func TestWhatStaysIsNotResolvedAway(t *testing.T) {
	for resolved, want := range map[string]string{
		`{"items":["b"]}`:                  `{"items":["b"],"preview":true}`,
		`{"preview":false}`:                `{"items":["a"],"preview":true}`,
		`{"Preview":false,"PREVIEW":null}`: `{"items":["a"],"preview":true}`,
		`{"commit":true}`:                  `{"items":["a"],"preview":true,"commit":true}`,
	} {
		said, err := read(json.RawMessage(`{"structuredContent":{"eligible":true,"transaction_decision":{"resolved_arguments":` + resolved + `}}}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := merge(json.RawMessage(`{"items":["a"],"preview":true}`), said.resolved, json.RawMessage(`{"preview":true}`))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", resolved, got, err)
		}
	}
}

// That a dry run does nothing is a promise: it is not made again as a read is.
func TestALostDryRunIsNotRepeated(t *testing.T) {
	s := &stage{server: func(conform.BoundCall) Outcome { return Outcome{End: conform.Cut} }}
	dry := call("r", false)
	dry.Planned.DryRun = true
	done, err := Play(context.Background(), play(calls(dry)), s)
	if err != nil || strings.Join(done.Sent, " ") != "r" {
		t.Errorf("sent %v, %v", done.Sent, err)
	}
}

// After a write that the server may still be at work on only the eyes are asked.
func TestNothingIsAskedBehindAWriteThatHasNotEnded(t *testing.T) {
	for name, step := range map[string]conform.BoundStep{
		"one after another": calls(call("one", true), call("two", true)),
		"together":          {Act: conform.ActBurst, Calls: []conform.BoundCall{call("one", true)}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &stage{reset: true, server: func(conform.BoundCall) Outcome {
				return Outcome{End: conform.TimedOut, Unended: "no answer within 1s"}
			}}
			done, err := Play(context.Background(), play(step, conform.BoundStep{Act: conform.ActReset}, calls(call("three", false)),
				conform.BoundStep{Act: conform.ActProbe, Phase: conform.After}), s)
			if err != nil || done.Reset || len(done.Sent) != 1 || done.Stopped != "" {
				t.Errorf("played: %+v, %v", done, err)
			}
			want := []string{"planned one", `sent one as s1/1 {"who":"me","items":["a"]}`,
				"skipped: the server may still be at work on the call before: no answer within 1s", "probe after of 0"}
			if strings.Join(s.log, "\n") != strings.Join(want, "\n") {
				t.Errorf("log %q", s.log)
			}
		})
	}
}

// A read that was lost in flight with others is made again alone.
func TestALostReadOfABurstIsRepeatedAlone(t *testing.T) {
	s := &stage{server: func(c conform.BoundCall) Outcome {
		if c.ID == "b" {
			return Outcome{End: conform.Cut}
		}
		return answered(`{}`)
	}}
	one, two := call("a", false), call("b", false)
	one.Planned.Burst, two.Planned.Burst = "together", "together"
	if _, err := Play(context.Background(), play(conform.BoundStep{Act: conform.ActBurst, Calls: []conform.BoundCall{one, two}}), s); err != nil {
		t.Fatal(err)
	}
	last := s.seen[len(s.seen)-1]
	if last.Call != "b"+conform.Again || last.Planned.Repeats != "b" || last.Planned.Burst != "" {
		t.Errorf("the last planned is %s: %+v", last.Call, last.Planned)
	}
}
