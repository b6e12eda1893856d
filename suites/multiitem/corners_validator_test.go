package multiitem_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// lists plays the listing of the server's tools.
func (f *film) lists(tools string) {
	f.add(conform.Observation{Kind: conform.KindPlanned, Call: "list", Planned: &conform.Planned{Role: conform.RoleList, Method: "tools/list"}})
	f.add(conform.Observation{Kind: conform.KindSent, Call: "list", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Body: conform.Bytes(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)}})
	f.answer("list", `{"tools":[`+tools+`]}`)
}

// decides plays a validator's call that is answered so.
func (f *film) decides(id, payload string, items []conform.Item, change ...func(*conform.Planned)) {
	f.structured(id, payload, items, append([]func(*conform.Planned){asValidator}, change...)...)
}

// as gives a call another role.
func as(role conform.Role) func(*conform.Planned) {
	return func(p *conform.Planned) { p.Role = role }
}

// elsewhere moves a call to another playing of the scenario.
func elsewhere(p *conform.Planned) { p.Instance = "film#2" }

// scalarly has a tool that takes a text.
func scalarly(op *conform.Operation) { op.Style, op.Argument = conform.StyleScalar, "subject" }

// resolving is a decision with these resolved arguments.
func resolving(arguments string) string {
	return `{"eligible":true,"transaction_decision":{"resolved_arguments":` + arguments + `}}`
}

