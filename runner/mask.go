package runner

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/mask"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/target"
)

// masker puts pseudonyms in the place of what the target file's `privacy` names,
// where observations leave the run: in the transcript, and before they are judged.
// The run itself goes on with the values, since it must ask for them.
type masker struct {
	mask    *mask.Mask
	headers map[string]bool // lower-case names; true: a field of that name was masked
	named   *target.Privacy
	target  conform.Target
}

// newMasker makes the masker of one run, with a key that nobody gets to know; nil
// where the file masks nothing.
func newMasker(file *target.File) *masker {
	if file.Privacy == nil {
		return nil
	}
	key := make([]byte, 32)
	rand.Read(key) // never fails
	rules := mask.Rules{KeepPaths: file.Privacy.KeepPaths}
	for _, path := range file.Privacy.Paths {
		rules.Paths = append(rules.Paths, path.Path)
	}
	rules.Keep = slices.Clone(file.Privacy.Keep)
	rules.Names = []string{"mcpconform"} // scenarios send it
	for _, op := range file.Operations {
		rules.Names = append(rules.Names, op.Name, op.Tool, op.Argument, op.ValidatorTool, op.KeyArgument, op.ProbeTool, op.ResetTool, op.UnitTool, op.UndoTool, op.SetupTool, op.SetupUndoTool)
		rules.Names = append(rules.Names, op.ItemTools...)
		if async := op.Results.Async; async != nil {
			rules.Names = append(rules.Names, async.Tool, async.Argument)
			rules.Keep = slices.Concat(rules.Keep, async.Done, async.Failed)
		}
		if next := op.Results.Next; next != nil {
			rules.Names = append(rules.Names, next.Tool, next.Argument)
		}
		rules.Figures = append(rules.Figures, op.Results.Add...)
		if op.Probe != nil {
			rules.Figures = append(rules.Figures, op.Probe.Count)
			if op.Probe.Done != nil {
				for _, value := range op.Probe.Done.Values {
					rules.Keep = append(rules.Keep, strings.Trim(string(value), `"`))
				}
			}
		}
	}
	m := &masker{mask: mask.New(key, rules), headers: map[string]bool{}, named: file.Privacy, target: file.Conform()}
	for _, name := range file.Privacy.Headers {
		m.headers[strings.ToLower(name)] = false
	}
	for _, op := range m.target.Operations {
		fixed := []json.RawMessage{op.Fixed, op.AuxiliaryFailure}
		if op.Results.Async != nil {
			fixed = append(fixed, op.Results.Async.Arguments)
		}
		if op.Results.Next != nil {
			fixed = append(fixed, op.Results.Next.Arguments)
		}
		for _, text := range fixed {
			if root, err := rawjson.Parse(text); err == nil {
				m.mask.Learn(root)
			}
		}
	}
	return m
}

// masked names what is masked, for the header of a transcript.
func masked(file *target.File) []string {
	if file.Privacy == nil {
		return nil
	}
	var names []string
	for _, path := range file.Privacy.Paths {
		names = append(names, path.Written)
	}
	return append(names, file.Privacy.Headers...)
}

// memberName is what a path may name without quotes.
var memberName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// unmet gives the masks that led to nothing so far. A word alone is the name of a
// header; one that no header had was more likely meant for a member of the answers.
func (m *masker) unmet() []conform.Unmet {
	var unmet []conform.Unmet
	for i, path := range m.named.Paths {
		if !m.mask.Led(i) {
			unmet = append(unmet, conform.Unmet{Mask: path.Written})
		}
	}
	for _, name := range m.named.Headers {
		if m.headers[strings.ToLower(name)] {
			continue
		}
		one := conform.Unmet{Mask: name}
		if memberName.MatchString(name) {
			one.Else = "$.." + name
		}
		unmet = append(unmet, one)
	}
	return unmet
}

// observation masks one observation in place.
func (m *masker) observation(o *conform.Observation) {
	if o.Planned != nil {
		m.learn(o.Planned)
	}
	if o.Received != nil && o.Received.Coded != nil {
		in := *o.Received
		in.Coded = nil // paths do not lead into it
		o.Received = &in
	}
	rewrite(o, m)
}

