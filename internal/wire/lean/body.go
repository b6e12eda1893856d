package lean

import "bytes"

// body undoes the framing of one HTTP body inside the buffer that it is read
// into: the body's bytes come to stand together at [from, end), whatever chunks
// they came in.
type body struct {
	length  int // by Content-Length; -1: not known
	chunked bool
	from    int // where the body begins
	end     int // what has come of it ends here
	next    int // the first byte that was not looked at yet
	left    int // of the chunk that is being read
	state   chunkState
	whole   bool // the body is complete
	wrong   string
}

type chunkState uint8

const (
	atSize chunkState = iota
	atData
	atDataEnd
	atTrailer
)

// maxSizeLine bounds the line that gives a chunk's size.
const maxSizeLine = 256

func newBody(h *head, from int) body {
	b := body{length: h.length, chunked: h.chunked, from: from, end: from, next: from}
	if b.chunked {
		b.length = -1
	}
	b.whole = !b.chunked && b.length == 0 || h.status == 204 || h.status == 304
	return b
}

// take looks at what was read: buffer[:n] is all there is.
func (b *body) take(buffer []byte, n int) {
	switch {
	case b.whole || b.wrong != "":
	case b.chunked:
		for !b.whole && b.wrong == "" && b.step(buffer, n) {
		}
	case b.length >= 0:
		b.end = min(n, b.from+b.length)
		b.next = b.end
		b.whole = b.end == b.from+b.length
	default:
		b.end, b.next = n, n
	}
}

// step goes on by one piece of the chunked coding; false: more has to come.
func (b *body) step(buffer []byte, n int) bool {
	there := buffer[b.next:n]
	switch b.state {
	case atData:
		piece := min(b.left, len(there))
		if b.end != b.next {
			copy(buffer[b.end:], there[:piece])
		}
		b.end, b.next, b.left = b.end+piece, b.next+piece, b.left-piece
		if b.left > 0 {
			return false
		}
		b.state = atDataEnd
		return true
	case atDataEnd:
		if len(there) < 2 {
			return false
		}
		if there[0] != '\r' || there[1] != '\n' {
			b.wrong = "a chunk is longer than its size says"
			return false
		}
		b.next, b.state = b.next+2, atSize
		return true
	}
	line := bytes.Index(there, crlf)
	if line < 0 || line > maxSizeLine && b.state == atSize {
		if len(there) > maxSizeLine && b.state == atSize {
			b.wrong = "a chunk's size does not end"
		}
		return false
	}
	b.next += line + 2
	if b.state == atTrailer {
		b.whole = line == 0
		return !b.whole
	}
	size := chunkSize(there[:line])
	switch {
	case size < 0:
		b.wrong = "a chunk's size is no number"
		return false
	case size == 0:
		b.state = atTrailer
	default:
		b.left, b.state = size, atData
	}
	return true
}

// ended is told that the connection has ended; true: so has the body.
func (b *body) ended() bool {
	if !b.chunked && b.length < 0 {
		b.whole = true
	}
	return b.whole
}

// chunkSize reads a hexadecimal size, extensions aside; -1 where it is none.
func chunkSize(line []byte) int {
	size, digits := 0, 0
	for _, c := range line {
		switch {
		case c >= '0' && c <= '9':
			size = size<<4 | int(c-'0')
		case c >= 'a' && c <= 'f':
			size = size<<4 | int(c-'a'+10)
		case c >= 'A' && c <= 'F':
			size = size<<4 | int(c-'A'+10)
		case digits > 0 && (c == ';' || c == ' ' || c == '\t'):
			return size
		default:
			return -1
		}
		if digits++; digits > 12 {
			return -1
		}
	}
	if digits == 0 {
		return -1
	}
	return size
}
