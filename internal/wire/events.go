package wire

import "bytes"

// events cuts an event stream into the data of its events while it arrives. It
// reads exactly what frame.ReadStream reads of the whole; it only exists to know
// when the response has come, and what the server asks meanwhile.
type events struct {
	line    []byte // of the line that has not ended
	data    []byte
	hasData bool
	kind    string
	afterCR bool // the last byte was a CR: an LF that follows belongs to it
	begun   bool // the byte order mark can no longer come

	id    string // the id of the last event that came whole, for taking the stream up again
	given string // the last id field: it is the stream's once its event has come whole
	retry string // the last retry field
}

// feed takes the next bytes and gives the data of every message event that they
// end.
func (e *events) feed(piece []byte) [][]byte {
	var ended [][]byte
	for len(piece) > 0 {
		if e.afterCR {
			e.afterCR = false
			if piece[0] == '\n' {
				piece = piece[1:]
				continue
			}
		}
		end := bytes.IndexAny(piece, "\r\n")
		if end < 0 {
			e.line = append(e.line, piece...)
			return ended
		}
		e.line = append(e.line, piece[:end]...)
		e.afterCR = piece[end] == '\r'
		piece = piece[end+1:]
		if data, ok := e.take(); ok {
			ended = append(ended, data)
		}
	}
	return ended
}

// take uses up one whole line, and gives the data of the event that it ends.
func (e *events) take() ([]byte, bool) {
	line := e.line
	e.line = e.line[:0]
	if !e.begun {
		e.begun = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	if len(line) == 0 {
		e.id = e.given
		data, ok := e.data, e.hasData && (e.kind == "" || e.kind == "message")
		e.data, e.hasData, e.kind = nil, false, ""
		if !ok {
			return nil, false
		}
		return data[:len(data)-1], true
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		e.data = append(append(e.data, value...), '\n')
		e.hasData = true
	case "event":
		e.kind = string(value)
	case "id":
		if !bytes.Contains(value, []byte{0}) {
			e.given = string(value)
		}
	case "retry":
		e.retry = string(value)
	}
	return nil, false
}
