package history

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mcpconform/mcpconform/conform"
)

func looked(begun, over int64, done bool, count ...int64) conform.Happening {
	h := conform.Happening{Kind: conform.Looked, Begun: begun, Over: over, Done: done}
	if len(count) > 0 {
		h.Count = &count[0]
	}
	return h
}

func wrote(begun, over int64, said conform.Said) conform.Happening {
	return conform.Happening{Kind: conform.Write, Begun: begun, Over: over, Said: said}
}

func under(key, protocol string, h conform.Happening) conform.Happening {
	h.Key, h.Protocol = key, protocol
	return h
}

const (
	ack   = conform.Acknowledged
	no    = conform.Denied
	quiet = conform.Unanswered
)

func TestHistories(t *testing.T) {
	for name, c := range map[string]struct {
		semantics string
		events    []conform.Happening
		want      Verdict
	}{
		"done once, and seen": {Once, []conform.Happening{looked(1, 2, false), wrote(3, 4, ack), looked(5, 6, true)}, Explained},
		"one of two succeeds": {Once, []conform.Happening{looked(1, 2, false), wrote(3, 6, ack), wrote(4, 5, no), looked(7, 8, true)}, Explained},
		"both succeed":        {Once, []conform.Happening{looked(1, 2, false), wrote(3, 6, ack), wrote(4, 5, ack), looked(7, 8, true)}, Illegal},
		"both succeed, under one key": {Once, []conform.Happening{looked(1, 2, false),
			under("k", "", wrote(3, 6, ack)), under("k", "", wrote(4, 5, ack)), looked(7, 8, true)}, Explained},
		"both succeed, with one protocol": {Once, []conform.Happening{looked(1, 2, false),
			under("k", "P", wrote(3, 6, ack)), under("l", "P", wrote(4, 5, ack)), looked(7, 8, true)}, Explained},
		"both succeed, under two keys": {Once, []conform.Happening{looked(1, 2, false),
			under("k", "P", wrote(3, 6, ack)), under("l", "Q", wrote(4, 5, ack)), looked(7, 8, true)}, Illegal},
		"the second did not wait, and an unanswered one did it": {Once, []conform.Happening{looked(1, 2, false),
			under("k", "", wrote(3, 0, quiet)), looked(4, 5, true), under("k", "", wrote(6, 7, ack)), looked(8, 9, true)}, Explained},
		"nobody says that it was done": {Once, []conform.Happening{looked(1, 2, false), wrote(3, 4, no), looked(5, 6, true)}, Illegal},
		"nobody answered":              {Once, []conform.Happening{looked(1, 2, false), wrote(3, 0, quiet), looked(5, 6, true)}, Explained},
		"nobody answered, not done":    {Once, []conform.Happening{looked(1, 2, false), wrote(3, 0, quiet), looked(5, 6, false)}, Explained},
		"nobody answered, done late":   {Once, []conform.Happening{looked(1, 2, false), wrote(3, 0, quiet), looked(5, 6, false), looked(7, 8, true)}, Explained},
		"seen before it was asked":     {Once, []conform.Happening{looked(1, 2, false), looked(3, 4, true), wrote(5, 6, ack)}, Illegal},
		"seen while it is at work":     {Once, []conform.Happening{looked(1, 2, false), wrote(3, 8, ack), looked(4, 5, true), looked(6, 7, true)}, Explained},
		"seen, and then not":           {Idempotent, []conform.Happening{looked(1, 2, false), wrote(3, 9, ack), looked(4, 5, true), looked(6, 7, false)}, Illegal},
		"undone by nobody":             {Once, []conform.Happening{looked(1, 2, false), wrote(3, 4, ack), looked(5, 6, true), looked(7, 8, false)}, Illegal},
		"done twice, by one call":      {Once, []conform.Happening{looked(1, 2, false, 0), wrote(3, 4, ack), looked(5, 6, true, 2)}, Illegal},
		"done once more, unanswered": {Once, []conform.Happening{looked(1, 2, false, 0), wrote(3, 4, ack), wrote(3, 0, quiet),
			looked(5, 6, true, 2)}, Illegal},
		"a count that began elsewhere":      {Once, []conform.Happening{looked(1, 2, false, 5), wrote(3, 4, ack), looked(5, 6, true, 6)}, Explained},
		"twice is once":                     {Idempotent, []conform.Happening{looked(1, 2, false), wrote(3, 5, ack), wrote(4, 6, ack), looked(7, 8, true)}, Explained},
		"acknowledged, not there":           {Idempotent, []conform.Happening{looked(1, 2, false), wrote(3, 5, ack), looked(7, 8, false)}, Illegal},
		"each adds one":                     {Append, []conform.Happening{looked(1, 2, false, 0), wrote(3, 5, ack), wrote(4, 6, ack), looked(7, 8, true, 2)}, Explained},
		"one of two is lost":                {Append, []conform.Happening{looked(1, 2, false, 0), wrote(3, 5, ack), wrote(4, 6, ack), looked(7, 8, true, 1)}, Illegal},
		"one more than was asked":           {Append, []conform.Happening{looked(1, 2, false, 0), wrote(3, 5, ack), wrote(4, 6, no), looked(7, 8, true, 2)}, Illegal},
		"one is unanswered":                 {Append, []conform.Happening{looked(1, 2, false, 0), wrote(3, 5, ack), wrote(4, 0, quiet), looked(7, 8, true, 2)}, Explained},
		"a repeat under a key may add":      {Append, []conform.Happening{looked(1, 2, false, 0), under("k", "", wrote(3, 5, ack)), under("k", "", wrote(6, 7, ack)), looked(8, 9, true, 2)}, Explained},
		"a repeat under a key need not add": {Append, []conform.Happening{looked(1, 2, false, 0), under("k", "", wrote(3, 5, ack)), under("k", "", wrote(4, 7, ack)), looked(8, 9, true, 1)}, Explained},
		"how it began is not known":         {Once, []conform.Happening{wrote(3, 4, ack), looked(5, 6, true)}, Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Check(c.semantics, c.events); got != c.want {
				t.Errorf("verdict %d, want %d", got, c.want)
			}
		})
	}
}

