package multiitem

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func effects() []conform.Check {
	return []conform.Check{{
		Requirement: conform.Requirement{
			ID: "EFF-01", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupEffects,
			Title:  "what is acknowledged is there",
			Text:   "An item that an answer calls done is done afterwards.",
			Impact: "People are told that something happened which did not; they learn it when it is too late to repair.",
			Source: "multi-item guide, purpose of results[]; contract decision 17",
			Needs:  []conform.Need{conform.NeedItems, conform.NeedState},
			Good:   `{"results":[{"id":"1001","success":true}]}, and the state of 1001 changes from ACTIVE to CANCELLED`,
			Bad:    `{"results":[{"id":"1001","success":true}]}, and 1001 is still ACTIVE`,
			Mend:   "Answer success only after the change is stored, and store it before answering: no write-behind without a row that says pending, no catch that swallows the store's error.",
			Since:  set,
		},
		Applies: writesSeen,
		Judge:   acknowledgedIsThere(alone),
		Missing: "no item that an answer calls done was looked at before and after",
	}, {
		Requirement: conform.Requirement{
			ID: "EFF-02", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupEffects,
			Title:  "what is refused is not there",
			Text:   "An item that an answer calls not done is as it was before.",
			Impact: "What was refused, or what the user declined, happens all the same; whoever tries again does it twice.",
			Source: "multi-item guide, purpose of results[]; contract decisions 16 and 17, 8b",
			Needs:  []conform.Need{conform.NeedItems, conform.NeedState},
			Good:   `{"results":[{"id":"2001","success":false,"error":"already_shipped"}]}, and 2001 is SHIPPED as before`,
			Bad:    `{"results":[{"id":"2001","success":false,"error":"already_shipped"}]}, and 2001 has become CANCELLED`,
			Mend:   "Decide before anything is changed, and take back what was done before a row says that it was not: the row is told from what is stored in the end.",
			Since:  set,
		},
		Applies: writesSeen,
		Judge:   refusedIsNotThere,
		Missing: "no item that an answer refused was looked at before and after",
	}, eff03, eff04}
}

var eff04 = conform.Check{
	Requirement: conform.Requirement{
		ID: "EFF-04", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupEffects,
		Title:  "a dry run does nothing",
		Text:   "A call with the arguments that the target file names under dry_run changes no item, whatever its answer says.",
		Impact: "What was to be tried only is done: nobody has asked for it, and nobody expects it.",
		Source: "contract 8b, effects; the target file's own word (`dry_run`)",
		Needs:  []conform.Need{conform.NeedItems, conform.NeedState},
		Good:   `{"items":[{"id":"1001"}],"dry_run":true}, and 1001 is ACTIVE before and afterwards`,
		Bad:    `{"items":[{"id":"1001"}],"dry_run":true}, and 1001 has become CANCELLED`,
		Mend:   "Look at the argument before anything is changed, and in every branch that changes something; refuse a call whose dry run cannot be kept. If the tool knows no dry run, take `dry_run` out of the target file.",
		Since:  set,
	},
	Applies: func(s *conform.Subject) string {
		if s.Operation != nil && s.Operation.Write && s.Operation.DryRun == nil {
			return "the target file names no arguments of a dry run (`dry_run`)"
		}
		return writesSeen(s)
	},
	Judge: func(s *conform.Subject) []conform.Look {
		return untouched(s, func(v *sight) bool { return v.Planned.DryRun }, "a dry run")
	},
	Missing: "no dry run was bracketed by two readings of the state",
}

// writesSeen says why rules of effect have no meaning for an operation.
func writesSeen(s *conform.Subject) string {
	switch {
	case s.Operation == nil:
		return ""
	case !s.Operation.Write:
		return "the operation reads only (`effect: read`)"
	case s.Operation.Probe == conform.Absent:
		return "the target file declares that nothing shows the state (`probe: none`): answers only"
	}
	return ""
}

// acknowledgedIsThere compares the word of each call with the state of its items
// before and after. Only items that were good are judged: success for a bad item
// is RES-12's matter.
func acknowledgedIsThere(which func(*conform.Subject, *conform.Call) bool) func(*conform.Subject) []conform.Look {
	return func(s *conform.Subject) []conform.Look {
		var looks []conform.Look
		for _, c := range s.Calls {
			if c.Planned.Role != conform.RolePrimary || c.Planned.DryRun || c.Planned.Repeats != "" || c.Planned.Retries != "" || !which(s, c) {
				continue
			}
			v := see(s.Operation, c)
			seen := eyesOn(s.Recording, c.Planned.Instance)
			if len(seen.all) == 0 || v.lost() != "" {
				continue
			}
			if look := v.there(seen, patience(s.Recording, v.Op.Name)); look != nil {
				looks = append(looks, *look)
			}
		}
		return looks
	}
}

