package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Takes is an argument by which a tool takes several items, as far as its listing
// shows. The zero value is none.
type Takes struct {
	Argument string // of the tool
	Inside   string // where in the argument the list stands, dots between; empty: the argument is the list
	Says     string // of one text that names several: what says so; empty: it is a list
	// ByName is set where nothing but the argument's name says that its text names several.
	ByName bool
	// Doubt says why it may be the parts of one thing, or options, all the same.
	Doubt string
	// For are what else speaks for it.
	For []string

	schema *rawjson.Node // the argument's
	score  int
}

// Scalar tells whether the items stand in one text.
func (t Takes) Scalar() bool { return t.Says != "" }

// Because says in one clause why the tool looks multi-item.
func (t Takes) Because() string {
	switch {
	case t.Says != "":
		return fmt.Sprintf("its argument %q takes several in one text: %q", t.Argument, rawjson.Cut(t.Says, 80))
	case t.Inside != "":
		return fmt.Sprintf("its argument %q takes a list at %s", t.Argument, t.Inside)
	}
	return fmt.Sprintf("its argument %q takes a list", t.Argument)
}

// Several gives the argument by which a listed tool looks multi-item, the likeliest
// first; the zero value if none does. What is surely no list of items (options,
// tags, figures, places) is none; what may be one is given with its Doubt.
func Several(t *conform.Tooling) Takes {
	if all := allOf(t); len(all) > 0 {
		return all[0]
	}
	return Takes{}
}

// enough is the score from which an argument is taken for a list of items; below,
// it is one in doubt.
const enough = 2

// allOf gives every argument that may take several items, the likeliest first:
// lists before lists inside an argument, those before texts.
func allOf(t *conform.Tooling) []Takes {
	if t == nil {
		return nil
	}
	s := &schemas{root: t.InputSchema, left: mostSchemas}
	v := view{tool: t, name: nameOf(t.Name), arguments: s.members(t.InputSchema), required: requiredOf(s, t.InputSchema)}
	if description, ok := t.Node.Get("description").Str(); ok {
		v.described = description[:min(len(description), mostDescribed)]
	}
	rows := s.left > 0 && rowsIn(t.OutputSchema) != nil
	var lists, inside, texts []Takes
	seen := map[string]bool{}
	for _, p := range v.arguments {
		if seen[p.Name] || v.parts(p.Name) {
			continue
		}
		if s.list(p.Value) {
			seen[p.Name] = true
			if v.figures(s, p) || v.places(s, p) {
				continue
			}
			lists = append(lists, v.weigh(Takes{Argument: p.Name, schema: p.Value}, rows))
		}
	}
	for _, p := range v.arguments {
		if seen[p.Name] || v.parts(p.Name) {
			continue
		}
		if at := s.listInside(p.Value, p.Name, deepest); at != "" {
			seen[p.Name] = true
			inside = append(inside, Takes{Argument: p.Name, Inside: at, schema: p.Value})
		}
	}
	for _, p := range v.arguments {
		if seen[p.Name] || choosing(wordsOf(p.Name)) { // in one text they choose, whatever the tool is about
			continue
		}
		if says := v.text(s, p); says != "" {
			seen[p.Name] = true
			takes := Takes{Argument: p.Name, Says: says, schema: p.Value}
			if says == p.Name {
				takes.ByName, takes.Doubt = true, "nothing but its name says so"
			}
			texts = append(texts, takes)
		}
	}
	slices.SortStableFunc(lists, func(a, b Takes) int { return b.score - a.score })
	return slices.Concat(lists, inside, texts)
}

// view is a tool as its arguments are weighed.
type view struct {
	tool      *conform.Tooling
	name      naming
	arguments []rawjson.Member
	required  []string
	described string
}

// parts tells whether an argument's name says that it chooses, or holds parts of
// one thing; where the tool is about those (delete_tags), they are items.
func (v view) parts(argument string) bool {
	words := wordsOf(argument)
	return choosing(words) && !v.about(words)
}

// choosing tells whether a name says that it chooses, or holds parts of one thing.
func choosing(words []string) bool {
	return len(words) > 0 && (among(parts, words[len(words)-1]) || among(prefix, words[0]))
}

// about tells whether the tool's name has the noun by which an argument's ends.
func (v view) about(words []string) bool {
	return len(words) > 0 && shared(words[len(words)-1:], v.name.nouns) > 0
}

// figures tells whether an argument is a list of numbers that are amounts: nothing
// in it names a thing.
func (v view) figures(s *schemas, p rawjson.Member) bool {
	words := wordsOf(p.Name)
	if !edgeAmong(figures, words) {
		return false
	}
	number, whole, other := false, false, false
	for _, list := range s.variants(p.Value) {
		for _, element := range s.variants(list.Get("items")) {
			number = number || typed(element, "number")
			whole = whole || typed(element, "integer")
			other = other || typed(element, "string") || typed(element, "object")
		}
	}
	// order_numbers, as integers, name orders; numbers do not.
	return !other && (number || whole && (len(words) == 1 || v.name.class == gathers))
}

