package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/filter"
)

func list(items ...conform.Item) List {
	return List{Len: len(items), At: func(i int) conform.Item { return items[i] }}
}

func given(texts ...string) List {
	var items []conform.Item
	for _, text := range texts {
		items = append(items, conform.Item{Given: json.RawMessage(text)})
	}
	return list(items...)
}

func numbered(format string, n int) List {
	return List{Len: n, At: func(i int) conform.Item { return conform.Item{Given: json.RawMessage(fmt.Sprintf(format, i+1))} }}
}

// plain is a write operation on strings, without anything else.
func plain(good, bad int) *Operation {
	return &Operation{
		Operation: conform.Operation{Name: "op", Tool: "t", Write: true, Argument: "items", Style: conform.StyleArray,
			Validator: conform.Absent, Workflow: conform.Absent, Idempotency: conform.Absent, Probe: conform.Absent},
		Consumes: true, Good: numbered(`"G%d"`, good), Bad: numbered(`"X%d"`, bad),
	}
}

func script(t testing.TB, text string) *Scenario {
	t.Helper()
	s, err := Parse("f.yaml", []byte("name: mine\ntitle: Mine\nwhy: To see.\nchecks: [RES-02]\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// planOf compiles one script on one operation.
func planOf(t testing.TB, o *Operation, text string, options Options, tools ...conform.Tooling) *Plan {
	t.Helper()
	options.Scenarios = []*Scenario{script(t, text)}
	p, err := compile([]*Operation{o}, tools, options)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const execute = "steps: [{execute: batch}]\nvariants:\n  v: "

func TestWhyAScenarioIsNotPlayed(t *testing.T) {
	const closed = `{"type":"object","additionalProperties":false,"properties":{"items":{"type":"array","items":{"type":"string"}}}}`
	schema := func(items string) string {
		return `{"type":"object","properties":{"items":` + items + `}}`
	}
	change := func(f func(*Operation)) *Operation {
		o := plain(5, 2)
		f(o)
		return o
	}
	for name, c := range map[string]struct {
		op      *Operation
		text    string
		schema  string
		options Options
		reason  string
		key     string
		absent  bool
		wrong   bool
	}{
		"for readers": {op: plain(5, 2), text: "for: {effect: read}\n" + execute + "{batch: [good]}",
			reason: "the operation writes, and the scenario is for operations that only read", absent: true},
		"for texts": {op: plain(5, 2), text: "for: {style: scalar}\n" + execute + "{batch: [good]}",
			reason: "the operation takes its items as a list, and the scenario is for texts that name several", absent: true},
		"validator declared absent": {op: plain(5, 2), text: "needs: [validator]\n" + execute + "{batch: [good]}",
			reason: "the target file declares validator: none", absent: true},
		"validator not spoken of": {op: change(func(o *Operation) { o.Validator = conform.Unsaid }), text: "needs: [validator]\n" + execute + "{batch: [good]}",
			reason: "the target file says nothing of a validator", key: "operations.op.validator"},
		"no bad items": {op: plain(5, 0), text: execute + "{batch: [good, bad]}",
			reason: "the target file names no bad items", key: "operations.op.items.bad"},
		"one bad item, two wanted": {op: plain(5, 1), text: execute + "{batch: [bad x 2]}",
			reason: "needs 2 bad items, the target file has 1", key: "operations.op.items.bad"},
		"three good items, four wanted": {op: plain(3, 0), text: execute + "{batch: [good, good, good, good]}",
			reason: "needs 4 good items, 3 left, and the target file has no reset or undo", key: "operations.op.items.good"},
		"no name with an accent": {op: plain(3, 0), text: execute + "{batch: [good with accents]}",
			reason: "needs a good item whose name is written with accents, and the target file has none", key: "operations.op.items.good"},
		"no name that can be spelled another way": {op: change(func(o *Operation) { o.Good = given(`"日本茶"`, `"12"`) }), text: execute + "{batch: [good, 1 in upper case]}",
			reason: "needs a good item whose name reads differently when written in upper case, and the target file has none", key: "operations.op.items.good"},
		"read only": {op: plain(5, 2), text: execute + "{batch: [good]}", options: Options{NoWrites: "--read-only"},
			reason: "no write is played: --read-only"},
		"too many written": {op: plain(5, 2), text: execute + "{batch: [good, good, good]}", options: Options{MaxWriteItems: 2},
			reason: "writes 3 items, and only 2 of the 2 that a run may write are left", key: "safety.max_write_items", wrong: true},
		"of a larger effort": {op: plain(5, 2), text: "effort: full\n" + execute + "{batch: [good]}",
			reason: "played from --effort full on"},
		"tool not listed": {op: change(func(o *Operation) { o.Tool = "u" }), text: execute + "{batch: [good]}", schema: closed,
			reason: `the server does not list the tool "u"`, key: "operations.op.tool", wrong: true},
		"a tool of nearly the name": {op: change(func(o *Operation) { o.Tool = "tt" }), text: execute + "{batch: [good]}", schema: closed,
			reason: `the server does not list the tool "tt"; did you mean t?`, key: "operations.op.tool", wrong: true},
		"a reset of nearly the name": {op: change(func(o *Operation) { o.ResetID, o.means = "r", []means{{puttingBack, "operations.op.reset", "tt", ""}} }),
			text: execute + "{batch: [good]}", schema: closed,
			reason: `the server does not list the tool "tt"; did you mean t?; what is written could not be put back, so nothing is`, key: "operations.op.reset.tool", wrong: true},
		"an undo whose argument a closed schema lacks": {op: change(func(o *Operation) { o.UndoID, o.means = "u", []means{{puttingBack, "undo", "t", "ids"}} }),
			text: execute + "{batch: [good]}", schema: closed,
			reason: "the tool t has no argument `ids`; it has items; what is written could not be put back, so nothing is", key: "undo.argument", wrong: true},
		"a probe of nearly the name": {op: change(func(o *Operation) {
			o.Probe, o.means = conform.Present, []means{{looking, "operations.op.probe", "tt", ""}}
		}),
			text: "needs: [probe]\n" + execute + "{batch: [good]}", schema: closed,
			reason: `the server does not list the tool "tt"; did you mean t?`, key: "operations.op.probe.tool", wrong: true},
		"a probe whose argument a closed schema lacks": {op: change(func(o *Operation) {
			o.Probe, o.means = conform.Present, []means{{looking, "operations.op.probe", "t", "ids"}}
		}),
			text: "needs: [probe]\n" + execute + "{batch: [good]}", schema: closed,
			reason: "the tool t has no argument `ids`; it has items", key: "operations.op.probe.argument", wrong: true},
		"a setup of nearly the name": {op: change(func(o *Operation) { o.SetUpID, o.means = "a setup", []means{{puttingInPlace, "setup", "tt", ""}} }),
			text: execute + "{batch: [good]}", schema: closed,
			reason: `the server does not list the tool "tt"; did you mean t?`, key: "setup.tool", wrong: true},
		"a validator of nearly the name": {op: change(func(o *Operation) { o.Validator, o.ValidatorTool = conform.Present, "tt" }),
			text: "needs: [validator]\nsteps: [{validate: batch}]\nvariants:\n  v: {batch: [good]}", schema: closed,
			reason: `the server does not list the tool "tt"; did you mean t?`, key: "operations.op.validator.tool", wrong: true},
		"an argument that a closed schema lacks": {op: change(func(o *Operation) { o.Argument = "note" }), text: execute + "{batch: [good]}",
			schema: `{"properties":{"reason":{"type":"string"},"n":{"type":"number"}},"additionalProperties":false}`,
			reason: "the tool t has no argument `note`; it has reason, n", key: "operations.op.input.argument", wrong: true},
		"an argument beside a list of another name": {op: change(func(o *Operation) { o.Argument = "note" }), text: execute + "{batch: [good]}",
			schema: `{"properties":{"notes":{"type":["null","array"]},"reason":{"type":"string"}},"required":["notes"]}`,
			reason: "the tool t has no argument `note`; it has notes, reason", key: "operations.op.input.argument", wrong: true},
		"an argument beside a required one of another name": {op: change(func(o *Operation) { o.Argument = "note" }), text: execute + "{batch: [good]}",
			schema: `{"properties":{"notes":{"description":"a list, or a text"}},"required":["notes"]}`,
			reason: "the tool t has no argument `note`; it has notes", key: "operations.op.input.argument", wrong: true},
		"a wrong argument, left out": {op: change(func(o *Operation) { o.Argument = "note" }), text: execute + "{form: missing}", schema: closed,
			reason: "the tool t has no argument `note`; it has items", key: "operations.op.input.argument", wrong: true},
		"arguments without end": {op: change(func(o *Operation) { o.Argument = "note" }), text: execute + "{batch: [good]}",
			schema: `{"additionalProperties":false,"properties":{"a\u0007":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}}`,
			reason: "the tool t has no argument `note`; it has a\uFFFD, b, c, d, e, f, g, h, and 2 more", key: "operations.op.input.argument", wrong: true},
		"a key that a closed schema lacks": {op: change(func(o *Operation) { o.Idempotency, o.KeyArgument = conform.Present, "key" }),
			text: "needs: [idempotency]\nsteps: [{execute: batch, key: true}]\nvariants:\n  v: {batch: [good]}", schema: closed,
			reason: "the tool t has no argument `key`; it has items", key: "operations.op.idempotency.argument", wrong: true},
		"a form the schema forbids": {op: plain(5, 2), text: execute + "{form: bare-string, batch: [good]}", schema: closed,
			reason: "the tool's own input schema forbids it (inputSchema/properties/items/type)", absent: true},
		"unknown arguments the schema forbids": {op: plain(5, 2), text: execute + "{extras: true, batch: [good]}", schema: closed,
			reason: "the tool's own input schema forbids it (inputSchema/additionalProperties)", absent: true},
		"an empty list the schema forbids": {op: plain(5, 2), text: execute + "{form: empty}", schema: schema(`{"type":"array","minItems":1}`),
			reason: "the tool's own input schema forbids it (inputSchema/properties/items/minItems)", absent: true},
		"a double the schema forbids": {op: plain(5, 2), text: execute + "{batch: [good, 1 again]}", schema: schema(`{"type":"array","uniqueItems":true}`),
			reason: "the tool's own input schema forbids it (inputSchema/properties/items/uniqueItems)", absent: true},
		"more than the schema allows": {op: plain(5, 2), text: execute + "{batch: [good, good, good]}", schema: schema(`{"type":"array","maxItems":2}`),
			reason: "the tool's own input schema allows 2 items (inputSchema/properties/items/maxItems), and the scenario asks for 3", absent: true},
		"bad items that an enum rules out": {op: plain(5, 2), text: execute + "{batch: [good, bad]}", schema: schema(`{"type":"array","items":{"enum":["G1","G2","G3"]}}`),
			reason: "the tool's own input schema forbids every bad item (inputSchema/properties/items/items/enum)", key: "operations.op.items.bad", absent: true},
		"bad items of another pattern are the file's to mend": {op: plain(5, 2), text: execute + "{batch: [good, bad]}", schema: schema(`{"type":"array","items":{"pattern":"^G"}}`),
			reason: "the tool's own input schema forbids every bad item (inputSchema/properties/items/items/pattern)", key: "operations.op.items.bad"},
		"good items the schema forbids are the file's to mend": {op: plain(5, 2), text: execute + "{batch: [good]}", schema: schema(`{"type":"array","items":{"type":"object"}}`),
			reason: "the tool's own input schema forbids every good item (inputSchema/properties/items/items/type)", key: "operations.op.items.good"},
		"a style the schema forbids is the file's to mend": {op: plain(5, 2), text: execute + "{batch: [good]}", schema: schema(`{"type":"string"}`),
			reason: "the call as the target file describes it breaks the tool's input schema (inputSchema/properties/items/type)", key: "operations.op.input.style"},
		"an argument that is missing is the file's to add": {op: plain(5, 2), text: execute + "{batch: [good]}", schema: `{"type":"object","required":["customer"]}`,
			reason: "the call as the target file describes it breaks the tool's input schema (inputSchema/required)", key: "operations.op.arguments"},
		"objects where only strings are known": {op: plain(5, 2), text: execute + "{form: objects, batch: [good]}",
			reason: "the target file writes the items as plain values, and does not say what they are as objects", key: "operations.op.items.good"},
		"a text has no other form": {op: change(func(o *Operation) { o.Style = conform.StyleScalar }), text: execute + "{form: strings, batch: [good]}",
			reason: "the operation takes its items as a text, which has no other form", absent: true},
		"several sessions over stdio": {op: change(func(o *Operation) { o.Alone = true }), text: execute + "{sessions: 2, batch: [good]}",
			reason: "over stdio every session is a server process of its own: calls on several sessions never meet", absent: true},
		"a task": {op: plain(5, 2), text: execute + "{batch: [good]}", schema: `{},"execution":{"taskSupport":"required"}`,
			reason: `the tool "t" must run as a task (execution.taskSupport: required)`, key: "operations.op.tasks"},
	} {
		t.Run(name, func(t *testing.T) {
			var tools []conform.Tooling
			if c.schema != "" {
				tools = append(tools, tool(t, "t", c.schema))
			}
			p := planOf(t, c.op, c.text, c.options, tools...)
			if len(p.Plays) != 0 || len(p.Skipped) != 1 {
				t.Fatalf("%d plays, skipped %+v", len(p.Plays), p.Skipped)
			}
			s := p.Skipped[0]
			if s.Reason != c.reason || s.Key != c.key || s.NotApplicable != c.absent || s.Wrong != c.wrong || !reflect.DeepEqual(s.Checks, []string{"RES-02"}) {
				t.Errorf("skipped %+v\nwant %q %q %v", s, c.reason, c.key, c.absent)
			}
		})
	}
}

func TestWhatASchemaAllowsIsPlayed(t *testing.T) {
	for name, c := range map[string]struct{ text, schema string }{
		"an argument left out although required": {"{form: missing}", `{"type":"object","required":["items"]}`},
		"an argument the schema does not name":   {"{batch: [good]}", `{"properties":{"reason":{"type":"string"}}}`},
		"an argument named by a pattern":         {"{batch: [good]}", `{"additionalProperties":false,"properties":{"a":{}},"patternProperties":{"^items$":{"type":"array"}}}`},
		"an argument named in another place":     {"{batch: [good]}", `{"properties":{"a":{"type":"array"}},"allOf":[{"properties":{"items":{"type":"array"}}}]}`},
		"arguments that are not listed at all":   {"{batch: [good]}", `{"type":"object","properties":{}}`},
		"a lookahead, which we cannot read":      {"{batch: [good]}", `{"properties":{"items":{"items":{"pattern":"^(?!G)"}}}}`},
		"a reference elsewhere":                  {"{batch: [good]}", `{"properties":{"items":{"$ref":"file:///etc/passwd"}}}`},
		"no schema at all":                       {"{batch: [good]}", `7`},
		"a schema that explodes":                 {"{batch: [good]}", bomb(40)},
		"a schema that refers to itself":         {"{batch: [good]}", `{"$ref":"#"}`},
		"one that is no schema":                  {"{batch: [good]}", `{"type":"strin"}`},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, plain(3, 0), execute+c.text, Options{}, tool(t, "t", c.schema))
			if len(p.Plays) != 1 {
				t.Errorf("skipped %+v", p.Skipped)
			}
		})
	}
}

// bomb is a schema in which every definition refers twice to the next.
func bomb(depth int) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
	for i := range depth {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":{}}}`, depth)
	return b.String()
}

// More items would not help where no call may have more.
func TestOfALimitAndFewItemsTheLimitIsTold(t *testing.T) {
	o := plain(12, 0)
	o.Limits.Batch = 5
	p := planOf(t, o, "steps: [{execute: batch, times: 10}]\nvariants:\n  a: {batch: [many x 5]}\n  b: {batch: [many x 25]}\n", Options{})
	const want = "`limits.batch` in the target file allows 5 items: played as mine/a"
	if len(p.Skipped) != 1 || p.Skipped[0].Reason != want || p.Skipped[0].Key != "" || p.Skipped[0].As != "mine/a" {
		t.Errorf("skipped %+v", p.Skipped)
	}
}

func TestLargeBatchesArePlayedAtTheSchemasLimit(t *testing.T) {
	p := planOf(t, plain(2000, 0), "steps: [{execute: batch}]\nvariants:\n  a: {batch: [many x 25]}\n  b: {batch: [many x 100]}\n  c: {batch: [many x 500]}\n",
		Options{}, tool(t, "t", `{"properties":{"items":{"maxItems":50}}}`))
	if len(p.Plays) != 2 || len(p.Skipped) != 1 || !p.Skipped[0].NotApplicable || p.Skipped[0].Variant != "c" {
		t.Fatalf("%d plays, skipped %+v", len(p.Plays), p.Skipped)
	}
	if want := "the tool's own input schema allows 50 items (inputSchema/properties/items/maxItems): played as mine/b"; p.Skipped[0].Reason != want || p.Skipped[0].As != "mine/b" {
		t.Errorf("skipped for %q", p.Skipped[0].Reason)
	}
	var sizes []int
	playAll(t, p, NewSupply(1), func(_ *Play, b conform.BoundPlay) { sizes = append(sizes, len(b.Calls()[0].Planned.Items)) })
	if !reflect.DeepEqual(sizes, []int{25, 50}) {
		t.Errorf("sizes %v", sizes)
	}
}

func TestAPlayIsMadeSmallerToFit(t *testing.T) {
	for name, c := range map[string]struct {
		text         string
		good         int
		calls, items int
		smaller      string
	}{
		"a smaller batch":     {execute + "{batch: [good x 10]}", 7, 1, 7, "7 items in place of 10: needs 10 good items, 7 left, and the target file has no reset or undo"},
		"fewer calls first":   {"steps: [{execute: batch, times: 10, sweep: true}]\nvariants:\n  v: {batch: [good x 2]}", 9, 4, 2, "4 calls in place of 10: needs 20 good items, 9 left, and the target file has no reset or undo"},
		"a smaller burst":     {"steps: [{parallel: batch, calls: 8}]\nvariants:\n  v: {batch: [good x 2]}", 6, 3, 2, "3 calls in place of 8: needs 16 good items, 6 left, and the target file has no reset or undo"},
		"never below two":     {"steps: [{parallel: batch, calls: 8}]\nvariants:\n  v: {batch: [good x 3]}", 4, 2, 2, "2 calls in place of 8, 2 items in place of 3: needs 24 good items, 4 left, and the target file has no reset or undo"},
		"what fits is let be": {execute + "{batch: [good x 10]}", 10, 1, 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, plain(c.good, 0), c.text, Options{})
			if len(p.Plays) != 1 {
				t.Fatalf("skipped %+v", p.Skipped)
			}
			p.Plays[0].allowed = unlimited
			b, skip := p.Bind(p.Plays[0], NewSupply(1))
			if skip != nil {
				t.Fatal(skip.Reason)
			}
			calls := b.Calls()
			if len(calls) != c.calls || len(calls[0].Planned.Items) != c.items || b.Smaller != c.smaller {
				t.Errorf("%d calls of %d items, smaller: %q", len(calls), len(calls[0].Planned.Items), b.Smaller)
			}
		})
	}
}

