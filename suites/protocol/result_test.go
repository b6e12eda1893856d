package protocol

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// answers is an opened session with calls of one operation, answered so, from c1 on.
func answers(revision string, all ...string) *tape {
	t := newTape(stdio).then(agrees("s1", revision), sends("list", list, askList), gets("list", goodList))
	for i, inner := range all {
		id := "c" + string(rune('1'+i))
		t.then(sends(id, cancel, cancelAs(10+i)), gets(id, strings.Replace(result(inner), `"id":3`, `"id":`+string(rune('1'))+string(rune('0'+i)), 1)))
	}
	return t
}

func TestOnlyFinalResultsOfToolsAreJudged(t *testing.T) {
	of := func(inner string) *tape { return answers("2025-11-25", inner) }
	fetched := conform.Planned{Method: "tasks/result", Operation: "cancel", Tool: "cancel_products"}
	play(t, "PRO-03", map[string]scene{
		"complete":              {of(`{"resultType":"complete","content":3}`), "fail c1"},
		"asks back":             {of(`{"resultType":"input_required","content":3}`), ""},
		"resultType of a kind":  {of(`{"resultType":7,"content":3}`), ""},
		"a task":                {of(`{"task":{}}`), ""},
		"a task that is none":   {of(`{"task":"t"}`), "fail c1"},
		"a task and content":    {of(`{"task":{},"content":3}`), "fail c1"},
		"a list":                {of(`[]`), ""},
		"of another method":     {newTape(stdio).then(sends("c1", fetched, askedAs(3, "tasks/result")), gets("c1", result(`{"content":3}`))), ""},
		"two of three":          {answers("2025-11-25", `{"content":3}`, `{"task":{}}`, `{"content":[]}`), "fail c1, pass c3"},
		"an answer in vain":     {answers("2025-11-25").then(sends("c0", cancel, cancelAs(9)), sends("c1", cancel, cancelAs(3)), gets("c1", result(`{"content":[]}`))), "pass c1"},
		"the second block":      {of(`{"content":[{"type":"text","text":"a"},{"type":"text"}]}`), "fail c1"},
		"a resource in text":    {of(`{"content":[{"type":"resource","resource":{"uri":"a:b","text":"x"}}]}`), "pass c1"},
		"a resource in bytes":   {of(`{"content":[{"type":"resource","resource":{"uri":"a:b","blob":"AA=="}}]}`), "pass c1"},
		"a resource in numbers": {of(`{"content":[{"type":"resource","resource":{"uri":"a:b","text":3,"blob":null}}]}`), "fail c1"},
		"a link without an uri": {of(`{"content":[{"type":"resource_link","name":"a"}]}`), "fail c1"},
	})
}

func TestTheSchemaBindsWhereOneIsDeclared(t *testing.T) {
	const kept, broken, bare = `{"content":[],"structuredContent":{"results":[]}}`, `{"content":[],"structuredContent":{}}`, `{"content":[]}`
	// also lists a tool beside the operation's own, which declares no schema.
	also := func(tool string, change func(*conform.Operation), steps ...step) *tape {
		t := newTape(stdio).then(agrees("s1", "2025-11-25"), sends("list", list, askList),
			gets("list", `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"cancel_products"},`+tool+`]}}`))
		change(&t.header.Target.Operations[0])
		return t.then(steps...)
	}
	const schema = `"outputSchema":{"required":["results"]}`
	as := func(tool string) conform.Planned {
		return conform.Planned{Method: "tools/call", Operation: "cancel", Tool: tool}
	}
	none := func(*conform.Operation) {}
	one := []step{sends("c1", cancel, askCancel), gets("c1", result(bare))}
	scenes := map[string]scene{
		"at 2024-11-05": {answers("2024-11-05", bare), "not applicable"},
		"at 2025-03-26": {answers("2025-03-26", broken), "not applicable"},
		"at 2025-06-18": {answers("2025-06-18", bare), "fail c1"},
		"first at an old one, then at a new one": {answers("2025-03-26", bare).then(agrees("s2", "2025-11-25"), sends("s2/c1", cancel, askCancel), gets("s2/c1", result(bare))),
			"fail s2/c1"},
		"first at a new one, then at an old one": {answers("2025-11-25", kept).then(agrees("s2", "2024-11-05"), sends("s2/c1", cancel, askCancel), gets("s2/c1", result(bare))),
			"pass c1"},
		"no call was made":                   {answers("2024-11-05"), ""},
		"three answers":                      {answers("2025-11-25", kept, `{"content":[],"isError":true}`, broken), "pass c1, fail c3"},
		"the tools were not listed":          {newTape(stdio).then(agrees("s1", "2025-11-25")).then(one...), ""},
		"no tool declares one":               {also(`{"name":"x"}`, none, one...), "not applicable"},
		"one that has nothing to do with it": {also(`{"name":"x",`+schema+`}`, none, one...), "not applicable"},
		"the validator does":                 {also(`{"name":"x",`+schema+`}`, func(o *conform.Operation) { o.ValidatorTool = "x" }, one...), ""},
		"the probe does":                     {also(`{"name":"x",`+schema+`}`, func(o *conform.Operation) { o.ProbeTool = "x" }, one...), ""},
		"the reset does":                     {also(`{"name":"x",`+schema+`}`, func(o *conform.Operation) { o.ResetTool = "x" }, one...), ""},
		"one that was called": {also(`{"name":"x",`+schema+`}`, none, append(one, sends("c2", as("x"), cancelAs(4)), gets("c2", strings.Replace(result(bare), `"id":3`, `"id":4`, 1)))...),
			"fail c2"},
		"one that is not listed": {also(`{"name":"x",`+schema+`}`, func(o *conform.Operation) { o.ProbeTool = "x" }, append(one, sends("c2", as("y"), cancelAs(4)), gets("c2", strings.Replace(result(bare), `"id":3`, `"id":4`, 1)),
			sends("c3", as("x"), cancelAs(5)), gets("c3", strings.Replace(result(kept), `"id":3`, `"id":5`, 1)))...), "pass c3"},
		"one that cannot be used": {also(`{"name":"x","outputSchema":{"type":"strin"}}`, none, sends("c1", as("x"), askCancel), gets("c1", result(kept))), "inconclusive c1"},
	}
	play(t, "PRO-01", scenes)
}

