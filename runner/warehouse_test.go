package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// warehouse is a right server that ships products, each once. Its items are named
// by sku and by nothing else.
type warehouse struct {
	mu      sync.Mutex
	shipped map[string]bool
	asked   map[string]bool // what calls named so far
	calls   int             // of ship_all
	// crowded: from the third call on somebody else ships what nobody has asked for.
	crowded bool
}

// stocked is how many products there are, P-1 to P-stocked.
const stocked = 40

const warehouseTools = `[
	{"name":"ship_all","inputSchema":{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"}},"required":["sku"]}}}}},
	{"name":"list_all","inputSchema":{"type":"object","properties":{"skus":{"type":"array","items":{"type":"string"}}}}}]`

func (w *warehouse) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	small(out, r, "warehouse", warehouseTools, w.answer)
}

func (w *warehouse) answer(tool string, arguments json.RawMessage) string {
	var asked struct {
		Items []struct{ SKU string }
		SKUs  []string
	}
	_ = json.Unmarshal(arguments, &asked) // what does not read asks for nothing
	if tool == "list_all" {
		return w.list(asked.SKUs)
	}
	var skus []string
	for _, item := range asked.Items {
		skus = append(skus, item.SKU)
	}
	return w.ship(skus)
}

func (w *warehouse) ship(skus []string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, sku := range skus {
		w.asked[sku] = true
	}
	if w.calls++; w.crowded && w.calls >= 3 {
		for n := range stocked {
			if sku := fmt.Sprintf("P-%d", n+1); !w.asked[sku] {
				w.shipped[sku] = true
			}
		}
	}
	var rows []string
	for _, sku := range skus {
		switch {
		case !strings.HasPrefix(sku, "P-"):
			rows = append(rows, fmt.Sprintf(`{"sku":%q,"success":false,"error":"no such product"}`, sku))
		case w.shipped[sku]:
			rows = append(rows, fmt.Sprintf(`{"sku":%q,"success":false,"error":"already shipped"}`, sku))
		default:
			w.shipped[sku] = true
			rows = append(rows, fmt.Sprintf(`{"sku":%q,"success":true}`, sku))
		}
	}
	return `{"results":[` + strings.Join(rows, ",") + `]}`
}

func (w *warehouse) list(skus []string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var rows []string
	for _, sku := range skus {
		if strings.HasPrefix(sku, "P-") {
			rows = append(rows, fmt.Sprintf(`{"sku":%q,"state":%q}`, sku, map[bool]string{false: "STOCK", true: "SHIPPED"}[w.shipped[sku]]))
		}
	}
	return `{"products":[` + strings.Join(rows, ",") + `]}`
}