func TestFewItemsMakeManySmallPlays(t *testing.T) {
	p := planOf(t, plain(6, 1), "steps: [{execute: batch}]\nvariants:\n  a: {batch: [good x 6]}\n  b: {batch: [good x 3, bad]}\n  c: {batch: [good, good, good]}\n  d: {batch: [good]}\n", Options{})
	var got []string
	for _, play := range p.Plays {
		got = append(got, fmt.Sprintf("%s %d", play.Variant.Name, play.allowed))
	}
	if want := []string{"a 2", "b 1", "c 3"}; !reflect.DeepEqual(got, want) {
		t.Errorf("shares %v, want %v", got, want)
	}
	if len(p.Skipped) != 1 || p.Skipped[0].Reason != "needs 1 good item; the 6 of the target file are used up by the scenarios before, and it has no reset or undo" {
		t.Errorf("skipped %+v", p.Skipped)
	}
	if skipped := playAll(t, p, NewSupply(3), nil); len(skipped) != 0 {
		t.Errorf("short after all: %+v", skipped)
	}
}

func TestPlaysThatOnlyLookComeFirstWhereNothingIsPutBack(t *testing.T) {
	o := plain(4, 1)
	o.Validator, o.ValidatorTool = conform.Present, "check"
	p := planOf(t, o, "variants:\n  does: {batch: [good], steps: [{execute: batch}]}\n  looks: {batch: [good], steps: [{validate: batch}]}\n", Options{})
	if len(p.Plays) != 2 || p.Plays[0].Variant.Name != "looks" {
		t.Errorf("plays %v then %v", p.Plays[0].Instance, p.Plays[1].Instance)
	}
}

