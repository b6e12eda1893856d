package selftest

import (
	"bytes"
	"cmp"
	"encoding/base64"
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
type redraw struct {
	names map[string][]renaming // by their first bytes
	begin [256]bool             // what any of them begins with
}

// renaming is a name and the other one.
type renaming struct {
	from, to string
	open     bool // of a template: a number may follow
}

// newRedraw draws the names for recordings of some targets.
func newRedraw(seed uint64, files ...*target.File) *redraw {
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
	found := map[string]renaming{}
	var operations []*target.Operation
	for _, file := range files {
		operations = append(operations, file.Operations...)
	}
	for _, op := range operations {
		tools := []string{op.Name, op.Tool}
		if op.Results.Async != nil {
			tools = append(tools, op.Results.Async.Tool)
		}
		for _, name := range tools {
			if strings.ContainsAny(name, "_-") {
				found[name] = renaming{}
			}
		}
		for _, supply := range []target.Supply{op.Items.Good, op.Items.Bad, op.Items.Informal, op.Items.Many} {
			for at := range min(supply.Len(), mostListed) {
				item := supply.Item(at, target.Run{})
				for _, name := range append(spoken(item.Given), spoken(item.Means)...) {
					template := supply.Len() > mostListed
					if template {
						// Its words, and its numbers stay.
						name = strings.TrimRight(name, "0123456789")
					}
					found[name] = renaming{open: template}
				}
			}
		}
	}
	r := &redraw{names: map[string][]renaming{}}
	for name, n := range found {
		if !redrawable(name) {
			continue
		}
		for _, written := range unique(name, strings.ToLower(name), strings.ToUpper(name)) {
			n.from, n.to = written, other(written)
			r.names[written[:first]] = append(r.names[written[:first]], n)
			r.begin[written[0]] = true
		}
	}
	for _, list := range r.names {
		// The longest first: a name that begins another would cut it.
		slices.SortFunc(list, func(a, b renaming) int { return len(b.from) - len(a.from) })
	}
	return r
}

// first is how many bytes of a name the table of names is looked up with.
const first = 3

func unique(names ...string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// replace writes a text with the other names, where they stand as words of
// their own.
func (r *redraw) replace(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	done := 0
	for at := 0; at+first <= len(text); {
		if within := wordly(text[at]) && at > 0 && wordly(text[at-1]) && (at == 1 || text[at-2] != '\\'); within {
			at++ // a letter behind a backslash is no letter
			continue
		}
		n, here := r.at(text, at)
		if !here {
			at++
			continue
		}
		out.WriteString(text[done:at])
		out.WriteString(n.to)
		at += len(n.from)
		done = at
	}
	out.WriteString(text[done:])
	return out.String()
}

func (r *redraw) at(text string, at int) (renaming, bool) {
	if c := text[at]; !r.begin[c] {
		return renaming{}, false
	}
	for _, n := range r.names[text[at:at+first]] {
		if !strings.HasPrefix(text[at:], n.from) {
			continue
		}
		after := at + len(n.from)
		if n.open || after == len(text) || !wordly(text[after]) {
			return n, true
		}
	}
	return renaming{}, false
}

func wordly(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
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
	return len(strings.TrimSpace(name)) >= first && (!numeral || len(name) <= 15) && strings.IndexFunc(name, func(r rune) bool { return r > '~' }) < 0
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
func (r *redraw) transcript(src []byte) ([]byte, error) {
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
		said, err := r.coded(rest[:end])
		if err != nil {
			return nil, err
		}
		out.WriteString(said)
		out.WriteString(rest[end:])
	}
	return out.Bytes(), nil
}

// coded replaces names in a part of a line, and in bytes that are no UTF-8 and
// stand in it as base64.
func (r *redraw) coded(text string) (string, error) {
	const mark = `{"base64":"`
	var out strings.Builder
	for {
		before, after, any := strings.Cut(text, mark)
		out.WriteString(r.replace(before))
		if !any {
			return out.String(), nil
		}
		written, rest, _ := strings.Cut(after, `"`)
		raw, err := base64.StdEncoding.DecodeString(written)
		if err != nil {
			return "", fmt.Errorf("reading bytes in base64 in a transcript: %w", err)
		}
		out.WriteString(mark + base64.StdEncoding.EncodeToString([]byte(r.replace(string(raw)))) + `"`)
		text = rest
	}
}
