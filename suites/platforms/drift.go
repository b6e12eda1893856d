package platforms

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// change is one difference between a definition that was kept and the server's.
type change struct {
	rule string // the kind of it, in the words that data know it by
	hit  hit
}

// drifted compares kept definitions with the server's. fixed are the parameters that
// the keeper sets, told those whose description is replaced.
func drifted(kept, live []conform.Tooling, fixed func(tool string) map[string]bool, told func(tool string) bool) (all []change) {
	find := func(list []conform.Tooling, name string) *conform.Tooling {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
		return nil
	}
	renamed := map[string]bool{}
	for i := range kept {
		was := &kept[i]
		if was.Name == "" {
			continue
		}
		is := find(live, was.Name)
		if is == nil {
			h := hit{tool: was.Name, path: "name", got: "the server has no tool of that name", list: was.Name}
			for j := range live {
				if find(kept, live[j].Name) == nil && folded(live[j].Name) == folded(was.Name) {
					renamed[live[j].Name] = true
					all = append(all, change{"case", hit{tool: was.Name, path: "name", got: "the server calls it " + quoted(live[j].Name) + ": most likely renamed", list: was.Name, server: live[j].Name}})
				}
			}
			all = append(all, change{"gone", h})
			continue
		}
		if a, b := description(was), description(is); a != b {
			h := hit{tool: was.Name, path: "description", got: "the description changed", list: a, server: b}
			if told(was.Name) {
				h.severity, h.got = conform.Info, "the description changed; the agent reads the instruction in its place"
			}
			all = append(all, change{"description", h})
		}
		all = append(all, parameters(was, is, fixed(was.Name))...)
		all = append(all, outputs(was, is)...)
	}
	for i := range live {
		if name := live[i].Name; find(kept, name) == nil && !renamed[name] {
			all = append(all, change{"new", hit{tool: name, path: "name", got: "the server has a tool that is not kept", server: name}})
		}
	}
	return all
}

// folded is a name without what renames usually touch.
func folded(name string) string { return strings.ToLower(strings.NewReplacer("-", "_").Replace(name)) }

func parameters(was, is *conform.Tooling, fixed map[string]bool) (all []change) {
	old, now := was.InputSchema.Get("properties"), is.InputSchema.Get("properties")
	needed, needs := texted(was.InputSchema.Get("required")), texted(is.InputSchema.Get("required"))
	for _, m := range members(now) {
		at := "inputSchema/properties/" + rawjson.EscapeToken(m.Name)
		switch {
		case old.Has(m.Name):
			all = append(all, types(was, is, old.Get(m.Name), m.Value, at, "type")...)
			if slices.Contains(needs, m.Name) && !slices.Contains(needed, m.Name) && !fixed[m.Name] {
				all = append(all, change{"required", hit{tool: was.Name, path: at, got: "the parameter " + quoted(m.Name) + " became required", list: "optional", server: "required"}})
			}
		case slices.Contains(needs, m.Name) && !fixed[m.Name]:
			all = append(all, change{"required", hit{tool: was.Name, path: at, got: "the required parameter " + quoted(m.Name) + " is not kept", server: m.Value.Excerpt(120)}})
		case !fixed[m.Name]:
			all = append(all, change{"optional", hit{tool: was.Name, path: at, got: "the optional parameter " + quoted(m.Name) + " is not kept", server: m.Value.Excerpt(120)}})
		}
	}
	for _, m := range members(old) {
		if now.Has(m.Name) {
			continue
		}
		h := hit{tool: was.Name, path: "inputSchema/properties/" + rawjson.EscapeToken(m.Name), got: "the server has no parameter " + quoted(m.Name), list: m.Value.Excerpt(120)}
		if closed := uses(is.InputSchema, "additionalProperties: false"); !closed && !slices.Contains(needed, m.Name) {
			h.severity = conform.Warning
		}
		all = append(all, change{"parameter", h})
	}
	for name := range fixed {
		if !now.Has(name) {
			all = append(all, change{"override", hit{tool: was.Name, path: "argOverrides/" + rawjson.EscapeToken(name), got: "the parameter " + quoted(name) + " that is set does not exist on the server", list: name}})
		}
	}
	return all
}

