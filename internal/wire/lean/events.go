package lean

import "bytes"

// events finds the response to a call in an event stream while it arrives. It
// works on offsets into the connection's buffer, which may move as it grows.
type events struct {
	next    int    // the first byte of the line that has not ended
	lines   int    // data lines of the event being read
	from    int    // its data, at [from, to), where it has one line of it
	to      int    //
	joined  []byte // its data, where it has several
	message bool   // its type is message, or not said

	found bool   // the response has come:
	at    int    // at [at, end)
	end   int    //
	held  []byte // or here, where it came in several lines
	asked int
	odd   string
}

func newEvents(from int) events { return events{next: from, message: true} }

// take looks at buffer[:end], the stream as far as it came.
func (e *events) take(buffer []byte, end int, id uint64) {
	for e.next < end {
		length := bytes.IndexByte(buffer[e.next:end], '\n')
		if length < 0 {
			return
		}
		from := e.next
		to := from + length
		e.next = to + 1
		if to > from && buffer[to-1] == '\r' {
			to--
		}
		if bytes.IndexByte(buffer[from:to], '\r') >= 0 {
			e.odd = "a line of the event stream holds a carriage return"
		}
		if from == to {
			e.dispatch(buffer, id)
			continue
		}
		e.line(buffer, from, to)
	}
}

func (e *events) line(buffer []byte, from, to int) {
	line := buffer[from:to]
	colon := bytes.IndexByte(line, ':')
	if colon == 0 {
		return // a comment
	}
	name, value := line, to
	if colon > 0 {
		name, value = line[:colon], from+colon+1
		if value < to && buffer[value] == ' ' {
			value++
		}
	}
	switch string(name) {
	case "data":
		switch e.lines++; e.lines {
		case 1:
			e.from, e.to = value, to
		case 2:
			e.joined = append(append(e.joined[:0], buffer[e.from:e.to]...), '\n')
			e.joined = append(e.joined, buffer[value:to]...)
		default:
			e.joined = append(append(e.joined, '\n'), buffer[value:to]...)
		}
	case "event":
		e.message = string(buffer[value:to]) == "message"
	case "id", "retry":
	default:
		e.odd = "the event stream holds a line that is no field"
	}
}

// dispatch ends an event.
func (e *events) dispatch(buffer []byte, id uint64) {
	lines, message := e.lines, e.message
	e.lines, e.message = 0, true
	if lines == 0 || !message {
		return
	}
	data := buffer[e.from:e.to]
	if lines > 1 {
		data = e.joined
	}
	if len(data) == 0 {
		return
	}
	switch sortOf(data, id) {
	case isResponse:
		switch {
		case e.found:
			e.odd = "a second response to the call"
		case lines > 1:
			e.found, e.held = true, bytes.Clone(data)
		default:
			e.found, e.at, e.end = true, e.from, e.to
		}
	case isForeign:
		e.odd = "a response to another call"
	case isBroken:
		e.odd = "an event that is no message"
	case isRequest:
		e.asked++
	}
}

// response gives the message that was found.
func (e *events) response(buffer []byte) []byte {
	if e.held != nil {
		return e.held
	}
	return buffer[e.at:e.end]
}
