package scenarios

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/mcpconform/mcpconform/conform"
)

// MaxFile bounds a scenario file.
const MaxFile = 256 << 10

// Parse reads one scenario file. What is wrong is an *Error with line and column.
func Parse(file string, text []byte) (s *Scenario, err error) {
	if len(text) > MaxFile {
		return nil, &Error{File: file, Line: 1, Column: 1, Problem: fmt.Sprintf("longer than %d bytes", MaxFile)}
	}
	defer func() {
		// The YAML parser is not ours, and has been seen to panic on odd input.
		if p := recover(); p != nil {
			if ours, ok := p.(*Error); ok {
				s, err = nil, ours
				return
			}
			s, err = nil, &Error{File: file, Line: 1, Column: 1, Problem: fmt.Sprintf("not readable as YAML (%v)", p)}
		}
	}()
	r := reader{file: file}
	tokens := lexer.Tokenize(string(text))
	r.guard(tokens)
	tree, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	if len(tree.Docs) != 1 || tree.Docs[0].Body == nil {
		return nil, &Error{File: file, Line: 1, Column: 1, Problem: fmt.Sprintf("holds %d documents", len(tree.Docs)), Mend: "a scenario file holds one"}
	}
	return r.scenario(tree.Docs[0].Body), nil
}

var syntaxPlace = regexp.MustCompile(`^\[(\d+):(\d+)\] ([^\n]*)`)

func syntaxError(file string, err error) error {
	e := &Error{File: file, Line: 1, Column: 1, Problem: err.Error()}
	if m := syntaxPlace.FindStringSubmatch(err.Error()); m != nil {
		fmt.Sscan(m[1], &e.Line)
		fmt.Sscan(m[2], &e.Column)
		e.Problem = m[3]
	}
	return e
}

// reader walks the syntax tree; the first thing wrong ends the walk by a panic
// with an *Error, which Parse takes.
type reader struct{ file string }

func (r reader) fail(at *token.Token, problem, mend string) {
	e := &Error{File: r.file, Line: 1, Column: 1, Problem: problem, Mend: mend}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	panic(e)
}

// maxDepth is deeper than any scenario nests; the YAML parser recurses.
const maxDepth = 16

// guard refuses, before the parser recurses, what nests too deep, and anchors:
// who reads a line must see what it says.
func (r reader) guard(tokens token.Tokens) {
	depth, line, onLine := 0, 0, 0
	for _, t := range tokens {
		switch t.Type {
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType, token.DirectiveType:
			r.fail(t, fmt.Sprintf("%q is not read in a scenario", t.Value), "write the value out, or put it in quotes")
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if t.Position != nil && t.Position.Line != line {
				line, onLine = t.Position.Line, 0
			}
			if depth == 0 {
				onLine++
			}
		}
		if depth > maxDepth || onLine > maxDepth {
			r.fail(t, fmt.Sprintf("nested deeper than %d levels", maxDepth), "")
		}
	}
}

// entry is one key and value of a mapping.
type entry struct {
	key   string
	at    *token.Token
	value ast.Node
}

func (r reader) mapping(n ast.Node, what string, known ...string) []entry {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		r.fail(tokenOf(n), what+" is not a mapping", "write keys and values")
	}
	var entries []entry
	for _, v := range values {
		at := tokenOf(v.Key)
		key := ""
		if at != nil {
			key = at.Value
		}
		if strings.HasPrefix(key, "x-") {
			continue
		}
		ok := len(known) == 0
		for _, k := range known {
			ok = ok || k == key
		}
		if !ok {
			mend := suggestion(key, known)
			if mend == "" {
				mend = "its keys are " + strings.Join(known, ", ")
			}
			r.fail(at, fmt.Sprintf("unknown key %q in %s", key, what), mend)
		}
		entries = append(entries, entry{key, at, v.Value})
	}
	return entries
}

func tokenOf(n ast.Node) *token.Token {
	switch v := n.(type) {
	case nil:
		return nil
	case *ast.MappingValueNode:
		return tokenOf(v.Key)
	case *ast.MappingNode:
		if len(v.Values) > 0 && !v.IsFlowStyle {
			return tokenOf(v.Values[0])
		}
		return v.Start
	}
	return n.GetToken()
}

