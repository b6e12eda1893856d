package platforms

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/yamlfile"
)

// Error is a mistake in a file: where it stands, what is wrong, and the mend.
type Error = yamlfile.Error

// parse reads one file: one platform a document. Every mistake is told at once.
func parse(file string, text []byte) (all []*Platform, err error) {
	documents, err := yamlfile.Documents(file, text, "platform data")
	if err != nil {
		return nil, err
	}
	r := &reader{Reader: yamlfile.Reader{File: file}}
	ids := map[string]int{}
	for _, n := range documents {
		all = append(all, r.platform(n, ids))
	}
	if len(all) == 0 {
		return nil, &Error{File: file, What: "the file holds no platform", Mend: "begin with version: 1"}
	}
	if len(r.Errs) > 0 {
		return nil, errors.Join(r.Errs...)
	}
	return all, nil
}

type reader struct{ yamlfile.Reader }

var severities = []string{string(conform.Error), string(conform.Warning), string(conform.Info)}

func (r *reader) severity(at ast.Node, word string) conform.Severity {
	if !slices.Contains(severities, word) {
		r.Fail(at, fmt.Sprintf("the level %q is none of %s", word, strings.Join(severities, ", ")), "write one of them")
	}
	return conform.Severity(word)
}

func (r *reader) platform(n ast.Node, ids map[string]int) *Platform {
	t := r.Table(n, "the platform", "version", "platform", "title", "about", "like", "levels", "without", "also", "fields", "rules")
	if v := t.Values["version"]; v == nil || yamlfile.Plain(v) != "1" {
		r.Fail(t.At, "`version` is missing, or not 1", "write version: 1; another version is for another mcpconform")
	}
	p := &Platform{file: r.File, Name: r.Text(t, "platform", true), Title: r.Text(t, "title", true), About: r.Text(t, "about", true),
		like: r.Text(t, "like", false), also: r.Text(t, "also", false), Fields: r.Yes(t, "fields"), levels: map[string]conform.Severity{}}
	if levels := t.Values["levels"]; levels != nil {
		for id, n := range r.Table(levels, "`levels`").Values {
			p.levels[id] = r.severity(n, yamlfile.Plain(n))
		}
	}
	p.without = r.Words(t, "without")
	for _, n := range r.List(t, "rules") {
		rule := r.rule(n)
		if line, twice := ids[rule.ID]; twice && rule.ID != "" {
			r.Fail(n, fmt.Sprintf("the rule %s stands in line %d already", rule.ID, line), "keep one of them")
		}
		ids[rule.ID] = rule.line
		p.Rules = append(p.Rules, rule)
	}
	if len(p.Rules) == 0 && p.like == "" {
		r.Fail(t.At, "the platform has no rules, and none of another", "write `rules`, or `like: PLATFORM`")
	}
	return p
}

// bases are the words of a rule's basis; a page or SDK of the vendor's is "official" there.
var bases = map[string]conform.Basis{"seed": conform.Seed, "official": conform.Documented, "code": conform.Code, "issue": conform.Issue,
	"third-party": conform.ThirdParty, "inference": conform.Inferred}

var ruleID = regexp.MustCompile(`^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$`)

func (r *reader) rule(n ast.Node) *Rule {
	keys := []string{"id", "level", "text", "basis", "source", "verified", "mend", "against", "off", "look", "looks"}
	t := r.Table(n, "a rule", keys...)
	rule := &Rule{ID: r.Text(t, "id", true), Text: r.Text(t, "text", true), Source: r.Text(t, "source", true), Mend: r.Text(t, "mend", true),
		Against: r.Words(t, "against"), Off: r.Yes(t, "off")}
	rule.line = yamlfile.Line(t.At)
	if rule.ID != "" && !ruleID.MatchString(rule.ID) {
		r.Fail(t.Values["id"], fmt.Sprintf("%q is no id", rawjson.Cut(rule.ID, 40)), "write it like XX-NAME")
	}
	if word := r.Text(t, "level", true); word != "" {
		rule.Level = r.severity(t.Values["level"], word)
	}
	if word := r.Text(t, "basis", true); word != "" {
		basis, ok := bases[word]
		if !ok {
			r.Fail(t.Values["basis"], fmt.Sprintf("the basis %q is none of %s", word, strings.Join(slices.Sorted(maps.Keys(bases)), ", ")), "say on whose word the rule stands")
		}
		rule.Basis = basis
	}
	if word := r.Text(t, "verified", true); word != "" {
		day, err := time.Parse(time.DateOnly, word)
		if err != nil {
			r.Fail(t.Values["verified"], fmt.Sprintf("`verified` is %q, and must be a day", rawjson.Cut(word, 40)), "write the day on which the source was read, like 2026-10-01")
		}
		rule.Verified = day
	}
	looks := r.List(t, "looks")
	if one := t.Values["look"]; one != nil {
		looks = append([]ast.Node{one}, looks...)
	}
	if len(looks) == 0 {
		r.Fail(t.At, "the rule looks at nothing", "write look: {NAME: …}")
	}
	for _, n := range looks {
		rule.Looks = append(rule.Looks, r.look(n))
	}
	return rule
}

// look reads one look: its name, or {NAME: {its words and figures}}.
func (r *reader) look(n ast.Node) look {
	name, at := yamlfile.Plain(n), n
	var given ast.Node
	if name == "" {
		t := r.Table(n, "a look")
		if len(t.Keys) != 1 {
			r.Fail(n, "a look has one name", "write look: {NAME: {…}}")
			return look{}
		}
		name, given = t.Keys[0], t.Values[t.Keys[0]]
		at = t.At
	}
	known, ok := looks[name]
	if !ok {
		r.Fail(at, fmt.Sprintf("there is no look %q", rawjson.Cut(name, 40)), "there are "+strings.Join(slices.Sorted(maps.Keys(looks)), ", "))
		return look{}
	}
	l := look{name: name}
	if given == nil {
		given = &ast.MappingNode{BaseNode: &ast.BaseNode{}, Start: at.GetToken()}
	}
	t := r.Table(given, "the look "+name, known.takes...)
	if len(known.takes) == 0 && len(t.Keys) > 0 {
		r.Fail(at, fmt.Sprintf("the look %s takes nothing", name), "write look: "+name)
	}
	for _, key := range known.needs {
		if t.Values[key] == nil {
			r.Fail(at, fmt.Sprintf("the look %s needs `%s`", name, key), "write it")
		}
	}
	l.with = with{of: yamlfile.Plain(t.Values["of"]), pattern: yamlfile.Plain(t.Values["pattern"]), prefix: yamlfile.Plain(t.Values["prefix"]), unit: yamlfile.Plain(t.Values["unit"]),
		most: r.Figure(t, "most"), warn: r.Figure(t, "warn"), add: r.Figure(t, "add"), words: r.Words(t, "words"), forbid: r.Yes(t, "forbid"),
		depth: yamlfile.Plain(t.Values["depth"]), typed: r.Yes(t, "typed")}
	if len(known.of) > 0 && l.with.of != "" && !slices.Contains(known.of, l.with.of) {
		r.Fail(t.Values["of"], fmt.Sprintf("`of` is %q, which is none of %s", rawjson.Cut(l.with.of, 40), strings.Join(known.of, ", ")), "write one of them")
	}
	if _, err := regexp.Compile(l.with.pattern); err != nil {
		r.Fail(t.Values["pattern"], "`pattern` is no regular expression: "+err.Error(), "write it in RE2 syntax")
	}
	return l
}
