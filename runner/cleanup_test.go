package runner

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// A recording in words: "w:cancel" a write that went out, "p:cancel" one that was
// planned only, "r:cancel" a reset by other hands, "f:cancel" one that failed.
func recorded(operations []conform.Operation, script ...string) *conform.Recording {
	var list []conform.Observation
	add := func(o conform.Observation) {
		o.Seq = int64(len(list) + 1)
		list = append(list, o)
	}
	for i, word := range script {
		what, name, _ := strings.Cut(word, ":")
		call := string(rune('a' + i))
		switch what {
		case "r", "f":
			add(conform.Observation{Kind: conform.KindPutBack, PutBack: &conform.PutBack{Operation: name, What: "reset", Done: what == "r"}})
		default:
			add(conform.Observation{Kind: conform.KindPlanned, Call: call, Planned: &conform.Planned{Operation: name, Role: conform.RolePrimary}})
			if what == "w" {
				add(conform.Observation{Kind: conform.KindSent, Call: call, Sent: &conform.Sent{}})
			}
		}
	}
	return conform.NewRecording(conform.Header{Target: conform.Target{Operations: operations}}, list)
}

func TestWhatIsStillToBePutBack(t *testing.T) {
	file := shopAt(t, "http://127.0.0.1:1/mcp", "1s")
	operations := append(file.Conform().Operations, conform.Operation{Name: "gone", Write: true})
	for _, c := range []struct {
		name, script, want string
	}{
		{"nothing was written", "", ""},
		{"a write", "w:cancel", "cancel"},
		{"a write that did not go out", "p:cancel", ""},
		{"a read", "w:query", ""},
		{"a reset behind it", "w:cancel r:cancel", ""},
		{"a reset that failed", "w:cancel f:cancel", "cancel"},
		{"a reset before it", "r:cancel w:cancel", "cancel"},
		{"one more behind the reset", "w:cancel r:cancel w:cancel w:cancel", "cancel"},
		{"the reset of another", "w:cancel w:gone r:cancel", "gone"},
		{"two", "w:gone w:cancel w:gone", "gone cancel"},
	} {
		if got := strings.Join(leftBy(recorded(operations, strings.Fields(c.script)...), file), " "); got != c.want {
			t.Errorf("%s: %q, wanted %q", c.name, got, c.want)
		}
	}
}

func leftBy(rec *conform.Recording, file *target.File) []string {
	return journalOf(file, rec, nil).operations()
}

// An item that was put in place and then written is one, and what was refused none.
func TestChangedItemsAreCountedOnce(t *testing.T) {
	j := newJournal(nil)
	for known, outcome := range map[string]multiitem.Outcome{"1": multiitem.Done, "2": multiitem.Refused, "3": multiitem.Unknown} {
		j.written.add(entry{operation: "cancel", known: known, outcome: outcome})
	}
	j.made.add(entry{operation: "cancel", known: "1", outcome: multiitem.Done})
	j.made.add(entry{operation: "add", known: "1", outcome: multiitem.Done})
	if n := j.changed(); n["cancel"] != 2 || n["add"] != 1 {
		t.Errorf("%v", n)
	}
}
