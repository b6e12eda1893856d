package multiitem

import (
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

func concurrency() []conform.Check {
	return []conform.Check{{
		Requirement: conform.Requirement{
			ID: "CON-01", Level: conform.Must, Basis: conform.Issue, Group: conform.GroupConcurrency,
			Title:  "acknowledged effects survive concurrency",
			Text:   "An item acknowledged while other calls were in flight is done afterwards.",
			Impact: "When two agents work at once, one of them loses its work and is told that all went well.",
			Source: "contract 8b; modelcontextprotocol/servers issues 1819, 2577, 3060, 3286",
			Needs:  []conform.Need{conform.NeedConcurrency, conform.NeedState},
			Good:   "8 calls of 3 items in flight, 24 items acknowledged, and 24 are there afterwards",
			Bad:    "8 calls of 3 items in flight, 24 items acknowledged, and 3 are there afterwards",
			Mend:   "Make reading, changing and storing one step: a lock around the file or row, a transaction, or a compare-and-swap that is repeated when it loses.",
			Since:  set,
		},
		Applies: writesSeen,
		Judge:   lostInTheCrowd,
		Missing: "no write in flight with others was bracketed by two readings of the state",
	}, con02, {
		Requirement: conform.Requirement{
			ID: "CON-03", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupConcurrency,
			Title:  "every call in flight is answered, and the next one works",
			Text:   "Of calls in flight together each is answered, and a call after them is answered too.",
			Impact: "Under a little load the service stops answering, and stays so until somebody restarts it.",
			Source: "contract 8b",
			Needs:  []conform.Need{conform.NeedConcurrency},
			Good:   "8 calls out, 8 answers in, and the ninth call is answered",
			Bad:    "8 calls out, 5 answers in; or 8 in, and the ninth call hangs",
			Mend:   "Look for a lock taken twice, a queue of fixed size that nobody empties, or one reply channel shared by several calls.",
			Since:  set,
		},
		Judge:   burstsAreAnswered,
		Missing: "no calls were in flight together",
	}, con04, con05, con06}
}

// lostInTheCrowd judges what was acknowledged in flight with other calls. Where
// calls alone lose what they acknowledge, EFF-01 says so, and being together is
// not the cause.
func lostInTheCrowd(s *conform.Subject) []conform.Look {
	looks := acknowledgedIsThere(func(_ *conform.Subject, c *conform.Call) bool { return c.Planned.Burst != "" })(s)
	if loses(s) {
		for i := range looks {
			looks[i] = see(s.Operation, looks[i].Call).cannot(losesAlone)
		}
	}
	return looks
}

// loses tells whether calls lose what they acknowledge although they are alone.
func loses(s *conform.Subject) bool {
	return slices.ContainsFunc(acknowledgedIsThere(alone)(s), func(l conform.Look) bool { return l.Verdict == conform.Fail })
}

const losesAlone = "calls that are alone lose what they acknowledge too (see EFF-01)"

// burstsAreAnswered looks at each burst as a whole, and at the call behind it.
func burstsAreAnswered(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, b := range bursts(s) {
		looks = append(looks, answeredBurst(b))
	}
	return looks
}

func answeredBurst(b *burst) conform.Look {
	calls, next := b.own, b.behind
	var hung []*sight
	for _, v := range calls {
		switch reason := v.lost(); {
		case reason == "":
		case v.Last() != nil && v.Last().End == conform.TimedOut:
			hung = append(hung, v)
		default:
			return v.unclear("%s", reason)
		}
	}
	if len(hung) > 0 {
		at := slices.IndexFunc(hung, func(v *sight) bool { return v.impatient("") == nil })
		if at < 0 {
			return *hung[0].impatient(hung[0].Last().Problem)
		}
		worst := hung[at]
		return worst.fail(nil, fmt.Sprintf("each of the %d calls in flight is answered", len(calls)),
			"%d of them got no answer: %s", len(hung), worst.Last().Problem)
	}
	if next == nil || next.Sent == nil {
		return calls[0].unclear("no call was made after the burst to see whether the server still works")
	}
	look := next.wentOn(fmt.Sprintf("the call after %d calls in flight is answered", len(calls)))
	if look.Verdict == conform.Pass && len(calls) > 0 && calls[0].Planned.Operation != next.Planned.Operation {
		return calls[0].pass() // what came behind was a call of another operation
	}
	return look
}