// shipping is the target file of a warehouse, good so many of its products.
func shipping(t *testing.T, url string, good int) *target.File {
	t.Helper()
	file, err := target.Parse("warehouse.yaml", fmt.Appendf(nil, `version: 1
name: A warehouse
server: {url: %s}
operations:
  ship:
    tool: ship_all
    effect: write
    input: {argument: items}
    validator: none
    workflow: none
    idempotency: none
    semantics: once
    results: {id: [sku]}
    probe: {tool: list_all, argument: skus, path: "$.products[*]", id: sku, state: state, done: [SHIPPED]}
    items:
      good: {template: {sku: "P-{n}"}, count: %d}
      bad: [{item: {sku: X-1}, because: no such product}, {item: {sku: X-2}, because: no such product}]
`, url, good), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// shipAll runs the small scenarios on a warehouse.
func shipAll(t *testing.T, w *warehouse, good int, scenarios ...string) reports.Report {
	t.Helper()
	if w.shipped == nil {
		w.shipped = map[string]bool{}
	}
	w.asked = map[string]bool{}
	server := httptest.NewServer(w)
	defer server.Close()
	report, err := Run(context.Background(), shipping(t, server.URL+"/mcp", good), Options{Scenarios: scenarios, Operations: []string{"ship"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// accuses tells a finding that makes the warehouse nonconformant.
func accuses(f conform.Finding) bool {
	return f.Operation == "ship" && f.Verdict == conform.Fail && f.Level == conform.Must
}

func TestItemsOfAnyNameHaveCanaries(t *testing.T) {
	small := []string{"all-succeed", "partial", "one-item"}
	for _, f := range shipAll(t, &warehouse{}, stocked, small...).Findings {
		if accuses(f) {
			t.Errorf("nobody else writes, and %s fails: %s", f.ID, f.Got)
		}
	}
	report := shipAll(t, &warehouse{crowded: true}, stocked, small...)
	shared := 0
	for _, f := range report.Findings {
		if accuses(f) {
			t.Errorf("somebody else writes, and %s fails: %s", f.ID, f.Got)
		}
		if strings.HasPrefix(f.Reason, "shared target: P-") {
			shared++
		}
	}
	if shared == 0 {
		t.Error("nothing says that the target is shared")
	}
}

func TestItemsThatWereDoneBeforeAreHeldAgainstNobody(t *testing.T) {
	shipped := func(n int) *warehouse {
		w := &warehouse{shipped: map[string]bool{}}
		for i := range n {
			w.shipped[fmt.Sprintf("P-%d", i+1)] = true
		}
		return w
	}
	for name, c := range map[string]struct {
		shipped, good int
		verdicts      map[string]conform.Verdict
		reason, note  string // parts of AGG-01's reason and of a note; empty: there is none
	}{
		"none": {0, stocked, map[string]conform.Verdict{"RES-12": conform.Pass, "AGG-01": conform.Pass, "AGG-02": conform.Pass, "EFF-01": conform.Pass}, "", ""},
		"half": {stocked / 2, stocked, map[string]conform.Verdict{"RES-12": conform.Pass, "AGG-01": conform.Pass, "AGG-02": conform.Pass, "EFF-01": conform.Pass}, "",
			"good items of ship were already done before they were asked for, and were passed over: reset them, or give fresh items (`operations.ship.items.good`)"},
		"all": {stocked, stocked, map[string]conform.Verdict{"RES-12": conform.Pass, "AGG-01": conform.NotRun, "AGG-02": conform.NotRun, "EFF-01": conform.NotRun},
			"was already done before it was asked for (\"SHIPPED\"): reset it, or give fresh items", "good items of ship were already done"},
	} {
		t.Run(name, func(t *testing.T) {
			report := shipAll(t, shipped(c.shipped), c.good, "all-succeed/three", "partial", "one-item")
			for _, f := range report.Findings {
				if accuses(f) {
					t.Errorf("%s fails: %s", f.ID, f.Got)
				}
				if want, ok := c.verdicts[f.ID]; ok && f.Verdict != want {
					t.Errorf("%s is %s (%s), want %s", f.ID, f.Verdict, f.Reason, want)
				}
				if f.ID == "AGG-01" && !strings.Contains(f.Reason, c.reason) {
					t.Errorf("AGG-01 says: %s", f.Reason)
				}
			}
			notes := strings.Join(report.Notes, "\n")
			if c.note == "" && strings.Contains(notes, "already done") || !strings.Contains(notes, c.note) {
				t.Errorf("notes:\n%s", notes)
			}
		})
	}
}

func TestALimitIsWhyNoLargeBatchWasSent(t *testing.T) {
	w := &warehouse{shipped: map[string]bool{}, asked: map[string]bool{}}
	server := httptest.NewServer(w)
	defer server.Close()
	file := shipping(t, server.URL+"/mcp", stocked)
	file.Limits.Batch = 5
	report, err := Run(context.Background(), file, Options{Scenarios: []string{"large-batches"}, Operations: []string{"ship"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const want = "no batch of 25 items or more was sent: `limits.batch` in the target file allows 5 items"
	told := false
	for _, f := range report.Findings {
		told = told || f.ID == "LD-02" && f.Verdict == conform.NotRun && f.Reason == want
	}
	if !told {
		t.Errorf("LD-02 does not say: %s", want)
	}
}
