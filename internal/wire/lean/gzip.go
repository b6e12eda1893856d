package lean

import (
	"bytes"
	"compress/gzip"
	"io"
)

// unzip decodes what a server sends as gzip, into a buffer that is used again.
type unzip struct {
	reader gzip.Reader
	plain  []byte
}

// body gives what a coded body holds; false: it does not decode, or is larger than most.
func (u *unzip) body(coded []byte, most int) ([]byte, bool) {
	if u.reader.Reset(bytes.NewReader(coded)) != nil {
		return nil, false
	}
	if u.plain == nil {
		u.plain = make([]byte, firstBuffer)
	}
	n := 0
	for {
		if n == len(u.plain) {
			if n >= most {
				return nil, false
			}
			u.plain = append(u.plain, make([]byte, min(len(u.plain), most-n))...)
		}
		got, err := u.reader.Read(u.plain[n:])
		n += got
		if err == io.EOF {
			return u.plain[:n], true
		}
		if err != nil {
			return nil, false
		}
	}
}

// decode settles the message of an answer that came as gzip, once it is whole: its
// body is then what was decoded.
func (u *unzip) decode(h *head, r *Request, a *Answer, most int) {
	plain, ok := u.body(a.Body, most)
	if !ok {
		a.Odd = "the body does not decode as gzip, or is larger than our bound"
		return
	}
	a.Body = plain
	switch {
	case h.media == mediaStream && h.status < 300:
		found := newEvents(0)
		found.take(plain, len(plain), r.ID)
		a.Odd, a.Asked = found.odd, found.asked
		if found.found {
			a.Message, a.Form = found.response(plain), SSE
		}
	case len(plain) > 0 && h.media == mediaJSON:
		a.Message, a.Form = trimJSON(plain), JSON
	}
}
