package fakebackend

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// named is how many items a confirmation or a reason names one by one.
const namedAtMost = 10

// validate says whether at least one of the things asked for can be cancelled,
// and what the call to cancel them is: every requested item under its canonical
// name and id, those that cannot be cancelled marked eligible:false with the
// reason. It changes nothing. subject says whether the items came in a text, and
// are to be handed on as one too.
func (b *Backend) validate(c *call, s *shelf, refs []ref, parameter, target string) *answer {
	atomic.StoreInt64(&c.items, int64(len(refs)))
	if len(refs) == 0 {
		return &answer{payload: of(
			"eligible", false,
			"status", "NEEDS_PARAMETER",
			"parameter", parameter,
			"parameter_message", "Which "+s.kind+"s are to be cancelled?",
			"reason", "no "+s.kind+" was named",
		)}
	}
	b.load.each(c.ctx, len(refs), func(int) {})
	items := make([]resolved, len(refs))
	first := map[string]int{}
	for i, r := range refs {
		r.judged, r.marked, r.reason = false, false, "" // a mark of an earlier validation is judged anew
		item := s.resolve(r, true)
		if item.problem == "" {
			item.problem = refusal(item.entry, s.look(item.entry))
			item.detail = details[item.problem]
		}
		if earlier, there := first[item.entry.id]; there && item.problem == "" {
			item.problem = "duplicate_in_call"
			item.detail = fmt.Sprintf("the same as item %d", earlier+1)
		}
		if item.problem == "" {
			first[item.entry.id] = i
		}
		items[i] = item
	}
	for _, bent := range c.bends {
		if bent.judged != nil {
			bent.judged(b, c, s, items)
		}
	}
	return &answer{payload: judgement(items, s.kind, parameter, target)}
}

func judgement(items []resolved, kind, parameter, target string) *object {
	var good, bad []string
	entries, names := make([]any, len(items)), make([]string, len(items))
	for i, item := range items {
		names[i] = item.canonicalName()
		entries[i] = item.entryForPrimary(names[i])
		if item.problem == "" {
			good = append(good, names[i])
		} else {
			bad = append(bad, names[i]+" ("+item.problem+")")
		}
	}
	arguments := &object{}
	if parameter == "subject" {
		arguments.add("subject", spell(names))
	}
	arguments.add("items", entries)
	decision := of("resolved_arguments", arguments)

	status := "ELIGIBLE"
	switch {
	case len(good) == 0:
		status = "NOT_ELIGIBLE"
	case len(bad) > 0:
		status = "PARTIALLY_ELIGIBLE"
	}
	payload := of("eligible", len(good) > 0, "status", status)
	if len(bad) > 0 {
		payload.add("reason", fmt.Sprintf("%d of %d cannot be cancelled: %s.", len(bad), len(items), enumerate(bad)))
	}
	if len(good) > 0 {
		confirmation := fmt.Sprintf("Cancel %d %s: %s.", len(good), plural(len(good), kind), enumerate(good))
		if len(bad) > 0 {
			confirmation += " Not possible: " + enumerate(bad) + "."
		}
		decision.add("target_tool", target).add("confirmation_message", confirmation)
	}
	return payload.add("transaction_decision", decision)
}

// canonicalName is the catalogue's name of a thing, else what the caller wrote.
func (r resolved) canonicalName() string {
	switch {
	case r.found:
		return r.entry.name
	case r.name != "":
		return r.name
	}
	return r.id
}

// entryForPrimary is the item as the primary tool is to be given it.
func (r resolved) entryForPrimary(name string) *object {
	item := &object{}
	switch {
	case r.found:
		item.add("id", r.entry.id)
	case r.id != "":
		item.add("id", r.id)
	}
	if r.found || r.name != "" {
		item.add("name", name)
	}
	if r.found && r.name != "" && r.name != name {
		item.add("requested", r.name)
	}
	item.add("eligible", r.problem == "")
	if r.problem != "" {
		item.add("reason", r.problem)
		if r.detail != "" {
			item.add("detail", r.detail)
		}
	}
	return item
}

func enumerate(names []string) string {
	if len(names) > namedAtMost {
		return strings.Join(names[:namedAtMost], "; ") + fmt.Sprintf("; and %d more", len(names)-namedAtMost)
	}
	return strings.Join(names, "; ")
}

func plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}