func TestCornersOfDecisions(t *testing.T) {
	two, mixed, allBad := good("A-1", "A-2"), join(good("A-1"), bad("X-1")), bad("X-1", "X-2")
	no := `{"eligible":false,"status":"NOT_ELIGIBLE","reason":"x"}`
	corners(t, []corner{
		// Where the decision stands.
		{"in the result of an envelope", "VAL-01", nil, func(f *film) { f.decides("v1", `{"result":{"eligible":true}}`, two) }, conform.Pass, nil},
		{"the envelope's result outweighs", "VAL-02", nil, func(f *film) { f.decides("v1", `{"eligible":true,"result":{"eligible":false}}`, two) }, conform.Fail, nil},
		{"the envelope's result has none", "VAL-14", nil, func(f *film) { f.decides("v1", `{"result":{"x":1}}`, two) }, conform.NotRun, []string{"see VAL-01"}},
		{"the result has none", "VAL-01", nil, func(f *film) { f.decides("v1", `{"result":{"x":1}}`, two) }, conform.Fail, []string{"no `eligible`"}},
		{"a result of its own hides it", "VAL-14", nil, func(f *film) { f.decides("v1", `{"eligible":true,"result":{"x":1}}`, two) }, conform.Fail, nil},
		{"what is hidden is read all the same", "VAL-02", nil, func(f *film) { f.decides("v1", `{"eligible":true,"result":{"x":1}}`, two) }, conform.Pass, nil},
		{"and its decision too", "VAL-07", nil, func(f *film) {
			f.decides("v1", `{"eligible":true,"result":{"x":1},"transaction_decision":"go"}`, two)
		}, conform.Fail, []string{"transaction_decision is a string"}},
		{"and its items", "VAL-08", nil, func(f *film) {
			f.decides("v1", `{"eligible":true,"result":{"x":1},"transaction_decision":{"resolved_arguments":{"items":[{"id":"A-1"}]}}}`, two)
		}, conform.Fail, []string{"nothing for \"Product A-2\""}},
		{"refused by a JSON-RPC error", "VAL-01", nil, func(f *film) { f.raise("v1", two, asValidator) }, conform.Fail, []string{"the call was refused"}},
		{"refused for want of a role", "VAL-01", nil, func(f *film) { f.refuse("v1", "permission denied", two, asValidator) }, conform.Fail, []string{"permission problem"}},
		{"one item is ordinary", "VAL-02", nil, func(f *film) { f.decides("v1", no, good("A-1")) }, conform.Fail, nil},
		{"nothing asked", "VAL-01", nil, func(f *film) { f.decides("v1", `{}`, nil) }, conform.NotRun, nil},
		{"another form", "VAL-01", nil, func(f *film) { f.decides("v1", `{}`, two, in(conform.FormStrings)) }, conform.NotRun, nil},
		{"further arguments", "VAL-01", nil, func(f *film) { f.decides("v1", `{}`, two, extra) }, conform.NotRun, nil},

		// VAL-03: who refuses what is good too.
		{"the good alone are refused too", "VAL-03", nil, func(f *film) { f.decides("v1", no, mixed); f.decides("v2", no, two) }, conform.NotRun, []string{"see VAL-02"}},
		{"the good alone are taken", "VAL-03", nil, func(f *film) { f.decides("v1", no, mixed); f.decides("v2", `{"eligible":true}`, two) }, conform.Fail, []string{`because of "Product X-1"`}},
		{"the good alone get no decision", "VAL-03", nil, func(f *film) { f.decides("v1", no, mixed); f.decides("v2", `{}`, two) }, conform.Fail, nil},
		{"the good alone want a parameter first", "VAL-03", nil, func(f *film) {
			f.decides("v1", no, mixed)
			f.decides("v2", `{"eligible":false,"status":"NEEDS_PARAMETER","parameter":"x"}`, two)
		}, conform.Fail, nil},
		{"the tool itself refuses the good", "VAL-03", nil, func(f *film) { f.decides("v1", no, mixed); f.structured("c1", no, two) }, conform.Fail, nil},
		{"another call between them", "VAL-03", nil, func(f *film) {
			f.structured("c1", no, two)
			f.decides("v1", no, mixed)
			f.decides("v2", no, two)
		}, conform.NotRun, []string{"see VAL-02"}},

		// VAL-13 and VAL-15: the words of a refusal.
		{"an error for a reason", "VAL-13", nil, func(f *film) { f.decides("v1", `{"eligible":false,"status":"X","error":"e"}`, allBad) }, conform.Pass, nil},
		{"neither reason nor error", "VAL-13", nil, func(f *film) { f.decides("v1", `{"eligible":false,"status":"X"}`, allBad) }, conform.Fail, []string{"neither reason nor error"}},
		{"a parameter beside another status", "VAL-02", nil, func(f *film) { f.decides("v1", `{"eligible":true,"status":"OK","parameter":"x"}`, two) }, conform.Pass, nil},
		{"an argument of the validator", "VAL-15", nil, func(f *film) {
			f.lists(`{"name":"cancel_products","inputSchema":{"properties":{"a":{}}}},{"name":"validate_products","inputSchema":{"properties":{"b":{}}}}`)
			f.decides("v1", `{"eligible":false,"status":"NEEDS_PARAMETER","parameter":"b"}`, two)
		}, conform.Pass, nil},
		{"an argument of the tool", "VAL-15", nil, func(f *film) {
			f.lists(`{"name":"cancel_products","inputSchema":{"properties":{"a":{}}}},{"name":"validate_products","inputSchema":{"properties":{"b":{}}}}`)
			f.decides("v1", `{"eligible":false,"status":"NEEDS_PARAMETER","parameter":"a"}`, two)
		}, conform.Pass, nil},
		{"an argument of none", "VAL-15", nil, func(f *film) {
			f.lists(`{"name":"cancel_products","inputSchema":{"properties":{"a":{}}}}`)
			f.decides("v1", `{"eligible":false,"status":"NEEDS_PARAMETER","parameter":"c"}`, two)
		}, conform.Fail, []string{`"c", which it does not`}},
		{"no argument is declared anywhere", "VAL-15", nil, func(f *film) {
			f.lists(`{"name":"cancel_products","inputSchema":{}}`)
			f.decides("v1", `{"eligible":false,"status":"NEEDS_PARAMETER","parameter":"c"}`, two)
		}, conform.Pass, nil},

		// VAL-07: objects.
		{"a decision of null", "VAL-07", nil, func(f *film) { f.decides("v1", `{"eligible":true,"transaction_decision":null}`, two) }, conform.NotRun, []string{"carries"}},
		{"no resolved arguments", "VAL-07", nil, func(f *film) { f.decides("v1", `{"eligible":true,"transaction_decision":{}}`, two) }, conform.Pass, nil},
		{"resolved arguments of null", "VAL-07", nil, func(f *film) { f.decides("v1", resolving(`null`), two) }, conform.Pass, nil},
		{"resolved arguments of a list", "VAL-07", nil, func(f *film) { f.decides("v1", resolving(`[]`), two) }, conform.Fail, []string{"resolved_arguments is an array"}},

		// VAL-08 and VAL-09: the resolved items.
		{"in the argument's own name", "VAL-08", func(op *conform.Operation) { op.Argument = "products" }, func(f *film) {
			f.decides("v1", resolving(`{"products":[{"id":"A-1"}]}`), two)
		}, conform.Fail, []string{"Product A-2"}},
		{"items is a text, the argument a list", "VAL-08", func(op *conform.Operation) { op.Argument = "products" }, func(f *film) {
			f.decides("v1", resolving(`{"items":"A-1","products":[{"id":"A-1"},{"id":"A-2"}]}`), two)
		}, conform.Pass, nil},
		{"a single object", "VAL-08", nil, func(f *film) { f.decides("v1", resolving(`{"items":{"id":"A-1"}}`), good("A-1")) }, conform.Pass, nil},
		{"a single object for two", "VAL-08", nil, func(f *film) { f.decides("v1", resolving(`{"items":{"id":"A-1"}}`), two) }, conform.Fail, []string{"1: nothing for"}},
		{"not eligible, and shorter", "VAL-08", nil, func(f *film) {
			f.decides("v1", strings.Replace(resolving(`{"items":[{"id":"A-1"}]}`), "true", "false", 1), two)
		}, conform.NotRun, nil},
		{"an empty list", "VAL-08", nil, func(f *film) { f.decides("v1", resolving(`{"items":[]}`), two) }, conform.NotRun, []string{"see VAL-09"}},
		{"the same item twice, resolved once", "VAL-08", nil, func(f *film) {
			f.decides("v1", resolving(`{"items":[{"id":"C-1"},{"id":"A-2"}]}`), good("C-1", "C-1", "A-2"))
		}, conform.Pass, nil},
		{"the same two twice, and one is dropped", "VAL-08", nil, func(f *film) {
			f.decides("v1", resolving(`{"items":[{"id":"C-1"},{"id":"D-1"}]}`), good("C-1", "C-1", "D-1", "D-1", "A-2"))
		}, conform.Fail, []string{`2: nothing for "Product A-2"` + "\n"}},
		{"the same two twice, and the others are dropped", "VAL-08", nil, func(f *film) {
			f.decides("v1", resolving(`{"items":[{"id":"A-2"}]}`), good("C-1", "C-1", "D-1", "D-1", "A-2"))
		}, conform.Fail, []string{`1: nothing for "Product C-1", "Product D-1"` + "\n"}},
		{"one entry for two items", "VAL-08", nil, func(f *film) { f.decides("v1", resolving(`{"items":[{"id":"A-1","name":"Product A-2"}]}`), two) }, conform.Fail, []string{"1", "!nothing for"}},
		{"the second of three is dropped", "VAL-08", nil, func(f *film) {
			f.decides("v1", resolving(`{"items":[{"id":"A-1"},{"id":"A-3"}]}`), good("A-1", "A-2", "A-3"))
		}, conform.Fail, []string{`nothing for "Product A-2"` + "\n"}},
		{"the kept one in other letters", "VAL-08", nil, func(f *film) { f.decides("v1", resolving(`{"items":[{"name":"PRODUCT A-1"}]}`), two) }, conform.Fail, []string{`nothing for "Product A-2"` + "\n"}},
		{"an entry without a name, and an item with an empty one", "VAL-08", nil, func(f *film) {
			f.decides("v1", resolving(`{"items":[{"x":1}]}`), join([]conform.Item{{Given: json.RawMessage(`{"id":"","name":"Ana"}`)}}, good("A-2")))
		}, conform.Fail, []string{`nothing for "Ana", "Product A-2"`}},
		{"a text, whose good thing is dropped", "VAL-08", scalarly, func(f *film) { f.decides("v1", resolving(`{"items":[{"id":"X-1"}]}`), mixed) }, conform.NotRun, []string{"see VAL-16"}},
		{"a text, whose bad thing is dropped", "VAL-08", scalarly, func(f *film) { f.decides("v1", resolving(`{"items":[{"id":"A-1"}]}`), mixed) }, conform.Fail, []string{"Product X-1"}},
		{"a text, whose bad and good things are dropped", "VAL-08", scalarly, func(f *film) {
			f.decides("v1", resolving(`{"items":[{"id":"A-2"}]}`), join(bad("X-1"), two))
		}, conform.NotRun, []string{"see VAL-16"}},
		{"a list, whose good item is dropped", "VAL-08", nil, func(f *film) { f.decides("v1", resolving(`{"items":[{"id":"X-1"}]}`), mixed) }, conform.Fail, []string{"Product A-1"}},
		{"an empty list", "VAL-09", nil, func(f *film) { f.decides("v1", resolving(`{"items":[]}`), two) }, conform.Fail, nil},
		{"an empty object", "VAL-09", nil, func(f *film) { f.decides("v1", resolving(`{"items":{}}`), two) }, conform.Fail, nil},
		{"an empty list, not eligible", "VAL-09", nil, func(f *film) {
			f.decides("v1", strings.Replace(resolving(`{"items":[]}`), "true", "false", 1), two)
		}, conform.NotRun, nil},
		{"one item", "VAL-09", nil, func(f *film) { f.decides("v1", resolving(`{"items":{"id":"A-1"}}`), two) }, conform.Pass, nil},

		// VAL-11: target_tool.
		{"a number for a tool", "VAL-11", nil, func(f *film) { f.decides("v1", `{"eligible":true,"transaction_decision":{"target_tool":3}}`, two) }, conform.Fail, []string{"target_tool is a number"}},
		{"nobody knows which there are", "VAL-11", nil, func(f *film) {
			f.decides("v1", `{"eligible":true,"transaction_decision":{"target_tool":"cancel_products"}}`, two)
		}, conform.NotRun, []string{"were not listed"}},
		{"listed", "VAL-11", nil, func(f *film) {
			f.lists(`{"name":"cancel_products"}`)
			f.decides("v1", `{"eligible":true,"transaction_decision":{"target_tool":" cancel_products "}}`, two)
		}, conform.Pass, nil},
		{"not listed", "VAL-11", nil, func(f *film) {
			f.lists(`{"name":"cancel_products"}`)
			f.decides("v1", `{"eligible":true,"transaction_decision":{"target_tool":"cancel"}}`, two)
		}, conform.Fail, []string{`"cancel" is not listed`}},
	})
}