func TestStructuredContentIsAnObjectUpTo2025(t *testing.T) {
	const object, none, row = `{"content":[],"structuredContent":{}}`, `{"content":[]}`, `{"content":[],"structuredContent":[]}`
	asked := func(revisions ...string) *tape {
		t := newTape(stdio)
		for i, revision := range revisions {
			id := "c" + string(rune('1'+i))
			t.then(sends(id, cancel, under(revision, 3)), gets(id, result(row)))
		}
		return t
	}
	play(t, "PRO-02", map[string]scene{
		"an object, a list, nothing": {answers("2025-11-25", object, none, row, object), "pass c1, fail c3, pass c4"},
		"nothing":                    {answers("2025-11-25", none), "not applicable"},
		"nothing, and then a list":   {answers("2025-11-25", none, row), "fail c2"},
		"no answer":                  {answers("2025-11-25"), ""},
		"at 2026-07-28":              {asked("2026-07-28"), "not applicable"},
		"later":                      {asked("2027-12-01"), "not applicable"},
		"first then, then before":    {asked("2026-07-28", "2025-11-25"), "fail c2"},
		"first before, then then":    {asked("2025-11-25", "2026-07-28"), "fail c1"},
		"nothing, unknown revision":  {newTape(stdio).then(sends("c1", cancel, askCancel), gets("c1", result(object)), sends("c2", cancel, cancelAs(4)), gets("c2", strings.Replace(result(none), `"id":3`, `"id":4`, 1))), "pass c1"},
	})
}