func (v *sight) there(seen eyes, waited time.Duration) *conform.Look {
	if !v.acknowledges() {
		return nil
	}
	before := read(seen.before(v.Sent.Seq), v.Op.FoldCase)
	after := read(seen.after(v.Received[len(v.Received)-1].Seq), v.Op.FoldCase)
	if before == nil || after == nil {
		return some(v.unclear("the state was not read both before and after the call"))
	}
	for _, o := range []*reading{before, after} {
		if o.Effect.Problem != "" {
			return some(v.unclear("the state could not be read by %s: %s", o.Effect.Eyes, o.Effect.Problem))
		}
	}
	var gone, elsewhere, spent []string
	var judged, first int
	ambiguous, nameless := "", false
	for i, said := range v.words() {
		item := v.Planned.Items[i]
		if said != claimed || item.Truth == conform.Bad {
			continue
		}
		names := v.seenAs(item)
		was, is := before.of(names), after.of(names)
		if was == nil || is == nil {
			nameless = true
			continue
		}
		if why := torn(was, is); why != "" {
			ambiguous = cmp.Or(ambiguous, why)
			continue
		}
		judged++
		done := is.Changed(*was)
		if is.Done != nil {
			done = *is.Done
		}
		if done && !is.Changed(*was) { // the call may have done nothing
			spent = append(spent, fmt.Sprintf("%s was %s", is.ID, say(was)))
			continue
		}
		if !done && is.Changed(*was) {
			elsewhere = append(elsewhere, fmt.Sprintf("%s changed from %s to %s", is.ID, say(was), say(is)))
			continue
		}
		if !done {
			if len(gone) == 0 {
				first = i + 1
			}
			gone = append(gone, fmt.Sprintf("%s is %s", is.ID, say(is)))
		}
	}
	switch {
	case judged == 0 && ambiguous == "" && nameless:
		look := v.cannot("the probe knows none of the acknowledged items by a name that they have, so that effects are not judged")
		look.Hint = fmt.Sprintf("name the member that items and the probe's rows share as `operations.%[1]s.probe.id`, or the items' own under `operations.%[1]s.results.id`", v.Op.Name)
		return &look
	case judged == 0 && ambiguous == "":
		return nil
	case seen.shared != "":
		return some(v.unclear("%s", seen.shared))
	case judged == 0, len(gone) == 0 && len(elsewhere) == 0 && ambiguous != "":
		return some(v.tornLook(ambiguous))
	case len(spent) == judged:
		look := v.unclear("acknowledged items were already done before the call, so that nothing shows whether it did anything: %s", few(spent))
		look.Hint = fmt.Sprintf("reset them, or give fresh items (`operations.%[1]s.items.good`); if they were not done, correct `operations.%[1]s.probe.done` in the target file", v.Op.Name)
		return &look
	}
	if len(gone) == 0 && len(elsewhere) > 0 {
		look := v.unclear("acknowledged items changed to a state that `probe.done` does not name: %s", few(elsewhere))
		look.Hint = "correct `operations." + v.Op.Name + ".probe.done` in the target file, or leave it out: any change counts then"
		return &look
	}
	if len(gone) == 0 {
		return some(v.pass())
	}
	patiently := ""
	if waited > 0 {
		patiently = fmt.Sprintf(" (up to %s were waited for it)", waited)
	}
	look := v.fail(nil, "every item that the answer calls done changes its state",
		"%d of %d acknowledged items did not change, by the eyes of %s%s: %s", len(gone), judged, after.Effect.Eyes, patiently, few(gone))
	look.Item = first
	look.Evidence = append(look.Evidence, conform.Evidence{Call: after.Call, Seq: after.Seq, Excerpt: "read afterwards: " + few(gone)})
	return &look
}

// acknowledges tells whether the answer calls an item done that is not known to be bad.
func (v *sight) acknowledges() bool {
	for i, said := range v.words() {
		if said == claimed && v.Planned.Items[i].Truth != conform.Bad {
			return true
		}
	}
	return false
}

// few names the first few of many.
func few(words []string) string {
	const enough = 5
	if len(words) <= enough {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:enough], ", "), len(words)-enough)
}
