package multiitem_test

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// object is a JSON object in the making.
type object = map[string]any

// answer is what the server on the stage says to one call. A fault bends it
// before it is written.
type answer struct {
	rows    []any
	holder  object // holds results
	payload object // structuredContent
	result  object // further members of the tool result: isError
	text    *string
	bare    any    // structuredContent, where it is no object
	noData  bool   // no structuredContent
	raised  string // a JSON-RPC error instead
	status  int    // an HTTP status instead, with a body of its own
	media   string
	body    string
	moved   bool // the state of the items is another afterwards
	asks    string
	silent  bool // nothing is received
}

// script is one call of the play.
type script struct {
	conform.Planned
	watched bool // the state is read before and after
}

func quote(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}

func product(id string, truth conform.Truth) conform.Item {
	return conform.Item{Given: json.RawMessage(`{"id":"` + id + `","name":"Product ` + id + `"}`), Truth: truth, Because: map[conform.Truth]string{conform.Bad: "not_found"}[truth]}
}

// plainText is a good item that is asked for by its id alone.
func plainText(id string) conform.Item {
	full := product(id, conform.Good)
	return conform.Item{Given: quote(id), Means: full.Given, Truth: conform.Good}
}

func good(ids ...string) []conform.Item { return kind(conform.Good, ids) }
func bad(ids ...string) []conform.Item  { return kind(conform.Bad, ids) }

func kind(truth conform.Truth, ids []string) []conform.Item {
	var items []conform.Item
	for _, id := range ids {
		items = append(items, product(id, truth))
	}
	return items
}

