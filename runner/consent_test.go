package runner

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
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
func TestWritesArePlannedWhereTheyAreConsentedTo(t *testing.T) {
	const own, foreign = "http://127.0.0.1:1/mcp", "https://shop.example/mcp"
	for name, c := range map[string]struct {
		url, instead string
		allow        []string
		options      Options
		writes       bool
		says         string
	}{
		"its own host":                               {url: own, writes: true},
		"its own host, elsewhere":                    {url: foreign, writes: true},
		"its own host, another port":                 {url: own, instead: "http://127.0.0.1:2/mcp", writes: true},
		"another address of this machine":            {url: own, instead: "http://127.0.0.2:1/mcp", says: "127.0.0.2"},
		"another name of this machine":               {url: own, instead: "http://localhost:1/mcp", says: "--allow-write localhost"},
		"a name that hides this machine":             {url: own, instead: "http://127.0.0.1.shop.example/mcp", says: "127.0.0.1.shop.example"},
		"this machine, where the file's is another":  {url: foreign, instead: own, says: "the target file's own server is shop.example"},
		"another host":                               {url: own, instead: foreign, says: "shop.example"},
		"another host that is allowed":               {url: own, instead: foreign, allow: []string{"shop.example"}, writes: true},
		"another host, while a third one is allowed": {url: own, instead: foreign, allow: []string{"www.shop.example"}, says: "shop.example"},
		"read only":                                  {url: own, options: Options{ReadOnly: true}, says: "--read-only"},
		"read only wins over what is allowed":        {url: own, instead: foreign, allow: []string{"shop.example"}, options: Options{ReadOnly: true}, says: "--read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			file := shopAt(t, c.url, "1s")
			if c.instead != "" {
				server, err := target.ServerAt(c.instead, nil)
				if err != nil {
					t.Fatal(err)
				}
				file = file.WithServer(server)
			}
			file, err := file.AllowWrite(c.allow...)
			if err != nil {
				t.Fatal(err)
			}
			r := newRun(file, c.options, suites.Default())
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
			w, foreign := r.writing(plan)
			if foreign != (c.writes && !target.Loopback(file.Host())) {
				t.Errorf("told before the first write: %v, %+v", foreign, w)
			}
			if foreign && (w.Host != "shop.example" || len(w.Operations) != 1 || w.Operations[0] != "cancel" || w.Calls < 3 || w.Items < w.Calls ||
				!strings.Contains(w.String(), "writing to shop.example: cancel: at most ")) {
				t.Errorf("%s: %+v", w, w)
			}
		})
	}
}

func TestACallIsHeldBackByWhatItWouldWrite(t *testing.T) {
	file := shopAt(t, "http://127.0.0.1:1/mcp", "1s")
	file.Safety.MaxWriteItems = 5
	r := newRun(file, Options{}, suites.Default())
	call := func(write bool, arguments string, items int) conform.BoundCall {
		return conform.BoundCall{Write: write, Planned: conform.Planned{Operation: "cancel", Items: make([]conform.Item, items), Arguments: []byte(arguments)}}
	}
	for _, c := range []struct {
		name string
		call conform.BoundCall
		says string
	}{
		{"three of five", call(true, `{"items":["a","b","c"]}`, 3), ""},
		{"a read of any size", call(false, `{"items":["a","b","c","d","e","f"]}`, 6), ""},
		{"three more", call(true, `{"items":["a","b","c"]}`, 3), "would write 3 items, and only 2 of the 5"},
		{"two that a validator made ten of", call(true, `{"items":["a","b","c","d","e","f","g","h","i","j"]}`, 2), "would write 10 items"},
		{"two more", call(true, `{"items":["a","b"]}`, 2), ""},
		{"one more", call(true, `{"items":"a"}`, 1), "only 0 of the 5"},
	} {
		if got := r.overBound(c.call); (got == "") != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, wanted %q", c.name, got, c.says)
		}
	}
}

func TestOneIsSaidInTheSingular(t *testing.T) {
	w := Writing{Host: "shop.example", Operations: []string{"cancel"}, Calls: 1, Items: 1, DryRuns: 1, SetUp: 1}
	if got := w.String(); got != "writing to shop.example: cancel: at most 1 call with 1 item, and 1 dry run, after 1 item is put in place" {
		t.Error(got)
	}
}
