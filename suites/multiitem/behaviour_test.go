package multiitem_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// film is a recording put together by hand: calls, lost calls and readings of the
// state, one after the other, all in one instance.
type film struct {
	seen []conform.Observation
	at   time.Duration
}

func (f *film) add(o conform.Observation) {
	o.Seq, o.At = int64(len(f.seen)+1), f.at
	f.seen = append(f.seen, o)
}

// call plays a call that takes a second and is answered with these rows.
func (f *film) call(id, rows string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.at += time.Second
	f.answer(id, `{"content":[],"structuredContent":{"results":[`+rows+`]}}`)
}

func (f *film) ask(id string, items []conform.Item, change ...func(*conform.Planned)) {
	f.plan(id, items, change...)
	f.add(conform.Observation{Kind: conform.KindSent, Call: id, Session: "s1", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST",
		Body: conform.Bytes(`{"jsonrpc":"2.0","id":"` + id + `","method":"tools/call","params":{"name":"cancel_products","arguments":{"items":[]}}}`)}})
}

// plan plans a call that is not sent yet.
func (f *film) plan(id string, items []conform.Item, change ...func(*conform.Planned)) {
	p := conform.Planned{Scenario: "film", Variant: id, Instance: "film#1", Operation: "cancel", Role: conform.RolePrimary, Method: "tools/call", Tool: "cancel_products", Items: items}
	for _, c := range change {
		c(&p)
	}
	f.add(conform.Observation{Kind: conform.KindPlanned, Call: id, Planned: &p})
}

func (f *film) answer(id, result string) {
	f.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, Status: 200, End: conform.Complete,
		Header: []conform.HeaderField{{Name: "Content-Type", Value: "application/json"}}, Body: conform.Bytes(`{"jsonrpc":"2.0","id":"` + id + `","result":` + result + `}`)}})
}

// lose plays a call that gets no answer.
func (f *film) lose(id string, end conform.End, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: end, Problem: "nothing came: " + string(end)}})
}

// hang plays a call that the platform's time is over for.
func (f *film) hang(id string, items []conform.Item, change ...func(*conform.Planned)) {
	f.ask(id, items, change...)
	f.at += 30 * time.Second
	f.giveUp(id)
}

// giveUp ends the waiting for an answer.
func (f *film) giveUp(id string) {
	f.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: conform.TimedOut, Problem: "nothing came: timeout"}})
}

// times ends a call that was asked, without an answer in time.
func (f *film) times(id string) {
	f.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: &conform.Received{Channel: conform.ChannelHTTP, End: conform.TimedOut, Problem: "no answer in time"}})
}

// look reads the state: "A-1=ACTIVE", "A-1=" for one that is absent, "A-1=DONE*2"
// for one that was done twice, "A-1=X!" and "A-1=X?" where the target file says
// that this is done or not.
func (f *film) look(phase conform.Phase, states ...string) { f.lookIn("film#1", phase, states...) }

func (f *film) lookIn(instance string, phase conform.Phase, states ...string) {
	e := &conform.Effect{Instance: instance, Operation: "cancel", Phase: phase, Eyes: "the tool get_products"}
	for _, s := range states {
		id, state, _ := strings.Cut(s, "=")
		one := conform.State{ID: id, Present: state != ""}
		state, one.Torn = strings.CutSuffix(state, "~")
		if word, count, counted := strings.Cut(state, "*"); counted {
			n := int64(len(count))
			state, one.Count = word, &n
		}
		for mark, done := range map[string]bool{"!": true, "?": false} {
			if word, marked := strings.CutSuffix(state, mark); marked {
				state, one.Done = word, &done
			}
		}
		if one.Present {
			one.State = string(quote(state))
		}
		e.States = append(e.States, one)
	}
	f.add(conform.Observation{Kind: conform.KindEffect, Effect: e})
}

func (f *film) blind(phase conform.Phase) {
	f.add(conform.Observation{Kind: conform.KindEffect, Effect: &conform.Effect{Instance: "film#1", Operation: "cancel", Phase: phase, Eyes: "the tool get_products", Problem: "it answered nothing"}})
}

