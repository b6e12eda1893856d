package wire_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// answersWhenCancelled answers a call once it was told that the call is cancelled.
func answersWhenCancelled(told chan string) func(http.ResponseWriter, *http.Request, []byte, message) {
	cancelled := make(chan struct{})
	return func(w http.ResponseWriter, _ *http.Request, body []byte, m message) {
		switch m.Method {
		case "tools/call":
			<-cancelled
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, response(m.ID))
		case "notifications/cancelled":
			told <- string(body)
			close(cancelled)
			w.WriteHeader(http.StatusAccepted)
		}
	}
}

func TestACallIsCancelledWhileItIsOut(t *testing.T) {
	for name, after := range map[string]time.Duration{"at once": 0, "in its middle": 10 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			told := make(chan string, 1)
			_, s, tape := dial(t, pinned(scripted(t, answersWhenCancelled(told))))
			request := call(tape.plan("c1"))
			request.Withdraw = &wire.Withdrawal{After: after, Quiet: time.Minute}
			reply := s.Do(t.Context(), request)
			if reply.End != conform.Complete || reply.Result == nil {
				t.Errorf("the answer all the same: %+v", reply)
			}
			if got := <-told; got != `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"it is no longer wanted"}}` {
				t.Errorf("told %s", got)
			}
			if got := tape.of("c1/cancelled"); len(got) != 1 || got[0].Status != http.StatusAccepted {
				t.Errorf("the call is over before its cancellation was taken: %+v", got)
			}
			if c := tape.recording().Call("c1"); c.Response == nil {
				t.Error("the answer is none")
			}
		})
	}
}

func TestSilenceAfterACancellationIsNoTimeout(t *testing.T) {
	release := make(chan struct{})
	url := scripted(t, func(w http.ResponseWriter, _ *http.Request, _ []byte, m message) {
		if m.Method == "tools/call" {
			<-release
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, response(m.ID))
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	_, s, tape := dial(t, pinned(url))
	request := call(tape.plan("c1"))
	request.Withdraw = &wire.Withdrawal{Quiet: 20 * time.Millisecond}
	reply := s.Do(t.Context(), request)
	if reply.End != conform.Withdrawn || reply.Class != wire.Unanswered || reply.Problem != "tools/call echo was cancelled at once, and not answered within 20ms, as is lawful" {
		t.Errorf("%+v", reply)
	}
	close(release)
	tape.await(t, "the late answer", func([]conform.Observation) bool { return len(tape.of("c1")) == 2 })
	if c := tape.recording().Call("c1"); c.Response != nil {
		t.Error("what came after the cancellation is taken for the answer")
	}
}

// At 2026-07-28 a request over HTTP is cancelled by closing it, and what comes in
// that moment is no answer.
func TestClosingCancelsWhereNothingIsNotified(t *testing.T) {
	closed := make(chan struct{})
	url := scripted(t, func(w http.ResponseWriter, r *http.Request, _ []byte, m message) {
		w.Header().Set("Content-Type", "application/json")
		switch m.Method {
		case "server/discover":
			io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"supportedVersions":["2026-07-28"]}}`)
		case "tools/call":
			io.WriteString(w, response(m.ID)) // at once: it must not win
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			close(closed)
		default:
			t.Errorf("the server is told of %q", m.Method)
		}
	})
	config := pinned(url)
	config.Protocol = wire.Revision20260728
	_, s, tape := dial(t, config)
	request := call(tape.plan("c1"))
	request.Withdraw = &wire.Withdrawal{Quiet: time.Minute}
	if reply := s.Do(t.Context(), request); reply.End != conform.Withdrawn || reply.Result != nil || !strings.HasSuffix(reply.Problem, "was cancelled at once, by closing the request") {
		t.Errorf("%+v", reply)
	}
	<-closed
}

func TestAChildIsToldThatACallIsCancelled(t *testing.T) {
	_, s, tape := dial(t, started("late"))
	request := call(tape.plan("c1"))
	request.Withdraw = &wire.Withdrawal{Quiet: time.Minute}
	if reply := s.Do(t.Context(), request); reply.End != conform.Complete || reply.Result == nil {
		t.Errorf("%+v", reply)
	}
	sent := tape.sent("c1/cancelled")
	if len(sent) != 1 || !strings.Contains(string(sent[0].Body), `"requestId":2`) {
		t.Errorf("%+v", sent)
	}
	_, s, tape = dial(t, started("mute"))
	request = call(tape.plan("c1"))
	request.Withdraw = &wire.Withdrawal{After: time.Millisecond, Quiet: time.Millisecond}
	if reply := s.Do(t.Context(), request); reply.End != conform.Withdrawn {
		t.Errorf("%+v", reply)
	}
}

// A call that is answered before its middle is not cancelled any more.
func TestAnAnsweredCallIsNotCancelled(t *testing.T) {
	url := scripted(t, func(w http.ResponseWriter, _ *http.Request, _ []byte, m message) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, response(m.ID))
	})
	_, s, tape := dial(t, pinned(url))
	request := call(tape.plan("c1"))
	request.Withdraw = &wire.Withdrawal{After: time.Hour, Quiet: time.Hour}
	if reply := s.Do(t.Context(), request); reply.End != conform.Complete || len(tape.sent("c1/cancelled")) != 0 {
		t.Errorf("%+v", reply)
	}
}
