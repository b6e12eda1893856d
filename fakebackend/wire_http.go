package fakebackend

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
)

const (
	sessionHeader  = "Mcp-Session-Id"
	revisionHeader = "MCP-Protocol-Version"
	eventStream    = "text/event-stream"
)

// inFront puts the faults that show on the transport in front of the handler. The
// reply to a POST is held back until it is whole, but for what the server asks in
// it, since the reply waits for that; a GET streams through.
func (fs faults) inFront(next http.Handler) http.Handler {
	if !fs.speak() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fs.readHeader(r.Header)
		switch r.Method {
		case http.MethodPost:
			fs.post(w, r, next)
			return
		case http.MethodDelete:
			for _, f := range fs {
				if f.how.wire.keepsSessions && r.Header.Get(sessionHeader) != "" && f.shows(nil) {
					w.WriteHeader(http.StatusNoContent)
					return
				}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// readHeader takes back what a fault has put into earlier replies, so that the
// server goes on.
func (fs faults) readHeader(h http.Header) {
	for _, f := range fs {
		if f.how.wire.revision != "" && h.Get(revisionHeader) == f.how.wire.revision {
			h.Del(revisionHeader) // the session knows what was agreed
		}
		if p := f.how.wire.sessionPrefix; p != "" {
			if id, ok := strings.CutPrefix(h.Get(sessionHeader), p); ok {
				h.Set(sessionHeader, id)
			}
		}
	}
}

func (fs faults) post(w http.ResponseWriter, r *http.Request, next http.Handler) {
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxRequest+1))
	if err != nil {
		http.Error(w, "the request could not be read", http.StatusBadRequest)
		return
	}
	body = fs.asked(body)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Del("Content-Length")
	held := &reply{status: http.StatusOK, header: http.Header{}, client: w}
	next.ServeHTTP(held, r)
	if x := readExchange(body); x != nil {
		fs.rewrite(x, held)
	}
	held.send()
}

// rewrite changes a reply as the faults have it.
func (fs faults) rewrite(x *exchange, r *reply) {
	for _, f := range fs {
		if p := f.how.wire.sessionPrefix; p != "" && r.header.Get(sessionHeader) != "" {
			r.header.Set(sessionHeader, p+r.header.Get(sessionHeader))
		}
		if f.how.wire.accepted != nil && x.id == nil && r.status == http.StatusAccepted && f.shows(x.drawn) {
			f.how.wire.accepted(r)
		}
	}
	if message := r.response(x); message != nil {
		if lines, changed := fs.bent(x, message, HTTP); changed {
			r.respond(x, lines)
		}
	}
	for _, f := range fs {
		if f.how.wire.reply != nil && f.how.on.has(x.tool) && f.shows(x.drawn) {
			f.how.wire.reply(x, r)
		}
	}
}

// reply is the reply to one POST, held back.
type reply struct {
	status int
	header http.Header
	body   bytes.Buffer
	client http.ResponseWriter
	begun  bool // some of it has gone out
}

// Header, WriteHeader, Write and Flush make it an http.ResponseWriter.
func (r *reply) Header() http.Header { return r.header }

// WriteHeader keeps the status.
func (r *reply) WriteHeader(status int) { r.status = status }

// Write keeps the bytes. An event in which the server asks something goes out.
func (r *reply) Write(b []byte) (int, error) {
	if !r.isStream() || !asks(b) {
		return r.body.Write(b)
	}
	if !r.begun {
		r.begun = true
		r.sendHeader()
	}
	n, err := r.client.Write(b)
	_ = http.NewResponseController(r.client).Flush() // what cannot be flushed goes out later
	return n, err
}

// asks tells whether an event is a request of the server's.
func asks(event []byte) bool {
	for _, text := range eventData(event) {
		if v, err := decode(text); err == nil {
			if m, ok := v.(*object); ok && m.has("method") && m.has("id") {
				return true
			}
		}
	}
	return false
}

// Flush does nothing: the reply is held back.
func (r *reply) Flush() {}

func (r *reply) sendHeader() {
	for name, values := range r.header {
		r.client.Header()[name] = values
	}
	r.client.WriteHeader(r.status)
}

func (r *reply) send() {
	if !r.begun {
		r.header.Set("Content-Length", strconv.Itoa(r.body.Len()))
		r.sendHeader()
	}
	_, _ = r.client.Write(r.body.Bytes()) // a client that is gone needs no reply
}

func (r *reply) isStream() bool {
	return strings.HasPrefix(r.header.Get("Content-Type"), eventStream)
}

// messages gives the messages of the reply, to the byte.
func (r *reply) messages() []line {
	if !r.isStream() {
		return []line{bytes.TrimSpace(r.body.Bytes())}
	}
	return eventData(r.body.Bytes())
}

// eventData gives the data of each event of a stream, to the byte.
func eventData(stream []byte) []line {
	var all []line
	for event := range bytes.SplitSeq(stream, []byte("\n\n")) {
		for text := range bytes.SplitSeq(event, []byte("\n")) {
			if data, ok := bytes.CutPrefix(text, []byte("data: ")); ok && len(data) > 0 {
				all = append(all, data)
			}
		}
	}
	return all
}

// response gives the response to a request; nil if the reply holds none.
func (r *reply) response(x *exchange) *object {
	for _, text := range r.messages() {
		if m := asResponse(x, text); m != nil {
			return m
		}
	}
	return nil
}

// asResponse reads a message, if it is the response to a request.
func asResponse(x *exchange, text line) *object {
	v, err := decode(text)
	if m, ok := v.(*object); ok && err == nil && x.answeredBy(m) {
		return m
	}
	return nil
}

// respond puts lines in the place of the response.
func (r *reply) respond(x *exchange, lines []line) {
	var all []line
	for _, text := range r.messages() {
		if asResponse(x, text) != nil {
			all = append(all, lines...)
		} else {
			all = append(all, text)
		}
	}
	if !r.isStream() && len(all) == 1 {
		r.plain(r.header.Get("Content-Type"), all[0])
		return
	}
	r.plain(eventStream, events(all))
}

func events(messages []line) []byte {
	var b bytes.Buffer
	for _, m := range messages {
		b.WriteString("event: message\ndata: ")
		b.Write(m)
		b.WriteString("\n\n")
	}
	return b.Bytes()
}

// stream gives the reply's messages as an event stream.
func (r *reply) stream() []byte {
	if r.isStream() {
		return bytes.Clone(r.body.Bytes())
	}
	return events(r.messages())
}

// plain replaces the reply's body.
func (r *reply) plain(contentType string, body []byte) {
	r.header.Set("Content-Type", contentType)
	text := bytes.Clone(body)
	r.body.Reset()
	r.body.Write(text)
}