func repeating(id string) func(*conform.Planned) { return func(p *conform.Planned) { p.Repeats = id } }
func retrying(id string) func(*conform.Planned)  { return func(p *conform.Planned) { p.Retries = id } }
func behind(burst string) func(*conform.Planned) { return func(p *conform.Planned) { p.After = burst } }
func together(burst string) func(*conform.Planned) {
	return func(p *conform.Planned) { p.Burst, p.InFlight = burst, 2 }
}

// rowsOf are rows for items: "A-1+" done, "A-1-" failed, "A-1+P7" done under the
// protocol P7.
func rowsOf(said ...string) string {
	var rows []string
	for _, s := range said {
		at := max(strings.Index(s, "+"), strings.LastIndex(s, "-"))
		id, protocol := s[:at], s[at+1:]
		row := fmt.Sprintf(`{"id":%q,"success":%t`, id, s[at] == '+')
		if s[at] == '-' {
			row += `,"error":"not_found"`
		}
		if protocol != "" {
			row += fmt.Sprintf(`,"protocol":%q`, protocol)
		}
		rows = append(rows, row+"}")
	}
	return strings.Join(rows, ",")
}

func TestBehaviourIsJudgedByWhatWasSeen(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	both := []string{"A-1=ACTIVE", "A-2=ACTIVE"}
	done := []string{"A-1=DONE", "A-2=DONE"}
	var many, all []string
	for i := range 25 {
		many, all = append(many, fmt.Sprintf("B-%d", i)), append(all, fmt.Sprintf("B-%d+", i))
	}
	for _, c := range []struct {
		name, id string
		film     func(*film)
		verdict  conform.Verdict
		words    string // of what was got, or of the reason
	}{
		// IDM-01: a repeat does nothing.
		{"the same protocols again", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
		}, conform.Pass, ""},
		{"new protocols", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Fail, "a new one, P3"},
		{"the second time refused", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1-", "A-2-"), two, repeating("c1"))
		}, conform.Pass, ""},
		{"what failed the first time may be done now", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1-P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P9", "A-2+P2"), two, repeating("c1"))
		}, conform.Pass, ""},
		{"nothing tells", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
		}, conform.NotRun, "neither a count"},
		{"only the second answer has a protocol", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
		}, conform.NotRun, "neither a count"},
		{"a state that stays tells nothing", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, done...)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, done...)
		}, conform.NotRun, "neither a count"},
		{"a count that stays does", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*1")
		}, conform.Pass, ""},
		{"a count that moves", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*11")
		}, conform.Fail, "A-2 moved"},
		{"a reading before the first call counts for nothing", "IDM-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, done...)
		}, conform.NotRun, "neither a count"},
		{"the answers have no rows", "IDM-01", func(f *film) {
			f.ask("c1", two)
			f.answer("c1", `{"content":[],"structuredContent":{"ok":true}}`)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
		}, conform.NotRun, "no results[]"},
		{"the second has no rows", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.ask("c2", two, repeating("c1"))
			f.answer("c2", `{"content":[],"structuredContent":{"ok":true}}`)
		}, conform.NotRun, "no results[]"},
		{"the first answer was lost", "IDM-01", func(f *film) {
			f.lose("c1", conform.TimedOut, two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
		}, conform.Inconclusive, "the first call: "},
		{"the second answer was lost", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.lose("c2", conform.TimedOut, two, repeating("c1"))
		}, conform.Inconclusive, "nothing came"},
		{"two pairs, the second is wrong", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
			f.call("c3", rowsOf("B-1+P3", "B-2+P4"), good("B-1", "B-2"))
			f.call("c4", rowsOf("B-1+P5", "B-2+P4"), good("B-1", "B-2"), repeating("c3"))
		}, conform.Fail, "P5"},

		{"a repeat of what is not recorded, and a wrong pair", "IDM-01", func(f *film) {
			f.call("c0", rowsOf("B-1+P8", "B-2+P9"), good("B-1", "B-2"), repeating("gone"))
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Fail, "P3"},
		{"a first call that was never sent, and a wrong pair", "IDM-01", func(f *film) {
			f.plan("p1", two)
			f.call("c0", rowsOf("A-1+P8", "A-2+P9"), two, repeating("p1"))
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Fail, "P3"},
		{"a repeat that was never sent, and a wrong pair", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.plan("p1", two, repeating("c1"))
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Fail, "P3"},

		// IDM-02: a replay says the same.
		{"the same answer", "IDM-02", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed)
			f.call("c2", rowsOf("A-1+P1", "X-1-"), mixed, repeating("c1"))
		}, conform.Pass, ""},
		{"another flag", "IDM-02", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed)
			f.call("c2", rowsOf("A-1-P1", "X-1-"), mixed, repeating("c1"))
		}, conform.Fail, `"success":false`},
		{"another protocol", "IDM-02", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Fail, "P3"},
		{"a row is gone", "IDM-02", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1"), two, repeating("c1"))
		}, conform.Fail, "no row for the item"},
		{"a row that the first answer lacked", "IDM-02", func(f *film) {
			f.call("c1", rowsOf("A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
		}, conform.Pass, ""},
		{"no row of the first can be read", "IDM-02", func(f *film) {
			f.call("c1", `{"id":"A-1"},{"id":"A-2"}`, two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
		}, conform.NotRun, "no row of the first answer"},

		// IDM-03: a retry keeps what succeeded.
		{"refused the second time", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed)
			f.call("c2", rowsOf("A-1-", "X-1-"), mixed, retrying("c1"))
		}, conform.Pass, ""},
		{"the old protocol again", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed)
			f.call("c2", rowsOf("A-1+P1", "X-1-"), mixed, retrying("c1"))
		}, conform.Pass, ""},
		{"a new protocol", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed)
			f.call("c2", rowsOf("A-1+P2", "X-1-"), mixed, retrying("c1"))
		}, conform.Fail, "P2 after P1"},
		{"the state moves", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "A-1=DONE")
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "A-1=UNDONE")
		}, conform.Fail, "A-1 moved"},
		{"the state stays", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "A-1=DONE")
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.Pass, ""},
		{"the state moves, and there is no row", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "A-1=DONE")
			f.call("c2", rowsOf("X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "A-1=UNDONE")
		}, conform.Fail, "A-1 moved"},
		{"nothing tells of a retry", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
		}, conform.NotRun, "nothing tells"},
		{"what failed is done at last", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1-P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P9", "A-2+P2"), two, retrying("c1"))
		}, conform.Pass, ""},

		// IDM-04: an id of its own for each success.
		{"an id each", "IDM-04", func(f *film) { f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two) }, conform.Pass, ""},
		{"one id for two", "IDM-04", func(f *film) { f.call("c1", rowsOf("A-1+P1", "A-2+P1"), two) }, conform.Fail, "P1, which c1#0 has already"},
		{"one id in two calls", "IDM-04", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("B-1+P3", "B-2+P1"), good("B-1", "B-2"))
		}, conform.Fail, "c1#0"},
		{"a repeat may have the old ones", "IDM-04", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
			f.call("c3", rowsOf("A-1+P1", "A-2+P2"), two, retrying("c1"))
		}, conform.Pass, ""},
		{"one success without", "IDM-04", func(f *film) { f.call("c1", rowsOf("A-1+P1", "A-2+"), two) }, conform.Fail, "row 1 has none"},
		{"a failure needs none", "IDM-04", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2", "X-1-"), join(two, bad("X-1")))
		}, conform.Pass, ""},
		{"one success alone tells nothing", "IDM-04", func(f *film) { f.call("c1", rowsOf("A-1+P1", "X-1-"), mixed) }, conform.NotRun, "no batch with two successful rows"},

		// EFF-01: what is acknowledged is there.
		{"both changed", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, done...)
		}, conform.Pass, ""},
		{"the second did not", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, `1 of 2 acknowledged items did not change, by the eyes of the tool get_products: A-2 is "ACTIVE"`},
		{"neither did", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, both...)
		}, conform.Fail, "2 of 2 acknowledged items"},
		{"it settles a little later", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, both...)
			f.look(conform.After, done...)
		}, conform.Pass, ""},
		{"it is created", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=", "A-2=")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, done...)
		}, conform.Pass, ""},
		{"it was not created", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=", "A-2=")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=")
		}, conform.Fail, "A-2 is absent"},
		{"a failed row claims nothing", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2-"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Pass, ""},
		{"success for a bad item is another matter", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1+"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.Pass, ""},
		{"an item that the eyes do not show", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE")
		}, conform.Pass, ""},
		{"none that the eyes show", "EFF-01", func(f *film) {
			f.look(conform.Before, "Z-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "Z-1=ACTIVE")
		}, conform.NotRun, "the probe knows none of the acknowledged items"},
		{"no reading before", "EFF-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, done...)
		}, conform.Inconclusive, "not read both before and after"},
		{"no reading after", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
		}, conform.Inconclusive, "not read both before and after"},
		{"the eyes were blind before", "EFF-01", func(f *film) {
			f.blind(conform.Before)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, done...)
		}, conform.Inconclusive, "could not be read by the tool get_products: it answered nothing"},
		{"the eyes were blind after", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.blind(conform.After)
		}, conform.Inconclusive, "could not be read"},
		{"no eyes at all", "EFF-01", func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+"), two) }, conform.NotRun, "no item that an answer calls done"},
		{"the answer was lost", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.lose("c1", conform.TimedOut, two)
			f.look(conform.After, both...)
		}, conform.NotRun, "no item that an answer calls done"},
		{"another state than the file names", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE!", "A-2=PARKED?")
		}, conform.Inconclusive, `A-2 changed from "ACTIVE" to "PARKED"`},
		{"the state that the file names, unchanged", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=DONE!")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE!", "A-2=DONE!")
		}, conform.Inconclusive, `already done before the call, so that nothing shows whether it did anything: A-1 was "DONE", A-2 was "DONE"`},
		{"done before, and once more", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=DONE!*1", "A-2=DONE!*1")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE!*11", "A-2=DONE!*11")
		}, conform.Pass, ""},
		{"one of two done before", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE!", "A-2=DONE!")
		}, conform.Pass, ""},
		{"one of two done before, the other not at all", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=DONE!", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE!", "A-2=ACTIVE?")
		}, conform.Fail, "A-2 is"},
		{"eyes that contradict themselves", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE?", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE!", "A-2=BOTH!~")
		}, conform.Inconclusive, "the probe has several rows for A-2, and they contradict one another"},
		{"eyes that contradicted themselves before", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=BOTH?~", "A-2=BOTH?~")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE!", "A-2=DONE!")
		}, conform.Inconclusive, "the probe has several rows for A-1"},
		{"eyes that contradict themselves of one, and the other is not done", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE?", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=BOTH!~", "A-2=ACTIVE?")
		}, conform.Fail, "1 of 1 acknowledged items"},
		{"eyes that contradict themselves", "EFF-02", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE?", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1-", "A-2-"), bad("A-1", "A-2"))
			f.look(conform.After, "A-1=ACTIVE?", "A-2=BOTH!~")
		}, conform.Inconclusive, "the probe has several rows for A-2"},
		{"eyes that contradict themselves of all", "EFF-02", func(f *film) {
			f.look(conform.Before, "A-1=BOTH!~")
			f.call("c1", rowsOf("A-1-"), bad("A-1"))
			f.look(conform.After, "A-1=ACTIVE?")
		}, conform.Inconclusive, "the probe has several rows for A-1"},
		{"eyes that contradict themselves", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE!*1", "A-2=DONE!*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=BOTH!~", "A-2=DONE!*1")
		}, conform.Inconclusive, "the probe has several rows for A-1"},
		{"eyes that contradict themselves", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE!*1", "A-2=DONE!*1")
			f.call("c2", rowsOf("A-1-", "A-2-"), two, retrying("c1"))
			f.look(conform.After, "A-1=BOTH!~", "A-2=DONE!*1")
		}, conform.Inconclusive, "the probe has several rows for A-1"},
		{"eyes that contradict themselves", "VAL-05", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.structured("v0", `{"eligible":true}`, good("A-1"), asValidator)
			f.look(conform.After, "A-1=BOTH~")
		}, conform.Inconclusive, "the probe has several rows for A-1"},
		{"eyes that contradict themselves", "INP-05", func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Before, "A-1=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=BOTH~")
		}, conform.Pass, ""}, // it was refused; of the state nothing is told
		{"not what the file names, unchanged", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE?", "A-2=ACTIVE?")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=ACTIVE?", "A-2=ODD?")
		}, conform.Fail, "1 of 2 acknowledged items"},
		{"of many only a few are named", "EFF-01", func(f *film) {
			var before []string
			for _, id := range many[:7] {
				before = append(before, id+"=ACTIVE")
			}
			f.look(conform.Before, before...)
			f.call("c1", rowsOf(all[:7]...), good(many[:7]...))
			f.look(conform.After, before...)
		}, conform.Fail, "B-4 is \"ACTIVE\" and 2 more"},
		{"the repeat is not judged", "EFF-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, done...)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.call("c3", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
			f.look(conform.After, done...)
		}, conform.Pass, ""},

		// CON-01 and CON-03, LD-01: calls in flight together.
		{"both are there", "CON-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.look(conform.After, done...)
		}, conform.Pass, ""},
		{"one is lost", "CON-01", func(f *film) {
			f.look(conform.Before, both...)
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, "A-2 is"},
		{"calls alone lose as well", "CON-01", func(f *film) {
			f.look(conform.Before, append(both, "B-1=ACTIVE")...)
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE", "B-1=ACTIVE")
		}, conform.NotRun, "see EFF-01"},
		{"calls alone lose nothing", "CON-01", func(f *film) {
			f.look(conform.Before, append(both, "B-1=ACTIVE", "B-2=ACTIVE")...)
			f.call("c0", rowsOf("B-2+"), good("B-2"))
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE", "B-1=DONE", "B-2=DONE")
		}, conform.Fail, "A-2 is"},
		{"the second call alone loses", "CON-01", func(f *film) {
			f.look(conform.Before, append(both, "B-1=ACTIVE", "B-2=ACTIVE")...)
			f.call("c0", rowsOf("B-2+"), good("B-2"))
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE", "B-1=ACTIVE", "B-2=DONE")
		}, conform.NotRun, "see EFF-01"},
		{"the next one was never sent", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.plan("c3", good("B-1"), behind("b"))
		}, conform.Inconclusive, "no call was made after the burst"},
		{"one of them was never sent", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.plan("c2", good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"), behind("b"))
		}, conform.Pass, ""},
		{"all are answered, and the next", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"), behind("b"))
		}, conform.Pass, ""},
		{"one hangs", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.hang("c2", good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"), behind("b"))
		}, conform.Fail, "1 of them got no answer"},
		{"two hang", "CON-03", func(f *film) {
			f.hang("c1", good("A-1"), together("b"))
			f.hang("c2", good("A-2"), together("b"))
		}, conform.Fail, "2 of them got no answer"},
		{"one was cut off", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.lose("c2", conform.Cut, good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"), behind("b"))
		}, conform.Inconclusive, "nothing came"},
		{"the next one hangs", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.hang("c3", good("B-1"), behind("b"))
		}, conform.Fail, "nothing came"},
		{"the next one was cut off", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.lose("c3", conform.Cut, good("B-1"), behind("b"))
		}, conform.Inconclusive, "nothing came"},
		{"no call came after them", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Inconclusive, "no call was made after the burst"},
		{"the first call after them counts", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"), behind("b"))
			f.lose("c4", conform.TimedOut, good("B-2"), behind("b"))
		}, conform.Pass, ""},
		{"two bursts, the second hangs", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"), behind("b"))
			f.hang("c4", good("A-3"), together("c"))
			f.call("c5", rowsOf("A-4+"), good("A-4"), together("c"))
		}, conform.Fail, "1 of them got no answer"},
		{"one hangs, and we had less patience than the platform", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.lose("c2", conform.TimedOut, good("A-2"), together("b"))
			f.call("c3", rowsOf("B-1+"), good("B-1"), behind("b"))
		}, conform.Inconclusive, "the platform would have waited for 30s"},
		{"two hang, and one of them had the platform's time", "CON-03", func(f *film) {
			f.lose("c1", conform.TimedOut, good("A-1"), together("b"))
			f.hang("c2", good("A-2"), together("b"))
		}, conform.Fail, "2 of them got no answer"},
		{"the next one hangs, and we had less patience than the platform", "CON-03", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.lose("c3", conform.TimedOut, good("B-1"), behind("b"))
		}, conform.Inconclusive, "the platform would have waited for 30s"},
		{"rows of their own", "LD-01", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Pass, ""},
		{"the other call's row", "LD-01", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+", "A-1+"), good("A-2"), together("b"))
		}, conform.Fail, "a row for A-1, which only the call c1 asked for"},
		{"an item that both asked for", "LD-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two, together("b"))
			f.call("c2", rowsOf("A-2+", "A-1+"), two, together("b"))
		}, conform.Pass, ""},
		{"a row of another burst", "LD-01", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.call("c3", rowsOf("A-3+"), good("A-3"), together("c"))
			f.call("c4", rowsOf("A-1+"), good("A-4"), together("c"))
		}, conform.Pass, ""},
		{"a call alone is in no burst", "LD-01", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-1+"), good("A-2"))
		}, conform.NotRun, "no calls with items of their own"},
		{"no rows to tell by", "LD-01", func(f *film) {
			f.call("c1", "", good("A-1"), together("b"))
			f.call("c2", "", good("A-2"), together("b"))
		}, conform.NotRun, "no rows whose owner"},
		{"one of them was lost", "LD-01", func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.lose("c2", conform.TimedOut, good("A-2"), together("b"))
		}, conform.Pass, "1 more could not be observed"},

		// LD-02: large batches.
		{"25 for 25", "LD-02", func(f *film) { f.call("c1", rowsOf(all...), good(many...)) }, conform.Pass, ""},
		{"24 are no large batch", "LD-02", func(f *film) { f.call("c1", rowsOf(all[:24]...), good(many[:24]...)) }, conform.NotRun, "no batch of 25 items"},
		{"24 for 25", "LD-02", func(f *film) { f.call("c1", rowsOf(all[:24]...), good(many...)) }, conform.Fail, "24 rows, 1 items unanswered"},
		{"in thirty seconds", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.at += 30 * time.Second
			f.answer("c1", `{"content":[],"structuredContent":{"results":[`+rowsOf(all...)+`]}}`)
		}, conform.Pass, ""},
		{"in more", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.at += 30*time.Second + time.Millisecond
			f.answer("c1", `{"content":[],"structuredContent":{"results":[`+rowsOf(all...)+`]}}`)
		}, conform.Fail, "the answer took 30.001s"},
		{"never", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.at += 30 * time.Second
			f.giveUp("c1")
		}, conform.Fail, "nothing came"},
		{"given up by us before the platform would", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.at += 10 * time.Second
			f.giveUp("c1")
		}, conform.Inconclusive, "nothing came: timeout; the platform would have waited for 30s"},
		{"answered after we gave up, and in time", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.at += 10 * time.Second
			f.giveUp("c1")
			f.at += 2 * time.Second
			f.answer("c1", `{"content":[],"structuredContent":{"results":[`+rowsOf(all...)+`]}}`)
			f.at += 30 * time.Second
			f.answer("c1", `{"content":[]}`)
		}, conform.Inconclusive, "the platform would have waited for 30s"},
		{"answered after everybody gave up", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.at += 25 * time.Second
			f.giveUp("c1")
			f.at += 6 * time.Second
			f.answer("c1", `{"content":[],"structuredContent":{"results":[`+rowsOf(all...)+`]}}`)
		}, conform.Fail, "nothing came"},
		{"a clock that runs a little late", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.at += 30*time.Second - 200*time.Millisecond
			f.giveUp("c1")
		}, conform.Fail, "nothing came"},
		{"cut off", "LD-02", func(f *film) { f.lose("c1", conform.Cut, good(many...)) }, conform.Inconclusive, "nothing came"},
		{"without rows", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.answer("c1", `{"content":[],"structuredContent":{"ok":true}}`)
		}, conform.NotRun, "no results[]"},
		{"one page of them", "LD-02", func(f *film) {
			f.ask("c1", good(many...))
			f.answer("c1", `{"content":[],"structuredContent":{"results":[`+rowsOf(all[:10]...)+`],"nextCursor":"2"}}`)
		}, conform.NotRun, "page"},
	} {
		t.Run(c.id+" "+c.name, func(t *testing.T) {
			f := &film{}
			c.film(f)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := operations[0]
			op.Idempotency = conform.Present
			rec := conform.NewRecording(conform.Header{Target: conform.Target{Name: "film", Transport: "streamable-http", HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
			for _, finding := range suites.Judge(rec, multiitem.Checks()).Findings {
				if finding.ID != c.id {
					continue
				}
				if said := finding.Got + finding.Reason; finding.Verdict != c.verdict || !strings.Contains(said, c.words) {
					t.Errorf("%s, it says %q; want %s, %q", finding.Verdict, said, c.verdict, c.words)
				}
				if finding.Verdict == conform.Fail && finding.Hint == "" {
					t.Error("no mend is told")
				}
				return
			}
			t.Errorf("%s does not speak", c.id)
		})
	}
}

// A look names the item that it is about: what follows from it is folded by that.
func TestLooksNameTheirItem(t *testing.T) {
	two := good("A-1", "A-2")
	for _, c := range []struct {
		name, id string
		film     func(*film)
		item     int
	}{
		{"a new protocol", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, 2},
		{"a count that moves", "IDM-01", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*11")
		}, 2},
		{"another answer", "IDM-02", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, 2},
		{"no answer for it", "IDM-02", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1"), two, repeating("c1"))
		}, 2},
		{"done again by a retry", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, retrying("c1"))
		}, 2},
		{"moved by a retry", "IDM-03", func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE", "A-2=DONE")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
			f.look(conform.After, "A-1=DONE", "A-2=UNDONE")
		}, 2},
		{"no protocol", "IDM-04", func(f *film) { f.call("c1", rowsOf("A-1+P1", "A-2+"), two) }, 2},
		{"another's protocol", "IDM-04", func(f *film) { f.call("c1", rowsOf("A-1+P1", "A-2+P1"), two) }, 2},
		{"not done", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, 2},
		{"refused and done", "EFF-02", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE", "A-3=ACTIVE")
			f.call("c1", rowsOf("A-1-", "A-2-", "A-3-"), good("A-1", "A-2", "A-3"))
			f.look(conform.After, "A-1=ACTIVE", "A-2=DONE", "A-3=DONE")
		}, 2},
		{"one item refused", "RES-13", func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c1", "no", good("A-1"))
		}, 1},
		{"one item, two rows", "RES-13", func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1")) }, 1},
		{"one item, against ok", "RES-13", func(f *film) { f.structured("c1", `{"ok":false,"results":[`+rowsOf("A-1+")+`]}`, good("A-1")) }, 1},
		{"the first of two that were not done", "EFF-01", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE", "A-3=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+", "A-3+"), good("A-1", "A-2", "A-3"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE", "A-3=ACTIVE")
		}, 2},
		{"the first of two that a validator moved", "VAL-05", func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE", "A-3=ACTIVE")
			f.structured("v0", `{"eligible":true}`, good("A-1"), asValidator)
			f.structured("v1", `{"eligible":true}`, good("A-1", "A-2", "A-3"), asValidator)
			f.look(conform.After, "A-1=ACTIVE", "A-2=DONE", "A-3=DONE")
		}, 2},
		{"moved by an empty request", "INP-05", func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Before, "A-1=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=GONE")
		}, 0},
		{"no row for it", "RES-02", func(f *film) { f.call("c1", rowsOf("A-1+"), two) }, 2},
		{"two rows for it", "RES-02", func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+", "A-2+"), two) }, 2},
	} {
		t.Run(c.id+" "+c.name, func(t *testing.T) {
			f := &film{}
			c.film(f)
			op := operations[0]
			op.Idempotency = conform.Present
			rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, f.seen)
			for _, check := range multiitem.Checks() {
				if check.ID != c.id {
					continue
				}
				for _, look := range check.Judge(&conform.Subject{Recording: rec, Operation: &op, Calls: rec.Of("cancel")}) {
					if look.Verdict == conform.Fail {
						if look.Item != c.item {
							t.Errorf("it is about item %d, want %d", look.Item, c.item)
						}
						if strings.HasPrefix(c.id, "EFF-") && !shows(rec, look, conform.KindEffect) {
							t.Errorf("no evidence is a reading of the state: %+v", look.Evidence)
						}
						if c.name == "another's protocol" && look.Evidence[0].Pointer != "/structuredContent/results/1/protocol" {
							t.Errorf("the evidence is not the protocol: %+v", look.Evidence)
						}
						if strings.HasPrefix(c.name, "moved by a retry") && look.Evidence[0].Pointer != "/structuredContent/results/1" {
							t.Errorf("the evidence is not the second answer's row: %+v", look.Evidence)
						}
						return
					}
				}
			}
			t.Error("nothing fails")
		})
	}
}

// shows tells whether a look's evidence has an observation of a kind.
func shows(rec *conform.Recording, look conform.Look, kind conform.Kind) bool {
	for _, e := range look.Evidence {
		for _, o := range rec.Observations {
			if o.Seq == e.Seq && o.Kind == kind {
				return true
			}
		}
	}
	return false
}
