package lean

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// Request is a call ready to be written. What changes from call to call is
// patched into its bytes; their number never changes.
type Request struct {
	Bytes   []byte                // head and body; over stdio a line with its line feed
	Body    int                   // where the body begins
	Fields  []conform.HeaderField // of HTTP, as in the head
	ID      uint64                // the JSON-RPC id, as it stands in the body
	Timeout time.Duration
	Trace   []byte // the value of the field traceparent within Bytes, patched as they are; nil: it has none
}

// NewLine makes a request of a message to be written to a pipe.
func NewLine(message []byte) Request {
	return Request{Bytes: append(append(make([]byte, 0, len(message)+1), message...), '\n')}
}

// NewPost makes a request of a message to be posted, with the header fields as
// given and those that HTTP/1.1 needs. anew says that each call gets a connection
// of its own.
func NewPost(to *url.URL, fields []conform.HeaderField, message []byte, anew bool) Request {
	var head strings.Builder
	host := to.Host
	for _, f := range fields {
		if strings.EqualFold(f.Name, "Host") {
			host = f.Value
		}
	}
	head.WriteString("POST " + to.RequestURI() + " HTTP/1.1\r\nHost: " + host + "\r\n")
	for _, f := range fields {
		if !strings.EqualFold(f.Name, "Host") && !(anew && strings.EqualFold(f.Name, "Connection")) {
			head.WriteString(f.Name + ": " + f.Value + "\r\n")
		}
	}
	if anew {
		head.WriteString("Connection: close\r\n")
	}
	head.WriteString("Content-Length: " + strconv.Itoa(len(message)) + "\r\n\r\n")
	at := head.Len()
	return Request{Bytes: append([]byte(head.String()), message...), Body: at, Fields: fields}
}

// inSession tells whether the request carries a session id.
func (r *Request) inSession() bool { return conform.Field(r.Fields, "Mcp-Session-Id") != "" }
