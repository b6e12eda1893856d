package contract

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// Corners of the tying, by the part of it that decides them.
func TestTieCorners(t *testing.T) {
	for name, c := range map[string]struct {
		items, rows string
		o           Options
		fold        bool
		want        tied
	}{
		// Which members name an item at all.
		"a nested object's id is another thing's":      {`["a","b"]`, `[{"meta":{"id":"b"},"id":"a"},{"meta":{"id":"a"},"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"the id is not the item's first member":        {`[{"id":"1"},{"id":"2"}]`, `[{"item":{"qty":1,"id":"2"}},{"item":{"qty":1,"id":"1"}}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"a number that is an item's name":              {`["1","2"]`, `[{"item":2},{"item":1}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"item names items that are objects":            {`[{"id":"1"},{"id":"2"}]`, `[{"item":"2"},{"item":"1"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"item is a member of the items' own":           {`[{"item":"x"},{"item":"y"}]`, `[{"index":0,"item":"y"},{"index":1,"item":"x"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"item is an id by the target file":             {`[{"item":"x"},{"item":"y"}]`, `[{"item":"x"},{"item":"z"}]`, Options{ID: []string{"item"}}, false, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},
		"index is an id by the target file":            {`[{"index":7},{"index":8}]`, `[{"index":8},{"index":0}]`, Options{ID: []string{"index"}}, false, tied{by: ByIdentity, item: []int{1, -1}, surplus: []int{1}, missing: []int{0}}},
		"a blank item, and a row without an id":        {`["","b"]`, `[{"id":null},{"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{0}}},
		"a blank item, and a row whose item is null":   {`["","b"]`, `[{"item":null},{"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{0}}},
		"a blank item, and a row with a null note":     {`["","b"]`, `[{"note":null},{"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{0}}},
		"letter case folded inside item":               {`[{"id":"A-1"},{"id":"B-1"}]`, `[{"item":{"id":"b-1"}},{"item":{"id":"a-1"}}]`, Options{}, true, tied{by: ByIdentity, item: []int{1, 0}}},
		"letter case kept inside item":                 {`[{"id":"A-1"}]`, `[{"item":{"id":"a-1"}}]`, Options{}, false, tied{by: ByNothing, item: []int{-1}, surplus: []int{0}, missing: []int{0}}},
		"letter case folded in item":                   {`["A-1","B-1"]`, `[{"item":"b-1"},{"item":"a-1"}]`, Options{}, true, tied{by: ByIdentity, item: []int{1, 0}}},
		"letter case kept in item":                     {`["A-1"]`, `[{"item":"a-1"}]`, Options{}, false, tied{by: ByNothing, item: []int{-1}, surplus: []int{0}, missing: []int{0}}},
		"letter case folded under any other member":    {`["A-1","B-1"]`, `[{"order":"b-1"},{"order":"a-1"}]`, Options{}, true, tied{by: ByIdentity, item: []int{1, 0}}},
		"items that are equal with letter case folded": {`["A","a"]`, `[{"id":"A"}]`, Options{}, true, tied{by: ByIdentity, item: []int{0}, merged: []int{1}}},
		"and are two without":                          {`["A","a"]`, `[{"id":"A"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, missing: []int{1}}},

		"letter case folded in the row's inner item": {`[{"id":"a-1"},{"id":"b-1"}]`, `[{"item":{"id":"B-1"}},{"item":{"id":"A-1"}}]`, Options{}, true, tied{by: ByIdentity, item: []int{1, 0}}},
		"letter case kept in the row's inner item":   {`[{"id":"A-1"},{"id":"B-1"}]`, `[{"item":{"id":"B-1"}},{"item":{"id":"A-1"}}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"letter case folded in the row's item":       {`["a-1","b-1"]`, `[{"item":"B-1"},{"item":"A-1"}]`, Options{}, true, tied{by: ByIdentity, item: []int{1, 0}}},
		"letter case kept in the row's item":         {`["A-1","B-1"]`, `[{"item":"B-1"},{"item":"A-1"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"letter case folded in the row's own member": {`["a-1","b-1"]`, `[{"order":"B-1"},{"order":"A-1"}]`, Options{}, true, tied{by: ByIdentity, item: []int{1, 0}}},
		"an item within the item is another thing":   {`[{"item":"x","id":"1","name":"n"},{"item":"y","id":"2","name":"y"}]`, `[{"id":"1","item":{"name":"y"}},{"id":"2"}]`, Options{ID: []string{"item"}}, false, tied{by: ByIdentity, item: []int{0, 1}}},

		// What accuses a row of being for nothing that was asked.
		"a label beside plain names and objects":          {`["t-1",{"id":"2"}]`, `[{"item":"t-1"},{"item":"second"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{1}}},
		"a label for items without any identity":          {`[{"sku":"A"},{"sku":"B"}]`, `[{"item":"x"},{"item":"y"}]`, Options{}, false, tied{by: ByOrder, item: []int{0, 1}, nameless: []int{0, 1}}},
		"an own name that names a plain item":             {`[{"sku":"A"},"B"]`, `[{"sku":"B"},{"sku":"A"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}, nameless: []int{0}}},
		"an own name beside a plain item":                 {`["a",{"sku":"B"}]`, `[{"id":"a"},{"sku":"zz"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{1}}},
		"the second name is the one that accuses":         {`[{"id":"1"},{"id":"2"}]`, `[{"id":"1"},{"name":"N","id":"9"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},
		"beside a stranger nothing is left over by order": {`["a","b"]`, `[{"id":"zz"},{"m":1},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{-1, -1, 0}, surplus: []int{0}, nameless: []int{1}, missing: []int{1}}},

		// Indexes.
		"the first of two indexes counts":                  {`["a","b"]`, `[{"index":0,"INDEX":1},{"index":1,"INDEX":0}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"an index that no list is long enough for":         {`["a","b"]`, `[{"index":0},{"index":3000000000}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},
		"an own number beside a row with a name":           {`["a","b"]`, `[{"id":"a"},{"index":10}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, nameless: []int{1}}},
		"the wrong index comes first":                      {`["a","b"]`, `[{"index":7},{"index":0}]`, Options{}, false, tied{by: ByIdentity, item: []int{-1, 0}, surplus: []int{0}, missing: []int{1}}},
		"the last one alone, from one":                     {`["a","b"]`, `[{"index":2}]`, Options{}, false, tied{by: ByIdentity, item: []int{1}, missing: []int{0}}},
		"a later zero says from zero":                      {`["a","b"]`, `[{"index":2},{"index":0}]`, Options{}, false, tied{by: ByIdentity, item: []int{-1, 0}, surplus: []int{0}, missing: []int{1}}},
		"a later one beyond the end says from zero":        {`["a","b"]`, `[{"index":2},{"index":3}]`, Options{}, false, tied{by: ByNothing, item: []int{-1, -1}, surplus: []int{0, 1}, missing: []int{0, 1}}},
		"a name says from zero":                            {`["a","b","c"]`, `[{"index":1,"id":"b"},{"index":3,"id":"x"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, -1}, surplus: []int{1}, missing: []int{0, 2}}},
		"names say from one":                               {`["a","b","c"]`, `[{"index":3,"id":"c"},{"index":1,"id":"a"},{"index":2,"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{2, 0, 1}}},
		"the second name says from one":                    {`["Ann","Bob","Cy"]`, `[{"index":1,"id":"u1","name":"Ann"},{"index":2,"id":"u2","name":"Bob"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, missing: []int{2}}},
		"the member item says from one":                    {`[{"id":"1"},{"id":"2"},{"id":"3"}]`, `[{"index":1,"item":"1"},{"index":2,"item":"2"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, missing: []int{2}}},
		"a position out of range is not saved by a member": {`["a","b"]`, `[{"index":0},{"index":5,"order":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},

		"the name of an equal item says from one": {`["a"," a","b"]`, `[{"index":2,"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1}, merged: []int{0}, missing: []int{2}}},

		// Rows that contradict their item.
		"an id that is the item's name":                  {`[{"id":"1","name":"2"},{"id":"3","name":"4"}]`, `[{"index":0,"id":"2"},{"index":1,"id":"3"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},
		"another id, same name, the name first":          {`[{"name":"mug","id":"1"}]`, `[{"name":"mug","id":"9"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, wrong: []int{0}}},
		"another label at an index":                      {`["a","b"]`, `[{"index":0,"item":"first"},{"index":1,"item":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"a subject may be written otherwise":             {`[{"subject":"blue mug"},{"subject":"red mug"}]`, `[{"index":0,"subject":"Blue mug, large"},{"index":1,"subject":"red mug"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"a key may not":                                  {`[{"key":"k1"},{"key":"k2"}]`, `[{"index":0,"key":"k9"},{"index":1,"key":"k2"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},
		"the row's own id beside the item's":             {`["a","b"]`, `[{"id":"a","ID":"b"},{"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"a made id beside the item's, of the same kind":  {`[{"id":"1"},{"id":"2"}]`, `[{"id":"1","ID":"zz"},{"ID":"yy","id":"2"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"two made ids at an index":                       {`[{"id":"1"},{"id":"2"}]`, `[{"index":0,"id":"z1","ID":"z2"},{"index":1,"id":"2"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},
		"an id sent twice, alike":                        {`["a","b"]`, `[{"name":"N","id":"a","id":"a"},{"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"an id sent twice, after a name":                 {`["a","b"]`, `[{"name":"N","id":"a","id":"b"},{"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},
		"another's id, and the name of an equal item":    {`[{"id":"1","name":"x"},{"id":"2","name":"y"},{"id":"1","name":" x"}]`, `[{"index":0,"id":"2","name":" x"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, wrong: []int{0}, merged: []int{2}, missing: []int{1}}},
		"an id nobody asked for, tied by another member": {`[{"id":"1"},{"id":"2"}]`, `[{"id":"9","order":"1"},{"id":"2"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, wrong: []int{0}}},

		// Members of any name.
		"the member that names more items is taken": {`[{"id":"o-1"},{"id":"o-2"}]`, `[{"next":"o-2","order":"o-1"},{"order":"o-2"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"a word stays a word, whatever comes later": {`["done","b","c"]`, `[{"status":"done"},{"status":"done"},{"status":"b"}]`, Options{}, false, tied{by: ByOrder, item: []int{0, 1, 2}, nameless: []int{0, 1, 2}}},
		"a word beside the member that names":       {`["o-1","o-2","done"]`, `[{"status":"done","order":"o-2"},{"status":"done","order":"o-1"},{"m":1}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0, 2}, nameless: []int{2}}},
		"tied rows do not count":                    {`["a","b"]`, `[{"id":"a","next":"b"},{"next":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
		"the naming member comes second":            {`["o-1","o-2"]`, `[{"quantity":2,"order":"o-2"},{"note":null,"order":"o-1"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"a name that is answered already":           {`["a","b","c"]`, `[{"id":"b"},{"order":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, -1}, nameless: []int{1}, missing: []int{0, 2}}},

		// One name for several items.
		"three rows for one item":                  {`["a"]`, `[{"id":"a"},{"id":"a"},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 0, 0}, repeated: []int{0}}},
		"two rows for the second item":             {`["b","a"]`, `[{"id":"a"},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 1}, missing: []int{0}, repeated: []int{1}}},
		"a row too many, not of the first":         {`["z","a","a"]`, `[{"id":"a"},{"id":"a"},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 2, 1}, missing: []int{0}, repeated: []int{1}}},
		"the equal item that stands first is left": {`[" a","a"]`, `[{"id":"a"},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"an own name and an id":                    {`[{"id":"1"},{"sku":"A"}]`, `[{"sku":"A","id":"1"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, missing: []int{1}}},
		"an id and an own name":                    {`[{"id":"1"},{"sku":"A"}]`, `[{"id":"1","sku":"A"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, missing: []int{1}}},
		"an id of two items outweighs an own name": {`[{"id":"1","by":1},{"id":"1","by":2},{"sku":"A"}]`, `[{"id":"1","sku":"A"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, missing: []int{1, 2}}},
		"the key tells which of one name":          {`[{"name":"w","key":"K"},{"name":"x"},{"name":"x","key":"K"},{"name":"z","key":"K"}]`, `[{"name":"x","key":"K","id":"made"}]`, Options{}, false, tied{by: ByIdentity, item: []int{2}, missing: []int{0, 1, 3}}},
		"the key denies the first of the list":     {`[{"name":"x"},{"name":"x","key":"K"},{"name":"y","key":"K"},{"name":"z","key":"K"}]`, `[{"name":"x","key":"K"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1}, missing: []int{0, 2, 3}}},
		"a key that denies them all":               {`[{"name":"a"},{"name":"x"},{"name":"x"},{"key":"K"},{"key":"K"},{"key":"K"}]`, `[{"name":"x","key":"K"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1}, wrong: []int{0}, merged: []int{2}, missing: []int{0, 3, 4, 5}}},

		"of two that fit, one is answered": {`[{"name":"x"},{"name":"x","key":"K"},{"name":"x","key":"K","n":2},{"key":"K","n":3},{"key":"K","n":4}]`, `[{"index":1},{"name":"x","key":"K"}]`, Options{}, false,
			tied{by: ByIdentity, item: []int{1, 2}, missing: []int{0, 3, 4}}},

		// What is left over.
		"equal items, and rows that name nothing":     {`["a","a","b"]`, `[{"id":"a"},{"m":1},{"m":2}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1, 2}, nameless: []int{1, 2}}},
		"merged items need no row that names nothing": {`["a","a","b"]`, `[{"id":"a"},{"m":1}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 2}, nameless: []int{1}, merged: []int{1}}},
		"the second of the list is merged":            {`["b","a","a"]`, `[{"id":"b"},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}, merged: []int{2}}},
		"two merged":                                  {`["a","a","a"]`, `[{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, merged: []int{1, 2}}},
		"two items with two rows each":                {`["a","b"]`, `[{"id":"a"},{"id":"b"},{"id":"a"},{"id":"b"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1, 0, 1}, repeated: []int{0, 1}}},

		// Outer white space.
		"names trimmed, out of order":                   {`["a "," b","c"]`, `[{"id":"b"},{"id":"c"},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 2, 0}}},
		"a subject trimmed":                             {`[{"subject":" x"},{"subject":"y "}]`, `[{"subject":"y"},{"subject":"x"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"two trimmed names in one row":                  {`[{"name":" x"},{"subject":" y"}]`, `[{"name":"x","subject":"y"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, missing: []int{1}}},
		"an id trimmed is another id":                   {`[{"id":" x"}]`, `[{"id":"x"}]`, Options{}, false, tied{by: ByNothing, item: []int{-1}, surplus: []int{0}, missing: []int{0}}},
		"the second name is the trimmed one":            {`[{"id":"1","name":" x"},{"id":"2","name":"y "}]`, `[{"key":"k","name":"y"},{"key":"l","name":"x"}]`, Options{}, false, tied{by: ByIdentity, item: []int{1, 0}}},
		"trimmed twice, one is answered":                {`[" a","b"]`, `[{"id":"a"},{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, -1}, surplus: []int{1}, missing: []int{1}}},
		"the first of two that are the same trimmed":    {`[" a","a  "]`, `[{"id":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0}, merged: []int{1}}},
		"one is answered as written, the other trimmed": {`[{"name":" a","n":1},{"name":"a ","n":2}]`, `[{"name":" a"},{"name":"a"}]`, Options{}, false, tied{by: ByIdentity, item: []int{0, 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(`{"results":`+c.rows+`}`), c.o)
			got := a.Tie(itemsOf(t, c.items), c.o, c.fold)
			if have := (tied{got.By, got.Item, got.Surplus, got.Nameless, got.Wrong, got.Merged, got.Missing(), got.Doubled()}); !reflect.DeepEqual(have, c.want) {
				t.Errorf("\n got %+v\nwant %+v", have, c.want)
			}
			checkTying(t, got, len(a.Rows))
		})
	}
}

func TestAnItemAndWhatItMeansUnderOneName(t *testing.T) {
	items := []conform.Item{{Given: json.RawMessage(`"done"`), Means: json.RawMessage(`{"name":"done"}`)}, {Given: json.RawMessage(`"b"`)}}
	a := read(t, structured(`{"results":[{"status":"done"},{"status":"done"}]}`), Options{})
	if got := a.Tie(items, Options{}, false); got.By != ByOrder {
		t.Errorf("a word that comes twice names one item twice: %+v", got)
	}
}

// A hundred things of one name, told apart by their ids: the name is not what
// the rows are tied by.
func TestOneNameForAHundredThings(t *testing.T) {
	var items, rows []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(`{"name":"mug","id":"%d"}`, i))
		rows = append(rows, fmt.Sprintf(`{"name":"mug","id":"%d"}`, 99-i))
	}
	a := read(t, structured(`{"results":[`+strings.Join(rows, ",")+`]}`), Options{})
	got := a.Tie(itemsOf(t, "["+strings.Join(items, ",")+"]"), Options{}, false)
	for row, item := range got.Item {
		if item != 99-row {
			t.Fatalf("row %d answers item %d", row, item)
		}
	}
	if len(got.Wrong) > 0 {
		t.Errorf("%d rows are said to contradict their item", len(got.Wrong))
	}
}

// And of names of their own.
func TestOneLotOfAHundredThings(t *testing.T) {
	for _, order := range []string{`{"sku":"S%d","lot":"L"}`, `{"lot":"L","sku":"S%d"}`} {
		var items []string
		for i := range 100 {
			items = append(items, fmt.Sprintf(order, i))
		}
		a := read(t, structured(`{"results":[`+items[99]+`]}`), Options{})
		if got := a.Tie(itemsOf(t, "["+strings.Join(items, ",")+"]"), Options{}, false); got.Item[0] != 99 {
			t.Errorf("%s answers item %d", items[99], got.Item[0])
		}
	}
}

// Of one name and many items, so many are tried and no more.
func TestTheSearchForAnItemIsBounded(t *testing.T) {
	for before, want := range map[int]int{lookAhead - 1: lookAhead - 1, lookAhead: 0} {
		var items []string
		for range before {
			items = append(items, `{"name":"mug"}`)
		}
		items = append(items, `{"name":"mug","key":"K"}`)
		for i := range before + 2 {
			items = append(items, fmt.Sprintf(`{"name":"n%d","key":"K"}`, i))
		}
		a := read(t, structured(`{"results":[{"name":"mug","key":"K"}]}`), Options{})
		if got := a.Tie(itemsOf(t, "["+strings.Join(items, ",")+"]"), Options{}, false); got.Item[0] != want {
			t.Errorf("the right one behind %d others: the row answers %d, want %d", before, got.Item[0], want)
		}
	}
}

func TestTheNamesOfARowAreBounded(t *testing.T) {
	items := itemsOf(t, `["a"]`)
	for _, member := range []string{"id", "item"} {
		row := "{" + strings.Repeat(`"`+member+`":"a",`, 3*maxNames) + `"success":true}`
		a := read(t, structured(`{"results":[`+row+`]}`), Options{})
		k := newKnot(a.Rows, items, Options{}, false)
		if n := len(k.claims[0].names); n != maxNames {
			t.Errorf("%s: %d names are weighed", member, n)
		}
	}
	a := read(t, structured(`{"results":[{`+strings.Repeat(`"name":"n",`, maxNames)+`"item":"a"}]}`), Options{})
	if got := a.Tie(items, Options{}, false); got.Item[0] != -1 {
		t.Errorf("what comes behind the bound ties the row to %d", got.Item[0])
	}
}
