package frame

import (
	"bytes"
	"strings"
)

// Event is one dispatched Server-Sent Event (WHATWG HTML, section 9.2.6).
type Event struct {
	Type   string // "message" when the stream names none
	Data   []byte // the data lines, joined with line feeds
	ID     string
	Offset int // of the event's first line in the stream
}

// Stream is what a text/event-stream body holds.
type Stream struct {
	Events []Event
	// Rest is a last event that no blank line ended: by the standard it is
	// never dispatched. Nil when the stream ended cleanly.
	Rest []byte
	// Strange lists lines that no field name of the standard begins. The
	// standard has clients ignore them; they are kept as evidence.
	Strange []string
}

// ReadStream reads a whole event stream. Comments, retry fields, any of the
// three line endings and a leading byte order mark are lawful and leave no
// trace.
func ReadStream(body []byte) Stream {
	var s Stream
	at := 0
	if bytes.HasPrefix(body, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	var current Event
	var data []byte
	var hasData, open bool
	start := at
	for at < len(body) {
		line, next, ended := cutLine(body, at)
		if !ended {
			open = true
			break
		}
		if len(line) == 0 {
			if hasData {
				current.Data = data[:len(data)-1]
				current.Offset = start
				if current.Type == "" {
					current.Type = "message"
				}
				s.Events = append(s.Events, current)
			}
			current, data, hasData, open = Event{}, nil, false, false
			at, start = next, next
			continue
		}
		open = true
		name, value, _ := strings.Cut(string(line), ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(append(data, value...), '\n')
			hasData = true
		case "event":
			current.Type = value
		case "id":
			current.ID = value
		case "retry":
		case "": // a comment
			open = hasData
		default:
			s.Strange = append(s.Strange, string(line))
		}
		at = next
	}
	if open && len(bytes.TrimSpace(body[start:])) > 0 {
		s.Rest = body[start:]
	}
	return s
}

// cutLine gives the line at offset, where the next begins, and whether a line
// ending (LF, CR or CR LF) was there.
func cutLine(body []byte, at int) (line []byte, next int, ended bool) {
	i := bytes.IndexAny(body[at:], "\r\n")
	if i < 0 {
		return body[at:], len(body), false
	}
	end := at + i
	next = end + 1
	if body[end] == '\r' && next < len(body) && body[next] == '\n' {
		next++
	}
	return body[at:end], next, true
}
