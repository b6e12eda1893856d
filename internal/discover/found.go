package discover

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Found is what a server's listing leads to.
type Found struct {
	Tools      int          // how many the server lists
	Operations []*Operation // in the order of the listing
	// Left are tools that may take several items, and are no operation here.
	Left []Left
	// Out are operations that Narrow took out, by tool.
	Out []string

	tools     []*conform.Tooling
	resources []string
}

// Left is a tool that may take several items, and why it was not taken for an operation.
type Left struct{ Tool, Because string }

// Operation is a guess, with what it rests on.
type Operation struct {
	Name  string // in the target file
	Tool  string
	Takes Takes
	Write bool
	// Effect says why it writes, or only reads.
	Effect string
	// Keeps is set where its name says that it reads, and the server does not.
	Keeps     bool
	Arguments []Argument
	Validator *Beside
	Workflow  bool
	Key       string // the argument that takes an idempotency key
	Probe     *Probe
	Reset     *Beside
	Unit      *Beside
	// Hints are further things that the listing says, for a person to read.
	Hints []string
	Good  Items
	Bad   Items

	tool *conform.Tooling
	name naming
	out  output
}

// Beside is a tool that stands beside an operation.
type Beside struct {
	Tool     string
	Argument string // where one is to be named
	Why      string
}

// Probe is a tool that shows the state of items.
type Probe struct {
	Beside
	Path, ID, State, Done string
}

// Argument is a further argument without which the tool takes no call.
type Argument struct {
	Name  string
	Value *rawjson.Node // nil: nobody but the user knows
	Why   string
}

// Items are example items, each the exact JSON of one, and where they come from.
type Items struct {
	Values []Item
	Why    string
	// Maybe are items of which nothing says whether the operation succeeds on them.
	Maybe []Item
}

// Item is one example.
type Item struct {
	Given   json.RawMessage
	Means   json.RawMessage // the item that a text means; nil: what is given
	Because string          // why it is bad
}

// Look guesses from a list of tools, and from the URIs of the server's resources.
func Look(tools []conform.Tooling, resources []string) *Found {
	f := &Found{resources: resources}
	seen := map[string]bool{}
	for i := range tools {
		t := &tools[i]
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		if sayable(t.Name) && len(t.Name) <= mostName {
			f.tools = append(f.tools, t)
		} else if takes := Several(t); takes.Argument != "" {
			f.Left = append(f.Left, Left{t.Name, "its name is none that a target file can have"})
		}
	}
	f.Tools = len(seen)
	checkers := f.checkers()
	var candidates []*Operation
	for _, t := range f.tools {
		if takes := Several(t); takes.Argument != "" {
			o := &Operation{Tool: t.Name, Takes: takes, tool: t, name: nameOf(t.Name), out: outputOf(t.Name, t.OutputSchema)}
			o.effect()
			candidates = append(candidates, o)
		}
	}
	paired := pair(candidates, checkers)
	eyes := map[string]bool{}
	for _, o := range candidates {
		if !o.Write || paired[o.Tool] || !o.taken() {
			continue
		}
		if o.Probe = f.probe(o, checkers); o.Probe != nil {
			eyes[o.Probe.Tool] = true
		}
		o.Reset = f.reset(o)
	}
	names := map[string]bool{}
	for _, o := range candidates {
		switch why := o.takenBack(candidates); {
		case paired[o.Tool]:
		case eyes[o.Tool] && o.out.form != ofRows:
		case o.Takes.Inside != "":
			f.Left = append(f.Left, Left{o.Tool, fmt.Sprintf("%s, and `input.argument` takes an argument of the tool itself", o.Takes.Because())})
		case o.Takes.Doubt != "":
			f.Left = append(f.Left, Left{o.Tool, o.Takes.Because() + "; " + o.Takes.Doubt})
		case why != "":
			f.Left = append(f.Left, Left{o.Tool, why})
		case !sayable(o.Takes.Argument) || slices.ContainsFunc(o.needs(), func(name string) bool { return !sayable(name) || strings.Contains(name, "${") }):
			f.Left = append(f.Left, Left{o.Tool, "one of its arguments has a name that a target file cannot have"})
		default:
			o.Name = OperationName(o.Tool, names)
			names[o.Name] = true
			o.rest(f)
			f.Operations = append(f.Operations, o)
		}
	}
	return f
}

// needs gives the arguments without which the tool takes no call.
func (o *Operation) needs() []string {
	return requiredOf(&schemas{root: o.tool.InputSchema, left: mostSchemas}, o.tool.InputSchema)
}

// taken tells whether the tool is taken for an operation by its arguments alone.
func (o *Operation) taken() bool { return o.Takes.Inside == "" && o.Takes.Doubt == "" }

// Narrow keeps the operations of these names, which are names of operations or of
// tools; unknown is the first that is neither.
func (f *Found) Narrow(wanted []string) (unknown string) {
	if len(wanted) == 0 {
		return ""
	}
	for _, w := range wanted {
		if !slices.ContainsFunc(f.Operations, func(o *Operation) bool { return o.Name == w || o.Tool == w }) {
			return w
		}
	}
	f.Operations = slices.DeleteFunc(f.Operations, func(o *Operation) bool {
		out := !slices.Contains(wanted, o.Name) && !slices.Contains(wanted, o.Tool)
		if out {
			f.Out = append(f.Out, o.Tool)
		}
		return out
	})
	return ""
}

