package rawjson

import (
	"net/url"
	"strconv"
	"strings"
)

// Follow gives what a reference into the same document leads to, "#" and a pointer
// behind it (RFC 6901, section 6), from the node as the document's top. Nil where
// nothing is there, and for any other reference: an anchor, another document.
func (n *Node) Follow(ref string) *Node {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment == "" {
		return n
	}
	pointer, ok := strings.CutPrefix(fragment, "/")
	if !ok {
		return nil
	}
	for token := range strings.SplitSeq(pointer, "/") {
		token = unescapes.Replace(token)
		if n.Is(Array) {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
			continue
		}
		n = n.Get(token)
	}
	return n
}

var unescapes = strings.NewReplacer("~1", "/", "~0", "~")
