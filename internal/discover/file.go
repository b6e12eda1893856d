package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Server is what the file says of the server.
type Server struct {
	Name     string
	URL      string // empty: Command, or nothing is to be written down
	Unsaid   string // why no server is written down
	Command  []string
	Protocol string
	Headers  []Header
	TLS      [][2]string // keys of server.tls and the files they name, in order
	Insecure bool
	Auth     string // the value of server.auth, written as YAML in one line; empty: none
	// Local tells that URL is on this machine, so that writes there need no consent.
	Local bool
	// File is where the file will stand; empty: not known.
	File string
}

// Header is a header field of every request; Template may hold ${NAME}, which the
// target file reads from the environment. Empty: its value is not written down.
type Header struct{ Name, Template string }

// mostFile bounds what is written: nobody looks through more. The reader takes four
// times as much.
const mostFile = 256 << 10

// Gaps counts the placeholders that the file holds: it is refused until they are
// filled in.
func (f *Found) Gaps() int {
	n := 0
	for _, o := range f.Operations {
		n += o.gaps()
	}
	return n
}

func (o *Operation) gaps() int {
	n := 0
	if len(o.Good.Values) == 0 {
		n++
	}
	for _, a := range o.Arguments {
		if a.Value == nil {
			n++
		}
	}
	return n
}

// YAML writes the guess as a target file. Whatever the server wrote stands in it
// in quotes, or in a comment on one line.
func (f *Found) YAML(s Server) []byte {
	b := &strings.Builder{}
	f.head(b, s)
	s.write(b, f)
	if len(f.Operations) == 0 {
		b.WriteString("# No tool looks as if it takes several items; only the protocol is judged.\n")
	} else {
		b.WriteString("operations:\n")
	}
	var dropped []string
	for _, o := range f.Operations {
		one := &strings.Builder{}
		o.write(one, f)
		if b.Len()+one.Len() > mostFile {
			dropped = append(dropped, o.Tool)
			continue
		}
		b.WriteString(one.String())
	}
	if len(dropped) > 0 {
		fmt.Fprintf(b, "# gap: %d more operations would make the file too long; --operations NAMES writes fewer. The first is %s\n", len(dropped), comment(dropped[0], 80))
	}
	f.tail(b)
	return []byte(b.String())
}

func (f *Found) head(b *strings.Builder, s Server) {
	name := s.File
	if name == "" {
		name = "FILE"
	}
	fmt.Fprintf(b, `# Its JSON Schema, for an editor: mcpconform schema target > target.schema.json
#
# A target file, written by mcpconform init from what the server lists (%s, %s of
# them taken for multi-item operations). It is a guess: lines with "guess:" are to be
# looked at, lines with "gap:" say what is missing, and what is gained by it.
#
#   mcpconform plan --target %[3]s     what a run would do; calls no tool
#   mcpconform run --target %[3]s
#
# All keys: docs/target-file.md.
`, amount(f.Tools, "tool", "tools"), fmt.Sprint(len(f.Operations)), comment(name, 200))
	if n := f.Gaps(); n > 0 {
		fmt.Fprintf(b, "#\n# %s to be filled in before it runs: search for %s.\n", amount(n, "value has", "values have"), conform.Placeholder)
	}
	b.WriteString("version: 1\n")
}