// OnlyRead keeps the operations that only read by the server's word, and that
// nothing is missing of.
func (f *Found) OnlyRead() {
	f.Operations = slices.DeleteFunc(f.Operations, func(o *Operation) bool { return o.Write || o.gaps() > 0 })
}

// hint gives one of a tool's annotations.
func hint(t *conform.Tooling, name string) (yes, said bool) {
	return t.Node.At("annotations", name).Bool()
}

// readsOnly tells whether a tool may be taken to change nothing: the server says so,
// and does not speak against it elsewhere.
func readsOnly(t *conform.Tooling) bool {
	yes, _ := hint(t, "readOnlyHint")
	destroys, _ := hint(t, "destructiveHint")
	c := nameOf(t.Name).class
	return yes && !destroys && c != deletes && c != creates
}

// effect tells whether an operation writes: the server's word counts, a name never
// makes a tool one that only reads.
func (o *Operation) effect() {
	yes, said := hint(o.tool, "readOnlyHint")
	switch {
	case readsOnly(o.tool):
		o.Effect = "the server says so (readOnlyHint); make sure that it is true"
	case yes:
		o.Write, o.Effect = true, "the server says that it only reads (readOnlyHint), and its name or another hint says that it does not"
	case said:
		o.Write, o.Effect = true, "the server says that it does not only read (readOnlyHint)"
	case o.name.class == reads || o.name.checking():
		o.Write, o.Keeps = true, true
		o.Effect = "its name says that it only reads, and the server does not (no readOnlyHint); if you know that it does, write read"
	default:
		o.Write, o.Effect = true, "the server does not say that it only reads (no readOnlyHint)"
	}
}

// rest fills in what an operation's own listing tells.
func (o *Operation) rest(f *Found) {
	s := &schemas{root: o.tool.InputSchema, left: mostSchemas}
	members := s.members(o.tool.InputSchema)
	required := requiredOf(s, o.tool.InputSchema)
	o.Workflow = o.out.form == workflow
	for _, m := range members {
		switch {
		case m.Name == o.Takes.Argument:
		case isKey(m.Name) && o.Key == "" && sayable(m.Name):
			o.Key = m.Name
		case slices.Contains(required, m.Name):
			a := Argument{Name: m.Name}
			a.Value, a.Why = s.known(m.Value)
			o.Arguments = append(o.Arguments, a)
		case among(dry, strings.Join(wordsOf(m.Name), "_")):
			o.Hints = append(o.Hints, fmt.Sprintf("its argument %s seems to ask for a dry run: `dry_run: {arguments: {%s: true}}` has more played without an effect, if that is what it does", comment(m.Name, 60), comment(m.Name, 60)))
		}
	}
	for _, name := range required {
		if name != o.Takes.Argument && name != o.Key && !slices.ContainsFunc(members, func(m rawjson.Member) bool { return m.Name == name }) {
			o.Arguments = append(o.Arguments, Argument{Name: name, Why: "its schema requires it, and does not describe it"})
		}
	}
	if yes, _ := hint(o.tool, "idempotentHint"); yes && o.Write {
		o.Hints = append(o.Hints, "the server says that a repeat does nothing more (idempotentHint): `semantics: idempotent` holds it to that; without, it is learned from a repeat")
	}
	if yes, _ := hint(o.tool, "destructiveHint"); yes && o.Write {
		o.Hints = append(o.Hints, "the server says that it may destroy (destructiveHint)")
	}
	o.Unit = f.unit(o)
	o.Good = s.examples(o, f.resources)
	o.Bad = s.invented(o)
}

// known gives the value that a schema itself has for an argument.
func (s *schemas) known(schema *rawjson.Node) (*rawjson.Node, string) {
	for _, keyword := range []string{"const", "default", "examples", "example", "enum"} {
		for _, v := range s.variants(schema) {
			n := v.Get(keyword)
			if keyword == "examples" || keyword == "enum" {
				if !n.Is(rawjson.Array) || len(n.Items) == 0 {
					continue
				}
				n = n.Items[0]
			}
			if n == nil || n.Is(rawjson.Null) {
				continue
			}
			if _, ok := value(n); ok {
				return n, "from the schema (" + keyword + ")"
			}
		}
	}
	return nil, "only you know what belongs there"
}

// takenBack says that a tool takes back what another one does; empty if it does not.
func (o *Operation) takenBack(all []*Operation) string {
	if o.name.class != undoes {
		return ""
	}
	for _, other := range all {
		if other != o && other.Write && other.name.class != undoes && shared(o.name.nouns, other.name.nouns) > 0 {
			return fmt.Sprintf("it seems to take back what %s does: `undo: {tool: …}` there would use it", other.Tool)
		}
	}
	return ""
}

// Writes and Reads count the operations.
func (f *Found) Writes() int {
	n := 0
	for _, o := range f.Operations {
		if o.Write {
			n++
		}
	}
	return n
}

// byScore gives the best of some candidates, the first among equals; the zero value
// if none has a score above zero.
func byScore[T any](all []T, score func(T) int) (best T, ok bool) {
	most := 0
	for _, one := range all {
		if n := score(one); cmp.Compare(n, most) > 0 {
			best, most, ok = one, n, true
		}
	}
	return best, ok
}
