package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpconform/mcpconform/conform"
)

// told is one row of a made-up answer: the item it is for, and its words.
type told struct {
	item int
	json string
}

func rowsAnswer(t testing.TB, rows []told) *Answer {
	var words []string
	for _, row := range rows {
		words = append(words, row.json)
	}
	return read(t, structured(`{"results":[`+strings.Join(words, ",")+`]}`), Options{})
}

// batch draws distinct items, and a row for each that names it in one of the
// ways servers do.
func batch(t *rapid.T) ([]conform.Item, []told) {
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zé]{1,4}[0-9]{1,3}`), 2, 12, rapid.ID[string]).Draw(t, "names")
	style := rapid.SampledFrom([]string{"plain", "id", "name", "both", "index"}).Draw(t, "style")
	items, rows := make([]conform.Item, len(names)), make([]told, len(names))
	for i, name := range names {
		flag := rapid.Bool().Draw(t, "flag")
		given, row := fmt.Sprintf("%q", name), fmt.Sprintf(`{"id":%q,"success":%t}`, name, flag)
		switch style {
		case "id":
			given = fmt.Sprintf(`{"id":%q,"qty":%d}`, name, i)
		case "name":
			given, row = fmt.Sprintf(`{"name":%q}`, name), fmt.Sprintf(`{"id":"made-%d","name":%q,"ok":%t}`, i, name, flag)
		case "both":
			given, row = fmt.Sprintf(`{"id":%q,"name":"same"}`, name), fmt.Sprintf(`{"name":"same","id":%q,"ok":%t}`, name, flag)
		case "index":
			row = fmt.Sprintf(`{"index":%d,"success":%t}`, i, flag)
		}
		items[i].Given, rows[i] = json.RawMessage(given), told{i, row}
	}
	return items, rows
}

func TestTheOrderOfNamedRowsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		items, rows := batch(rt)
		shuffled := rapid.Permutation(rows).Draw(rt, "order")
		a := rowsAnswer(t, shuffled)
		got := a.Tie(items, Options{}, false)
		for row := range shuffled {
			if got.Item[row] != shuffled[row].item {
				rt.Fatalf("row %s answers item %d, tied to %d", shuffled[row].json, shuffled[row].item, got.Item[row])
			}
		}
		if got.By != ByIdentity || got.Surplus != nil || got.Nameless != nil || got.Wrong != nil || got.Missing() != nil {
			rt.Fatalf("%+v", got)
		}
		ordered := rowsAnswer(t, rows)
		want, _ := ordered.Derive(items, ordered.Tie(items, Options{}, false))
		if status, why := a.Derive(items, got); status != want {
			rt.Fatalf("status %q in order, %q (%s) out of order", want, status, why)
		}
	})
}

func TestARowLeftOutIsMissedAndNeverSuccess(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		items, rows := batch(rt)
		gone := rapid.IntRange(0, len(rows)-1).Draw(rt, "gone")
		left := slices.Delete(slices.Clone(rows), gone, gone+1)
		a := rowsAnswer(t, rapid.Permutation(left).Draw(rt, "order"))
		got := a.Tie(items, Options{}, false)
		checkTying(t, got, len(a.Rows))
		if missing := got.Missing(); !slices.Equal(missing, []int{gone}) {
			rt.Fatalf("item %d has no row, missing are %v: %+v", gone, missing, got)
		}
		_, good, bad := a.Count()
		status, why := a.Derive(items, got)
		want := StatusUnknown
		if good > 0 && bad > 0 {
			want = Partial
		}
		if status != want {
			rt.Fatalf("status %q (%s), want %q", status, why, want)
		}
	})
}

func TestEqualItemsAndEqualRowsAreTiedOneToOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 5).Draw(rt, "counts")
		var items []conform.Item
		var rows []told
		for kind, count := range counts {
			for range count {
				items = append(items, conform.Item{Given: json.RawMessage(fmt.Sprintf(`"item %d"`, kind))})
				rows = append(rows, told{kind, fmt.Sprintf(`{"id":"item %d","ok":true}`, kind)})
			}
		}
		items = rapid.Permutation(items).Draw(rt, "items")
		a := rowsAnswer(t, rapid.Permutation(rows).Draw(rt, "rows"))
		got := a.Tie(items, Options{}, false)
		checkTying(t, got, len(a.Rows))
		if got.Missing() != nil || got.Doubled() != nil || got.Merged != nil || got.Surplus != nil {
			rt.Fatalf("%+v", got)
		}
	})
}

func TestHostileRowsNeverBreakTheTying(t *testing.T) {
	value := rapid.SampledFrom([]string{`"a"`, `"b"`, `" a"`, `"A"`, `1`, `2`, `0`, `"1"`, `null`, `true`, `{"id":"a"}`, `[]`, `""`})
	member := rapid.SampledFrom([]string{"id", "name", "index", "item", "ok", "success", "sku", "other", "Id"})
	object := rapid.Custom(func(t *rapid.T) string {
		var parts []string
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			parts = append(parts, fmt.Sprintf("%q:%s", member.Draw(t, "member"), value.Draw(t, "value")))
		}
		return "{" + strings.Join(parts, ",") + "}"
	})
	any := rapid.OneOf(object, value)
	rapid.Check(t, func(rt *rapid.T) {
		given := rapid.SliceOfN(any, 0, 6).Draw(rt, "items")
		rows := rapid.SliceOfN(any, 0, 8).Draw(rt, "rows")
		items := itemsOf(t, "["+strings.Join(given, ",")+"]")
		a := read(t, structured(`{"results":[`+strings.Join(rows, ",")+`]}`), Options{})
		got := a.Tie(items, Options{ID: []string{"sku"}}, rapid.Bool().Draw(rt, "fold"))
		checkTying(t, got, len(a.Rows))
		checkStatus(t, a, items, got)
	})
}
