package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
)

// mortal serves the demonstration backend, over its pipes or at an address, and is
// killed at a moment of its nth request: nothing of it is told, flushed or closed,
// as after `kill -9`.
//
//	before: the request has come, and was not looked at
//	done:   what was asked for is done, and nobody was told
//	half:   half of the answer was written
//	after:  the answer is out
type mortal struct {
	moment string
	nth    int64
	seen   atomic.Int64 // requests, or for the later moments answers
}

// asking is the target file of tools that ask, or run as tasks.
const asking = "fakebackend-asking"

// asMortal is the first argument of a test's own binary that is one.
const asMortal = "mortal"

// serveMortal reads `TARGET stdio MOMENT N` or `TARGET http ADDRESS MOMENT N`: it has
// the tools that the target file names.
func serveMortal(args []string) error {
	options := fakebackend.Options{}
	if args[0] == asking {
		options = options.With(fakebackend.Confirming, fakebackend.Tasking)
		options.Takes = 20 * time.Millisecond
	}
	args = args[1:]
	address := ""
	if args[0] == "http" {
		address, args = args[1], args[1:]
	}
	nth, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	m := &mortal{moment: args[1], nth: nth}
	b, err := fakebackend.New(options)
	if err != nil {
		return err
	}
	if address == "" {
		return b.ServeStdio(context.Background(), m.reader(os.Stdin), m.writer(os.Stdout))
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	var over atomic.Bool // the nth answer is written, and on its way
	server := &http.Server{
		Handler: m.handler(b.Mux(), &over),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateIdle && over.Load() {
				die()
			}
		},
	}
	return server.Serve(listener)
}

// die ends the process like a signal that it cannot catch, which it is.
func die() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	fmt.Fprintln(os.Stderr, "still alive:", err)
	select {}
}

// reader hands on lines, and dies before it hands on the nth request.
func (m *mortal) reader(in io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		lines := bufio.NewReaderSize(in, 1<<20)
		for {
			text, err := lines.ReadBytes('\n')
			if m.moment == "before" && bytes.Contains(text, []byte(`"id":`)) && m.seen.Add(1) == m.nth {
				die()
			}
			if _, failed := w.Write(text); failed != nil || err != nil {
				w.CloseWithError(errors.Join(err, failed))
				return
			}
		}
	}()
	return r
}

// writer writes lines, and dies at the nth answer.
func (m *mortal) writer(out io.Writer) io.Writer { return &mortalLines{mortal: m, out: out} }

type mortalLines struct {
	*mortal
	out  io.Writer
	held bytes.Buffer
}

func (l *mortalLines) Write(p []byte) (int, error) {
	l.held.Write(p)
	for {
		end := bytes.IndexByte(l.held.Bytes(), '\n')
		if end < 0 {
			return len(p), nil
		}
		text := l.held.Next(end + 1)
		answer := bytes.Contains(text, []byte(`"id":`)) && (bytes.Contains(text, []byte(`"result":`)) || bytes.Contains(text, []byte(`"error":`)))
		fatal := answer && l.moment != "before" && l.seen.Add(1) == l.nth
		switch {
		case fatal && l.moment == "done":
			die()
		case fatal && l.moment == "half":
			text = text[:len(text)/2]
		}
		if _, err := l.out.Write(text); err != nil {
			return 0, err
		}
		if fatal {
			die()
		}
	}
}

// handler dies at the nth request that a client posts.
func (m *mortal) handler(next http.Handler, over *atomic.Bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || m.seen.Add(1) != m.nth {
			next.ServeHTTP(w, r)
			return
		}
		switch m.moment {
		case "before":
			die()
		case "after":
			next.ServeHTTP(w, r)
			over.Store(true)
		default:
			next.ServeHTTP(&mortalAnswer{w, m.moment}, r)
		}
	})
}

type mortalAnswer struct {
	http.ResponseWriter
	moment string
}

func (a *mortalAnswer) Write(p []byte) (int, error) {
	if a.moment == "half" {
		_, _ = a.ResponseWriter.Write(p[:len(p)/2]) // nobody will read of it
		_ = http.NewResponseController(a.ResponseWriter).Flush()
	}
	die()
	return 0, nil
}

