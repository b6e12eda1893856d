package mask

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkBody(b *testing.B) {
	m := New([]byte("k"), Rules{Paths: nil})
	var rows []string
	for i := range 1000 {
		m.LearnText(fmt.Sprintf("Bulk %d", i))
		m.LearnText(fmt.Sprintf("B%d", i))
		rows = append(rows, fmt.Sprintf(`{"id":"B%d","name":"Bulk %d","success":true,"order":{"state":"PAID","customer":"Bulk customer %d"}}`, i, i, i))
	}
	body := []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"results":[` + strings.Join(rows, ",") + `]}}}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		m.Body(body)
	}
}
