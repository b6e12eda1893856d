package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// breaking is a server that works until it is told otherwise.
type breaking struct {
	how   atomic.Value // func(http.ResponseWriter, *http.Request) bool: whether it took the request over
	calls atomic.Int64
}

func (b *breaking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if how, ok := b.how.Load().(func(http.ResponseWriter) bool); ok && b.calls.Add(1) > 60 && how(w) {
		return
	}
	small(w, r, "breaking", `[{"name":"find","inputSchema":{"type":"object","properties":{"ids":{"type":"array"}}}}]`, func(_ string, arguments json.RawMessage) string {
		var asked struct{ IDs []string }
		_ = json.Unmarshal(arguments, &asked)
		var rows []string
		for _, id := range asked.IDs {
			rows = append(rows, fmt.Sprintf(`{"id":%q,"success":true}`, id))
		}
		return `{"results":[` + strings.Join(rows, ",") + `]}`
	})
}

func breakable(t *testing.T, how func(http.ResponseWriter) bool) (*httptest.Server, *target.File) {
	t.Helper()
	b := &breaking{}
	b.how.Store(how)
	return findingAt(t, b)
}

// However a server breaks under load, the report is whole, and the cause is told once.
func TestWhatBreaksUnderLoadIsToldOnce(t *testing.T) {
	cut := func(w http.ResponseWriter) bool {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
		return true
	}
	for _, c := range []struct {
		name  string
		how   func(http.ResponseWriter) bool
		cause string // that ends the run; empty: it goes on
		what  string // that calls failed by
		exit  int
	}{
		{"503", func(w http.ResponseWriter) bool { w.WriteHeader(503); return true }, "", "429 or 503", 3},
		{"500", func(w http.ResponseWriter) bool { w.WriteHeader(500); return true }, "", "an HTTP error", 3},
		{"401", func(w http.ResponseWriter) bool { w.WriteHeader(401); return true }, "credentials expired after", "", 3},
		{"cut", cut, "the server is gone: the connection was lost", "", 3},
		{"silence", func(w http.ResponseWriter) bool { time.Sleep(400 * time.Millisecond); return true }, "the server is gone: no answer in time", "", 3},
		{"trickle", func(w http.ResponseWriter) bool {
			for range 8 {
				_, _ = w.Write([]byte(" "))
				w.(http.Flusher).Flush()
				time.Sleep(50 * time.Millisecond)
			}
			return true
		}, "the server is gone: no answer in time", "", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, file := breakable(t, c.how)
			o := briefly()
			o.Batches, o.Rounds, o.Duration, o.Warm = []int{2}, 1, 400*time.Millisecond, -1
			if c.cause != "" {
				o.Duration = 20 * time.Second
			}
			o.Concurrency = []int{4}
			r := loaded(t, file, o)
			if r.ExitCode() != c.exit || !strings.Contains(r.Run.Cause, c.cause) || (r.Run.Cause == "") != (c.cause == "") {
				t.Errorf("exit %d, cause %q: %s", r.ExitCode(), r.Run.Cause, pageOf(t, r))
			}
			row := r.Performance[0]
			if row.OK == 0 || row.Wrong > 0 {
				t.Errorf("%+v", row)
			}
			if c.what != "" && (len(row.Loaded.Failures) == 0 || row.Loaded.Failures[0].What != c.what || row.Failed == 0) {
				t.Errorf("%+v", row.Loaded.Failures)
			}
			if text := pageOf(t, r); c.cause != "" && strings.Count(text, c.cause) > 1 {
				t.Errorf("the cause is told more than once: %s", text)
			}
		})
	}
}

// When too many calls fail the run ends, if it is told to.
func TestTooManyErrorsEndTheRun(t *testing.T) {
	_, file := breakable(t, func(w http.ResponseWriter) bool { w.WriteHeader(503); return true })
	o := briefly()
	o.Rounds, o.Duration, o.MaxErrors = 1, 20*time.Second, 0.2
	if r := loaded(t, file, o); !strings.Contains(r.Run.Cause, "calls failed, more than the 20 %") || r.ExitCode() != reports.ExitIncomplete {
		t.Error(pageOf(t, r))
	}
}

// An interruption gives the partial report at once, and what was written is put back.
func TestAnInterruptedLoadPutsBack(t *testing.T) {
	backend, file := served(t, fakebackend.Options{JSONAnswers: true})
	ctx, cancel := context.WithCancelCause(context.Background())
	o := briefly("cancel-products")
	o.Duration = time.Hour
	stopped := errors.New("SIGINT")
	o.Step = func(LoadStep) {
		go func() {
			for len(backend.Effects()) < 10 {
				time.Sleep(time.Millisecond)
			}
			cancel(stopped)
		}()
	}
	partial := 0
	o.Interrupted = func(r reports.Report) {
		partial++
		if !r.Run.Partial || r.Run.Cause != "SIGINT" {
			t.Errorf("%+v", r.Run)
		}
	}
	if _, err := Load(ctx, file, o); err != nil || partial != 1 {
		t.Fatalf("%d partial reports, %v", partial, err)
	}
	effects := backend.Effects()
	if last := effects[len(effects)-1]; last.Kind != "store-reset" {
		t.Errorf("the last effect is %+v", last)
	}
}

// A server that dies is noticed although no window is as long as the silence that it
// takes to tell.
func TestSilenceLastsFromWindowToWindow(t *testing.T) {
	_, file := breakable(t, func(w http.ResponseWriter) bool {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
		return true
	})
	o := briefly()
	o.Batches, o.Rounds, o.Duration, o.Warm, o.Concurrency = []int{2, 3}, 100, 30*time.Second, -1, []int{4}
	r := loaded(t, file, o)
	if !strings.Contains(r.Run.Cause, "the server is gone: the connection was lost") || r.ExitCode() != reports.ExitIncomplete || !r.Run.Partial {
		t.Error(pageOf(t, r))
	}
}
