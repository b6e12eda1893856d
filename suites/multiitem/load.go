package multiitem

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func load() []conform.Check {
	return []conform.Check{{
		Requirement: conform.Requirement{
			ID: "LD-01", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupConcurrency,
			Title:  "no row of another call",
			Text:   "Batches in flight together never mix: each answer holds the rows of its own items, and no other's.",
			Impact: "One customer is shown, or acts on, the outcome of another customer's items.",
			Source: "contract section 8, load; 8b",
			Needs:  []conform.Need{conform.NeedConcurrency},
			Good:   "asked for B1 and B2, answered for B1 and B2, whatever else is in flight",
			Bad:    "asked for B1 and B2, answered for B3 and B4, which another call in flight asked for",
			Mend:   "Build the rows in variables of the call, not in a field, buffer or cache that calls share; give each answer the id of its own request.",
			Since:  set,
		},
		Judge:   ownRowsOnly,
		Missing: "no calls with items of their own were in flight together",
	}, {
		Requirement: conform.Requirement{
			ID: "LD-02", Level: conform.Should, Basis: conform.Code, Group: conform.GroupCore,
			Title:  "large batches are answered whole and in time",
			Text:   "A batch of 25, 100, 500 or 1,000 items is answered for every item within 30 seconds, the client platform's default.",
			Impact: "The first big order of the year times out, and nobody knows how much of it was done.",
			Source: "consumer's MCP client, default timeout; contract section 8, load",
			Needs:  []conform.Need{conform.NeedItems},
			Good:   "500 items asked for, 500 rows in 2 seconds",
			Bad:    "500 items asked for, 100 rows; or no answer in 30 seconds",
			Mend:   "Work on the items in parallel or in bulk downstream; if there is a limit, declare it as maxItems in the input schema so that callers can split.",
			Since:  set,
		},
		Judge:   largeBatches,
		Missing: noLarge,
	}}
}

// platformPatience is how long the client platform waits by default.
const platformPatience = 30 * time.Second

// answeredAfter is how long the answer took. When a job ended is known only by the looks at
// it: it had not yet at the last but one.
func (v *sight) answeredAfter() time.Duration {
	if n := len(v.parts); v.job() && v.whole.Pages == 0 {
		return v.parts[n-2].Response.In.At - v.Sent.At
	}
	return v.lasted()
}

// stamping is how far apart the beginning of a call's time and the stamp on what
// was sent may be: a call that is given up after the platform's time is not to
// count as one that was given up before.
const stamping = 250 * time.Millisecond

// waited is how long the call was waited for by the run, which may be less patient
// than the platform, or more; gaveUp is false where it was not given up. An answer
// that came late says how long it took.
func (v *sight) waited() (waited time.Duration, gaveUp bool) {
	at := slices.IndexFunc(v.Received, func(in *conform.Observation) bool { return in.Received.End == conform.TimedOut })
	if at < 0 {
		return v.lasted(), v.Ending.Cancelled || v.unended() != ""
	}
	late := slices.IndexFunc(v.Received[at:], func(in *conform.Observation) bool {
		return in.Received.End == conform.Complete && len(in.Received.Body) > 0
	})
	return v.Received[at+max(late, 0)].At - v.Sent.At, true
}

// impatient is the look of a rule about time at a call that the run gave up before
// the platform would have: it was our patience that ended. Nil: the call had the
// platform's time.
func (v *sight) impatient(reason string) *conform.Look {
	if waited, _ := v.waited(); waited+stamping >= platformPatience {
		return nil
	}
	look := v.unclear("%s; the platform would have waited for %s", reason, platformPatience)
	look.Hint = fmt.Sprintf("give calls %s or more (`timeouts.call` in the target file, or --timeout)", platformPatience)
	return &look
}

// unheard is the look of any other rule at a call without an answer to judge.
func (v *sight) unheard() conform.Look {
	if v.Last() != nil && v.Last().End == conform.TimedOut {
		if look := v.impatient(v.lost()); look != nil {
			return *look
		}
	}
	return v.unclear("%s", v.lost())
}

// largest is the size from which a batch is large.
const largest = 25

func largeBatches(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range s.Calls {
		if c.Planned.Role != conform.RolePrimary || len(c.Planned.Items) < largest || c.Sent == nil {
			continue
		}
		v := see(s.Operation, c)
		if key, why := v.defers(s.Recording); key != "" {
			looks = append(looks, v.keyless(key, why))
			continue
		}
		looks = append(looks, v.wholeInTime())
	}
	if len(looks) == 0 {
		for _, p := range s.Recording.Plays {
			if s.Operation != nil && p.Operation == s.Operation.Name && slices.Contains(p.Checks, "LD-02") && strings.Contains(p.Smaller, "limits.batch`") {
				return []conform.Look{{Verdict: conform.NotRun, Reason: noLarge + ": " + p.Smaller}}
			}
		}
	}
	return looks
}

