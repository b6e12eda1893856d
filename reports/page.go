package reports

import (
	"bytes"
	"strings"
)

// page is a text being written: indented, wrapped lines. Everything that goes on
// it is made safe and bounded here, so that no caller can forget.
type page struct {
	bytes.Buffer
	ink
	width int
}

// labelled is how many columns the labels of a card take.
const labelled = 11

// line writes one line of pieces that are safe already.
func (p *page) line(indent int, safe string) {
	safe = strings.TrimRight(safe, " ")
	if safe != "" {
		p.WriteString(strings.Repeat(" ", indent))
		p.WriteString(mute(safe))
	}
	p.WriteByte('\n')
}

func (p *page) blank() { p.WriteByte('\n') }

// text writes foreign text, wrapped.
func (p *page) text(indent int, look paint, s string) {
	for _, l := range wrap(Safe(middle(s, mostText)), p.width-indent) {
		p.line(indent, p.painted(look, mute(l)))
	}
}

func (p *page) painted(look paint, safe string) string {
	if look == "" {
		return safe
	}
	return p.put(look, safe)
}

// field writes a label and a wrapped text beside it; nothing where there is no text.
func (p *page) field(indent int, label, s string) {
	if s == "" {
		return
	}
	for i, l := range wrap(Safe(middle(s, mostText)), p.width-indent-labelled) {
		p.line(indent, p.beside(label, i)+mute(l))
	}
}

// whole is a field that is never broken, so that it can be copied.
func (p *page) whole(indent int, label, s string) {
	if s != "" {
		p.line(indent, p.beside(label, 0)+Safe(s))
	}
}

// lines is a field of lines that are to be copied: none is broken.
func (p *page) lines(indent int, label, s string) {
	if s == "" {
		return
	}
	for i, l := range strings.Split(s, "\n") {
		safe := Safe(middle(l, mostShown))
		if i == 0 {
			p.line(indent, p.beside(label, 0)+safe)
			continue
		}
		p.line(indent+labelled, safe)
	}
}

// raw is a field of bytes: spaces kept, broken anywhere, with a rule at its left.
func (p *page) raw(indent int, s string) {
	for _, l := range chop(Safe(s), p.width-indent-labelled-2) {
		p.line(indent, strings.Repeat(" ", labelled)+p.put(dim, "│")+" "+l)
	}
}

func (p *page) beside(label string, line int) string {
	if line > 0 {
		return strings.Repeat(" ", labelled)
	}
	return p.put(dim, pad(label, labelled))
}

// entry begins something that has an id: sign, id and a title, wrapped.
func (p *page) entry(look paint, sign, id, title string) {
	id = brief(id, 24)
	indent := columns(sign) + columns(id) + 3
	for i, l := range wrap(Safe(middle(title, mostShown)), p.width-indent) {
		if i == 0 {
			p.line(0, p.put(look, sign+" "+id)+"  "+p.put(bold, l))
		} else {
			p.line(indent, p.put(bold, mute(l)))
		}
	}
}

// item is one entry of a list, with a sign before it.
func (p *page) item(look paint, sign, s string) {
	for i, l := range wrap(Safe(middle(s, mostText)), p.width-2) {
		if i == 0 {
			p.line(0, p.put(look, sign)+" "+l)
		} else {
			p.line(2, mute(l))
		}
	}
}

// heading begins a section.
func (p *page) heading(look paint, s string) {
	s = brief(s, p.width-4)
	p.blank()
	p.line(0, p.put(look, s)+" "+p.put(dim, strings.Repeat("─", max(3, p.width-columns(s)-1))))
	p.blank()
}
