package platforms

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// mostData bounds a file of platform data, in bytes.
const mostData = 4 << 20

// Error is a mistake in a file: where it stands, what is wrong, and the mend.
type Error struct {
	File         string
	Line, Column int // from 1; 0: the file as a whole
	What, Mend   string
}

func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at += ":" + strconv.Itoa(e.Line)
	}
	if e.Column > 0 {
		at += ":" + strconv.Itoa(e.Column)
	}
	text := at + ": " + e.What
	if e.Mend != "" {
		text += "; " + e.Mend
	}
	return text
}

// parse reads one file: one platform a document. Every mistake is told at once.
func parse(file string, text []byte) (all []*Platform, err error) {
	if len(text) > mostData {
		return nil, &Error{File: file, What: fmt.Sprintf("the file is larger than %d bytes", mostData), Mend: "is it platform data?"}
	}
	// The YAML library is foreign code reading foreign bytes: a panic in it is an error of the file.
	defer func() {
		if broken := recover(); broken != nil {
			all, err = nil, &Error{File: file, What: "the file cannot be read as YAML", Mend: "look for brackets and quotes that are not closed"}
		}
	}()
	parsed, err := parser.ParseBytes(text, 0)
	if err != nil {
		e := &Error{File: file, What: "this is not YAML: " + err.Error(), Mend: "mend the line, or the one before it"}
		var told yaml.Error
		if errors.As(err, &told) {
			e.What = "this is not YAML: " + told.GetMessage()
			if t := told.GetToken(); t != nil && t.Position != nil {
				e.Line, e.Column = t.Position.Line, t.Position.Column
			}
		}
		return nil, e
	}
	r := &reader{file: file}
	ids := map[string]int{}
	for _, doc := range parsed.Docs {
		if doc.Body == nil {
			continue
		}
		all = append(all, r.platform(doc.Body, ids))
	}
	if len(all) == 0 {
		return nil, &Error{File: file, What: "the file holds no platform", Mend: "begin with version: 1"}
	}
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return all, nil
}

type reader struct {
	file string
	errs []error
}

func (r *reader) fail(at ast.Node, what, mend string) {
	e := &Error{File: r.file, What: what, Mend: mend}
	if t := at.GetToken(); t != nil && t.Position != nil {
		e.Line, e.Column = t.Position.Line, t.Position.Column
	}
	r.errs = append(r.errs, e)
}

// table is a mapping, its values by key.
type table struct {
	at     ast.Node
	values map[string]ast.Node
	keys   []string
}

func (r *reader) table(n ast.Node, what string, known ...string) table {
	t := table{at: n, values: map[string]ast.Node{}}
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
		if len(values) > 0 {
			t.at = values[0].Key
		}
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
		t.at = n.Key
	default:
		r.fail(n, what+" is no mapping", "write KEY: VALUE lines")
		return t
	}
	for _, v := range values {
		key := v.Key.GetToken().Value
		switch {
		case len(known) > 0 && !slices.Contains(known, key):
			r.fail(v.Key, fmt.Sprintf("%s has the key %q, which is none of %s", what, rawjson.Cut(key, 40), strings.Join(known, ", ")), "remove it")
		case t.values[key] != nil:
			r.fail(v.Key, fmt.Sprintf("%s has %s twice", what, key), "keep one of them")
		default:
			t.values[key] = v.Value
			t.keys = append(t.keys, key)
		}
	}
	return t
}

// text gives a value as a text; empty where it is not there.
func (r *reader) text(t table, key string, needed bool) string {
	n := t.values[key]
	text := strings.Join(strings.Fields(plain(n)), " ")
	if needed && text == "" {
		at := t.at
		if n != nil {
			at = n
		}
		r.fail(at, fmt.Sprintf("`%s` is missing or empty", key), "write it")
	}
	return text
}

