package target

import (
	"fmt"
	"slices"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/mcpconform/mcpconform/conform"
)

// Privacy says which values of a recording are pseudonyms.
type Privacy struct {
	// Paths lead, from the arguments of a call and from the payload of an answer, to
	// what is masked; KeepPaths to what of it is not.
	Paths     []MaskPath
	KeepPaths []*jsonpath.Path
	// Headers are header fields whose values are masked, and Keep values that stay
	// wherever they stand.
	Headers, Keep []string
}

// MaskPath is a path of `mask`, and how the file writes it.
type MaskPath struct {
	Written string
	Path    *jsonpath.Path
}

// unmaskable are header fields that the protocol itself is judged by, in lower case.
var unmaskable = []string{
	"accept", "allow", "connection", "content-length", "content-type", "date", "host", "location", "mcp-method", "mcp-name", "mcp-protocol-version",
	"mcp-session-id", "retry-after", "transfer-encoding", "user-agent", "www-authenticate",
}

// privacy reads `privacy`.
func (r *reader) privacy(f *File, n *node) {
	p := &Privacy{}
	r.object("privacy", n, fields{
		"mask": func(name string, n *node) {
			each(n, func(n *node) {
				text := r.word(name, n)
				switch {
				case text == "":
				case isPath(text):
					for _, path := range r.appendPath(nil, name, n) {
						p.Paths = append(p.Paths, MaskPath{text, path})
					}
				case validHeader(conform.HeaderField{Name: text}) != "":
					r.fail(n, fmt.Sprintf("`mask` has %q, which is neither a JSONPath nor the name of a header", printable(text)),
						`begin a path with $, like "$..customer_id"; values themselves are not listed`)
				case slices.Contains(unmaskable, strings.ToLower(text)):
					r.fail(n, fmt.Sprintf("`mask` has the header %s, which the protocol is judged by", printable(text)), "leave it out; ids of sessions are never recorded as they are")
				default:
					p.Headers = append(p.Headers, text)
				}
			})
		},
		"keep": func(name string, n *node) {
			each(n, func(n *node) {
				switch text := r.word(name, n); {
				case text == "":
				case isPath(text):
					p.KeepPaths = r.appendPath(p.KeepPaths, name, n)
				default:
					p.Keep = append(p.Keep, text)
				}
			})
		},
	}, nil)
	r.need(n, "privacy", "mask", `write mask: ["$..customer_id"]`)
	if at := n.get("mask"); at != nil && at.kind == list && len(at.items) == 0 {
		r.fail(at, "`mask` names nothing", `write paths and headers, like ["$..customer_id", X-Customer]`)
	}
	f.Privacy = p
}

// each visits the values of a list; one value alone is a list of one.
func each(n *node, visit func(*node)) {
	if n.kind != list {
		visit(n)
		return
	}
	for _, item := range n.items {
		visit(item)
	}
}

func (r *reader) appendPath(paths []*jsonpath.Path, name string, n *node) []*jsonpath.Path {
	path, err := jsonpath.Parse(r.path(name, n)) // which tells of an error
	if err != nil {
		return paths
	}
	return append(paths, path)
}

func isPath(text string) bool { return strings.HasPrefix(text, "$") }
