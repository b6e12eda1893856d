package fakebackend

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fastCall is a tools/call as the fast front reads it. Its texts are parts of the
// message.
type fastCall struct {
	id   []byte // as it is written: an integer, or a text with its quotes
	tool *tool
	arguments
	meta   []byte // the members of _meta that mean something to the server, as they are written
	modern bool   // _meta says a revision without sessions
}

// read reads a message, if it is a plain call of a tool of the front. Whatever is
// out of the ordinary is not: another member, a name twice, an escaped name. The
// ordinary handler knows what to do with it.
func (f *fast) read(message []byte) (*fastCall, bool) {
	s := scanner{text: message, most: maxDepth}
	var r fastCall
	var version, method, params bool
	ok := utf8.Valid(message) && s.members(func(name string) bool {
		switch {
		case name == "jsonrpc" && !version:
			version = true
			return string(s.value()) == `"2.0"`
		case name == "method" && !method:
			method = true
			return string(s.value()) == `"tools/call"`
		case name == "id" && r.id == nil:
			r.id = s.value()
			return plainID(r.id)
		case name == "params" && !params:
			params = true
			return f.readParams(&s, &r)
		}
		return false
	}) && s.end()
	return &r, ok && version && method && r.id != nil && r.tool != nil
}

func (f *fast) readParams(s *scanner, r *fastCall) bool {
	var args, meta bool
	return s.members(func(name string) bool {
		value := s.value()
		switch {
		case len(value) == 0:
			return false
		case name == "name" && r.tool == nil:
			word, ok := plainText(value)
			r.tool = f.tools[string(word)]
			return ok && r.tool != nil
		case name == "arguments" && !args:
			args = true
			var ok bool
			r.arguments, ok = readArguments(value)
			return ok && value[0] == '{'
		case name == "_meta" && !meta:
			meta = true
			return value[0] == '{' && json.Valid(value) && r.readMeta(value)
		}
		return false
	})
}

// readMeta keeps what the protocol has put into _meta, and passes over what only
// the client understands, as tokens of traces. Who wants to be told of progress is
// the ordinary server's.
func (r *fastCall) readMeta(meta []byte) bool {
	s := scanner{text: meta}
	return s.members(func(name string) bool {
		value := s.value()
		switch {
		case strings.HasPrefix(name, ownPrefix), name == "progressToken":
			return false
		case strings.Contains(name, "/"):
			r.meta = append(append(append(r.meta, name...), 0), value...)
		}
		if name == mcp.MetaKeyProtocolVersion {
			word, ok := plainText(value)
			r.modern = string(word) >= sessionless
			return ok
		}
		return true
	})
}

// plainID tells whether an id is said back by everybody as it is written.
func plainID(id []byte) bool {
	if _, ok := plainText(id); ok {
		return true
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	const most = 15 // digits that a float64 holds
	return len(id) > 0 && len(id) <= most && (id[0] != '0' || len(id) == 1)
}

// plainText gives the inside of a JSON text in ASCII without escapes.
func plainText(value []byte) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	word := value[1 : len(value)-1]
	for _, c := range word {
		if c < ' ' || c > '~' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return nil, false
		}
	}
	return word, true
}

// scanner goes over JSON once. It finds where values end, and leaves to others
// whether they are lawful inside.
type scanner struct {
	text []byte
	at   int
	most int // how deep a value may be; 0: any depth
}

// members goes over an object and calls each for every member, which takes the
// value; false: it is no object with plain names, or each said so.
func (s *scanner) members(each func(name string) bool) bool {
	if !s.take('{') {
		return false
	}
	if s.take('}') {
		return true
	}
	for {
		s.space()
		name, ok := plainText(s.value())
		if !ok || !s.take(':') || !each(string(name)) {
			return false
		}
		if s.take('}') {
			return true
		}
		if !s.take(',') {
			return false
		}
	}
}

func (s *scanner) space() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// take passes a character, with the space before it.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// end tells whether nothing follows.
func (s *scanner) end() bool {
	s.space()
	return s.at == len(s.text)
}

// value passes a value, and gives it; empty if there is none, or no end to it.
func (s *scanner) value() []byte {
	s.space()
	from, depth := s.at, 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			if !s.quoted() {
				return nil
			}
		case '{', '[':
			s.at++
			if depth++; s.most > 0 && depth > s.most {
				return nil
			}
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return nil
			}
			s.at++
		case ',', ':':
			if depth == 0 {
				return nil
			}
			s.at++
			continue
		case ' ', '\t', '\r', '\n':
			s.at++
			continue
		default:
			s.word()
		}
		if depth == 0 {
			return s.text[from:s.at]
		}
	}
	return nil
}

// word passes a number, or a word of letters.
func (s *scanner) word() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ',', ':', '"', '{', '}', '[', ']', ' ', '\t', '\r', '\n':
			return
		}
		s.at++
	}
}

// quoted passes a text in quotes.
func (s *scanner) quoted() bool {
	for i := s.at + 1; ; {
		n := bytes.IndexByte(s.text[i:], '"')
		if n < 0 {
			return false
		}
		escapes := 0
		for j := i + n - 1; j >= i && s.text[j] == '\\'; j-- {
			escapes++
		}
		i += n + 1
		if escapes%2 == 0 {
			s.at = i
			return true
		}
	}
}