func join(lists ...[]conform.Item) []conform.Item {
	var all []conform.Item
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// idOf is the id of an item on the stage.
func idOf(i conform.Item) string {
	var o struct{ ID string }
	if json.Unmarshal(i.Given, &o) == nil && o.ID != "" {
		return o.ID
	}
	var s string
	_ = json.Unmarshal(i.Given, &s)
	return s
}

var operations = []conform.Operation{
	{Name: "cancel", Tool: "cancel_products", Write: true, Argument: "items", Style: conform.StyleArray,
		Validator: conform.Present, ValidatorTool: "validate_products", Workflow: conform.Absent, Probe: conform.Present},
	{Name: "subscribe", Tool: "cancel_subscriptions", Write: true, Argument: "subject", Style: conform.StyleScalar,
		Validator: conform.Present, ValidatorTool: "validate_subscriptions", Workflow: conform.Absent, Probe: conform.Absent},
	{Name: "flow", Tool: "cancel_flow", Write: true, Argument: "items", Style: conform.StyleArray,
		Validator: conform.Absent, Workflow: conform.Present, Probe: conform.Absent, AuxiliaryFailure: json.RawMessage(`{"fail":true}`)},
	{Name: "query", Tool: "query_orders", Argument: "items", Style: conform.StyleArray,
		Validator: conform.Absent, Workflow: conform.Absent, Probe: conform.Present},
}

// batches are the ordinary calls that every operation gets.
func batches() []script {
	sets := []struct {
		name  string
		items []conform.Item
	}{
		{"good", good("A-1", "A-2", "A-3")},
		{"bad-first", join(bad("X-1"), good("A-4", "A-5"))},
		{"bad-middle", join(good("A-6"), bad("X-1"), good("A-7"))},
		{"bad-last", join(good("A-8", "A-9"), bad("X-1"))},
		{"all-bad", bad("X-1", "X-2")},
		{"one-good", good("B-1")},
		{"one-bad", bad("X-1")},
	}
	var all []script
	for _, s := range sets {
		all = append(all, script{Planned: conform.Planned{Scenario: "batch", Variant: s.name, Role: conform.RolePrimary, Items: s.items}})
	}
	return all
}

// play is the whole conversation, without answers.
func play() []script {
	var all []script
	add := func(operation string, s script) {
		for _, op := range operations {
			if op.Name != operation {
				continue
			}
			s.Operation, s.Method = operation, "tools/call"
			if s.Tool = op.Tool; s.Role == conform.RoleValidator {
				s.Tool = op.ValidatorTool
			}
		}
		if s.Arguments == nil {
			var list []json.RawMessage
			for _, i := range s.Items {
				list = append(list, i.Given)
			}
			b, _ := json.Marshal(object{"items": list})
			s.Arguments = b
		}
		s.Instance = fmt.Sprintf("%s/%s/%s#%d", s.Scenario, s.Variant, operation, len(all))
		all = append(all, s)
	}
	for _, op := range operations {
		for _, s := range batches() {
			s.watched = op.Name == "query"
			add(op.Name, s)
		}
	}
	primary := func(variant string, p conform.Planned) script {
		p.Scenario, p.Variant, p.Role = "special", variant, conform.RolePrimary
		return script{Planned: p}
	}
	again := product("C-1", conform.Unknown)
	again.Equals = 1
	add("cancel", primary("twice", conform.Planned{Items: append(good("C-1"), again)}))
	empty := primary("empty", conform.Planned{Form: conform.FormEmpty})
	empty.watched = true
	add("cancel", empty)
	add("cancel", primary("missing", conform.Planned{Form: conform.FormMissing}))
	add("cancel", primary("strings", conform.Planned{Form: conform.FormStrings, Items: []conform.Item{plainText("D-1"), plainText("D-2")}}))
	add("cancel", primary("bare", conform.Planned{Form: conform.FormBareObject, Items: good("D-3")}))
	add("cancel", primary("extra", conform.Planned{Extra: []string{"query", "confirmed"}, Items: good("D-4", "D-5")}))
	add("flow", primary("side-step", conform.Planned{AuxiliaryFails: true, Items: join(good("D-6", "D-7"), bad("X-1"))}))

	for _, op := range []string{"cancel", "subscribe"} {
		for variant, items := range map[string][]conform.Item{"1-good": good("E-1", "E-2"), "2-mixed": join(good("E-3"), bad("X-1")), "3-bad": bad("X-1", "X-2")} {
			add(op, script{watched: op == "cancel", Planned: conform.Planned{Scenario: "validate", Variant: variant, Role: conform.RoleValidator, Items: items}})
		}
	}
	sort.SliceStable(all, func(i, k int) bool { return all[i].Operation+all[i].Variant < all[k].Operation+all[k].Variant })
	add("cancel", script{Planned: conform.Planned{Scenario: "validate", Variant: "extra", Role: conform.RoleValidator, Extra: []string{"query"}, Items: good("E-1", "E-2")}})
	first := len(all)
	add("cancel", script{Planned: conform.Planned{Scenario: "validate", Variant: "repeat", Role: conform.RoleValidator, Items: good("F-1", "F-2")}})
	add("cancel", script{Planned: conform.Planned{Scenario: "validate", Variant: "repeat", Role: conform.RoleValidator, Items: good("F-1", "F-2"), Repeats: id(first)}})
	add("cancel", script{Planned: conform.Planned{Scenario: "validate", Variant: "execute", Role: conform.RolePrimary, Items: good("F-1", "F-2"), Follows: id(first)}})
	first = len(all)
	odd := product("U-1", conform.Unknown)
	add("query", primary("company", conform.Planned{Items: join([]conform.Item{odd}, good("G-1"))}))
	add("query", primary("regrouped", conform.Planned{Items: join(good("G-1"), []conform.Item{odd}), Regroups: id(first), Places: []int{2, 1}}))
	return all
}

func id(n int) string { return fmt.Sprintf("c%d", n) }

// serve is the server that keeps every rule.
func serve(s script) *answer {
	if s.Role == conform.RoleValidator {
		return decide(s)
	}
	a := &answer{result: object{}}
	if len(s.Items) == 0 {
		a.payload = object{"ok": false, "error": "no items were given"}
		a.result["isError"] = true
		return a
	}
	done := false
	seen := map[string]bool{}
	for _, item := range s.Items {
		id := idOf(item)
		row := object{"id": id, "success": item.Truth != conform.Bad && !seen[id]}
		switch {
		case seen[id]:
			row["error"] = "duplicate"
		case item.Truth == conform.Bad:
			row["error"] = "not_found"
		default:
			done = true
		}
		seen[id] = true
		a.rows = append(a.rows, row)
	}
	a.holder = object{}
	a.payload = object{"ok": done, "result": a.holder}
	if s.Operation == "flow" {
		output := object{s.Tool: a.holder}
		inner := object{"status": "COMPLETED", "output": output}
		a.payload = object{"ok": done, "result": inner}
		if s.AuxiliaryFails {
			output["notify"] = object{"success": false, "error": "down"}
			a.payload["ok"], a.payload["error"] = false, "notify failed"
		}
	}
	if !done {
		a.result["isError"] = true
	}
	return a
}

// decide is the validator that keeps every rule.
func decide(s script) *answer {
	var names []string
	var entries []any
	goods := 0
	for _, item := range s.Items {
		id := idOf(item)
		if item.Truth == conform.Bad {
			entries = append(entries, object{"id": id, "eligible": false, "reason": "not_found"})
			continue
		}
		goods++
		names = append(names, "Product "+id)
		entries = append(entries, object{"id": id, "name": "Product " + id})
	}
	a := &answer{result: object{}}
	if goods == 0 {
		a.payload = object{"eligible": false, "status": "NOT_ELIGIBLE", "reason": "nothing found"}
		return a
	}
	resolved := object{"items": entries}
	if s.Operation == "subscribe" {
		resolved["subject"] = strings.Join(names, ", ")
	}
	a.payload = object{"eligible": true, "status": "ELIGIBLE", "transaction_decision": object{
		"resolved_arguments": resolved, "target_tool": s.Operation + "-tool", "confirmation_message": "Cancel " + strings.Join(names, ", ") + "?"}}
	for _, op := range operations {
		if op.Name == s.Operation {
			decision(a)["target_tool"] = op.Tool
		}
	}
	return a
}

func decision(a *answer) object { return a.payload["transaction_decision"].(object) }
func resolvedArguments(a *answer) object {
	return decision(a)["resolved_arguments"].(object)
}

// body writes the answer as a JSON-RPC response.
func (a *answer) bytes(n int) string {
	if a.raised != "" {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":%s}}`, n, quote(a.raised))
	}
	if a.holder != nil {
		if _, set := a.holder["results"]; !set && a.rows != nil {
			a.holder["results"] = a.rows
		}
	}
	var data any = a.payload
	if a.bare != nil {
		data = a.bare
	}
	mirror, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	text := string(mirror)
	if a.text != nil {
		text = *a.text
	}
	a.result["content"] = []any{object{"type": "text", "text": text}}
	if !a.noData {
		a.result["structuredContent"] = json.RawMessage(mirror)
	}
	result, err := json.Marshal(a.result)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, n, result)
}

