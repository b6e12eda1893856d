package multiitem

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/history"
)

var eff03 = conform.Check{
	Requirement: conform.Requirement{
		ID: "EFF-03", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupEffects,
		Title:  "what is asked for once is done once",
		Text:   "An item that one call asks for is done once, also where the call names it twice.",
		Impact: "One order becomes two deliveries, and one payment two; each answer says that all is well.",
		Source: "contract 8b, effects; RES-14",
		Needs:  []conform.Need{conform.NeedItems, conform.NeedState},
		Good:   `{"results":[{"id":"1001","success":true}]}, and the count of cancellations of 1001 grows from 0 to 1`,
		Bad:    `{"results":[{"id":"1001","success":true}]}, and the count of cancellations of 1001 grows from 0 to 2`,
		Mend:   "Find the second hand on the work: a retry inside the server that does not look whether the first attempt did it, a message that is delivered twice, an item that is named twice.",
		Since:  set,
	},
	Applies: countsMean,
	Judge:   doneOnce,
	Missing: "no item that one call acknowledged was looked at before and after",
}

var con04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "CON-04", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupConcurrency,
		Title:  "as much is done in a crowd as is acknowledged",
		Text:   "Over calls in flight together as many effects come about as their rows acknowledge: none too many, and where each success adds one, none too few.",
		Impact: "The books do not add up after every busy hour, and no single answer shows why.",
		Source: "contract 8b, concurrency",
		Needs:  []conform.Need{conform.NeedConcurrency, conform.NeedState},
		Good:   "8 calls of 3 items in flight, 24 rows say done, and 24 were done",
		Bad:    "8 calls of 3 items in flight, 24 rows say done, and 25 were done",
		Mend:   "Count and change what is stored in one step, and let nobody else take up work that is under way: a lease, a status in the queue, a compare-and-swap.",
		Since:  set,
	},
	Applies: writesSeen,
	Judge:   addsUp,
	Missing: "no write in flight with others was bracketed by two readings of the state",
}

// countsMean says why it has no meaning how often an item was done.
func countsMean(s *conform.Subject) string {
	if s.Operation != nil && s.Operation.Write && s.Operation.Semantics == history.Idempotent {
		return "the target file says `semantics: idempotent`: doing it again changes nothing"
	}
	return writesSeen(s)
}

const uncounted = "the probe shows that an item was done, and not how often"

// doneOnce judges the calls that were alone with their items.
func doneOnce(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range s.Calls {
		p := c.Planned
		if p.Role != conform.RolePrimary || p.DryRun || p.Repeats != "" || p.Retries != "" || c.Sent == nil || !alone(s, c) {
			continue
		}
		v := see(s.Operation, c)
		if v.lost() != "" || !v.acknowledges() {
			continue
		}
		if look := v.counted(s); look != nil {
			looks = append(looks, *look)
		}
	}
	return looks
}

const twiceAlone = "calls that are alone do more than they say, too (see EFF-03)"

// moreThanSaid tells whether calls that are alone, and name each item once, do more than
// they say.
func moreThanSaid(s *conform.Subject) bool {
	return slices.ContainsFunc(doneOnce(s), func(l conform.Look) bool {
		return l.Verdict == conform.Fail && len(see(s.Operation, l.Call).repeated()) == 0
	})
}

