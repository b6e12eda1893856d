package load

import (
	"fmt"
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

// share offers a pattern to templates of the same kind.
func (j *Judge) share(t *Template, p *pattern.Pattern) {
	if t.source.Repeats {
		return
	}
	key := kind(t)
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.shared[key]) < mostShapes {
		j.shared[key] = append(j.shared[key], p)
	}
}

// Adopt has a template take over what others of its kind have learned, so that not
// each of many large answers has to be judged by the checks once.
func (j *Judge) Adopt(t *Template) {
	if t.source.Repeats {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, p := range j.shared[kind(t)] {
		if p.Fits(t.names) {
			t.memory.learn(p)
		}
	}
}