func TestARefusedResetCountsAsNone(t *testing.T) {
	o := plain(3, 0)
	o.ResetID = "r"
	p := planOf(t, o, execute+"{batch: [good, good]}", Options{Repeat: 2})
	if len(p.Plays) != 2 || !p.Plays[0].Reset {
		t.Fatalf("plays %+v, skipped %+v", p.Plays, p.Skipped)
	}
	s := NewSupply(1)
	s.Restored(o)
	first, skip := p.Bind(p.Plays[0], s)
	if skip != nil {
		t.Fatal(skip.Reason)
	}
	s.Spent(o, first, conform.Played{Sent: []string{first.Calls()[0].ID}})
	s.Refused(o)
	if _, skip = p.Bind(p.Plays[1], s); skip == nil || skip.Reason != "needs 2 good items, 1 left, and the reset was refused" {
		t.Errorf("skipped %+v", skip)
	}
	s.Restored(o)
	if _, skip = p.Bind(p.Plays[1], s); skip != nil {
		t.Errorf("after a reset: %s", skip.Reason)
	}
}

// What the server may still be at work on is not good again, whatever puts it back.
func TestWhatIsStillUnderWayIsNotGoodAgain(t *testing.T) {
	o := plain(4, 0)
	o.ResetID = "r"
	p := planOf(t, o, execute+"{batch: [good x 2]}", Options{Repeat: 3})
	s := NewSupply(1)
	first, skip := p.Bind(p.Plays[0], s)
	if skip != nil {
		t.Fatal(skip.Reason)
	}
	call := first.Calls()[0]
	s.Spent(o, first, conform.Played{Sent: []string{call.ID}})
	open := []json.RawMessage{call.Planned.Items[0].Given, call.Planned.Items[1].Given}
	s.Unended(o, open)
	s.Restored(o)
	s.Undone(o, open)
	second, skip := p.Bind(p.Plays[1], s)
	if skip != nil {
		t.Fatal(skip.Reason)
	}
	for _, item := range second.Calls()[0].Planned.Items {
		for _, one := range open {
			if string(item.Given) == string(one) {
				t.Errorf("%s is asked for again", one)
			}
		}
	}
	s.Spent(o, second, conform.Played{Sent: []string{second.Calls()[0].ID}})
	if _, skip = p.Bind(p.Plays[2], s); skip == nil {
		t.Error("a third play finds items, and there are none")
	}
}

