package contract

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// hugeAnswer is an answer of n rows, as structuredContent and mirrored in text.
func hugeAnswer(tb testing.TB, n int) ([]byte, []conform.Item) {
	tb.Helper()
	var rows strings.Builder
	items := make([]conform.Item, n)
	for i := range n {
		if i > 0 {
			rows.WriteByte(',')
		}
		fmt.Fprintf(&rows, `{"id":"P-%06d","name":"Produto São %d","success":%t,"error":null}`, i, i, i%3 > 0)
		items[i].Given = json.RawMessage(fmt.Sprintf(`{"id":"P-%06d","name":"Produto São %d"}`, i, i))
	}
	payload := `{"ok":true,"result":{"results":[` + rows.String() + `]}}`
	text, err := json.Marshal(payload)
	if err != nil {
		tb.Fatal(err)
	}
	return []byte(`{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + payload + `}`), items
}

func BenchmarkParse100k(b *testing.B) {
	src, _ := hugeAnswer(b, 100_000)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := rawjson.Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead100k(b *testing.B) {
	src, _ := hugeAnswer(b, 100_000)
	root, err := rawjson.Parse(src)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if a := Read(root, Options{}); len(a.Rows) != 100_000 || len(a.Problems) != 0 {
			b.Fatalf("%d rows, problems %+v", len(a.Rows), a.Problems)
		}
	}
}

func BenchmarkTie100k(b *testing.B) {
	src, items := hugeAnswer(b, 100_000)
	root, err := rawjson.Parse(src)
	if err != nil {
		b.Fatal(err)
	}
	a := Read(root, Options{})
	b.ReportAllocs()
	for b.Loop() {
		if t := a.Tie(items, Options{}, false); t.By != ByIdentity || len(t.Missing()) != 0 {
			b.Fatal("not tied")
		}
	}
}

// Answers made to be slow: a reader that compares rows with rows, or rows with
// items, takes minutes for these.
func BenchmarkHostileAnswers(b *testing.B) {
	const n = 20_000
	same := func(given, row string) ([]conform.Item, string) {
		items := make([]conform.Item, n)
		rows := make([]string, n)
		for i := range n {
			items[i].Given = json.RawMessage(strings.ReplaceAll(given, "#", fmt.Sprint(i)))
			rows[i] = strings.ReplaceAll(row, "#", fmt.Sprint(i))
		}
		return items, strings.Join(rows, ",")
	}
	for name, c := range map[string][2]string{
		"equal items and rows":        {`"x"`, `{"id":"x","ok":true}`},
		"one name for all":            {`{"id":"#","name":"x"}`, `{"name":"x","ok":true}`},
		"one name, foreign ids":       {`{"id":"#","name":"x"}`, `{"name":"x","id":"z#","ok":true}`},
		"every row one index":         {`"#"`, `{"index":0,"id":"#","ok":true}`},
		"a member name of each row":   {`"#"`, `{"m#":"#","ok":true}`},
		"many names in a row":         {`"#"`, `{"id":"a","id":"b","id":"#","key":"q","name":"r","ok":true}`},
		"rows without anything":       {`"#"`, `{}`},
		"flags that contradict":       {`"#"`, `{"id":"#","ok":true,"success":false}`},
		"rows that are not objects":   {`"#"`, `[[[["#"]]]]`},
		"names that need normalising": {`"e\u0301#"`, `{"id":"é#","ok":true}`},
	} {
		b.Run(name, func(b *testing.B) {
			items, rows := same(c[0], c[1])
			root := parse(b, `{"structuredContent":{"results":[`+rows+`]}}`)
			b.ReportAllocs()
			for b.Loop() {
				a := Read(root, Options{})
				t := a.Tie(items, Options{}, true)
				if status, why := a.Derive(items, t); status == StatusUnknown && why == "" {
					b.Fatal("no status and no reason")
				}
			}
		})
	}
	b.Run("40,000 ids in one row", func(b *testing.B) {
		root := parse(b, `{"structuredContent":{"results":[{`+strings.Repeat(`"id":"a","id":"b",`, n)+`"ok":true}]}}`)
		items := []conform.Item{{Given: json.RawMessage(`"a"`)}}
		for b.Loop() {
			a := Read(root, Options{})
			if t := a.Tie(items, Options{}, false); len(t.Wrong) != 1 {
				b.Fatalf("%+v", t)
			}
		}
	})
}