func TestDoubledNames(t *testing.T) {
	of := func(inner string) *tape {
		return newTape(stdio).then(sends("c1", cancel, askCancel), gets("c1", result(inner)))
	}
	in := func(structured string) *tape { return of(`{"content":[],"structuredContent":` + structured + `}`) }
	text := func(blocks ...string) *tape {
		for i, b := range blocks {
			blocks[i] = `{"type":"text","text":"` + strings.ReplaceAll(b, `"`, `\"`) + `"}`
		}
		return of(`{"content":[` + strings.Join(blocks, ",") + `]}`)
	}
	mapping := func(c *tape, r conform.Results) *tape { c.header.Target.Operations[0].Results = r; return c }
	const must, should = "fail c1", "fail as SHOULD c1"
	const kind, key = `{"results":[{"kind":1,"kind":2}]}`, `{"results":[{"sku":1,"sku":2}]}`
	cut := func(body string) *tape {
		return newTape(streamable).then(sends("c1", cancel, askCancel), func(t *tape) {
			t.receive("c1", "s1", conform.Received{Channel: conform.ChannelHTTP, Status: 200, End: conform.Cut, Body: conform.Bytes(body),
				Header: []conform.HeaderField{{Name: "Content-Type", Value: eventStream}}})
		})
	}
	scenes := map[string]scene{
		"none":                             {in(`{}`), "pass c1"},
		"no list":                          {in(`{"other":[{"id":1,"id":2}]}`), should},
		"an object of rows":                {in(`{"results":{"a":{"id":1,"id":2}}}`), should},
		"at the top":                       {in(`{"id":1,"id":2}`), should},
		"below a row":                      {in(`{"results":[{"more":{"id":1,"id":2}}]}`), should},
		"no tool's answer":                 {newTape(stdio).then(sends("l", list, askList), gets("l", `{"jsonrpc":"2.0","id":2,"result":{"tools":[],"results":[{"id":1,"id":2}]}}`)), "fail as SHOULD l"},
		"beside the structure":             {of(`{"content":[],"results":[{"id":1,"id":2}]}`), should},
		"an error":                         {newTape(stdio).then(sends("c1", cancel, askCancel), gets("c1", `{"jsonrpc":"2.0","id":3,"error":{"code":1,"code":2,"message":"x"}}`)), should},
		"an error that shows rows":         {newTape(stdio).then(sends("c1", cancel, askCancel), gets("c1", `{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"},"structuredContent":{"results":[],"results":[]}}`)), should},
		"a line of nobody's":               {newTape(stdio).then(gets("", result(`{"structuredContent":{"results":[],"results":[]}}`))), "fail as SHOULD"},
		"in text, at the top":              {text(`{"id":1,"id":2}`), should},
		"in text, a row":                   {text(`{"results":[{"id":1,"id":2}]}`), must},
		"in text, a list":                  {text(`[{"a":1,"a":2}]`), should},
		"in the second text":               {text("done", `{"results":[{"id":1,"id":2}]}`), must},
		"in the second JSON text":          {text(`{}`, `{"results":[{"id":1,"id":2}]}`), must},
		"in text, less and then more":      {text(`{"a":1,"a":2,"results":[],"results":[]}`), must},
		"in text that only begins like it": {text(`{"a":1,"a":2`, `{"results":[],"results":[]}`), must},
		"in two texts, less":               {text(`{"a":1,"a":2}`, `{"b":1,"b":2}`), should},
		"content is no list":               {of(`{"content":{"a":1,"a":2}}`), should},
		"further names of identity":        {mapping(in(key), conform.Results{ID: []string{"no", "sku"}}), must},
		"a further name that is another":   {mapping(in(key), conform.Results{ID: []string{"no"}}), should},
		"a flag of another name":           {mapping(in(kind), conform.Results{Success: []string{"done", "kind"}}), must},
		"a flag in a shape of its own":     {mapping(in(kind), conform.Results{Success: []string{"kind"}, Path: "$.x"}), should},
		"no flag at all":                   {mapping(in(`{"results":[{"present":1,"present":2}]}`), conform.Results{Success: []string{"present"}}), should},
		"no target":                        {in(key), should},
		"more of a later message": {newTape(streamable).then(sends("c1", cancel, askCancel), getsHTTP("c1", 200, eventStream,
			event(`{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}`)+event(result(`{"content":[],"structuredContent":{"results":[],"results":[]}}`)))), must},
		"the first of the lesser": {newTape(streamable).then(sends("c1", cancel, askCancel), getsHTTP("c1", 200, eventStream,
			event(`{"jsonrpc":"2.0","method":"x","params":{"a":1,"a":2}}`)+event(`{"jsonrpc":"2.0","method":"x","params":{"b":1,"b":2}}`))), should},
		"after something in no envelope": {newTape(streamable).then(sends("c1", cancel, askCancel), getsHTTP("c1", 400, "application/json",
			`[{"id":1,"a":1,"a":2},{"jsonrpc":"2.0","id":3,"error":{"code":1,"code":2}}]`)), should},
		"only in no envelope":       {newTape(streamable).then(sends("c1", cancel, askCancel), getsHTTP("c1", 400, "application/json", `{"id":1,"a":1,"a":2}`)), ""},
		"cut within a character":    {cut(event(goodAnswer) + "data: \xc3"), "pass c1"},
		"the first byte is none":    {newTape(streamable).then(sends("c1", cancel, askCancel), getsHTTP("c1", 200, eventStream, "\xff\n"+event(goodAnswer))), must},
		"not known as an operation": {unknownOperation(in(`{"results":[{"id":1,"id":2}]}`)), must},
	}
	for _, name := range []string{"success", "ok", "index", "id", "name", "subject", "key"} {
		scenes["a row's "+name] = scene{in(`{"results":[{"` + name + `":1,"` + name + `":2}]}`), must}
	}
	play(t, "PRO-14", scenes)
}

func unknownOperation(c *tape) *tape {
	c.seen[0].Planned = &conform.Planned{Method: "tools/call", Operation: "another", Tool: "cancel_products"}
	return c
}