// A server may do later what it was told to stop: items of a call that was cancelled
// are not asked for again, whatever puts them back. A task says itself how it ended.
func TestWhatWasCancelledIsNotGoodAgain(t *testing.T) {
	for tasks, want := range map[bool]bool{false: true, true: false} {
		o := plain(3, 0)
		o.ResetID, o.Tasks = "r", tasks
		p := planOf(t, o, "steps: [{execute: batch, cancel: true}]\nvariants:\n  v: {batch: [good x 2]}", Options{Repeat: 2})
		s := NewSupply(1)
		first, skip := p.Bind(p.Plays[0], s)
		if skip != nil {
			t.Fatal(skip.Reason)
		}
		s.Spent(o, first, conform.Played{Sent: []string{first.Calls()[0].ID}})
		s.Restored(o)
		if _, skip = p.Bind(p.Plays[1], s); (skip != nil) != want {
			t.Errorf("tasks %v: two of three items, of which two were cancelled: %+v", tasks, skip)
		}
	}
}

// With an undo the items that are as they were are good again, and no others.
func TestWhatIsTakenBackIsGoodAgain(t *testing.T) {
	o := plain(4, 0)
	o.UndoID = "u"
	p := planOf(t, o, execute+"{batch: [good x 3]}", Options{Repeat: 2})
	if len(p.Plays) != 2 || p.Plays[0].Reset || !p.Plays[0].Undo || p.Foresee().Plays[0].Besides != 1 {
		t.Fatalf("plays %+v, skipped %+v", p.Plays, p.Skipped)
	}
	s := NewSupply(1)
	first, _ := p.Bind(p.Plays[0], s)
	if len(first.Needs) != 3 {
		t.Errorf("it needs %d items", len(first.Needs))
	}
	s.Spent(o, first, conform.Played{Sent: []string{first.Calls()[0].ID}})
	if _, skip := p.Bind(p.Plays[1], s); skip == nil || skip.Reason != "needs 2 good items, 1 left" {
		t.Errorf("skipped %+v", skip)
	}
	items := first.Calls()[0].Planned.Items
	s.Undone(o, []json.RawMessage{items[0].Given})
	s.Refused(o)
	if b, skip := p.Bind(p.Plays[1], s); skip != nil || b.Smaller != "2 items in place of 3: needs 3 good items, 2 left, and the undo did not bring the others back" {
		t.Errorf("skipped %+v, smaller: %s", skip, b.Smaller)
	}
	s.Undone(o, []json.RawMessage{items[2].Given})
	again, skip := p.Bind(p.Plays[1], s)
	if skip != nil {
		t.Fatal(skip.Reason)
	}
	for _, item := range again.Calls()[0].Planned.Items {
		if string(item.Given) == string(items[1].Given) {
			t.Errorf("%s is drawn, and was not taken back", item.Given)
		}
	}
}

