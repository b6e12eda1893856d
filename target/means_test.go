package target

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestWhatARequestAsks(t *testing.T) {
	ids := []json.RawMessage{json.RawMessage(`"a&b, ç"`), json.RawMessage(`2`)}
	for _, c := range []struct {
		name, url, body string
		wantURL, want   string
	}{
		{"in the query", "/state?ids={ids}", "", "http://127.0.0.1:8080/state?ids=a%26b%2C+%C3%A7,2", ""},
		{"a whole URL", "https://eyes.example/{ids}", "", "https://eyes.example/a%26b%2C+%C3%A7,2", ""},
		{"in the body", "/state", `{"ids":"{ids}","n":1}`, "http://127.0.0.1:8080/state", `{"ids":["a&b, ç",2],"n":1}`},
		{"in a text", "/state", `find {ids}`, "http://127.0.0.1:8080/state", `find ["a&b, ç",2]`},
		{"nowhere", "/state", `{}`, "http://127.0.0.1:8080/state", `{}`},
	} {
		q := &HTTPRequest{Method: "POST", URL: c.url}
		if c.body != "" {
			q.Body = []byte(c.body)
		}
		all, err := q.Ask("http://127.0.0.1:8080/mcp", ids)
		if err != nil || len(all) != 1 || all[0].URL != c.wantURL || string(all[0].Body) != c.want || all[0].From != 0 || all[0].To != 2 {
			t.Errorf("%s: %+v %v", c.name, all, err)
		}
	}
	if _, err := (&HTTPRequest{URL: "/state"}).Ask("", ids); err == nil || !strings.Contains(err.Error(), "whole URL") {
		t.Errorf("without a server's URL: %v", err)
	}
}

func TestVeryManyIDsAreAskedForInPieces(t *testing.T) {
	var ids []json.RawMessage
	for i := range 2000 {
		ids = append(ids, json.RawMessage(fmt.Sprintf(`"item-%04d"`, i)))
	}
	all, err := (&HTTPRequest{Method: "GET", URL: "/state?ids={ids}"}).Ask("http://127.0.0.1:8080/mcp", ids)
	if err != nil || len(all) < 3 {
		t.Fatalf("%d requests, %v", len(all), err)
	}
	next := 0
	for _, one := range all {
		if one.From != next || one.To <= one.From || len(one.URL) > mostURL+100 || strings.Count(one.URL, "item-") != one.To-one.From {
			t.Errorf("%d to %d, %d bytes", one.From, one.To, len(one.URL))
		}
		next = one.To
	}
	if next != len(ids) {
		t.Errorf("%d of %d ids are asked for", next, len(ids))
	}
}

func TestWhereRequestsMayGo(t *testing.T) {
	const own, here = "server: {url: \"https://shop.example/mcp\"}\n", "http://127.0.0.1:8080/mcp"
	for _, c := range []struct {
		name, server, instead string
		method, url           string
		credentials           bool
		may                   bool
		says                  string
	}{
		{"a read on the server", own, "", "GET", "/state", true, true, ""},
		{"a write on the server", own, "", "POST", "/reset", true, true, ""},
		{"a read elsewhere", own, "", "GET", "https://eyes.example/state", true, true, ""},
		{"a write elsewhere", own, "", "POST", "https://eyes.example/reset", false, false, "eyes.example"},
		{"a read on another server", own, here, "GET", "/state", false, true, ""},
		{"credentials to another server", own, here, "GET", "/state", true, false, "127.0.0.1"},
		{"a write on another server", own, here, "DELETE", "/all", false, false, "127.0.0.1"},
		{"the wrong place", own, here, "GET", "https://shop.example/state", false, false, "the run is on another"},
		{"a server here", "", here, "POST", "/reset", true, true, ""},
		{"a command", "server: {command: [shop]}\n", "", "GET", "/state", false, false, "write the whole URL"},
		{"beside a command", "server: {command: [shop]}\n", "", "POST", "http://127.0.0.1:9/reset", true, true, ""},
	} {
		f := consenting(t, c.server, "")
		if c.instead != "" {
			server, err := ServerAt(c.instead, nil)
			if err != nil {
				t.Fatal(err)
			}
			f = f.WithServer(server)
		}
		q := &HTTPRequest{Method: c.method, URL: c.url}
		if c.credentials {
			q.Headers = append(q.Headers, f.Server.Headers...)
			q.Headers = append(q.Headers, header("X-Key", "k"))
		}
		if may, why := f.MaySend(q); may != c.may || !strings.Contains(why, c.says) || may != (why == "") {
			t.Errorf("%s: %v, %q", c.name, may, why)
		}
	}
}

func TestEyesAreReadFromTheFile(t *testing.T) {
	text := `version: 1
name: shop
operations:
  one:
    tool: cancel
    effect: write
    input: {argument: items}
    probe: {http: {url: "/state?ids={ids}", headers: {X-Key: "Key ${SHOP_KEY}"}}, path: "$.all[*]", id: id}
    reset: {command: [./reset.sh, --all]}
  two:
    tool: cancel
    effect: write
    input: {argument: items}
    probe: {command: [psql, -c, "select"], settle: 3s}
    reset: {http: {url: "http://127.0.0.1:9/reset", body: {all: true}}}
`
	r := &reader{file: "t.yaml", folder: filepath.Join("some", "folder"), getenv: func(string) (string, bool) { return "geheimnis-1", true }}
	root, err := readYAML("t.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f := &File{}
	r.document(f, root)
	if err := join(r.errs); err != nil {
		t.Fatal(err)
	}
	one, two := f.Operations[0], f.Operations[1]
	if one.Probe.Whose() != "GET /state" || one.Reset.Command[0] != "."+string(filepath.Separator)+filepath.Join("some", "folder", "reset.sh") || one.ProbeTool != "" {
		t.Errorf("%s, %q", one.Probe.Whose(), one.Reset.Command)
	}
	if two.Probe.Path != "$[*]" || two.Probe.ID != "id" || two.Probe.State != "state" || two.Probe.Command[0] != "psql" || string(two.Reset.HTTP.Body) != `{"all":true}` || two.Reset.HTTP.Method != "POST" {
		t.Errorf("%+v, reset %+v", two.Probe, two.Reset.HTTP)
	}
	if len(f.Commands()) != 2 || f.Commands()[0].Line != 9 {
		t.Errorf("commands %+v", f.Commands())
	}
	secret := map[string]bool{}
	for _, s := range f.Secrets() {
		secret[s.Value] = true
	}
	if !secret["geheimnis-1"] || !secret["Key geheimnis-1"] || len(f.EyesHeaders()) != 1 {
		t.Errorf("secrets %v, headers %v", secret, f.EyesHeaders())
	}
}

func header(name, value string) conform.HeaderField {
	return conform.HeaderField{Name: name, Value: value}
}
