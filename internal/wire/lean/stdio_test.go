package lean_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// TestMain lets the test binary stand for a server over stdio.
func TestMain(m *testing.M) {
	if script := os.Getenv("LEAN_TEST_CHILD"); script != "" {
		serve(script)
		return
	}
	os.Exit(m.Run())
}

func serve(script string) {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...); out.Flush() }
	var held []json.RawMessage
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
		}
		_ = json.Unmarshal(line, &asked)
		switch asked.Method {
		case "initialize":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`, asked.ID)
			continue
		case "tools/call":
		default:
			if asked.Result != nil { // our ping was answered
				say(`{"result":{"content":[]},"jsonrpc":"2.0","id":%s}`, held[0])
				held = nil
			}
			continue
		}
		switch script {
		case "result first":
			say(`{"result":{"content":[]},"jsonrpc":"2.0","id":%s}`, asked.ID)
		case "odd":
			say("a banner")
			say(`{"jsonrpc":"2.0","id":77,"result":{}}`)
			say(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
			say(`{ "id":%s, "jsonrpc":"2.0", "result":{"content":[]}}`, asked.ID)
		case "pings":
			held = append(held, asked.ID)
			say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		case "babbles": // questions by the hundred, and not a byte is read before they are
			for n := range 3000 {
				say(`{"jsonrpc":"2.0","id":%d,"method":"sampling/createMessage","params":{}}`, n)
			}
			say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, asked.ID)
		case "dies":
			fmt.Fprintln(os.Stderr, "out of luck")
			os.Exit(3)
		case "mute":
		case "late":
			if held = append(held, asked.ID); len(held) == 2 {
				for _, id := range held {
					say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, id)
				}
			}
		case "backwards": // four at a time, the last one first
			if held = append(held, asked.ID); len(held) == 4 {
				for i := range held {
					say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, held[3-i])
				}
				held = nil
			}
		case "huge":
			say(`{"jsonrpc":"2.0","id":%s,"result":{"pad":"%s"}}`, asked.ID, strings.Repeat("x", 1<<20))
		default:
			say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, asked.ID)
		}
	}
}

const bound = 256 << 10

func pipes(t testing.TB, script string) *wire.Pipes {
	t.Helper()
	client, err := wire.Dial(context.Background(), wire.Config{
		Command: []string{os.Args[0]}, Env: []string{"LEAN_TEST_CHILD=" + script, "GORACE=atexit_sleep_ms=0"}, Protocol: wire.Revision20251125,
		Recorder: clock{time.Now()},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	session, err := client.Open(context.Background(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	p, err := session.TakeOver(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func line(number int) *lean.Request {
	r := lean.NewLine([]byte(strings.Replace(ask, "1234567890", fmt.Sprint(number), 1)))
	r.ID, r.Timeout = uint64(number), 20*time.Second
	return &r
}

func TestAnswersOverStdio(t *testing.T) {
	for script, c := range map[string]struct {
		class lean.Class
		odd   bool
		asked int
		lines int
		then  lean.Class // of a second call
	}{
		"plain":        {lean.Answered, false, 0, 1, lean.Answered},
		"result first": {lean.Answered, false, 0, 1, lean.Answered},
		"odd":          {lean.Answered, true, 0, 4, lean.Answered},
		"pings":        {lean.Answered, false, 1, 2, lean.Answered},
		"dies":         {lean.Cut, false, 0, 0, lean.Unconnected},
		"huge":         {lean.TooLarge, false, 0, 0, lean.Unconnected},
	} {
		t.Run(script, func(t *testing.T) {
			conn := lean.OpenStdio(pipes(t, script), bound, clock{time.Now()}.Now)
			defer conn.Close()
			var a lean.Answer
			conn.Do(line(id), &a)
			if a.Class != c.class || (a.Odd != "") != c.odd || a.Asked != c.asked || (a.Problem == "") != (c.class == lean.Answered) {
				t.Errorf("%q (%s), odd %q, asked %d", a.Class, a.Problem, a.Odd, a.Asked)
			}
			if a.Class == lean.Answered && (strings.Count(string(a.Body), "\n") != c.lines || a.Form != lean.Stdio || !strings.Contains(string(a.Message), "1234567890") ||
				!strings.Contains(string(a.Body), string(a.Message)) || a.FirstByte < a.Sent || a.Done < a.FirstByte) {
				t.Errorf("%+v", a)
			}
			if script == "dies" && (!strings.Contains(a.Problem, "exit status 3") || !strings.Contains(a.Problem, "out of luck")) {
				t.Errorf("problem %q", a.Problem)
			}
			if conn.Do(line(id+1), &a); a.Class != c.then {
				t.Errorf("then %q (%s)", a.Class, a.Problem)
			}
		})
	}
}

func TestALateAnswerIsNotTheNextOne(t *testing.T) {
	conn := lean.OpenStdio(pipes(t, "late"), bound, clock{time.Now()}.Now)
	defer conn.Close()
	r := line(id)
	r.Timeout = 30 * time.Millisecond
	var a lean.Answer
	if conn.Do(r, &a); a.Class != lean.TimedOut {
		t.Fatalf("%+v", a)
	}
	if conn.Do(line(id+1), &a); a.Class != lean.Answered || a.Odd != "" || !strings.Contains(string(a.Message), fmt.Sprint(id+1)) {
		t.Errorf("%+v", a)
	}
}

func TestStdioIsInterrupted(t *testing.T) {
	for name, open := range map[string]func(*wire.Pipes) lean.Conn{
		"own":    func(p *wire.Pipes) lean.Conn { return lean.OpenStdio(p, bound, clock{time.Now()}.Now) },
		"shared": func(p *wire.Pipes) lean.Conn { return lean.OpenShared(p, bound, clock{time.Now()}.Now, 1)[0] },
	} {
		conn := open(pipes(t, "mute"))
		var a lean.Answer
		r := line(id)
		r.Timeout = 20 * time.Millisecond
		if conn.Do(r, &a); a.Class != lean.TimedOut {
			t.Errorf("%s: %+v", name, a)
		}
		time.AfterFunc(10*time.Millisecond, conn.Interrupt)
		if conn.Do(line(id), &a); a.Class != lean.Stopped {
			t.Errorf("%s: %+v", name, a)
		}
		if conn.Do(line(id), &a); a.Class != lean.Stopped || a.Sent != 0 {
			t.Errorf("%s, again: %+v", name, a)
		}
		conn.Close()
	}
}

func TestSeveralCallsOnOnePipe(t *testing.T) {
	for script, c := range map[string]struct {
		class lean.Class
		users int
	}{
		"backwards": {lean.Answered, 4}, "plain": {lean.Answered, 8}, "result first": {lean.Answered, 3}, "pings": {lean.Answered, 1}, "odd": {lean.Answered, 1},
		"dies": {lean.Cut, 1}, "huge": {lean.Cut, 2},
	} {
		t.Run(script, func(t *testing.T) {
			conns := lean.OpenShared(pipes(t, script), bound, clock{time.Now()}.Now, c.users)
			var all sync.WaitGroup
			for u, conn := range conns {
				all.Go(func() {
					for i := range 5 {
						number := id + u*100 + i
						var a lean.Answer
						conn.Do(line(number), &a)
						if c.class != lean.Answered {
							if a.Class != lean.Cut && a.Class != lean.Unconnected || a.Problem == "" {
								t.Errorf("%+v", a)
							}
							continue
						}
						if a.Class != lean.Answered || !strings.Contains(string(a.Message), fmt.Sprint(number)) || string(a.Body) != string(a.Message)+"\n" ||
							a.FirstByte < a.Sent || a.Done < a.FirstByte || (script == "odd") != (a.Odd != "") || (script == "pings") != (a.Asked > 0) {
							t.Errorf("%q (%s) %q odd %q asked %d", a.Class, a.Problem, a.Message, a.Odd, a.Asked)
						}
					}
				})
			}
			all.Wait()
			for _, conn := range conns {
				conn.Close()
			}
		})
	}
}

// TestAServerThatAsksBeforeItReads writes more questions than the pipe holds answers, and
// reads none of these before it has answered the call itself.
func TestAServerThatAsksBeforeItReads(t *testing.T) {
	for name, conn := range map[string]lean.Conn{
		"alone":  lean.OpenStdio(pipes(t, "babbles"), bound, clock{time.Now()}.Now),
		"shared": lean.OpenShared(pipes(t, "babbles"), bound, clock{time.Now()}.Now, 1)[0],
	} {
		var a lean.Answer
		if conn.Do(line(id), &a); a.Class != lean.Answered || a.Asked == 0 {
			t.Errorf("%s: %q (%s), asked %d", name, a.Class, a.Problem, a.Asked)
		}
		conn.Close()
	}
}

func TestACallOverStdioAllocatesAtMostOnce(t *testing.T) {
	p := pipes(t, "plain")
	conn := lean.OpenStdio(p, bound, clock{time.Now()}.Now)
	defer conn.Close()
	r := line(id)
	var a lean.Answer
	if n := testing.AllocsPerRun(100, func() {
		if conn.Do(r, &a); a.Class != lean.Answered {
			t.Fatalf("%+v", a)
		}
	}); n > 1 {
		t.Errorf("%v allocations", n)
	}
}
