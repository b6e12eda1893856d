package load

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pattern"
)

// mostShapes bounds how many patterns templates of one kind share.
const mostShapes = 4

// kind is the same text for templates whose answers a pattern may serve: the
// operation and the way it is asked, and what is known of each item, in order.
func kind(t *Template) string {
	var b strings.Builder
	p := t.planned
	fmt.Fprintf(&b, "%s %s %s %q %q %v %v ", p.Operation, p.Tool, p.Role, p.Form, p.Extra, p.Follows != "", p.AuxiliaryFails)
	for _, item := range t.planned.Items {
		switch item.Truth {
		case conform.Good:
			b.WriteByte('+')
		case conform.Bad:
			b.WriteByte('-')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}

// share offers a pattern to templates of the same kind, and gives the one that holds
// it afterwards: itself, or one that absorbed it.
func (j *Judge) share(t *Template, p *pattern.Pattern, absorb bool) *pattern.Pattern {
	if t.source.Repeats {
		return p
	}
	key := t.kindOf()
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, known := range j.shared[key] {
		if absorb && known.Absorb(p) {
			return known
		}
	}
	if len(j.shared[key]) < mostShapes {
		j.shared[key] = append(j.shared[key], p)
	}
	return p
}

// adopt has a template take over what others of its kind have learned since it
// asked last, so that not each of many large answers has to be judged by the checks
// once. It tells whether there was anything.
func (j *Judge) adopt(t *Template) bool {
	if t.source.Repeats {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	all := j.shared[t.kindOf()]
	found := false
	for _, p := range all[min(t.adopted, len(all)):] {
		if !slices.Contains(t.memory.patterns, p) && p.Fits(t.names) {
			t.memory.learn(p)
			found = true
		}
	}
	t.adopted = len(all)
	return found
}

// kindOf is the template's kind, worked out once.
func (t *Template) kindOf() string {
	if t.kind == "" {
		t.kind = kind(t)
	}
	return t.kind
}