// plain gives a scalar as it is written, quotes aside; empty for what is none.
func plain(n ast.Node) string {
	switch n := n.(type) {
	case nil:
		return ""
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode, *ast.NullNode:
		return ""
	}
	return n.GetToken().Value
}

func (r *reader) list(t table, key string) []ast.Node {
	n := t.values[key]
	if n == nil {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.fail(n, "`"+key+"` is no list", "write - lines, or [A, B]")
		return nil
	}
	return list.Values
}

func (r *reader) words(t table, key string) []string {
	var all []string
	for _, n := range r.list(t, key) {
		all = append(all, plain(n))
	}
	return all
}

func (r *reader) yes(t table, key string) bool {
	n := t.values[key]
	if n == nil {
		return false
	}
	switch plain(n) {
	case "true":
		return true
	case "false":
		return false
	}
	r.fail(n, "`"+key+"` is neither true nor false", "write one of them")
	return false
}

var severities = []string{string(conform.Error), string(conform.Warning), string(conform.Info)}

func (r *reader) severity(at ast.Node, word string) conform.Severity {
	if !slices.Contains(severities, word) {
		r.fail(at, fmt.Sprintf("the level %q is none of %s", word, strings.Join(severities, ", ")), "write one of them")
	}
	return conform.Severity(word)
}

func (r *reader) platform(n ast.Node, ids map[string]int) *Platform {
	t := r.table(n, "the platform", "version", "platform", "title", "about", "like", "levels", "without", "also", "fields", "rules")
	if v := t.values["version"]; v == nil || plain(v) != "1" {
		r.fail(t.at, "`version` is missing, or not 1", "write version: 1; another version is for another mcpconform")
	}
	p := &Platform{file: r.file, Name: r.text(t, "platform", true), Title: r.text(t, "title", true), About: r.text(t, "about", true),
		like: r.text(t, "like", false), also: r.text(t, "also", false), Fields: r.yes(t, "fields"), levels: map[string]conform.Severity{}}
	if levels := t.values["levels"]; levels != nil {
		for id, n := range r.table(levels, "`levels`").values {
			p.levels[id] = r.severity(n, plain(n))
		}
	}
	p.without = r.words(t, "without")
	for _, n := range r.list(t, "rules") {
		rule := r.rule(n)
		if line, twice := ids[rule.ID]; twice && rule.ID != "" {
			r.fail(n, fmt.Sprintf("the rule %s stands in line %d already", rule.ID, line), "keep one of them")
		}
		ids[rule.ID] = rule.line
		p.Rules = append(p.Rules, rule)
	}
	if len(p.Rules) == 0 && p.like == "" {
		r.fail(t.at, "the platform has no rules, and none of another", "write `rules`, or `like: PLATFORM`")
	}
	return p
}

// bases are the words of a rule's basis; a page or SDK of the vendor's is "official" there.
var bases = map[string]conform.Basis{"seed": conform.Seed, "official": conform.Documented, "code": conform.Code, "issue": conform.Issue,
	"third-party": conform.ThirdParty, "inference": conform.Inferred}

var ruleID = regexp.MustCompile(`^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$`)

