package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// mismatch is one place where an answer breaks a schema.
type mismatch struct {
	at   *rawjson.Node
	rule string // what the schema asks there
	said string // what the answer says
}

// first picks the mismatch that comes first in the answer's bytes. The validator
// walks maps, so its own order changes from run to run; a verdict's may not.
func first(err *jsonschema.ValidationError, instance *rawjson.Node) *mismatch {
	var all []*mismatch
	leaves(err, func(leaf *jsonschema.ValidationError) {
		m := &mismatch{at: follow(instance, leaf.InstanceLocation)}
		m.rule, m.said = words(leaf.ErrorKind, m.at)
		all = append(all, m)
	})
	return slices.MinFunc(all, func(a, b *mismatch) int {
		return cmp.Or(cmp.Compare(a.at.Offset, b.at.Offset), cmp.Compare(a.rule, b.rule), cmp.Compare(a.said, b.said))
	})
}

// leaves visits the errors that say something: not the ones that only hold
// others, and of alternatives the choice, not what each of them missed.
func leaves(err *jsonschema.ValidationError, visit func(*jsonschema.ValidationError)) {
	switch err.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf, *kind.Not:
		visit(err)
		return
	}
	if len(err.Causes) == 0 {
		visit(err)
		return
	}
	for _, cause := range err.Causes {
		leaves(cause, visit)
	}
}

// follow finds the value an error is about.
func follow(n *rawjson.Node, tokens []string) *rawjson.Node {
	for _, token := range tokens {
		if n.Is(rawjson.Array) {
			i, _ := strconv.Atoi(token)
			n = n.Items[i]
			continue
		}
		for _, m := range n.Members { // the last of a doubled name, as in plain
			if m.Name == token {
				n = m.Value
			}
		}
	}
	return n
}

var english = message.NewPrinter(language.English)

// words says what the schema asks and what the answer has. Values are never
// quoted from the error: the evidence shows the bytes.
func words(k jsonschema.ErrorKind, at *rawjson.Node) (rule, said string) {
	said = a(at)
	switch k := k.(type) {
	case *kind.Type:
		rule = "type " + strings.Join(k.Want, " or ")
	case *kind.Required:
		rule, said = "required members", "no "+names(k.Missing)
	case *kind.DependentRequired:
		rule, said = "members required beside "+quoted(k.Prop), "no "+names(k.Missing)
	case *kind.AdditionalProperties:
		rule, said = "no further members", "also "+names(k.Properties)
	case *kind.FalseSchema:
		rule = "nothing may stand here"
	case *kind.Enum:
		rule, said = fmt.Sprintf("one of the %d values of enum", len(k.Want)), at.Excerpt(80)
	case *kind.Const:
		rule, said = "the value of const", at.Excerpt(80)
	case *kind.Pattern:
		rule, said = "pattern "+quoted(k.Want), at.Excerpt(80)
	case *kind.AnyOf:
		rule, said = "one of the forms of anyOf", a(at)+" of none of them"
	case *kind.OneOf:
		rule, said = "exactly one of the forms of oneOf", a(at)+" of none of them"
		if len(k.Subschemas) > 0 {
			said = a(at) + " of more than one of them"
		}
	case *kind.Not:
		rule, said = "not the form of not", a(at)+" of that form"
	default:
		rule = rawjson.Cut(k.LocalizedString(english), 120)
	}
	return rule, said
}

// names lists member names in a fixed order.
func names(list []string) string {
	list = slices.Sorted(slices.Values(list))
	const few = 5
	more := ""
	if len(list) > few {
		more = fmt.Sprintf(" and %d more", len(list)-few)
		list = list[:few]
	}
	for i, name := range list {
		list[i] = quoted(name)
	}
	return strings.Join(list, ", ") + more
}
