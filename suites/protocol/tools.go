package protocol

import (
	"fmt"
	"regexp"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func toolsListed() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-13", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "tools/list ends, and names are unique and plain",
			Text:   "Tool names are unique within a server, and the pages of tools/list come to an end; from revision 2025-11-25 on, a name is at most 128 of the characters A-Z, a-z, 0-9, underscore, hyphen and dot.",
			Impact: "Of two tools with one name a client calls the wrong one; a name that models' own interfaces refuse cannot be called at all; a list without an end keeps a client from ever starting.",
			Source: "MCP 2025-11-25, server/tools, Tool Names; server/utilities/pagination",
			Needs:  response,
			Good:   `{"tools":[{"name":"cancel_products",…},{"name":"get_products",…}]}`,
			Bad:    `{"tools":[{"name":"search",…},{"name":"search",…}],"nextCursor":"1"} to the request with cursor "1"`,
			Mend:   "Give each tool a name of its own, without spaces and other marks, move the cursor on with every page, and leave nextCursor out of the last one.",
			Since:  set,
		},
		PerServer: true,
		Applies:   notREST,
		Judge: func(s *conform.Subject) []conform.Look {
			var looks []conform.Look
			for _, l := range listings(s.Calls) {
				looks = append(looks, l.unique(), l.ends())
				if r := revision(s.Recording, l[0]); r >= rev2025 {
					looks = append(looks, l.plain())
				}
			}
			return looks
		},
		Missing: "tools/list was not answered",
	}
}

// manyPages is more than any lawful list of tools needs.
const manyPages = 100

// listing is one reading of the tool list, page after page.
type listing []*conform.Call

// listings gives each session's readings: a request without a cursor begins one.
func listings(calls []*conform.Call) []listing {
	var all []listing
	open := map[string]int{}
	for _, c := range calls {
		m := asked(c)
		if m.Method != "tools/list" || !c.Result.Get("tools").Is(rawjson.Array) {
			continue
		}
		at, begun := open[c.Session]
		if !begun || m.Params.Get("cursor") == nil {
			at = len(all)
			open[c.Session] = at
			all = append(all, nil)
		}
		all[at] = append(all[at], c)
	}
	return all
}

func (l listing) unique() conform.Look {
	seen := map[string]bool{}
	for _, c := range l {
		for _, tool := range c.Result.Get("tools").Items {
			name, ok := tool.Get("name").Str()
			if !ok {
				continue
			}
			if seen[name] {
				return answer(c).failed(fault{want: "each tool name once", got: quoted(name) + " again", node: tool.Get("name")})
			}
			seen[name] = true
		}
	}
	return answer(l[0]).passed()
}

// plainName is what a name may be made of. Revisions before 2025-11-25 say nothing
// of it.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

func (l listing) plain() conform.Look {
	for _, c := range l {
		for _, tool := range c.Result.Get("tools").Items {
			// An answer judged by itself may come without the name of its tool.
			if name, _ := tool.Get("name").Str(); name != "" && !plainName.MatchString(name) {
				return answer(c).failed(fault{
					want: "a name of at most 128 letters, digits, underscores, hyphens and dots", got: quoted(rawjson.Cut(name, 140)), node: tool.Get("name"),
				})
			}
		}
	}
	return answer(l[0]).passed()
}

func (l listing) ends() conform.Look {
	asks := map[string]bool{}
	for _, c := range l {
		asks[frame.Key(asked(c).Params.Get("cursor"))] = true
		if next := c.Result.Get("nextCursor"); next != nil && asks[frame.Key(next)] {
			return answer(c).failed(fault{
				want: "a cursor that moves on", got: "nextCursor " + shown(next) + ", which was asked for before", node: next,
			})
		}
	}
	last := l[len(l)-1]
	next := last.Result.Get("nextCursor")
	switch {
	case next == nil || next.Is(rawjson.Null):
		return answer(last).passed()
	case len(l) >= manyPages:
		return answer(last).failed(fault{
			want: "a last page, without nextCursor", got: fmt.Sprintf("another page after %d", len(l)), node: next,
		})
	}
	return answer(last).unclear(fmt.Sprintf("the list was not read to its end: %d pages, and a further one", len(l)))
}
