package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// started is a configuration that starts this test binary as a child. Children
// that will not end by themselves are given little time to; the others much, so
// that a busy machine does not make us end them. (The race detector would have
// every child sleep a second at its end.)
func started(script string) wire.Config {
	exit := 20 * time.Second
	if script == "stubborn" || script == "deaf" {
		exit = 100 * time.Millisecond
	}
	return wire.Config{
		Command: []string{os.Args[0]}, Env: []string{"WIRE_TEST_CHILD=" + script, "GORACE=atexit_sleep_ms=0"},
		Timeouts: wire.Timeouts{Exit: exit, Discover: 50 * time.Millisecond},
	}
}

func stdoutLines(list []conform.Observation) []conform.Observation {
	var lines []conform.Observation
	for _, o := range list {
		if o.Received != nil && o.Received.Channel == conform.ChannelStdout {
			lines = append(lines, o)
		}
	}
	return lines
}

func exit(list []conform.Observation) *conform.Received {
	for _, o := range list {
		if o.Received != nil && o.Received.Channel == conform.ChannelExit {
			return o.Received
		}
	}
	return nil
}

func TestStdioAnswersAreTakenAsTheyAre(t *testing.T) {
	good := response([]byte("2"))
	for script, c := range map[string]struct {
		end      conform.End
		answered bool
		bodies   []string // recorded under the call
		strays   []string // recorded under none, after the handshake
	}{
		"plain":   {conform.Complete, true, []string{good}, nil},
		"banner":  {conform.Complete, true, []string{good}, []string{"Server v1 ready", ""}},
		"CRLF":    {conform.Complete, true, []string{good + "\r"}, nil},
		"garbage": {conform.Complete, true, []string{good}, []string{"\x1b[32mINFO\x1b[0m called \xff"}},
		"split":   {conform.Complete, true, []string{good}, nil},
		"batch":   {conform.Complete, true, []string{"[" + good + `,{"jsonrpc":"2.0","method":"x"}]`}, nil},
		"no newline": {
			conform.Cut, true, []string{good}, nil,
		},
		"huge": {conform.TooLarge, false, []string{`{"jsonrpc":"2.0","id":2,"result":{"pad":"` + strings.Repeat("a", 64<<10-len(`{"jsonrpc":"2.0","id":2,"result":{"pad":"`))}, nil},
	} {
		t.Run(script, func(t *testing.T) {
			config := started(script)
			config.Bounds.MaxLine = 64 << 10
			client, s, tape := dial(t, config)
			reply := s.Do(t.Context(), call(tape.plan("c1")))
			if reply.End != c.end || (reply.Response != nil) != c.answered || (reply.Problem == "") != (c.end == conform.Complete) {
				t.Errorf("%+v", reply)
			}
			if c.answered != (reply.Class == wire.Fine) {
				t.Errorf("class %q", reply.Class)
			}
			if err := client.Close(context.Background()); err != nil {
				t.Error(err)
			}
			var bodies, strays []string
			for _, o := range stdoutLines(tape.all()) {
				switch o.Call {
				case "c1":
					bodies = append(bodies, string(o.Received.Body))
				case "":
					strays = append(strays, string(o.Received.Body))
				}
				if o.Session != "s1" {
					t.Errorf("session %q", o.Session)
				}
			}
			if fmt.Sprintf("%q", bodies) != fmt.Sprintf("%q", c.bodies) || fmt.Sprintf("%q", strays) != fmt.Sprintf("%q", c.strays) {
				t.Errorf("under the call %.300q\nunder none %.300q", bodies, strays)
			}
			if (tape.recording().Call("c1").Response != nil) != c.answered {
				t.Errorf("the recording and the reply disagree\n%s", tape)
			}
			if c.answered && !(reply.Sent > 0 && reply.Sent <= reply.FirstByte && reply.FirstByte <= reply.Done) {
				t.Errorf("times out of order: %v %v %v", reply.Sent, reply.FirstByte, reply.Done)
			}
		})
	}
}

func TestASecondResponseIsRecordedUnderItsCall(t *testing.T) {
	client, s, tape := dial(t, started("twice"))
	if reply := s.Do(t.Context(), call("c1")); reply.Response == nil {
		t.Errorf("%+v", reply)
	}
	client.Close(context.Background())
	if got := tape.of("c1"); len(got) != 2 || string(got[0].Body) != string(got[1].Body) {
		t.Errorf("%s", tape)
	}
}