// What a setup is to put in place are the good items, as the server knows them.
func TestASetupIsToldWhatIsNeeded(t *testing.T) {
	o := plain(4, 2)
	o.SetUpID = "a setup"
	p := planOf(t, o, execute+"{batch: [good, bad, good]}", Options{})
	bound, skip := p.Bind(p.Plays[0], NewSupply(1))
	if skip != nil || p.Plays[0].SetUp != 2 || len(bound.Needs) != 2 {
		t.Fatalf("skipped %+v, %d planned, needs %v", skip, p.Plays[0].SetUp, bound.Needs)
	}
	for i, at := range []int{0, 2} {
		if string(bound.Needs[i].Given) != string(bound.Calls()[0].Planned.Items[at].Given) {
			t.Errorf("needs %s", bound.Needs[i].Given)
		}
	}
	o.Write = false
	p = planOf(t, o, execute+"{batch: [good, bad]}", Options{NoWrites: "--read-only", NoWritesKey: "k"})
	if len(p.Plays) != 0 || len(p.Skipped) != 1 || p.Skipped[0].Reason != "its items are put in place by a setup, which writes: --read-only" || p.Skipped[0].Key != "k" {
		t.Errorf("plays %+v, skipped %+v", p.Plays, p.Skipped)
	}
	if p = planOf(t, o, execute+"{batch: [bad]}", Options{NoWrites: "--read-only"}); len(p.Plays) != 1 {
		t.Errorf("what needs no good item is skipped: %+v", p.Skipped)
	}
}

