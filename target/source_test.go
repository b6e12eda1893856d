package target

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// sourceOf reads a target file whose items are of a list from a tool.
func sourceOf(t *testing.T, list, style, from string) *Source {
	t.Helper()
	f, err := sourceFile(list, style, from)
	if err != nil {
		t.Fatal(err)
	}
	o := f.Operations[0]
	if len(o.ItemTools) != 1 || o.ItemTools[0] != "list_products" {
		t.Errorf("the transcript is told of %q", o.ItemTools)
	}
	return map[string]*Supply{"good": &o.Items.Good, "bad": &o.Items.Bad, "many": &o.Items.Many}[list].source
}

func sourceFile(list, style, from string) (*File, error) {
	src := "version: 1\noperations:\n  cancel:\n    tool: cancel\n    effect: write\n    reset: {tool: reset}\n    undo: {tool: back, argument: ids}\n    input: {argument: items, style: " + style + "}\n    items: {" + list + ": " + from + "}\n"
	return Parse("acme.yaml", []byte(src), noEnvironment)
}

// answering is a tool's answer whose payload is the JSON given.
func answering(payload string) string {
	return `{"content":[],"structuredContent":` + payload + `}`
}

func TestItemsOfATool(t *testing.T) {
	many := strings.Repeat(`{"id":"B"},`, 3)
	for name, c := range map[string]struct {
		list, style, from, answer string
		want                      []string // given, because
		left                      string
	}{
		"rows as they are": {"good", "array", `{from: {tool: list_products, path: "$.rows[*]"}}`,
			answering(`{"rows":[{"id": 1.50, "n":"\u00e9"},"S-1",17]}`), []string{`{"id": 1.50, "n":"\u00e9"} |`, `"S-1" |`, `17 |`}, ""},
		"a path that ends at the list": {"good", "array", `{from: {tool: list_products, path: "$.rows"}}`,
			answering(`{"rows":["S-1","S-2"]}`), []string{`"S-1" |`, `"S-2" |`}, ""},
		"members of rows, in the order of the file": {"good", "array", `{from: {tool: list_products, path: "$.rows[*]", members: [name, id]}}`,
			answering(`{"rows":[{"id":9007199254740993,"size":3,"name":"A"},{"id":"2"}]}`), []string{`{"name":"A","id":9007199254740993} |`, `{"id":"2"} |`}, ""},
		"members under other names, and deeper ones": {"many", "array", `{from: {tool: list_products, path: "$.rows[*]", members: {id: product_id, name: $.about.title}}}`,
			answering(`{"rows":[{"product_id":"1","about":{"title":"A"}}]}`), []string{`{"id":"1","name":"A"} |`}, ""},
		"bad ones with a reason": {"bad", "array", `{from: {tool: list_products, path: "$.rows[?@.state=='SHIPPED'].id"}, because: shipped}`,
			answering(`{"rows":[{"id":"1","state":"SHIPPED"},{"id":"2","state":"ACTIVE"}]}`), []string{`"1" | shipped`}, ""},
		"no more than asked for": {"good", "array", `{from: {tool: list_products, path: "$[*]"}, count: 2}`,
			answering(`["S-1","S-2","S-3"]`), []string{`"S-1" |`, `"S-2" |`}, ""},
		"the same one again": {"good", "array", `{from: {tool: list_products, path: "$[*]"}}`,
			answering(`[` + many + `{"id":"C"}]`), []string{`{"id":"B"} |`, `{"id":"C"} |`}, ""},
		"texts for a scalar, JSON in a text block": {"good", "scalar", `{from: {tool: list_products, path: "$[*].name"}}`,
			`{"content":[{"type":"text","text":"[{\"name\":\"Viaggi, Città\"}]"}]}`, []string{`"Viaggi, Città" |`}, ""},
		"rows that are no items": {"good", "array", `{from: {tool: list_products, path: "$[*]"}}`,
			answering(`["S-1",null,[1],true,"",{}]`), []string{`"S-1" |`}, "5 of 6 rows are no items: row 2 is null"},
		"rows without the members": {"good", "array", `{from: {tool: list_products, path: "$[*]", members: [id]}}`,
			answering(`[{"id":"1"},{"name":"A"},7]`), []string{`{"id":"1"} |`}, "2 of 3 rows are no items: row 2 has none of the `members`; it has the member name"},
		"a row that is too large": {"good", "array", `{from: {tool: list_products, path: "$[*]"}}`,
			answering(`["S-1","` + strings.Repeat("x", MaxSourcedItem) + `"]`), []string{`"S-1" |`}, "1 of 2 rows are no items: row 2 takes 65538 bytes, and an item at most 65536"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sourceOf(t, c.list, c.style, c.from)
			items, left, err := s.Read(parsed(t, c.answer))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range items {
				got = append(got, strings.TrimRight(string(item.Given)+" | "+item.Because, " "))
				if (item.Truth == conform.Bad) != (c.list == "bad") {
					t.Errorf("%s is %v", item.Given, item.Truth)
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") || left != c.left {
				t.Errorf("got\n%s\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), left, strings.Join(c.want, "\n"), c.left)
			}
		})
	}
}

func TestAToolThatGivesNoItemsSaysWhy(t *testing.T) {
	for name, c := range map[string]struct{ style, path, answer, want string }{
		"an error":              {"array", "$.rows[*]", `{"isError":true,"content":[{"type":"text","text":"closed today"}]}`, "the server answered with an error: closed today"},
		"no data":               {"array", "$.rows[*]", `{"content":[]}`, "no structuredContent, and 0 text blocks where one with JSON was expected"},
		"another member":        {"array", "$.rows[*]", answering(`{"items":[]}`), "nothing stands at $.rows; the answer has the member items"},
		"an empty list":         {"array", "$.rows[*]", answering(`{"rows":[]}`), "there is none at $.rows[*]"},
		"a filter without hits": {"array", "$.rows[?@.a]", answering(`{"rows":[{"b":1}]}`), "there is none at $.rows[?@.a]"},
		"objects for a text":    {"scalar", "$.rows[*]", answering(`{"rows":[{"b":1}]}`), "1 of 1 rows are no items: row 1 is an object, and with `style: scalar` an item is a text: let `path` lead to one"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sourceOf(t, "good", c.style, `{from: {tool: list_products, path: "`+c.path+`"}}`)
			items, _, err := s.Read(parsed(t, c.answer))
			if err == nil || err.Error() != c.want || items != nil {
				t.Errorf("%d items, %v", len(items), err)
			}
		})
	}
}