func TestAResponseToNoIDIsRecordedAndTheCallTimesOut(t *testing.T) {
	client, s, tape := dial(t, started("wrong id"))
	request := call("c1")
	request.Timeout = 300 * time.Millisecond
	reply := s.Do(t.Context(), request)
	if reply.End != conform.TimedOut || reply.Problem != "no answer to tools/call echo within 300ms" || reply.Class != wire.Unanswered {
		t.Errorf("%+v", reply)
	}
	client.Close(context.Background())
	if got := tape.of("c1"); len(got) != 1 || got[0].End != conform.TimedOut || len(got[0].Body) != 0 {
		t.Errorf("%s", tape)
	}
	stray := ""
	for _, o := range stdoutLines(tape.all()) {
		if o.Call == "" {
			stray = string(o.Received.Body)
		}
	}
	if stray != response([]byte("77")) {
		t.Errorf("stray %q", stray)
	}
}

func TestALateLineIsRecordedUnderItsCall(t *testing.T) {
	_, s, tape := dial(t, started("late"))
	request := call(tape.plan("c1"))
	request.Timeout = 20 * time.Millisecond
	if reply := s.Do(t.Context(), request); reply.End != conform.TimedOut {
		t.Errorf("%+v", reply)
	}
	tape.await(t, "the late answer", func([]conform.Observation) bool { return len(tape.of("c1")) == 2 })
	if late := tape.of("c1")[1]; string(late.Body) != response([]byte("2")) {
		t.Errorf("%+v", late)
	}
}

