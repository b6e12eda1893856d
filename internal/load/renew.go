package load

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

const fieldAuthorization = "Authorization"

// renewed puts other credentials in the place of a template's that the server refused,
// and into the user's other templates too; false: there are none.
func (u *User) renewed(t *Template) bool {
	refused := conform.Field(t.request.Fields, fieldAuthorization)
	if refused == "" {
		return false
	}
	value, err := u.Credentials.Renew(context.Background(), refused) // it bounds itself
	if err != nil {
		return false
	}
	t.authorize(value)
	for _, other := range u.Templates {
		other.authorize(value)
	}
	return true
}

// again makes a call that was refused once more.
func (u *User) again(t *Template, a *lean.Answer) {
	u.Conn.Do(&t.request, a)
	if a.Status != 0 && a.Status != http.StatusUnauthorized {
		u.Credentials.Accepted(conform.Field(t.request.Fields, fieldAuthorization))
	}
}

// authorize writes a value of Authorization into a template over HTTP that has one. Its
// length may be another one, so that what points into the request moves along.
func (t *Template) authorize(value string) {
	r := &t.request
	at := slices.IndexFunc(r.Fields, func(f conform.HeaderField) bool { return strings.EqualFold(f.Name, fieldAuthorization) })
	if at < 0 || r.Fields[at].Value == value {
		return
	}
	before := r.Bytes
	line := []byte("\r\n" + r.Fields[at].Name + ": " + r.Fields[at].Value + "\r\n")
	from := bytes.Index(before[:r.Body], line)
	if from < 0 {
		return
	}
	end := from + len(line) - len("\r\n")
	start := end - len(r.Fields[at].Value)
	r.Bytes = slices.Concat(before[:start], []byte(value), before[end:])
	moved := len(r.Bytes) - len(before)
	r.Body += moved
	move := func(piece []byte) []byte {
		if offset, ok := within(before, piece); ok {
			if offset >= end {
				offset += moved
			}
			return r.Bytes[offset : offset+len(piece)]
		}
		return piece
	}
	t.id, r.Trace = move(t.id), move(r.Trace)
	for i := range t.marks {
		t.marks[i].digits = move(t.marks[i].digits)
	}
	r.Fields = slices.Clone(r.Fields)
	r.Fields[at].Value = value
}

// within tells where a piece begins that was cut out of the whole. Pieces of one array
// end with it, if they are stretched to their capacity.
func within(whole, piece []byte) (offset int, ok bool) {
	if cap(piece) == 0 || cap(whole) < cap(piece) {
		return 0, false
	}
	if &whole[:cap(whole)][cap(whole)-1] != &piece[:cap(piece)][cap(piece)-1] {
		return 0, false
	}
	return cap(whole) - cap(piece), true
}
