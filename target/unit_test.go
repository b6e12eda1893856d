package target

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestTheUnitToolIsToldOfOneItem(t *testing.T) {
	const file = `version: 1
server: {url: "http://127.0.0.1:1/mcp"}
operations:
  cancel: {tool: cancel_all, effect: write, input: {argument: items}, UNIT, items: {good: [{name: A, id: "1"}]}}
`
	for unit, want := range map[string]string{
		"unit: {tool: cancel, argument: id}":                               `{"id":"1"}`,
		"unit: {tool: cancel, argument: name, id: name}":                   `{"name":"A"}`,
		"unit: {tool: cancel, argument: item, takes: item}":                `{"item":{"name":"A","id":"1"}}`,
		"unit: {tool: cancel, argument: id, arguments: {customer: \"7\"}}": `{"customer":"7","id":"1"}`,
	} {
		f, err := Parse("t.yaml", []byte(strings.Replace(file, "UNIT", unit, 1)), os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		op := f.Operations[0]
		if got, ok := op.UnitCall(json.RawMessage(`{"name":"A","id":"1"}`)); !ok || string(got) != want || op.UnitTool != "cancel" {
			t.Errorf("%s: %s, %v", unit, got, ok)
		}
		if _, ok := op.UnitCall(json.RawMessage(`{"other":1}`)); ok && op.Unit.Takes == TakesID {
			t.Errorf("%s: an item without an id", unit)
		}
	}
	for unit, want := range map[string]string{
		"unit: {tool: cancel_all, argument: id}":             "the operation's own tool",
		"unit: {argument: id}":                               "`unit` has no `tool`",
		"unit: {tool: cancel}":                               "`unit` has no `argument`",
		"unit: {tool: cancel, argument: id, takes: several}": "`takes`",
		"unit: cancel":                                       "must be a mapping",
	} {
		if _, err := Parse("t.yaml", []byte(strings.Replace(file, "UNIT", unit, 1)), os.LookupEnv); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", unit, err, want)
		}
	}
	f, err := Parse("t.yaml", []byte(strings.Replace(file, "UNIT", "reset: none", 1)), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.Operations[0].UnitCall(json.RawMessage(`"1"`)); ok {
		t.Error("there is no unit tool")
	}
}
