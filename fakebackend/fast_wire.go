package fakebackend

import (
	"bytes"
	"strconv"
	"sync/atomic"
	"time"
)

// fastHTTP is a request of HTTP/1.1 as the front reads it from a connection. Its
// texts are parts of the buffer.
type fastHTTP struct {
	head fastHead
	body []byte
	size int // of it all
}

// read reads a request at the beginning of what came in. It gives how many bytes
// must be there: at most as many as there are if the request is whole. 0: it is
// none for the front.
func (q *fastHTTP) read(in []byte) (need int) {
	const method = "POST "
	if !bytes.HasPrefix(in, []byte(method[:min(len(in), len(method))])) {
		return 0
	}
	end := bytes.Index(in, []byte("\r\n\r\n"))
	if end < 0 {
		if len(in) >= firstBuffer {
			return 0
		}
		return len(in) + 1
	}
	length, ok := q.readHead(in[len(method) : end+2])
	if !ok || length > MaxRequest {
		return 0
	}
	q.size = end + 4 + length
	if q.size <= len(in) {
		q.body = in[end+4 : q.size]
	}
	return q.size
}

func (q *fastHTTP) readHead(head []byte) (length int, ok bool) {
	q.head = fastHead{}
	line, rest, _ := bytes.Cut(head, []byte("\r\n"))
	target, version, _ := bytes.Cut(line, []byte(" "))
	if string(version) != "HTTP/1.1" || len(target) == 0 || target[0] != '/' || !visible(target) {
		return 0, false
	}
	q.head.target = target
	length = -1
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\r\n"))
		name, value, ok := bytes.Cut(line, []byte(":"))
		value = bytes.Trim(value, " \t")
		if !ok || len(name) == 0 || !isToken(name) || !visible(value) {
			return 0, false
		}
		if !q.field(name, value, &length) {
			return 0, false
		}
	}
	return length, length >= 0
}

// field takes one header; false: the request is not for the front.
func (q *fastHTTP) field(name, value []byte, length *int) bool {
	is := func(known string) bool { return len(name) == len(known) && bytes.EqualFold(name, []byte(known)) }
	once := func(field *[]byte) bool {
		first := *field == nil
		*field = value
		return first
	}
	switch {
	case is("Content-Length"):
		n, err := strconv.Atoi(string(value))
		if *length >= 0 || err != nil || n < 0 || value[0] == '+' || value[0] == '-' {
			return false
		}
		*length = n
		return true
	case is("Connection"):
		return bytes.EqualFold(value, []byte("keep-alive"))
	case is("Transfer-Encoding"), is("Expect"), is("Upgrade"), is("Trailer"), is("TE"), forOrdinary(name):
		return false
	case is(sessionHeader):
		return once(&q.head.session)
	}
	for i, known := range vettedHeaders {
		if is(known) {
			return once(&q.head.fields[i])
		}
	}
	return true // of no meaning to the server
}

// isToken tells whether a text is of the characters that names of headers have.
func isToken(name []byte) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}

// visible tells whether a text has no control character.
func visible(value []byte) bool {
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

const (
	headRoom   = 512 // before an answer, for the head
	eventStart = "event: message\ndata: "
	eventEnd   = "\n\n"
)

// beginReply begins a reply in a buffer: what comes next is the message.
func (f *fast) beginReply(out []byte) []byte {
	if cap(out) < headRoom {
		out = make([]byte, headRoom, 4<<10)
	}
	out = out[:headRoom]
	if !f.b.options.JSONAnswers {
		out = append(out, eventStart...)
	}
	return out
}

// endReply puts the head before the message of a call that was there at a time, and
// gives where the reply begins. An
// event stream is one chunk, as net/http would send it.
func (f *fast) endReply(out []byte, begun time.Time) (whole []byte, from int) {
	var room [headRoom]byte
	head := append(room[:0], "HTTP/1.1 200 OK\r\nCache-Control: no-cache, no-transform\r\nDate: "...)
	now := time.Now()
	head = append(head, httpDate(now)...)
	if f.b.options.ServerTiming {
		head = appendTiming(append(head, "\r\n"+serverTiming+": "...), now.Sub(begun))
	}
	if f.b.options.JSONAnswers {
		head = append(head, "\r\nContent-Type: application/json\r\nContent-Length: "...)
		head = append(strconv.AppendInt(head, int64(len(out)-headRoom), 10), "\r\n\r\n"...)
	} else {
		out = append(out, eventEnd...)
		head = append(head, "\r\nContent-Type: text/event-stream\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"...)
		head = append(strconv.AppendInt(head, int64(len(out)-headRoom), 16), "\r\n"...)
		out = append(out, "\r\n0\r\n\r\n"...)
	}
	from = headRoom - len(head)
	copy(out[from:], head)
	return out, from
}

// dated is a second as a Date header says it.
type datedText struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[datedText]

// httpDate is a time as a Date header says it.
func httpDate(now time.Time) string {
	if d := lastDate.Load(); d != nil && d.second == now.Unix() {
		return d.text
	}
	d := &datedText{now.Unix(), now.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")}
	lastDate.Store(d)
	return d.text
}