func (a *mortalAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// moments are those at which a server is killed.
var moments = []string{"before", "done", "half", "after"}

// Whatever is being played when somebody kills the server, the run ends, one finding
// says what happened, and everything that is left open names that one cause. Nothing
// is held against the server: a call without an answer may have been done or not.
func TestAKilledServerIsOneCause(t *testing.T) {
	t.Parallel()
	list, err := scenarios.Load()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range list {
		moment, nth, target := moments[i%len(moments)], strconv.Itoa(5+i%9), "fakebackend"
		switch s.Name {
		case "cancelled", "declined":
			target, nth = asking, "6"
		case "read-only-bulk", "progress", "withdrawn", "company":
			nth = "5" // they make few calls
		}
		for over, args := range map[string][]string{
			"stdio": {"--target", "builtin:" + target, "--", os.Args[0], asMortal, target, "stdio", moment, nth},
			"http":  {"--target", startFileOf(t, target, fmt.Sprintf("{command: [%q, %s, %s, http, \"127.0.0.1:${PORT}\", %s, %q]}", os.Args[0], asMortal, target, moment, nth))},
		} {
			t.Run(s.Name+" over "+over+", "+moment+" "+nth, func(t *testing.T) {
				t.Parallel()
				r, got := run(t, append([]string{"--seed", "5", "--scenario", s.Name}, args...)...)
				got.exits(t, reports.ExitIncomplete)
				isOneCause(t, r)
				if !strings.Contains(r.Run.Cause, "signal: killed") {
					t.Errorf("the cause does not say how it ended: %s", r.Run.Cause)
				}
			})
		}
	}
}

// isOneCause demands that a report tells of a target that went away, once.
func isOneCause(t *testing.T, r reports.Report) {
	t.Helper()
	if r.Run.Ended != conform.EndGone || !strings.HasPrefix(r.Run.Cause, "the target is gone: ") {
		t.Errorf("the run ended as %q: %s", r.Run.Ended, r.Run.Cause)
	}
	var telling []string
	for _, f := range r.Findings {
		switch class := reports.ClassOf(f); {
		case class == reports.ClassFail, class == reports.ClassWarning:
			t.Errorf("%s on %s is accused: %s", f.ID, f.Operation, f.Got)
		case class == reports.ClassInconclusive:
			telling = append(telling, f.ID)
			if !strings.Contains(f.Reason, "target gone") {
				t.Errorf("%s says of the end: %s", f.ID, f.Reason)
			}
		case class == reports.ClassNotRun && strings.HasPrefix(f.Reason, "the run cancelled the call"): // what it had, it had
		case class == reports.ClassNotRun && f.Level == conform.Must && !f.Narrowed && f.Reason != r.Run.Cause:
			t.Errorf("%s on %s is not run: %s", f.ID, f.Operation, f.Reason)
		}
	}
	if !slices.Equal(telling, []string{"PRO-15"}) {
		t.Errorf("the end is told by %v", telling)
	}
}

// A server that dies before its first answer is one that cannot be reached.
func TestAServerKilledAtTheDoorIsOutOfReach(t *testing.T) {
	t.Parallel()
	for _, moment := range moments[:3] {
		for over, args := range map[string][]string{
			"stdio": {"--target", "builtin:fakebackend", "--", os.Args[0], asMortal, "fakebackend", "stdio", moment, "1"},
			"http":  {"--target", startFile(t, fmt.Sprintf("{command: [%q, %s, fakebackend, http, \"127.0.0.1:${PORT}\", %s, \"1\"]}", os.Args[0], asMortal, moment))},
		} {
			t.Run(over+", "+moment, func(t *testing.T) {
				t.Parallel()
				r, got := run(t, args...)
				got.exits(t, reports.ExitUnreachable)
				for _, f := range r.Findings {
					if f.Verdict != conform.NotRun || f.Reason != r.Run.Cause {
						t.Errorf("%s is %s: %s", f.ID, f.Verdict, f.Reason)
					}
				}
			})
		}
	}
}

// A server that somebody else runs goes away at its nth request, with all that is in
// flight. How it ended, nobody can see.
func TestAServerOfSomebodyElseGoesAway(t *testing.T) {
	t.Parallel()
	for i, scenario := range []string{"partial", "all-succeed", "partial-eligibility", "workflow", "concurrent", "concurrent-same", "replay"} {
		nth := int64(6 + i%2)
		t.Run(fmt.Sprintf("%s, request %d", scenario, nth), func(t *testing.T) {
			t.Parallel()
			b, err := fakebackend.New(fakebackend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var seen atomic.Int64
			var server *httptest.Server
			server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost && seen.Add(1) == nth {
					_ = server.Config.Close() // and with it every connection, this one too
					panic(http.ErrAbortHandler)
				}
				b.Mux().ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			t.Cleanup(b.Close)
			r, got := run(t, onBackend(server.URL+"/mcp", "--seed", "5", "--scenario", scenario)...)
			got.exits(t, reports.ExitIncomplete)
			isOneCause(t, r)
		})
	}
}
