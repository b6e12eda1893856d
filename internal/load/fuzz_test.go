package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pattern"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/suites"
)

// ground is a good answer to a call, and what the checks say of it.
type ground struct {
	op      conform.Operation
	schema  string // of the tool
	planned conform.Planned
	message string // {ID} stands for the id
	judge   *Judge
	verdict *Verdict
	pattern *pattern.Pattern
	names   *pattern.Names
}

const fuzzID = 1234567890

func (g *ground) exchange(message []byte, planned conform.Planned) *exchange {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, fuzzID, conform.CallParams(planned.Tool, planned.Arguments))
	return &exchange{
		planned: planned, sent: []byte(body), body: message, form: lean.JSON, status: 200,
		head: []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"), begun: 1, first: 2, done: 3,
	}
}

// listed is a recording of tools/list.
func listed(tool, schema string) []conform.Observation {
	if schema != "" {
		schema = `,"outputSchema":` + schema
	}
	answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":%q,"inputSchema":{"type":"object"}%s}]}}`, tool, schema)
	header := []conform.HeaderField{{Name: "Content-Type", Value: "application/json"}}
	return []conform.Observation{
		{Kind: conform.KindPlanned, Call: "list", Session: session, Planned: &conform.Planned{Role: conform.RoleList, Method: "tools/list"}},
		{Kind: conform.KindSent, Call: "list", Session: session, Sent: &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST", Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`)}},
		{Kind: conform.KindReceived, Call: "list", Session: session, Received: &conform.Received{Channel: conform.ChannelHTTP, Status: 200, Header: header, Body: conform.Bytes(answer), End: conform.Complete}},
	}
}

// grounds are answers of many lawful shapes; the checks find all of them all right.
func grounds(t testing.TB) []*ground {
	write := conform.Operation{Name: "cancel", Tool: "cancel", Write: true, Argument: "items", Style: conform.StyleArray}
	read := conform.Operation{Name: "query", Tool: "query", Argument: "items", Style: conform.StyleArray}
	flow := write
	flow.Name, flow.Tool, flow.Workflow = "flow", "flow", conform.Present
	named := read
	named.Results.ID = []string{"sku"}
	folded := read
	folded.FoldCase = true
	const rows = `{"id":"A-1","name":"First","success":true,"protocol":"P-1","note":"by us","took":3},{"id":"X-9","name":"Second","success":false,"error":"not_found","reason":"gone","took":4},{"id":"B-2","name":"Third","success":true,"protocol":"P-2","note":"by us","took":5.5}`
	const states = `{"id":"A-1","success":true,"status":"DONE","order":{"state":"PAID","cents":5}},{"id":"X-9","success":false,"error":"not_found"},{"id":"B-2","success":true,"status":"ACCEPTED","order":{"state":"IN_TRANSIT","cents":7}}`
	const enumerated = `{"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{"order":{"type":"object","properties":{"state":{"enum":["PAID","IN_TRANSIT","SENT"]}}}}}}}}`
	mirrored := func(payload, more string) string {
		text, _ := json.Marshal(payload)
		return `{"jsonrpc":"2.0","id":{ID},"result":{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + payload + more + `}}`
	}
	structured := func(payload string) string {
		return `{"result":{"content":[{"type":"text","text":"Two of three, in 5 ms"}],"structuredContent":` + payload + `},"jsonrpc":"2.0","id":{ID}}`
	}
	text := func(payload string) string {
		words, _ := json.Marshal(payload)
		return `{"jsonrpc":"2.0","id":{ID},"result":{"content":[{"type":"text","text":` + string(words) + `}],"isError":false}}`
	}
	const open = `{"type":"object","required":["result"],"properties":{"ok":{"type":"boolean"},"result":{"type":"object","properties":{"results":{"type":"array","items":{"$ref":"#/$defs/Row"}}}}},"$defs":{"Row":{"type":"object","properties":{"id":{"type":"string"},"protocol":{"anyOf":[{"type":"string"},{"type":"null"}]}}}}}`
	const bound = `{"type":"object","properties":{"results":{"items":{"properties":{"note":{"enum":["by us"]},"took":{"maximum":9},"protocol":{"pattern":"^P-[0-9]$"}}}}}}`
	all := []*ground{
		{op: write, message: mirrored(`{"status":"PARTIAL_SUCCESS","total":3,"succeeded":2,"failed":1,"message":"two of three","results":[`+rows+`]}`, "")},
		{op: write, schema: open, message: mirrored(`{"ok":true,"result":{"results":[`+rows+`]},"metadata":{"trace":"t-1"}}`, `,"isError":false`)},
		{op: write, schema: bound, message: structured(`{"results":[` + rows + `],"summary":{"total":3,"took":7}}`)},
		{op: read, message: text(`{"results":[` + rows + `],"request":"r-17"}`)},
		{op: flow, message: mirrored(`{"output":{"flow":{"results":[`+rows+`]},"mail":{"sent":"m-1"}},"error":"mail is late"}`, "")},
		{op: named, message: structured(strings.ReplaceAll(`{"results":[`+rows+`]}`, `"name"`, `"sku"`))},
		{op: folded, message: structured(`{"results":[` + strings.NewReplacer("A-1", "a-1").Replace(rows) + `]}`)},
		{op: read, schema: bound, message: mirrored(`{"results":[`+rows+`],"summary":{"total":3,"took":7}}`, "")},
		{op: read, message: mirrored(`{"status":"PARTIAL_SUCCESS","total":3,"succeeded":2,"failed":1,"results":[`+states+`]}`, "")},
		{op: write, message: structured(`{"results":[` + states + `]}`)},
		{op: read, schema: enumerated, message: mirrored(`{"results":[`+states+`]}`, "")},
		{op: read, schema: strings.Replace(enumerated, `"items"`, `"uniqueItems":true,"items"`, 1), message: mirrored(`{"results":[`+states+`]}`, "")},
		{op: read, message: structured(`{"results":[{"index":0,"ok":true,"x":"y"},{"index":1,"ok":false,"error":"e"},{"index":2,"ok":true,"x":"y"}]}`)},
	}
	for i, g := range all {
		g.planned = conform.Planned{Operation: g.op.Name, Role: conform.RolePrimary, Method: "tools/call", Tool: g.op.Tool, Step: "load"}
		g.planned.Items = threeItems("A-1", "First", "X-9", "Second", "B-2", "Third")
		g.planned.Arguments = json.RawMessage(`{}`)
		header := conform.Header{Target: conform.Target{Name: "x", HasFile: true, Protocol: "2025-11-25", Operations: []conform.Operation{g.op}}}
		g.judge = NewJudge(header, listed(g.op.Tool, g.schema), suites.All())
		g.names = pattern.NamesOf(g.planned.Items, g.op.FoldCase)
		message := []byte(strings.ReplaceAll(g.message, "{ID}", strconv.Itoa(fuzzID)))
		g.message = string(message)
		if g.verdict = g.judge.strict(&g.op, g.exchange(message, g.planned), nil); g.verdict.Outcome != OK {
			t.Fatalf("answer %d is not all right: %+v", i, g.verdict)
		}
		var err error
		if g.pattern, err = pattern.Make(message, fuzzID, pattern.Asked{Operation: &g.op, Items: g.planned.Items, Names: g.names, Schema: g.judge.tools[g.op.Tool]}); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// threeItems are a good, a bad and a good one.
func threeItems(names ...string) []conform.Item {
	var items []conform.Item
	for i := 0; i < len(names); i += 2 {
		truth := conform.Good
		if i == 2 {
			truth = conform.Bad
		}
		given, _ := json.Marshal(map[string]string{"id": names[i], "name": names[i+1]})
		items = append(items, conform.Item{Given: given, Truth: truth})
	}
	return items
}

// change changes a message as the bytes of a script say: at a place, or at one of
// the texts, numbers and rows that it holds.
func change(message string, script []byte) string {
	next := func() int {
		if len(script) == 0 {
			return 0
		}
		b := script[0]
		script = script[1:]
		return int(b)
	}
	for steps := 0; len(script) > 0 && steps < 6 && message != ""; steps++ {
		how, at := next(), (next()<<8|next())%len(message)
		word := func() string {
			n := min(next()%12, len(script))
			w := string(script[:n])
			script = script[n:]
			return w
		}
		switch how % 10 {
		case 0: // a byte
			message = message[:at] + string(rune(next())) + message[at+1:]
		case 1: // bytes more
			message = message[:at] + word() + message[at:]
		case 2: // a few bytes less
			message = message[:at] + message[min(len(message), at+1+next()%8):]
		case 3, 4, 5: // a word in a value's place, there or wherever the value stands
			message = swap(message, at, words[next()%len(words)], how%10 == 5)
		case 6: // a text of the message's own
			if from, to, ok := quoted(message, at); ok {
				if f, t, ok := quoted(message, (next()<<8|next())%len(message)); ok {
					message = message[:from] + message[f:t] + message[to:]
				}
			}
		case 7: // any text in a value's place, there
			message = swap(message, at, word(), false)
		case 8: // or wherever it stands
			message = swap(message, at, word(), true)
		case 9: // a row twice, or one less
			if i := strings.Index(message[at:], "},{"); i >= 0 {
				if j := strings.Index(message[at+i+2:], "}"); j >= 0 {
					row := message[at+i+1 : at+i+2+j+1]
					if next()%2 == 0 {
						row = ""
					}
					message = message[:at+i+1] + row + message[at+i+2+j+1:]
				}
			}
		}
	}
	return message
}

// values are the texts, numbers and words of a message, at both levels of escaping.
var values = regexp.MustCompile(`\\?"[^"\\]*\\?"|-?[0-9]+(\.[0-9]+)?|true|false|null`)