func TestOnlyWhatWasSentIsUsedUp(t *testing.T) {
	o := plain(2, 0)
	p := planOf(t, o, execute+"{batch: [good, good]}", Options{})
	s := NewSupply(1)
	bound, _ := p.Bind(p.Plays[0], s)
	s.Spent(o, bound, conform.Played{})
	if _, skip := p.Bind(p.Plays[0], s); skip != nil {
		t.Fatalf("nothing was sent: %s", skip.Reason)
	}
	s.Spent(o, bound, conform.Played{Sent: []string{bound.Calls()[0].ID}})
	if _, skip := p.Bind(p.Plays[0], s); skip == nil {
		t.Error("the items were used up")
	}
}

func TestAnItemIsTheSameForEveryOperation(t *testing.T) {
	object := conform.Item{Given: json.RawMessage(`{"name":"A","id":"1"}`)}
	text := conform.Item{Given: json.RawMessage(`"A"`)}
	twin := conform.Item{Given: json.RawMessage(`{"name":"A","id":"2"}`)}
	o := &Operation{}
	s := NewSupply(1)
	s.use(o, object.Given)
	for item, good := range map[*conform.Item]bool{&object: false, &text: false, &twin: true} {
		if s.good(o.hold(*item)) != good {
			t.Errorf("after %s, %s is good: %v", object.Given, item.Given, !good)
		}
	}
	s = NewSupply(1)
	s.use(o, text.Given)
	if s.good(o.hold(object)) || s.good(o.hold(twin)) {
		t.Error("a text that names an item is the item")
	}
}

func TestTheTargetFilesOwnNameTellsItemsApart(t *testing.T) {
	o := &Operation{Members: []string{"sku"}}
	shirt := conform.Item{Given: json.RawMessage(`{"name":"Shirt","sku":"P-1"}`)}
	other := conform.Item{Given: json.RawMessage(`{"name":"Shirt","sku":"P-2"}`)}
	bare := conform.Item{Given: json.RawMessage(`{"sku":"P-1"}`)}
	plain := &Operation{}
	named := conform.Item{Given: json.RawMessage(`{"id":"P-1"}`)}
	s := NewSupply(1)
	s.use(o, shirt.Given)
	if s.good(o.hold(shirt)) || s.good(o.hold(bare)) || s.good(plain.hold(named)) || !s.good(o.hold(other)) {
		t.Error("P-1 is used up, by whatever member an operation knows it, and P-2 is not")
	}
	s.Undone(o, []json.RawMessage{bare.Given})
	if !s.good(o.hold(shirt)) {
		t.Error("P-1 was put back")
	}
	if name := o.nameOf(json.RawMessage(`{"note":"by air","sku":"P-1"}`)); name != "P-1" {
		t.Errorf("it is called %q", name)
	}
}