func TestCornersOfConfirmations(t *testing.T) {
	two := good("A-1", "A-2")
	asks := func(message string) string {
		return `{"eligible":true,"transaction_decision":{"confirmation_message":` + string(quote(message)) + `}}`
	}
	kettle := conform.Item{Given: json.RawMessage(`{"id":"Q-7","name":"Kettle"}`), Truth: conform.Good}
	cafe := conform.Item{Given: json.RawMessage(`"Cafe"`), Truth: conform.Good}
	unnamed := conform.Item{Given: json.RawMessage(`{"id":"Q-8","name":" "}`), Truth: conform.Good}
	ten, _ := manyItems(10)
	eleven, _ := manyItems(11)
	unknown := conform.Item{Given: json.RawMessage(`{"id":"U-1"}`)}
	resolved := func(message, items string) string {
		return `{"eligible":true,"transaction_decision":{"confirmation_message":` + string(quote(message)) + `,"resolved_arguments":{"items":` + items + `}}}`
	}
	informal := []conform.Item{{Given: quote("the red one"), Truth: conform.Good}}
	corners(t, []corner{
		{"all are named", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Cancel product a-1 and A-2?"), two) }, conform.Pass, nil},
		{"one is not", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Cancel A-1?"), two) }, conform.Fail, []string{`without "Product A-2"`}},
		{"ten, none named", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Sure?"), good(ten...)) }, conform.Fail, nil},
		{"eleven, none named", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Sure?"), good(eleven...)) }, conform.NotRun, nil},
		{"another answer asks nothing", "VAL-12", nil, func(f *film) {
			f.decides("v1", asks("A-1, A-2?"), two)
			f.decides("v2", `{"eligible":true}`, two)
		}, conform.Pass, nil},
		{"not eligible", "VAL-12", nil, func(f *film) { f.decides("v1", strings.Replace(asks("Sure?"), "true", "false", 1), two) }, conform.NotRun, nil},
		{"nothing is known of the items", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Sure?"), []conform.Item{unknown, unknown}) }, conform.NotRun, nil},
		{"by its name", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Cancel the kettle?"), []conform.Item{kettle}) }, conform.Pass, nil},
		{"by its id", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Cancel Q-7?"), []conform.Item{kettle}) }, conform.Pass, nil},
		{"a blank is no name", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Cancel it?"), []conform.Item{unnamed}) }, conform.Fail, nil},
		{"another letter than the name's", "VAL-12", nil, func(f *film) { f.decides("v1", asks("Cancel Cafe\u0301?"), []conform.Item{cafe}) }, conform.Fail, nil},
		{"by the resolved id", "VAL-12", nil, func(f *film) {
			f.decides("v1", resolved("Cancel R-1?", `[{"id":"Z-1"},{"name":"The Red One","id":"R-1"}]`), informal)
		}, conform.Pass, nil},
		{"by the resolved name", "VAL-12", nil, func(f *film) {
			f.decides("v1", resolved("Cancel Rosa?", `[{"subject":"the red one","name":"Rosa"}]`), informal)
		}, conform.Pass, nil},
		{"by the second of two resolved", "VAL-12", nil, func(f *film) {
			f.decides("v1", resolved("Cancel R-1?", `[{"name":"the red one"},{"subject":"the red one","id":"R-1"}]`), informal)
		}, conform.Pass, nil},
		{"by another's resolved name", "VAL-12", nil, func(f *film) {
			f.decides("v1", resolved("Cancel Rosa?", `[{"name":"the red one"},{"name":"Rosa"}]`), informal)
		}, conform.Fail, nil},
		{"by a resolved name of nothing", "VAL-12", nil, func(f *film) {
			f.decides("v1", resolved("Cancel it?", `[{"name":"the red one","id":null}]`), informal)
		}, conform.Fail, nil},
	})
}

func TestCornersOfTextsThatNameSeveral(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	judged := func(name, payload string, items []conform.Item, verdict conform.Verdict, words ...string) corner {
		return corner{name, "VAL-16", scalarly, func(f *film) { f.decides("v1", payload, items) }, verdict, words}
	}
	const both = `{"items":[{"id":"A-1"},{"id":"A-2"}]}`
	inItems := func(op *conform.Operation) { op.Style, op.Argument = conform.StyleScalar, "items" }
	corners(t, []corner{
		judged("split", resolving(both), two, conform.Pass),
		judged("not split", resolving(`{"items":[{"id":"A-1, A-2"}]}`), two, conform.Fail, "1 item for a text that names 2"),
		judged("no list", resolving(`{"subject":"A-1, A-2"}`), two, conform.Fail, "no list of items for a text that names 2"),
		judged("no decision", `{"eligible":true}`, two, conform.Fail, "no list of items"),
		judged("no decision to read", `{}`, two, conform.NotRun, "see VAL-01"),
		judged("not eligible", `{"eligible":false,"status":"NOT_ELIGIBLE"}`, two, conform.NotRun),
		judged("a decision in words", `{"eligible":true,"transaction_decision":"go"}`, two, conform.NotRun, "see VAL-07"),
		judged("arguments in a list", resolving(`["A-1","A-2"]`), two, conform.NotRun, "see VAL-07"),
		judged("arguments of null", resolving(`null`), two, conform.Fail, "no list of items"),
		judged("the text became a list", resolving(`{"subject":["A-1","A-2"],"items":[{"id":"A-1"},{"id":"A-2"}]}`), two, conform.Fail, "it is an array"),
		judged("the text became null", resolving(`{"subject":null,"items":[{"id":"A-1"},{"id":"A-2"}]}`), two, conform.Pass),
		judged("an empty list", resolving(`{"items":[]}`), two, conform.NotRun, "see VAL-09"),
		judged("one thing", resolving(`{"items":[{"id":"A-1"}]}`), good("A-1"), conform.NotRun),
		judged("the same thing twice", resolving(`{"items":[{"id":"C-1"},{"id":"A-2"}]}`), good("C-1", "C-1", "A-2"), conform.Pass),
		judged("one too many", resolving(`{"items":[{"id":"A-1"},{"id":"A-2"},{"id":"Z-1"}]}`), two, conform.Fail, "3 items for a text that names 2"),
		judged("one too many, and a bad one dropped", resolving(`{"items":[{"id":"A-1"},{"id":"Z-1"},{"id":"Z-2"}]}`), mixed, conform.Fail, "3 items"),
		judged("the bad one dropped", resolving(`{"items":[{"id":"A-1"}]}`), mixed, conform.NotRun, "see VAL-08"),
		judged("the bad one and a good one dropped", resolving(`{"items":[{"id":"A-2"}]}`), join(bad("X-1"), two), conform.Fail, "1 item for a text that names 3"),
		{"the text stands in items", "VAL-16", inItems, func(f *film) { f.decides("v1", resolving(both), two) }, conform.Pass, nil},
		{"in another form", "VAL-16", scalarly, func(f *film) { f.decides("v1", resolving(`{"items":[{"id":"A-1"}]}`), two, extra) }, conform.NotRun, nil},
		{"a collection", "VAL-16", nil, func(f *film) { f.decides("v1", resolving(`{"items":[{"id":"A-1"}]}`), two) }, conform.NotRun, []string{"takes a collection"}},
	})
}

func TestCornersOfValidatingWithoutAnEffect(t *testing.T) {
	two, yes := good("A-1", "A-2"), `{"eligible":true}`
	same := []string{"A-1=ACTIVE", "A-2=ACTIVE"}
	between := func(role conform.Role) func(*film) {
		return func(f *film) {
			f.look(conform.Before, same...)
			f.structured("x", `{}`, two, as(role))
			f.decides("v1", yes, two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}
	}
	moved := func(f *film) {
		f.look(conform.Before, same...)
		f.decides("v1", yes, two)
		f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
	}
	corners(t, []corner{
		{"nothing moves", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.decides("v1", yes, two)
			f.decides("v2", yes, two)
			f.look(conform.After, same...)
		}, conform.Pass, []string{"1 of 1"}},
		{"something moves", "VAL-05", nil, moved, conform.Fail, []string{`"Product A-1": "ACTIVE" before, "DONE" afterwards`, "1 of 1"}},
		{"the last of two calls' items moves", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-3=ACTIVE", "A-4=ACTIVE")
			f.decides("v1", yes, two)
			f.decides("v2", yes, good("A-3", "A-4"))
			f.look(conform.After, "A-1=ACTIVE", "A-3=ACTIVE", "A-4=DONE")
		}, conform.Fail, []string{"Product A-4"}},
		{"between the second and the third reading", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.look(conform.Middle, same...)
			f.decides("v1", yes, two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, []string{"Product A-1"}},
		{"in the second playing", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.decides("v1", yes, two)
			f.decides("v1b", yes, two)
			f.look(conform.After, same...)
			f.lookIn("film#2", conform.Before, same...)
			f.decides("v2", yes, two, elsewhere)
			f.lookIn("film#2", conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, []string{"Product A-1", "1 of 2"}},
		{"the tool was called before", "VAL-05", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			moved(f)
		}, conform.Fail, nil},
		{"the tool was called afterwards", "VAL-05", nil, func(f *film) {
			moved(f)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
		}, conform.Fail, nil},
		{"the tool is called in another playing", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two, elsewhere)
			f.decides("v1", yes, two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, nil},
		{"the tool was never called", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.plan("c1", two)
			f.decides("v1", yes, two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, nil},
		{"the tool was called between", "VAL-05", nil, between(conform.RolePrimary), conform.NotRun, nil},
		{"the reset was called between", "VAL-05", nil, between(conform.RoleReset), conform.NotRun, nil},
		{"the unit tool was called between", "VAL-05", nil, between(conform.RoleUnit), conform.NotRun, nil},
		{"the probe was called between", "VAL-05", nil, between(conform.RoleProbe), conform.Fail, nil},
		{"somebody else writes there", "VAL-05", nil, func(f *film) { f.othersWrite(); moved(f) }, conform.Inconclusive, []string{"shared target"}},
		{"the first reading fails", "VAL-05", nil, func(f *film) {
			f.blind(conform.Before)
			f.decides("v1", yes, two)
			f.look(conform.After, same...)
		}, conform.Inconclusive, []string{"could not be read"}},
		{"the second reading fails", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.decides("v1", yes, two)
			f.blind(conform.After)
		}, conform.Inconclusive, []string{"could not be read"}},
		{"nothing of it is shown", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, "Z-1=ACTIVE")
			f.decides("v1", yes, two)
			f.look(conform.After, "Z-1=DONE")
		}, conform.NotRun, []string{"show none of the items"}},
		{"the first is shown only before, the second only afterwards", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-3=ACTIVE")
			f.decides("v1", yes, good("A-1", "A-2", "A-3"))
			f.look(conform.After, "A-2=ACTIVE", "A-3=DONE")
		}, conform.Fail, []string{"Product A-3", "!Product A-1", "!Product A-2"}},
		{"shown in other letters", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, "a-1=ACTIVE")
			f.decides("v1", yes, two)
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, nil},
		{"shown in other letters, first", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.decides("v1", yes, two)
			f.look(conform.After, "a-1=DONE")
		}, conform.NotRun, nil},
		{"shown in other letters, which are the same", "VAL-05", foldingCase, func(f *film) {
			f.look(conform.Before, "a-1=ACTIVE")
			f.decides("v1", yes, two)
			f.look(conform.After, "a-1=DONE")
		}, conform.Fail, nil},
		{"the first call is lost, the second answered", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.lose("v0", conform.TimedOut, two, asValidator)
			f.decides("v1", yes, two)
			f.look(conform.After, same...)
		}, conform.Pass, nil},
		{"the only call is lost", "VAL-05", nil, func(f *film) {
			f.look(conform.Before, same...)
			f.lose("v0", conform.TimedOut, two, asValidator)
			f.look(conform.After, same...)
		}, conform.Inconclusive, nil},

		// INP-05: an empty request moves none of our items.
		{"an empty request moves the item of another call", "INP-05", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.look(conform.Before, "A-1=DONE", "A-2=DONE", "Z-1=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=DONE", "A-2=GONE", "Z-1=GONE")
		}, conform.Fail, []string{`"Product A-2": "DONE" before, "GONE" afterwards` + "\n"}},
		{"an empty request moves an item that two calls asked for", "INP-05", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.look(conform.Before, "A-1=DONE", "A-2=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=DONE", "A-2=GONE")
			f.call("c2", rowsOf("A-2+"), good("A-2"))
		}, conform.Fail, []string{`"Product A-2": "DONE" before, "GONE" afterwards` + "\n", "!afterwards, "}},
		{"an empty request, and an item is not shown before", "INP-05", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+", "A-3+"), good("A-1", "A-2", "A-3"))
			f.look(conform.Before, "A-2=DONE", "A-3=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=DONE", "A-3=GONE")
		}, conform.Fail, []string{`"Product A-3": "DONE" before, "GONE" afterwards` + "\n"}},
		{"an empty request, read in other letters", "INP-05", foldingCase, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.look(conform.Before, "a-1=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "a-1=GONE")
		}, conform.Fail, []string{"Product A-1"}},
		{"an empty request, read in other letters that are others", "INP-05", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.look(conform.Before, "a-1=DONE", "A-2=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=GONE", "A-2=DONE", "a-2=GONE")
		}, conform.Pass, nil},
		{"a validator is called between", "INP-05", nil, func(f *film) {
			f.look(conform.Before, "A-1=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.decides("v1", yes, good("A-1"))
			f.look(conform.After, "A-1=GONE")
		}, conform.Pass, nil},
	})
}

