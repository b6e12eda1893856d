package target

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Answers say how the user answers what tools ask: by the first one that fits.
type Answers []Answer

// Answer answers questions of one kind.
type Answer struct {
	Match   *regexp.Regexp // on the question's message; nil: any message
	Action  conform.UserAction
	Content json.RawMessage // of accept: an object; nil: no field is filled in
}

// Reply answers a request that a tool makes of the client; ok is false where none
// of the answers fits. It is wire.Asked.
func (a Answers) Reply(method string, params *rawjson.Node) (result json.RawMessage, ok bool) {
	mode, named := params.Get("mode").Str()
	if method != "elicitation/create" || named && mode != "form" {
		return nil, false
	}
	message, _ := params.Get("message").Str()
	for _, one := range a {
		if one.Match != nil && !one.Match.MatchString(message) {
			continue
		}
		if one.Action != conform.Accept {
			return Refusal(one.Action), true
		}
		if content, ok := one.fill(params.Get("requestedSchema")); ok {
			return json.RawMessage(`{"action":"accept","content":` + string(content) + `}`), true
		}
	}
	return nil, false
}

// Refusal is the answer of a user who agrees to nothing.
func Refusal(action conform.UserAction) json.RawMessage {
	return json.RawMessage(`{"action":"` + string(action) + `"}`)
}

// fill fills in the fields of a form, those that the answer has; ok is false
// where it lacks one that the form cannot do without.
func (a Answer) fill(form *rawjson.Node) (content []byte, ok bool) {
	given, err := rawjson.Parse(a.Content)
	if err != nil { // there is no content
		given = nil
	}
	if required := form.Get("required"); required.Is(rawjson.Array) {
		for _, field := range required.Items {
			if name, isName := field.Str(); isName && !given.Has(name) {
				return nil, false
			}
		}
	}
	fields := form.Get("properties")
	content = []byte{'{'}
	if given != nil && fields != nil {
		for _, m := range given.Members {
			if !fields.Has(m.Name) {
				continue
			}
			if len(content) > 1 {
				content = append(content, ',')
			}
			content = append(append(appendString(content, m.Name), ':'), m.Value.Raw...)
		}
	}
	return append(content, '}'), true
}

// answers reads `answers`: one mapping for every question, or a list.
func (r *reader) answers(name string, n *node) Answers {
	switch n.kind {
	case mapping:
		a := Answer{Action: conform.Accept}
		r.object(name, n, fields{
			"accept": func(name string, n *node) { a.Content = r.mappingData(name, n) },
		}, nil)
		r.need(n, name, "accept", "write {accept: {FIELD: VALUE}}, or a list of answers")
		return Answers{a}
	case list:
		var all Answers
		for _, item := range n.items {
			all = append(all, r.answer(name, item))
		}
		if len(all) == 0 {
			r.fail(n, fmt.Sprintf("`%s` is an empty list", name), "write at least one answer, or leave the key out")
		}
		return all
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be a mapping or a list", name, n.is()), "write {accept: {FIELD: VALUE}}, or [{match: TEXT, accept: {FIELD: VALUE}}, {action: decline}]")
	return nil
}

func (r *reader) answer(name string, n *node) Answer {
	a := Answer{Action: conform.Accept}
	var content *node
	r.object(name, n, fields{
		"match": func(name string, n *node) {
			before := len(r.errs)
			text := r.pattern(name, n)
			if len(r.errs) == before {
				a.Match = regexp.MustCompile(text)
			}
		},
		"action": func(name string, n *node) {
			a.Action = conform.UserAction(r.oneOf(name, n, string(conform.Accept), string(conform.Decline), string(conform.Cancel)))
		},
		"accept": func(name string, n *node) { content, a.Content = n, r.mappingData(name, n) },
	}, nil)
	if content != nil && a.Action != conform.Accept && a.Action != "" {
		r.fail(content, fmt.Sprintf("`accept` fills in a form that `action: %s` does not send", a.Action), "keep one of the two")
	}
	return a
}
