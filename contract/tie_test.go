package contract

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// itemsOf makes items of a JSON list of them.
func itemsOf(t testing.TB, list string) []conform.Item {
	t.Helper()
	var given []json.RawMessage
	if err := json.Unmarshal([]byte(list), &given); err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	items := make([]conform.Item, len(given))
	for i := range given {
		items[i].Given = given[i]
	}
	return items
}

type tied struct {
	by                                                  By
	item                                                []int
	surplus, nameless, wrong, merged, missing, repeated []int
}

func TestTie(t *testing.T) {
	for name, c := range map[string]struct {
		items string
		rows  string
		want  tied
	}{
		"by id, out of order":             {`["a","b"]`, `[{"id":"b"},{"id":"a"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"by name":                         {`["a","b"]`, `[{"name":"a"},{"name":"b"}]`, tied{by: ByIdentity, item: []int{0, 1}}},
		"by subject and by key":           {`["a","b"]`, `[{"subject":"b"},{"key":"a"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"by index":                        {`["a","b"]`, `[{"index":1},{"index":0}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"by index as text":                {`["a","b"]`, `[{"index":"1"},{"index":"0"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"by index from one":               {`["a","b","c"]`, `[{"index":3},{"index":1},{"index":2}]`, tied{by: ByIdentity, item: []int{2, 0, 1}}},
		"from one, the last row missing":  {`["a","b","c"]`, `[{"index":1,"id":"a"},{"index":2,"id":"b"}]`, tied{by: ByIdentity, item: []int{0, 1}, missing: []int{2}}},
		"from zero, the first missing":    {`["a","b","c"]`, `[{"index":1},{"index":2}]`, tied{by: ByIdentity, item: []int{1, 2}, missing: []int{0}}},
		"an index out of range":           {`["a","b"]`, `[{"index":0},{"index":2}]`, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},
		"a numbering of the server's own": {`["a","b"]`, `[{"index":10,"id":"b"},{"index":11,"id":"a"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"own numbering and no name":       {`["a","b"]`, `[{"index":10},{"index":11}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"an index that is no number":      {`["a","b"]`, `[{"index":"x"},{"index":-1}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"items with an index of their own": {`[{"index":7},{"index":3}]`, `[{"index":3},{"index":7}]`,
			tied{by: ByIdentity, item: []int{1, 0}}},
		"index before a made id":   {`["Ann","Bob"]`, `[{"index":1,"id":"u-1"},{"index":0,"id":"u-2"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"number and text":          {`[88,"7"]`, `[{"id":"88"},{"id":7}]`, tied{by: ByIdentity, item: []int{0, 1}}},
		"a rounded id":             {`["1917043659912705296","88"]`, `[{"id":1917043659912705300},{"id":88}]`, tied{by: ByIdentity, item: []int{-1, 1}, surplus: []int{0}, missing: []int{0}}},
		"answer of another call":   {`["b-1","b-2"]`, `[{"id":"a-1"},{"id":"a-2"}]`, tied{by: ByNothing, item: []int{-1, -1}, surplus: []int{0, 1}, missing: []int{0, 1}}},
		"NFC for NFD and back":     {"[\"e\u0301\",\"\u00e1\"]", "[{\"id\":\"\u00e9\"},{\"id\":\"a\u0301\"}]", tied{by: ByIdentity, item: []int{0, 1}}},
		"NFKC is another item":     {`["ﬁ"]`, `[{"id":"fi"}]`, tied{by: ByNothing, item: []int{-1}, surplus: []int{0}, missing: []int{0}}},
		"letter case is another":   {`["a"]`, `[{"id":"A"}]`, tied{by: ByNothing, item: []int{-1}, surplus: []int{0}, missing: []int{0}}},
		"member names in any case": {`[{"Id":"e1"},{"Id":"e2"}]`, `[{"id":"e2"},{"ID":"e1"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"two rows for one item":    {`["a","b"]`, `[{"id":"a"},{"id":"a"}]`, tied{by: ByIdentity, item: []int{0, 0}, missing: []int{1}, repeated: []int{0}}},
		"two rows of one index":    {`["a","b"]`, `[{"index":0},{"index":0}]`, tied{by: ByIdentity, item: []int{0, 0}, missing: []int{1}, repeated: []int{0}}},
		"a row left out":           {`["a","b","c"]`, `[{"id":"c"},{"id":"a"}]`, tied{by: ByIdentity, item: []int{2, 0}, missing: []int{1}}},
		"a row too many":           {`["a","b"]`, `[{"id":"a"},{"id":"x"},{"id":"b"}]`, tied{by: ByIdentity, item: []int{0, -1, 1}, surplus: []int{1}}},
		"nothing asked":            {`[]`, `[{"id":"a"}]`, tied{by: ByNothing, item: []int{-1}, surplus: []int{0}}},
		"no rows":                  {`["a"]`, `[]`, tied{by: ByNothing, item: []int{}, missing: []int{0}}},
		"order":                    {`["a","b"]`, `[{"m":1},{"m":2}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"order of the wrong number": {`["a","b","c"]`, `[{},{}]`,
			tied{by: ByNothing, item: []int{-1, -1}, nameless: []int{0, 1}, missing: []int{0, 1, 2}}},
		"one nameless row is left over":     {`["a","b"]`, `[{"error":"gone"},{"id":"a"}]`, tied{by: ByIdentity, item: []int{1, 0}, nameless: []int{0}}},
		"rows that are no objects":          {`["a","b"]`, `["a",null]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"a made id for nameless items":      {`[{"name":"Ann"},{"name":"Bob"}]`, `[{"id":"u1","name":"Bob"},{"id":"u2","name":"Ann"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"only a made id":                    {`[{"name":"Ann"},{"name":"Bob"}]`, `[{"id":"u1"},{"id":"u2"}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"a made id ties nothing":            {`[{"name":"2"},{"name":"1"}]`, `[{"id":"1"},{"id":"2"}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"a made id beside a plain name":     {`["Ann","Bob"]`, `[{"id":"u1","name":"Bob"},{"id":"u2","name":"Ann"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"same kind, nobody asked":           {`[{"name":"Ann"},{"name":"Bob"}]`, `[{"name":"Ann"},{"name":"Eve"}]`, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},
		"another name, same id":             {`[{"id":"1","name":"mug"}]`, `[{"id":"1","name":"Blue mug"}]`, tied{by: ByIdentity, item: []int{0}}},
		"another id, same name":             {`[{"id":"1","name":"mug"}]`, `[{"id":"9","name":"mug"}]`, tied{by: ByIdentity, item: []int{0}, wrong: []int{0}}},
		"two members, two items":            {`[{"id":"1","name":"x"},{"id":"2","name":"y"}]`, `[{"id":"1","name":"y"},{"id":"2","name":"x"}]`, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0, 1}}},
		"index and id of another":           {`["a","b"]`, `[{"index":0,"id":"b"},{"index":1,"id":"b"}]`, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},
		"index and an id nobody asked for":  {`[{"id":"a"},{"id":"b"}]`, `[{"index":0,"id":"z"},{"index":1,"id":"b"}]`, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},
		"an id sent twice":                  {`["a","b"]`, `[{"id":"a","id":"b"},{"id":"b"}]`, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},
		"item holds the text":               {`["t-1","t-2"]`, `[{"item":"t-2"},{"item":"t-1"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"item holds the object":             {`[{"id":"1"},{"id":"2"}]`, `[{"item":{"id":"2"}},{"item":{"id":"1"}}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"item holds another text":           {`["t-1","t-2"]`, `[{"item":"t-1"},{"item":"t-9"}]`, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},
		"item is a label":                   {`[{"id":"1"},{"id":"2"}]`, `[{"item":"first"},{"item":"second"}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"item is a count":                   {`["a","b"]`, `[{"item":1},{"item":2}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"under any other member":            {`[{"id":"o-1"},{"id":"o-2"}]`, `[{"order":"o-2"},{"order":"o-1"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"under another member, made id":     {`["o-1","o-2"]`, `[{"id":"r1","order":"o-2"},{"id":"r2","order":"o-1"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"a number under an id":              {`["1","2"]`, `[{"orderId":2},{"orderId":1}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"a number under no id":              {`["1","2"]`, `[{"quantity":2},{"quantity":1}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"a word that looks like an item":    {`["done","b"]`, `[{"status":"done"},{"status":"done"}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"refused rows shaped otherwise":     {`["a","b"]`, `[{"sku":"b"},{"ref":"a"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"names of the items' own":           {`[{"path":"/a","mode":"r"},{"path":"/b","mode":"r"}]`, `[{"path":"/b","mode":"r"},{"path":"/a","mode":"r"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"own names accuse nothing":          {`[{"amount":1},{"amount":2}]`, `[{"amount":"1.00"},{"amount":"2.00"}]`, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"an id for an own name":             {`[{"sku":"A"},{"sku":"B"}]`, `[{"id":"B"},{"id":"A"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"equal items, equal rows":           {`["a","a","b"]`, `[{"id":"a"},{"id":"b"},{"id":"a"}]`, tied{by: ByIdentity, item: []int{0, 2, 1}}},
		"equal items, one row":              {`["a","a","b"]`, `[{"id":"a"},{"id":"b"}]`, tied{by: ByIdentity, item: []int{0, 2}, merged: []int{1}}},
		"equal items, a row too many":       {`["a","a"]`, `[{"id":"a"},{"id":"a"},{"id":"a"}]`, tied{by: ByIdentity, item: []int{0, 1, 0}, repeated: []int{0}}},
		"equal after trimming, one row":     {`["a"," a"]`, `[{"id":"a"}]`, tied{by: ByIdentity, item: []int{0}, merged: []int{1}}},
		"equal after trimming, two rows":    {`["a"," a"]`, `[{"id":"a"},{"id":"a"}]`, tied{by: ByIdentity, item: []int{0, 1}}},
		"equal after trimming, by index":    {`[{"name":"A"},{"name":" A"}]`, `[{"index":0,"name":"A"},{"index":1,"name":"A"}]`, tied{by: ByIdentity, item: []int{0, 1}}},
		"three equal ones":                  {`["a"," a","a "]`, `[{"index":1,"id":"a "},{"index":0,"id":" a"},{"index":2,"id":"a"}]`, tied{by: ByIdentity, item: []int{1, 0, 2}}},
		"one name, two things, two rows":    {`[{"id":"1","name":"x"},{"id":"2","name":"x"}]`, `[{"id":"2","name":"x"},{"name":"x"}]`, tied{by: ByIdentity, item: []int{1, 0}}},
		"one name, two things, one row":     {`[{"id":"1","name":"x"},{"id":"2","name":"x"}]`, `[{"name":"x"}]`, tied{by: ByIdentity, item: []int{0}, missing: []int{1}}},
		"same id for two different actions": {`[{"id":"1","by":1},{"id":"1","by":2}]`, `[{"id":"1"},{"id":"1"}]`, tied{by: ByIdentity, item: []int{0, 1}}},
		"a row with a null id":              {`["a","b"]`, `[{"id":"a"},{"id":null}]`, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{1}}},
		"a row with a blank id":             {`["a","b"]`, `[{"id":"a"},{"id":""}]`, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{1}}},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(`{"results":`+c.rows+`}`), Options{})
			got := a.Tie(itemsOf(t, c.items), Options{}, false)
			if have := (tied{got.By, got.Item, got.Surplus, got.Nameless, got.Wrong, got.Merged, got.Missing(), got.Doubled()}); !reflect.DeepEqual(have, c.want) {
				t.Errorf("\n got %+v\nwant %+v", have, c.want)
			}
			checkTying(t, got, len(a.Rows))
		})
	}
}

func TestTieWithWhatItemsMean(t *testing.T) {
	items := []conform.Item{
		{Given: json.RawMessage(`"blue mug"`), Means: json.RawMessage(`{"id":"P-1","name":"Blue Mug"}`)},
		{Given: json.RawMessage(`"the red one"`), Means: json.RawMessage(`{"id":"P-2","name":"Red Mug"}`)},
		{Given: json.RawMessage(`"Blue mug"`), Means: json.RawMessage(`{"id":"P-1","name":"Blue Mug"}`), Equals: 1},
	}
	a := read(t, structured(`{"results":[{"id":"P-2"},{"name":"Blue Mug"}]}`), Options{})
	got := a.Tie(items, Options{}, false)
	if !reflect.DeepEqual(got.Item, []int{1, 0}) || !reflect.DeepEqual(got.Merged, []int{2}) || len(got.Missing()) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestTieByTheFilesOwnNames(t *testing.T) {
	o := Options{ID: []string{"sku"}}
	a := read(t, structured(`{"results":[{"SKU":"b"},{"sku":"x"}]}`), o)
	got := a.Tie(itemsOf(t, `[{"sku":"a"},{"sku":"b"}]`), o, false)
	if !reflect.DeepEqual(got.Item, []int{1, -1}) || !reflect.DeepEqual(got.Surplus, []int{1}) {
		t.Errorf("%+v", got)
	}
}

func TestTieWithLetterCaseFolded(t *testing.T) {
	a := read(t, structured(`{"results":[{"id":"STRASSE"},{"id":"a-1"}]}`), Options{})
	got := a.Tie(itemsOf(t, `["A-1","straße"]`), Options{}, true)
	if !reflect.DeepEqual(got.Item, []int{1, 0}) {
		t.Errorf("%+v", got)
	}
}

func TestIdentities(t *testing.T) {
	for src, want := range map[string][]Identity{
		`"a"`:                               {{"", "a"}},
		`88`:                                {{"", "88"}},
		`1.50`:                              {{"", "1.50"}},
		`{"Id":"x","qty":2,"name":"N"}`:     {{"Id", "x"}, {"name", "N"}},
		`{"order_id":"x","qty":2,"a":null}`: nil,
		`{"sku":7,"id":{"a":1}}`:            {{"sku", "7"}},
		`{"subject":"s","key":"k"}`:         {{"subject", "s"}, {"key", "k"}},
		`null`:                              nil,
		`[1]`:                               nil,
		`{`:                                 nil,
	} {
		got := Identities(conform.Item{Given: json.RawMessage(src)}, Options{ID: []string{"sku"}})
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", src, got)
		}
	}
	both := Identities(conform.Item{Given: json.RawMessage(`"a"`), Means: json.RawMessage(`{"id":"1"}`)}, Options{})
	if !reflect.DeepEqual(both, []Identity{{"", "a"}, {"id", "1"}}) {
		t.Errorf("of Given, then of Means: %+v", both)
	}
}

func TestSameValueAndCanonical(t *testing.T) {
	for _, c := range []struct {
		a, b string
		fold bool
		same bool
	}{
		{"a", "a", false, true}, {"a", "A", false, false}, {"a", "A", true, true}, {"é", "e\u0301", false, true},
		{"É", "e\u0301", true, true}, {"ß", "SS", true, true}, {" a", "a", false, false}, {"ﬁ", "fi", false, false}, {"Σ", "ς", true, true},
	} {
		if SameValue(c.a, c.b, c.fold) != c.same || (Key(c.a, c.fold) == Key(c.b, c.fold)) != c.same {
			t.Errorf("%q and %q, folded %t: want %t", c.a, c.b, c.fold, c.same)
		}
	}
	if got := Canonical("\u00a0 E\u0301a\t", false); got != "Éa" {
		t.Errorf("canonical %q", got)
	}
	if got := Canonical(" É ", true); got != "é" || got != Canonical("e\u0301", true) {
		t.Error("case is folded when asked")
	}
}

func TestEqualItems(t *testing.T) {
	for list, want := range map[string][][2]int{
		`["a","b"]`:                               nil,
		`["a","b"," a","a"]`:                      {{0, 2}, {0, 3}},
		`[88,"88"]`:                               {{0, 1}},
		`[{"id":1,"n":"x"},{"n":" x","id":"1"}]`:  {{0, 1}},
		`[{"id":"1","by":1},{"id":"1","by":2}]`:   nil,
		`[{"id":"1"},{"id":"1","by":2}]`:          nil,
		`["a",{"id":"a"}]`:                        nil,
		`[true,true,"true",null,null,[1],["1"]]`:  {{0, 1}, {3, 4}, {5, 6}},
		"[\"\u00e9\",\"e\u0301\",\"E\u0301\"]":    {{0, 1}},
		`[{"a":{"b":[" x"]}},{"a":{"b":["x "]}}]`: {{0, 1}},
		`[{"id":"1","x":1},{"id":"1","x":2}]`:     nil,
		`[{"a":"1"},{"b":"1"}]`:                   nil,
		`[["1","2"],["1","3"]]`:                   nil,
		// The same values, put together otherwise.
		`[["a","b",{"c":"d"}],[{"a":"b","c":"d"}]]`: nil,
		`[[{"a":"b"},"c","d"],[{"a":"b","c":"d"}]]`: nil,
		`[["a",["b"]],[["a","b"]]]`:                 nil,
		`[[["a"],"b"],[["a","b"]]]`:                 nil,
		`[{"n":"X"},{"n":"x"},["X"],["x"]]`:         nil,
	} {
		if got := EqualItems(itemsOf(t, list), false); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", list, got)
		}
	}
	if got := EqualItems(itemsOf(t, `["É","e\u0301"]`), true); !reflect.DeepEqual(got, [][2]int{{0, 1}}) {
		t.Errorf("folded: %v", got)
	}
	if got := EqualItems(itemsOf(t, `[{"n":"X"},{"n":"x"},["X"],["x"]]`), true); !reflect.DeepEqual(got, [][2]int{{0, 1}, {2, 3}}) {
		t.Errorf("folded within: %v", got)
	}
	if got := EqualItems([]conform.Item{{}, {Given: json.RawMessage("{")}, {Given: json.RawMessage(`"a"`)}, {Given: json.RawMessage(`"a"`)}}, false); !reflect.DeepEqual(got, [][2]int{{2, 3}}) {
		t.Errorf("what is no JSON equals nothing: %v", got)
	}
	if got := EqualItems([]conform.Item{
		{Given: json.RawMessage(`"blue mug"`), Means: json.RawMessage(`"P-1"`)}, {Given: json.RawMessage(`"mug, blue"`), Means: json.RawMessage(`"P-1"`)},
		{Given: json.RawMessage(`"mug"`), Means: json.RawMessage(`"P-2"`)}, {Given: json.RawMessage(`"mug"`), Means: json.RawMessage(`"P-3"`)},
	}, false); !reflect.DeepEqual(got, [][2]int{{0, 1}}) {
		t.Errorf("what they mean decides: %v", got)
	}
	told := itemsOf(t, `["x","y","y"]`)
	told[2].Equals = 1
	if got := EqualItems(told, false); !reflect.DeepEqual(got, [][2]int{{0, 2}}) {
		t.Errorf("the plan outweighs the text: %v", got)
	}
	told = itemsOf(t, `["x","y","z","w"]`)
	told[1].Equals = 4
	if got := EqualItems(told, false); got != nil {
		t.Errorf("equal to a later one: %v", got)
	}
	told = itemsOf(t, `["x","y","z","y"]`)
	told[2].Equals = 1
	if got := EqualItems(told, false); !reflect.DeepEqual(got, [][2]int{{0, 2}, {1, 3}}) {
		t.Errorf("told by the plan: %v", got)
	}
	told[0].Equals = 4 // no earlier item: told wrongly, and of no consequence
	if got := EqualItems(told, false); !reflect.DeepEqual(got, [][2]int{{0, 2}, {1, 3}}) {
		t.Errorf("told wrongly: %v", got)
	}
}