func (r reader) text(e entry) string {
	switch v := e.value.(type) {
	case *ast.StringNode:
		return v.Value
	case *ast.LiteralNode:
		return v.Value.Value
	}
	r.fail(r.at(e), e.key+" is not a text", "")
	return ""
}

// at is where the entry's value stands, or its key where there is no value.
func (r reader) at(e entry) *token.Token {
	if t := tokenOf(e.value); t != nil {
		return t
	}
	return e.at
}

func (r reader) number(e entry, least, most int) int {
	v, ok := e.value.(*ast.IntegerNode)
	n := 0
	if ok {
		u, isUnsigned := v.Value.(uint64)
		i, isSigned := v.Value.(int64)
		switch {
		case isUnsigned && u <= uint64(most):
			n = int(u)
		case isSigned && i >= 0 && i <= int64(most):
			n = int(i)
		default:
			ok = false
		}
	}
	if !ok || n < least {
		r.fail(r.at(e), fmt.Sprintf("%s is not a whole number from %d to %d", e.key, least, most), "")
	}
	return n
}

func (r reader) yes(e entry) bool {
	v, ok := e.value.(*ast.BoolNode)
	if !ok {
		r.fail(r.at(e), e.key+" is not true or false", "")
	}
	return v.Value
}

func (r reader) list(e entry) []ast.Node {
	v, ok := e.value.(*ast.SequenceNode)
	if !ok {
		r.fail(r.at(e), e.key+" is not a list", "")
	}
	return v.Values
}

func (r reader) texts(e entry) []string {
	out := []string{}
	for _, n := range r.list(e) {
		out = append(out, r.text(entry{"an entry of " + e.key, e.at, n}))
	}
	return out
}

