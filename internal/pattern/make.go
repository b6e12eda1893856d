package pattern

import (
	"errors"
	"hash/maphash"
	"math"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// Asked says what a call asked for, and of which tool.
type Asked struct {
	Operation *conform.Operation
	Items     []conform.Item
	Names     *Names // of Items
	// Schema is the tool's output schema; nil: it has none.
	Schema *rawjson.Node
	// Repeats is set where each call repeats the one before to the byte, so that a
	// write's protocol ids must stay the same.
	Repeats bool
}

// Make makes a pattern of a message that answers a call, and that the checks found
// to be all right. An error says that the message is none that a pattern can be
// made of.
func Make(message []byte, id uint64, asked Asked) (*Pattern, error) {
	if len(message) > math.MaxInt32/2 {
		return nil, errors.New("it is too long")
	}
	root, err := rawjson.Parse(message)
	if err != nil {
		return nil, err
	}
	if len(root.Doubled()) > 0 {
		return nil, errors.New("a member comes twice in an object")
	}
	result := root.Get("result")
	number := root.Get("id")
	if text, _ := number.Literal(); text != strconv.FormatUint(id, 10) || !result.Is(rawjson.Object) {
		return nil, errors.New("it is no result for the call's id")
	}
	m := &maker{
		Pattern: Pattern{bytes: message, names: asked.Names}, asked: asked,
		seen: map[string]echo{}, own: map[string]bool{}, shut: map[string]bool{},
		free: !asked.Operation.Atomic && !mapped(asked.Operation.Results) && len(contract.EqualItems(asked.Items, asked.Operation.FoldCase)) == 0,
	}
	for _, member := range asked.Names.members {
		m.own[member] = member != ""
	}
	for i := range root.Members {
		switch root.Members[i].Name {
		case "id":
			m.add(anID, number.Offset, number.Offset+len(number.Raw), 0)
		case "result":
			m.result(result)
		}
	}
	m.add(end, len(message), len(message), 0)
	m.words = newWords(m.rows)
	m.intern()
	p := m.Pattern // by itself: what it was made with goes
	return &p, nil
}

// intern keeps each literal once: those of rows come again with every row, and what is
// compared with is then as near as what is read.
func (p *Pattern) intern() {
	var own []byte
	at := map[string]int32{}
	for i := range p.ops {
		o := &p.ops[i]
		literal := p.bytes[o.from:o.to]
		from, known := at[string(literal)]
		if !known {
			from = int32(len(own))
			at[string(literal)] = from
			own = append(own, literal...)
		}
		o.from, o.to = from, from+int32(len(literal))
	}
	p.bytes = own
}

// mapped tells whether rules read answers by what the target file says of their
// shape.
func mapped(r conform.Results) bool { return r.Mapped() || r.Async != nil || r.Next != nil }

type maker struct {
	Pattern
	asked Asked
	last  int             // where the literal bytes go on
	own   map[string]bool // members that the items have
	seen  map[string]echo // numbered places, by their path
	free  bool            // texts and numbers that no rule looks at may differ
	shut  map[string]bool // lists of structuredContent of which the output schema says what is not understood
	row   bool            // what is read is in a row whose words may differ
	told  []uint64        // hashes of the words of that row
	rows  []uint64        // hashes of what rows say
}

// echo is a place that may be repeated elsewhere in the answer.
type echo struct {
	place int32
	text  string
}

func (m *maker) add(k kind, from, to int, arg int32) {
	m.ops = append(m.ops, op{from: int32(m.last), to: int32(from), kind: k, arg: arg})
	m.last = to
}

// result reads a tools/call result; its members come in the order sent.
func (m *maker) result(result *rawjson.Node) {
	structured := result.Get("structuredContent")
	m.close(structured, "", whole(m.asked.Schema))
	for i := range result.Members {
		switch member := &result.Members[i]; member.Name {
		case "structuredContent":
			l := layer{base: structured.Offset, text: structured.Raw}
			m.value(l, rebase(structured), "", "", whole(m.asked.Schema))
		case "content":
			if member.Value.Is(rawjson.Array) {
				for _, block := range member.Value.Items {
					m.block(block, structured.Is(rawjson.Object) && len(structured.Members) > 0)
				}
			}
		}
	}
}

// rebase reads a value by itself, so that its offsets count from it.
func rebase(n *rawjson.Node) *rawjson.Node {
	own, _ := rawjson.Parse(n.Raw) // it was read before
	return own
}

// block reads one block of content: a text may be JSON, or prose.
func (m *maker) block(block *rawjson.Node, structured bool) {
	text := block.Get("text")
	words, ok := text.Str()
	if !ok {
		return
	}
	if held := contract.JSONIn(words); held != nil {
		if len(held.Doubled()) == 0 {
			// Where the text is the payload itself, no output schema speaks of it.
			m.value(newLayer(text, words), held, "", "", place{})
		}
		return
	}
	inside := text.Raw[1 : len(text.Raw)-1]
	if m.free && structured && string(inside) == words && proseRun(inside) == len(inside) {
		m.add(aProse, text.Offset+1, text.Offset+1+len(inside), 0)
	}
}

// value reads a value of the payload. path is where it stands in it, name the
// member that holds it, also through lists.
func (m *maker) value(l layer, n *rawjson.Node, path, name string, at place) {
	switch n.Kind {
	case rawjson.Object:
		for i := range n.Members {
			member := &n.Members[i]
			m.value(l, member.Value, path+"/"+rawjson.EscapeToken(member.Name), member.Name, at.member(member.Name))
		}
	case rawjson.Array:
		entry := at.entry()
		for i, item := range n.Items {
			m.entry(l, item, path+"/"+strconv.Itoa(i), name, m.shut[path], entry)
		}
	case rawjson.String:
		text, _ := n.Str()
		if from, to, ok := l.find(n.Offset+1, n.Offset+len(n.Raw)-1, text); ok && !at.closed {
			m.text(from, to, text, path, name)
		} else if ok {
			m.word(from, to, text, path, name)
		}
	case rawjson.Number:
		text, _ := n.Literal()
		if from, to, ok := l.find(n.Offset, n.Offset+len(n.Raw), text); ok && !at.closed {
			m.number(from, to, text, path, name)
		}
	}
}

// identities are members under which a row names its item.
var identities = map[string]bool{"id": true, "name": true, "subject": true, "key": true, "item": true}

// item tells whether a value under a member may be a requested item's name, and
// which.
func (m *maker) item(text, member string) (int32, bool) {
	at, ok := m.asked.Names.at[text]
	if !ok || at < 0 || !m.asked.Names.plain[at] || !m.asked.Names.distinct {
		return 0, false
	}
	name := strings.ToLower(member)
	return int32(at), name != "index" && (identities[name] || m.own[name] || m.named(member) || !multiitem.Reads(m.asked.Operation, member))
}

func (m *maker) named(member string) bool {
	for _, id := range m.asked.Operation.Results.ID {
		if strings.EqualFold(id, member) {
			return true
		}
	}
	return false
}

// open tells whether what stands under a member may differ.
func (m *maker) open(member string) bool {
	return m.free && !m.own[strings.ToLower(member)] && !multiitem.Reads(m.asked.Operation, member)
}

func (m *maker) text(from, to int, text, path, member string) {
	if at, ok := m.item(text, member); ok {
		m.add(aName, from, to, at)
		return
	}
	if textRun([]byte(text)) != len(text) || text == "" {
		return
	}
	switch protocol := multiitem.NamesProtocol(member) && !m.own[strings.ToLower(member)]; {
	case protocol && m.free && m.asked.Operation.Write:
		if !m.asked.Repeats {
			m.numbered(aUnique, from, to, text, path)
		}
	case protocol && m.free, m.open(member):
		m.numbered(aText, from, to, text, path)
	case !protocol:
		m.word(from, to, text, path, member)
	}
}

func (m *maker) number(from, to int, text, path, member string) {
	if at, ok := m.item(text, member); ok && m.asked.Names.numbers[at] {
		m.add(aNumberName, from, to, at)
		return
	}
	if !m.open(member) {
		return
	}
	switch b := []byte(text); len(b) {
	case wholeRun(b):
		m.numbered(aWhole, from, to, text, path)
	case numberRun(b):
		m.numbered(aNumber, from, to, text, path)
	}
}

// numbered adds a place that the answer may repeat, or the repetition.
func (m *maker) numbered(k kind, from, to int, text, path string) {
	if k == aUnique {
		path = "=" + text // wherever it comes again, it is the same one
	}
	if e, ok := m.seen[path]; ok {
		if e.text == text {
			m.add(anEcho, from, to, e.place)
		}
		return
	}
	at := int32(m.places)
	m.places++
	switch k {
	case aUnique:
		m.uniques++
	case aWord:
		m.told = append(m.told, maphash.String(seed, text))
	}
	m.seen[path] = echo{at, text}
	m.add(k, from, to, at)
}