// counted compares how often each item of a call was done with how often the call was
// told so; nil where nobody looked at any of them.
func (v *sight) counted(s *conform.Subject) *conform.Look {
	seen := eyesOn(s.Recording, v.Planned.Instance)
	before := read(seen.before(v.Sent.Seq), v.Op.FoldCase)
	after := read(seen.after(v.over()), v.Op.FoldCase)
	if before == nil || after == nil || s.Recording.ResetBetween(before.Seq, after.Seq) {
		return nil
	}
	told := map[string]int64{} // by what the eyes call it: how many rows say that it was done
	first := map[string]int{}
	for i, said := range v.words() {
		is := after.of(v.seenAs(v.Planned.Items[i]))
		if said != claimed || is == nil || v.Planned.Items[i].Truth == conform.Bad {
			continue
		}
		if _, met := first[is.ID]; !met {
			first[is.ID] = i
		}
		told[is.ID]++
	}
	semantics, _ := semanticsOf(s)
	judged, blind := 0, 0
	for i := range v.Planned.Items {
		names := v.seenAs(v.Planned.Items[i])
		was, is := before.of(names), after.of(names)
		if was == nil || is == nil || told[is.ID] == 0 || first[is.ID] != i || torn(was, is) != "" ||
			othersAsk(s, v.Planned.Instance, names, before.Seq, after.Seq, func(o *sight) bool { return o == v }) {
			continue
		}
		if was.Count == nil || is.Count == nil {
			blind++
			continue
		}
		judged++
		due := int64(1)
		if operationOf(s).Semantics == history.Append || operationOf(s).Semantics == "" && semantics != history.Once {
			due = told[is.ID] // each row may stand for one
		}
		more := *is.Count - *was.Count
		if more <= due {
			continue
		}
		switch {
		case seen.shared != "":
			return some(v.unclear("%s", seen.shared))
		case v.Op.Eventual:
			return some(v.unclear("the target file says `consistency: eventual`: what was counted may be the late effect of an earlier call"))
		}
		look := v.failItem(i, rowNode(v.rowFor(i)), fmt.Sprintf("%s is done %s", is.ID, times(due)),
			"it was done %s, by the eyes of %s: it was %s and is %s", times(more), after.Effect.Eyes, say(was), say(is))
		look.Evidence = append(look.Evidence, conform.Evidence{Call: after.Call, Seq: after.Seq, Excerpt: "read afterwards: " + is.ID + " is " + say(is)})
		return look
	}
	switch {
	case judged > 0:
		return some(v.pass())
	case blind > 0:
		look := v.cannot(uncounted)
		look.Hint = fmt.Sprintf("name the member that counts executions as `operations.%s.probe.count`, or let a probe look that can count: a log, a ledger, a balance", v.Op.Name)
		return &look
	}
	return nil
}

// times puts how often into words.
func times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}

// asksKey is of one playing.
type asksKey struct{ operation, instance string }

// asks gives, by every name that the eyes may know an item by, the calls of a playing
// that ask for it.
func asks(s *conform.Subject, instance string) map[string][]*sight {
	return s.Recording.Memo(asksKey{operationOf(s).Name, instance}, func() any {
		by := map[string][]*sight{}
		for _, c := range playsOf(s.Recording)[instance] {
			if c.Sent == nil || c.Planned.Operation != operationOf(s).Name || c.Planned.Role != conform.RolePrimary || c.Planned.DryRun {
				continue
			}
			v := see(s.Operation, c)
			for _, item := range v.Planned.Items {
				for _, name := range v.seenAs(item) {
					key := contract.Key(name.Value, operationOf(s).FoldCase)
					if all := by[key]; len(all) == 0 || all[len(all)-1] != v {
						by[key] = append(all, v)
					}
				}
			}
		}
		return by
	}).(map[string][]*sight)
}

// othersAsk tells whether a call that is none of these may have done an item between two
// looks.
func othersAsk(s *conform.Subject, instance string, names []contract.Identity, from, to int64, these func(*sight) bool) bool {
	by := asks(s, instance)
	for _, name := range names {
		for _, v := range by[contract.Key(name.Value, operationOf(s).FoldCase)] {
			if !these(v) && v.Sent.Seq < to && v.over() > from {
				return true
			}
		}
	}
	return false
}

// addsUp judges what each burst did by what its calls were told.
func addsUp(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, b := range bursts(s) {
		looks = append(looks, b.sum(s)...)
	}
	return looks
}