func TestServerRequestsOnStdoutAreAnswered(t *testing.T) {
	_, s, tape := dial(t, started("asks"))
	reply := s.Do(t.Context(), call(tape.plan("c1")))
	answers := reply.Result.Get("answers")
	if answers == nil || len(answers.Items) != 2 {
		t.Fatalf("%+v", reply)
	}
	if got := string(answers.Items[0].Raw); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"e1","error":{"code":-32601,`) {
		t.Errorf("elicitation answered with %s", got)
	}
	if got := string(answers.Items[1].Raw); got != `{"jsonrpc":"2.0","id":5,"result":{}}` {
		t.Errorf("ping answered with %s", got)
	}
	var asked []string
	for _, m := range tape.recording().Call("c1").Messages {
		asked = append(asked, m.Method)
	}
	if strings.Join(asked, " ") != "elicitation/create ping " {
		t.Errorf("under the call: %q", asked)
	}
}

func TestWhatAToolAsksIsAnsweredByTheCall(t *testing.T) {
	_, s, tape := dial(t, started("asks"))
	request := call(tape.plan("c1"))
	request.Asked = func(method string, _ *rawjson.Node) (json.RawMessage, bool) {
		return json.RawMessage(`{"action":"decline"}`), method == "elicitation/create"
	}
	reply := s.Do(t.Context(), request)
	if got := string(reply.Result.Get("answers").First().Raw); got != `{"jsonrpc":"2.0","id":"e1","result":{"action":"decline"}}` {
		t.Errorf("answered with %s", got)
	}
	c := tape.recording().Call("c1")
	if q := c.Questions(); len(q) != 1 || q[0].Action != conform.Decline || !c.Declined() {
		t.Errorf("recorded under the call: %+v", q)
	}
	request = call(tape.plan("c2"))
	request.Asked = func(string, *rawjson.Node) (json.RawMessage, bool) { return nil, false }
	reply = s.Do(t.Context(), request)
	if got := string(reply.Result.Get("answers").First().Raw); !strings.Contains(got, `"error":{"code":-32603,`) {
		t.Errorf("what has no answer was answered with %s", got)
	}
	if c := tape.recording().Call("c2"); c.Declined() || len(c.Questions()) != 1 || c.Questions()[0].Action != "" {
		t.Errorf("recorded under the call: %+v", c.Questions())
	}
}

func TestAChildThatDiesInACall(t *testing.T) {
	_, s, tape := dial(t, started("exit 3"))
	reply := s.Do(t.Context(), call("c1"))
	if reply.End != conform.Cut || reply.Class != wire.Unanswered || !strings.Contains(reply.Problem, "exit status 3") || !strings.Contains(reply.Problem, `"panic: boom"`) {
		t.Errorf("%+v", reply)
	}
	ended := exit(tape.all())
	if ended == nil || *ended.Exit != 3 || ended.End != conform.Cut || !strings.Contains(ended.Problem, "by itself") {
		t.Errorf("%+v", ended)
	}
	again := s.Do(t.Context(), call("c2"))
	if again.End != conform.Refused || again.Class != wire.Unreachable || again.Sent != 0 {
		t.Errorf("a call after the death: %+v", again)
	}
	var stderr []byte
	for _, o := range tape.all() {
		if o.Received != nil && o.Received.Channel == conform.ChannelStderr {
			stderr = append(stderr, o.Received.Body...)
		}
	}
	if string(stderr) != "warming up\npanic: boom" {
		t.Errorf("stderr %q", stderr)
	}
}

// A server that ends while it answers is told from one that ends at the question.
func TestAChildThatDiesInAnAnswer(t *testing.T) {
	_, s, tape := dial(t, started("half a line"))
	reply := s.Do(t.Context(), call("c1"))
	if reply.End != conform.Cut || reply.Response != nil || !strings.HasSuffix(reply.Problem, "; the last 30 bytes that it wrote are a line without an end") {
		t.Errorf("%+v", reply)
	}
	half := false
	for _, o := range tape.all() {
		half = half || o.Received != nil && o.Received.Channel == conform.ChannelStdout && o.Received.End == conform.Cut && len(o.Received.Body) == 30
	}
	if !half {
		t.Error("half the line is not recorded")
	}
}

func TestChildrenThatNeverAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		config wire.Config
		text   string
	}{
		"no such program": {wire.Config{Command: []string{"/nonexistent/mcp-server"}}, "starting /nonexistent/mcp-server: "},
		"dies at once":    {started("dies at once"), `exit status 7) before an answer to initialize came; on stderr: "cannot open the database"`},
		"mute":            {started("deaf"), "no answer to initialize within 50ms"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "mute" {
				c.config.Timeouts.Start = 50 * time.Millisecond
			}
			c.config.Recorder = newTape()
			client, err := wire.Dial(t.Context(), c.config)
			if err == nil {
				defer client.Close(context.Background())
				_, err = client.Open(t.Context(), "s1")
			}
			var e *wire.Error
			if !errors.As(err, &e) || e.Class != wire.Unreachable || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestCloseEndsTheChild(t *testing.T) {
	for script, c := range map[string]struct {
		end  conform.End
		code int
		text string
	}{
		"plain":    {conform.Complete, 0, ""},
		"stubborn": {conform.Stopped, -1, "ended by SIGKILL"},
	} {
		t.Run(script, func(t *testing.T) {
			client, s, tape := dial(t, started(script))
			if reply := s.Do(t.Context(), call("c1")); reply.Response == nil {
				t.Fatalf("%+v", reply)
			}
			if err := client.Close(context.Background()); err != nil {
				t.Error(err)
			}
			list := tape.all()
			ended := exit(list)
			if ended == nil || ended.End != c.end || *ended.Exit != c.code || !strings.Contains(ended.Problem, c.text) {
				t.Errorf("%+v", ended)
			}
			if last := list[len(list)-1]; last.Received != ended {
				t.Errorf("the end of the child is not the last word: %+v", last)
			}
		})
	}
}

func TestPipelinedCallsKeepTheirAnswers(t *testing.T) {
	_, s, tape := dial(t, started("backwards"))
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			r := call(fmt.Sprintf("c%d", i))
			r.ID = wire.FirstGivenID + i
			reply := s.Do(t.Context(), r)
			if reply.Response == nil || string(reply.Response.ID.Raw) != strconv.Itoa(r.ID) {
				t.Errorf("call %d got %+v", i, reply)
			}
		})
	}
	all.Wait()
	for i := range 50 {
		sent, got := tape.sent(fmt.Sprintf("c%d", i)), tape.of(fmt.Sprintf("c%d", i))
		if len(sent) != 1 || len(got) != 1 || string(got[0].Body) != response(fmt.Appendf(nil, "%d", wire.FirstGivenID+i)) {
			t.Errorf("call %d: %d sent, %d received", i, len(sent), len(got))
		}
	}
}

func TestTheLineSentIsTheLineRecorded(t *testing.T) {
	_, s, tape := dial(t, started("echo line"))
	r := wire.Request{Call: "c1", Method: "tools/call", Params: json.RawMessage("{\n\t\"name\": \"écho\",\r\n \"arguments\": {\"a\": 1.50}}"), StringID: true}
	reply := s.Do(t.Context(), r)
	line, _ := reply.Result.Get("line").Str()
	want := `{"jsonrpc":"2.0","id":"c-2","method":"tools/call","params":{ ` + "\t" + `"name": "écho",   "arguments": {"a": 1.50}}}`
	if sent := string(tape.sent("c1")[0].Body); sent != want || line != want {
		t.Errorf("recorded %q\narrived  %q\nwanted   %q", sent, line, want)
	}
}

func TestTheSameIDTwiceInFlightIsNotSent(t *testing.T) {
	_, s, tape := dial(t, started("backwards"))
	first := make(chan *wire.Reply, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		r := call("c1")
		r.ID = 1000
		first <- s.Do(ctx, r)
	}()
	tape.await(t, "the first call", func([]conform.Observation) bool { return len(tape.sent("c1")) == 1 })
	r := call("c2")
	r.ID = 1000
	if reply := s.Do(t.Context(), r); reply.End != conform.Refused || !strings.Contains(reply.Problem, "in flight already") || len(tape.sent("c2")) != 0 {
		t.Errorf("%+v", reply)
	}
	cancel()
	<-first
}

func TestBoundsOfAChildsOutput(t *testing.T) {
	config := started("stderr flood")
	config.Bounds = wire.Bounds{MaxStderr: 100}
	client, s, tape := dial(t, config)
	s.Do(t.Context(), call("c1"))
	client.Close(context.Background())
	total, over := 0, 0
	for _, o := range tape.all() {
		if o.Received != nil && o.Received.Channel == conform.ChannelStderr {
			total += len(o.Received.Body)
			if o.Received.End == conform.TooLarge {
				over++
			}
		}
	}
	if total != 100 || over != 1 {
		t.Errorf("%d bytes of stderr recorded, %d times told", total, over)
	}

	config = started("stray flood")
	config.Bounds = wire.Bounds{MaxStray: 1000}
	client, s, tape = dial(t, config)
	if reply := s.Do(t.Context(), call("c1")); reply.Response == nil {
		t.Errorf("%+v", reply)
	}
	client.Close(context.Background())
	strays := 0
	for _, o := range stdoutLines(tape.all()) {
		if o.Call == "" {
			strays++
		}
	}
	if strays != 11 {
		t.Errorf("%d stray lines, wanted ten and one that says there are more", strays)
	}
}

func TestFurtherSessionsAreFurtherChildren(t *testing.T) {
	client, _, tape := dial(t, started("plain"))
	second, err := client.Open(t.Context(), "s2")
	if err != nil {
		t.Fatal(err)
	}
	if reply := second.Do(t.Context(), call("c1")); reply.Response == nil {
		t.Errorf("%+v", reply)
	}
	if err := client.Close(context.Background()); err != nil {
		t.Error(err)
	}
	exits := map[string]int{}
	for _, o := range tape.all() {
		if o.Received != nil && o.Received.Channel == conform.ChannelExit {
			exits[o.Session]++
		}
	}
	if exits["s1"] != 1 || exits["s2"] != 1 {
		t.Errorf("exits %v", exits)
	}
}

func TestRevisionsOnStdio(t *testing.T) {
	for name, c := range map[string]struct {
		script, pin, want, first string
	}{
		"the handshake comes first":        {"plain", "", wire.Revision20251125, "connect/s1/initialize"},
		"pinned":                           {"plain", wire.Revision20250326, wire.Revision20250326, "connect/s1/initialize"},
		"another revision is followed":     {"another revision", wire.Revision20250618, wire.Revision20250326, "connect/s1/initialize"},
		"initialize refused, then asked":   {"only 2026", "", wire.Revision20260728, "connect/s1/initialize"},
		"pinned to the newest":             {"only 2026", wire.Revision20260728, wire.Revision20260728, "connect/s1/discover"},
		"server/discover swallowed":        {"plain", wire.Revision20260728, wire.Revision20251125, "connect/s1/discover"},
		"pinned to one, speaks only newer": {"only 2026", wire.Revision20250618, wire.Revision20260728, "connect/s1/initialize"},
	} {
		t.Run(name, func(t *testing.T) {
			config := started(c.script)
			config.Protocol = c.pin
			_, s, tape := dial(t, config)
			if s.Protocol != c.want || s.Asked != c.pin || s.Server.Name == "" {
				t.Errorf("protocol %s, asked %s, server %+v", s.Protocol, s.Asked, s.Server)
			}
			if first := tape.recording().Calls[0].ID; first != c.first {
				t.Errorf("first call %s", first)
			}
			if reply := s.Do(t.Context(), call("c1")); reply.Response == nil {
				t.Errorf("%+v", reply)
			}
			hasMeta := strings.Contains(string(tape.sent("c1")[0].Body), `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"`)
			if hasMeta != (c.want == wire.Revision20260728) {
				t.Errorf("sent %s", tape.sent("c1")[0].Body)
			}
		})
	}
}

func TestClosingWithCallsInFlightStopsThem(t *testing.T) {
	client, s, tape := dial(t, started("mute"))
	done := make(chan *wire.Reply, 1)
	go func() { done <- s.Do(t.Context(), call("c1")) }()
	tape.await(t, "the call", func([]conform.Observation) bool { return len(tape.sent("c1")) == 1 })
	if err := client.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if reply := <-done; reply.End != conform.Stopped || reply.Class != wire.Interrupted {
		t.Errorf("%+v", reply)
	}
}
