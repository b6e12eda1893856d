package runner

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/target"
)

func TestTheLargestIsFoundToATenth(t *testing.T) {
	for _, c := range []struct{ most, bound int }{{1000, 1000}, {1000, 2000}, {100000, 25}, {100000, 1}, {7, 3}, {1, 1}, {50000, 777}, {1000, 0}} {
		asked := 0
		got := largest(c.most, func(n int) bool {
			asked++
			if n > c.most || n < 1 {
				t.Errorf("%d of %d was asked for", n, c.most)
			}
			return n <= c.bound
		})
		want := min(c.most, c.bound)
		if got > want || got < want-max(1, got/10) || asked > 25 {
			t.Errorf("most %d, bound %d: %d after %d calls", c.most, c.bound, got, asked)
		}
	}
}

// A server that answers 25 items at most is loaded with those, and with fewer.
func TestTheLargestBatchIsLoaded(t *testing.T) {
	backend, file := served(t, fakebackend.Options{JSONAnswers: true, MaxItems: 25})
	o := briefly("query-orders", "cancel-products")
	o.Batches, o.Largest = nil, true
	r := loaded(t, file, o)
	var sizes []int
	for _, row := range r.Performance {
		if row.Operation == "query-orders" {
			sizes = append(sizes, row.BatchSize)
		}
	}
	if len(sizes) != 3 || sizes[2] != 25 || !strings.Contains(strings.Join(r.Notes, " "), "query-orders answers a batch of 25 items in full: there are no larger ones (maxItems") {
		t.Errorf("%v; %v", sizes, r.Notes)
	}
	if effects := backend.Effects(); effects[len(effects)-1].Kind != "store-reset" {
		t.Error("what was tried is left behind")
	}
}

// A bound that nobody declares is found, and what breaks beyond it is told.
func TestAnUndeclaredBoundIsFound(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		small(w, r, "bounded", `[{"name":"find","inputSchema":{"type":"object"}}]`, func(_ string, arguments json.RawMessage) string {
			var asked struct{ IDs []string }
			_ = json.Unmarshal(arguments, &asked)
			var rows []string
			for _, id := range asked.IDs[:min(len(asked.IDs), 40)] {
				rows = append(rows, fmt.Sprintf(`{"id":%q,"success":true}`, id))
			}
			return `{"results":[` + strings.Join(rows, ",") + `]}`
		})
	}))
	defer server.Close()
	file, err := target.Parse("bounded.yaml", []byte(`version: 1
server: {url: "`+server.URL+`"}
operations: {find: {tool: find, effect: read, input: {argument: ids}, items: {good: {template: "S-{n}", count: 5000}}}}
`), os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	o := briefly()
	o.Batches, o.Largest = nil, true
	r := loaded(t, file, o)
	if last := r.Performance[len(r.Performance)-1].BatchSize; last < 36 || last > 40 || !strings.Contains(strings.Join(r.Notes, " "), "beyond: the answer breaks RES-02") {
		t.Errorf("%d items; %v", last, r.Notes)
	}
}