// sum compares what was told of each item of a burst with how often it was done.
func (b *burst) sum(s *conform.Subject) []conform.Look {
	wanted := b.wanted()
	var first, over int64 = forever, 0
	lost := ""
	var one *sight // of the operation's own
	for _, v := range b.own {
		if v.Planned.Role != conform.RolePrimary || v.Planned.DryRun {
			continue
		}
		if one == nil {
			one = v
		}
		first = min(first, v.Sent.Seq)
		if why := v.lost(); why != "" {
			lost = why
		}
		for _, in := range v.Received {
			over = max(over, in.Seq)
		}
	}
	if one == nil {
		return nil
	}
	seen := eyesOn(s.Recording, one.Planned.Instance)
	before, after := read(seen.before(first), operationOf(s).FoldCase), read(seen.after(over), operationOf(s).FoldCase)
	if before == nil || after == nil || s.Recording.ResetBetween(before.Seq, after.Seq) {
		return nil
	}
	for _, o := range []*reading{before, after} {
		if o.Effect.Problem != "" {
			return []conform.Look{one.unclear("the state could not be read by %s: %s", o.Effect.Eyes, o.Effect.Problem)}
		}
	}
	if seen.shared != "" {
		return []conform.Look{one.unclear("%s", seen.shared)}
	}
	if moreThanSaid(s) {
		return []conform.Look{one.cannot(twiceAlone)}
	}
	semantics, known := semanticsOf(s)
	accused := map[*sight]bool{}
	var looks []conform.Look
	compared, missing := 0, ""
	for _, v := range b.own {
		for i, item := range v.Planned.Items {
			asked := wanted[v.called(i)]
			if item.Truth == conform.Bad || len(asked) == 0 || asked[0].v != v || asked[0].item != i {
				continue
			}
			names := v.seenAs(item)
			was, is := before.of(names), after.of(names)
			if was == nil || is == nil || torn(was, is) != "" ||
				othersAsk(s, v.Planned.Instance, names, before.Seq, after.Seq, func(o *sight) bool { return o.Planned.Burst == b.name }) {
				continue
			}
			told, quiet := 0, 0 // rows that say done, and calls without a word
			var last position
			for _, p := range asked {
				for k, said := range p.v.words() {
					if p.v.called(k) != v.called(i) {
						continue
					}
					switch said {
					case claimed:
						told++
						last = p
					case silent:
						quiet++
					}
				}
			}
			if told == 0 { // what is refused and there is EFF-02's
				continue
			}
			if !is.Changed(*was) {
				missing = is.ID
				continue
			}
			compared++
			if was.Count == nil || is.Count == nil || semantics == history.Idempotent && operationOf(s).Semantics != "" {
				continue
			}
			more, deeds := *is.Count-*was.Count, len(deedsOf(asked))
			want := ""
			switch {
			case more > int64(told+quiet):
				want = "no more is done than the rows say"
			case semantics == history.Append && more < int64(deeds):
				want = "each success adds one (" + known + ")"
			default:
				continue
			}
			if accused[last.v] {
				continue
			}
			accused[last.v] = true
			look := last.v.failItem(last.item, rowNode(last.v.rowFor(last.item)), want,
				"%s was told as done %s by %s in flight, and was done %s, by the eyes of %s", is.ID, times(int64(told)), count(len(asked), "call"), times(more), after.Effect.Eyes)
			look.Evidence = append(look.Evidence, conform.Evidence{Call: after.Call, Seq: after.Seq, Excerpt: "read afterwards: " + is.ID + " is " + say(is)})
			if operationOf(s).Eventual {
				*look = last.v.unclear("the target file says `consistency: eventual`: what was counted may be the late effect of an earlier call")
			}
			looks = append(looks, *look)
		}
	}
	switch {
	case len(looks) > 0:
		return looks
	case missing != "":
		return []conform.Look{one.cannot("%s was acknowledged, and is as it was (see CON-01)", missing)}
	case lost != "":
		return []conform.Look{one.unclear("%s", lost)}
	case compared > 0:
		return []conform.Look{one.pass()}
	}
	return nil
}
