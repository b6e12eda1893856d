package target

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// handsOf reads the undo of an operation, with more keys of it behind.
func handsOf(t *testing.T, undo, more string) *Operation {
	t.Helper()
	f, err := Parse("t.yaml", []byte("version: 1\nserver: {url: \"http://127.0.0.1:1/mcp\"}\noperations:\n  op:\n    tool: op\n    effect: write\n    input: {argument: items}\n    undo: "+undo+"\n"+more), noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	return f.Operation("op")
}

func things(t *testing.T, o *Operation, items ...string) []Thing {
	t.Helper()
	var all []Thing
	for _, item := range items {
		thing, ok := o.Thing(o.Undo, json.RawMessage(item))
		if !ok {
			t.Fatalf("%s has no id", item)
		}
		all = append(all, thing)
	}
	return all
}

func TestWhatToolsAreTold(t *testing.T) {
	two := []string{`{"name":"A","id":1.0}`, `"b"`}
	for undo, want := range map[string]string{
		`{tool: u, argument: ids}`:                                      `{"ids":[1.0,"b"]}`,
		`{tool: u, argument: all, arguments: {why: test}}`:              `{"why":"test","all":[1.0,"b"]}`,
		`{tool: u, argument: all, takes: items}`:                        `{"all":[{"name":"A","id":1.0},"b"]}`,
		`{tool: u, argument: all, id: name}`:                            `{"all":["A","b"]}`,
		`{tool: u, argument: all, takes: id, arguments: {why: [1, 2]}}`: `{"why":[1,2],"all":1.0}`,
		`{tool: u, argument: all, takes: item}`:                         `{"all":{"name":"A","id":1.0}}`,
	} {
		o := handsOf(t, undo, "")
		asked := things(t, o, two...)
		if o.Undo.Single() {
			asked = asked[:1]
		}
		if got := string(o.Undo.Call(asked)); got != want {
			t.Errorf("%s: %s, want %s", undo, got, want)
		}
	}
}

func TestWhatRequestsAreMade(t *testing.T) {
	two := []string{`{"id":"a b/ü"}`, `{"id":7}`}
	for undo, want := range map[string]string{
		`{http: {url: "/undo?ids={ids}"}}`:                                        "POST http://h/undo?ids=a+b%2F%C3%BC,7 | ",
		`{http: {url: /undo, body: {ids: "{ids}"}}}`:                              `POST http://h/undo | {"ids":["a b/ü",7]}`,
		`{http: {url: /undo, body: {all: "{items}"}}}`:                            `POST http://h/undo | {"all":[{"id":"a b/ü"},{"id":7}]}`,
		`{http: {method: DELETE, url: "/x/{id}"}}`:                                "DELETE http://h/x/a%20b%2F%C3%BC | ; DELETE http://h/x/7 | ",
		`{http: {method: PUT, url: "/x/{id}", body: {id: "{id}", of: "{item}"}}}`: `PUT http://h/x/a%20b%2F%C3%BC | {"id":"a b/ü","of":{"id":"a b/ü"}}; PUT http://h/x/7 | {"id":7,"of":{"id":7}}`,
		`{http: {url: "http://elsewhere/undo", body: "id={id}"}}`:                 "POST http://elsewhere/undo | id=a b/ü; POST http://elsewhere/undo | id=7",
	} {
		o := handsOf(t, undo, "")
		all, err := o.Undo.Requests("http://h/mcp", things(t, o, two...))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range all {
			got = append(got, o.Undo.HTTP.Method+" "+one.URL+" | "+string(one.Body))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s:\n got %s\nwant %s", undo, strings.Join(got, "; "), want)
		}
	}
}

func TestWhatCommandsRead(t *testing.T) {
	for undo, want := range map[string]string{
		`{command: [undo]}`:               "[\"a\",7]\n",
		`{command: [undo], takes: items}`: "[{\"id\":\"a\"},{\"id\":7}]\n",
	} {
		o := handsOf(t, undo, "")
		if got := string(o.Undo.Input(things(t, o, `{"id":"a"}`, `{"id":7}`))); got != want {
			t.Errorf("%s: %q", undo, got)
		}
	}
	o := handsOf(t, `{command: [undo], takes: id}`, "")
	if got := string(o.Undo.Input(things(t, o, `{"id":"a"}`))); got != "\"a\"\n" {
		t.Errorf("one at a time: %q", got)
	}
}

func TestAnItemWithoutAnIDIsToldWholeOnly(t *testing.T) {
	for undo, told := range map[string]bool{
		`{tool: u, argument: ids}`: false, `{tool: u, argument: a, takes: item}`: true,
		`{http: {url: "/x/{id}"}}`: false, `{http: {url: /x, body: {all: "{items}"}}}`: true, `{command: [x]}`: false,
	} {
		o := handsOf(t, undo, "")
		if _, ok := o.Thing(o.Undo, json.RawMessage(`{"from":"a","to":"b"}`)); ok != told {
			t.Errorf("%s: told %v", undo, ok)
		}
	}
}

func TestTheFilesOwnUndoAndSetup(t *testing.T) {
	f, err := Parse("t.yaml", []byte(`version: 1
server: {url: "http://127.0.0.1:1/mcp"}
undo: {tool: back, argument: ids}
setup: {tool: make, argument: items, undo: {tool: unmake, argument: ids}}
operations:
  plain: {tool: a, effect: write, input: {argument: items}}
  own: {tool: b, effect: write, input: {argument: items}, undo: {command: [x]}, setup: {tool: other, argument: items}}
  without: {tool: c, effect: write, input: {argument: items}, undo: none, setup: none}
  reads: {tool: d, effect: read, input: {argument: items}}
`), noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][4]string{
		"plain": {"back", "make", "unmake", "present"}, "own": {"", "other", "", "present"}, "without": {"", "", "", "absent"}, "reads": {"", "make", "unmake", ""},
	} {
		o := f.Operation(name)
		if got := [4]string{o.UndoTool, o.SetupTool, o.SetupUndoTool, string(o.Operation.Undo)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if o := f.Operation("reads"); o.Undo != nil {
		t.Error("what only reads has an undo")
	}
	if n := len(f.Commands()); n != 1 {
		t.Errorf("%d commands ask for consent", n)
	}
	if o := f.Operation("plain").Operation; o.Setup != conform.Present {
		t.Errorf("%+v", o)
	}
}

// Whatever is a credential in a header of hands must not be recorded.
func TestHeadersOfHandsAreSecret(t *testing.T) {
	o := handsOf(t, `{http: {url: "/x/{id}", headers: {X-Undo-Key: abc}}}`, "    setup: {http: {url: /y, body: \"{items}\", headers: {X-Setup-Key: abc}}}\n")
	f := &File{Operations: []*Operation{o}}
	if got := strings.Join(f.EyesHeaders(), " "); got != "X-Undo-Key X-Setup-Key" {
		t.Errorf("%s", got)
	}
}

func TestWhatTellsAnItem(t *testing.T) {
	o := handsOf(t, `{tool: u, argument: ids}`, "")
	for item, want := range map[string]string{
		`{"name":"A","id":"7"}`: "7", `"x"`: "x", `12`: "12", `{"to":"b","from":"a"}`: `{"from":"a","to":"b"}`,
	} {
		if got := o.Known(json.RawMessage(item)); got != want {
			t.Errorf("%s: %s, want %s", item, got, want)
		}
	}
}
