package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Hands change some items, and are told which: they take back what an operation
// did to them, or put them in place.
type Hands struct {
	Means
	Argument string // of the tool, takes the items
	Takes    Takes  // of a tool or a command; of a request its marks tell
	ID       string // the member of an item that is its id; empty: as the probe has it, else the usual ones
	OfFile   bool   // they stand at the top of the file
}

// Setup puts items in place.
type Setup struct {
	Hands
	Undo *Hands // takes away what it made; nil: nothing does
}

// Takes is in what form hands are told of items.
type Takes string

// The forms. With the last two there is a call for each.
const (
	TakesIDs   Takes = "ids"
	TakesItems Takes = "items"
	TakesID    Takes = "id"
	TakesItem  Takes = "item"
)

// Thing is an item as hands are told of it.
type Thing struct{ ID, Item json.RawMessage }

// Thing gives an item as hands of the operation are told of it; ok is false where
// they need its id, and it has none.
func (o *Operation) Thing(h *Hands, item json.RawMessage) (thing Thing, ok bool) {
	thing.Item = item
	names := o.idNames()
	if h.ID != "" {
		names = []string{h.ID}
	}
	_, thing.ID, ok = idOf(item, names)
	return thing, ok || !h.byID()
}

func (h *Hands) byID() bool {
	if h.HTTP != nil {
		return h.HTTP.says(markIDs) || h.HTTP.says(markID)
	}
	return h.Takes == TakesIDs || h.Takes == TakesID
}

// Single tells hands that are asked for one item at a time.
func (h *Hands) Single() bool {
	if h.HTTP != nil {
		return h.HTTP.says(markID) || h.HTTP.says(markItem)
	}
	return h.Takes == TakesID || h.Takes == TakesItem
}

// Call gives the arguments of the tool's call for some things; for one alone
// where it takes one at a time.
func (h *Hands) Call(things []Thing) json.RawMessage {
	return withArgument(h.Arguments, h.Argument, h.value(things))
}

// Input gives what the command reads for them.
func (h *Hands) Input(things []Thing) []byte { return append(h.value(things), '\n') }

func (h *Hands) value(things []Thing) []byte {
	all := make([]json.RawMessage, len(things))
	for i, t := range things {
		if all[i] = t.Item; h.byID() {
			all[i] = t.ID
		}
	}
	if h.Single() && len(all) == 1 {
		return bytes.Clone(all[0])
	}
	return JSONList(all)
}

// Requests gives the HTTP requests for them.
func (h *Hands) Requests(base string, things []Thing) ([]Asking, error) {
	ids, items := make([]json.RawMessage, len(things)), make([]json.RawMessage, len(things))
	for i, t := range things {
		ids[i], items[i] = t.ID, t.Item
	}
	if !h.Single() {
		return h.HTTP.ask(base, ids, items)
	}
	at, err := h.HTTP.resolve(base)
	if err != nil {
		return nil, err
	}
	all := make([]Asking, len(things))
	for i, t := range things {
		body := bytes.ReplaceAll(h.HTTP.Body, []byte(`"`+markID+`"`), t.ID)
		body = bytes.ReplaceAll(body, []byte(`"`+markItem+`"`), t.Item)
		body = bytes.ReplaceAll(body, []byte(markID), []byte(plainText(t.ID)))
		body = bytes.ReplaceAll(body, []byte(markItem), t.Item)
		all[i] = Asking{URL: strings.ReplaceAll(at, markID, inURL(t.ID)), Body: body, From: i, To: i + 1}
	}
	return all, nil
}

// inURL is an id as a path or a query has it.
func inURL(id json.RawMessage) string {
	return strings.ReplaceAll(url.QueryEscape(plainText(id)), "+", "%20")
}

// says tells whether a mark stands in the URL or the body.
func (q *HTTPRequest) says(mark string) bool {
	return strings.Contains(q.URL, mark) || bytes.Contains(q.Body, []byte(mark))
}

// handsKeys reads the keys that all hands have.
func (r *reader) handsKeys(h *Hands) fields {
	return fields{
		"tool":      func(name string, n *node) { h.Tool = r.word(name, n) },
		"argument":  func(name string, n *node) { h.Argument = r.word(name, n) },
		"arguments": func(name string, n *node) { h.Arguments = r.mappingData(name, n) },
		"takes": func(name string, n *node) {
			h.Takes = Takes(r.oneOf(name, n, string(TakesIDs), string(TakesItems), string(TakesID), string(TakesItem)))
		},
		"id":      func(name string, n *node) { h.ID = r.word(name, n) },
		"http":    func(_ string, n *node) { r.request(&h.Means, n, "POST") },
		"command": func(_ string, n *node) { r.program(&h.Means, n) },
	}
}