func (r *reader) rule(n ast.Node) *Rule {
	keys := []string{"id", "level", "text", "basis", "source", "verified", "mend", "against", "off", "look", "looks"}
	t := r.table(n, "a rule", keys...)
	rule := &Rule{ID: r.text(t, "id", true), Text: r.text(t, "text", true), Source: r.text(t, "source", true), Mend: r.text(t, "mend", true),
		Against: r.words(t, "against"), Off: r.yes(t, "off")}
	if tok := t.at.GetToken(); tok != nil && tok.Position != nil {
		rule.line = tok.Position.Line
	}
	if rule.ID != "" && !ruleID.MatchString(rule.ID) {
		r.fail(t.values["id"], fmt.Sprintf("%q is no id", rawjson.Cut(rule.ID, 40)), "write it like XX-NAME")
	}
	if word := r.text(t, "level", true); word != "" {
		rule.Level = r.severity(t.values["level"], word)
	}
	if word := r.text(t, "basis", true); word != "" {
		basis, ok := bases[word]
		if !ok {
			r.fail(t.values["basis"], fmt.Sprintf("the basis %q is none of %s", word, strings.Join(slices.Sorted(maps.Keys(bases)), ", ")), "say on whose word the rule stands")
		}
		rule.Basis = basis
	}
	if word := r.text(t, "verified", true); word != "" {
		day, err := time.Parse(time.DateOnly, word)
		if err != nil {
			r.fail(t.values["verified"], fmt.Sprintf("`verified` is %q, and must be a day", rawjson.Cut(word, 40)), "write the day on which the source was read, like 2026-10-01")
		}
		rule.Verified = day
	}
	looks := r.list(t, "looks")
	if one := t.values["look"]; one != nil {
		looks = append([]ast.Node{one}, looks...)
	}
	if len(looks) == 0 {
		r.fail(t.at, "the rule looks at nothing", "write look: {NAME: …}")
	}
	for _, n := range looks {
		rule.Looks = append(rule.Looks, r.look(n))
	}
	return rule
}

// look reads one look: its name, or {NAME: {its words and figures}}.
func (r *reader) look(n ast.Node) look {
	name, at := plain(n), n
	var given ast.Node
	if name == "" {
		t := r.table(n, "a look")
		if len(t.keys) != 1 {
			r.fail(n, "a look has one name", "write look: {NAME: {…}}")
			return look{}
		}
		name, given = t.keys[0], t.values[t.keys[0]]
		at = t.at
	}
	known, ok := looks[name]
	if !ok {
		r.fail(at, fmt.Sprintf("there is no look %q", rawjson.Cut(name, 40)), "there are "+strings.Join(slices.Sorted(maps.Keys(looks)), ", "))
		return look{}
	}
	l := look{name: name}
	if given == nil {
		given = &ast.MappingNode{BaseNode: &ast.BaseNode{}, Start: at.GetToken()}
	}
	t := r.table(given, "the look "+name, known.takes...)
	if len(known.takes) == 0 && len(t.keys) > 0 {
		r.fail(at, fmt.Sprintf("the look %s takes nothing", name), "write look: "+name)
	}
	for _, key := range known.needs {
		if t.values[key] == nil {
			r.fail(at, fmt.Sprintf("the look %s needs `%s`", name, key), "write it")
		}
	}
	l.with = with{of: plain(t.values["of"]), pattern: plain(t.values["pattern"]), prefix: plain(t.values["prefix"]), unit: plain(t.values["unit"]),
		most: r.figure(t, "most"), warn: r.figure(t, "warn"), add: r.figure(t, "add"), words: r.words(t, "words"), forbid: r.yes(t, "forbid"),
		depth: plain(t.values["depth"]), typed: r.yes(t, "typed")}
	if len(known.of) > 0 && l.with.of != "" && !slices.Contains(known.of, l.with.of) {
		r.fail(t.values["of"], fmt.Sprintf("`of` is %q, which is none of %s", rawjson.Cut(l.with.of, 40), strings.Join(known.of, ", ")), "write one of them")
	}
	if _, err := regexp.Compile(l.with.pattern); err != nil {
		r.fail(t.values["pattern"], "`pattern` is no regular expression: "+err.Error(), "write it in RE2 syntax")
	}
	return l
}

func (r *reader) figure(t table, key string) int {
	n := t.values[key]
	if n == nil {
		return 0
	}
	v, err := strconv.Atoi(strings.ReplaceAll(plain(n), "_", ""))
	if err != nil || v <= 0 {
		r.fail(n, fmt.Sprintf("`%s` is %q, and must be a whole number above 0", key, rawjson.Cut(plain(n), 40)), "write it in digits")
	}
	return v
}
