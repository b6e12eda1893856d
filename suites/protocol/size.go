package protocol

import (
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// measured is how large a value is, where that matters to what it can cost.
type measured struct {
	values   int // every 64 bytes of a string count as a further one
	objects  int
	depth    int
	pointers int    // bytes of the pointers to all objects
	number   string // one too long to work with, shortened; empty: none is
}

func measure(n *rawjson.Node) measured {
	var m measured
	m.add(n, 0, 0)
	return m
}

// add adds a value whose pointer is so many bytes long.
func (m *measured) add(n *rawjson.Node, depth, pointer int) {
	m.depth = max(m.depth, depth)
	m.values++
	switch {
	case n.Is(rawjson.Object):
		m.objects++
		m.pointers += pointer
		for i := range n.Members {
			m.add(n.Members[i].Value, depth+1, pointer+1+len(rawjson.EscapeToken(n.Members[i].Name)))
		}
	case n.Is(rawjson.Array):
		for i, item := range n.Items {
			m.add(item, depth+1, pointer+1+len(strconv.Itoa(i)))
		}
	case n.Is(rawjson.String):
		m.values += len(n.Raw) / 64
	default:
		if literal, _ := n.Literal(); m.number == "" && unwieldy(literal) {
			m.number = rawjson.Cut(literal, 40)
		}
	}
}

// unwieldy tells a number that takes much room once it is worked with exactly.
func unwieldy(literal string) bool {
	digits, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	if len(digits) > maxDigits {
		return true
	}
	e, _ := strconv.Atoi(exponent) // none is 0; one out of range comes as the nearest there is
	return e > maxExponent || e < -maxExponent
}