func TestASourceThatIsWrongSaysTheMend(t *testing.T) {
	for name, c := range map[string]struct{ style, from, want string }{
		"no tool":                  {"array", `{from: {path: "$"}}`, "acme.yaml:9:26: `from` has no `tool`; name a tool of the server that only reads"},
		"no path":                  {"array", `{from: {tool: x}}`, "acme.yaml:9:26: `from` has no `path`"},
		"a template beside it":     {"array", `{from: {tool: x, path: $}, template: A}`, "unknown key `template` in `good`"},
		"too many":                 {"array", `{from: {tool: x, path: $}, count: 100001}`, "must be a whole number from 1 to 100000"},
		"a member twice":           {"array", `{from: {tool: x, path: $, members: [id, id]}}`, "`members` has id twice"},
		"no members":               {"array", `{from: {tool: x, path: $, members: []}}`, "must name members of a row"},
		"a path without a name":    {"array", `{from: {tool: x, path: $, members: [$.id]}}`, "write {NAME: PATH}"},
		"objects for a text":       {"scalar", `{from: {tool: x, path: $, members: [id]}}`, "with `style: scalar` an item is a text"},
		"the tool that writes":     {"array", `{from: {tool: cancel, path: $}}`, "`from` names cancel, which the operation `cancel` writes with; name a tool that only reads"},
		"the tool that resets":     {"array", `{from: {tool: reset, path: $}}`, "`from` names reset, which `cancel` resets with"},
		"the tool that takes back": {"array", `{from: {tool: back, path: $}}`, "`from` names back, which `cancel` takes back with"},
		"a reason of good items":   {"array", `{from: {tool: x, path: $}, because: y}`, "unknown key `because` in `good`"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sourceFile("good", c.style, c.from)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestItemsAreTakenOnceARunBegins(t *testing.T) {
	f, err := sourceFile("good", "array", `{from: {tool: list_products, path: "$"}}, bad: {from: {tool: list_sold, path: "$"}}, many: [A, B]`)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Operations[0].Items.Unread()); got != "map[bad:list_sold good:list_products]" {
		t.Error(got)
	}
	filled := f.Sourced(func(_ *Operation, list string, _ *Source) ([]conform.Item, string) {
		if list == "bad" {
			return nil, "closed"
		}
		return []conform.Item{{Given: json.RawMessage(`"S-1"`)}}, ""
	})
	items := &filled.Operations[0].Items
	if items.Good.Len() != 1 || items.Many.Len() != 2 || len(items.Unread()) != 0 {
		t.Errorf("%+v", items)
	}
	if tool, unread, lacks := items.Bad.From(); tool != "list_sold" || unread || lacks != "closed" {
		t.Errorf("%s %t %s", tool, unread, lacks)
	}
	if f.Operations[0].Items.Good.Len() != 0 || len(f.Operations[0].Items.Unread()) != 2 {
		t.Error("the file itself was changed")
	}
}
