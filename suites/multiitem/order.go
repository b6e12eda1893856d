package multiitem

import (
	"fmt"
	"strings"
	"sync"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/history"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var con05 = conform.Check{
	Requirement: conform.Requirement{
		ID: "CON-05", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupConcurrency,
		Title:  "one order explains what was answered and seen",
		Text:   "What calls in flight together were told of an item, and what is seen of it before and afterwards, could have come about with one call after the other.",
		Impact: "What was done, and seen to be done, is gone an hour later, or shows only now and then; nobody can say which call did it.",
		Source: "contract 8b, concurrency; linearizability (Herlihy and Wing, 1990)",
		Needs:  []conform.Need{conform.NeedConcurrency, conform.NeedState},
		Good:   "1001 is acknowledged and seen to be done; eight calls for other items follow, and 1001 is still done",
		Bad:    "1001 is acknowledged and seen to be done; eight calls for other items follow, and 1001 is as it was at first",
		Mend:   "Let each call change the items that it was asked for and no other, from what is stored now and not from a copy read before; make reading, changing and storing one step.",
		Since:  set,
		Raise:  map[string]conform.Level{"semantics-declared": conform.Must},
	},
	Applies: func(s *conform.Subject) string {
		if s.Operation != nil && s.Operation.Eventual {
			return "the target file says `consistency: eventual`: whether all comes to be there is judged by EFF-01, CON-01 and EFF-03"
		}
		return writesSeen(s)
	},
	Judge:   someOrder,
	Missing: "no item that calls in flight together asked for was looked at before and after",
}

// someOrder judges, of every playing with calls in flight together, the history of each
// item.
func someOrder(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	alone := sync.OnceValue(func() string {
		if loses(s) {
			return losesAlone
		}
		return brokenAlone(s)
	})
	played := map[string]bool{}
	for _, c := range s.Calls {
		instance := c.Planned.Instance
		if c.Planned.Burst == "" || c.Planned.Role != conform.RolePrimary || c.Sent == nil || played[instance] {
			continue
		}
		played[instance] = true
		if why := alone(); why != "" {
			looks = append(looks, see(s.Operation, c).cannot("%s", why))
			continue
		}
		looks = append(looks, ordered(s, c)...)
	}
	return looks
}

// brokenAlone says that what calls one after the other were told and what was seen has
// no explanation either, so that being together is not the cause; empty: it has.
func brokenAlone(s *conform.Subject) string {
	if shared(s.Recording) != "" {
		return ""
	}
	semantics, _ := semanticsOf(s)
	together := map[string]bool{}
	for _, c := range s.Calls {
		together[c.Planned.Instance] = together[c.Planned.Instance] || c.Planned.Burst != ""
	}
	told := map[string]bool{}
	for _, c := range s.Calls {
		instance := c.Planned.Instance
		if together[instance] || told[instance] {
			continue
		}
		told[instance] = true
		for _, one := range stories(s, instance) {
			if one.why == "" && one.tells() && history.Check(semantics, one.events) == history.Illegal {
				return fmt.Sprintf("calls one after the other have no explanation either (see IDM-01, IDM-03, EFF-02, EFF-03): %s: %s",
					one.item, inWords(history.Smallest(semantics, one.events)))
			}
		}
	}
	return ""
}

// ordered judges the playing that a call belongs to.
func ordered(s *conform.Subject, c *conform.Call) []conform.Look {
	v := see(s.Operation, c)
	if why := shared(s.Recording); why != "" {
		return []conform.Look{v.unclear("%s", why)}
	}
	semantics, known := semanticsOf(s)
	var illegal, unsure []conform.Look
	accused := map[*conform.Call]bool{}
	explained := 0
	for _, told := range stories(s, c.Planned.Instance) {
		if told.why != "" {
			unsure = append(unsure, v.tornLook(told.why))
			continue
		}
		if !told.tells() {
			continue
		}
		switch history.Check(semantics, told.events) {
		case history.Explained:
			explained++
		case history.Illegal:
			// Of many items of one call the first will do.
			if look := told.unexplained(semantics, known); !accused[look.Call] {
				accused[look.Call] = true
				illegal = append(illegal, look)
			}
		default:
			unsure = append(unsure, v.unclear("what happened to %s has too many orders to try them all: %d calls and looks", told.item, len(told.events)))
		}
	}
	switch {
	case len(illegal) > 0:
		return illegal
	case len(unsure) > 0:
		return unsure[:1]
	case explained > 0:
		return []conform.Look{v.pass()}
	}
	return nil
}

// tells whether anything of the history could have come out wrong: a call may have done
// something, and somebody looked afterwards.
func (t *story) tells() bool {
	for i, e := range t.events {
		if e.Kind != conform.Write || e.Said == conform.Denied {
			continue
		}
		for _, later := range t.events[i+1:] {
			if later.Kind == conform.Looked {
				return true
			}
		}
	}
	return false
}

// unexplained tells the part of a history that shows that nothing explains it.
func (t *story) unexplained(semantics, known string) conform.Look {
	shown := history.Smallest(semantics, t.events)
	at := t.decisive(shown)
	var node *rawjson.Node
	if row := at.v.rowFor(at.item); row != nil {
		node = row.Node
	}
	look := at.v.fail(node, fmt.Sprintf("one order of the calls and looks that explains each answer and each state (%s: %s)", semantics, known),
		"%s: %s; no order explains that", t.item, inWords(shown))
	look.History = &conform.History{Item: t.item, Semantics: semantics, Known: known, Events: shown}
	for _, e := range shown {
		if e.Kind == conform.Looked {
			look.Evidence = append(look.Evidence, conform.Evidence{Call: e.Call, Seq: e.Over, Excerpt: "seen: " + e.Seen})
		}
	}
	return look
}

// decisive gives the last call of a history that was acknowledged, or else the last.
func (t *story) decisive(shown []conform.Happening) position {
	var last *conform.Happening
	for i := range shown {
		e := &shown[i]
		if e.Kind == conform.Write && (last == nil || e.Said == conform.Acknowledged || last.Said != conform.Acknowledged) {
			last = e
		}
	}
	if last == nil { // it was changed by nobody
		for _, e := range t.events {
			if e.Kind == conform.Write {
				return t.asked[e.Call]
			}
		}
	}
	return t.asked[last.Call]
}

// inWords tells a history in one sentence.
func inWords(events []conform.Happening) string {
	var words []string
	for _, e := range events {
		switch e.Kind {
		case conform.Looked:
			words = append(words, "seen as "+e.Seen)
		default:
			words = append(words, fmt.Sprintf("%s by %s", e.Said, e.Call))
		}
	}
	const most = 8
	if n := len(words); n > most {
		words = append(append(words[:most-1:most-1], fmt.Sprintf("%d more", n-most)), words[n-1])
	}
	return strings.Join(words, ", then ")
}
