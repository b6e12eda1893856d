package wire

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// coding gives the content coding of an answer, in small letters; empty: none.
func coding(header []conform.HeaderField) string {
	name := strings.ToLower(strings.TrimSpace(conform.Field(header, "Content-Encoding")))
	if name == "identity" {
		return ""
	}
	return name
}

// unzipped reads a body whose coding is gzip, and keeps what came as it came. Both are
// bounded: what came by keep, what it holds by whoever reads.
type unzipped struct {
	coded io.Reader
	keep  func([]byte) bool // false: there is no room for more
	plain *gzip.Reader      // nil before the first byte
}

// errCoding marks a body that does not decode.
var errCoding = errors.New("it does not decode as gzip")

// errCoded marks a body that is too large as it came.
var errCoded = errors.New("it is larger than our bound as it came")

// Read gives what the body holds.
func (u *unzipped) Read(p []byte) (int, error) {
	if u.plain == nil {
		plain, err := gzip.NewReader(tee{u})
		if err != nil {
			return 0, notGzip(err)
		}
		u.plain = plain
	}
	n, err := u.plain.Read(p)
	return n, notGzip(err)
}

// notGzip tells a body that does not decode from a connection that was lost.
func notGzip(err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) || err != nil && strings.HasPrefix(err.Error(), "flate: ") {
		return fmt.Errorf("%w: %w", errCoding, err)
	}
	return err
}

// tee keeps what is read of the coded body. It is no io.ByteReader, so that flate reads
// it in pieces.
type tee struct{ u *unzipped }

func (t tee) Read(p []byte) (int, error) {
	n, err := t.u.coded.Read(p)
	if n > 0 && !t.u.keep(p[:n]) {
		return 0, errCoded
	}
	if errors.Is(err, io.ErrUnexpectedEOF) { // HTTP's own: the connection was lost
		err = errLost
	}
	return n, err
}

var errLost = errors.New("unexpected end of the connection")
