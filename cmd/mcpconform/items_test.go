package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

// takingItems is a target file whose good and bad items a tool gives. good is the
// rest of the good ones' line.
func takingItems(t *testing.T, good string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.yaml")
	src := `version: 1
name: a shop that knows its products
ignore:
  - {tool: cancel_product, because: "one item a call"}
  - {tool: cancel_products_workflow, because: "another test's"}
  - {tool: query_orders, because: "another test's"}
  - {tool: cancel_subscriptions, because: "another test's"}
  - {tool: get_subscriptions, because: "another test's"}
operations:
  cancel-products:
    tool: cancel_products
    effect: write
    input: {argument: items}
    validator: {tool: validate_products_for_cancellation}
    workflow: none
    idempotency: {argument: idempotency_key}
    probe: {tool: get_products, argument: ids, path: "$.products[*]", id: id, state: status, done: [CANCELLED]}
    reset: {tool: reset}
    semantics: once
    items:
      good: ` + good + `
      bad: {from: {tool: get_products, path: "$.products[?@.status!='ACTIVE']", members: {name: name, id: $.id}}, because: not active}
      many: {template: {name: "Bulk {n}", id: "B{n}"}, count: 1200}
`
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const activeProducts = `{from: {tool: get_products, path: "$.products[?@.status=='ACTIVE' && @.id!='2002']", members: [name, id]}}`

func TestItemsAreReadFromATool(t *testing.T) {
	t.Parallel()
	server := backend(t, noOptions)
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	file := takingItems(t, activeProducts)
	r, got := run(t, "--target", file, "--url", server.URL, "--seed", "3", "--effort", "quick", "--transcript", recording)
	for _, f := range r.Findings {
		if class := reports.ClassOf(f); class == reports.ClassFail || class == reports.ClassWarning || class == reports.ClassNotRun && f.Level == conform.Must && !f.Narrowed {
			t.Errorf("%s on %s: %s %s %s", f.ID, f.Operation, f.Verdict, f.Got, f.Reason)
		}
	}
	notes := strings.Join(r.Notes, "\n")
	if !strings.Contains(notes, "25 items of cancel-products (items.good) were read from the tool get_products") ||
		!strings.Contains(notes, "2 items of cancel-products (items.bad) were read from the tool get_products") {
		t.Errorf("notes: %s", notes)
	}
	rec := transcript(t, recording)
	asked, named := 0, false
	for _, c := range rec.Calls {
		if c.Planned.Role == conform.RoleItems {
			asked++
		}
		for _, item := range c.Planned.Items {
			named = named || string(item.Given) == `{"name":"Café Especial","id":"1007"}`
			if item.Truth == conform.Bad && item.Because != "not active" {
				t.Errorf("%s is bad because %q", item.Given, item.Because)
			}
		}
	}
	if asked != 1 || !named {
		t.Errorf("the tool was asked %d times; Café Especial was asked for: %t", asked, named)
	}
	again := mcpconform(t, "judge", "--format", "json", recording)
	again.exits(t, got.code)
	if report(t, again.out).VerdictLine != r.VerdictLine || len(report(t, again.out).Findings) != len(r.Findings) {
		t.Error("judged again from its transcript the run says something else")
	}
}

// A plan calls no tool, and says what it cannot know.
func TestAPlanKnowsNoItemsOfATool(t *testing.T) {
	t.Parallel()
	b := backend(t, noOptions)
	p := plan(t, "--target", takingItems(t, activeProducts), "--url", b.URL, "--seed", "3")
	if len(p.Unread) != 1 || !strings.Contains(p.Unread[0].Reason, "items are read from the tool get_products when a run begins; their number is not known") {
		t.Errorf("%+v", p.Unread)
	}
	if got := p.Operations[0].ReadFrom; got["good"] != "get_products" || got["bad"] != "get_products" || len(got) != 2 {
		t.Errorf("%v", got)
	}
	unread := strings.Join(p.Unread[0].Scenarios, " ")
	if !strings.Contains(unread, "partial/bad-first") || strings.Contains(unread, "empty-collection") {
		t.Errorf("unknown: %s", unread)
	}
	if p.Calls == 0 || strings.Contains(strings.Join(unaskedOf(p.Unasked), " "), "RES-02") {
		t.Errorf("%d calls; nothing asks about %v", p.Calls, unaskedOf(p.Unasked))
	}
	text := mcpconform(t, "plan", "--target", takingItems(t, activeProducts), "--url", b.URL).exits(t, 0).out
	if !strings.Contains(text, "known only when it is run") {
		t.Error(text)
	}
	if effects := b.Backend.Effects(); len(effects) != 0 {
		t.Errorf("a plan did something: %v", effects)
	}
}

// A tool that gives no items leaves scenarios unplayed, and accuses nobody.
func TestAToolWithoutItemsAccusesNobody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		good, want string
	}{
		"a path that leads nowhere": {good: `{from: {tool: get_products, path: "$.things[*]"}}`,
			want: "no good items: the tool get_products gave none: nothing stands at $.things; the answer has"},
		"a tool that is not there": {good: `{from: {tool: list_products, path: "$.products[*]"}}`,
			want: "no good items: the tool list_products gave none: the server does not list it"},
		"a tool that refuses": {good: `{from: {tool: get_products, arguments: {ids: 7}, path: "$.products[*]"}}`,
			want: "no good items: the tool get_products gave none: "},
		"a filter that finds nothing": {good: `{from: {tool: get_products, path: "$.products[?@.status=='NEW']"}}`,
			want: "no good items: the tool get_products gave none: there is none at $.products[?@.status=='NEW']"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := takingItems(t, c.good)
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			without, _, _ := strings.Cut(string(src), "      many:")
			if err := os.WriteFile(file, []byte(without), 0o600); err != nil {
				t.Fatal(err)
			}
			server := backend(t, noOptions)
			r, got := run(t, "--target", file, "--url", server.URL, "--seed", "3", "--effort", "quick")
			got.exits(t, reports.ExitIncomplete)
			said := false
			for _, f := range r.Findings {
				said = said || strings.Contains(f.Reason, c.want)
				if class := reports.ClassOf(f); class == reports.ClassFail || class == reports.ClassWarning {
					t.Errorf("%s on %s: %s", f.ID, f.Operation, f.Got)
				}
			}
			if !said {
				t.Errorf("no finding says %q", c.want)
			}
		})
	}
}

func unaskedOf(all []runner.Unasked) []string {
	var ids []string
	for _, u := range all {
		ids = append(ids, u.Check)
	}
	return ids
}

// Whoever only reads may ask again: the call for items, lost on the way, is made
// once more and marked.
func TestItemsAreAskedForAgainAfterALostConnection(t *testing.T) {
	t.Parallel()
	// The two lists come before it.
	server := backend(t, fakebackend.Options{Weather: fakebackend.Weather{CutEvery: 3}})
	recording := filepath.Join(t.TempDir(), "t.jsonl")
	r, _ := run(t, "--target", takingItems(t, activeProducts), "--url", server.URL, "--seed", "3", "--scenario", "validator-twice", "--transcript", recording)
	if !strings.Contains(strings.Join(r.Notes, "\n"), "25 items of cancel-products") {
		t.Errorf("notes: %v", r.Notes)
	}
	var asked []string
	for _, c := range transcript(t, recording).Calls {
		if c.Planned.Role == conform.RoleItems {
			asked = append(asked, c.ID+" "+c.Planned.Step+" "+c.Planned.Repeats)
		}
	}
	if got := strings.Join(asked, ", "); got != "items/1 items , items/1.again items again, after a lost connection items/1" {
		t.Error(got)
	}
}
