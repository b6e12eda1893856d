package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// checkers gives the tools that seem to check what another one does, by name: their
// names say so, or their answers say what is eligible.
func (f *Found) checkers() map[string]*conform.Tooling {
	all := map[string]*conform.Tooling{}
	for _, t := range f.tools {
		reads, said := hint(t, "readOnlyHint")
		if said && !reads {
			continue
		}
		if destroys, _ := hint(t, "destructiveHint"); destroys {
			continue
		}
		s := &schemas{root: t.OutputSchema, left: mostSchemas}
		tells := slices.ContainsFunc(s.members(t.OutputSchema), func(m rawjson.Member) bool {
			return m.Name == "eligible" || m.Name == "transaction_decision"
		})
		if tells || nameOf(t.Name).checking() {
			all[t.Name] = t
		}
	}
	return all
}

// pair gives each checker to the operation that it fits best, and tells which tools
// were given.
func pair(candidates []*Operation, checkers map[string]*conform.Tooling) map[string]bool {
	paired := map[string]bool{}
	for _, name := range sorted(checkers) {
		checker := checkers[name]
		best, ok := byScore(candidates, func(o *Operation) int {
			if checkers[o.Tool] != nil || o.name.class == reads || readsOnly(o.tool) || o.Takes.Inside != "" {
				return 0
			}
			return fits(o, checker)
		})
		if !ok {
			continue
		}
		argument := common(best, checker)
		if argument == (Takes{}).Argument {
			best.Hints = append(best.Hints, fmt.Sprintf("%s seems to be its validator, but has no argument called %s: a validator is called with the same", comment(name, 80), comment(best.Takes.Argument, 60)))
			continue
		}
		if best.Validator != nil && fits(best, checkers[best.Validator.Tool]) >= fits(best, checker) {
			best.Hints = append(best.Hints, comment(name, 80)+" seems to be a validator of it, too")
			continue
		}
		if before := best.Validator; before != nil {
			delete(paired, before.Tool)
			best.Hints = append(best.Hints, comment(before.Tool, 80)+" seems to be a validator of it, too")
		}
		for _, t := range allOf(best.tool) {
			if t.Argument == argument && t.Inside == "" {
				best.Takes = t
			}
		}
		why := "its name says that it checks"
		if s := (&schemas{root: checker.OutputSchema, left: mostSchemas}); slices.ContainsFunc(s.members(checker.OutputSchema), func(m rawjson.Member) bool { return m.Name == "eligible" }) {
			why = "its answer says what is `eligible`"
		}
		best.Validator = &Beside{Tool: name, Why: why + ", and it takes the same argument"}
		paired[name] = true
	}
	return paired
}

// fits says how well a checker fits an operation; 0: it does not.
func fits(o *Operation, checker *conform.Tooling) int {
	n := nameOf(checker.Name)
	described, _ := checker.Node.Get("description").Str()
	mentioned := mentions(described[:min(len(described), mostDescribed)], o.Tool)
	nouns := shared(o.name.nouns, n.words)
	if nouns == 0 && !mentioned {
		return 0
	}
	score := 2 * nouns
	if mentioned {
		score += 6
	}
	if o.name.verb != "" && slices.ContainsFunc(n.words, func(w string) bool { return akin(o.name.verb, w) }) {
		score += 4
	}
	if common(o, checker) != "" {
		score++
	}
	// Of two that are alike in this, the one with less besides.
	return max(1, score*10-len(o.name.nouns))
}

// mentions tells whether a description names a tool, as a whole word.
func mentions(description, tool string) bool {
	for rest := description; len(tool) > 3; {
		at := strings.Index(rest, tool)
		if at < 0 {
			break
		}
		after := rest[at+len(tool):]
		inWord := func(s string, last bool) bool {
			if s == "" {
				return false
			}
			c := s[0]
			if last {
				c = s[len(s)-1]
			}
			return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		}
		if !inWord(rest[:at], true) && !inWord(after, false) {
			return true
		}
		rest = after
	}
	return false
}

// common gives the argument that takes the items of both tools: the operation's, or
// another one that it has too; empty if there is none.
func common(o *Operation, checker *conform.Tooling) string {
	s := &schemas{root: checker.InputSchema, left: mostSchemas}
	members := s.members(checker.InputSchema)
	for _, t := range allOf(o.tool) {
		if t.Inside == "" && slices.ContainsFunc(members, func(m rawjson.Member) bool { return m.Name == t.Argument }) {
			return t.Argument
		}
	}
	return ""
}

// probe looks for a tool that shows the state of what an operation changes.
func (f *Found) probe(o *Operation, checkers map[string]*conform.Tooling) *Probe {
	best, ok := byScore(f.tools, func(t *conform.Tooling) int {
		n := nameOf(t.Name)
		reading := readsOnly(t)
		if said, is := hint(t, "readOnlyHint"); t.Name == o.Tool || checkers[t.Name] != nil || is && !said {
			return 0
		}
		if destroys, _ := hint(t, "destructiveHint"); destroys || n.class != reads && !reading {
			return 0
		}
		p := f.eyes(o, t)
		if p == nil {
			return 0
		}
		score := 1 + 2*shared(n.nouns, o.name.nouns)
		if p.Argument != "" {
			score += 3
		}
		if reading {
			score += 2
		}
		if p.State != "" {
			score++
		}
		return score
	})
	if !ok {
		f.blind(o, checkers)
		return nil
	}
	return f.eyes(o, best)
}