// noLarge is why large batches are not judged where none was sent.
const noLarge = "no batch of 25 items or more was sent"

func (v *sight) wholeInTime() conform.Look {
	want := fmt.Sprintf("%d rows within %s", v.N(), platformPatience)
	if reason := v.lost(); reason != "" {
		if _, gaveUp := v.waited(); !gaveUp {
			return v.unclear("%s", reason)
		}
		if look := v.impatient(reason); look != nil {
			return *look
		}
		return v.fail(nil, want, "%s", reason)
	}
	if !v.HasRows() {
		return v.cannot(noRows)
	}
	if v.paged() {
		return v.onePage()
	}
	if missing := v.Tie.Missing(); len(missing) > 0 {
		return v.fail(v.Answer.List, want, "%d rows, %d items unanswered", len(v.Answer.Rows), len(missing))
	}
	if took := v.answeredAfter(); took > platformPatience {
		return v.fail(nil, want, "the answer took %s", took.Round(time.Millisecond))
	}
	return v.pass()
}

// ownRowsOnly looks at every call in flight with others for a row that names an
// item only another of them asked for.
func ownRowsOnly(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, b := range bursts(s) {
		for _, v := range b.own {
			switch reason := v.lost(); {
			case len(b.all) < 2:
			case reason != "":
				looks = append(looks, v.unclear("%s", reason))
			default:
				looks = append(looks, v.isolated(b))
			}
		}
	}
	return looks
}

func (v *sight) isolated(b *burst) conform.Look {
	mine := map[string]bool{}
	for _, name := range v.requested() {
		mine[name] = true
	}
	rows := v.ownedRows()
	if len(rows) == 0 {
		return v.cannot("the answer has no rows whose owner could be told")
	}
	for _, row := range rows {
		if value, other := v.alien(row, mine, b); other != "" {
			return v.fail(row, "rows of the call's own items", "a row for %s, which only the call %s asked for", value, other)
		}
	}
	return v.pass()
}

// ownedRows are the parts of an answer that each speak of one item: its rows, and
// what a validator resolved.
func (v *sight) ownedRows() []*rawjson.Node {
	switch {
	case v.Planned.Role == conform.RoleValidator:
		if items := v.resolved().Get(v.Op.Argument); items.Is(rawjson.Array) {
			return items.Items
		}
		return nil
	case v.HasRows() && v.Op.Results.Path == "":
		return v.Answer.List.Items
	}
	return v.mappedRows()
}

// alien gives a name that a row has and that only another call in flight asked for,
// and that call; empty: it has none. A row that names one of the call's own items may
// have numbers beside its name that are no names; and where the target file says which
// members name an item, and one of them does, ids of the server's own.
func (v *sight) alien(row *rawjson.Node, mine map[string]bool, b *burst) (value, other string) {
	owned, named := false, false
	for _, m := range row.Members {
		text, ok := scalar(m.Value)
		name := contract.Canonical(text, v.Op.FoldCase)
		owned = owned || ok && mine[name]
		named = named || ok && mine[name] && v.declared(m.Name)
	}
	for _, m := range row.Members {
		text, ok := scalar(m.Value)
		name := contract.Canonical(text, v.Op.FoldCase)
		if !ok || mine[name] || named && !v.declared(m.Name) || owned && m.Value.Is(rawjson.Number) && !v.identifies(m.Name) {
			continue
		}
		if owner := b.owner()[name]; owner != "" {
			return text, owner
		}
	}
	return "", ""
}

// declared tells whether the target file says that a member of that name names the item
// of a row.
func (v *sight) declared(member string) bool {
	return slices.ContainsFunc(v.Op.Results.ID, func(id string) bool { return strings.EqualFold(id, member) })
}

// identifies tells whether a member of that name says which item a row is about.
func (v *sight) identifies(member string) bool {
	same := func(other string) bool { return strings.EqualFold(other, member) }
	return slices.ContainsFunc([]string{"id", "name", "subject", "key"}, same) || v.declared(member)
}

type requestedKey struct{}

// requested gives the canonical forms of all names of all items of the call. They
// are worked out once: in a burst every call is compared with every other.
func (v *sight) requested() []string {
	return v.Memo(requestedKey{}, func() any {
		var names []string
		for _, item := range v.Planned.Items {
			for _, identity := range contract.Identities(item, v.options()) {
				names = append(names, contract.Canonical(identity.Value, v.Op.FoldCase))
			}
		}
		return names
	}).([]string)
}
