package target

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// operationName is the form of a name that goes into filters and files.
var operationName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (r *reader) operations(f *File, n *node) {
	if n.kind != mapping {
		r.fail(n, fmt.Sprintf("`operations` is %s, and must be a mapping", n.is()), "write the operation's name as a key, and its keys below it")
		return
	}
	for _, e := range n.entries {
		if len(e.key) > 2 && e.key[:2] == "x-" {
			continue
		}
		if !operationName.MatchString(e.key) {
			r.failAt(e.file, e.line, e.column, fmt.Sprintf("`%s` is no name for an operation", printable(e.key)), "use letters, digits, - and _, at most 64")
			continue
		}
		o := &Operation{File: e.file, Line: e.line, Column: e.column}
		o.Name = e.key
		r.operation(o, e.value.orAt(e))
		f.Operations = append(f.Operations, o)
	}
}

// readLater are values of an operation that are looked at when its other keys were read.
type readLater struct {
	items, input, tasks, dry *node
	consumes                 *bool
}

// operationKeys are the keys of an operation.
func (r *reader) operationKeys(o *Operation, later *readLater) fields {
	return fields{
		"tool": func(name string, n *node) { o.Tool = r.word(name, n) },
		"effect": func(name string, n *node) {
			o.Write = r.oneOf(name, n, "read", "write") == "write"
		},
		"input": func(name string, n *node) {
			later.input = n
			r.object(name, n, fields{
				"argument": func(name string, n *node) { o.Argument = r.word(name, n) },
				"style":    func(name string, n *node) { o.Style = conform.Style(r.oneOf(name, n, "array", "scalar")) },
			}, nil)
			r.need(n, "input", "argument", "name the argument that takes the items")
		},
		"arguments":   func(name string, n *node) { o.Fixed = r.mappingData(name, n) },
		"validator":   func(name string, n *node) { r.validator(o, n) },
		"workflow":    func(name string, n *node) { r.workflow(o, n) },
		"idempotency": func(name string, n *node) { r.idempotency(o, n) },
		"probe":       func(name string, n *node) { r.probe(o, n) },
		"reset":       func(name string, n *node) { r.reset(o, n) },
		"undo":        func(name string, n *node) { r.undo(o, n) },
		"unit":        func(_ string, n *node) { r.unit(o, n) },
		"setup":       func(name string, n *node) { r.setup(o, n) },
		"consistency": func(name string, n *node) {
			word := r.oneOf(name, n, "strong", "eventual")
			o.Strong, o.Eventual = word == "strong", word == "eventual"
		},
		"semantics": func(name string, n *node) { o.Semantics = r.oneOf(name, n, "once", "idempotent", "append") },
		"atomic":    func(name string, n *node) { o.Atomic = r.yes(name, n) },
		"consumes": func(name string, n *node) {
			yes := r.yes(name, n)
			later.consumes = &yes
		},
		"fold_case":    func(name string, n *node) { o.FoldCase = r.yes(name, n) },
		"protocol_ids": func(name string, n *node) { o.ProtocolIDs = r.yes(name, n) },
		"answers":      func(name string, n *node) { o.Replies = r.answers(name, n) },
		"tasks":        func(name string, n *node) { later.tasks, o.Tasks = n, r.yes(name, n) },
		"results":      func(name string, n *node) { r.results(&o.Results, n) },
		"limits":       func(name string, n *node) { r.limits(&o.Limits, n) },
		"dry_run": func(name string, n *node) {
			later.dry = n
			r.object(name, n, fields{"arguments": func(name string, n *node) { o.DryRun = r.mappingData(name, n) }}, nil)
			r.need(n, "dry_run", "arguments", "write {arguments: {NAME: VALUE}}: with them the tool does nothing")
		},
		"items": func(name string, n *node) { later.items = n },
	}
}

func (r *reader) operation(o *Operation, n *node) {
	o.Style = conform.StyleArray
	var later readLater
	r.object(o.Name, n, r.operationKeys(o, &later), nil)
	r.need(n, o.Name, "tool", "name the tool that does it")
	r.need(n, o.Name, "effect", "write `effect: read` or `effect: write`: nothing is called on a guess")
	r.need(n, o.Name, "input", "write `input: {argument: NAME}`")
	if at := n.get("undo"); at != nil && o.Undo != nil && n.get("effect") != nil && !o.Write {
		r.fail(at, fmt.Sprintf("`%s` only reads, and has an `undo`", o.Name), "take it out: there is nothing to be taken back")
	}
	o.ownTasks = later.tasks != nil
	o.Consumes = o.Write
	if later.consumes != nil {
		o.Consumes = *later.consumes
	}
	if later.items != nil { // read last: what an item may be depends on the input's style
		r.items(&o.Items, o.Style, later.items)
		for _, l := range o.Items.sourced() {
			if !slices.Contains(o.ItemTools, l.source.Tool) {
				o.ItemTools = append(o.ItemTools, l.source.Tool)
			}
		}
	}
	if later.input != nil && o.Argument != "" {
		r.arguments(o, n)
	}
	if later.dry != nil {
		r.dryRun(o, later.dry)
	}
}

