package load

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// besides gives the ids of the rules that an answer breaks beside another.
func besides(c Call) []string {
	var ids []string
	if c.Verdict != nil {
		for _, f := range c.Verdict.Beside {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// protocols answers with ids for the places of a batch: the same ones in each call.
func protocols(of string) func([]string) string {
	return func(items []string) string {
		return result(items, func(i int, id string) string {
			return fmt.Sprintf(`{"id":%q,"success":true,"protocol":"%s-%d"}`, id, of, i)
		})
	}
}

func TestAProtocolThatOtherItemsWereGivenIsSeen(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	first, second := d.template("cancel", "A-1", "B-2"), d.template("cancel", "C-3", "D-4")
	other := *d.user // a second user, whose calls the first knows nothing of
	other.Conn = d.way.Open()
	t.Cleanup(other.Conn.Close)
	d.user.Do(first, 0)
	other.Do(second, 0)

	s.says(protocols("R"))
	if c := d.user.Do(first, 0); told(c) != "ok by pass" || besides(c) != nil {
		t.Errorf("the first to have it: %s, %v", told(c), besides(c))
	}
	c := other.Do(second, 0)
	if c.Outcome != OK || !slices.Equal(besides(c), []string{"IDM-04"}) {
		t.Fatalf("the second to have it: %s, %v", told(c), besides(c))
	}
	rules, count := d.judge.Examples.Rules()
	if !slices.Equal(rules, []string{"IDM-04"}) || count["IDM-04"] != 1 {
		t.Fatalf("%v %v", rules, count)
	}
	x := d.judge.Examples.All()[0]
	if !strings.Contains(string(x.Answer), "C-3") || !strings.Contains(string(x.Before), "A-1") || !strings.Contains(x.Finding.Got, "R-0, which an-earlier-call#0 has already") {
		t.Errorf("got %q\nanswer %s\nbefore %s", x.Finding.Got, x.Answer, x.Before)
	}
	s.says(protocols("S"))
	if c := other.Do(second, 0); told(c) != "ok by pass" || besides(c) != nil {
		t.Errorf("new ones afterwards: %s, %v", told(c), besides(c))
	}
}

// Calls with numbers ask for other items every time, so that their own answers count too.
func TestAProtocolComesAgainForTheNextItems(t *testing.T) {
	s := openShop(t)
	s.says(protocols("R"))
	d := s.desk(t)
	d.make(numbered(10_000, 10_008))
	for i, want := range []string{"ok by strict", "ok by strict IDM-04", "ok by strict IDM-04"} {
		c := d.user.Call(0)
		if got := strings.Join(append([]string{told(c)}, besides(c)...), " "); got != want {
			t.Errorf("call %d: %s", i, got)
		}
	}
}

// A server whose items were put back may count its ids anew.
func TestProtocolsComeAgainWhenItemsWerePutBack(t *testing.T) {
	s := openShop(t)
	s.says(protocols("R"))
	d := s.desk(t)
	first, second := d.template("cancel", "A-1", "B-2"), d.template("cancel", "C-3", "D-4")
	numbers := d.make(numbered(10_000, 99_998))
	for _, template := range []*Template{first, second, numbers, numbers} {
		if c := d.user.Do(template, 0); besides(c) != nil && template != numbers {
			t.Errorf("%s: %v", told(c), besides(c))
		}
		d.judge.Restocked()
	}
	if rules, count := d.judge.Examples.Rules(); len(rules) > 0 {
		t.Errorf("accused of %v", count)
	}
}

// numbered makes calls for two items each, from one number to another.
func numbered(from, to uint64) Source {
	next := from
	return Source{Digits: 5, Next: func() (uint64, bool) {
		next += 2
		return next - 2, next <= to
	}, Make: func(first uint64) conform.Planned {
		return asks("cancel", fmt.Sprintf("B%d", first), fmt.Sprintf("B%d", first+1))
	}}
}

// A server may tell again what it did once for an item; nobody looks for ever.
func TestWhatIsToldAgainOfOneItemBreaksNothing(t *testing.T) {
	s := openShop(t)
	s.says(func(items []string) string {
		return result(items, func(i int, id string) string {
			return fmt.Sprintf(`{"id":%q,"success":true,"protocol":"done-%s"}`, id, id)
		})
	})
	d := s.desk(t)
	first, second := d.make(numbered(10_000, 99_998)), d.make(numbered(10_000, 99_998))
	for range mostLawful + 6 {
		for _, template := range []*Template{first, second} {
			if c := d.user.Do(template, 0); c.Outcome != OK || besides(c) != nil {
				t.Fatalf("%s, %v", told(c), besides(c))
			}
		}
	}
	if g := d.judge.given["cancel"]; !g.idle.Load() {
		t.Errorf("%d looks were for nothing, and more are taken", g.lawful.Load())
	}
}
