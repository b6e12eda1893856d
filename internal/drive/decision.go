package drive

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// decision is what a validator said, as far as the next call depends on it.
type decision struct {
	eligible bool
	why      string // why it is not: for a person
	resolved *rawjson.Node
	tool     string // transaction_decision.target_tool, trimmed; empty: none named
}

var errNoAnswer = errors.New("the validator's answer holds no object")

// read reads a validator's result as the client does (contract 1.1 and 3.2): the
// payload is structuredContent if it is an object that says anything, else the
// one text block that holds a JSON object; an envelope's result, if it is an
// object, stands for the payload. Only JSON true in eligible is a yes.
func read(result json.RawMessage) (decision, error) {
	root, err := rawjson.Parse(result)
	if err != nil {
		return decision{}, fmt.Errorf("reading the validator's answer: %w", err)
	}
	payload := root.Get("structuredContent")
	if !payload.Is(rawjson.Object) || payload.Empty() {
		if payload = onlyText(root); !payload.Is(rawjson.Object) {
			return decision{}, errNoAnswer
		}
	}
	if inner := payload.Get("result"); inner.Is(rawjson.Object) {
		payload = inner
	}
	eligible := payload.Get("eligible")
	yes, isBool := eligible.Bool()
	d := decision{eligible: isBool && yes}
	switch {
	case eligible == nil:
		d.why = "the validator's answer has no eligible"
	case !isBool:
		d.why = fmt.Sprintf("the validator's eligible is a %s, and only JSON true is a yes", eligible.Kind)
	case !yes:
		d.why = "the validator said eligible: false"
	}
	if made := payload.Get("transaction_decision"); made.Is(rawjson.Object) {
		if resolved := made.Get("resolved_arguments"); resolved.Is(rawjson.Object) {
			d.resolved = resolved
		}
		tool, _ := made.Get("target_tool").Str()
		d.tool = strings.TrimSpace(tool)
	}
	return d, nil
}

// onlyText gives the JSON of the only text block; nil if there are more, or none.
func onlyText(root *rawjson.Node) *rawjson.Node {
	content := root.Get("content")
	if !content.Is(rawjson.Array) || len(content.Items) != 1 {
		return nil
	}
	text, ok := content.Items[0].Get("text").Str()
	if !ok {
		return nil
	}
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		return nil
	}
	return n
}

// merge lays resolved arguments over those of the call (contract 3.4): a member
// that says nothing (null, "", [], {}) clears nothing; every other one takes the
// place of its name, or comes last. Values keep their exact bytes. Members that
// keep names stay as they are, whatever was resolved; names that differ in letter
// case alone are taken for the same there, since some servers do.
func merge(arguments json.RawMessage, resolved *rawjson.Node, keep json.RawMessage) (json.RawMessage, error) {
	given, err := rawjson.Parse(arguments)
	if err != nil {
		return nil, fmt.Errorf("reading the planned arguments: %w", err)
	}
	var kept *rawjson.Node
	if keep != nil {
		if kept, err = rawjson.Parse(keep); err != nil {
			return nil, fmt.Errorf("reading the arguments that stay: %w", err)
		}
	}
	members := append([]rawjson.Member{}, given.Members...)
	if resolved != nil {
	next:
		for _, m := range resolved.Members {
			if saysNothing(m.Value) || names(kept, m.Name) {
				continue
			}
			for i := range members {
				if members[i].Name == m.Name {
					members[i].Value = m.Value
					continue next
				}
			}
			members = append(members, m)
		}
	}
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = jsontext.AppendQuote(out, strings.ToValidUTF8(m.Name, "\uFFFD")); err != nil {
			return nil, fmt.Errorf("writing the argument %q: %w", m.Name, err)
		}
		out = append(append(out, ':'), m.Value.Raw...)
	}
	return append(out, '}'), nil
}

// names tells whether an object has a member of a name, letter case aside.
func names(object *rawjson.Node, name string) bool {
	return object != nil && slices.ContainsFunc(object.Members, func(m rawjson.Member) bool { return strings.EqualFold(m.Name, name) })
}

// saysNothing tells the values that are passed over. A string of spaces is none
// of them.
func saysNothing(n *rawjson.Node) bool {
	if text, ok := n.Str(); ok {
		return text == ""
	}
	return n.Empty()
}
