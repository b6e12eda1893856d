package load

import (
	"bytes"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// exchange is one call and its answer, kept.
type exchange struct {
	planned      conform.Planned
	fields       []conform.HeaderField
	sent         []byte
	head, body   []byte
	form         lean.Form
	status       int
	begun, first time.Duration
	done         time.Duration
}

// keep copies what the user's connection holds of a call.
func keep(t *Template, a *lean.Answer) exchange {
	return exchange{
		planned: t.asks(), fields: t.fields(), sent: bytes.Clone(t.body()),
		head: bytes.Clone(a.Head), body: bytes.Clone(a.Body), form: a.Form, status: a.Status,
		begun: a.Sent, first: a.FirstByte, done: a.Done,
	}
}

// clone copies it with all its bytes.
func (x *exchange) clone() exchange {
	own := *x
	own.sent, own.head, own.body = bytes.Clone(x.sent), bytes.Clone(x.head), bytes.Clone(x.body)
	return own
}

// observations are what a transcript would hold of the exchange.
func (x *exchange) observations(call string) []conform.Observation {
	planned := x.planned
	sent := conform.Sent{Channel: conform.ChannelHTTP, Method: "POST", Header: x.fields, Body: x.sent}
	if x.form == lean.Stdio {
		sent = conform.Sent{Channel: conform.ChannelStdin, Body: x.sent}
	}
	all := []conform.Observation{
		{At: x.begun, Kind: conform.KindPlanned, Call: call, Session: session, Planned: &planned},
		{At: x.begun, Kind: conform.KindSent, Call: call, Session: session, Sent: &sent},
	}
	received := func(in conform.Received) {
		in.FirstByte, in.End = x.first, conform.Complete
		all = append(all, conform.Observation{At: x.done, Kind: conform.KindReceived, Call: call, Session: session, Received: &in})
	}
	if x.form != lean.Stdio {
		received(conform.Received{Channel: conform.ChannelHTTP, Status: x.status, Proto: proto(x.head), Header: fieldsOf(x.head), Body: x.body})
		return all
	}
	for line := range bytes.Lines(x.body) {
		received(conform.Received{Channel: conform.ChannelStdout, Body: bytes.TrimSuffix(line, []byte("\n"))})
	}
	return all
}

// session names the session that calls under load are recorded under.
const session = "s1"

// fieldsOf reads the fields of a response head.
func fieldsOf(head []byte) []conform.HeaderField {
	var fields []conform.HeaderField
	_, rest, _ := strings.Cut(string(head), "\r\n")
	for line := range strings.SplitSeq(rest, "\r\n") {
		if name, value, ok := strings.Cut(line, ":"); ok {
			fields = append(fields, conform.HeaderField{Name: name, Value: strings.Trim(value, " \t")})
		}
	}
	return fields
}

func proto(head []byte) string {
	word, _, _ := strings.Cut(string(head), " ")
	return word
}
