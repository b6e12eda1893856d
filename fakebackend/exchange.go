package fakebackend

import "encoding/json"

// exchange is one request on the wire, as far as faults look at it.
type exchange struct {
	method string
	id     json.RawMessage // nil for a notification
	tool   string          // of tools/call
	args   *object         // of tools/call; never nil
}

// readExchange reads a request or notification; nil if the bytes are none.
func readExchange(line []byte) *exchange {
	v, err := decode(line)
	message, ok := v.(*object)
	if err != nil || !ok || message.text("method") == "" {
		return nil
	}
	x := &exchange{method: message.text("method"), args: of()}
	if message.has("id") {
		x.id = encode(message.get("id"))
	}
	if x.method == "tools/call" {
		params := message.child("params")
		x.tool = params.text("name")
		if args := params.child("arguments"); args != nil {
			x.args = args
		}
	}
	return x
}

// key is the id in comparable form.
func (x *exchange) key() string { return string(x.id) }

// bent gives the messages that go out in place of a response, and whether
// anything about it was changed.
func (fs faults) bent(x *exchange, response []byte) ([][]byte, bool) {
	var message *object
	changed := false
	for _, f := range fs {
		if !f.how.speaks(x) {
			continue
		}
		if message == nil {
			v, err := decode(response)
			m, ok := v.(*object)
			if err != nil || !ok {
				return nil, false
			}
			message = m
		}
		if !f.shows() {
			continue
		}
		if f.how.message != nil {
			if out := f.how.message(x, message); out != nil {
				return out, true
			}
			continue
		}
		if result := message.child("result"); result != nil && f.how.change(x, result) {
			changed = true
		}
	}
	if !changed {
		return nil, false
	}
	return [][]byte{encode(message)}, true
}

// speaks tells whether the fault has something to say on an answer.
func (h how) speaks(x *exchange) bool {
	switch {
	case h.listing != nil && x.method == "tools/list", h.message != nil && len(h.on) == 0:
		return true
	case x.method != "tools/call" || !h.on.has(x.tool):
		return false
	}
	return h.payload != nil || h.result != nil || h.message != nil
}

// change changes a result in place.
func (h how) change(x *exchange, result *object) bool {
	switch {
	case x.method == "tools/list":
		return h.listing(result)
	case h.result != nil:
		return h.result(x, result)
	}
	payload := result.child("structuredContent")
	if payload == nil || !h.payload(x, payload) {
		return false
	}
	if content, ok := result.get("content").([]any); ok && len(content) == 1 {
		if block, ok := content[0].(*object); ok && block.has("text") {
			block.set("text", string(encode(payload)))
		}
	}
	return true
}