// arguments looks at arguments that two keys would set.
func (r *reader) arguments(o *Operation, n *node) {
	if o.KeyArgument == o.Argument {
		r.fail(n.get("idempotency"), fmt.Sprintf("the idempotency key and the items share the argument %s", printable(o.Argument)), "name the key's own argument")
	}
	fixed := n.get("arguments")
	if fixed == nil {
		return
	}
	for _, taken := range []string{o.Argument, o.KeyArgument} {
		if taken != "" && fixed.get(taken) != nil {
			r.fail(fixed, fmt.Sprintf("`arguments` sets %s, which each call sets itself", printable(taken)), "leave it out")
		}
	}
	if o.Workflow == conform.Present && o.AuxiliaryFailure != nil {
		object, err := rawjson.Parse(o.AuxiliaryFailure)
		if err == nil && object.Has(o.Argument) {
			r.fail(n.get("workflow"), fmt.Sprintf("`auxiliary_failure` sets %s, which holds the items", printable(o.Argument)), "name the arguments that make the other step fail")
		}
	}
}

// dryRun looks at whether the arguments of a dry run make sense.
func (r *reader) dryRun(o *Operation, n *node) {
	object, err := rawjson.Parse(o.DryRun)
	switch {
	case err != nil: // told already
	case len(object.Members) == 0:
		r.fail(n, "`dry_run` names no argument", "write {arguments: {NAME: VALUE}}: with them the tool does nothing")
	case !o.Write:
		r.fail(n, "`dry_run` goes with `effect: write`", "leave it out: what only reads does nothing anyway")
	}
	for _, taken := range []string{o.Argument, o.KeyArgument} {
		if taken != "" && object.Has(taken) {
			r.fail(n, fmt.Sprintf("`dry_run` sets %s, which each call sets itself", printable(taken)), "name the argument that asks for a dry run")
		}
	}
}

func (r *reader) validator(o *Operation, n *node) {
	if none(n) {
		o.Validator = conform.Absent
		return
	}
	o.Validator = conform.Present
	if r.mappingOrNone("validator", n, "{tool: NAME}") {
		r.object("validator", n, fields{"tool": func(name string, n *node) { o.ValidatorTool = r.word(name, n) }}, nil)
		r.need(n, "validator", "tool", "name the tool that validates")
	}
}

func (r *reader) workflow(o *Operation, n *node) {
	switch {
	case none(n):
		o.Workflow = conform.Absent
	case n.kind == plain && n.text == "true":
		o.Workflow = conform.Present
	case n.kind == mapping:
		o.Workflow = conform.Present
		r.object("workflow", n, fields{
			"auxiliary_failure": func(name string, n *node) { o.AuxiliaryFailure = r.mappingData(name, n) },
		}, nil)
	default:
		r.fail(n, fmt.Sprintf("`workflow` is %s", shown(n)), "write none, true, or {auxiliary_failure: {ARGUMENT: VALUE}}")
	}
}

func (r *reader) idempotency(o *Operation, n *node) {
	if none(n) {
		o.Idempotency = conform.Absent
		return
	}
	o.Idempotency = conform.Present
	if r.mappingOrNone("idempotency", n, "{argument: NAME}") {
		r.object("idempotency", n, fields{"argument": func(name string, n *node) { o.KeyArgument = r.word(name, n) }}, nil)
		r.need(n, "idempotency", "argument", "name the argument that takes the key")
	}
}

func (r *reader) mappingOrNone(name string, n *node, form string) bool {
	if n.kind != mapping {
		r.fail(n, fmt.Sprintf("`%s` is %s", name, shown(n)), fmt.Sprintf("write %s, or none if there is none", form))
		return false
	}
	return true
}

func (r *reader) results(m *conform.Results, n *node) {
	r.object("results", n, fields{
		"path": func(name string, n *node) {
			if n.kind == quoted && n.text == "" { // "": the contract's own places
				return
			}
			m.Path = r.path(name, n)
		},
		"success": func(name string, n *node) {
			m.Success = r.words(name, n)
			for _, alone := range []string{"present", "call"} {
				if slices.Contains(m.Success, alone) && len(m.Success) > 1 {
					r.fail(n, fmt.Sprintf("`success` has `%s` beside other words", alone), "keep it alone, or name flags only")
				}
			}
		},
		"id": func(name string, n *node) { m.ID = r.words(name, n) },
		"rows": func(name string, n *node) {
			r.object(name, n, fields{
				"split":  func(name string, n *node) { m.Split = r.pattern(name, n) },
				"id":     func(name string, n *node) { m.RowID = r.capture(name, n, "names the item") },
				"failed": func(name string, n *node) { m.RowFailed = r.pattern(name, n) },
			}, nil)
			r.need(n, "rows", "split", "give the regular expression that parts two rows")
			r.need(n, "rows", "id", "give the regular expression whose group 1 is the row's item")
		},
		"aggregates": func(name string, n *node) {
			r.object(name, n, fields{
				"add":    func(name string, n *node) { m.Add = r.words(name, n) },
				"remove": func(name string, n *node) { m.Remove = r.words(name, n) },
			}, nil)
		},
		"async": func(_ string, n *node) { m.Async = r.async(n) },
		"next":  func(_ string, n *node) { m.Next = r.next(n) },
	}, nil)
}

// capture reads a regular expression that must have a group; what is what it captures.
func (r *reader) capture(name string, n *node, what string) string {
	before := len(r.errs)
	text := r.pattern(name, n)
	if len(r.errs) == before && regexp.MustCompile(text).NumSubexp() < 1 {
		r.fail(n, fmt.Sprintf("`%s` has no group", name), "put the part that "+what+" in parentheses")
	}
	return text
}
