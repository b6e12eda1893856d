package runner

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// depot is a warehouse with a reset that is at work for longer than anybody waits.
type depot struct{ warehouse }

func (d *depot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tools := strings.TrimSuffix(strings.TrimSpace(warehouseTools), "]") + `,{"name":"reset_all","inputSchema":{"type":"object"}}]`
	small(w, r, "depot", tools, func(tool string, arguments json.RawMessage) string {
		if tool != "reset_all" {
			return d.answer(tool, arguments)
		}
		time.Sleep(300 * time.Millisecond)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.shipped = map[string]bool{}
		return `{"ok":true}`
	})
}

// A reset that the server is still at work on puts items back in the middle of
// whatever is played: nothing is.
func TestNothingIsPlayedIntoAResetThatHasNotEnded(t *testing.T) {
	d := &depot{warehouse: warehouse{shipped: map[string]bool{}, asked: map[string]bool{}}}
	server := httptest.NewServer(d)
	defer server.Close()
	file := shipping(t, server.URL+"/mcp", stocked)
	file.Server.Protocol, file.Timeouts.Call, file.Timeouts.Late = "2025-06-18", 100*time.Millisecond, 10*time.Millisecond
	file.Operations[0].Reset = &target.Reset{Means: target.Means{Tool: "reset_all"}}
	file.Operations[0].Operation.Reset = conform.Present
	report, err := Run(context.Background(), file, Options{Seed: 1, Scenarios: []string{"all-succeed", "partial", "one-item", "retry"}})
	if err != nil {
		t.Fatal(err)
	}
	const why = "the server may still be at work on the reset by the tool reset_all, and would put items back in the middle of a scenario: no answer to tools/call reset_all within 100ms, nor in 10ms more"
	told := false
	for _, f := range report.Findings {
		if accuses(f) {
			t.Errorf("%s fails: %s", f.ID, f.Got)
		}
		told = told || f.Verdict == conform.NotRun && f.Reason == why
	}
	if !told {
		t.Error("nothing says why nothing is played")
	}
}