func oneOf[T ~string](r reader, e entry, known ...T) T {
	word := r.text(e)
	for _, k := range known {
		if string(k) == word {
			return k
		}
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	r.fail(r.at(e), fmt.Sprintf("%s: %q is none of %s", e.key, word, strings.Join(names, ", ")), suggestion(word, names))
	return ""
}

func (r reader) effort(e entry) Effort {
	word := oneOf(r, e, effortNames[1:]...)
	effort, _ := ParseEffort(word)
	return effort
}

func (r reader) purpose(e entry) For {
	var f For
	for _, e := range r.mapping(e.value, "for", "effect", "style") {
		switch e.key {
		case "effect":
			if w := oneOf(r, e, "any", ReadOnly, Writing); w != "any" {
				f.Effect = w
			}
		case "style":
			if w := oneOf(r, e, "any", conform.StyleArray, conform.StyleScalar); w != "any" {
				f.Style = w
			}
		}
	}
	return f
}

func (r reader) needs(e entry) []Need {
	var out []Need
	for _, n := range r.list(e) {
		out = append(out, oneOf(r, entry{"an entry of needs", e.at, n}, needs...))
	}
	return out
}

func (r reader) batch(nodes []ast.Node, at *token.Token) Batch {
	var b Batch
	for _, n := range nodes {
		word := r.text(entry{"an item of the batch", at, n})
		e, err := parseEntry(word, b.Size())
		if err != nil {
			r.fail(tokenOf(n), err.Error(), `write for example: good, bad, informal, many x 100, good with accents, 1 again`)
		}
		b.mark(e.Of, e.Spelling)
		b = append(b, e)
		if b.Size() > MaxBatch {
			r.fail(tokenOf(n), fmt.Sprintf("the batch has more than %d items", MaxBatch), "")
		}
	}
	return b
}

var nameForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (r reader) name(e entry) string {
	name := r.text(e)
	if !nameForm.MatchString(name) {
		r.fail(r.at(e), fmt.Sprintf("name %q", name), "use lower-case letters, digits and hyphens")
	}
	return name
}

var checkForm = regexp.MustCompile(`^[A-Z]+-[0-9A-Z]+$`)

func (r reader) checkIDs(e entry) []string {
	ids := r.texts(e)
	for i, id := range ids {
		if !checkForm.MatchString(id) {
			r.fail(tokenOf(r.list(e)[i]), fmt.Sprintf("%q is no check's id", id), "write for example RES-02")
		}
	}
	return ids
}

func (r reader) scenario(n ast.Node) *Scenario {
	s := &Scenario{File: r.file, Order: 500, Line: 1}
	var variants entry
	for _, e := range r.mapping(n, "a scenario", "name", "title", "why", "order", "effort", "for", "needs", "dry_run", "checks", "state_checks", "steps", "variants") {
		switch e.key {
		case "name":
			s.Name, s.Line = r.name(e), e.at.Position.Line
		case "title":
			s.Title = r.text(e)
		case "why":
			s.Why = strings.TrimSpace(r.text(e))
		case "order":
			s.Order = r.number(e, 0, 10_000)
		case "effort":
			s.Effort = r.effort(e)
		case "for":
			s.For = r.purpose(e)
		case "needs":
			s.Needs = r.needs(e)
		case "dry_run":
			s.DryRun = r.yes(e)
		case "checks":
			s.Checks = r.checkIDs(e)
		case "state_checks":
			s.StateChecks = r.checkIDs(e)
		case "steps":
			s.Steps = r.steps(e)
		case "variants":
			variants = e
		}
	}
	for _, missing := range []struct{ key, value string }{{"name", s.Name}, {"title", s.Title}, {"why", s.Why}} {
		if missing.value == "" {
			r.fail(tokenOf(n), fmt.Sprintf("%s is missing", missing.key), "say it in the file")
		}
	}
	if variants.value == nil {
		r.fail(tokenOf(n), "variants is missing", "name at least one, with its batch")
	}
	for _, e := range r.mapping(variants.value, "variants") {
		s.Variants = append(s.Variants, r.variant(s, e))
	}
	if len(s.Variants) == 0 {
		r.fail(variants.at, "variants is empty", "name at least one, with its batch")
	}
	return s
}

var forms = []conform.Form{conform.FormStrings, conform.FormObjects, conform.FormBareObject, conform.FormBareString, conform.FormEmpty, conform.FormMissing}

func (r reader) variant(s *Scenario, e entry) Variant {
	v := Variant{Name: e.key, Line: e.at.Position.Line, For: s.For}
	if !nameForm.MatchString(v.Name) {
		r.fail(e.at, fmt.Sprintf("name %q", v.Name), "use lower-case letters, digits and hyphens")
	}
	for _, e := range r.mapping(e.value, "variant "+v.Name, "batch", "effort", "for", "needs", "form", "extras", "sessions", "steps", "checks", "state_checks") {
		switch e.key {
		case "batch":
			v.Batch = r.batch(r.list(e), e.at)
		case "effort":
			v.Effort = r.effort(e)
		case "for":
			v.For = r.purpose(e)
		case "needs":
			v.Needs = r.needs(e)
		case "form":
			v.Form = oneOf(r, e, forms...)
		case "extras":
			v.Extras = r.yes(e)
		case "sessions":
			v.Sessions = r.sessions(e)
		case "steps":
			v.Steps = r.steps(e)
		case "checks":
			v.Checks = r.checkIDs(e)
		case "state_checks":
			v.StateChecks = r.checkIDs(e)
		}
	}
	steps := s.steps(&v)
	if len(steps) == 0 {
		r.fail(e.at, fmt.Sprintf("variant %s has no steps", v.Name), "give the scenario or the variant steps (the scenario's stand before variants)")
	}
	empty := v.Form == conform.FormEmpty || v.Form == conform.FormMissing
	for _, step := range steps {
		asks := step.Act == Validate || step.Act == Execute || step.Act == Parallel
		if in := inEarnest(step); s.DryRun && in != "" {
			r.fail(e.at, fmt.Sprintf("dry_run: true, and step %s %s, which a dry run tells nothing of", step.Name, in), "leave dry_run out")
		}
		if asks && step.Batch == nil && len(v.Batch) == 0 && !empty {
			r.fail(e.at, fmt.Sprintf("variant %s has no batch, and step %s asks for it", v.Name, step.Name), "write batch: [good, bad]")
		}
		if batch := step.Batch; batch != nil {
			r.halves(step, batch, e)
		} else {
			r.halves(step, v.Batch, e)
		}
	}
	return v
}