// together looks at what must fit together in hands.
func (r *reader) handsTogether(name string, h *Hands, n *node) {
	if n.kind != mapping {
		return
	}
	r.oneMeans(n, name)
	fixed, takes := n.get("arguments"), n.get("takes")
	switch {
	case h.Tool != "" && n.get("argument") == nil:
		r.fail(n, fmt.Sprintf("`%s` has no `argument`", name), "name the argument that takes the items; what puts everything back at once is a `reset`")
	case h.Tool != "" && fixed != nil && h.Argument != "" && fixed.get(h.Argument) != nil:
		r.fail(fixed, fmt.Sprintf("`arguments` sets %s, which takes the items", printable(h.Argument)), "leave it out")
	case h.HTTP != nil && h.HTTP.URL != "":
		r.handsRequest(name, h, n.get("http"))
		if takes != nil {
			r.fail(takes, "`takes` does not go with `http`", "the marks in the url and the body tell: {ids}, {id}, {items} or {item}")
		}
	}
}

// handsRequest asks for marks that say which items are meant.
func (r *reader) handsRequest(name string, h *Hands, n *node) {
	q := h.HTTP
	lists, singles := q.says(markIDs) || q.says(markItems), q.says(markID) || q.says(markItem)
	switch {
	case !lists && !singles:
		r.fail(n, fmt.Sprintf("`%s` does not say which items", name), "write {ids} or {items} where they are to stand, or {id} or {item} for a request each; what puts everything back at once is a `reset`")
	case lists && singles:
		r.fail(n, fmt.Sprintf("`%s` has marks for one item and for several", name), "keep {ids} and {items}, or {id} and {item}")
	case strings.Contains(q.URL, markItem) || strings.Contains(q.URL, markItems):
		r.fail(n, "`url` has a whole item in it", "write {id} or {ids} there, and items in the body")
	case q.Method == "GET":
		r.fail(n, fmt.Sprintf("`%s` is a GET, which changes nothing", name), "leave `method` out for POST, or write PUT, PATCH or DELETE")
	}
}

func (r *reader) undo(o *Operation, n *node) {
	if none(n) {
		o.Operation.Undo = conform.Absent
		return
	}
	if h := r.undoHands(n); h != nil {
		o.takeUndo(h)
	}
}

// undoHands reads the hands that take something back.
func (r *reader) undoHands(n *node) *Hands {
	if !r.mappingOrNone("undo", n, "{tool: NAME, argument: NAME}") {
		return nil
	}
	h := &Hands{Takes: TakesIDs}
	r.object("undo", n, r.handsKeys(h), nil)
	r.handsTogether("undo", h, n)
	return h
}

func (o *Operation) takeUndo(h *Hands) {
	o.Operation.Undo, o.UndoTool, o.Undo = conform.Present, h.Tool, h
}

func (r *reader) setup(o *Operation, n *node) {
	if none(n) {
		o.Operation.Setup = conform.Absent
		return
	}
	if s := r.setupHands(n); s != nil {
		o.takeSetup(s)
	}
}

func (r *reader) setupHands(n *node) *Setup {
	if !r.mappingOrNone("setup", n, "{tool: NAME, argument: NAME}") {
		return nil
	}
	s := &Setup{Hands: Hands{Takes: TakesItems}}
	keys := r.handsKeys(&s.Hands)
	keys["undo"] = func(_ string, n *node) {
		if !none(n) {
			s.Undo = r.undoHands(n)
		}
	}
	r.object("setup", n, keys, nil)
	r.handsTogether("setup", &s.Hands, n)
	return s
}

func (o *Operation) takeSetup(s *Setup) {
	o.Operation.Setup, o.SetupTool, o.Setup = conform.Present, s.Tool, s
	if s.Undo != nil {
		o.SetupUndoTool = s.Undo.Tool
	}
}

// inherit gives operations that have no word of their own on `undo` and `setup`
// that of the file. What only reads has nothing to be taken back.
func (f *File) inherit(undo *Hands, setup *Setup) {
	if undo != nil {
		undo.OfFile = true
	}
	if setup != nil {
		setup.OfFile = true
	}
	for _, o := range f.Operations {
		if undo != nil && o.Write && o.Operation.Undo == conform.Unsaid {
			o.takeUndo(undo)
		}
		if setup != nil && o.Operation.Setup == conform.Unsaid {
			o.takeSetup(setup)
		}
	}
}