// learn takes the values of a planned call: those in its arguments; of its items
// what they mean, as if that were sent; and where several items are named in one
// text that is masked, their names.
func (m *masker) learn(p *conform.Planned) {
	root, err := rawjson.Parse(p.Arguments)
	if err != nil {
		return
	}
	m.mask.Learn(root)
	var op *conform.Operation
	for i := range m.target.Operations {
		if m.target.Operations[i].Name == p.Operation {
			op = &m.target.Operations[i]
		}
	}
	if op == nil || len(p.Items) == 0 {
		return
	}
	if text := root.Get(op.Argument); text.Is(rawjson.String) {
		if m.mask.Leads(root, text) {
			for _, item := range p.Items {
				m.learnAll(item.Given)
				m.learnAll(item.Means)
			}
		}
		return
	}
	name, _ := json.Marshal(op.Argument) // a string always encodes
	for _, item := range p.Items {
		if item.Means == nil {
			continue
		}
		if meant, err := rawjson.Parse(fmt.Appendf(nil, "{%s:[%s]}", name, item.Means)); err == nil {
			m.mask.Learn(meant)
		}
	}
}

func (m *masker) learnAll(text json.RawMessage) {
	root, err := rawjson.Parse(text)
	if err != nil {
		return
	}
	root.Walk(func(n *rawjson.Node) bool {
		if text, ok := n.Str(); ok {
			m.mask.LearnText(text)
		} else if literal, ok := n.Literal(); ok {
			m.mask.LearnText(literal)
		}
		return true
	})
}

func (m *masker) body(b []byte) []byte     { return m.mask.Body(b) }
func (m *masker) fragment(b []byte) []byte { return m.mask.Fragment(b) }
func (m *masker) text(s string) string     { return m.mask.Text(s) }

// parts cuts the path and the query of a URL.
var parts = regexp.MustCompile(`[^/?&=,;#]+`)

// url masks the path and the query of a URL; who is spoken to stays.
func (m *masker) url(s string) string {
	host := 0
	if at := strings.Index(s, "://"); at >= 0 {
		host = at + len("://")
		if end := strings.IndexAny(s[host:], "/?#"); end >= 0 {
			host += end
		} else {
			host = len(s)
		}
	}
	return s[:host] + parts.ReplaceAllStringFunc(s[host:], m.mask.Text)
}

// plumbing are header fields that are about the message, and no data in it.
var plumbing = []string{
	"accept", "accept-encoding", "cache-control", "connection", "content-encoding", "content-length", "content-type", "date", "expires", "last-modified",
	"mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id", "retry-after", "transfer-encoding", "user-agent", "vary",
}

func (m *masker) fields(header []conform.HeaderField) []conform.HeaderField {
	if header == nil {
		return nil
	}
	clean := slices.Clone(header)
	for i, f := range clean {
		name := strings.ToLower(f.Name)
		_, whole := m.headers[name]
		switch {
		case whole:
			m.headers[name] = true
			clean[i].Value = m.mask.Whole(f.Value)
		case !slices.Contains(plumbing, name):
			clean[i].Value = m.mask.Text(f.Value)
		}
	}
	return clean
}

// all masks a recording: what is learnt from any of it is masked in all of it.
func (m *masker) all(header conform.Header, observations []conform.Observation) (conform.Header, []conform.Observation) {
	list := slices.Clone(observations)
	for i := range list {
		m.observation(&list[i])
	}
	return rewriteHeader(header, m), list
}

// Mask gives a recording as a run against the file would have written it whose
// `privacy` is the file's.
func Mask(file *target.File, header conform.Header, observations []conform.Observation) (conform.Header, []conform.Observation) {
	m := newMasker(file)
	if m == nil {
		return header, observations
	}
	header.Masked = masked(file)
	m.all(header, observations) // what comes late in it may stand early, too
	header, observations = m.all(header, observations)
	for _, o := range observations {
		if o.Ended != nil {
			o.Ended.Unmet = m.unmet() // of its own, since it was rewritten
		}
	}
	return header, observations
}
