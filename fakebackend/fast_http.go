package fakebackend

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"
)

// fastHead is what of a request's head matters to the server, besides its session.
// What stands in no field here changes nothing for it, or makes the request one for
// the ordinary handler.
type fastHead struct {
	target  []byte
	session []byte
	fields  [len(vettedHeaders)][]byte
}

// vettedHeaders are the headers that the ordinary handler looks at.
var vettedHeaders = [...]string{"Host", "Accept", "Content-Type", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Origin", "Sec-Fetch-Site"}

// key gives the head, the tool and what the message says of itself as one text.
func (h *fastHead) key(b []byte, r *fastCall) []byte {
	b = append(append(b, h.target...), '\n')
	for _, field := range h.fields {
		b = append(append(b, field...), '\n')
	}
	return append(append(append(b, r.tool.name...), '\n'), r.meta...)
}

// headOf reads the head of a request that net/http has read; false: it says
// something twice, or what the front does not know.
func headOf(r *http.Request) (*fastHead, bool) {
	h := &fastHead{target: []byte(r.RequestURI), session: []byte(r.Header.Get(sessionHeader))}
	h.fields[0] = []byte(r.Host)
	for i, name := range vettedHeaders[1:] {
		values := r.Header.Values(name)
		if len(values) > 1 {
			return nil, false
		}
		if len(values) == 1 {
			h.fields[i+1] = []byte(values[0])
		}
	}
	for name := range r.Header {
		if forOrdinary([]byte(name)) {
			return nil, false
		}
	}
	return h, len(r.Header.Values(sessionHeader)) < 2
}

// forOrdinary tells whether the front does not know what a header means.
func forOrdinary(name []byte) bool {
	return hasPrefixFold(name, "mcp-param-") || bytes.EqualFold(name, []byte("last-event-id"))
}

func hasPrefixFold(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && bytes.EqualFold(text[:len(prefix)], []byte(prefix))
}

// bareCall marks a request that comes without a session and needs none.
type bareCall struct{}

// ServeHTTP answers what it can, and hands on the rest.
func (f *fast) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	session := r.Header.Get(sessionHeader)
	switch r.Method {
	case http.MethodDelete:
		f.vetted.end(session)
		f.ordinary.ServeHTTP(w, r)
		f.vetted.end(session) // what came in between may have been taken
		return
	case http.MethodPost:
		if text, err := body(r); err == nil {
			f.post(w, r, text)
			return
		}
	}
	f.ordinary.ServeHTTP(w, r)
}

func (f *fast) post(w http.ResponseWriter, r *http.Request, message []byte) {
	session := r.Header.Get(sessionHeader)
	call, plain := f.read(message)
	if session == "" && (plain || !opensSession(message)) {
		r = r.WithContext(context.WithValue(r.Context(), bareCall{}, true))
	}
	head, known := headOf(r)
	if !plain || !known {
		f.ordinary.ServeHTTP(w, r)
		return
	}
	key := head.key(nil, call)
	if f.vetted.has(head.session, key) {
		if d := f.drawnFor(r, call); len(d) > 0 {
			setBody(r, d.marked(message))
			f.ordinary.ServeHTTP(w, r)
			return
		}
		f.serve(w, r, call)
		return
	}
	passes := f.vetted.open(session)
	first := &firstWords{ResponseWriter: w}
	f.ordinary.ServeHTTP(first, r)
	switch {
	case first.took():
		f.vetted.pass(passes, string(key))
	case first.status == http.StatusNotFound && session != "":
		f.vetted.end(session)
	}
}

// drawnFor draws which faults show in a call, unless its connection has done so.
func (f *fast) drawnFor(r *http.Request, call *fastCall) drawn {
	if address, ok := r.Context().Value(http.LocalAddrContextKey).(fastAddr); ok && address.conn.drawn != nil {
		d := address.conn.drawn
		address.conn.drawn = nil
		return d
	}
	return f.b.faults.draw(call.tool.name)
}

// opensSession tells whether a message is to be answered with a session: the
// handshake, and what nobody can read.
func opensSession(message []byte) bool {
	x := readExchange(message)
	return x == nil || x.method == "initialize"
}

// serve answers a call that came over net/http, and takes its connection away from
// it, if it is one of the front's.
func (f *fast) serve(w http.ResponseWriter, r *http.Request, call *fastCall) {
	begun := time.Now()
	out := f.answer(r.Context(), f.beginReply(nil), call)
	if takeOver(w, r, out, begun) {
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache, no-transform")
	message := out[headRoom:]
	if f.b.options.JSONAnswers {
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(message)))
		_, _ = w.Write(message) // a client that is gone needs no answer
		return
	}
	h.Set("Content-Type", eventStream)
	h.Set("Connection", "keep-alive")
	_, _ = w.Write(append(message, eventEnd...))
	_ = http.NewResponseController(w).Flush()
}

// firstWords keeps how an answer begins.
type firstWords struct {
	http.ResponseWriter
	status int
	text   []byte
}

// Unwrap and Flush make it as good as what it stands before.
func (w *firstWords) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Flush sends what was written.
func (w *firstWords) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// WriteHeader keeps the status.
func (w *firstWords) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Write keeps the first bytes.
func (w *firstWords) Write(b []byte) (int, error) {
	const enough = 256
	if n := min(len(b), enough-len(w.text)); n > 0 {
		w.text = append(w.text, b[:n]...)
	}
	return w.ResponseWriter.Write(b)
}

// took tells whether the call was done: its answer is a result, and no error.
func (w *firstWords) took() bool {
	return (w.status == 0 || w.status == http.StatusOK) && bytes.Contains(w.text, []byte(`,"result":`))
}
