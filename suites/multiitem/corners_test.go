package multiitem_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// structured plays a call that is answered with this structuredContent.
func (f *film) structured(id, payload string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.answer(id, `{"content":[],"structuredContent":`+payload+`}`)
}

// refuse plays a call that is refused as a whole, in words.
func (f *film) refuse(id, words string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.answer(id, `{"isError":true,"content":[{"type":"text","text":`+string(quote(words))+`}]}`)
}

// raise plays a call that is answered with a JSON-RPC error.
func (f *film) raise(id string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.received(id, 200, "application/json", `{"jsonrpc":"2.0","id":"`+id+`","error":{"code":-32603,"message":"X-1 not found"}}`)
}

// page plays a call that an intermediary answers with a page for a browser.
func (f *film) page(id string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.received(id, 502, "text/html", `<html>bad gateway</html>`)
}

func (f *film) received(id string, status int, media, body string) {
	f.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, Status: status, End: conform.Complete,
		Header: []conform.HeaderField{{Name: "Content-Type", Value: media}}, Body: conform.Bytes(body)}})
}

// othersWrite shows an item that moves while nothing of ours is under way.
func (f *film) othersWrite() {
	f.look(conform.Quiet, "Z-9=ACTIVE")
	f.look(conform.Quiet, "Z-9=DONE")
}

// following makes a call one that executes what a validator decided.
func following(arguments string) func(*conform.Planned) {
	return func(p *conform.Planned) { p.Follows, p.Arguments = "v1", json.RawMessage(arguments) }
}

func asValidator(p *conform.Planned) { p.Role, p.Tool = conform.RoleValidator, "validate_products" }

// in gives the request another form.
func in(form conform.Form) func(*conform.Planned) {
	return func(p *conform.Planned) { p.Form = form }
}

func extra(p *conform.Planned) { p.Extra = []string{"query"} }

func reading(op *conform.Operation)     { op.Write = false }
func foldingCase(op *conform.Operation) { op.FoldCase = true }
func atomically(op *conform.Operation)  { op.Atomic = true }

// corner is what was seen, and what one rule says of it: its verdict, and words of
// what was got, of the reason or of the hint. Words behind a "!" are not said.
type corner struct {
	name, id string
	op       func(*conform.Operation)
	film     func(*film)
	verdict  conform.Verdict
	words    []string
}

func corners(t *testing.T, all []corner) {
	for _, c := range all {
		t.Run(c.id+" "+c.name, func(t *testing.T) {
			f := &film{}
			c.film(f)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := operations[0]
			op.Idempotency = conform.Present
			if c.op != nil {
				c.op(&op)
			}
			rec := conform.NewRecording(conform.Header{Target: conform.Target{Name: "film", Transport: "streamable-http", HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
			verdict, said := saidBy(rec, c.id)
			if verdict != c.verdict {
				t.Errorf("%s, it says %q; want %s", verdict, said, c.verdict)
			}
			for _, w := range c.words {
				unwanted, not := strings.CutPrefix(w, "!")
				if not && strings.Contains(said, unwanted) || !not && !strings.Contains(said, w) {
					t.Errorf("it says %q, want %q", said, w)
				}
			}
		})
	}
}

// manyItems gives ids, and what a row says that did one.
func manyItems(n int) (ids, done []string) {
	for i := range n {
		ids, done = append(ids, fmt.Sprintf("B-%d", i)), append(done, fmt.Sprintf("B-%d+", i))
	}
	return ids, done
}

// saidBy gives the verdict of one rule, and its words: what was got, the reason
// and the hint.
func saidBy(rec *conform.Recording, id string) (conform.Verdict, string) {
	judged := suites.Judge(rec, multiitem.Checks())
	for _, n := range judged.NotApplicable {
		if n.ID == id {
			return conform.NotRun, n.Reason
		}
	}
	for _, finding := range judged.Findings {
		if finding.ID == id {
			return finding.Verdict, strings.Join([]string{finding.Got, finding.Reason, finding.Hint, finding.Want, fmt.Sprintf("%d of %d", finding.Count, finding.Of)}, "\n")
		}
	}
	return conform.Inconclusive, id + " does not speak"
}

// Where nobody knows the operation, nothing is held against what a target file
// would say, and no rule breaks down.
func TestTheOperationMayBeUnknown(t *testing.T) {
	f := &film{}
	two := good("A-1", "A-2")
	f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
	f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
	f.look(conform.Middle, "A-1=DONE", "A-2=DONE")
	f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
	f.call("c3", rowsOf("A-1+P1", "A-2+P2"), two, retrying("c1"))
	f.look(conform.After, "A-1=DONE", "A-2=DONE")
	f.call("c4", rowsOf("X-1-", "A-3+P3"), join(bad("X-1"), good("A-3")))
	f.structured("v1", `{"eligible":true,"transaction_decision":{"resolved_arguments":{"items":[{"id":"A-1"},{"id":"A-2"}]}}}`, two, asValidator)
	f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	rec := conform.NewRecording(conform.Header{}, f.seen)
	spoke := map[string]bool{}
	for _, check := range multiitem.Checks() {
		if check.Judge == nil {
			continue
		}
		s := &conform.Subject{Recording: rec, Calls: rec.Of("cancel")}
		if check.Applies != nil && check.Applies(s) != "" {
			continue
		}
		for _, look := range check.Judge(s) {
			spoke[check.ID] = true
			if look.Verdict == conform.Fail && check.Level == conform.Must {
				t.Errorf("%s: %s", check.ID, look.Got)
			}
		}
	}
	for _, id := range []string{"RES-01", "RES-02", "RES-03", "AGG-02", "IDM-01", "IDM-03", "IDM-04", "EFF-01", "VAL-01"} {
		if !spoke[id] {
			t.Errorf("%s does not speak", id)
		}
	}
}

// Every word by which a status refuses an empty request.
func TestStatusesThatRefuse(t *testing.T) {
	for _, word := range []string{"FAILED", "FAILURE", "error", "INVALID", "REJECTED", "REFUSED", "NOT_ELIGIBLE", "NEEDS_PARAMETER", "INVALID_ARGUMENT", "INVALID_ARGUMENTS", "INVALID_REQUEST", "BAD_REQUEST"} {
		corners(t, []corner{{word, "INP-05", nil, func(f *film) {
			f.structured("c1", `{"status":"`+word+`"}`, nil, in(conform.FormEmpty))
		}, conform.Pass, nil}})
	}
}

// Every name under which a row may hold its protocol.
func TestNamesOfProtocols(t *testing.T) {
	two := good("A-1", "A-2")
	for _, name := range []string{"protocol", "protocol_id", "protocolNumber", "Protocolo", "operation-id", "confirmation", "confirmationId", "confirmation_number", "receipt", "receiptID"} {
		row := func(id, value string) string {
			return `{"id":"` + id + `","success":true,"` + name + `":"` + value + `"}`
		}
		corners(t, []corner{
			{name, "IDM-04", nil, func(f *film) { f.call("c1", row("A-1", "P1")+","+row("A-2", "P2"), two) }, conform.Pass, nil},
			{name + ", twice the same", "IDM-04", nil, func(f *film) { f.call("c1", row("A-1", "P1")+","+row("A-2", "P1"), two) }, conform.Fail, []string{"P1, which c1#0 has already"}},
		})
	}
}
