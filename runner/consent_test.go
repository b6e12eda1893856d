package runner

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/target"
)

const shop = `version: 1
name: shop
server: {url: "URL"}
operations:
  cancel:
    tool: cancel_all
    effect: write
    input: {argument: items}
    validator: none
    workflow: none
    idempotency: none
    reset: none
    probe: {tool: look, argument: ids, path: "$.items[*]", id: id, state: state, done: [CANCELLED], settle: SETTLE}
    items:
      good: {template: "A-{n}", count: 50}
      bad: {template: "X-{n}", count: 5, because: not_found}
  query:
    tool: query_all
    effect: read
    input: {argument: items}
    validator: none
    workflow: none
    idempotency: none
    reset: none
    probe: {tool: look, argument: ids, path: "$.items[*]", id: id, state: state, settle: SETTLE}
    items:
      good: {template: "A-{n}", count: 50}
      bad: {template: "X-{n}", count: 5, because: not_found}
`

func shopAt(t *testing.T, url, settle string) *target.File {
	t.Helper()
	text := strings.NewReplacer("URL", url, "SETTLE", settle).Replace(shop)
	file, err := target.Parse("shop.yaml", []byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Nothing is sent here: it is the plan that must hold no write.
func TestWritesArePlannedForThisMachineOnly(t *testing.T) {
	for url, c := range map[string]struct {
		options Options
		writes  bool
		says    string
	}{
		"http://127.0.0.1:1/mcp":               {writes: true},
		"http://localhost:1/mcp":               {writes: true},
		"http://[::1]:1/mcp":                   {writes: true},
		"http://192.0.2.1/mcp":                 {says: "192.0.2.1"},
		"https://shop.example/mcp":             {says: "shop.example"},
		"http://localhost.shop.example/mcp":    {says: "localhost.shop.example"},
		"http://127.0.0.1.shop.example:80/mcp": {says: "127.0.0.1.shop.example"},
		"http://127.0.0.1:2/mcp":               {options: Options{ReadOnly: true}, says: "--read-only"},
	} {
		t.Run(url, func(t *testing.T) {
			r := newRun(shopAt(t, url, "1s"), c.options)
			for _, o := range listing(`[{"name":"cancel_all",` + takesItems + `},{"name":"query_all",` + takesItems + `},{"name":"look",` + takesItems + `}]`) {
				r.record.Record(o)
			}
			plan, err := r.compile()
			if err != nil {
				t.Fatal(err)
			}
			reads, writes := 0, 0
			for _, p := range plan.Plays {
				if p.Operation.Name == "cancel" {
					writes++
				} else {
					reads++
				}
			}
			if reads == 0 || (writes > 0) != c.writes {
				t.Errorf("%d plays that read and %d that write", reads, writes)
			}
			told := false
			for _, s := range plan.Skipped {
				told = told || s.Operation == "cancel" && strings.Contains(s.Reason, c.says) && len(s.Checks) > 0
			}
			if !c.writes && !told {
				t.Errorf("nothing says why, with %q: %+v", c.says, plan.Skipped)
			}
		})
	}
}