func TestTheTruthOfWhatIsAsked(t *testing.T) {
	const twice = "steps: [{execute: batch, as: first}, {retry: first, as: again}]\nvariants:\n  v: {batch: [good, bad]}"
	truths := func(c conform.BoundCall) string {
		var out []string
		for _, item := range c.Planned.Items {
			out = append(out, string(item.Truth))
		}
		return strings.Join(out, ",")
	}
	for name, c := range map[string]struct {
		change func(*Operation)
		text   string
		want   string
	}{
		"as the file says":                       {nil, execute + "{batch: [good, bad, good]}", "good,bad,good"},
		"an atomic batch fails as one":           {func(o *Operation) { o.Atomic = true }, execute + "{batch: [good, bad, good]}", "bad,bad,bad"},
		"an atomic batch of good ones":           {func(o *Operation) { o.Atomic = true }, execute + "{batch: [good, good]}", "good,good"},
		"the double is the server's to decide":   {nil, execute + "{batch: [good, 1 again]}", "good,"},
		"what was done once":                     {nil, twice, "good,bad good? ,bad"},
		"what may be done again":                 {func(o *Operation) { o.Semantics = "idempotent" }, twice, "good,bad good? good,bad"},
		"a read stays true":                      {func(o *Operation) { o.Write = false }, twice, "good,bad good? good,bad"},
		"another letter case is not known":       {nil, execute + "{batch: [good in lower case]}", ""},
		"another letter case where it is no one": {func(o *Operation) { o.FoldCase = true }, execute + "{batch: [good in lower case]}", "good"},
	} {
		t.Run(name, func(t *testing.T) {
			o := plain(5, 2)
			if c.change != nil {
				c.change(o)
			}
			p := planOf(t, o, c.text, Options{})
			b, skip := p.Bind(p.Plays[0], NewSupply(1))
			if skip != nil {
				t.Fatal(skip.Reason)
			}
			var got []string
			for _, call := range b.Calls() {
				got = append(got, truths(call))
			}
			if strings.Join(got, " good? ") != c.want {
				t.Errorf("%q, want %q", strings.Join(got, " good? "), c.want)
			}
		})
	}
}