// TestSearchAgreesWithEveryOrder compares the search, which merges what is alike, with
// one that tries every order of every choice.
func TestSearchAgreesWithEveryOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		semantics := rapid.SampledFrom([]string{Once, Idempotent, Append}).Draw(t, "semantics")
		counted := rapid.Bool().Draw(t, "counted")
		n := rapid.IntRange(1, 5).Draw(t, "n")
		events := []conform.Happening{looked(0, 0, false)}
		if counted {
			events[0] = looked(0, 0, false, 0)
		}
		for range n {
			begun := rapid.Int64Range(1, 8).Draw(t, "begun")
			over := begun + rapid.Int64Range(1, 5).Draw(t, "for")
			if rapid.Bool().Draw(t, "look") {
				look := looked(begun, over, rapid.Bool().Draw(t, "done"))
				if counted {
					seen := rapid.Int64Range(0, 3).Draw(t, "count")
					look.Count, look.Done = &seen, seen > 0
				}
				events = append(events, look)
				continue
			}
			w := wrote(begun, over, rapid.SampledFrom([]conform.Said{ack, no, quiet}).Draw(t, "said"))
			w.Key = rapid.SampledFrom([]string{"", "k"}).Draw(t, "key")
			if w.Said == quiet {
				w.Over = 0
			}
			events = append(events, w)
		}
		got, want := Check(semantics, events), Illegal
		if someOrder(semantics, state{}, events[1:]) {
			want = Explained
		}
		// What repeats under a key add is left open where each call adds one, also when: that
		// accuses nobody, and forgives a little more than every order does.
		forgiving := semantics == Append && repeats(events) && got == Explained
		if got != want && !forgiving {
			t.Fatalf("%s: verdict %d, want %d", semantics, got, want)
		}
	})
}

// repeats tells whether two writes have one key.
func repeats(events []conform.Happening) bool {
	keyed := 0
	for _, e := range events {
		if e.Key != "" && e.Said != no {
			keyed++
		}
	}
	return keyed > 1
}

// someOrder tries everything that may come next, and what is unanswered as done at any
// time, or never.
func someOrder(semantics string, s state, left []conform.Happening) bool {
	answered := false
	for _, e := range left {
		answered = answered || e.Said != quiet
	}
	if !answered {
		return true
	}
	for i, e := range left {
		late := false
		for k, other := range left {
			late = late || k != i && other.Said != quiet && other.Over <= e.Begun
		}
		if late {
			continue
		}
		rest := append(append([]conform.Happening{}, left[:i]...), left[i+1:]...)
		for _, next := range outcomes(semantics, s, e) {
			if someOrder(semantics, next, rest) {
				return true
			}
		}
	}
	return false
}

// outcomes gives every state that one happening may lead to, with nothing pending: the
// same rules, said the slow way.
func outcomes(semantics string, s state, e conform.Happening) []state {
	doing := s
	doing.done = true
	if semantics != Idempotent {
		doing.n++
	}
	again := e.Key != "" && holds(s.keys, e.Key)
	doing.keys = with(s.keys, e.Key)
	switch {
	case e.Kind == conform.Looked:
		if e.Done != s.done || e.Count != nil && semantics != Idempotent && *e.Count != s.n {
			return nil
		}
		return []state{s}
	case e.Said == no:
		return []state{s}
	case e.Said == quiet && semantics == Once && s.done, semantics == Once && s.done && again:
		return []state{s}
	case e.Said == quiet:
		return []state{s, doing}
	case semantics == Once && s.done:
		return nil
	case semantics == Append && again:
		return []state{s, doing}
	}
	return []state{doing}
}

