package target

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/rawpath"
)

// Ask gives the arguments of a probe call for these ids, each a JSON value. A
// probe without an argument for ids is asked for everything.
func (p *Probe) Ask(ids []json.RawMessage) json.RawMessage {
	return withArgument(p.Arguments, p.Argument, JSONList(ids))
}

// withArgument gives a tool's fixed arguments, a JSON object or nil, with one more
// unless its name is empty.
func withArgument(fixed json.RawMessage, argument string, value []byte) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	if fixed := bytes.TrimSpace(fixed); len(fixed) > 2 {
		b.Write(fixed[1 : len(fixed)-1])
	}
	if argument != "" {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(appendString(nil, argument))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// ItemID gives the id by which the probe knows an item: as JSON, to ask for it,
// and as the text that Read compares. A text or number is its own id; of a
// mapping it is the member that the probe's rows are named by, else one of
// results.id, else id, name, subject or key. ok is false if there is none, or no
// probe.
func (o *Operation) ItemID(item conform.Item) (id string, asked json.RawMessage, ok bool) {
	if o.Probe == nil {
		return "", nil, false
	}
	return idOf(Canonical(item), o.idNames())
}

// Canonical gives the item that is meant.
func Canonical(item conform.Item) json.RawMessage {
	if item.Means != nil {
		return item.Means
	}
	return item.Given
}

// Known gives what tells an item, in its canonical form, from others: its id, or
// all of it where it has none.
func (o *Operation) Known(item json.RawMessage) string {
	if id, _, ok := idOf(item, o.idNames()); ok {
		return id
	}
	n, err := rawjson.Parse(item)
	if err != nil {
		return string(item)
	}
	return string(appendSorted(nil, n))
}

// idNames are the members that may be an item's id, best first.
func (o *Operation) idNames() []string { return append(o.IDMembers(), "id", "name", "subject", "key") }

// IDMembers are the members by which the target file itself tells one item from
// another, best first: probe.id, then results.id.
func (o *Operation) IDMembers() []string {
	var names []string
	if o.Probe != nil {
		names = append(names, o.Probe.ID)
	}
	return append(names, o.Results.ID...)
}

// idOf gives the id of an item: itself where it is a text or a number, else the
// first of some members.
func idOf(item json.RawMessage, members []string) (id string, asked json.RawMessage, ok bool) {
	n, err := rawjson.Parse(item)
	if err != nil {
		return "", nil, false
	}
	if id, ok := idText(n); ok {
		return id, json.RawMessage(n.Raw), true
	}
	for _, name := range members {
		value := n.Get(name)
		if id, ok := idText(value); ok && !value.Empty() {
			return id, json.RawMessage(value.Raw), true
		}
	}
	return "", nil, false
}

// idText gives the comparable form of an id: text after NFC, a number as written.
func idText(n *rawjson.Node) (string, bool) {
	if text, ok := n.Str(); ok {
		return norm.NFC.String(text), true
	}
	return n.Literal()
}

// Read reads the states of items from a probe's answer, the exact JSON of a
// tools/call result. There is one state for each id, in the order of ids; an id
// that no row bears is absent. Several rows for one id are one state, a list of
// theirs, sorted, since nothing says in which order rows come; where they
// contradict one another it is torn. States are compared as text, so members stand sorted by name and white
// space is left out; strings and numbers stay exact.
//
// An answer that is an error, or has no data, or rows without ids, is an error:
// it says nothing about any item. So is one that the target file does not fit:
// nothing stands where its path leads, or no row has the members it compares.
func (p *Probe) Read(result *rawjson.Node, ids []string) ([]conform.State, error) {
	if p.Flat() {
		texts, err := textsOf(result)
		if err == nil && len(texts) == 0 {
			err = errors.New("it has no text")
		}
		if err != nil {
			return p.statesOf(nil, err, ids)
		}
		return p.ReadText(strings.Join(texts, "\n"), ids)
	}
	payload, err := payloadOf(result)
	if err != nil {
		return p.statesOf(nil, err, ids)
	}
	return p.ReadData(payload, ids)
}

// name is what errors call the means: the tool's name alone, as elsewhere.
func (p *Probe) name() string {
	if p.Tool != "" {
		return p.Tool
	}
	return p.Whose()
}

// ReadData is Read for what an HTTP request or a command answered: the data, with
// nothing around it.
func (p *Probe) ReadData(payload *rawjson.Node, ids []string) ([]conform.State, error) {
	rows, err := p.rows(payload)
	return p.statesOf(rows, err, ids)
}

// Flat tells whether the probe's answer is one flat text, and no data.
func (p *Probe) Flat() bool { return p.Rows != nil && p.Path == "" }

// ReadText is Read for an answer that is one flat text, see Flat.
func (p *Probe) ReadText(text string, ids []string) ([]conform.State, error) {
	rows, err := p.Rows.parts(text, p.ID)
	return p.statesOf(rows, err, ids)
}

// rows gives the rows that stand in an answer's data.
func (p *Probe) rows(payload *rawjson.Node) ([]*rawjson.Node, error) {
	found, err := rowsAt(p.Path, payload)
	if err != nil || p.Rows == nil {
		return found, err
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%s leads to %d values, where one text was expected", p.Path, len(found))
	}
	text, ok := found[0].Str()
	if !ok {
		return nil, fmt.Errorf("%s is %s, and no text", p.Path, kindOf(found[0]))
	}
	return p.Rows.parts(text, p.ID)
}

// statesOf gives the states that the rows tell, or says whose answer could not be read.
func (p *Probe) statesOf(rows []*rawjson.Node, err error, ids []string) ([]conform.State, error) {
	var states []conform.State
	if err == nil {
		states, err = p.states(rows, ids)
	}
	if err != nil {
		return nil, fmt.Errorf("reading states from the answer of %s: %w", p.name(), err)
	}
	return states, nil
}

// states gives the state of each item, by the rows that bear its id.
func (p *Probe) states(rows []*rawjson.Node, ids []string) ([]conform.State, error) {
	byID := map[string][]*rawjson.Node{}
	for i, row := range rows {
		id, ok := idText(member(p.ID, row))
		if !ok {
			return nil, fmt.Errorf("row %d of %d at %s has no text or number at %s", i+1, len(rows), p.Path, p.ID)
		}
		byID[id] = append(byID[id], row)
	}
	if err := errors.Join(p.borne(rows, "state", p.State), p.borne(rows, "count", p.Count)); err != nil {
		return nil, err
	}
	states := make([]conform.State, len(ids))
	for i, id := range ids {
		states[i] = p.state(id, byID[norm.NFC.String(id)])
	}
	return states, nil
}

func (p *Probe) state(id string, rows []*rawjson.Node) conform.State {
	s := conform.State{ID: id, Present: len(rows) > 0}
	var values []*rawjson.Node
	var texts []string
	for _, row := range rows {
		value := row
		if p.State != "" {
			value = member(p.State, row)
		}
		values = append(values, value)
		texts = append(texts, string(appendSorted(nil, value)))
		if p.Count != "" {
			if text, ok := idText(member(p.Count, row)); ok {
				if count, err := strconv.ParseInt(text, 10, 64); err == nil {
					sum := count
					if s.Count != nil {
						sum += *s.Count
					}
					s.Count = &sum
				}
			}
		}
	}
	s.Torn = p.torn(values, texts)
	switch len(texts) {
	case 0:
	case 1:
		s.State = texts[0]
	default:
		slices.Sort(texts)
		s.State = "[" + strings.Join(texts, ",") + "]"
	}
	if p.Done != nil {
		done := p.Done.means(values)
		s.Done = &done
	}
	return s
}

// torn tells whether an item's rows contradict one another: in whether the item
// was done, or, where the file does not say which states mean that, in the member
// that it names. Rows that are compared as a whole may differ in anything.
func (p *Probe) torn(values []*rawjson.Node, texts []string) bool {
	for i := range values {
		switch {
		case p.Done == nil:
			if p.State != "" && texts[i] != texts[0] {
				return true
			}
		case p.Done.Presence == conform.Unsaid && p.Done.means(values[i:i+1]) != p.Done.means(values[:1]):
			return true
		}
	}
	return false
}

// means tells whether the states of an item's rows say that it was done.
func (d *Done) means(values []*rawjson.Node) bool {
	switch d.Presence {
	case conform.Present:
		return len(values) > 0
	case conform.Absent:
		return len(values) == 0
	}
	for _, value := range values {
		for _, wanted := range d.Values {
			n, err := rawjson.Parse(wanted)
			if err != nil {
				continue
			}
			a, textual := idText(n)
			b, ok := idText(value)
			if textual && ok && a == b || bytes.Equal(appendSorted(nil, n), appendSorted(nil, value)) {
				return true
			}
		}
	}
	return false
}

// payloadOf finds an answer's data: structuredContent if it says anything, else
// the one text block that holds JSON (contract 1.1).
func payloadOf(result *rawjson.Node) (*rawjson.Node, error) {
	texts, err := textsOf(result)
	if err != nil {
		return nil, err
	}
	if data := result.Get("structuredContent"); !data.Empty() {
		return data, nil
	}
	if len(texts) != 1 {
		return nil, fmt.Errorf("no structuredContent, and %d text blocks where one with JSON was expected", len(texts))
	}
	data, err := rawjson.Parse([]byte(texts[0]))
	if err != nil {
		return nil, fmt.Errorf("no structuredContent, and the text is no JSON: %w", err)
	}
	return data, nil
}

// textsOf gives the texts of a tools/call result that is no error.
func textsOf(result *rawjson.Node) ([]string, error) {
	if !result.Is(rawjson.Object) {
		return nil, errors.New("there is no result")
	}
	var texts []string
	for _, block := range listOf(result.Get("content")) {
		if text, ok := block.Get("text").Str(); ok {
			texts = append(texts, text)
		}
	}
	if failed, _ := result.Get("isError").Bool(); failed {
		return nil, fmt.Errorf("the server answered with an error: %s", printable(strings.Join(texts, " ")))
	}
	return texts, nil
}

// member gives a row's member by name, or what a JSONPath selects in it.
func member(name string, row *rawjson.Node) *rawjson.Node {
	if !strings.HasPrefix(name, "$") {
		return row.Get(name)
	}
	found, err := rawpath.Select(name, row)
	if err != nil || len(found) != 1 {
		return nil
	}
	return found[0]
}

// appendSorted writes a value without white space, members sorted by name, and
// every scalar as it was sent. No value is written as nothing.
func appendSorted(out []byte, n *rawjson.Node) []byte {
	switch {
	case n.Is(rawjson.Array):
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendSorted(out, item)
		}
		return append(out, ']')
	case n.Is(rawjson.Object):
		sorted := slices.Clone(n.Members)
		slices.SortStableFunc(sorted, func(a, b rawjson.Member) int { return strings.Compare(a.Name, b.Name) })
		out = append(out, '{')
		for i, m := range sorted {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendString(out, m.Name), ':')
			out = appendSorted(out, m.Value)
		}
		return append(out, '}')
	case n == nil:
		return out
	}
	return append(out, n.Raw...)
}

func listOf(n *rawjson.Node) []*rawjson.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