// perform plays scripts against a server and records them.
func perform(ops []conform.Operation, scripts []script, server func(script) *answer) *conform.Recording {
	var all []conform.Observation
	add := func(o conform.Observation) { o.Seq = int64(len(all) + 1); all = append(all, o) }
	header := []conform.HeaderField{{Name: "Content-Type", Value: "application/json"}}
	exchange := func(call string, p conform.Planned, n int, request string, a *answer) {
		add(conform.Observation{Kind: conform.KindPlanned, Call: call, Planned: &p})
		add(conform.Observation{Kind: conform.KindSent, Call: call, Session: "s1", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST", Header: header, Body: conform.Bytes(request)}})
		in := &conform.Received{Channel: conform.ChannelHTTP, Status: 200, Header: header, End: conform.Complete}
		switch {
		case a.silent:
			in.Status, in.Header, in.End, in.Problem = 0, nil, conform.TimedOut, "no reply before the deadline"
		case a.status != 0:
			in.Status, in.Body = a.status, conform.Bytes(a.body)
			in.Header = []conform.HeaderField{{Name: "Content-Type", Value: a.media}}
		default:
			in.Body = conform.Bytes(a.bytes(n))
		}
		if a.asks != "" {
			ask := *in
			ask.Body = conform.Bytes(`{"jsonrpc":"2.0","id":"q1","method":"` + a.asks + `","params":{}}`)
			ask.End = conform.Complete
			ask.Status, ask.Header = 200, header
			add(conform.Observation{Kind: conform.KindReceived, Call: call, Session: "s1", Received: &ask})
		}
		add(conform.Observation{Kind: conform.KindReceived, Call: call, Session: "s1", Received: in})
	}
	var tools []any
	for _, op := range ops {
		tools = append(tools, object{"name": op.Tool, "inputSchema": object{"type": "object"}})
		if op.ValidatorTool != "" {
			tools = append(tools, object{"name": op.ValidatorTool, "inputSchema": object{"type": "object", "properties": object{"customer_id": object{}}}})
		}
	}
	listed, _ := json.Marshal(object{"jsonrpc": "2.0", "id": 1, "result": object{"tools": tools}})
	add(conform.Observation{Kind: conform.KindPlanned, Call: "list", Planned: &conform.Planned{Role: conform.RoleList, Method: "tools/list"}})
	add(conform.Observation{Kind: conform.KindSent, Call: "list", Session: "s1", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Body: conform.Bytes(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)}})
	add(conform.Observation{Kind: conform.KindReceived, Call: "list", Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, Status: 200, Header: header, Body: listed, End: conform.Complete}})
	for i, s := range scripts {
		a := server(s)
		n := i + 2
		request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, n, s.Tool, s.Arguments)
		look := func(phase conform.Phase, state string) {
			e := &conform.Effect{Instance: s.Instance, Operation: s.Operation, Phase: phase, Eyes: "tool get_products"}
			items := s.Items
			if len(items) == 0 {
				items = good("A-1")
			}
			for _, item := range items {
				e.States = append(e.States, conform.State{ID: idOf(item), Present: true, State: state})
			}
			add(conform.Observation{Kind: conform.KindEffect, Effect: e})
		}
		if s.watched {
			look(conform.Before, `"ACTIVE"`)
		}
		exchange(id(i), s.Planned, n, request, a)
		if s.watched {
			state := `"ACTIVE"`
			if a.moved {
				state = `"CANCELLED"`
			}
			look(conform.After, state)
		}
	}
	add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	target := conform.Target{Name: "stage", Transport: "streamable-http", HasFile: true, Operations: ops}
	return conform.NewRecording(conform.Header{Target: target}, all)
}