func amount(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func (s Server) write(b *strings.Builder, f *Found) {
	if sayable(s.Name) {
		fmt.Fprintf(b, "name: %s\n", Word(s.Name))
	}
	switch {
	case s.URL != "":
		fmt.Fprintf(b, "server:\n  url: %s\n", quoted(s.URL))
	case len(s.Command) > 0:
		words := make([]string, len(s.Command))
		for i, w := range s.Command {
			words[i] = Word(w)
		}
		fmt.Fprintf(b, "server:\n  command: [%s]\n", strings.Join(words, ", "))
	default:
		fmt.Fprintf(b, "# gap: %s\n", comment(s.Unsaid, 300))
	}
	if s.URL != "" || len(s.Command) > 0 {
		if s.Protocol != "" {
			fmt.Fprintf(b, "  protocol: %s\n", s.Protocol)
		}
		var fields []string
		for _, h := range s.Headers {
			if h.Template != "" {
				fields = append(fields, Word(h.Name)+": "+templated(h.Template))
			}
		}
		if len(fields) > 0 {
			fmt.Fprintf(b, "  headers: {%s}\n", strings.Join(fields, ", "))
		}
		fields = nil
		for _, pair := range s.TLS {
			fields = append(fields, pair[0]+": "+Word(pair[1]))
		}
		if s.Insecure {
			fields = append(fields, "insecure: true")
		}
		if len(fields) > 0 {
			fmt.Fprintf(b, "  tls: {%s}\n", strings.Join(fields, ", "))
		}
		if s.Auth != "" {
			fmt.Fprintf(b, "  auth: %s\n", s.Auth)
		}
	}
	for _, h := range s.Headers {
		if h.Template == "" {
			fmt.Fprintf(b, "# gap: the header %s was typed with its value, which is not written down: give --header again, or write `headers: {%[1]s: \"${NAME}\"}` under `server`\n", comment(h.Name, 60))
		}
	}
	if f.Writes() == 0 {
		return
	}
	if s.Local {
		b.WriteString("# The server is on this machine, so operations that write are played. `run --read-only` plays none.\n")
		return
	}
	how := "write `write_hosts: [HOST]` in place of none, or give --allow-write HOST with each run"
	if len(s.Command) > 0 {
		how = "take the line out"
	}
	fmt.Fprintf(b, `# Nobody has consented to writes: a run plays the operations that only read, and leaves
# the others out. When you have looked at them, and know that the server may be written
# to, %s.
safety: {write_hosts: none}
`, how)
}

// templated writes a text in quotes in which ${NAME} stays what it is.
func templated(text string) string {
	return strings.ReplaceAll(quoted(text), "$${", "${")
}

func (o *Operation) write(b *strings.Builder, f *Found) {
	line := func(format string, args ...any) { fmt.Fprintf(b, "    "+format+"\n", args...) }
	why := o.Takes.Because()
	if len(o.Takes.For) > 0 {
		why += "; " + strings.Join(o.Takes.For, "; ")
	}
	fmt.Fprintf(b, "\n  # guess: %s takes several items: %s\n  %s:\n", comment(o.Tool, 120), comment(why, 400), Word(o.Name))
	line("tool: %s", Word(o.Tool))
	effect := "read"
	if o.Write {
		effect = "write"
	}
	line("effect: %s # guess: %s", effect, comment(o.Effect, 200))
	if o.Keeps {
		line("consumes: false # guess: as its name says, items stay as they are")
	}
	style := ""
	if o.Takes.Scalar() {
		style = ", style: scalar"
	}
	line("input: {argument: %s%s}", Word(o.Takes.Argument), style)
	if len(o.Arguments) > 0 {
		line("arguments:")
		for _, a := range o.Arguments {
			text, ok := value(a.Value)
			mark := "guess"
			if !ok {
				text, mark = conform.Placeholder, "gap"
			}
			line("  %s: %s # %s: %s", Word(a.Name), text, mark, comment(a.Why, 200))
		}
	}
	o.besides(line)
	o.answers(line)
	for _, h := range o.Hints {
		line("# hint: %s", comment(h, 400))
	}
	o.items(line)
}

// besides writes what stands beside the operation; what does not seem to be there
// is declared absent, and said to be a guess.
func (o *Operation) besides(line func(string, ...any)) {
	if o.Validator != nil {
		line("validator: {tool: %s} # guess: %s", Word(o.Validator.Tool), comment(o.Validator.Why, 200))
	} else {
		line("validator: none # guess: no tool seems to check what this one does, with the same argument")
	}
	switch {
	case o.Workflow:
		line("workflow: true # guess: the outputSchema has the rows under output.%s", comment(o.Tool, 80))
		line("# gap: `workflow: {auxiliary_failure: {ARGUMENT: VALUE}}` would say how its side step is made to fail")
	case o.out.form == undeclared:
		line("workflow: none # guess: nothing speaks for one; there is no outputSchema to see it in")
	default:
		line("workflow: none # guess: the outputSchema has no rows under output")
	}
	if o.Key != "" {
		line("idempotency: {argument: %s} # guess: by the argument's name", Word(o.Key))
	} else {
		line("idempotency: none # guess: no argument looks like an idempotency key")
	}
	switch {
	case o.Probe != nil:
		p := o.Probe
		text := "tool: " + Word(p.Tool)
		if p.Argument != "" {
			text += ", argument: " + Word(p.Argument)
		}
		text += ", path: " + quoted(p.Path) + ", id: " + Word(p.ID)
		if p.State != "" {
			text += ", state: " + Word(p.State)
		}
		if p.Done != "" {
			text += ", done: " + p.Done
		}
		line("probe: {%s} # guess: %s", text, comment(p.Why, 200))
		if p.State != "" {
			line("# gap: `done: [VALUE]` in the probe would say which value of %s means done; without, every change does", comment(p.State, 60))
		}
	case o.Write:
		line("probe: none # gap: no tool seems to show what was done; a probe (a tool, a request, a command) has answers compared with effects")
	default:
		line("probe: none # guess: what only reads has nothing to look at")
	}
	switch {
	case o.Reset != nil:
		line("reset: {tool: %s} # guess: %s", Word(o.Reset.Tool), comment(o.Reset.Why, 200))
	case o.Write && !o.Keeps:
		line("reset: none # gap: no tool seems to put items back, so each good one serves once; `reset` or `undo` has more played")
	default:
		line("reset: none")
	}
	if o.Unit != nil {
		line("unit: {tool: %s, argument: %s} # guess: %s; used by load alone", Word(o.Unit.Tool), Word(o.Unit.Argument), comment(o.Unit.Why, 120))
	}
}

// answers writes where the answer has its rows, and what a form other than results[]
// loses.
func (o *Operation) answers(line func(string, ...any)) {
	list := comment(o.out.list, 80)
	mapped := path(o.out.list)
	id := ""
	if o.out.objects {
		id = o.out.named(ids)
		if words := wordsOf(o.Takes.Argument); len(words) > 0 && among(several, words[len(words)-1]) || id == "" {
			if name := identity(o.out, o.Takes.Argument); name != "" {
				id = name
			}
		}
		if !sayable(id) || strings.HasPrefix(id, "$") {
			mapped = ""
		}
	}
	mapping := func() {
		if mapped == "" {
			return
		}
		if id != "" {
			line("results: {path: %s, success: present, id: %s} # guess: so effects can be judged all the same", quoted(mapped), Word(id))
			return
		}
		line("# hint: `results: {path: %q, success: present}` would tell where the rows are", mapped)
	}
	switch o.out.form {
	case undeclared:
		line("# gap: there is no outputSchema; whether the answers have results[] shows only when they come")
	case unflagged:
		line("# hint: the outputSchema has results[], but no success or ok in the rows: which of them failed cannot be told (RES-05)")
		mapping()
	case buckets:
		lost := "what failed is not told at all"
		if o.out.fail != "" {
			lost = "a row's place, and which of two equal items it is about, are lost; what stands in neither " + list + " nor " + comment(o.out.fail, 80) + " is told of nowhere"
		}
		line("# hint: the outputSchema sorts items into lists (%s) in place of results[] with a row for each: %s (RES-01)", list, lost)
		mapping()
	case filtered:
		line("# hint: the outputSchema has a list of what there was (%s) in place of results[] with a row for each: an item that failed is left out without a word (RES-01)", list)
		mapping()
	case flat:
		line("# hint: the outputSchema has no list: what became of each item cannot be told from the answer (RES-01)")
		if o.Write {
			line("results: {success: call} # guess: so effects can be judged all the same")
		}
	}
}

func (o *Operation) items(line func(string, ...any)) {
	line("items:")
	if len(o.Good.Values) > 0 {
		line("  good: # guess: %s", comment(o.Good.Why, 200))
		for _, i := range o.Good.Values {
			line("    - %s", i.yaml(false))
		}
		if n := len(o.Good.Values); n < 10 {
			line("  # gap: ten good items are enough for the small scenarios, and %d are here; `many: {template: ITEM, count: 1200}` serves the large ones", n)
		}
	} else {
		line("  good: [%s] # gap: items on which it must succeed; three or more, ten are better", conform.Placeholder)
		if len(o.Good.Maybe) > 0 {
			line("  # hint: %s; take those on which it must succeed:", comment(o.Good.Why, 200))
			for _, i := range o.Good.Maybe {
				line("  #   - %s", comment(i.yaml(false), 1000))
			}
		}
	}
	if len(o.Bad.Values) == 0 {
		line("  # gap: `bad: [ITEM, ITEM, ITEM]`, items that it must refuse; without, nothing is asked about partial failure")
		return
	}
	line("  bad: # guess: %s", comment(o.Bad.Why, 200))
	for _, i := range o.Bad.Values {
		line("    - {item: %s, because: %s}", i.yaml(true), quoted(i.reason()))
	}
}

func (i Item) reason() string {
	if !sayable(i.Because) {
		return "not eligible"
	}
	return i.Because
}

// yaml writes an item as a target file has it; inside another mapping it may not
// look like one that is about an item.
func (i Item) yaml(within bool) string {
	given := exact(i.Given)
	if i.Means != nil {
		return "{given: " + given + ", means: " + exact(i.Means) + "}"
	}
	n, err := rawjson.Parse(i.Given)
	if err == nil && (n.Has("given") || n.Has("item") && !within) {
		return "{given: " + given + "}"
	}
	return given
}

// exact writes JSON as YAML; what cannot be written was left out before.
func exact(raw []byte) string {
	n, err := rawjson.Parse(raw)
	if err == nil {
		if text, ok := value(n); ok {
			return text
		}
	}
	return conform.Placeholder
}

// tail names the tools that may take several items, and are no operation here.
func (f *Found) tail(b *strings.Builder) {
	if len(f.Left) == 0 && len(f.Out) == 0 {
		return
	}
	b.WriteString("\n# These may take several items, too. Until they are operations, or stand under `ignore`\n# with the reason, a run says that the verdict does not speak of them (SCOPE-01):\n#\n# ignore:\n")
	for _, tool := range f.Out {
		fmt.Fprintf(b, "#   - {tool: %s, because: %s} # left out by --operations\n", comment(Word(tool), 300), conform.Placeholder)
	}
	const mostLeft = 200
	for i, l := range f.Left {
		if i == mostLeft {
			fmt.Fprintf(b, "#   and %d more\n", len(f.Left)-mostLeft)
			break
		}
		fmt.Fprintf(b, "#   - {tool: %s, because: %s} # %s\n", comment(Word(l.Tool), 300), conform.Placeholder, comment(l.Because, 300))
	}
}

// Summary says in one clause what the guess holds: "4 operations (3 write, 1 reads)".
func (f *Found) Summary() string {
	reading := len(f.Operations) - f.Writes()
	var parts []string
	if n := f.Writes(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d that %s", n, verb(n, "writes", "write")))
	}
	if reading > 0 {
		parts = append(parts, fmt.Sprintf("%d that only %s", reading, verb(reading, "reads", "read")))
	}
	text := amount(len(f.Operations), "operation", "operations")
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	beside := 0
	for _, o := range f.Operations {
		if o.Validator != nil {
			beside++
		}
	}
	if beside > 0 {
		text += ", " + amount(beside, "validator", "validators")
	}
	var eyes []string
	for _, o := range f.Operations {
		if o.Probe != nil && !slices.Contains(eyes, o.Probe.Tool) {
			eyes = append(eyes, o.Probe.Tool)
		}
	}
	if len(eyes) > 0 {
		text += ", " + amount(len(eyes), "probe", "probes")
	}
	return text
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
