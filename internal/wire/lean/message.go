package lean

import (
	"bytes"
	"strconv"

	"github.com/mcpconform/mcpconform/internal/frame"
)

// sort is what a message is to one call.
type sort uint8

const (
	isOther    sort = iota // a notification, or nothing of this call's
	isResponse             // it answers the id
	isForeign              // a response to another id
	isRequest              // the server asks
	isBroken               // no message
)

// The ways in which servers begin or end a message, by which its id is found
// without reading it all. Every other way is read by the strict reader.
var (
	beginnings    = [][]byte{[]byte(`{"jsonrpc":"2.0","id":`), []byte(`{"jsonrpc": "2.0", "id": `), []byte(`{"id":`)}
	notifications = [][]byte{[]byte(`{"jsonrpc":"2.0","method":"notifications/`), []byte(`{"method":"notifications/`)}
	ending        = []byte(`,"jsonrpc":"2.0","id":`)
	result        = []byte(`"result":`)
)

// longestID bounds the digits of an id that is looked for.
const longestID = 19

// sortOf tells what a message is to a call. A true response may only be missed
// here for reasons that are visible later: who judges it sees the same bytes.
func sortOf(message []byte, id uint64) sort {
	for _, n := range notifications {
		if bytes.HasPrefix(message, n) {
			return isOther
		}
	}
	if got, ok := quickID(message); ok && got == id {
		return isResponse
	}
	return strictSort(message, id)
}

// quickID finds the id of a response that begins or ends as servers write them.
func quickID(message []byte) (id uint64, ok bool) {
	for _, b := range beginnings {
		if bytes.HasPrefix(message, b) {
			rest := message[len(b):]
			id, n := digits(rest)
			rest = bytes.TrimLeft(rest[n:], ", ")
			return id, n > 0 && bytes.HasPrefix(rest, result)
		}
	}
	message = bytes.TrimRight(message, "\r\n ")
	if len(message) == 0 || message[len(message)-1] != '}' || !bytes.HasPrefix(message, []byte(`{"result":`)) {
		return 0, false
	}
	tail := message[max(0, len(message)-len(ending)-longestID-1) : len(message)-1]
	at := bytes.LastIndex(tail, ending)
	if at < 0 {
		return 0, false
	}
	id, n := digits(tail[at+len(ending):])
	return id, n > 0 && at+len(ending)+n == len(tail)
}

func digits(b []byte) (value uint64, n int) {
	for n < len(b) && n < longestID && b[n] >= '0' && b[n] <= '9' {
		value = value*10 + uint64(b[n]-'0')
		n++
	}
	return value, n
}

// strictSort reads the message.
func strictSort(message []byte, id uint64) sort {
	key := strconv.FormatUint(id, 10)
	found := isOther
	for _, m := range frame.ReadMessages(message) {
		switch m.Kind {
		case frame.Broken:
			return isBroken
		case frame.Request:
			found = isRequest
		case frame.Response:
			if frame.Key(m.ID) == key {
				return isResponse
			}
			found = isForeign
		}
	}
	return found
}

// trimJSON takes the white space of JSON off both ends.
func trimJSON(b []byte) []byte {
	blank := func(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
	for len(b) > 0 && blank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && blank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}
