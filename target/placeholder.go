package target

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// filledIn refuses every value that is still the placeholder of YAML that was
// offered to be pasted. name is the key that the value stands under.
func (r *reader) filledIn(name string, n *node) {
	if n == nil {
		return
	}
	switch n.kind {
	case mapping:
		for _, e := range n.entries {
			r.filledIn(e.key, e.value)
		}
	case list:
		for _, item := range n.items {
			r.filledIn(name, item)
		}
	case plain, quoted:
		if n.text == conform.Placeholder {
			r.fail(n, fmt.Sprintf("`%s` still holds the placeholder %s", printable(name), conform.Placeholder), "write what belongs there: only you know it")
		}
	}
}
