package contract

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fixtures/answers"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// checkTying checks what holds for every tying.
func checkTying(t testing.TB, got Tying, rows int) {
	t.Helper()
	if len(got.Item) != rows {
		t.Fatalf("%d rows, told of %d", rows, len(got.Item))
	}
	seen := make([]int, rows)
	for item, answering := range got.Rows {
		for _, row := range answering {
			seen[row]++
			if got.Item[row] != item {
				t.Fatalf("row %d answers item %d and says %d", row, item, got.Item[row])
			}
		}
	}
	for row, item := range got.Item {
		if want := min(item, 0) + 1; seen[row] != want {
			t.Fatalf("row %d of item %d answers %d items", row, item, seen[row])
		}
		if item < 0 && !slices.Contains(got.Surplus, row) && !slices.Contains(got.Nameless, row) {
			t.Fatalf("row %d is tied to nothing, and nobody says why", row)
		}
	}
	for _, row := range got.Surplus {
		if got.Item[row] >= 0 {
			t.Fatalf("row %d is surplus and answers item %d", row, got.Item[row])
		}
	}
	missing := got.Missing()
	for _, item := range got.Merged {
		if len(got.Rows[item]) > 0 || slices.Contains(missing, item) {
			t.Fatalf("item %d is merged and has rows %v, missing %v", item, got.Rows[item], missing)
		}
	}
}

// checkStatus checks that a status never hides what is missing or unreadable.
func checkStatus(t testing.TB, a *Answer, items []conform.Item, got Tying) {
	t.Helper()
	status, why := a.Derive(items, got)
	if (status == StatusUnknown) != (why != "") {
		t.Fatalf("status %q because %q", status, why)
	}
	readable, good, bad := a.Count()
	switch {
	case status == StatusUnknown:
		return
	case readable != len(a.Rows) || len(a.Rows) < 2:
		t.Fatalf("status %q of %d rows, %d of them readable", status, len(a.Rows), readable)
	case status == Success && (len(got.Missing()) > 0 || bad > 0):
		t.Fatalf("SUCCESS, missing %v, %d rows failed", got.Missing(), bad)
	case status == AllFailed && (len(got.Missing()) > 0 || good > 0):
		t.Fatalf("FAILED, missing %v, %d rows succeeded", got.Missing(), good)
	case status == Partial && (good == 0 || bad == 0):
		t.Fatalf("PARTIAL_SUCCESS of %d and %d", good, bad)
	}
}

func FuzzRead(f *testing.F) {
	cases, err := answers.All()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		f.Add([]byte(c.ToolResult), uint8(0))
	}
	f.Add([]byte(`{"ok":true,"data":{"results":[{"ok":true}]}}`), uint8(2))
	f.Add([]byte(`{"result":{"output":{"t":{"results":[{"ok":true,"ok":false}]}}}}`), uint8(1))
	f.Fuzz(func(t *testing.T, src []byte, door uint8) {
		root, err := rawjson.Parse(src)
		if err != nil {
			return
		}
		a := Read(root, Options{Door: Door(door % 3), Tool: "t"})
		if a.Payload == nil && len(a.Problems) == 0 {
			t.Fatal("no payload, and no problem says why")
		}
		if (a.List == nil) != (a.Place == Nowhere) {
			t.Fatalf("list %v at place %d", a.List, a.Place)
		}
		if a.List == nil && len(a.Problems) == 0 {
			t.Fatal("no list, and no problem says why")
		}
		for _, p := range a.Problems {
			if p.Detail == "" || p.Offset < 0 {
				t.Fatalf("problem %+v", p)
			}
		}
		readable, _, _ := a.Count()
		if a.List.Is(rawjson.Array) && len(a.Rows) != len(a.List.Items) || readable > len(a.Rows) {
			t.Fatalf("%d rows, %d readable", len(a.Rows), readable)
		}
		items := []conform.Item{{Given: json.RawMessage(`"a"`)}, {Given: json.RawMessage(`{"id":"b"}`)}}
		got := a.Tie(items, Options{}, door&1 > 0)
		checkTying(t, got, len(a.Rows))
		checkStatus(t, a, items, got)
	})
}

func FuzzTie(f *testing.F) {
	cases, err := answers.All()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		items, err := json.Marshal(c.RequestItems)
		if err != nil {
			f.Fatal(err)
		}
		if list := Read(parse(f, string(c.ToolResult)), Options{}).List; list != nil {
			f.Add(items, list.Raw, false)
		}
	}
	f.Add([]byte(`["a","a"," a",{"id":"a","name":"b"}]`), []byte(`[{"id":"a","ok":true},{"name":"b","index":3,"ok":true},{"item":{"id":"a"},"ok":false}]`), true)
	f.Add([]byte(`[{"x":1},{"x":2}]`), []byte(`[{"x":2,"ok":true},{"id":1,"ok":true}]`), false)
	f.Fuzz(func(t *testing.T, itemList, rowList []byte, foldCase bool) {
		asked, err := rawjson.Parse(itemList)
		if err != nil || !asked.Is(rawjson.Array) {
			return
		}
		rows, err := rawjson.Parse([]byte(`{"structuredContent":{"results":` + string(rowList) + `}}`))
		if err != nil {
			return
		}
		items := make([]conform.Item, len(asked.Items))
		for i, item := range asked.Items {
			items[i] = conform.Item{Given: item.Raw, Equals: i % 3 * (i / 2)}
		}
		a := Read(rows, Options{})
		got := a.Tie(items, Options{ID: []string{"sku"}}, foldCase)
		checkTying(t, got, len(a.Rows))
		checkStatus(t, a, items, got)
	})
}