func TestCornersOfTheSameQuestion(t *testing.T) {
	two := good("A-1", "A-2")
	twice := func(name, first, second string, verdict conform.Verdict, words ...string) corner {
		return corner{name, "VAL-06", nil, func(f *film) {
			f.decides("v1", first, two)
			f.decides("v2", second, two, repeating("v1"))
		}, verdict, words}
	}
	resolved := func(name, first, second string, verdict conform.Verdict) corner {
		return twice(name, resolving(first), resolving(second), verdict)
	}
	corners(t, []corner{
		twice("yes, then no", `{"eligible":true}`, `{"eligible":false}`, conform.Fail, "eligible: true, then false"),
		twice("no, then yes", `{"eligible":false}`, `{"eligible":true}`, conform.Fail, "eligible: false, then true"),
		twice("no word first", `{}`, `{"eligible":false}`, conform.NotRun, "see VAL-01"),
		twice("no word then", `{"eligible":false}`, `{}`, conform.NotRun, "see VAL-01"),
		twice("nothing resolved, twice", `{"eligible":true}`, `{"eligible":true}`, conform.Pass),
		twice("resolved the second time", `{"eligible":true}`, resolving(`{}`), conform.Fail),
		twice("resolved the first time", resolving(`{}`), `{"eligible":true}`, conform.Fail),
		resolved("in another order of members", `{"a":1,"b":2}`, `{"b":2,"a":1}`, conform.Pass),
		resolved("another value first", `{"a":1,"b":2}`, `{"a":3,"b":2}`, conform.Fail),
		resolved("another value last", `{"a":1,"b":2}`, `{"a":1,"b":3}`, conform.Fail),
		resolved("another name", `{"a":1,"b":null}`, `{"a":1,"c":null}`, conform.Fail),
		resolved("one member more", `{"a":1}`, `{"a":1,"b":2}`, conform.Fail),
		resolved("a list", `{"a":[1,2]}`, `{"a":[1, 2]}`, conform.Pass),
		resolved("a list in another order", `{"a":[1,2]}`, `{"a":[2,1]}`, conform.Fail),
		resolved("a list with another end", `{"a":[1,2]}`, `{"a":[1,3]}`, conform.Fail),
		resolved("a longer list", `{"a":[1]}`, `{"a":[1,2]}`, conform.Fail),
		resolved("an empty list and an empty object", `{"a":[]}`, `{"a":{}}`, conform.Fail),
		resolved("a text, written otherwise", `{"a":"é"}`, `{"a":"\u00e9"}`, conform.Pass),
		resolved("another text", `{"a":"x"}`, `{"a":"y"}`, conform.Fail),
		resolved("true and false", `{"a":true}`, `{"a":false}`, conform.Fail),
		resolved("a number and a text", `{"a":1}`, `{"a":"1"}`, conform.Fail),
		{"what it repeats is no validator's", "VAL-06", nil, func(f *film) {
			f.structured("c1", `{"eligible":false}`, two)
			f.decides("v2", `{"eligible":true}`, two, repeating("c1"))
		}, conform.NotRun, []string{"no validator call was repeated"}},
		{"what it repeats is not known", "VAL-06", nil, func(f *film) { f.decides("v2", `{"eligible":true}`, two, repeating("v1")) }, conform.NotRun, nil},
		{"the first is lost", "VAL-06", nil, func(f *film) {
			f.lose("v1", conform.Cut, two, asValidator)
			f.decides("v2", `{"eligible":true}`, two, repeating("v1"))
		}, conform.Inconclusive, []string{"the first call: nothing came: cut", "!VAL-01"}},
		{"the second is lost", "VAL-06", nil, func(f *film) {
			f.decides("v1", `{"eligible":true}`, two)
			f.lose("v2", conform.Cut, two, asValidator, repeating("v1"))
		}, conform.Inconclusive, []string{"nothing came: cut", "!first call"}},
		{"the first is lost, and made once more", "VAL-06", nil, func(f *film) {
			f.lose("v1", conform.Cut, two, asValidator)
			f.decides("v1.again", `{"eligible":true}`, two, repeating("v1"))
			f.decides("v2", `{"eligible":false}`, two, repeating("v1"))
		}, conform.Fail, []string{"eligible: true, then false"}},
		{"both are lost, and made once more", "VAL-06", nil, func(f *film) {
			f.lose("v1", conform.Cut, two, asValidator)
			f.decides("v1.again", `{"eligible":true}`, two, repeating("v1"))
			f.lose("v2", conform.Cut, two, asValidator, repeating("v1"))
			f.decides("v2.again", `{"eligible":true}`, two, repeating("v2"))
		}, conform.Pass, nil},
		{"a lost call made once more repeats nothing", "VAL-06", nil, func(f *film) {
			f.lose("v1", conform.Cut, two, asValidator)
			f.decides("v1.again", `{"eligible":true}`, two, repeating("v1"))
		}, conform.NotRun, []string{"no validator call was repeated"}},
		{"nothing is repeated, and the call is lost", "VAL-06", nil, func(f *film) { f.lose("v2", conform.TimedOut, two, asValidator) }, conform.NotRun, nil},
		{"nothing is repeated", "VAL-06", nil, func(f *film) { f.decides("v2", `{"eligible":true}`, two) }, conform.NotRun, nil},
	})
}

