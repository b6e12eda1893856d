package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

func plan(t *testing.T, args ...string) runner.Plan {
	t.Helper()
	got := mcpconform(t, append([]string{"plan", "--format", "json"}, args...)...)
	got.exits(t, 0)
	var p runner.Plan
	if err := json.Unmarshal([]byte(got.out), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// A plan calls nothing but list methods, and says the calls that a run makes.
func TestAPlanSaysWhatARunDoes(t *testing.T) {
	t.Parallel()
	b, err := fakebackend.New(noOptions)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	methods := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		methods[r.Header.Get("Mcp-Method")]++
		mu.Unlock()
		b.Handler().ServeHTTP(w, r)
	}))
	defer server.Close()
	flags := onBackend(server.URL, "--seed", "7", "--scenario", "partial,concurrent,duplicates,validator-twice,replay")
	p := plan(t, flags...)
	for method := range methods {
		if method != "server/discover" && method != "tools/list" {
			t.Errorf("%s was called", method)
		}
	}
	if p.Schema != runner.PlanSchema || p.Seconds <= 0 || len(p.Operations) != 4 || len(p.LeftOut) == 0 {
		t.Errorf("%+v", p)
	}
	file := t.TempDir() + "/t.jsonl"
	_, got := run(t, append(flags, "--transcript", file)...)
	got.exits(t, 0)
	calls, besides, written := 0, 0, 0
	for _, c := range transcript(t, file).Calls {
		switch {
		case c.Planned.Method != "tools/call":
		case c.Planned.Role == conform.RolePrimary || c.Planned.Role == conform.RoleValidator:
			calls++
			if c.Planned.Role == conform.RolePrimary && c.Planned.Operation != "query-orders" {
				written += len(c.Planned.Items)
			}
		default:
			besides++
		}
	}
	if p.Calls != calls || p.Written != written {
		t.Errorf("planned %d calls and %d items, made %d and %d", p.Calls, p.Written, calls, written)
	}
	// A reading is taken again where an effect has not settled, and the last reset
	// comes at the end.
	if besides < p.Besides*9/10 || besides > p.Besides*11/10 {
		t.Errorf("planned %d calls besides, made %d", p.Besides, besides)
	}
}

func TestAPlanSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	server := backend(t, noOptions)
	p := plan(t, onBackend(server.URL, "--read-only")...)
	if p.Written != 0 {
		t.Errorf("%d items would be written", p.Written)
	}
	why := map[string]string{}
	for _, u := range p.Unasked {
		why[u.Check+" "+u.Operation] = u.Reason
	}
	if got := why["RES-02 cancel-products"]; !strings.Contains(got, "--read-only") {
		t.Errorf("RES-02 on cancel-products: %q in %v", got, why)
	}
	if _, lacking := why["RES-02 query-orders"]; lacking {
		t.Error("what reads is not asked")
	}
	text := mcpconform(t, append([]string{"plan"}, onBackend(server.URL, "--read-only")...)...)
	for _, want := range []string{"MUST rules that nothing would ask about", "RES-02 on cancel-products", "what would be played"} {
		if !strings.Contains(text.out, want) {
			t.Errorf("the text does not say %q:\n%s", want, text.out)
		}
	}
}

func TestAPlanOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	got := mcpconform(t, "plan", "--url", "http://127.0.0.1:1/mcp")
	got.exits(t, reports.ExitUnreachable)
	mcpconform(t, "plan", "--format", "xml").exits(t, 2)
	mcpconform(t, "plan", "--scenario", "no-such-scenario").exits(t, 2)
}
