package discover

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// listing makes tools that take a list of texts each.
func listing(t *testing.T, names ...string) *Found {
	t.Helper()
	var tools []conform.Tooling
	for _, name := range names {
		schema, err := rawjson.Parse([]byte(`{"type":"object","required":["ids"],"properties":{"ids":{"type":"array","items":{"type":"string"}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, conform.Tooling{Name: name, InputSchema: schema, Node: schema})
	}
	return Look(tools, nil)
}

func TestUpdateAddsAndKeeps(t *testing.T) {
	const query = "  query: {tool: query_orders, effect: read, input: {argument: ids}}\n"
	for name, c := range map[string]struct {
		text   string
		before string // what stands right before the first new operation
		after  string // what stands behind the last one
		depth  string
	}{
		"behind the last":            {"version: 1\noperations:\n" + query, query, "", "\n  close-orders:\n"},
		"before the next key":        {"version: 1\noperations:\n" + query + "timeouts: {call: 20s}\n", query, "timeouts: {call: 20s}\n", "\n  close-orders:\n"},
		"before its comment":         {"version: 1\noperations:\n" + query + "\n# how long\ntimeouts: {call: 20s}\n", query, "\n# how long\ntimeouts: {call: 20s}\n", "\n  close-orders:\n"},
		"as deep as the others":      {"version: 1\noperations:\n      query: {tool: query_orders}\n", "      query: {tool: query_orders}\n", "", "\n      close-orders:\n"},
		"without a last line's end":  {"version: 1\noperations:\n" + strings.TrimSuffix(query, "\n"), query, "", "\n  close-orders:\n"},
		"where there are none":       {"version: 1\nname: x\n", "name: x\n", "", "operations:\n  # guess: close_orders"},
		"beside what it is used for": {"version: 1\nignore: [{tool: query_orders, because: x}]\noperations:\n  a:\n    tool: b\n    probe: {tool: query_orders}\n", "    probe: {tool: query_orders}\n", "", "\n  close-orders:\n"},
		"a name that is taken":       {"version: 1\noperations:\n  close-orders: {tool: query_orders}\n", "  close-orders: {tool: query_orders}\n", "", "\n  close-orders-2:\n"},
	} {
		t.Run(name, func(t *testing.T) {
			out, u, err := listing(t, "query_orders", "close_orders").Update([]byte(c.text))
			if name == "where there are none" {
				if err != nil || len(u.Added) != 2 {
					t.Fatalf("%v %v", u, err)
				}
			} else if err != nil || len(u.Added) != 1 {
				t.Fatalf("%v %v", u, err)
			}
			got := string(out)
			// Without what was put in, it is what it was.
			kept, _ := strings.CutSuffix(strings.TrimSuffix(c.text, "\n")+"\n", c.after)
			if !strings.HasPrefix(got, kept) {
				t.Errorf("something else changed:\n%s", got)
			}
			at := strings.Index(got, c.before)
			if at < 0 || !strings.HasSuffix(got, c.after) || name != "where there are none" && !strings.Contains(got[at:], c.depth) {
				t.Errorf("written\n%s", got)
			}
			if again, u, err := listing(t, "query_orders", "close_orders").Update(out); err != nil || len(u.Added) != 0 || string(again) != got {
				t.Errorf("a second time: %v %v", u, err)
			}
		})
	}
}

func TestUpdateKeepsLineEnds(t *testing.T) {
	out, _, err := listing(t, "close_orders").Update([]byte("version: 1\r\noperations:\r\n  query: {tool: query_orders}\r\n"))
	if err != nil || strings.Count(string(out), "\n") != strings.Count(string(out), "\r\n") {
		t.Errorf("%v %q", err, out)
	}
}

func TestUpdateTellsWhatIsGone(t *testing.T) {
	text := "version: 1\noperations:\n  query: {tool: query_orders}\n  close: {tool: close_orders}\n"
	out, u, err := listing(t, "close_orders").Update([]byte(text))
	if err != nil || string(out) != text || !slices.Equal(u.Gone, []Gone{{"query", "query_orders"}}) {
		t.Errorf("%v %+v %s", err, u, out)
	}
}

// What cannot be kept is left alone.
func TestUpdateRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"operations in one line": "version: 1\noperations: {query: {tool: query_orders}}\n",
		"all in one line":        "{version: 1, operations: {query: {tool: query_orders}}}\n",
		"no YAML":                "version: [\n",
		"a list":                 "- version: 1\n",
		"two documents":          "version: 1\n---\nversion: 1\n",
		"operations in a text":   "version: 1\noperations: none\n",
	} {
		if out, _, err := listing(t, "close_orders").Update([]byte(text)); err == nil {
			t.Errorf("%s: written\n%s", name, out)
		}
	}
}
