package lean

import "bytes"

// media is what a content type says, as far as it matters.
type media uint8

const (
	mediaNone media = iota
	mediaJSON
	mediaStream
	mediaHTML
	mediaOther
)

// head is a response head, read without keeping any of it.
type head struct {
	status  int
	media   media
	length  int // Content-Length; -1: none
	chunked bool
	close   bool // the connection ends with this answer
	coded   bool // Content-Encoding other than identity
	zipped  bool // it is gzip
	timing  timing
	wrong   string // why it cannot be read; empty: it can
}

const endOfHead = "\r\n\r\n"

// readHead reads a head that ends with its empty line.
func readHead(b []byte) head {
	h := head{length: -1}
	line, rest, _ := bytes.Cut(b, crlf)
	// HTTP/1.x SP three digits, and a reason or nothing.
	if len(line) < 12 || string(line[:7]) != "HTTP/1." || line[8] != ' ' || len(line) > 12 && line[12] != ' ' {
		h.wrong = "the answer does not begin like HTTP/1.1"
		return h
	}
	h.status = number(line[9:12])
	h.close = line[7] == '0'
	if h.status < 100 {
		h.wrong = "the status line has no status"
		return h
	}
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, crlf)
		if len(line) == 0 {
			break
		}
		colon := bytes.IndexByte(line, ':')
		if colon <= 0 {
			h.wrong = "a header line of the answer has no colon"
			return h
		}
		h.field(line[:colon], trim(line[colon+1:]))
	}
	return h
}

var crlf = []byte("\r\n")

func (h *head) field(name, value []byte) {
	switch {
	case fold(name, "content-length"):
		n := number(value)
		if n < 0 || h.length >= 0 && h.length != n {
			h.wrong = "Content-Length is no number, or two"
		}
		h.length = n
	case fold(name, "transfer-encoding"):
		if !fold(value, "chunked") {
			h.wrong = "a transfer coding other than chunked"
		}
		h.chunked = true
	case fold(name, "connection"):
		h.close = h.close && !fold(value, "keep-alive") || fold(value, "close")
	case fold(name, "content-type"):
		if semicolon := bytes.IndexByte(value, ';'); semicolon >= 0 {
			value = trim(value[:semicolon])
		}
		switch {
		case fold(value, "application/json"):
			h.media = mediaJSON
		case fold(value, "text/event-stream"):
			h.media = mediaStream
		case fold(value, "text/html"):
			h.media = mediaHTML
		default:
			h.media = mediaOther
		}
	case fold(name, "content-encoding"):
		h.coded, h.zipped = !fold(value, "identity"), fold(value, "gzip") || fold(value, "x-gzip")
	case fold(name, "server-timing"):
		h.timing.field(value)
	}
}

// fold compares with a name in lower case, letter case of ASCII aside.
func fold(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i := range len(name) {
		c := b[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return true
}

func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// number reads decimal digits; -1 where there is anything else, or too many.
func number(b []byte) int {
	if len(b) == 0 || len(b) > 15 {
		return -1
	}
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}
