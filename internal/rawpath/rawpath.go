// Package rawpath selects nodes of exact JSON by an RFC 9535 JSONPath. Target
// files name rows and states by such paths.
package rawpath

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Select applies a path and gives the nodes it selects, in the order of the
// bytes, each with its exact text.
func Select(path string, root *rawjson.Node) ([]*rawjson.Node, error) {
	query, err := jsonpath.Parse(path)
	if err != nil {
		return nil, fmt.Errorf("the path %s: %w", path, err)
	}
	return Locate(query, root), nil
}

// Locate is Select for a path that is parsed already.
func Locate(query *jsonpath.Path, root *rawjson.Node) []*rawjson.Node {
	return Read(root).Locate(query)
}

// Document is JSON that several paths are applied to.
type Document struct {
	root  *rawjson.Node
	value any
}

// Read makes JSON ready for paths.
func Read(root *rawjson.Node) Document { return Document{root, plain(root)} }

// Locate gives the nodes that a path selects, as Select does.
func (d Document) Locate(query *jsonpath.Path) []*rawjson.Node {
	var found []*rawjson.Node
	for _, at := range query.SelectLocated(d.value) {
		n := d.root
		for _, step := range at.Path {
			switch s := step.(type) {
			case spec.Name:
				n = n.Get(string(s))
			case spec.Index:
				n = n.Items[int(s)]
			}
		}
		found = append(found, n)
	}
	slices.SortStableFunc(found, func(a, b *rawjson.Node) int { return a.Offset - b.Offset })
	return found
}

// plain gives a node as encoding/json would, numbers as their text; of members
// with one name the first counts, as in Get.
func plain(n *rawjson.Node) any {
	switch {
	case n.Is(rawjson.Bool):
		yes, _ := n.Bool()
		return yes
	case n.Is(rawjson.Number):
		text, _ := n.Literal()
		return json.Number(text)
	case n.Is(rawjson.String):
		text, _ := n.Str()
		return text
	case n.Is(rawjson.Array):
		all := make([]any, len(n.Items))
		for i, item := range n.Items {
			all[i] = plain(item)
		}
		return all
	case n.Is(rawjson.Object):
		all := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			if !m.Again {
				all[m.Name] = plain(m.Value)
			}
		}
		return all
	}
	return nil
}
