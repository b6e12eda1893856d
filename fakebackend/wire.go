package fakebackend

import "errors"

// wire is what a fault does on the transport itself.
type wire struct {
	ask func(message *object) bool // changes a request before it is served

	// Over HTTP.
	reply         func(x *exchange, r *reply) bool // changes the reply to a call of a tool in scope
	accepted      func(r *reply)                   // changes the reply to a notification
	revision      string                           // taken, in a header, for the one that is really spoken
	sessionPrefix string                           // stands before every session id
	keepsSessions bool                             // DELETE is accepted and does nothing

	// Over stdio.
	banner string                 // the first line on standard output
	dies   func(x *exchange) bool // the process ends when such a call comes in
}

// errDied is why ServeStdio ends where a fault has it end.
var errDied = errors.New("the process died of a call (a fault it was started with)")

// asked gives a request as it is served.
func (fs faults) asked(text []byte) []byte {
	for _, f := range fs {
		if f.how.wire.ask == nil {
			continue
		}
		v, err := decode(text)
		if m, ok := v.(*object); ok && err == nil && f.shows(drawnIn(m.child("params"))) && f.how.wire.ask(m) {
			text = encode(m)
		}
	}
	return text
}

// speak tells whether there is anything to do on the transport.
func (fs faults) speak() bool {
	for _, f := range fs {
		h, w := f.how, f.how.wire
		if h.told != nil || h.result != nil || h.listing != nil || h.message != nil ||
			w.ask != nil || w.reply != nil || w.accepted != nil || w.revision != "" || w.sessionPrefix != "" || w.keepsSessions ||
			w.banner != "" || w.dies != nil {
			return true
		}
	}
	return false
}

// dies tells whether the process ends instead of taking a call.
func (fs faults) dies(x *exchange) bool {
	for _, f := range fs {
		if f.how.wire.dies != nil && f.how.on.has(x.tool) && f.how.wire.dies(x) && f.shows(x.drawn) {
			return true
		}
	}
	return false
}
