package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// whole gives the data of a stream's message events, read at once.
func whole(src []byte) [][]byte {
	var list [][]byte
	for _, e := range frame.ReadStream(src).Events {
		if e.Type == "message" {
			list = append(list, e.Data)
		}
	}
	return list
}

// FuzzEvents holds the incremental reader to the one that judges use, wherever
// the bytes are split.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"event: message\ndata: {}\n\n", "data: a\r\rdata: b\r\n\r\ndata", "\ufeffdata:x\n\n", "\ufeff\ufeffdata:x\n\n",
		"event: prime\nid: 3\ndata: \n\nevent:\ndata:y\n\n", "data\n\n", ": c\nretry: 5\ndata: {\ndata: }\n\n", "id: a\x00b\ndata: z\n\n",
	} {
		f.Add([]byte(seed), uint8(1))
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, src []byte, size uint8) {
		step := int(size%16) + 1
		var e events
		var got [][]byte
		for at := 0; at < len(src); at += step {
			got = append(got, e.feed(src[at:min(at+step, len(src))])...)
		}
		want := whole(src)
		if len(got) != len(want) {
			t.Fatalf("%q in steps of %d: %q, wanted %q", src, step, got, want)
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("%q in steps of %d: event %d is %q, wanted %q", src, step, i, got[i], want[i])
			}
		}
	})
}

func TestEventsKeepTheLastID(t *testing.T) {
	var e events
	e.feed([]byte("id: a\nretry: 7\ndata: \n\nid: b\x00\ndata: x\n\n"))
	if e.id != "a" || e.retry != "7" {
		t.Errorf("id %q, retry %q", e.id, e.retry)
	}
}