// TestLawfulCrowdsAreExplained plays a server that does one thing at a time, and has
// everything answered late and in another order.
func TestLawfulCrowdsAreExplained(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		semantics := rapid.SampledFrom([]string{Once, Idempotent, Append}).Draw(t, "semantics")
		zero := int64(0)
		events := []conform.Happening{{Kind: conform.Looked, Begun: 1, Over: 2, Count: &zero}}
		done, n, now := false, int64(0), int64(10)
		for round := range rapid.IntRange(1, 4).Draw(t, "rounds") {
			crowd := rapid.IntRange(1, 64).Draw(t, "crowd")
			for range crowd {
				w := wrote(now+rapid.Int64Range(0, 20).Draw(t, "early"), 0, ack)
				refused := semantics == Once && done
				switch {
				case refused:
					w.Said = no
				default:
					done = true
					n++
				}
				w.Over = now + 21 + rapid.Int64Range(0, 20).Draw(t, "late")
				if rapid.IntRange(0, 9).Draw(t, "lost") == 0 {
					w.Said, w.Over = quiet, 0
				}
				w.Protocol = fmt.Sprint(round, n)
				events = append(events, w)
			}
			seen := n
			events = append(events, conform.Happening{Kind: conform.Looked, Begun: now + 50, Over: now + 51, Done: done, Count: &seen})
			now += 100
		}
		if got := Check(semantics, events); got != Explained {
			t.Fatalf("a lawful history of %d: verdict %d", len(events), got)
		}
	})
}

// TestAThousandCallsOfOneItem has every one acknowledged, 64 at a time, and one of them
// lost.
func TestAThousandCallsOfOneItem(t *testing.T) {
	events := []conform.Happening{looked(1, 2, false, 0)}
	now, n := int64(10), int64(0)
	for len(events) < 1_000 {
		for i := range int64(64) {
			events = append(events, wrote(now+i, now+100+i, ack))
			n++
		}
		now += 1000
		events = append(events, looked(now-10, now-5, true, n))
	}
	if got := Check(Append, events); got != Explained {
		t.Errorf("all there: verdict %d", got)
	}
	if got := Check(Once, events); got != Illegal {
		t.Errorf("once: verdict %d", got)
	}
	less := n - 1
	events[len(events)-1].Count = &less
	if got := Check(Append, events); got != Illegal {
		t.Errorf("one lost: verdict %d", got)
	}
	if small := Smallest(Append, events); len(small) >= len(events) || Check(Append, events) != Illegal {
		t.Errorf("%d of %d happenings show it", len(small), len(events))
	}
}

// TestWhatIsTooHardIsUnknown has a look last as long as all the calls, so that none of
// their orders is like another, and ends with a count that none of them gives.
func TestWhatIsTooHardIsUnknown(t *testing.T) {
	events := []conform.Happening{looked(1, 2, false, 0)}
	for i := range int64(64) {
		events = append(events, under("", fmt.Sprint(i), wrote(10+i, 200+i, ack)))
	}
	events = append(events, looked(9, 300, true, 32), looked(400, 401, true, 63))
	if got := Check(Append, events); got != Unknown {
		t.Errorf("verdict %d, want unknown", got)
	}
	if small := Smallest(Append, events); small != nil {
		t.Errorf("of what is unknown a part of %d is said to show it", len(small))
	}
}

func TestTheSmallestHistoryThatShowsIt(t *testing.T) {
	crowd := []conform.Happening{looked(1, 2, false)}
	for i := range int64(30) {
		crowd = append(crowd, wrote(3+i, 50+i, no))
	}
	crowd = append(crowd, wrote(3, 60, ack), wrote(100, 101, ack), wrote(103, 0, quiet), looked(200, 201, true))
	small := Smallest(Once, crowd)
	if len(small) != 3 || small[1].Said != ack || small[2].Said != ack || small[1].Begun != 3 || small[2].Begun != 100 {
		t.Errorf("two successes show it, and not %+v", small)
	}
	lost := []conform.Happening{looked(1, 2, false), wrote(3, 9, ack), wrote(4, 8, ack), wrote(5, 7, no), looked(10, 11, false)}
	if small := Smallest(Idempotent, lost); len(small) != 3 || small[1].Said != ack || small[2].Done {
		t.Errorf("one success and a look show it, and not %+v", small)
	}
	if small := Smallest(Idempotent, lost[:4]); small != nil {
		t.Errorf("%+v is said to show what is not so", small)
	}
}

func TestThePictureHoldsEveryHistory(t *testing.T) {
	one := conform.History{Item: "A-1", Semantics: Once, Events: []conform.Happening{looked(1, 1, false), under("", "P1", wrote(2, 6, ack)), under("", "P2", wrote(3, 5, ack))}}
	two := conform.History{Item: "A-2", Semantics: Idempotent, Events: []conform.Happening{looked(1, 1, false), wrote(2, 4, ack), wrote(2, 0, quiet), looked(5, 8, false)}}
	two.Events[3].Seen = `"</script><b>ACTIVE"`
	var page strings.Builder
	if err := Picture(&page, []conform.History{one, two}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<!doctype html>", "acknowledged, P1", "acknowledged, P2", "unanswered", "ACTIVE", "not done (counted 0)"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the picture does not hold %q", want)
		}
	}
	if strings.Contains(page.String(), "<b>ACTIVE") {
		t.Error("what a server said is in the page as it came")
	}
}
