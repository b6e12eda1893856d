package multiitem

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestNamesThatSomeRuleReads(t *testing.T) {
	op := &conform.Operation{Results: conform.Results{ID: []string{"Sku"}, Success: []string{"fine"}, Add: []string{"items_ok"}}}
	for name, reads := range map[string]bool{
		"success": true, "ID": true, "total": true, "Status": true, "protocol_id": true, "sku": true, "fine": true, "items_ok": true, "jobId": true, "hasMore": true,
		"terminal": true, "note": false, "eta": false, "message": false,
	} {
		if Reads(op, name) != reads {
			t.Errorf("%q: %v", name, !reads)
		}
	}
	if !NamesProtocol("Confirmation-Number") || NamesProtocol("protocols") {
		t.Error("members for protocol ids are not known by their names")
	}
}

func TestWhatAnAnswerComesToAtAGlance(t *testing.T) {
	good, bad := conform.Item{Given: json.RawMessage(`"A"`), Truth: conform.Good}, conform.Item{Given: json.RawMessage(`"X"`), Truth: conform.Bad}
	mapped := conform.Results{Path: "$.found[*]", Success: []string{"present"}, ID: []string{"code"}}
	const rows = `{"structuredContent":{"results":[{"id":"A","success":true},{"id":"X","success":false,"error":"e"}]}}`
	for name, c := range map[string]struct {
		results conform.Results
		items   []conform.Item
		result  string
		want    Word
	}{
		"rows":                      {conform.Results{}, []conform.Item{good, bad}, rows, Word{}},
		"an error":                  {conform.Results{}, []conform.Item{good, bad}, `{"isError":true,"content":[{"type":"text","text":"no"}]}`, Word{Refused: `isError with "no"`}},
		"an error for bad items":    {conform.Results{}, []conform.Item{bad}, `{"isError":true,"content":[{"type":"text","text":"no"}]}`, Word{}},
		"an error with rows":        {conform.Results{}, []conform.Item{good, bad}, strings.Replace(rows, `{`, `{"isError":true,`, 1), Word{}},
		"no rows":                   {conform.Results{}, []conform.Item{good}, `{"content":[{"type":"text","text":"done"}]}`, Word{Unknown: true}},
		"a shape that is mapped":    {mapped, []conform.Item{good, bad}, `{"structuredContent":{"found":[{"code":"A"}]}}`, Word{Mapped: true}},
		"mapped, and untrue of one": {mapped, []conform.Item{good, bad}, `{"structuredContent":{"found":[{"code":"A"},{"code":"X"}]}}`, Word{Mapped: true, Untrue: 1}},
		"mapped, and nothing said":  {conform.Results{Path: "$.found[*]", Success: []string{"ok"}}, []conform.Item{good, bad}, `{"structuredContent":{"found":[]}}`, Word{Mapped: true, Untrue: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			var tape tape
			tape.call("c", conform.Planned{Operation: "o", Role: conform.RolePrimary, Method: "tools/call", Tool: "o", Items: c.items}, `{"name":"o"}`, []byte(c.result))
			op := conform.Operation{Name: "o", Tool: "o", Results: c.results}
			rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, tape.all)
			if got := Glance(rec, &op, rec.Call("c")); got != c.want {
				t.Errorf("%+v, wanted %+v", got, c.want)
			}
		})
	}
}
