package contract

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Identity is one name of an item: the member it stands under (empty for a plain
// string) and its value in comparable form.
type Identity struct{ Member, Value string }

// Identities gives all names of an item: of Given, then of Means. Of an object
// these are its members id, name, subject, key and those of Options.ID, letter
// case of the member name aside.
func Identities(item conform.Item, o Options) []Identity {
	r := decodeItem(item)
	return append(identitiesOf(r.given, o), identitiesOf(r.means, o)...)
}

// request is a requested item, decoded: nil where it is absent or no JSON.
type request struct{ given, means *rawjson.Node }

func decodeItem(item conform.Item) request { return request{decode(item.Given), decode(item.Means)} }

func decodeItems(items []conform.Item) []request {
	decoded := make([]request, len(items))
	for i := range items {
		decoded[i] = decodeItem(items[i])
	}
	return decoded
}

func decode(bytes []byte) *rawjson.Node {
	n, _ := rawjson.Parse(bytes) // nil where it is no JSON
	return n
}

// allNames gives what may tie a row to an item: its identities, or, of an item
// that has none, all its strings and numbers. The latter name it too, if less
// surely, and accuse no row.
func (r request) allNames(o Options) []Identity {
	found := append(identitiesOf(r.given, o), identitiesOf(r.means, o)...)
	if len(found) > 0 {
		return found
	}
	anyMember := func(string) bool { return true }
	return append(scalarsOf(r.given, anyMember), scalarsOf(r.means, anyMember)...)
}

func identitiesOf(n *rawjson.Node, o Options) []Identity {
	if value, ok := scalar(n); ok {
		return []Identity{{"", value}}
	}
	return scalarsOf(n, o.names)
}

// scalarsOf gives an object's strings and numbers under the members wanted.
func scalarsOf(n *rawjson.Node, wanted func(member string) bool) []Identity {
	if !n.Is(rawjson.Object) {
		return nil
	}
	var found []Identity
	for i := range n.Members {
		m := &n.Members[i]
		if value, ok := scalar(m.Value); ok && wanted(m.Name) {
			found = append(found, Identity{m.Name, value})
		}
	}
	return found
}

// names tells whether a member of that name is an identity (contract decision 15).
func (o Options) names(member string) bool {
	switch {
	case strings.EqualFold(member, "id"), strings.EqualFold(member, "name"),
		strings.EqualFold(member, "subject"), strings.EqualFold(member, "key"):
		return true
	}
	return slices.ContainsFunc(o.ID, func(name string) bool { return strings.EqualFold(member, name) })
}

// strong tells whether two different values under a member are two different
// items: a name may be written otherwise by a server, an id may not.
func (o Options) strong(member string) bool {
	return o.names(member) && !strings.EqualFold(member, "name") && !strings.EqualFold(member, "subject")
}

// isItem: a row may name its item by the member item, that holds it.
func isItem(member string) bool { return strings.EqualFold(member, "item") }

func isIndex(member string) bool { return strings.EqualFold(member, "index") }

// scalar gives a string's or number's value in comparable form: after NFC, and a
// number by its exact text, so that 88 is "88" and nothing is rounded.
func scalar(n *rawjson.Node) (string, bool) {
	if text, ok := n.Str(); ok {
		return nfc(text), true
	}
	return n.Literal()
}

func nfc(text string) string {
	if ascii(text) {
		return text
	}
	return norm.NFC.String(text)
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Key brings an identity value to the form in which the same values are equal
// strings: SameValue(a, b, f) is Key(a, f) == Key(b, f). It is for maps.
func Key(value string, foldCase bool) string { return comparableForm(value, foldCase) }

// comparableForm brings a value to the form in which equal values are equal strings.
func comparableForm(value string, foldCase bool) string {
	switch {
	case !foldCase:
		return nfc(value)
	case ascii(value):
		return strings.ToLower(value)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(value)))
}

// SameValue tells whether two identity values name the same thing: equal after
// NFC, and after case folding if foldCase.
func SameValue(a, b string, foldCase bool) bool {
	return comparableForm(a, foldCase) == comparableForm(b, foldCase)
}

// Canonical brings the value of a requested item to its canonical form: NFC,
// outer white space trimmed, letter case folded if asked (contract decision 2).
func Canonical(value string, foldCase bool) string {
	return comparableForm(strings.TrimSpace(value), foldCase)
}

// EqualItems gives the pairs of requested items that are equal after
// canonicalization: the position of the first and of each later one. Item.Equals
// says so, or the canonical items (Means, else Given) are the same in every
// member, strings after Canonical, numbers as their text.
func EqualItems(items []conform.Item, foldCase bool) [][2]int {
	var pairs [][2]int
	for i, first := range groups(items, decodeItems(items), foldCase) {
		if first != i {
			pairs = append(pairs, [2]int{first, i})
		}
	}
	return pairs
}

// groups gives, per item, the position of the first item equal to it.
func groups(items []conform.Item, decoded []request, foldCase bool) []int {
	first := make([]int, len(items))
	seen := make(map[string]int, len(items))
	for i := range items {
		first[i] = i
		if at := items[i].Equals - 1; at >= 0 && at < i {
			first[i] = first[at]
		}
		key, ok := decoded[i].key(foldCase)
		if !ok {
			continue
		}
		at, known := seen[key]
		switch {
		case !known:
			seen[key] = first[i]
		case first[i] == i:
			first[i] = first[at]
		}
	}
	return first
}

// key is the same text for items that are equal; false where the item is no JSON.
func (r request) key(foldCase bool) (string, bool) {
	n := r.means
	if n == nil {
		n = r.given
	}
	if n == nil {
		return "", false
	}
	var b strings.Builder
	writeKey(&b, n, foldCase)
	return b.String(), true
}

// writeKey writes a value so that equal ones are equal text: members sorted,
// strings canonical, a number as the string of its text.
func writeKey(b *strings.Builder, n *rawjson.Node, foldCase bool) {
	switch n.Kind {
	case rawjson.Object:
		b.WriteByte('{')
		members := slices.Clone(n.Members)
		slices.SortStableFunc(members, func(x, y rawjson.Member) int { return strings.Compare(x.Name, y.Name) })
		for i := range members {
			b.WriteString(strconv.Quote(members[i].Name))
			writeKey(b, members[i].Value, foldCase)
		}
		b.WriteByte('}')
	case rawjson.Array:
		b.WriteByte('[')
		for _, item := range n.Items {
			writeKey(b, item, foldCase)
		}
		b.WriteByte(']')
	case rawjson.String, rawjson.Number:
		value, _ := scalar(n)
		b.WriteString(strconv.Quote(Canonical(value, foldCase)))
	default:
		b.Write(n.Raw)
	}
}

// beyondDouble tells whether a number's text is beyond 2^53-1, the largest integer
// of which a double knows both neighbours. Rounding keeps the larger ones larger,
// and what is too large for a double is read as infinite.
func beyondDouble(literal string) bool {
	value, _ := strconv.ParseFloat(strings.TrimPrefix(literal, "-"), 64)
	return value > 1<<53-1
}
