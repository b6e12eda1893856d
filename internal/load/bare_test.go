package load

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/bench/bare"
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/suites"
)

// TestMain lets the test binary stand for a server that does next to nothing, in a
// process of its own: over HTTP, or with BARE_SERVER=stdio on its pipes.
func TestMain(m *testing.M) {
	switch os.Getenv("BARE_SERVER") {
	case "":
		os.Exit(m.Run())
	case "stdio":
		leave(bare.ServeLines(os.Stdin, os.Stdout, true))
	case "fakebackend":
		backend, err := fakebackend.New(fakebackend.Options{})
		if err != nil {
			os.Exit(1)
		}
		_ = backend.ServeStdio(context.Background(), os.Stdin, os.Stdout)
	default:
		leave(bare.ServeHTTP(os.Stdin, os.Stdout))
	}
}

func leave(err error) {
	if err != nil {
		os.Exit(1)
	}
}

// bareItems names the items of a batch.
func bareItems(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("B-%06d", i)
	}
	return ids
}

// bareServer starts the server, and gives its address.
func bareServer(t testing.TB) string {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "BARE_SERVER=http", "GORACE=atexit_sleep_ms=0")
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = command.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// crew are users at a bare server, ready to call.
type crew struct {
	users   []*User
	session *wire.Session
}

// hire opens users: over HTTP at an address, over stdio where it is empty, all on one
// process where shared is set. Over stdio answers differ.
func hire(t testing.TB, address string, shared bool, users, size int, mode Mode) *crew {
	t.Helper()
	list := &keeping{clock: clock{time.Now()}}
	config := wire.Config{URL: address, Protocol: wire.Revision20251125, Recorder: list}
	if address == "" {
		config.Command, config.Env = []string{os.Args[0]}, []string{"BARE_SERVER=stdio", "GORACE=atexit_sleep_ms=0"}
	}
	client, err := wire.Dial(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	open := func(name string) *wire.Session {
		session, err := client.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		return session
	}
	c := &crew{session: open("s1")}
	op := conform.Operation{Name: "query", Tool: "query", Argument: "items", Style: conform.StyleArray}
	judge := NewJudge(conform.Header{Target: conform.Target{Name: "bare", HasFile: true, Protocol: wire.Revision20251125, Operations: []conform.Operation{op}}},
		listed("query", ""), suites.All())
	ids := NewIDs()
	var way *lean.Way
	var over Way = Lines{}
	if address != "" {
		frozen, err := c.session.Freeze()
		if err != nil {
			t.Fatal(err)
		}
		if way, err = lean.Plan(context.Background(), frozen, lean.Options{Now: list.Now}); err != nil {
			t.Fatal(err)
		}
		over = way
	}
	planned := asks("query", bareItems(size)...)
	for range users {
		user := &User{Judge: judge, IDs: ids, Mode: mode}
		for range 2 {
			template, err := NewTemplate(c.session, over, judge, Source{Make: func(uint64) conform.Planned { return planned }, Timeout: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			user.Templates = append(user.Templates, template)
		}
		c.users = append(c.users, user)
	}
	switch {
	case address != "":
		for _, user := range c.users {
			user.Conn = way.Open()
		}
	default:
		for i := 0; i < users; i++ {
			session := c.session
			if i > 0 {
				session = open(fmt.Sprintf("s%d", i+1))
			}
			pipes, err := session.TakeOver(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if shared {
				for i, conn := range lean.OpenShared(pipes, 1<<24, list.Now, users) {
					c.users[i].Conn = conn
				}
				break
			}
			c.users[i].Conn = lean.OpenStdio(pipes, 1<<24, list.Now)
		}
	}
	for _, user := range c.users {
		t.Cleanup(user.Conn.Close)
		for range 4 {
			if call := user.Call(0); call.Outcome != OK {
				t.Fatalf("%s: %+v, %s", told(call), call.Verdict, user.answer.Problem)
			}
		}
	}
	return c
}

// In steady state a call allocates nothing over HTTP with JSON, and at most once
// over SSE and stdio.
func TestACallInSteadyStateAllocates(t *testing.T) {
	address := bareServer(t)
	for name, c := range map[string]struct {
		address string
		mode    Mode
		how     How
		most    float64
	}{
		"JSON, by memory":             {address, Mode{}, ByMemory, 0},
		"JSON, by the pass":           {address + "/differs", Mode{}, ByPass, 0},
		"JSON, without memory":        {address, Mode{Full: true}, ByPass, 0},
		"an event stream":             {address + "/sse/differs", Mode{}, ByPass, 1},
		"stdio":                       {"", Mode{}, ByPass, 1},
		"JSON, by the envelope alone": {address + "/differs", Mode{Every: 1 << 30}, BySample, 0},
	} {
		t.Run(name, func(t *testing.T) {
			user := hire(t, c.address, false, 1, 10, c.mode).users[0]
			var last Call
			n := testing.AllocsPerRun(300, func() { last = user.Call(0) })
			if last.Outcome != OK || last.How != c.how {
				t.Errorf("%s", told(last))
			}
			if n > c.most {
				t.Errorf("%v allocations, at most %v", n, c.most)
			}
		})
	}
}

func TestUsersShareAPipe(t *testing.T) {
	c := hire(t, "", true, 3, 10, Mode{})
	for _, user := range c.users {
		if call := user.Call(0); call.Outcome != OK || call.How != ByPass || call.Form != lean.Stdio {
			t.Error(told(call))
		}
	}
}
