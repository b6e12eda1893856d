package runner_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// outlasting runs against a server that is at work on its writes for longer than a
// call may take, late being how much longer they are waited for.
func outlasting(t *testing.T, o fakebackend.Options, by, protocol string, late time.Duration, bend func(*target.File), plays ...string) reports.Report {
	t.Helper()
	server, err := fakebackend.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	file, err := target.Load(by, func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	at, err := target.ServerAt(server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	file = file.WithServer(at)
	file.Server.Protocol, file.Timeouts.Call, file.Timeouts.Late = protocol, 300*time.Millisecond, late
	var only []*target.Operation
	for _, op := range file.Operations {
		if op.Name == "cancel-products" {
			only = append(only, op)
		}
	}
	file.Operations = only
	if bend != nil {
		bend(file)
	}
	var transcript bytes.Buffer
	report, err := runner.Run(context.Background(), file, runner.Options{Seed: 1, Scenarios: plays, Transcript: &transcript})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// accused gives the findings above advice.
func accused(r reports.Report) []string {
	var all []string
	for _, f := range r.Findings {
		if f.Verdict == conform.Fail && f.Level > conform.May {
			all = append(all, fmt.Sprintf("%s on %s: %s", f.ID, f.Operation, f.Got))
		}
	}
	return all
}

// undoing are the options and the target file of a server that takes back item by
// item.
const undoing, resetting = "builtin:fakebackend-undo", "builtin:fakebackend"

func slowly(by string, d time.Duration) fakebackend.Options {
	back := by == undoing
	return fakebackend.Options{SlowWrites: d, Undo: back, Stock: back, NoReset: back}
}

func TestASlowWriteIsWaitedFor(t *testing.T) {
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		for _, by := range []string{resetting, undoing} {
			t.Run(protocol+" "+by, func(t *testing.T) {
				t.Parallel()
				r := outlasting(t, slowly(by, 400*time.Millisecond), by, protocol, time.Minute, nil, "all-succeed/three", "partial/bad-first", "retry", "concurrent/one-session")
				if all := accused(r); len(all) > 0 || len(r.LeftBehind) > 0 {
					t.Errorf("accused: %q; left %v", all, r.LeftBehind)
				}
				for _, f := range r.Findings {
					if f.Verdict != conform.Pass && (f.ID == "RES-01" || f.ID == "RES-12" || f.ID == "CON-03") {
						t.Errorf("%s on %s is %s: %s", f.ID, f.Operation, f.Verdict, f.Reason)
					}
				}
				if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, " that may change something took longer than the time of a call (300ms;") {
					t.Errorf("notes: %s", notes)
				}
			})
		}
	}
}

func TestAWriteThatNobodySeesTheEndOfAccusesNobody(t *testing.T) {
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		for _, by := range []string{resetting, undoing} {
			t.Run(protocol+" "+by, func(t *testing.T) {
				t.Parallel()
				r := outlasting(t, slowly(by, 2*time.Second), by, protocol, 20*time.Millisecond, nil, "all-succeed/three", "partial", "retry", "replay", "concurrent/one-session", "one-item")
				if all := accused(r); len(all) > 0 {
					t.Errorf("accused: %q", all)
				}
				for _, f := range r.Findings {
					if f.ID == "RES-01" && (f.Verdict != conform.Inconclusive || !strings.HasSuffix(f.Reason, "; the platform would have waited for 30s") || !strings.Contains(f.Hint, "`timeouts.call`")) {
						t.Errorf("%s on %s is %s: %s; %s", f.ID, f.Operation, f.Verdict, f.Reason, f.Hint)
					}
				}
				const open = "it may have been done, or may still be: no answer to tools/call "
				if by == undoing {
					if len(r.LeftBehind) > 0 { // what it put in place is gone, and cannot be done any more
						t.Errorf("left %v", r.LeftBehind)
					}
				} else if len(r.LeftBehind) == 0 || !strings.HasPrefix(r.LeftBehind[0].What, open) {
					t.Errorf("left %v", r.LeftBehind)
				}
			})
		}
	}
}

// What is done after the run gave it up, and is seen to be, is put back like anything
// else.
func TestWhatWasDoneLateIsPutBack(t *testing.T) {
	t.Parallel()
	const late = 20 * time.Millisecond
	r := outlasting(t, slowly(resetting, 3*time.Second), resetting, "2026-07-28", late, nil, "all-succeed/three")
	if len(r.LeftBehind) == 0 {
		t.Error("nothing is left where the run ended before the server did")
	}
	r = outlasting(t, slowly(resetting, 350*time.Millisecond), resetting, "2026-07-28", late, func(f *target.File) { f.Limits.Rate = 2 }, "all-succeed/three")
	if all := accused(r); len(all) > 0 || len(r.LeftBehind) > 0 {
		t.Errorf("accused: %q; left %v", all, r.LeftBehind)
	}
}
