package scenarios

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/target"
)

// separator stands between names in a text that names several.
const separator = ", "

// ask is what the arguments of one call are made from.
type ask struct {
	tool      string
	items     []conform.Item
	form      conform.Form
	key       string
	auxiliary bool
	extras    []string
	dry       bool
}

// extraNames are arguments that agent platforms send along with every call, and
// that few tools declare (contract 4.3).
var extraNames = []string{"query", "intent", "confirmed", "session", "target_tool"}

// undeclared gives the extra arguments that a tool's schema does not name and
// the operation does not send anyway.
func undeclared(o *Operation, s *inputSchema) []string {
	fixed, _ := rawjson.Parse(o.Fixed)
	var out []string
	for _, name := range extraNames {
		if !s.declares(name) && !fixed.Has(name) && name != o.Argument && name != o.KeyArgument {
			out = append(out, name)
		}
	}
	return out
}

func extraValue(o *Operation, name string, items []conform.Item) json.RawMessage {
	switch name {
	case "confirmed":
		return json.RawMessage("true")
	case "session":
		return json.RawMessage(`{"id":"mcpconform","channel":"test"}`)
	case "target_tool":
		return quote(o.Tool)
	case "intent":
		return quote(o.Name)
	}
	return quote(o.join(items))
}

// join names the items in one text.
func (o *Operation) join(items []conform.Item) string {
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = o.nameOf(item.Given)
	}
	return strings.Join(names, separator)
}

// arguments writes the arguments of a call: the fixed ones, the items, the key,
// then what is special to the call. The order is always the same.
func arguments(o *Operation, a ask) json.RawMessage {
	var members []member
	set := func(name string, value json.RawMessage) {
		for i := range members {
			if members[i].name == name {
				members[i].value = value
				return
			}
		}
		members = append(members, member{name, value})
	}
	all := func(object json.RawMessage) {
		n, err := rawjson.Parse(object)
		if err != nil {
			return
		}
		for _, m := range n.Members {
			set(m.Name, m.Value.Raw)
		}
	}
	all(o.Fixed)
	if a.form != conform.FormMissing {
		set(o.Argument, value(o, a))
	}
	if a.key != "" {
		set(o.KeyArgument, quote(a.key))
	}
	if a.auxiliary {
		all(o.AuxiliaryFailure)
	}
	for _, name := range a.extras {
		set(name, extraValue(o, name, a.items))
	}
	if a.dry {
		all(o.DryRun)
	}
	var b objectWriter
	for _, m := range members {
		b.add(m.name, m.value)
	}
	return b.done()
}

type member struct {
	name  string
	value json.RawMessage
}

// value writes the items in the operation's style and the call's form.
func value(o *Operation, a ask) json.RawMessage {
	if o.Style == conform.StyleScalar {
		return quote(o.join(a.items))
	}
	given := make([]json.RawMessage, len(a.items))
	for i, item := range a.items {
		given[i] = item.Given
	}
	if (a.form == conform.FormBareObject || a.form == conform.FormBareString) && len(given) == 1 {
		return given[0]
	}
	return target.JSONList(given)
}

// shape gives the item as the form wants it; why says why it cannot be had.
func shape(o *Operation, item conform.Item, form conform.Form) (out conform.Item, why string) {
	if o.Style == conform.StyleScalar {
		if name := o.nameOf(item.Given); isObject(item.Given) || string(quote(name)) != string(item.Given) {
			if item.Means == nil {
				item.Means = item.Given
			}
			item.Given = quote(name)
		}
		return item, ""
	}
	switch form {
	case conform.FormStrings, conform.FormBareString:
		name := o.nameOf(item.Given)
		if name == "" {
			return item, "the items have no name that could be given as a string"
		}
		if given := quote(name); string(given) != string(item.Given) {
			item.Means, item.Given = meant(item), given
		}
	case conform.FormObjects, conform.FormBareObject:
		if !isObject(item.Given) {
			return item, "the target file writes the items as plain values, and does not say what they are as objects"
		}
	}
	return item, ""
}

// keyOf makes an idempotency key that no other call of this or another run has,
// and that the same seed and run make again.
func keyOf(run string, seed uint64, instance, step string) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s\x00%s", seed, instance, step)
	if run == "" {
		return fmt.Sprintf("mcpconform-%016x", h.Sum64())
	}
	return fmt.Sprintf("mcpconform-%s-%016x", run, h.Sum64())
}