// places tells whether the elements of a list are places: nothing but coordinates.
func (v view) places(s *schemas, p rawjson.Member) bool {
	found := false
	for _, list := range s.variants(p.Value) {
		if list.Get("items") == nil {
			continue
		}
		for _, m := range s.members(list.Get("items")) {
			if words := wordsOf(m.Name); len(words) != 1 || !among(place, words[0]) {
				return false
			}
			found = true
		}
	}
	return found
}

// text gives what says that a text names several; empty if nothing does.
func (v view) text(s *schemas, p rawjson.Member) string {
	says, isText := s.severalInText(p)
	if !isText {
		return ""
	}
	if says != "" {
		return says
	}
	words := wordsOf(p.Name)
	if len(words) == 0 {
		return ""
	}
	if last := words[len(words)-1]; among(several, last) {
		return p.Name
	}
	// Where one text is all that the tool takes, what is said of the tool is said of it.
	if len(v.required) < 2 && v.onlyText(s, p.Name) && lexicons().separated.MatchString(v.described) {
		return strings.TrimSpace(v.described)
	}
	return ""
}

// onlyText tells whether no other argument is a free text, but for a key of repeats.
func (v view) onlyText(s *schemas, name string) bool {
	for _, p := range v.arguments {
		if _, isText := s.severalInText(p); isText && p.Name != name && !isKey(p.Name) {
			return false
		}
	}
	return true
}

// weigh looks for what speaks for a list of items, and against it.
func (v view) weigh(t Takes, rows bool) Takes {
	words := wordsOf(t.Argument)
	last := words
	if len(words) > 0 {
		last = words[len(words)-1:]
	}
	score := 1
	count := func(yes bool, weight int, says string) {
		if yes {
			score += weight
			t.For = append(t.For, says)
		}
	}
	required := slices.Contains(v.required, t.Argument)
	// Structure.
	count(required, 1, "it cannot be left out")
	count(len(v.required) == 0, 1, "")
	count(rows, 2, "the outputSchema has a list of rows with a flag in each")
	// Words.
	count(anyAmong(generic, last), 2, "it is called "+t.Argument)
	count(v.about(words), 2, "the tool's name has the same noun")
	count(v.name.bulk, 2, "the tool's name says that it takes many")
	count(len(v.name.nouns) > 0 && plurals(v.name.nouns[0]), 1, "the tool's name is in plural")
	count(slices.ContainsFunc(wordsOf(v.described), func(w string) bool { return among(bulk, w) }), 1, "the description says that it takes many")
	t.For = slices.DeleteFunc(t.For, func(says string) bool { return says == "" })
	switch against := v.beside(t.Argument); {
	case v.name.class == gathers:
		score -= 4
		t.Doubt = "the tool seems to make one thing of all of them"
	case against != "" && !required:
		score -= 5
		t.Doubt = fmt.Sprintf("%s names one thing, and the list may be left out", against)
	case against != "":
		score -= 3
		t.Doubt = fmt.Sprintf("%s names one thing, and the list may be its parts", against)
	case !required && len(v.required) > 0:
		score -= 2
		t.Doubt = "the list may be left out, and other arguments may not"
	default:
		t.Doubt = "nothing says that its elements are items of their own"
	}
	if t.score = score; score >= enough {
		t.Doubt = ""
	}
	return t
}

// beside gives a required text argument that names one thing; empty if none does.
func (v view) beside(argument string) string {
	s := &schemas{root: v.tool.InputSchema, left: mostSchemas}
	for _, p := range v.arguments {
		words := wordsOf(p.Name)
		if p.Name == argument || !slices.Contains(v.required, p.Name) || len(words) == 0 || isKey(p.Name) {
			continue
		}
		scalar := slices.ContainsFunc(s.variants(p.Value), func(n *rawjson.Node) bool { return typed(n, "string") || typed(n, "integer") })
		if scalar && among(one, words[len(words)-1]) {
			return p.Name
		}
	}
	return ""
}

// requiredOf gives the names of the arguments that no call may leave out.
func requiredOf(s *schemas, schema *rawjson.Node) []string {
	var all []string
	for _, v := range s.variants(schema) {
		required := v.Get("required")
		if !required.Is(rawjson.Array) {
			continue
		}
		for _, r := range required.Items {
			if name, ok := r.Str(); ok && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// isKey tells whether an argument takes an idempotency key.
func isKey(argument string) bool {
	words := wordsOf(argument)
	return among(keys, strings.Join(words, "_")) || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "idempot") })
}
