package mask

import (
	"slices"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/rawpath"
)

// Rules say what is masked.
type Rules struct {
	// Paths lead from the arguments of a call, or from an answer's payload, to what
	// is masked: a text, a number, or everything in an object or a list.
	Paths []*jsonpath.Path
	// KeepPaths lead to what those paths do not mean, and Keep are values that stay
	// wherever they stand.
	KeepPaths []*jsonpath.Path
	Keep      []string
	// Names are what the target file calls things: tools, operations, arguments.
	Names []string
	// Figures are further members whose numbers count something.
	Figures []string
}

// Mask replaces values in recorded bytes. A value is learnt where a path leads to
// it, and is then replaced wherever it stands. It is not safe for concurrent use.
type Mask struct {
	rules   Rules
	by      *Pseudonyms
	values  values
	figures map[string]bool
	named   map[string]bool // members that hold masked values: their numbers are masked even if short
	learnt  int
	seen    map[string]bool // texts that were given to be learnt
	led     []bool          // by path of the rules: it led to a value that is masked
	// done are short texts that were masked since the values last changed: members'
	// names, flags, states, which an answer has in every row.
	done map[string]string
}

const (
	mostDone    = 1 << 16
	longestDone = 64
)

// New makes a mask with a secret key.
func New(key []byte, rules Rules) *Mask {
	m := &Mask{
		rules: rules, done: map[string]string{}, seen: map[string]bool{}, named: map[string]bool{}, figures: map[string]bool{},
		values: newValues(), led: make([]bool, len(rules.Paths)),
	}
	words := map[string]bool{}
	for _, text := range rules.Keep {
		m.add(text, true)
		for _, p := range part(text).core() {
			words[p.key] = true
		}
	}
	for _, name := range rules.Names {
		m.Name(name)
	}
	for _, name := range rules.Figures {
		m.figures[strings.ToLower(name)] = true
	}
	// A kept value's words are nobody's stand-in, and stay within others.
	m.by = NewPseudonyms(key, func(word string) bool { return stays(word) || words[word] })
	return m
}

// Name adds what a server calls a thing of the protocol, such as a tool: it stays.
func (m *Mask) Name(name string) {
	if strings.TrimSpace(name) != "" {
		m.add(name, true)
	}
}

// Learnt is how many values were learnt so far.
func (m *Mask) Learnt() int { return m.learnt }

// Learn takes the values that the paths lead to in arguments or in a payload.
func (m *Mask) Learn(root *rawjson.Node) { m.learn(m.located(root)) }

func (m *Mask) learn(located map[*rawjson.Node]bool) {
	for leaf := range located {
		if text, ok := leaf.Str(); ok {
			m.LearnText(text)
		} else if literal, ok := leaf.Literal(); ok {
			m.LearnText(strings.TrimPrefix(literal, "-"))
		}
	}
}

// LearnText takes a value.
func (m *Mask) LearnText(text string) {
	if m.seen[text] {
		return
	}
	m.seen[text] = true
	if hides(part(text)) && m.add(text, false) {
		m.learnt++
	}
}

// hides tells a text that has a word which a pseudonym takes the place of.
func hides(p parted) bool {
	return slices.ContainsFunc(p.core(), func(p piece) bool { return p.word && !stays(p.key) })
}

// Led tells whether a path of the rules, by its place among them, led so far to a
// value that is masked. One that led to words only that stay did not.
func (m *Mask) Led(path int) bool { return m.led[path] }

// meant tells whether a leaf that a path leads to is masked.
func (m *Mask) meant(leaf *rawjson.Node) bool {
	text, ok := leaf.Str()
	if !ok {
		text, _ = leaf.Literal()
	}
	p := part(text)
	one := m.values.alone(p)
	return hides(p) && (one == nil || !one.stays)
}

// located gives the texts and numbers that the paths lead to.
func (m *Mask) located(root *rawjson.Node) map[*rawjson.Node]bool {
	if root == nil {
		return nil
	}
	document := rawpath.Read(root)
	kept := map[*rawjson.Node]bool{}
	for _, path := range m.rules.KeepPaths {
		for _, n := range document.Locate(path) {
			kept[n] = true
		}
	}
	found := map[*rawjson.Node]bool{}
	for i, path := range m.rules.Paths {
		for _, n := range document.Locate(path) {
			n.Walk(func(at *rawjson.Node) bool {
				if kept[at] {
					return false
				}
				if at.Is(rawjson.String) || at.Is(rawjson.Number) {
					found[at] = true
					m.led[i] = m.led[i] || m.meant(at)
				}
				return true
			})
		}
	}
	for n := range found {
		if name := n.Name(); name != "" {
			m.named[strings.ToLower(name)] = true
		}
	}
	return found
}

// add takes a text to be looked for.
func (m *Mask) add(text string, stays bool) bool {
	if !m.values.add(text, stays) {
		return false
	}
	clear(m.done)
	return true
}

// Text masks a text: what it is, if it is a value, else the values that stand in
// it as words of their own.
func (m *Mask) Text(text string) string {
	if text == "" || m.learnt == 0 {
		return text
	}
	if is, known := m.done[text]; known {
		return is
	}
	is := m.masked(text)
	if len(text) <= longestDone && len(m.done) < mostDone {
		m.done[text] = is
	}
	return is
}

func (m *Mask) masked(text string) string {
	p := part(text)
	if one := m.values.alone(p); one != nil {
		if one.stays {
			return text
		}
		return m.every(p)
	}
	var out strings.Builder
	done := 0
	for i := 0; i < len(p.pieces); i++ {
		one := m.values.at(p, i)
		if one == nil {
			continue
		}
		first, last := p.pieces[i], p.pieces[i+one.pieces-1]
		for _, c := range p.chars[done:first.begin] {
			out.WriteString(c.raw)
		}
		if one.stays {
			for _, c := range p.chars[first.begin:last.end] {
				out.WriteString(c.raw)
			}
		} else {
			p.replaced(&out, first.begin, last.end, m.by.Text)
		}
		done = last.end
		i += one.pieces - 1
	}
	for _, c := range p.chars[done:] {
		out.WriteString(c.raw)
	}
	return m.encoded(out.String())
}

// Whole masks every word of a text: the value of a header field that is masked.
func (m *Mask) Whole(text string) string {
	m.LearnText(text)
	return m.every(part(text))
}

func (m *Mask) every(p parted) string {
	var out strings.Builder
	p.replaced(&out, 0, len(p.chars), m.by.Text)
	return out.String()
}

// Fragment masks JSON that is no message: arguments, an item, a state. What is no
// JSON is masked as text.
func (m *Mask) Fragment(text []byte) []byte {
	root, err := rawjson.Parse(text)
	if err != nil {
		return []byte(m.Text(string(text)))
	}
	return m.rewrite(text, root, m.located(root), nil)
}

// Leads tells whether a path leads to a value.
func (m *Mask) Leads(root, to *rawjson.Node) bool { return m.located(root)[to] }
