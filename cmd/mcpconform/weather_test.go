package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// A good server behind bad weather is accused of nothing. Reads are made once
// more and marked, writes never.
func TestBadWeatherAccusesNobody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		weather fakebackend.Weather
		again   string // how a repeat is marked; empty: there need be none
		note    string
	}{
		"connections cut before the call":  {fakebackend.Weather{CutEvery: 7}, "again, after a lost connection", "got no answer"},
		"connections cut after the call":   {fakebackend.Weather{LoseEvery: 7}, "again, after a lost connection", "got no answer"},
		"connections cut in the answer":    {fakebackend.Weather{TearEvery: 7}, "again, after a lost connection", "got no answer"},
		"an intermediary's page at times":  {fakebackend.Weather{BadGatewayEvery: 7}, "again, after an intermediary's page", ""},
		"an intermediary's page very much": {fakebackend.Weather{BadGatewayEvery: 2}, "again, after an intermediary's page", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := backend(t, fakebackend.Options{Weather: c.weather})
			recording := filepath.Join(t.TempDir(), "t.jsonl")
			r, got := run(t, onBackend(server.URL, "--seed", "5", "--scenario", "partial,all-fail,read-only-bulk,validator-twice,partial-eligibility", "--transcript", recording)...)
			got.exits(t, reports.ExitIncomplete)
			for _, f := range r.Findings {
				if class := reports.ClassOf(f); class == reports.ClassFail || class == reports.ClassWarning {
					t.Errorf("%s on %s: %s", f.ID, f.Operation, f.Got)
				}
			}
			if notes := strings.Join(r.Notes, "\n"); c.note != "" && !strings.Contains(notes, c.note) {
				t.Errorf("no note says %q: %s", c.note, notes)
			}
			rec := transcript(t, recording)
			marked := 0
			for _, call := range rec.Calls {
				if !strings.HasSuffix(call.ID, ".again") {
					continue
				}
				if strings.HasSuffix(call.Planned.Step, c.again) && call.Planned.Repeats != "" {
					marked++
				}
				if op := rec.Operation(call.Planned.Operation); op != nil && op.Write && call.Planned.Role == conform.RolePrimary {
					t.Errorf("the write %s was made again", call.Planned.Repeats)
				}
			}
			if marked == 0 {
				t.Error("no read was made again")
			}
		})
	}
}

// An intermediary that stays in the way is one cause, told once.
func TestAnIntermediaryThatStaysEndsTheRun(t *testing.T) {
	t.Parallel()
	tools := `[{"name":"find","description":"finds","inputSchema":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}}}}}]`
	var down atomic.Bool
	server := serve(t, script{tools: tools,
		refuse: func(method string) (int, string) {
			if method == "tools/call" {
				down.Store(true)
			}
			if down.Load() {
				return 504, "no upstream"
			}
			return 0, ""
		}})
	file := write(t, "t.yaml", "version: 1\noperations:\n  find: {tool: find, effect: read, input: {argument: ids}, items: {good: [A, B, C], bad: [X, Y, Z]}}\n")
	r, got := run(t, "--target", file, "--url", server.URL, "--seed", "5")
	got.exits(t, reports.ExitIncomplete)
	const want = "an intermediary answers in the server's place: HTTP 504 to a call of find, and then to 4 lists of the tools"
	if !strings.Contains(r.Run.Cause, want) {
		t.Errorf("the cause is %q", r.Run.Cause)
	}
	if n := server.count("tools/call find"); n != 2 { // the first, and it once more
		t.Errorf("%d calls were made", n)
	}
}

// A stream that breaks off behind an event with an id is taken up again, and the
// answer that comes then is the call's.
func TestAStreamThatBreaksOffIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	server := backend(t, fakebackend.Options{EventIDs: true, Weather: fakebackend.Weather{TearEvery: 5}})
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	r, got := run(t, onBackend(server.URL, "--protocol", "2025-11-25", "--seed", "5", "--scenario", "partial,read-only-bulk,concurrent/one-session,progress", "--transcript", recording)...)
	got.exits(t, reports.ExitConformant)
	if len(failing(r)) > 0 {
		t.Errorf("%v", failing(r))
	}
	resumed := 0
	for _, call := range transcript(t, recording).Calls {
		if len(call.Received) < 2 {
			continue
		}
		resumed++
		if call.Response == nil || call.Received[0].Received.End != conform.Cut {
			t.Errorf("%s came back as %+v", call.ID, call.Last())
		}
		if strings.HasSuffix(call.ID, conform.Again) {
			t.Errorf("%s was made again", call.ID)
		}
	}
	if resumed < 5 {
		t.Errorf("%d streams were taken up again", resumed)
	}
	once(t, server.Backend)
}

// A session that the server has forgotten is opened again, and the call, which was
// not begun, made again: a write too, and done once.
func TestASessionThatIsOverIsOpenedAgain(t *testing.T) {
	t.Parallel()
	server := backend(t, fakebackend.Options{Sessions: fakebackend.Stateful, Weather: fakebackend.Weather{ForgetEvery: 5}})
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	r, got := run(t, onBackend(server.URL, "--protocol", "2025-11-25", "--seed", "5", "--scenario", "partial,all-fail,read-only-bulk,partial-eligibility,replay", "--transcript", recording)...)
	got.exits(t, reports.ExitConformant)
	says(t, "the notes", strings.Join(r.Notes, "\n"), "were answered with 404, for their session was over")
	lost := 0
	for _, call := range transcript(t, recording).Calls {
		if in := call.Received; len(in) > 0 && in[0].Received.Status == http.StatusNotFound && call.Planned.Role == conform.RolePrimary {
			lost++
			if call.Response == nil {
				t.Errorf("%s was not made again", call.ID)
			}
		}
	}
	if lost == 0 {
		t.Error("no call met a session that was over")
	}
	once(t, server.Backend)
}

// once demands that nothing was cancelled twice between two resets.
func once(t *testing.T, b *fakebackend.Backend) {
	t.Helper()
	done := map[string]bool{}
	for _, e := range b.Effects() {
		switch {
		case strings.HasSuffix(e.Kind, "-cancelled"):
			if done[e.Item] {
				t.Errorf("%s was cancelled twice", e.Item)
			}
			done[e.Item] = true
		case strings.Contains(e.Kind, "reset"):
			clear(done)
		}
	}
}
