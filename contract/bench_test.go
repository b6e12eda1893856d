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
