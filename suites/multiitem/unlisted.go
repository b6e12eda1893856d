package multiitem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// left is a tool that looks multi-item and that the target file does not mention.
type left struct {
	tool    *conform.Tooling
	several discover.Takes
}

// unlisted gives the tools that look multi-item and are neither played nor
// ignored, each name once.
func unlisted(rec *conform.Recording) []left {
	known := explained(rec.Header.Target)
	told := map[string]bool{}
	var found []left
	for i := range rec.Tools {
		t := &rec.Tools[i]
		if known(t.Name) || told[t.Name] {
			continue
		}
		told[t.Name] = true
		if c := discover.Several(t); looksSo(c) {
			found = append(found, left{t, c})
		}
	}
	return found
}

// Place is a tool of the server as the target file has it.
type Place struct {
	Name    string
	Uses    []Named // what the file names it for; none: see Ignored
	Ignored bool    // the file leaves it out
	Because string  // the file's reason, where it is ignored
	Several string  // why it looks multi-item; empty: it does not
}

// Places gives every tool that the server lists or the target file names, those
// that the file names first, in its order. Where the server did not list its
// tools, nobody knows which of them look multi-item.
func Places(rec *conform.Recording) []Place {
	target := rec.Header.Target
	var all []Place
	at := map[string]int{}
	place := func(name string) *Place {
		i, known := at[name]
		if !known {
			i = len(all)
			at[name], all = i, append(all, Place{Name: name, Several: because(rec.Tool(name))})
		}
		return &all[i]
	}
	for i := range target.Operations {
		op := &target.Operations[i]
		p := place(op.Tool)
		p.Uses = append(p.Uses, Named{op.Tool, op.Name, AsTool})
	}
	named := namedTools(target)
	for i := range rec.Tools {
		if use, known := named[rec.Tools[i].Name]; known && use.As != AsTool {
			if p := place(use.Tool); len(p.Uses) == 0 {
				p.Uses = []Named{use}
			}
		}
	}
	for _, ignored := range target.Ignore {
		if rec.Listed && rec.Tool(ignored.Tool) == nil {
			continue // the server has no such tool
		}
		if p := place(ignored.Tool); len(p.Uses) == 0 {
			p.Ignored, p.Because = true, ignored.Because
		}
	}
	for i := range rec.Tools {
		place(rec.Tools[i].Name)
	}
	return all
}

// looksSo tells whether a tool is told as one that looks multi-item: a text of which
// nothing but its name says that it names several is left to init to ask about.
func looksSo(c discover.Takes) bool { return c.Argument != "" && !c.ByName }

// because says why a listed tool looks multi-item; empty: it does not.
func because(t *conform.Tooling) string {
	if c := discover.Several(t); looksSo(c) {
		return c.Because()
	}
	return ""
}

const pasteHint = "describe them under `operations` in the target file, or name them under `ignore` with the reason"

// mostPasted bounds for how many tools YAML is offered.
const mostPasted = 5

// pasteable is YAML that names the tools: an operation for each whose items an
// argument takes, and what ignores them in its place. It has the entries alone where
// the target file has the key that they stand under, since no key stands there twice.
func pasteable(target conform.Target, tools []left) string {
	var b strings.Builder
	taken := map[string]bool{}
	for i := range target.Operations {
		taken[target.Operations[i].Name] = true
	}
	shown := tools[:min(len(tools), mostPasted)]
	described := 0
	for _, t := range shown {
		if t.several.Inside != "" {
			continue // an operation's items are an argument, not a part of one
		}
		if described++; described == 1 {
			b.WriteString(under("operations", len(target.Operations) > 0))
		}
		name := discover.OperationName(t.tool.Name, taken)
		taken[name] = true
		t.operation(&b, name)
	}
	for _, t := range shown {
		if t.several.Inside != "" {
			fmt.Fprintf(&b, "# no operation for %s: its list stands at %s, and `input.argument` takes an argument of the tool itself\n", discover.Word(t.tool.Name), discover.Word(t.several.Inside))
		}
	}
	before := ""
	if described > 0 {
		b.WriteString("# or leave them out:\n")
		before = "# "
	}
	b.WriteString(before + under("ignore", len(target.Ignore) > 0))
	for i, t := range shown {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s  - {tool: %s, because: %s}", before, discover.Word(t.tool.Name), conform.Placeholder)
	}
	if more := len(tools) - len(shown); more > 0 {
		fmt.Fprintf(&b, "\n# and %d more tools", more)
	}
	return b.String()
}

// under is the line before entries of a key of the target file: the key, or, where
// the file has it, a comment that says where they go.
func under(key string, there bool) string {
	if there {
		return "# under " + key + ":\n"
	}
	return key + ":\n"
}

// operation writes a whole operation, as far as the tool's listing tells it.
func (t left) operation(b *strings.Builder, name string) {
	effect, why := "write", "the server does not say that the tool only reads"
	if yes, _ := t.tool.Node.At("annotations", "readOnlyHint").Bool(); yes {
		effect, why = "read", "the server's annotations say so (readOnlyHint); make sure that it is true"
	}
	style := ""
	if t.several.Scalar() {
		style = ", style: scalar"
	}
	fmt.Fprintf(b, "  %s:\n    tool: %s\n    effect: %s  # %s\n    input: {argument: %s%s}\n", name, discover.Word(t.tool.Name), effect, why, discover.Word(t.several.Argument), style)
	if needed := t.needed(); len(needed) > 0 {
		fmt.Fprintf(b, "    arguments: {%s}\n", strings.Join(needed, ", "))
	}
	fmt.Fprintf(b, "    items:\n      good: [%[1]s]  # on these it must succeed\n      bad: [%[1]s]  # and these it must refuse\n", conform.Placeholder)
}

// needed gives the further arguments without which the tool takes no call.
func (t left) needed() []string {
	var all []string
	required := t.tool.InputSchema.Get("required")
	if !required.Is(rawjson.Array) {
		return nil
	}
	for _, r := range required.Items {
		name, ok := r.Str()
		word := discover.Word(name) + ": " + conform.Placeholder
		if ok && name != t.several.Argument && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}
