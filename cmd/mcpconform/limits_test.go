package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// verdicts gives what became of each check on each operation.
func verdicts(r reports.Report) map[string]string {
	all := map[string]string{}
	for _, f := range r.Findings {
		all[f.ID+" "+f.Operation] = f.Verdict.String()
	}
	return all
}

// A server that takes only so many calls in a time is found to be what it is
// without the limit, and the report says how long was waited for it.
func TestARateLimitChangesNoFinding(t *testing.T) {
	t.Parallel()
	play := []string{"--seed", "3", "--scenario", "partial,concurrent/one-session"}
	for name, c := range map[string]struct {
		limit fakebackend.Limit
		fault string
	}{
		"429 with Retry-After":             {fakebackend.Limit{Calls: 40, Per: time.Second}, "RES-02/drops-failed"},
		"503 without, on a conformant one": {fakebackend.Limit{Calls: 60, Per: time.Second, Status: 503, Silent: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var faults []string
			if c.fault != "" {
				faults = []string{c.fault}
			}
			free, _ := run(t, onBackend(backend(t, noOptions, faults...).URL, play...)...)
			limited, _ := run(t, onBackend(backend(t, fakebackend.Options{Limit: c.limit}, faults...).URL, play...)...)
			if len(limited.Notes) != 1 || !strings.Contains(limited.Notes[0], "the server was busy") {
				t.Errorf("the notes do not say that was waited: %v", limited.Notes)
			}
			want, got := verdicts(free), verdicts(limited)
			for of, verdict := range want {
				if got[of] != verdict {
					t.Errorf("%s: %s without the limit, %s with it", of, verdict, got[of])
				}
			}
		})
	}
}

// What the target file says that a server takes is kept to before it refuses.
func TestTheLimitsOfATargetFileAreKept(t *testing.T) {
	t.Parallel()
	server := backend(t, fakebackend.Options{Limit: fakebackend.Limit{Calls: 100, Per: time.Second}})
	src, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "targets", "fakebackend.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "t.yaml")
	src = append(src, "\nlimits: {rate: 80/s, in_flight: 3, batch: 7, payload: 250B}\n"...)
	if err := os.WriteFile(file, src, 0o600); err != nil {
		t.Fatal(err)
	}
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	r, _ := run(t, "--target", file, "--url", server.URL, "--seed", "3", "--scenario", "partial,concurrent/one-session,large-batches/25", "--transcript", recording)
	if !strings.Contains(strings.Join(r.Notes, "\n"), "held back to limits.rate (80 a second)") {
		t.Errorf("notes: %v", r.Notes)
	}
	rec := transcript(t, recording)
	for _, c := range rec.Calls {
		if len(c.Planned.Items) > 7 || len(c.Planned.Arguments) > 250 {
			t.Errorf("%s: %d items in %d bytes", c.ID, len(c.Planned.Items), len(c.Planned.Arguments))
		}
		for _, in := range c.Received {
			if in.Received.Status == 429 {
				t.Errorf("%s was refused", c.ID)
			}
		}
	}
	if !strings.Contains(strings.Join(r.Notes, "\n"), "was made smaller: `limits.batch` in the target file allows 7 items") {
		t.Errorf("nothing says what limits.batch left out: %v", r.Notes)
	}
	said := false
	for _, skip := range rec.Skips {
		said = said || strings.Contains(skip.Reason, "`limits.payload` in the target file allows 250")
	}
	if !said {
		t.Error("nothing says what limits.payload left out")
	}
}

// An operation's own limits hold for its calls and for no other's.
func TestTheLimitsOfAnOperationAreKept(t *testing.T) {
	t.Parallel()
	server := backend(t, noOptions)
	src, err := os.ReadFile(filepath.Join("..", "..", "fixtures", "targets", "fakebackend.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(src), "    tool: cancel_products\n",
		"    tool: cancel_products\n    limits: {rate: 40/s, in_flight: 2, batch: 5, payload: 180B}\n", 1)
	file := filepath.Join(t.TempDir(), "t.yaml")
	if err := os.WriteFile(file, []byte(text+"\nlimits: {batch: 20, in_flight: 6}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	r, _ := run(t, "--target", file, "--url", server.URL, "--seed", "3", "--scenario", "partial,concurrent/one-session,large-batches/25", "--transcript", recording)
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{
		"held back to operations.cancel-products.limits.rate (40 a second)",
		"was made smaller: `operations.cancel-products.limits.batch` in the target file allows 5 items",
		"was made smaller: `limits.batch` in the target file allows 20 items",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note says %q:\n%s", want, notes)
		}
	}
	if strings.Contains(notes, "held back to limits.rate") {
		t.Errorf("the file has no rate: %s", notes)
	}
	rec := transcript(t, recording)
	most := map[string]int{} // items of one call, by operation
	flying := map[string]int{}
	for _, c := range rec.Calls {
		if c.Planned.Role != conform.RolePrimary || c.Sent == nil {
			continue
		}
		most[c.Planned.Operation] = max(most[c.Planned.Operation], len(c.Planned.Items))
		together := 0
		for _, other := range rec.Calls {
			if other.Planned.Operation == c.Planned.Operation && other.Planned.Role == conform.RolePrimary && other.Sent != nil &&
				other.Sent.At <= c.Sent.At && other.Received[len(other.Received)-1].At > c.Sent.At {
				together++
			}
		}
		flying[c.Planned.Operation] = max(flying[c.Planned.Operation], together)
		if c.Planned.Operation == "cancel-products" && len(c.Planned.Arguments) > 180 {
			t.Errorf("%s: %d bytes", c.ID, len(c.Planned.Arguments))
		}
	}
	if most["cancel-products"] != 5 || most["query-orders"] != 20 {
		t.Errorf("the largest calls: %v", most)
	}
	if flying["cancel-products"] > 2 || flying["cancel-products"] == 0 || flying["query-orders"] > 6 {
		t.Errorf("in flight together: %v", flying)
	}
	said := false
	for _, skip := range rec.Skips {
		said = said || strings.Contains(skip.Reason, "`operations.cancel-products.limits.payload` in the target file allows 180")
	}
	if !said {
		t.Error("nothing says what limits.payload left out")
	}
	// A plan counts on it too.
	if p := plan(t, "--target", file, "--url", server.URL, "--seed", "3", "--operation", "cancel-products"); p.Seconds < float64(p.Calls)/40 {
		t.Errorf("%d calls at 40 a second in %v s", p.Calls, p.Seconds)
	}
}
