package runner

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

const journalled = `
version: 1
server: {url: "http://127.0.0.1:1/mcp"}
operations:
  cancel:
    tool: cancel_all
    effect: write
    input: {argument: items}
    probe: {tool: look, argument: ids, path: "$.items[*]", id: id, state: state}
    undo: {tool: back, argument: ids}
    setup: {tool: make, argument: items, undo: {tool: unmake, argument: ids}}
  close:
    tool: close_all
    effect: write
    input: {argument: items}
    probe: {tool: look, argument: ids, path: "$.items[*]", id: id, state: state}
    undo: {tool: reopen, argument: ids}
  ship:
    tool: ship_all
    effect: write
    input: {argument: items}
    reset: {tool: reset}
`

// tape makes a recording of words: "cancel a+ b- c? d" is a call with the items a to
// d, of which the answer says done, not done, nothing and nothing; with ! behind the
// operation it was lost, with ~ it was a dry run, with ^ it was given up; "late 0 a+" is the answer to
// that of the first place, too late; "look a=X" a look; "begun:undo cancel a", "undo cancel a"
// what hands were about to do and did; "reset ship".
func tape(t *testing.T, file *target.File, script string) *conform.Recording {
	t.Helper()
	var list []conform.Observation
	add := func(o conform.Observation) {
		o.Seq = int64(len(list) + 1)
		list = append(list, o)
	}
	for i, line := range strings.Split(script, ";") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		id, lost, dry, givenUp := fmt.Sprintf("c%d", i), strings.HasSuffix(words[0], "!"), strings.HasSuffix(words[0], "~"), strings.HasSuffix(words[0], "^")
		what, begun := strings.CutPrefix(words[0], "begun:")
		switch what = strings.TrimRight(what, "!~^"); what {
		case "look":
			effect := &conform.Effect{Operation: "cancel", Eyes: "the tool look"}
			for _, word := range words[1:] {
				name, state, _ := strings.Cut(word, "=")
				effect.States = append(effect.States, conform.State{ID: name, Present: true, State: state})
			}
			add(conform.Observation{Kind: conform.KindEffect, Effect: effect})
		case "undo", "setup", "undo-setup", "reset":
			put := &conform.PutBack{What: conform.What(what), Operation: words[1], Begun: begun, Done: !lost}
			for _, name := range words[2:] {
				put.Items = append(put.Items, json.RawMessage(fmt.Sprintf(`{"id":%q}`, name)))
			}
			add(conform.Observation{Kind: conform.KindPutBack, PutBack: put})
		case "late":
			id = "c" + words[1]
			add(conform.Observation{Kind: conform.KindReceived, Call: id, Received: &conform.Received{Channel: conform.ChannelStdout, Body: answering(rowsIn(words[2:])), End: conform.Complete}})
		default:
			planned := &conform.Planned{Operation: what, Role: conform.RolePrimary, Method: "tools/call", Tool: what + "_all", DryRun: dry}
			for _, word := range words[1:] {
				planned.Items = append(planned.Items, conform.Item{Given: json.RawMessage(fmt.Sprintf(`{"id":%q}`, strings.TrimRight(word, "+-?")))})
			}
			add(conform.Observation{Kind: conform.KindPlanned, Call: id, Planned: planned})
			add(conform.Observation{Kind: conform.KindSent, Call: id, Sent: &conform.Sent{Channel: conform.ChannelStdin, Body: conform.Bytes(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)}})
			switch {
			case givenUp:
				add(conform.Observation{Kind: conform.KindReceived, Call: id, Received: &conform.Received{Channel: conform.ChannelStdout, End: conform.TimedOut, Problem: "no answer"}})
			case !lost:
				add(conform.Observation{Kind: conform.KindReceived, Call: id, Received: &conform.Received{Channel: conform.ChannelStdout, Body: answering(rowsIn(words[1:])), End: conform.Complete}})
			}
		}
	}
	return conform.NewRecording(conform.Header{Target: file.Conform()}, list)
}

// rowsIn gives the rows of "a+ b- c": c has none.
func rowsIn(words []string) []string {
	var rows []string
	for _, word := range words {
		if name := strings.TrimRight(word, "+-?"); strings.HasSuffix(word, "+") || strings.HasSuffix(word, "-") {
			rows = append(rows, fmt.Sprintf(`{"id":%q,"success":%v}`, name, strings.HasSuffix(word, "+")))
		}
	}
	return rows
}