func TestCornersOfTakingWhatWasResolved(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	denied := func(f *film) { f.call("c9", rowsOf("A-1-", "A-2-"), two, following(`{"items":[]}`)) }
	deniedMix := func(f *film) { f.call("c9", rowsOf("A-1-", "X-1-"), mixed, following(`{"items":[]}`)) }
	corners(t, []corner{
		{"taken", "VAL-10", nil, func(f *film) { f.call("c9", rowsOf("A-1+", "A-2+"), two, following(`{}`)) }, conform.Pass, nil},
		{"one item", "VAL-10", nil, func(f *film) {
			f.call("c1", rowsOf("B-1+", "B-2+"), good("B-1", "B-2"))
			f.refuse("c9", "no", good("A-1"), following(`{}`))
		}, conform.Fail, []string{`refused: isError with "no"`}},
		{"no item", "VAL-10", nil, func(f *film) { f.refuse("c9", "no", nil, following(`{}`)) }, conform.NotRun, []string{"no resolved_arguments"}},
		{"no rows, and no refusal", "VAL-10", nil, func(f *film) {
			f.call("c1", rowsOf("B-1+", "B-2+"), good("B-1", "B-2"))
			f.structured("c9", `{"message":"hm"}`, two, following(`{}`))
		}, conform.Fail, []string{"no results in the answer", "!refused"}},
		{"no rows for our own either", "VAL-10", nil, func(f *film) {
			f.refuse("c1", "no", good("B-1", "B-2"))
			f.refuse("c9", "no", two, following(`{}`))
		}, conform.NotRun, []string{"see RES-01"}},
		{"one of two is told as failed", "VAL-10", nil, func(f *film) { f.call("c9", rowsOf("A-1-", "A-2+"), two, following(`{}`)) }, conform.Pass, nil},
		{"both are told as failed", "VAL-10", nil, denied, conform.Fail, []string{"every row says failed"}},
		{"only bad items, told as failed", "VAL-10", nil, func(f *film) { f.call("c9", rowsOf("X-1-", "X-2-"), bad("X-1", "X-2"), following(`{}`)) }, conform.Pass, nil},
		{"both, where ours are told so too", "VAL-10", nil, func(f *film) { f.call("c1", rowsOf("B-1-", "B-2+"), good("B-1", "B-2")); denied(f) }, conform.NotRun, []string{"see AGG-01, RES-12"}},
		{"a mix is told as failed", "VAL-10", nil, deniedMix, conform.Fail, nil},
		{"a mix, where ours are rolled back", "VAL-10", nil, func(f *film) { f.call("c1", rowsOf("B-1-", "X-2-"), join(good("B-1"), bad("X-2"))); deniedMix(f) }, conform.NotRun, []string{"see AGG-02"}},
		{"good ones, where mixes of ours are rolled back", "VAL-10", nil, func(f *film) { f.call("c1", rowsOf("B-1-", "X-2-"), join(good("B-1"), bad("X-2"))); denied(f) }, conform.NotRun, []string{"see AGG-01, RES-12"}},
		{"a mix, and the operation is atomic", "VAL-10", atomically, deniedMix, conform.Pass, nil},
		{"good ones, and the operation is atomic", "VAL-10", atomically, denied, conform.Fail, nil},
		{"rows that cannot be read", "VAL-10", nil, func(f *film) { f.call("c9", `{"id":"A-1"},`+rowsOf("A-2-"), two, following(`{}`)) }, conform.NotRun, []string{"see RES-05"}},
	})
}