// types compares the type of a field, and what values it may have.
func types(was, is *conform.Tooling, old, now *rawjson.Node, at, rule string) (all []change) {
	a, okA := resolve(was.InputSchema, old)
	b, okB := resolve(is.InputSchema, now)
	if rule == "output" {
		a, okA = resolve(was.OutputSchema, old)
		b, okB = resolve(is.OutputSchema, now)
	}
	if !okA || !okB {
		return nil
	}
	typed := func(n *rawjson.Node) string {
		return canonical(&rawjson.Node{Kind: rawjson.Object, Members: []rawjson.Member{{Name: "type", Value: n.Get("type")}}}, true)
	}
	if x, y := typed(a), typed(b); x != y {
		return []change{{rule, hit{tool: was.Name, path: at, got: "the type changed", list: a.Get("type").Excerpt(60), server: b.Get("type").Excerpt(60)}}}
	}
	if rule == "output" {
		return nil
	}
	var lost []string
	if then := b.Get("enum"); then != nil {
		for _, v := range items(a.Get("enum")) {
			if !slices.ContainsFunc(then.Items, func(o *rawjson.Node) bool { return same(o, v) }) {
				lost = append(lost, v.Excerpt(40))
			}
		}
		if a.Get("enum") == nil {
			lost = append(lost, "everything but "+then.Excerpt(80))
		}
	}
	if len(lost) > 0 {
		return []change{{rule, hit{tool: was.Name, path: at + "/enum", got: "`enum` lost " + names(lost), list: a.Get("enum").Excerpt(120), server: b.Get("enum").Excerpt(120)}}}
	}
	return nil
}

func items(n *rawjson.Node) []*rawjson.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// outputs compares the first level of what a tool answers with.
func outputs(was, is *conform.Tooling) (all []change) {
	old, now := was.OutputSchema.Get("properties"), is.OutputSchema.Get("properties")
	for _, m := range members(old) {
		at := "outputSchema/properties/" + rawjson.EscapeToken(m.Name)
		if !now.Has(m.Name) {
			all = append(all, change{"output", hit{tool: was.Name, path: at, got: "the output field " + quoted(m.Name) + " is gone", list: m.Value.Excerpt(120)}})
			continue
		}
		all = append(all, types(was, is, m.Value, now.Get(m.Name), at, "output")...)
	}
	return all
}

// kindsOf picks the changes of some kinds.
func kindsOf(all []change, kinds []string) (seen sight) {
	for _, c := range all {
		if slices.Contains(kinds, c.rule) {
			seen.hits = append(seen.hits, c.hit)
		}
	}
	return seen
}

// snapshot compares the listing with one that was kept.
func snapshot(s *Subject, w with) (seen sight) {
	switch {
	case s.Snapshot == nil:
		return lacking(noSnapshot)
	case s.NamesOnly:
		return lacking(noSchemas)
	}
	seen = kindsOf(drifted(s.Snapshot, s.Tools, func(string) map[string]bool { return nil }, func(string) bool { return false }), w.words)
	seen.of = len(s.Snapshot)
	return seen
}

// kept advises to keep a listing where there is none to compare with.
func kept(s *Subject, _ with) (seen sight) {
	seen.of = 1
	if s.Snapshot == nil {
		seen.hit("", "", "no earlier listing was given to compare with")
	}
	return seen
}

// drift compares the listing with an allow-list.
func drift(s *Subject, w with) (seen sight) {
	switch {
	case s.Allowed == nil:
		return lacking(noAllowed)
	case s.NamesOnly:
		return lacking(noSchemas)
	}
	fixed := func(tool string) map[string]bool {
		set := map[string]bool{}
		for _, e := range s.Allowed.Entries {
			if e.Tool.Name == tool {
				for _, m := range members(e.Overrides) {
					set[m.Name] = true
				}
			}
		}
		return set
	}
	told := func(tool string) bool {
		return slices.ContainsFunc(s.Allowed.Entries, func(e Entry) bool { return e.Tool.Name == tool && strings.TrimSpace(e.Instruction) != "" })
	}
	seen = kindsOf(drifted(s.Allowed.tools(), s.Tools, fixed, told), w.words)
	seen.of = max(1, len(s.Allowed.Entries))
	return seen
}

// fingerprints gives those of kept definitions and of the server's, and says in a
// sentence whether they differ. With outputs the output schemas count too.
func (s *Subject) fingerprints(kept []conform.Tooling, outputs bool) (all []conform.Fingerprint, said string) {
	var differ []string
	for i := range kept {
		f := conform.Fingerprint{Tool: kept[i].Name, List: Fingerprint(&kept[i], outputs)}
		if t := s.tool(f.Tool); t != nil {
			f.Server = Fingerprint(t, outputs)
		}
		if f.List != f.Server {
			differ = append(differ, f.Tool)
		}
		all = append(all, f)
	}
	for i := range s.Tools {
		if name := s.Tools[i].Name; !slices.ContainsFunc(kept, func(t conform.Tooling) bool { return t.Name == name }) {
			all = append(all, conform.Fingerprint{Tool: name, Server: Fingerprint(&s.Tools[i], outputs)})
		}
	}
	if len(differ) == 0 {
		return all, "the definitions that are kept are those of the server, by their fingerprints"
	}
	return all, fmt.Sprintf("of the definitions that are kept those of %s are not the server's, by their fingerprints", names(differ))
}