// words are values that mean something somewhere.
var words = []string{"P-2", "P-77", "SUCCESS", "FAILED", "", " ", "  x", "4", "0", "9.5", "99", "9007199254740993", "007", "-", "1.", "A-1", "X-9", "B-2", "First",
	"true", "false", "null", "{}", "[1]", "by them", "duplicate", "elicitation", "completed", "queued", "it was locked", "PAID", "IN_TRANSIT", "SENT", "DONE", "ACCEPTED"}

// swap puts a word in the place of the value that ends behind a place, keeping its
// quotes; or in the place of every value that reads the same.
func swap(message string, at int, word string, all bool) string {
	found := values.FindStringIndex(message[at:])
	if found == nil {
		return message
	}
	from := at + found[0]
	old := strings.Trim(message[from:at+found[1]], `\"`)
	for message[from] == '\\' || message[from] == '"' {
		from++
	}
	if !all || old == "" {
		return message[:from] + word + message[from+len(old):]
	}
	return strings.ReplaceAll(message, old, word)
}

// quoted finds the first text that begins at a place or later.
func quoted(message string, at int) (from, to int, ok bool) {
	i := strings.Index(message[at:], `"`)
	if i < 0 {
		return 0, 0, false
	}
	from = at + i + 1
	j := strings.IndexAny(message[from:], `"\`)
	if j < 0 {
		return 0, 0, false
	}
	return from, from + j, true
}

// held checks that what the forward pass lets through has, by the checks, the very
// verdict of the answer that the pattern was made of. It tells whether it did.
func (g *ground) held(t *testing.T, message []byte, planned conform.Planned, names *pattern.Names) bool {
	var s pattern.Scratch
	if !g.pattern.Match(message, []byte(strconv.Itoa(fuzzID)), names, &s) {
		return false
	}
	v := g.judge.strict(&g.op, g.exchange(bytes.Clone(message), planned), nil)
	if v.Outcome != OK || !slices.Equal(v.Rules, g.verdict.Rules) || !slices.Equal(v.Warnings, g.verdict.Warnings) {
		t.Errorf("the pass lets through what the checks do not (%s %v %v, before %v):\n%s\nmade of\n%s", v.Outcome, v.Rules, v.Warnings, g.verdict.Warnings, message, g.message)
	}
	return true
}

// The forward pass never says more than the checks.
func FuzzTheForwardPassSaysNoMoreThanTheChecks(f *testing.F) {
	all := grounds(f)
	for i := range all {
		for how := range 10 {
			for place := range 8 {
				f.Add(uint8(i), []byte{byte(how), byte(place / 3), byte(place * 97), byte(place), 3, 'P', '-', '7', '8', '9'})
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, script []byte) {
		g := all[int(which)%len(all)]
		message, planned, names := change(g.message, script), g.planned, g.names
		if len(script)%3 == 0 { // the same for other items
			planned.Items = threeItems("C-77", "Fourth", "Y-8", "Fifth & last", "D-4", "Sixth")
			names = pattern.NamesOf(planned.Items, g.op.FoldCase)
			message = strings.NewReplacer("A-1", "C-77", "First", "Fourth", "X-9", "Y-8", "B-2", "D-4", "Third", "Sixth").Replace(message)
			if !g.pattern.Fits(names) {
				t.Fatal("it does not fit items of the same kind")
			}
		}
		g.held(t, []byte(message), planned, names)
	})
}

// Every value of every answer, with every word in its place.
func TestEveryWordInEveryPlace(t *testing.T) {
	tried, passed := 0, 0
	for _, g := range grounds(t) {
		for at := 0; at < len(g.message); {
			found := values.FindStringIndex(g.message[at:])
			if found == nil {
				break
			}
			for _, word := range words {
				for _, all := range []bool{false, true} {
					tried++
					if g.held(t, []byte(swap(g.message, at, word, all)), g.planned, g.names) {
						passed++
					}
				}
			}
			at += found[1]
		}
	}
	if passed < 100 {
		t.Errorf("of %d changes %d pass: nothing is compared", tried, passed)
	}
}

// The fuzz test is not idle: changes that no rule minds do pass.
func TestTheForwardPassLetsThroughWhatNoRuleMinds(t *testing.T) {
	id := []byte(strconv.Itoa(fuzzID))
	passed := 0
	for i, g := range grounds(t) {
		for _, change := range [][2]string{{"P-1", "P-7"}, {"by us", "by them"}, {"two of three", "2 of 3"}, {"5 ms", "700 ms"}, {"r-17", "r-18"}, {`"y"`, `"yy"`}, {"t-1", "t-2"}, {"m-1", "m-2"}} {
			message := strings.ReplaceAll(g.message, change[0], change[1])
			var s pattern.Scratch
			if message == g.message {
				continue
			}
			if g.pattern.Match([]byte(message), id, g.names, &s) {
				passed++
			} else if g.schema == "" && change[0] != "P-1" {
				t.Errorf("answer %d with %q is a surprise", i, change[1])
			}
		}
	}
	if passed < 12 {
		t.Errorf("%d changes pass", passed)
	}
}
