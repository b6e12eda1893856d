package selftest

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/target"
)

// redraw gives a transcript other names: of the tools, of the operations, and
// of the items with their ids, wherever they stand. What was said stays true of
// the new names, so a check that knows its rule and not its example says the
// same of both.
//
// Letters become other letters and digits other digits by one drawing for all
// of them, so what was equal, the start of another, or the same but for case is
// so still. Left as they are: names beyond ASCII, whose point is often in how
// they are written; numbers beyond 15 digits, whose point is what a double makes
// of them; and tools named by a plain word, which texts and protocol use too.
//
// The order of items is not changed: every answer that counts positions would
// become another answer. It is drawn anew by the seed of a selftest.
type redraw struct{ names *strings.Replacer }

// newRedraw draws the names for recordings of a target.
func newRedraw(file *target.File, seed uint64) redraw {
	draw := rand.New(rand.NewPCG(seed, seed))
	letters, digits := drawn(draw, "abcdefghijklmnopqrtuvwxyz"), drawn(draw, "123456789")
	other := func(text string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case r >= 'A' && r <= 'Z':
				return cmp.Or(letters[r+'a'-'A'], r+'a'-'A') + 'A' - 'a'
			case r >= '0' && r <= '9':
				return cmp.Or(digits[r], r)
			}
			return cmp.Or(letters[r], r)
		}, text)
	}
	found := map[string]bool{}
	for _, op := range file.Operations {
		for _, name := range []string{op.Name, op.Tool} {
			found[name] = strings.ContainsAny(name, "_-")
		}
		for _, supply := range []target.Supply{op.Items.Good, op.Items.Bad, op.Items.Informal, op.Items.Many} {
			for at := range min(supply.Len(), mostListed) {
				item := supply.Item(at, target.Run{})
				for _, name := range append(spoken(item.Given), spoken(item.Means)...) {
					if supply.Len() > mostListed {
						// Of a template the words, its numbers stay.
						name = strings.TrimRight(name, "0123456789")
					}
					found[name] = true
				}
			}
		}
	}
	var pairs [][2]string
	for name, wanted := range found {
		if !wanted || !redrawable(name) {
			continue
		}
		for _, written := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
			pairs = append(pairs, [2]string{written, other(written)})
		}
	}
	// The longest first: a name that begins another would cut it.
	slices.SortFunc(pairs, func(a, b [2]string) int {
		return cmp.Or(len(b[0])-len(a[0]), strings.Compare(a[0], b[0]))
	})
	var list []string
	for _, p := range slices.Compact(pairs) {
		list = append(list, p[0], p[1])
	}
	return redraw{strings.NewReplacer(list...)}
}

// mostListed is more items than a target file lists for a selftest: a longer
// supply is a template.
const mostListed = 64

// drawn gives each letter another, which may be its own.
func drawn(draw *rand.Rand, alphabet string) map[rune]rune {
	to := []rune(alphabet)
	draw.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
	m := map[rune]rune{}
	for i, r := range alphabet {
		m[r] = to[i]
	}
	return m
}

// redrawable tells the names that a drawing leaves whole.
func redrawable(name string) bool {
	numeral := strings.Trim(name, "0123456789") == ""
	return len(strings.TrimSpace(name)) >= 3 && (!numeral || len(name) <= 15) && strings.IndexFunc(name, func(r rune) bool { return r > '~' }) < 0
}

// spoken gives the strings of an item, in any depth.
func spoken(text []byte) []string {
	node, err := rawjson.Parse(text)
	if err != nil {
		return nil
	}
	var all []string
	node.Walk(func(n *rawjson.Node) bool {
		if s, ok := n.Str(); ok {
			all = append(all, strings.TrimSpace(s))
		}
		return true
	})
	return all
}

// transcript writes a transcript anew with the other names. Times and numbers of
// observations stay.
func (r redraw) transcript(src []byte) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(src))
	for line := range bytes.Lines(src) {
		// An observation begins with its number and its time.
		at := max(0, bytes.Index(line, []byte(`"kind":`)))
		out.Write(line[:at])
		rest := string(line[at:])
		// And ends, if it is one of received bytes, with the time of the first.
		end := strings.LastIndex(rest, `"first_byte_ns":`)
		if end < 0 {
			end = len(rest)
		}
		if _, err := r.names.WriteString(&out, rest[:end]); err != nil {
			return nil, fmt.Errorf("writing a transcript with other names: %w", err)
		}
		out.WriteString(rest[end:])
	}
	return out.Bytes(), nil
}