// blind names in a comment the tool that might be the eyes, if only its answers were
// described.
func (f *Found) blind(o *Operation, checkers map[string]*conform.Tooling) {
	for _, t := range f.tools {
		n := nameOf(t.Name)
		if t.Name != o.Tool && checkers[t.Name] == nil && n.class == reads && shared(n.nouns, o.name.nouns) > 0 {
			o.Hints = append(o.Hints, fmt.Sprintf("%s may show what was done (see `probe`); what its answer looks like is not declared, or fits no list of items", comment(t.Name, 80)))
			return
		}
	}
}

// eyes gives a tool as the probe of an operation; nil if it cannot be one: it needs
// other arguments, or shows no rows of the same kind of thing.
func (f *Found) eyes(o *Operation, t *conform.Tooling) *Probe {
	n := nameOf(t.Name)
	out, ok := listNamed(t.OutputSchema, o.name.nouns)
	if !ok || shared(n.nouns, o.name.nouns) == 0 && shared(wordsOf(out.list), o.name.nouns) == 0 {
		return nil
	}
	if outputOf(t.Name, t.OutputSchema).form == ofRows {
		return nil // an operation in its own right
	}
	p := &Probe{Beside: Beside{Tool: t.Name, Why: "it reads the same kind of thing, by its name or its answer"}, Path: path(out.list)}
	s := &schemas{root: t.InputSchema, left: mostSchemas}
	for _, takes := range allOf(t) {
		if !takes.Scalar() && takes.Inside == "" && takes.Doubt == "" {
			p.Argument = takes.Argument
			break
		}
	}
	for _, name := range requiredOf(s, t.InputSchema) {
		if name != p.Argument {
			return nil
		}
	}
	if p.Path == "" {
		return nil
	}
	p.ID = identity(out, p.Argument)
	if !sayable(p.ID) || strings.HasPrefix(p.ID, "$") || !o.has(p.ID) || p.Argument != "" && !sayable(p.Argument) {
		return nil
	}
	if p.State = out.named(states); !sayable(p.State) || strings.HasPrefix(p.State, "$") {
		p.State = ""
	}
	switch o.name.class {
	case creates:
		p.State, p.Done = "", "present"
	case deletes:
		p.State, p.Done = "", "absent"
	}
	return p
}

// identity gives the member of a row by which an argument of ids, or names, knows it.
func identity(out output, argument string) string {
	words := wordsOf(argument)
	if len(words) > 0 {
		last := words[len(words)-1]
		for _, m := range out.members {
			if w := wordsOf(m.Name); len(w) > 0 && sameWord(w[len(w)-1], last) && (len(w) == 1 || len(words) > 1) {
				return m.Name
			}
		}
		if among(several, last) && last != "ids" {
			if name := out.named(names); name != "" {
				return name
			}
		}
	}
	if id := out.named(ids); id != "" {
		return id
	}
	return out.named(names)
}

// sameWord is sameNoun for words as short as id and ids.
func sameWord(a, b string) bool { return sameNoun(a, b) || a+"s" == b || b+"s" == a }

// has tells whether the operation's items have a member: objects that declare
// others do not; of texts it is not known.
func (o *Operation) has(member string) bool {
	s := &schemas{root: o.tool.InputSchema, left: mostSchemas}
	members := s.members(s.element(o.Takes.schema))
	if o.Takes.Scalar() || len(members) == 0 {
		return true
	}
	return slices.ContainsFunc(members, func(m rawjson.Member) bool { return m.Name == member })
}

// path is the JSONPath to the rows under a member; empty where its name has what a
// path would have to escape.
func path(member string) string {
	if simple.MatchString(member) && !strings.ContainsAny(member, "-.") {
		return "$." + member + "[*]"
	}
	return ""
}

// reset looks for a tool that puts everything back: its name says so, it says
// nothing of other things, and it needs no arguments.
func (f *Found) reset(o *Operation) *Beside {
	for _, t := range f.tools {
		n := nameOf(t.Name)
		s := &schemas{root: t.InputSchema, left: mostSchemas}
		if n.class != resets || len(requiredOf(s, t.InputSchema)) > 0 {
			continue
		}
		if reads, _ := hint(t, "readOnlyHint"); reads || len(n.nouns) > 0 && shared(n.nouns, o.name.nouns) == 0 {
			continue
		}
		return &Beside{Tool: t.Name, Why: "its name says so, and it needs no arguments; make sure that it puts these items back, and nothing else away"}
	}
	return nil
}

// unit looks for the tool that does the same to one item a call.
func (f *Found) unit(o *Operation) *Beside {
	for _, t := range f.tools {
		n := nameOf(t.Name)
		if t.Name == o.Tool || n.verb != o.name.verb || len(n.nouns) != len(o.name.nouns) || slices.Equal(n.nouns, o.name.nouns) || shared(n.nouns, o.name.nouns) != len(n.nouns) {
			continue
		}
		s := &schemas{root: t.InputSchema, left: mostSchemas}
		required := requiredOf(s, t.InputSchema)
		if len(required) == 1 && sayable(required[0]) && Several(t).Argument == "" && len(wordsOf(required[0])) > 0 {
			if words := wordsOf(required[0]); among(ids, words[len(words)-1]) {
				return &Beside{Tool: t.Name, Argument: required[0], Why: "the same name in singular, and one argument"}
			}
		}
	}
	return nil
}

func sorted(tools map[string]*conform.Tooling) []string {
	var all []string
	for name := range tools {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
