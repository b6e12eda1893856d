package fakebackend

import (
	"encoding/json"
	"slices"
	"strings"
)

// exchange is one request on the wire, as far as faults look at it.
type exchange struct {
	method string
	id     json.RawMessage // nil for a notification
	tool   string          // of tools/call
	args   *object         // of tools/call; never nil
	drawn  drawn           // of tools/call: which faults show in it
	token  any             // of tools/call: by which its progress is to be told; nil: it is not
}

// line is one message as it goes out, to the byte, without its line ending.
type line []byte

// readExchange reads a request or notification; nil if the bytes are none.
func readExchange(text []byte) *exchange {
	v, err := decode(text)
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
		x.tool, x.drawn = params.text("name"), drawnIn(params)
		x.token = params.child("_meta").get("progressToken")
		if args := params.child("arguments"); args != nil {
			x.args = args
		}
	}
	return x
}

// answeredBy tells whether a message is the response to this request.
func (x *exchange) answeredBy(message *object) bool {
	return x.id != nil && message.has("id") && string(encode(message.get("id"))) == string(x.id) &&
		(message.has("result") || message.has("error"))
}

// items gives how many items a call asks for, and whether they are as a
// validator made them.
func (x *exchange) items() (n int, judged bool) {
	for _, name := range []string{"items", "order_ids"} {
		switch v := x.args.get(name).(type) {
		case []any:
			for _, item := range v {
				o, _ := item.(*object)
				judged = judged || o.has("eligible")
			}
			return len(v), judged
		case nil:
		default:
			return 1, false
		}
	}
	if subject := strings.TrimSpace(x.args.text("subject")); subject != "" {
		return len(expand(subject, func(string) bool { return false })), false
	}
	return 0, false
}

// plain tells whether a call is an ordinary one: of new items, as a person gives
// them, with nothing besides.
func (x *exchange) plain() bool {
	for _, m := range x.args.members {
		if m.name != "items" && m.name != "subject" && m.name != "order_ids" {
			return false
		}
	}
	_, judged := x.items()
	return !judged
}

// bare tells whether a single item stands in no list, where a list is meant.
func (x *exchange) bare() bool {
	for _, name := range []string{"items", "order_ids"} {
		if _, list := x.args.get(name).([]any); x.args.has(name) && !list {
			return true
		}
	}
	return false
}

// bent gives the messages that go out over a transport in place of a response;
// false if nothing about it is changed.
func (fs faults) bent(x *exchange, message *object, over Transport) ([]line, bool) {
	changed := false
	for _, f := range fs {
		if !slices.Contains(f.Transports, over) || !f.how.speaks(x) || !f.how.follows && !f.shows(x.drawn) {
			continue
		}
		if f.how.message != nil {
			if lines := f.how.message(x, message); lines != nil {
				return lines, true
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
	return []line{line(encode(message))}, true
}

// speaks tells whether the fault changes answers to such a request.
func (h how) speaks(x *exchange) bool {
	switch x.method {
	case "tools/list":
		return h.listing != nil
	case "tools/call":
		return h.on.has(x.tool) && (h.told != nil || h.result != nil || h.message != nil)
	}
	return h.message != nil && h.on == nil
}

// change changes a result in place.
func (h how) change(x *exchange, result *object) bool {
	if x.method == "tools/list" {
		return h.listing(result)
	}
	if h.result != nil {
		return h.result(x, result)
	}
	t := tell(x, result)
	if t == nil || !h.told(x, t) {
		return false
	}
	t.put(result)
	return true
}
