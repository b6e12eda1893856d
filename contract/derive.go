package contract

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Status is the outcome of a batch, derived from its rows alone.
type Status string

// The statuses; empty: unknown (contract decision 9).
const (
	StatusUnknown Status = ""
	Success       Status = "SUCCESS"
	Partial       Status = "PARTIAL_SUCCESS"
	AllFailed     Status = "FAILED"
)

// Derive gives the status, or why there is none: it is derived only when every
// row is readable and no missing or surplus row could change it (contract
// decision 9). A list of fewer than two rows gives none. t is Tie's word on the
// same items.
func (a *Answer) Derive(items []conform.Item, t Tying) (status Status, why string) {
	if why := a.underivable(items); why != "" {
		return StatusUnknown, why
	}
	s := a.tally(t)
	switch {
	case s.good > 0 && s.bad > 0:
		return Partial, ""
	case s.good == 0 && s.bad == 0:
		return StatusUnknown, "no row can be tied to a requested item" + s.because()
	case !s.mayFail:
		return Success, ""
	case !s.maySucceed:
		return AllFailed, ""
	}
	return StatusUnknown, "the rows alone would mislead" + s.because()
}

// underivable says what forbids deriving a status, whatever the rows say.
func (a *Answer) underivable(items []conform.Item) string {
	switch {
	case !a.List.Is(rawjson.Array):
		return "there is no results list"
	case a.twice:
		return "a member name on the way to results comes twice: readers differ on which list is meant"
	case len(items) == 0:
		return "nothing was asked for"
	case len(a.Rows) < 2:
		return "a list of fewer than two rows is not recognised as a batch"
	}
	for i := range a.Rows {
		if !a.Rows[i].Readable() {
			return fmt.Sprintf("row %d %s", i, a.Rows[i].Flag)
		}
	}
	if a.Has(PlacesDisagree) != nil {
		return "two lawful places carry different rows"
	}
	return ""
}

// tally is what the rows say of the requested items: how many surely succeeded
// and failed, and whether one that is in doubt may have.
type tally struct {
	good, bad           int
	maySucceed, mayFail bool
	missing, surplus    int
	doubled, wrong      int
	untied              int
}

func (a *Answer) tally(t Tying) tally {
	s := tally{missing: len(t.Missing()), surplus: len(t.Surplus), doubled: len(t.Doubled()), wrong: len(t.Wrong)}
	doubt := map[int]bool{}
	if s.missing+s.surplus+s.doubled > 0 {
		for _, row := range t.Wrong {
			doubt[row] = true
		}
	} else {
		// Every item has its one row: which of two names is the right one cannot
		// change how many succeeded. A name nobody asked for can.
		for _, row := range t.Strange {
			doubt[row] = true
		}
	}
	for _, rows := range t.Rows {
		a.count(&s, rows, doubt)
	}
	for _, row := range t.Surplus {
		s.maySucceed = s.maySucceed || a.Rows[row].Flag == Succeeded
		s.mayFail = s.mayFail || a.Rows[row].Flag == Failed
	}
	a.countUntied(&s, t)
	if s.missing > 0 {
		s.maySucceed, s.mayFail = true, true
	}
	return s
}

// count takes the rows of one item.
func (a *Answer) count(s *tally, rows []int, doubt map[int]bool) {
	good, bad := false, false
	for _, row := range rows {
		good = good || doubt[row] || a.Rows[row].Flag == Succeeded
		bad = bad || doubt[row] || a.Rows[row].Flag == Failed
	}
	s.maySucceed, s.mayFail = s.maySucceed || good, s.mayFail || bad
	switch {
	case good && bad:
	case good:
		s.good++
	case bad:
		s.bad++
	}
}

// countUntied takes rows that name nothing and whose number is wrong: too few,
// and each answers some item; too many, and each may answer none.
func (a *Answer) countUntied(s *tally, t Tying) {
	var untied []int
	for _, row := range t.Nameless {
		if t.Item[row] < 0 {
			untied = append(untied, row)
		}
	}
	s.untied = len(untied)
	few := len(untied) <= s.missing
	for _, row := range untied {
		good := a.Rows[row].Flag == Succeeded
		s.maySucceed, s.mayFail = s.maySucceed || good, s.mayFail || !good
		switch {
		case !few:
		case good:
			s.good++
		default:
			s.bad++
		}
	}
}

func (s tally) because() string {
	words := ""
	for _, part := range []struct {
		count int
		what  string
	}{
		{s.missing, "requested items without a row"}, {s.surplus, "rows for nothing that was asked for"},
		{s.doubled, "items with several rows"}, {s.wrong, "rows that contradict their item"},
		{s.untied, "rows that name nothing"},
	} {
		if part.count > 0 {
			words += fmt.Sprintf("; %d %s", part.count, part.what)
		}
	}
	return words
}