func TestFiltersThatTakeNothingAreErrors(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		want    string
	}{
		"a scenario":   {Options{ScenarioGlobs: []string{"partal"}}, `--scenario "partal" matches nothing: did you mean partial?`},
		"a variant":    {Options{ScenarioGlobs: []string{"partial/bad-frist"}}, `--scenario "partial/bad-frist" matches nothing`},
		"an operation": {Options{OperationGlobs: []string{"query"}}, `--operation "query" matches nothing: there are cancel-products`},
		"no pattern":   {Options{ScenarioGlobs: []string{"["}}, `--scenario "[": not a pattern`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compile(shop(t), nil, c.options)
			var wrong *filter.Error
			if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestFiltersNarrow(t *testing.T) {
	p, err := Compile(shop(t), nil, Options{ScenarioGlobs: []string{"partial/bad-*", "one-item"}, OperationGlobs: []string{"query-*"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, play := range p.Plays {
		got = append(got, play.Instance)
	}
	want := []string{"partial/bad-first/query-orders#1", "partial/bad-middle/query-orders#1", "partial/bad-last/query-orders#1",
		"one-item/good/query-orders#1", "one-item/bad/query-orders#1"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("plays %v", got)
	}
	for _, s := range p.Skipped {
		if s.Scenario == "all-succeed" && s.Reason == "left out by --scenario" && s.Operation == "query-orders" && !s.NotApplicable {
			return
		}
	}
	t.Error("what is left out is not told")
}

func TestTheSameSeedGivesTheSameBytes(t *testing.T) {
	bytes := func(seed uint64, run string) string {
		p, err := Compile(shop(t), nil, Options{Seed: seed, Run: run})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := p.Text(&b); err != nil {
			t.Fatal(err)
		}
		playAll(t, p, NewSupply(seed), func(_ *Play, bound conform.BoundPlay) {
			for _, c := range bound.Calls() {
				fmt.Fprintf(&b, "%s %s %s\n", c.ID, c.Session, c.Planned.Arguments)
			}
		})
		return b.String()
	}
	first := bytes(11, "r")
	for range 2 {
		if bytes(11, "r") != first {
			t.Fatal("the same seed gave other bytes")
		}
	}
	if bytes(12, "r") == first {
		t.Error("another seed gave the same bytes")
	}
	if bytes(11, "q") == first {
		t.Error("another run sent the same keys")
	}
}

func TestCallIDsAreUnique(t *testing.T) {
	p, err := Compile(shop(t), nil, Options{Repeat: 2, Effort: Full})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	playAll(t, p, NewSupply(0), func(play *Play, bound conform.BoundPlay) {
		for _, c := range bound.Calls() {
			if seen[c.ID] {
				t.Errorf("a second call %s", c.ID)
			}
			seen[c.ID] = true
			if !strings.HasPrefix(c.ID, play.Instance+"/") || c.Planned.Instance != play.Instance {
				t.Errorf("call %s of %s", c.ID, play.Instance)
			}
			if c.Planned.Follows != "" && !seen[c.Planned.Follows] || c.Planned.Repeats != "" && !seen[c.Planned.Repeats] || c.Planned.Retries != "" && !seen[c.Planned.Retries] {
				t.Errorf("%s refers to a call that did not come before", c.ID)
			}
		}
	})
}

func TestAnItemIsChosenThatCanBeSpelledAgain(t *testing.T) {
	for seed := range uint64(20) {
		o := plain(0, 0)
		o.Good = given(`"日本茶"`, `"12"`, `"tea"`, `"7"`)
		p := planOf(t, o, execute+"{batch: [good, good, 1 in upper case]}", Options{Seed: seed})
		b, skip := p.Bind(p.Plays[0], NewSupply(seed))
		if skip != nil {
			t.Fatal(skip.Reason)
		}
		if items := b.Calls()[0].Planned.Items; string(items[0].Given) != `"tea"` || string(items[2].Given) != `"TEA"` || items[2].Equals != 1 {
			t.Errorf("seed %d: %s then %s", seed, items[0].Given, items[2].Given)
		}
	}
}

func TestTheCallAfterABurstSaysSo(t *testing.T) {
	p := planOf(t, plain(20, 1), "steps: [{parallel: batch, calls: 3}, {execute: [good], as: afterwards}, {execute: [good], as: last}]\nvariants:\n  v: {sessions: 2, batch: [good, bad]}", Options{})
	b, skip := p.Bind(p.Plays[0], NewSupply(1))
	if skip != nil {
		t.Fatal(skip.Reason)
	}
	var got []string
	for _, c := range b.Calls() {
		got = append(got, fmt.Sprintf("%s on %s burst %q of %d after %q", strings.TrimPrefix(c.ID, b.Instance+"/"), c.Session, c.Planned.Burst, c.Planned.InFlight, c.Planned.After))
	}
	burst := b.Instance + "/parallel"
	want := []string{
		fmt.Sprintf(`parallel.1 on s1 burst %q of 3 after ""`, burst), fmt.Sprintf(`parallel.2 on s2 burst %q of 3 after ""`, burst),
		fmt.Sprintf(`parallel.3 on s1 burst %q of 3 after ""`, burst),
		fmt.Sprintf(`afterwards on s1 burst "" of 0 after %q`, burst), `last on s1 burst "" of 0 after ""`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %s", strings.Join(got, "\n"))
	}
}

// TestNoGoodItemIsDrawnTwiceBetweenResets plays plans on operations of any size,
// with resets and answers that come or do not.
func TestNoGoodItemIsDrawnTwiceBetweenResets(t *testing.T) {
	builtin, err := All()
	if err != nil {
		t.Fatal(err)
	}
	var all []*Scenario
	for _, s := range builtin {
		if s.Name != "large-batches" && s.Name != "sweep" { // larger, and no different
			all = append(all, s)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		var ops []*Operation
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, 30), 1, 2).Draw(r, "good") {
			o := plain(n, rapid.IntRange(0, 3).Draw(r, "bad"))
			o.Name = fmt.Sprintf("op-%d", i)
			o.Idempotency, o.KeyArgument = conform.Present, "key"
			if rapid.Bool().Draw(r, "template") {
				o.Many = numbered(`"M%d"`, rapid.IntRange(1, 60).Draw(r, "many"))
			}
			if rapid.Bool().Draw(r, "reset") {
				o.ResetID = "reset"
			}
			ops = append(ops, o)
		}
		seed := rapid.Uint64().Draw(r, "seed")
		p, err := compile(ops, nil, Options{Seed: seed, Scenarios: all, Repeat: rapid.IntRange(1, 2).Draw(r, "repeat")})
		if err != nil {
			r.Fatal(err)
		}
		s := NewSupply(seed)
		used := map[string]string{} // item: the reset that puts it back
		for _, play := range p.Plays {
			if play.Reset {
				if rapid.Bool().Draw(r, "acknowledged") {
					s.Restored(play.Operation)
					for item, reset := range used {
						if reset == play.Operation.ResetID {
							delete(used, item)
						}
					}
				} else {
					s.Refused(play.Operation)
				}
			}
			bound, skip := p.Bind(play, s)
			if skip != nil {
				if skip.Reason == "" {
					r.Fatalf("%s is skipped for no reason", play.Instance)
				}
				continue
			}
			var sent []string
			for _, c := range bound.Calls() {
				for _, item := range c.Planned.Items {
					if reset, again := used[string(item.Given)]; item.Truth == conform.Good && again {
						r.Fatalf("%s asks for %s as good, which was written before (put back by %q)", c.ID, item.Given, reset)
					}
				}
				if rapid.IntRange(0, 9).Draw(r, "sent") > 0 {
					sent = append(sent, c.ID)
					for _, item := range c.Planned.Items {
						if c.Write && item.Truth != conform.Bad {
							used[string(meant(item))] = play.Operation.ResetID
						}
					}
				}
			}
			s.Spent(play.Operation, bound, conform.Played{Sent: sent})
		}
	})
}
