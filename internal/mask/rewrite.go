package mask

import (
	"bytes"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// rewriting is one JSON text that is written anew.
type rewriting struct {
	m       *Mask
	text    []byte
	out     bytes.Buffer
	done    int
	located map[*rawjson.Node]bool
	fixed   map[*rawjson.Node]bool // the protocol's own: left as they are
}

// rewrite writes a JSON text with its values masked. located are those that a
// path leads to, fixed those that belong to the protocol. Nothing else of the text
// changes, not a space.
func (m *Mask) rewrite(text []byte, root *rawjson.Node, located, fixed map[*rawjson.Node]bool) []byte {
	w := &rewriting{m: m, text: text, located: located, fixed: fixed}
	w.node(root, "")
	if w.done == 0 {
		return text
	}
	w.out.Write(text[w.done:])
	return w.out.Bytes()
}

func (w *rewriting) put(begin, end int, with string) {
	if string(w.text[begin:end]) == with {
		return
	}
	w.out.Write(w.text[w.done:begin])
	w.out.WriteString(with)
	w.done = end
}

func (w *rewriting) node(n *rawjson.Node, member string) {
	if w.fixed[n] {
		return
	}
	end := n.Offset + len(n.Raw)
	switch n.Kind {
	case rawjson.String:
		raw := string(n.Raw[1 : len(n.Raw)-1])
		said := unquoted(raw)
		if is := w.m.said(said, w.located[n]); is != said {
			w.put(n.Offset+1, end-1, respelled(raw, is))
		}
	case rawjson.Number:
		if literal := string(n.Raw); w.m.masksNumber(literal, member, w.located[n]) {
			w.put(n.Offset, end, w.m.by.Number(literal))
		}
	case rawjson.Array:
		for _, item := range n.Items {
			w.node(item, member)
		}
	case rawjson.Object:
		before := n.Offset + 1
		for i := range n.Members {
			at := &n.Members[i]
			w.name(before, at.Value.Offset)
			w.node(at.Value, at.Name)
			before = at.Value.Offset + len(at.Value.Raw)
		}
	}
}

// name masks a member's name, which stands somewhere between two places, if it is
// a value: an answer may be keyed by ids.
func (w *rewriting) name(from, to int) {
	begin, end := bytes.IndexByte(w.text[from:to], '"'), bytes.LastIndexByte(w.text[from:to], '"')
	if begin < 0 || begin == end {
		return
	}
	raw := string(w.text[from+begin+1 : from+end])
	said := unquoted(raw)
	if is := w.m.nameOf(said); is != said {
		w.put(from+begin+1, from+end, respelled(raw, is))
	}
}

// nameOf masks a member's name that is a value as a whole.
func (m *Mask) nameOf(name string) string {
	if m.Text(name) == name {
		return name
	}
	p := part(name)
	if one := m.values.alone(p); one != nil && !one.stays && !one.short {
		return m.every(p)
	}
	return name
}

// said masks what a string says: JSON in it as JSON.
func (m *Mask) said(text string, located bool) string {
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		if root, err := rawjson.Parse([]byte(text)); err == nil {
			inside := m.located(root)
			if located {
				root.Walk(func(n *rawjson.Node) bool {
					inside[n] = true
					return true
				})
			}
			return string(m.rewrite([]byte(text), root, inside, nil))
		}
	}
	if !located {
		return m.Text(text)
	}
	p := part(text)
	if one := m.values.alone(p); one != nil && one.stays {
		return text
	}
	return m.every(p)
}

// masksNumber tells whether a number is masked: where a path leads to it, or where
// it is a value that was learnt and does not merely count. A short one that no path
// leads to is a value only under a member that holds such, or by itself.
func (m *Mask) masksNumber(literal, member string, located bool) bool {
	p := part(strings.TrimPrefix(literal, "-"))
	lower := strings.ToLower(member)
	if figures[lower] || m.figures[lower] {
		return false
	}
	one := m.values.alone(p)
	switch {
	case located:
		return one == nil || !one.stays
	case one == nil || one.stays:
		return false
	}
	return !one.short || member == "" || m.named[lower]
}
