package contract

import (
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// claim is one member of a row that may name the item it answers.
type claim struct {
	kind  string // the member's name in lower case; empty: the member item, holding a name
	value string
	again bool // the row sends the same member twice, with another value
}

// claims are all that a row says of which item it is about.
type claims struct {
	names []claim
	index int // as sent; negative: none
}

// maxNames bounds how many names of one row are weighed against each other: no
// honest row has so many, a hostile one could send a million.
const maxNames = 32

// claimsOf reads a row's identity members. A member index is a position, unless
// the requested items have an index of their own.
func (q *asked) claimsOf(row *Row, o Options, foldCase bool) claims {
	c := claims{index: -1}
	for i := range row.Node.Members {
		m := &row.Node.Members[i]
		switch {
		case isIndex(m.Name) && !q.kinds["index"] && !q.soft["index"]:
			if text, _ := scalar(m.Value); c.index < 0 {
				c.index = position(text)
			}
		case isItem(m.Name) && !q.kinds["item"] && m.Value.Is(rawjson.Object):
			for j := range m.Value.Members {
				q.claimOf(&c, &m.Value.Members[j], o, foldCase)
			}
		case isItem(m.Name) && !q.kinds["item"] && !q.soft["item"]:
			// A number that is nobody's name is a count of the server's own.
			if text, ok := scalar(m.Value); ok {
				value := comparableForm(text, foldCase)
				if (m.Value.Is(rawjson.String) || q.any[value] != nil) && len(c.names) < maxNames {
					c.names = append(c.names, claim{value: value})
				}
			}
		default:
			q.claimOf(&c, m, o, foldCase)
		}
	}
	return c
}

func (q *asked) claimOf(c *claims, m *rawjson.Member, o Options, foldCase bool) {
	kind := strings.ToLower(m.Name)
	if !o.names(kind) && !q.soft[kind] || len(c.names) == maxNames {
		return
	}
	text, ok := scalar(m.Value)
	if !ok {
		return
	}
	value := comparableForm(text, foldCase)
	again := false
	if m.Again {
		for _, earlier := range c.names {
			again = again || earlier.kind == kind && earlier.value != value
		}
	}
	c.names = append(c.names, claim{kind: kind, value: value, again: again})
}

// position reads an index: a whole number from 0 up. Negative if it is none.
func position(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