func answering(rows []string) conform.Bytes {
	return conform.Bytes(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"results":[` + strings.Join(rows, ",") + `]}}}`)
}

// inStretches reads a journal as a run does that goes on: a stretch after each call.
func inStretches(file *target.File, rec *conform.Recording) *journal {
	j := newJournal(file)
	from := 0
	for i := range rec.Observations {
		if o := rec.Observations[i]; o.Kind == conform.KindPlanned || o.Kind == conform.KindReceived && i+1 < len(rec.Observations) || o.Kind == conform.KindEffect || o.Kind == conform.KindPutBack {
			to := i
			if o.Kind == conform.KindReceived {
				to++
			}
			j.take(conform.NewRecording(rec.Header, rec.Observations[from:to]))
			from = to
		}
	}
	j.take(conform.NewRecording(rec.Header, rec.Observations[from:]))
	return j
}

// told writes a ledger: "cancel a was X done".
func told(l ledger) string {
	var lines []string
	for _, e := range l.list {
		line := e.operation + " " + e.known
		if e.before != nil {
			line += " was " + e.before.State
		}
		lines = append(lines, line+" "+map[multiitem.Outcome]string{multiitem.Done: "done", multiitem.Refused: "refused", multiitem.Unknown: "unknown"}[e.outcome])
		if e.open != "" {
			lines[len(lines)-1] += " open"
		}
	}
	return strings.Join(lines, "; ")
}

func TestTheJournal(t *testing.T) {
	file, err := target.Parse("t.yaml", []byte(journalled), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ script, written, made, operations string }{
		"nothing":                  {"look a=X", "", "", ""},
		"what answers say":         {"look a=X b=X; cancel a+ b- c", "cancel a was X done; cancel b was X refused; cancel c unknown", "", "cancel"},
		"a lost call":              {"cancel! a", "cancel a unknown", "", "cancel"},
		"the state at first":       {"look a=X; cancel a+; look a=Y; cancel a-", "cancel a was X done", "", "cancel"},
		"lost, then refused":       {"cancel! a; cancel a-", "cancel a unknown", "", "cancel"},
		"refused, then lost":       {"cancel a-; cancel! a", "cancel a unknown", "", "cancel"},
		"taken back":               {"cancel a+ b+; begun:undo cancel a b; undo cancel a", "cancel b done", "", "cancel"},
		"all taken back":           {"cancel a+ b+; undo cancel a b", "", "", ""},
		"begun only":               {"cancel a+; begun:undo cancel a", "cancel a done", "", "cancel"},
		"of another operation":     {"cancel a+; close a+; undo close a", "cancel a done", "", "cancel"},
		"again after it":           {"look a=X; cancel a+; look a=Y; undo cancel a; look a=X; cancel a+", "cancel a was X done", "", "cancel"},
		"a reset":                  {"ship a+; cancel a+; reset ship", "cancel a done", "", "cancel"},
		"a reset that failed":      {"ship a+; reset! ship", "ship a done", "", "ship"},
		"a setup that was begun":   {"begun:setup cancel a b", "", "cancel a unknown; cancel b unknown", "cancel"},
		"a setup":                  {"begun:setup cancel a b; setup cancel a", "", "cancel a done", "cancel"},
		"two setups":               {"begun:setup cancel a; setup cancel a; begun:setup cancel b; setup! cancel", "", "cancel a done", "cancel"},
		"a dry run":                {"look a=X; cancel~ a+; look a=X; cancel~ b+", "", "", ""},
		"a dry run in earnest":     {"look a=X b=X; cancel~ a+ b+; look a=X b=Y", "cancel b was X done", "", "cancel"},
		"dry, and then done":       {"look a=X; cancel~ a+; look a=X; cancel a+; look a=Y", "cancel a was X done", "", "cancel"},
		"given up":                 {"cancel^ a b", "cancel a unknown open; cancel b unknown open", "", "cancel"},
		"given up, and taken back": {"look a=X; cancel^ a; undo cancel a", "cancel a was X unknown open", "", "cancel"},
		"given up, and reset":      {"ship^ a; ship b+; reset ship", "ship a unknown open", "", "ship"},
		"seen to be done":          {"look a=X b=X; cancel^ a b; look a=Y b=X", "cancel a was X done; cancel b was X unknown open", "", "cancel"},
		"seen, then taken back":    {"look a=X; cancel^ a; look a=Y; undo cancel a", "", "", ""},
		"answered too late":        {"ship^ a b; reset ship; late 0 a+ b-", "ship a done; ship b refused", "", "ship"},
		"too late, then reset":     {"ship^ a b; late 0 a+ b-; reset ship", "", "", ""},
		"taken away":               {"begun:setup cancel a b; setup cancel a b; undo-setup cancel a", "", "cancel b done", "cancel"},
		"taken away when written":  {"begun:setup cancel a; setup cancel a; cancel a+; close a+; undo-setup cancel a", "", "", ""},
	} {
		rec := tape(t, file, c.script)
		j := journalOf(file, rec, nil)
		if got, by := told(j.written), told(inStretches(file, rec).written); got != by {
			t.Errorf("%s: written %q, and read bit by bit %q", name, got, by)
		}
		if got := told(j.written); got != c.written {
			t.Errorf("%s: written %q, want %q", name, got, c.written)
		}
		if got := told(j.made); got != c.made {
			t.Errorf("%s: made %q, want %q", name, got, c.made)
		}
		if got := strings.Join(j.operations(), " "); got != c.operations {
			t.Errorf("%s: operations %q, want %q", name, got, c.operations)
		}
	}
}

// What follows the end of an interrupted run is not judged, and is known to a cleanup.
func TestWhatWasPutBackAfterTheEnd(t *testing.T) {
	file, err := target.Parse("t.yaml", []byte(journalled), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	rec := tape(t, file, "cancel a+ b+; undo cancel a")
	n := len(rec.Observations)
	all := append([]conform.Observation{}, rec.Observations[:n-1]...)
	all = append(all, conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{Partial: true}}, rec.Observations[n-1])
	judged := conform.NewRecording(rec.Header, all)
	if len(judged.Observations) != n || len(judged.PutBacks) != 0 {
		t.Errorf("%d observations are judged, with %d put back", len(judged.Observations), len(judged.PutBacks))
	}
	if got := told(journalOf(file, judged, all[n:]).written); got != "cancel b done" {
		t.Errorf("written %q", got)
	}
}

func TestAsItWas(t *testing.T) {
	yes, no := true, false
	one, two := int64(1), int64(2)
	by := func(state string) *target.Operation { return &target.Operation{Probe: &target.Probe{State: state}} }
	for name, c := range map[string]struct {
		op          *target.Operation
		before, now conform.State
		want        bool
	}{
		"the same":                     {by("s"), conform.State{Present: true, State: `"A"`}, conform.State{Present: true, State: `"A"`}, true},
		"another state":                {by("s"), conform.State{Present: true, State: `"A"`}, conform.State{Present: true, State: `"B"`}, false},
		"absent":                       {by("s"), conform.State{Present: true}, conform.State{}, false},
		"counted once more":            {by("s"), conform.State{Present: true, Count: &one}, conform.State{Present: true, Count: &two}, true},
		"a row with a date, not done":  {by(""), conform.State{Present: true, State: `{"at":1}`, Done: &no}, conform.State{Present: true, State: `{"at":2}`, Done: &no}, true},
		"a row with a date, done":      {by(""), conform.State{Present: true, State: `{"at":1}`, Done: &no}, conform.State{Present: true, State: `{"at":2}`, Done: &yes}, false},
		"a row with a date, who knows": {by(""), conform.State{Present: true, State: `{"at":1}`}, conform.State{Present: true, State: `{"at":2}`}, false},
	} {
		if got := as(c.op, c.before, c.now); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A cleanup takes for over what was open when the run ended, and says so.
func TestACleanupForgivesWhatWasOpen(t *testing.T) {
	file, err := target.Parse("t.yaml", []byte(journalled), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	j := journalOf(file, tape(t, file, "cancel^ a b; close c+"), nil)
	if note := j.forgive(); !strings.Contains(note, "at work on 2 items") {
		t.Errorf("it says %q", note)
	}
	if got := told(j.written); got != "cancel a unknown; cancel b unknown; close c done" {
		t.Errorf("written %q", got)
	}
	if note := j.forgive(); note != "" {
		t.Errorf("nothing is open, and it says %q", note)
	}
}