func TestMetaGoesInFrontOfParamsThatStayAsTheyAre(t *testing.T) {
	const head = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"n","version":"v"},"io.modelcontextprotocol/clientCapabilities":{}`
	for name, c := range map[string]struct{ params, want string }{
		"none":               {``, `{"_meta":{` + head + `}}`},
		"empty":              {` { } `, `{"_meta":{` + head + `}}`},
		"spacing is kept":    {`{ "name" : "x",  "arguments":{"n":1.0} }`, `{"_meta":{` + head + `}, "name" : "x",  "arguments":{"n":1.0} }`},
		"doubled are kept":   {`{"a":1,"a":2}`, `{"_meta":{` + head + `},"a":1,"a":2}`},
		"own meta is joined": {`{"name":"x","_meta":{"progressToken":1.0,"io.modelcontextprotocol/clientInfo":0}}`, `{"_meta":{` + head + `,"progressToken":1.0},"name":"x"}`},
		"meta alone":         {`{"_meta":{"progressToken":1}}`, `{"_meta":{` + head + `,"progressToken":1}}`},
		"no object":          {`[1]`, `[1]`},
		"no JSON":            {`{"a":`, `{"a":`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := withMeta(json.RawMessage(c.params), Revision20260728, identity("n", "v"), "{}"); string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func FuzzWithMeta(f *testing.F) {
	for _, seed := range []string{``, `{}`, `{"a":1}`, `{"_meta":{"x":1},"a":2}`, `{"_meta":3}`, `[`, `{"_meta":{},"_meta":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, params []byte) {
		before, err := rawjson.Parse(params)
		got := withMeta(params, Revision20260728, identity("n", "v"), "{}")
		if err != nil && len(bytes.TrimSpace(params)) > 0 || err == nil && !before.Is(rawjson.Object) {
			if !bytes.Equal(got, params) {
				t.Fatalf("%q became %q", params, got)
			}
			return
		}
		after, err := rawjson.Parse(got)
		if err != nil {
			t.Fatalf("%q became %q: %v", params, got, err)
		}
		if v, _ := after.At("_meta", metaProtocolVersion).Str(); v != Revision20260728 {
			t.Fatalf("%q became %q", params, got)
		}
		if before == nil {
			return
		}
		for _, m := range before.Members {
			if m.Name != "_meta" && !bytes.Equal(before.Get(m.Name).Raw, after.Get(m.Name).Raw) {
				t.Fatalf("%q: member %q changed", params, m.Name)
			}
		}
	})
}

func TestHeaderValue(t *testing.T) {
	for text, want := range map[string]string{
		"echo": "echo", "": "", "a b": "a b", " a": "=?base64?IGE=?=", "a\t": "=?base64?YQk=?=", "é": "=?base64?w6k=?=",
		"a\nb": "=?base64?YQpi?=", "=?base64?x?=": "=?base64?PT9iYXNlNjQ/eD89?=", "\xff": "=?base64?/w==?=",
	} {
		if got := headerValue(text); got != want {
			t.Errorf("%q: %q, wanted %q", text, got, want)
		}
	}
}

func TestArgumentsInHeaderFields(t *testing.T) {
	schema, err := rawjson.Parse([]byte(`{"properties":{"b":{"x-mcp-header":"Bee"},"o":{"properties":{"in":{"x-mcp-header":"Deep"}}},
		"bad":{"x-mcp-header":"no token"},"num":{"x-mcp-header":7},"n":{"x-mcp-header":"N"},"big":{"x-mcp-header":"Big"},"f":{"x-mcp-header":"F"},"z":{"x-mcp-header":"Z"},"l":{"x-mcp-header":"L"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	arguments, err := rawjson.Parse([]byte(`{"b":true,"o":{"in":"ü"},"bad":"x","num":"x","n":-4e1,"big":9007199254740993,"f":1.5,"z":null,"l":[1]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range bound(bindings(schema), arguments) {
		got = append(got, f.Name+": "+f.Value)
	}
	if all := strings.Join(got, "; "); all != "Mcp-Param-Bee: true; Mcp-Param-Deep: =?base64?w7w=?=; Mcp-Param-N: -40" {
		t.Error(all)
	}
	if got := bound(bindings(nil), nil); got != nil {
		t.Errorf("%v", got)
	}
}

func TestIDsOfASessionNeverMeetGivenOnes(t *testing.T) {
	s := &Session{}
	for want := 1; want < FirstGivenID; want++ {
		if got := s.next(); got != want {
			t.Fatalf("%d, wanted %d", got, want)
		}
	}
	if first, second := s.next(), s.next(); first != firstHighID || second != firstHighID+1 {
		t.Errorf("%d, %d", first, second)
	}
}

func TestCapabilitiesAreDeclaredOnlyWhereTheyAreMeant(t *testing.T) {
	for name, c := range map[string]struct {
		elicits        bool
		revision, want string
	}{
		"nobody answers":              {false, "2025-11-25", `{}`},
		"before there were any":       {true, "2025-03-26", `{}`},
		"the first revision of it":    {true, "2025-06-18", `{"elicitation":{}}`},
		"with modes":                  {true, "2025-11-25", `{"elicitation":{"form":{}}}`},
		"with every request":          {true, Revision20260728, `{"elicitation":{"form":{}}}`},
		"nobody answers, statelessly": {false, Revision20260728, `{}`},
	} {
		if got := (&Config{Elicits: c.elicits}).capabilities(c.revision); got != c.want {
			t.Errorf("%s: %s, wanted %s", name, got, c.want)
		}
	}
	both := Config{Elicits: true, Tasks: true}
	if got := both.capabilities(Revision20260728); got != `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}` {
		t.Errorf("both: %s", got)
	}
	if got := both.capabilities("2025-11-25"); got != `{"elicitation":{"form":{}}}` {
		t.Errorf("tasks before the extension: %s", got)
	}
}

func TestTheBookForgetsTheOldest(t *testing.T) {
	b := &book{limit: 2}
	for _, key := range []string{"1", "2", "3"} {
		if _, ok := b.enter(key, "c"+key, nil, nil); !ok || !b.leave(key) {
			t.Fatal(key)
		}
	}
	for key, want := range map[string]string{"1": "", "2": "c2", "3": "c3"} {
		if call, w := b.take(key); call != want || w != nil {
			t.Errorf("%s: %q", key, call)
		}
	}
}

func TestUserinfoBecomesAuthorization(t *testing.T) {
	c := Config{URL: "http://joe:pass@127.0.0.1:1/mcp"}
	address, err := c.complete()
	if err != nil {
		t.Fatal(err)
	}
	if got := conform.Field(withUserinfo(nil, address.URL), "Authorization"); got != "Basic am9lOnBhc3M=" {
		t.Errorf("%q", got)
	}
	own := []conform.HeaderField{{Name: "authorization", Value: "Bearer x"}}
	if got := withUserinfo(own, address.URL); len(got) != 1 {
		t.Errorf("%v", got)
	}
	l := newHTTPLink(&Client{config: c, at: address}, "s1")
	if strings.Contains(l.shown, "pass") || l.url.User != nil {
		t.Errorf("the password is shown: %s", l.shown)
	}
}
