package target

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/rawpath"
)

// rowsAt gives the rows that a path leads to. A plain path, members with perhaps [*]
// at its end, must lead to something: where the answer has no such member the
// path is a mistake, and nothing was said of any item. An empty list, and null in
// its place or above it, says that there are no rows.
func rowsAt(path string, payload *rawjson.Node) ([]*rawjson.Node, error) {
	query, err := jsonpath.Parse(path)
	if err != nil {
		return nil, fmt.Errorf("the path %s: %w", path, err)
	}
	if names, list, ok := memberChain(query.Query()); ok {
		at, err := descend(payload, names)
		if err != nil {
			return nil, err
		}
		if at.Is(rawjson.Null) {
			return nil, nil
		}
		if list && !at.Is(rawjson.Array) && !at.Is(rawjson.Object) {
			return nil, fmt.Errorf("%s is %s, and no list", normalized(names), kindOf(at))
		}
	}
	found := rawpath.Locate(query, payload)
	if len(found) == 1 && found[0].Is(rawjson.Array) { // the path ends at the list, not at its rows
		found = found[0].Items
	}
	return found, nil
}

// memberChain gives the members that a plain path names, and whether [*] follows
// them. ok is false for every other path: what a filter, an index or a recursive
// descent does not find is lawfully not there.
func memberChain(q *spec.PathQuery) (names []string, list, ok bool) {
	segments := q.Segments()
	for i, s := range segments {
		if s.IsDescendant() || len(s.Selectors()) != 1 {
			return nil, false, false
		}
		switch step := s.Selectors()[0].(type) {
		case spec.Name:
			names = append(names, string(step))
		case spec.WildcardSelector:
			if i != len(segments)-1 {
				return nil, false, false
			}
			list = true
		default:
			return nil, false, false
		}
	}
	return names, list, true
}

// descend follows members from the payload. A null on the way ends it: nothing
// stands below null, and that is no mistake.
func descend(payload *rawjson.Node, names []string) (*rawjson.Node, error) {
	at := payload
	for i, name := range names {
		if at.Is(rawjson.Null) {
			return at, nil
		}
		next := at.Get(name)
		if next == nil {
			owner := "the answer"
			if i > 0 {
				owner = normalized(names[:i])
			}
			return nil, fmt.Errorf("nothing stands at %s; %s %s", normalized(names[:i+1]), owner, whatItHas(at))
		}
		at = next
	}
	return at, nil
}

// borne says that a member which the target file names (key) is in none of the
// rows. One row that has it is enough: members may be left out where empty.
func (p *Probe) borne(rows []*rawjson.Node, key, name string) error {
	if name == "" || len(rows) == 0 {
		return nil
	}
	for _, row := range rows {
		if member(name, row) != nil {
			return nil
		}
	}
	if strings.HasPrefix(name, "$") {
		return fmt.Errorf("`%s` %s leads to no one value in any row; %s", key, printable(name), rowsHave(rows))
	}
	return fmt.Errorf("no row has a member %s (`%s`); %s", printable(name), key, rowsHave(rows))
}

func rowsHave(rows []*rawjson.Node) string {
	var names []string
	seen := map[string]bool{}
	for _, row := range rows {
		if !row.Is(rawjson.Object) {
			continue
		}
		for _, m := range row.Members {
			if !seen[m.Name] {
				seen[m.Name] = true
				names = append(names, m.Name)
			}
		}
	}
	if len(names) == 0 {
		return "the rows have no members"
	}
	return "rows have " + few(names)
}

// whatItHas tells a person where the path might have gone on.
func whatItHas(n *rawjson.Node) string {
	if !n.Is(rawjson.Object) {
		return "is " + kindOf(n)
	}
	var names []string
	for _, m := range n.Members {
		if !m.Again {
			names = append(names, m.Name)
		}
	}
	switch len(names) {
	case 0:
		return "has no members"
	case 1:
		return "has the member " + few(names)
	}
	return "has the members " + few(names)
}

// fewNames is how many of a server's names are told: it may send thousands.
const fewNames = 8

func few(names []string) string {
	var shown []string
	for i, name := range names {
		if i == fewNames {
			shown = append(shown, fmt.Sprintf("and %d more", len(names)-fewNames))
			break
		}
		shown = append(shown, printable(name))
	}
	return strings.Join(shown, ", ")
}

var dotted = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// normalized writes members as a JSONPath.
func normalized(names []string) string {
	path := "$"
	for _, name := range names {
		if dotted.MatchString(name) {
			path += "." + name
		} else {
			path += "['" + printable(name) + "']"
		}
	}
	return path
}

func kindOf(n *rawjson.Node) string {
	switch {
	case n.Is(rawjson.Array):
		return "a list"
	case n.Is(rawjson.Object):
		return "an object"
	case n.Is(rawjson.String):
		return "a text"
	case n.Is(rawjson.Number):
		return "a number"
	case n.Is(rawjson.Bool):
		return "true or false"
	}
	return "null"
}
