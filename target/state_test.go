package target

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func parsed(t *testing.T, text string) *rawjson.Node {
	t.Helper()
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func statesOf(t *testing.T, p *Probe, answer string, ids ...string) string {
	t.Helper()
	states, err := p.Read(parsed(t, answer), ids)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(states)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The answers were recorded from the server that the target file starts.
func TestStatesOfServerMemory(t *testing.T) {
	f, err := Load("builtin:server-memory", noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, operation, answer string
		ids                     []string
		want                    string
	}{
		{"there and not there", "create-entities", "open-nodes", []string{"nowhere-1", "shelf-1"},
			`[{"id":"nowhere-1","present":false,"done":false},{"id":"shelf-1","present":true,"state":"{\"entityType\":\"shelf\",\"name\":\"shelf-1\",\"observations\":[\"built in 2019\"]}","done":true}]`},
		{"nothing found", "delete-entities", "open-nodes-none", []string{"nowhere-1"},
			`[{"id":"nowhere-1","present":false,"done":true}]`},
		{"one deleted, one not", "delete-entities", "open-deleted", []string{"crate-1", "crate-2"},
			`[{"id":"crate-1","present":false,"done":true},{"id":"crate-2","present":true,"state":"{\"entityType\":\"crate\",\"name\":\"crate-2\",\"observations\":[]}","done":false}]`},
		{"observations added", "add-observations", "open-added", []string{"shelf-1", "shelf-3"},
			`[{"id":"shelf-1","present":true,"state":"[\"built in 2019\",\"counted again\"]"},{"id":"shelf-3","present":false}]`},
		{"made twice", "create-entities", "open-twice", []string{"twin"},
			`[{"id":"twin","present":true,"state":"[{\"entityType\":\"part\",\"name\":\"twin\",\"observations\":[]},{\"entityType\":\"part\",\"name\":\"twin\",\"observations\":[]}]","done":true}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, err := os.ReadFile("testdata/answers/server-memory-" + c.answer + ".json")
			if err != nil {
				t.Fatal(err)
			}
			if got := statesOf(t, f.Operation(c.operation).Probe, string(answer), c.ids...); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	t.Run("an error says nothing of any item", func(t *testing.T) {
		answer, err := os.ReadFile("testdata/answers/server-memory-add-mixed.json")
		if err != nil {
			t.Fatal(err)
		}
		states, err := f.Operation("create-entities").Probe.Read(parsed(t, string(answer)), []string{"shelf-1"})
		if err == nil || states != nil || !strings.Contains(err.Error(), "Entity with name nowhere-1 not found") {
			t.Errorf("%v, %v", states, err)
		}
	})
}

func TestStates(t *testing.T) {
	orders := &Probe{Means: Means{Tool: "get"}, Path: "$.orders[*]", ID: "id", State: "state"}
	with := func(change func(*Probe)) *Probe {
		p := *orders
		change(&p)
		return &p
	}
	structured := func(payload string) string { return `{"content":[],"structuredContent":` + payload + `}` }
	for _, c := range []struct {
		name   string
		probe  *Probe
		answer string
		ids    []string
		want   string
	}{
		{"numbers and texts are one id", orders, structured(`{"orders":[{"id":88,"state":"OPEN"},{"id":"89","state":1.0}]}`), []string{"88", "89"},
			`[{"id":"88","present":true,"state":"\"OPEN\""},{"id":"89","present":true,"state":"1.0"}]`},
		{"numbers beyond a double are exact", orders, structured(`{"orders":[{"id":9007199254740993,"state":9007199254740995}]}`), []string{"9007199254740993", "9007199254740992"},
			`[{"id":"9007199254740993","present":true,"state":"9007199254740995"},{"id":"9007199254740992","present":false}]`},
		{"composed and decomposed are one id", orders, structured(`{"orders":[{"id":"Caf\u00e9","state":null}]}`), []string{"Cafe\u0301"},
			"[{\"id\":\"Cafe\u0301\",\"present\":true,\"state\":\"null\"}]"},
		{"letter case is two ids", orders, structured(`{"orders":[{"id":"a","state":1}]}`), []string{"A"}, `[{"id":"A","present":false}]`},
		{"the one text block", orders, `{"content":[{"type":"text","text":" {\"orders\":[{\"id\":\"1\",\"state\":{\"b\":1, \"a\":[ ]}}]}"}]}`, []string{"1"},
			`[{"id":"1","present":true,"state":"{\"a\":[],\"b\":1}"}]`},
		{"empty structured content counts as none", orders, `{"content":[{"type":"text","text":"{\"orders\":[]}"}],"structuredContent":{}}`, []string{"1"}, `[{"id":"1","present":false}]`},
		{"the path ends at the list", with(func(p *Probe) { p.Path = "$.orders" }), structured(`{"orders":[{"id":"1","state":2}]}`), []string{"1"}, `[{"id":"1","present":true,"state":"2"}]`},
		{"a list at the top", with(func(p *Probe) { p.Path = "$[*]" }), structured(`[{"id":"1","state":2}]`), []string{"1"}, `[{"id":"1","present":true,"state":"2"}]`},
		{"members by path", with(func(p *Probe) { p.ID, p.State = "$.key.id", "$.now.status" }), structured(`{"orders":[{"key":{"id":7},"now":{"status":"x"}}]}`), []string{"7"},
			`[{"id":"7","present":true,"state":"\"x\""}]`},
		{"no state member in one of the rows", orders, structured(`{"orders":[{"id":"1"},{"id":"2","state":0}]}`), []string{"1"}, `[{"id":"1","present":true}]`},
		{"an empty list", orders, structured(`{"orders":[]}`), []string{"1"}, `[{"id":"1","present":false}]`},
		{"null in place of the list", orders, structured(`{"orders":null}`), []string{"1"}, `[{"id":"1","present":false}]`},
		{"null where the path ends", with(func(p *Probe) { p.Path = "$.orders" }), structured(`{"orders":null}`), []string{"1"}, `[{"id":"1","present":false}]`},
		{"null above the list", with(func(p *Probe) { p.Path = "$.data.orders[*]" }), structured(`{"data":null,"a":1}`), []string{"1"}, `[{"id":"1","present":false}]`},
		{"rows by name", orders, structured(`{"orders":{"x":{"id":"1","state":2}}}`), []string{"1"}, `[{"id":"1","present":true,"state":"2"}]`},
		{"a filter that finds nothing", with(func(p *Probe) { p.Path = "$.order[?@.id]" }), structured(`{"orders":[]}`), []string{"1"}, `[{"id":"1","present":false}]`},
		{"a descent that finds nothing", with(func(p *Probe) { p.Path = "$..order[*]" }), structured(`{"orders":[]}`), []string{"1"}, `[{"id":"1","present":false}]`},
		{"no list in one of the groups", with(func(p *Probe) { p.Path = "$.groups[*].orders[*]" }), structured(`{"groups":[{"name":"a"}]}`), []string{"1"}, `[{"id":"1","present":false}]`},
		{"counted", with(func(p *Probe) { p.Count = "times" }), structured(`{"orders":[{"id":"1","state":0,"times":2},{"id":"2","state":0,"times":"3"},{"id":"3","state":0,"times":"x"}]}`), []string{"1", "2", "3"},
			`[{"id":"1","present":true,"state":"0","count":2},{"id":"2","present":true,"state":"0","count":3},{"id":"3","present":true,"state":"0"}]`},
		{"done by value", with(func(p *Probe) {
			p.Done = &Done{Values: []json.RawMessage{json.RawMessage(`"GONE"`), json.RawMessage(`7`), json.RawMessage(`true`)}}
		}),
			structured(`{"orders":[{"id":1,"state":"GONE"},{"id":2,"state":"7"},{"id":3,"state":true},{"id":4,"state":"true"},{"id":5,"state":null}]}`), []string{"1", "2", "3", "4", "5", "6"},
			`[{"id":"1","present":true,"state":"\"GONE\"","done":true},{"id":"2","present":true,"state":"\"7\"","done":true},{"id":"3","present":true,"state":"true","done":true},` +
				`{"id":"4","present":true,"state":"\"true\"","done":false},{"id":"5","present":true,"state":"null","done":false},{"id":"6","present":false,"done":false}]`},
		{"of doubled members the first", orders, structured(`{"orders":[{"id":"1","state":1,"state":2}]}`), []string{"1"}, `[{"id":"1","present":true,"state":"1"}]`},
		{"two rows that agree", with(func(p *Probe) { p.Done = &Done{Values: []json.RawMessage{json.RawMessage(`2`), json.RawMessage(`3`)}} }),
			structured(`{"orders":[{"id":"1","state":3},{"id":"1","state":2}]}`), []string{"1"}, `[{"id":"1","present":true,"state":"[2,3]","done":true}]`},
		{"two rows that do not", with(func(p *Probe) { p.Done = &Done{Values: []json.RawMessage{json.RawMessage(`2`)}} }),
			structured(`{"orders":[{"id":"1","state":3},{"id":"1","state":2},{"id":"2","state":2}]}`), []string{"1", "2"},
			`[{"id":"1","present":true,"state":"[2,3]","done":true,"torn":true},{"id":"2","present":true,"state":"2","done":true}]`},
		{"two rows, and no word on what is done", orders, structured(`{"orders":[{"id":"1","state":3},{"id":"1","state":2},{"id":"2","state":3},{"id":"2","state":3}]}`), []string{"1", "2"},
			`[{"id":"1","present":true,"state":"[2,3]","torn":true},{"id":"2","present":true,"state":"[3,3]"}]`},
		{"two rows, compared as a whole", with(func(p *Probe) { p.State = "" }), structured(`{"orders":[{"id":"1","n":2},{"id":"1","n":1}]}`), []string{"1"},
			`[{"id":"1","present":true,"state":"[{\"id\":\"1\",\"n\":1},{\"id\":\"1\",\"n\":2}]"}]`},
		{"two rows, and to be there is enough", with(func(p *Probe) { p.Done = &Done{Presence: conform.Present} }), structured(`{"orders":[{"id":"1","state":3},{"id":"1","state":2}]}`), []string{"1"},
			`[{"id":"1","present":true,"state":"[2,3]","done":true}]`},
		{"nobody asked", orders, structured(`{"orders":[{"id":"1","state":1}]}`), nil, `[]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := statesOf(t, c.probe, c.answer, c.ids...); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAnswersThatTellNoState(t *testing.T) {
	p := &Probe{Means: Means{Tool: "get"}, Path: "$.orders[*]", ID: "id"}
	for name, c := range map[string]struct{ answer, want string }{
		"no result":       {`null`, "there is no result"},
		"an error":        {`{"isError":true,"content":[{"type":"text","text":"no\u001bsuch"}],"structuredContent":{"orders":[]}}`, "answered with an error: no\uFFFDsuch"},
		"prose":           {`{"content":[{"type":"text","text":"two orders"}]}`, "the text is no JSON"},
		"two blocks":      {`{"content":[{"type":"text","text":"{}"},{"type":"text","text":"{}"}]}`, "2 text blocks"},
		"nothing":         {`{"content":[]}`, "0 text blocks"},
		"rows without id": {`{"content":[],"structuredContent":{"orders":[{"id":"1"},{"name":"x"}]}}`, "row 2 of 2"},
		"an id of a kind": {`{"content":[],"structuredContent":{"orders":[{"id":{"a":1}}]}}`, "row 1 of 1"},
		"rows of texts":   {`{"content":[],"structuredContent":{"orders":["a"]}}`, "row 1 of 1"},
	} {
		t.Run(name, func(t *testing.T) {
			states, err := p.Read(parsed(t, c.answer), []string{"1"})
			if err == nil || states != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v: want %q", states, err, c.want)
			}
		})
	}
	if _, err := p.Read(nil, nil); err == nil {
		t.Error("no answer at all was read")
	}
}

func TestAProbeThatDoesNotFitTheAnswer(t *testing.T) {
	many := `{"m0":0`
	for i := range 20 {
		many += fmt.Sprintf(`,"m%d":0`, i+1)
	}
	for name, c := range map[string]struct {
		path, state, count string
		payload, want      string
	}{
		"a list of another name":   {"$.note[*]", "", "", `{"notes":[],"total":0}`, "nothing stands at $.note; the answer has the members notes, total"},
		"a member of another name": {"$.note", "", "", `{"notes":[]}`, "nothing stands at $.note; the answer has the member notes"},
		"a list further down":      {"$.data.note[*]", "", "", `{"data":{"notes":[],"total":0}}`, "nothing stands at $.data.note; $.data has the members notes, total"},
		"a list at the top":        {"$.notes[*]", "", "", `[{"id":"1"}]`, "nothing stands at $.notes; the answer is a list"},
		"no members at all":        {"$['a b'].c", "", "", `{"a b":{}}`, "nothing stands at $['a b'].c; $['a b'] has no members"},
		"very many members":        {"$.note", "", "", many + "}", "m6, m7, and 13 more"},
		"members that write":       {"$.note", "", "", `{"a\u001b[2J":1}`, "has the member a\uFFFD[2J"},
		"a number for a list":      {"$.total[*]", "", "", `{"total":3}`, "$.total is a number, and no list"},
		"state that no row has":    {"$.notes[*]", "status", "", `{"notes":[{"id":"1","state":"x"},{"id":"2","at":7}]}`, "no row has a member status (`state`); rows have id, state, at"},
		"state by path":            {"$.notes[*]", "$.now.status", "", `{"notes":[{"id":"1"}]}`, "`state` $.now.status leads to no one value in any row; rows have id"},
		"count that no row has":    {"$.notes[*]", "", "times", `{"notes":[{"id":"1"}]}`, "no row has a member times (`count`); rows have id"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Probe{Means: Means{Tool: "get"}, Path: c.path, ID: "id", State: c.state, Count: c.count}
			states, err := p.Read(parsed(t, `{"content":[],"structuredContent":`+c.payload+`}`), []string{"1"})
			if err == nil || states != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v: want %q", states, err, c.want)
			}
		})
	}
}

func TestWhatAProbeIsAsked(t *testing.T) {
	ids := []json.RawMessage{json.RawMessage(`"a"`), json.RawMessage(`2`)}
	for want, p := range map[string]*Probe{
		`{}`:                         {},
		`{"ids":["a",2]}`:            {Argument: "ids"},
		`{"all":true}`:               {Means: Means{Arguments: json.RawMessage(`{"all":true}`)}},
		`{"all":true,"ids":["a",2]}`: {Argument: "ids", Means: Means{Arguments: json.RawMessage(`{"all":true}`)}},
		`{"a \"b\"":["a",2]}`:        {Argument: `a "b"`, Means: Means{Arguments: json.RawMessage(`{}`)}},
	} {
		if got := string(p.Ask(ids)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTheIDOfAnItem(t *testing.T) {
	o := &Operation{Probe: &Probe{ID: "sku"}}
	o.Results.ID = []string{"entityName"}
	for name, c := range map[string]struct {
		item      conform.Item
		id, asked string
	}{
		"a text":                 {conform.Item{Given: json.RawMessage(`"a"`)}, "a", `"a"`},
		"a number":               {conform.Item{Given: json.RawMessage(`1.0`)}, "1.0", `1.0`},
		"the probe's member":     {conform.Item{Given: json.RawMessage(`{"id":"1","sku":"S"}`)}, "S", `"S"`},
		"a member of results.id": {conform.Item{Given: json.RawMessage(`{"name":"n","entityName":"E"}`)}, "E", `"E"`},
		"id before name":         {conform.Item{Given: json.RawMessage(`{"name":"n","id":7}`)}, "7", `7`},
		"an empty id is none":    {conform.Item{Given: json.RawMessage(`{"id":"","name":"n"}`)}, "n", `"n"`},
		"what is meant":          {conform.Item{Given: json.RawMessage(`"produto a"`), Means: json.RawMessage(`{"id":"1001"}`)}, "1001", `"1001"`},
		"decomposed":             {conform.Item{Given: json.RawMessage("\"Cafe\u0301\"")}, "Caf\u00e9", "\"Cafe\u0301\""},
		"nothing":                {conform.Item{Given: json.RawMessage(`{"colour":"red"}`)}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			id, asked, ok := o.ItemID(c.item)
			if id != c.id || string(asked) != c.asked || ok != (c.id != "") {
				t.Errorf("%q, %s, %v", id, asked, ok)
			}
		})
	}
	if _, _, ok := (&Operation{}).ItemID(conform.Item{Given: json.RawMessage(`"a"`)}); ok {
		t.Error("an id without a probe")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"content":[],"structuredContent":{"orders":[{"id":"1","state":1}]}}`), "$.orders[*]", "state")
	f.Add([]byte(`{"content":[{"type":"text","text":"[[[1]]]"}]}`), "$..*", "$..[0]")
	f.Fuzz(func(t *testing.T, answer []byte, path, state string) {
		n, err := rawjson.Parse(answer)
		if err != nil {
			return
		}
		p := &Probe{Path: path, ID: "id", State: state, Count: "id"}
		states, err := p.Read(n, []string{"1", "x"})
		if err == nil && len(states) != 2 {
			t.Fatalf("%d states of 2 items", len(states))
		}
	})
}