// ours are the groups that this file's play gives evidence for.
func ours(id string) bool {
	for _, prefix := range []string{"ENV-", "RES-", "AGG-", "VAL-", "INP-", "WF-", "RO-"} {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}

// failing gives the ids that fail, each with its operation and root: "RES-02@cancel", "AGG-03@cancel<RES-01".
func failing(rec *conform.Recording) (ids []string, said map[string]conform.Finding) {
	said = map[string]conform.Finding{}
	for _, f := range suites.Judge(rec, multiitem.Checks()).Findings {
		if f.Verdict != conform.Fail || !ours(f.ID) {
			continue
		}
		name := f.ID
		if f.ConsequenceOf != "" {
			name += "<" + f.ConsequenceOf
		}
		if _, known := said[name]; !known {
			ids = append(ids, name)
		}
		said[name] = f
	}
	sort.Strings(ids)
	return ids, said
}

func same(t *testing.T, got, want []string, said map[string]conform.Finding) {
	t.Helper()
	sort.Strings(want)
	if strings.Join(got, " ") == strings.Join(want, " ") {
		return
	}
	t.Errorf("failing: %v\n   want: %v", got, want)
	for _, id := range got {
		f := said[id]
		t.Logf("%s %s@%s %s: want %s; got %s (%d of %d)", f.Level, id, f.Operation, f.Scenario, f.Want, f.Got, f.Count, f.Of)
	}
}
