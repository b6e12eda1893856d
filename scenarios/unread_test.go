package scenarios

import (
	"strings"
	"testing"
)

// What depends on items that nobody has read yet is neither planned nor missing.
func TestItemsThatAreReadWhenARunBegins(t *testing.T) {
	plan := func(change func(*Operation)) (plays, unread, skipped string) {
		o := plain(3, 2)
		change(o)
		p := planOf(t, o, "steps: [{execute: batch}]\nvariants:\n  good: {batch: [good x 3]}\n  both: {batch: [good x 3, bad]}\n  none: {form: empty}\n", Options{})
		for _, play := range p.Plays {
			plays += play.Variant.Name + " "
		}
		for _, s := range p.Unread {
			unread += s.Variant + ": " + s.Reason + "\n"
		}
		for _, s := range p.Skipped {
			skipped += s.Variant + ": " + s.Reason + "\n"
		}
		return plays, unread, skipped
	}
	for name, c := range map[string]struct {
		change                 func(*Operation)
		plays, unread, skipped string
	}{
		"all are there": {func(*Operation) {}, "good both none ", "", ""},
		"the good ones unread": {func(o *Operation) { o.Good = List{From: "list", Unread: true} }, "none ",
			"good: items are read from the tool list when a run begins; their number is not known\nboth: items are read from the tool list when a run begins; their number is not known\n", ""},
		"some are there, and more unread": {func(o *Operation) { o.Good, o.Many = numbered(`"G%d"`, 2), List{From: "list", Unread: true} }, "none ",
			"good: items are read from the tool list when a run begins; their number is not known\nboth: items are read from the tool list when a run begins; their number is not known\n", ""},
		"the bad ones unread": {func(o *Operation) { o.Bad = List{From: "list", Unread: true} }, "good none ",
			"both: items are read from the tool list when a run begins; their number is not known\n", ""},
		"none given": {func(o *Operation) { o.Bad = List{From: "list", Lacks: "the tool list gave none: closed"} }, "good none ", "",
			"both: no bad items: the tool list gave none: closed\n"},
	} {
		plays, unread, skipped := plan(c.change)
		if plays != c.plays || unread != c.unread || skipped != c.skipped {
			t.Errorf("%s: plays %q, unread %q, skipped %q", name, plays, unread, skipped)
		}
	}
}

func TestWhoHasTooFewItems(t *testing.T) {
	for name, c := range map[string]struct {
		good, many List
		want       string
	}{
		"the file":                {numbered(`"G%d"`, 2), List{}, "the target file has 2"},
		"a tool":                  {List{Len: 2, From: "list"}, List{}, "the tool list gave 2"},
		"both":                    {numbered(`"G%d"`, 2), List{Len: 1, From: "list"}, "the target file and the tool list have 2"},
		"the file, a tool failed": {numbered(`"G%d"`, 2), List{From: "list", Lacks: "the tool list gave none: closed"}, "the target file has 2 (the tool list gave none: closed)"},
	} {
		o := plain(0, 0)
		o.Good, o.Many = c.good, c.many
		if got := o.has(GoodItem, 2); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	short := &Operation{}
	if got := short.missing(BadItem); !strings.Contains(got, "names no bad items") {
		t.Error(got)
	}
}
