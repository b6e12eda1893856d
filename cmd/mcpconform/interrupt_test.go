package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// hand is a world in which a signal comes when somebody presses.
func hand(sig os.Signal) (w world, press func()) {
	w = quiet()
	pressed := make(chan struct{})
	w.signals = func(parent context.Context) (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(parent)
		go func() {
			<-pressed
			cancel(signalled{sig})
		}()
		return ctx, func() { cancel(nil) }
	}
	return w, sync.OnceFunc(func() { close(pressed) })
}

func TestASignalEndsARunWithWhatIsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		signal os.Signal
		code   int
	}{
		"SIGINT":  {os.Interrupt, 130},
		"SIGTERM": {syscall.SIGTERM, 143},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, press := hand(c.signal)
			// It is pressed while the second batch is in flight.
			release := make(chan struct{})
			server := front(t, func(tool string, nth int) string {
				if tool == "cancel_products" && nth == 2 {
					press()
					<-release
				}
				return ""
			})
			defer close(release)
			folder := t.TempDir()
			file := filepath.Join(folder, "t.jsonl")
			got := mcpconformIn(t, w, append([]string{"run", "--format", "json", "--output", "junit=" + folder + "/r.xml", "--transcript", file,
				"--operation", "cancel-products"}, onBackend(server.URL)...)...).exits(t, c.code)

			r := report(t, got.out)
			if !r.Run.Partial || r.Run.Cause == "" || r.Run.Ended != conform.EndInterrupted && r.Run.Ended != conform.EndTerminated {
				t.Errorf("partial %v, ended %q, cause %q", r.Run.Partial, r.Run.Ended, r.Run.Cause)
			}
			if len(failing(r)) > 0 {
				t.Errorf("the good server is accused for the interrupt: %v", failing(r))
			}
			says(t, "stderr", got.err, "interrupted", "partial", "putting back for at most 5 s: the tool reset")
			says(t, "the JUnit file", read(t, folder+"/r.xml"), `name="verdict"`, "<error")

			rec := transcript(t, file)
			last := rec.Observations[len(rec.Observations)-1]
			if last.Kind != conform.KindEnded || !last.Ended.Partial {
				t.Errorf("the transcript ends with %+v", last)
			}
			if n := server.count("cancel_products"); n != 2 {
				t.Errorf("%d batches were sent, and the second was to be the last", n)
			}
			if server.last() != "reset" {
				t.Errorf("the last call was %s, and what was changed was to be put back", server.last())
			}
			again := mcpconform(t, "judge", "--format", "json", file).exits(t, 3)
			if again.out != got.out {
				t.Errorf("judge differs: %s", firstDifference(got.out, again.out))
			}
		})
	}
}

func TestASignalBeforeAnythingWasWrittenPutsNothingBack(t *testing.T) {
	t.Parallel()
	w, press := hand(os.Interrupt)
	release := make(chan struct{})
	server := front(t, func(tool string, nth int) string {
		if tool == "query_orders" && nth == 1 {
			press()
			<-release
		}
		return ""
	})
	defer close(release)
	got := mcpconformIn(t, w, append([]string{"run", "--operation", "query-orders"}, onBackend(server.URL)...)...).exits(t, 130)
	silent(t, "stderr", got.err, "putting back")
	says(t, "stdout", got.out, "incomplete")
	silent(t, "the last line", lastLine(got.out), "✓")
	if server.count("reset") != 0 {
		t.Error("reset was called, and nothing was written")
	}
}

func TestASignalWhileConnectingEndsTheRun(t *testing.T) {
	t.Parallel()
	w, press := hand(os.Interrupt)
	release := make(chan struct{})
	server := serve(t, script{tools: batchTool, call: outOfOrder, refuse: func(string) (int, string) {
		press()
		<-release
		return 500, "{}"
	}})
	defer close(release)
	got := mcpconformIn(t, w, "run", "--url", server.URL+"/mcp").exits(t, 130)
	if strings.Contains(got.out, "nonconformant") {
		t.Errorf("a verdict was reached:\n%s", got.out)
	}
}
