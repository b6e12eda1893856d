package frame

import "testing"

func TestReadMessages(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		kind Kind
		key  string
	}{
		"request":          {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, Request, "1"},
		"string id":        {`{"jsonrpc":"2.0","id":"1","result":{}}`, Response, `"1"`},
		"notification":     {`{"jsonrpc":"2.0","method":"x"}`, Notification, ""},
		"only an id":       {`{"jsonrpc":"2.0","id":1}`, Response, "1"},
		"result and error": {`{"id":2,"result":{},"error":{}}`, Response, "2"},
		"prose":            {`hello`, Broken, ""},
		"a number":         {`42`, Broken, ""},
		"empty batch":      {`[]`, Broken, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ReadMessages([]byte(c.src))
			if len(got) != 1 || got[0].Kind != c.kind || Key(got[0].ID) != c.key {
				t.Errorf("got %+v", got)
			}
			if (got[0].Kind == Broken) != (got[0].Problem != "") {
				t.Errorf("a broken message says why, and no other: %+v", got[0])
			}
		})
	}
	if got := ReadMessages([]byte(`[{"id":1,"result":{}},{"id":2,"result":{}}]`)); len(got) != 2 {
		t.Errorf("batch: %+v", got)
	}
}

func TestReadStream(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		data []string
		rest bool
	}{
		"one":                   {"event: message\ndata: {}\n\n", []string{"{}"}, false},
		"three line endings":    {"data: a\r\n\r\ndata: b\r\rdata: c\n\n", []string{"a", "b", "c"}, false},
		"comment, retry, id":    {": hi\nretry: 100\nid: 7\n\ndata: a\n\n", []string{"a"}, false},
		"data over lines":       {"data: {\ndata: }\n\n", []string{"{\n}"}, false},
		"no space, empty data":  {"data:a\n\ndata\n\n", []string{"a", ""}, false},
		"byte order mark":       {"\ufeffdata: a\n\n", []string{"a"}, false},
		"never ended":           {"data: a\n\ndata: b\n", []string{"a"}, true},
		"line never ended":      {"data: a", nil, true},
		"only a comment at end": {"data: a\n\n: bye\n", []string{"a"}, false},
		"nothing":               {"", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := ReadStream([]byte(c.src))
			var data []string
			for _, e := range s.Events {
				data = append(data, string(e.Data))
			}
			if len(data) != len(c.data) {
				t.Fatalf("events %q, wanted %q", data, c.data)
			}
			for i := range data {
				if data[i] != c.data[i] {
					t.Errorf("event %d is %q, wanted %q", i, data[i], c.data[i])
				}
			}
			if (s.Rest != nil) != c.rest {
				t.Errorf("rest %q", s.Rest)
			}
		})
	}
}

func FuzzReadStream(f *testing.F) {
	f.Add([]byte("event: message\ndata: {}\n\n"))
	f.Add([]byte("data: a\r\rdata: b"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s := ReadStream(src)
		total := len(s.Rest)
		for _, e := range s.Events {
			total += len(e.Data)
			if e.Offset < 0 || e.Offset >= len(src) {
				t.Fatalf("offset %d of %d bytes", e.Offset, len(src))
			}
		}
		if total > len(src) {
			t.Fatalf("%d bytes out of %d", total, len(src))
		}
	})
}

func FuzzReadMessages(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	f.Add([]byte(`[{"id":1,"result":{}}]`))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, m := range ReadMessages(src) {
			if (m.Kind == Broken) != (m.Problem != "") {
				t.Fatalf("%q: %+v", src, m)
			}
		}
	})
}
