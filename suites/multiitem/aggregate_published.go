package multiitem

import (
	"fmt"
	"maps"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var agg05 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-05", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "published totals equal the rows",
		Text:   "Counts and status that the server publishes beside its rows equal those that the rows give.",
		Impact: "The summary that people read says something else than what happened.",
		Source: "agent_platform_oci, multi-item guide, anti-pattern of the global boolean; contract 8b",
		Needs:  response,
		Good:   `{"status":"PARTIAL_SUCCESS","total":2,"succeeded":1,"failed":1,"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Bad:    `{"status":"SUCCESS","total":2,"succeeded":2,"failed":0,"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Mend:   "Compute the totals from the rows that are sent, last; a name that means something else can be taken out with `results.aggregates` in the target file.",
		Since:  set,
	},
	Applies: carried(conform.RolePrimary, "no answer publishes totals beside its rows", func(v *sight) bool {
		return v.HasRows() && len(v.published()) > 0
	}),
	Judge:   rows(atLeast(2), totalsAgree),
	Missing: "no batch was answered with rows and with totals beside them",
}

// aggregateKind is what an aggregate counts.
type aggregateKind string

const (
	ofAll       aggregateKind = "total"
	ofDone      aggregateKind = "succeeded"
	ofFailed    aggregateKind = "failed"
	ofAllDone   aggregateKind = "all_succeeded"
	ofTheStatus aggregateKind = "status"
)

// closedList is the contract's list of aggregates (8b).
var closedList = map[string]aggregateKind{
	"total": ofAll, "count": ofAll, "items_count": ofAll,
	"succeeded": ofDone, "successful": ofDone, "success_count": ofDone,
	"failed": ofFailed, "failure_count": ofFailed, "failed_count": ofFailed,
	"all_succeeded": ofAllDone, "status": ofTheStatus,
}

// aggregates is the closed list as the target file changes it. A name that it
// adds counts failures or successes if it speaks of them, else all rows.
func (v *sight) aggregates() map[string]aggregateKind {
	r := v.Op.Results
	list := maps.Clone(closedList)
	for _, name := range r.Add {
		low := strings.ToLower(name)
		switch {
		case strings.Contains(low, "fail") || strings.Contains(low, "error"):
			list[name] = ofFailed
		case strings.Contains(low, "succe") || strings.Contains(low, "done") || strings.Contains(low, "complet") || strings.Contains(low, "ok"):
			list[name] = ofDone
		default:
			list[name] = ofAll
		}
	}
	for _, name := range r.Remove {
		delete(list, name)
	}
	return list
}

// published gives the aggregates of an answer: beside its rows, and one level
// below in summary, counts and stats.
func (v *sight) published() []rawjson.Member {
	var found []rawjson.Member
	list, holder := v.aggregates(), v.holder()
	for _, at := range []*rawjson.Node{holder, holder.Get("summary"), holder.Get("counts"), holder.Get("stats")} {
		if !at.Is(rawjson.Object) {
			continue
		}
		for _, m := range at.Members {
			if kind, ok := list[m.Name]; ok && fits(kind, m.Value) {
				found = append(found, m)
			}
		}
	}
	return found
}

// totalsAgree judges answers that publish aggregates.
func totalsAgree(_ *conform.Subject, v *sight) *conform.Look {
	published := v.published()
	if len(published) == 0 {
		return nil
	}
	status, why := v.Status()
	_, succeeded, failed := v.Answer.Count()
	beyond := v.paged()
	switch {
	case beyond && !v.AllReadable():
		return some(v.cannot("%s", v.unreadable()))
	case beyond:
		status = statusOf(succeeded, failed)
	case status == contract.StatusUnknown:
		return some(v.cannot("no status can be derived from the rows: %s", why))
	}
	var wrong []string
	var at []*rawjson.Node
	unsaid := false // whether a total speaks of rows that nobody asked for
	for _, m := range published {
		want := derived(v.aggregates()[m.Name], status, succeeded, failed)
		if equalTo(m.Value, want) || v.ofItsPage(m) {
			continue
		}
		if beyond && v.ofAllPages(m) {
			unsaid = true
			continue
		}
		wrong = append(wrong, fmt.Sprintf("%s is %s, the rows give %s", m.Name, m.Value.Excerpt(40), want))
		at = append(at, m.Value)
	}
	switch {
	case len(wrong) == 0 && unsaid:
		return some(v.onePage())
	case len(wrong) == 0:
		return some(v.pass())
	}
	return some(v.fail(at[0], fmt.Sprintf("%s: %d rows, %d done, %d failed", status, len(v.Answer.Rows), succeeded, failed), "%s", strings.Join(wrong, "; ")))
}

// ofItsPage tells whether a published aggregate of an answer on pages is that of
// the first page alone: such totals are not wrong.
func (v *sight) ofItsPage(m rawjson.Member) bool {
	if !v.onPages() {
		return false
	}
	first := v.Answer.Rows[:v.whole.First]
	succeeded, failed := 0, 0
	for _, row := range first {
		switch row.Flag {
		case contract.Succeeded:
			succeeded++
		case contract.Failed:
			failed++
		}
	}
	return equalTo(m.Value, derived(v.aggregates()[m.Name], statusOf(succeeded, failed), succeeded, failed))
}

// statusOf is the status of rows that are looked at by themselves.
func statusOf(succeeded, failed int) contract.Status {
	switch {
	case failed == 0:
		return contract.Success
	case succeeded == 0:
		return contract.AllFailed
	}
	return contract.Partial
}

// ofAllPages tells whether a published aggregate may be right of all rows, of an
// answer that is one page of them: whatever the rows say that nobody asked for, it
// is no less than those that came, and no more than the items left over make it.
func (v *sight) ofAllPages(m rawjson.Member) bool {
	_, succeeded, failed := v.Answer.Count()
	more := v.N() - succeeded - failed
	within := func(least int) bool {
		for n := least; n <= least+more; n++ {
			if equalTo(m.Value, fmt.Sprint(n)) {
				return true
			}
		}
		return false
	}
	switch v.aggregates()[m.Name] {
	case ofDone:
		return within(succeeded)
	case ofFailed:
		return within(failed)
	case ofAllDone:
		return equalTo(m.Value, "false") || failed == 0
	case ofTheStatus:
		return equalTo(m.Value, string(contract.Partial)) || equalTo(m.Value, string(contract.Success)) && failed == 0 ||
			equalTo(m.Value, string(contract.AllFailed)) && succeeded == 0
	}
	return within(succeeded + failed)
}

// fits tells whether a value is of the kind that its name promises. A list
// named failed is no count, and a status of another vocabulary is free.
func fits(kind aggregateKind, n *rawjson.Node) bool {
	switch kind {
	case ofAllDone:
		return n.Is(rawjson.Bool)
	case ofTheStatus:
		word, _ := n.Str()
		return word == string(contract.Success) || word == string(contract.Partial) || word == string(contract.AllFailed)
	}
	return n.Is(rawjson.Number)
}

func derived(kind aggregateKind, status contract.Status, succeeded, failed int) string {
	switch kind {
	case ofDone:
		return fmt.Sprint(succeeded)
	case ofFailed:
		return fmt.Sprint(failed)
	case ofAllDone:
		return fmt.Sprint(failed == 0)
	case ofTheStatus:
		return string(status)
	}
	return fmt.Sprint(succeeded + failed)
}

// equalTo compares a published value with the derived one. 2.0 is 2.
func equalTo(n *rawjson.Node, want string) bool {
	switch n.Kind {
	case rawjson.Number:
		literal, _ := n.Literal()
		whole, fraction, _ := strings.Cut(literal, ".")
		return whole == want && strings.Trim(fraction, "0") == ""
	case rawjson.String:
		s, _ := n.Str()
		return s == want
	}
	return string(n.Raw) == want
}

var agg06 = conform.Check{
	Requirement: conform.Requirement{
		ID: "AGG-06", Level: conform.May, Basis: conform.Documented, Group: conform.GroupCore,
		Title:  "the framework's names are left to it",
		Text:   "multi_item_status, partial_success, original_ok, secondary_error and metadata.multi_item are not sent, or equal what the rows give.",
		Impact: "The server's own word is mistaken for the platform's reckoning.",
		Source: "agent_platform_oci, multi-item guide, fields that the runtime adds",
		Needs:  response,
		Good:   `{"results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Bad:    `{"multi_item_status":"SUCCESS","results":[{"id":"A-1","success":true},{"id":"X-9","success":false,"error":"locked"}]}`,
		Mend:   "Leave these names to the framework, which works them out from the rows.",
		Since:  set,
	},
	Judge:   rows(atLeast(1), frameworkNames),
	Missing: "no answer held rows",
}

// frameworkNames judges names that belong to the runtime.
func frameworkNames(_ *conform.Subject, v *sight) *conform.Look {
	paged := v.paged()
	status, _ := v.Status()
	_, succeeded, failed := v.Answer.Count()
	known := status != contract.StatusUnknown
	want := map[string]string{
		"multi_item_status": string(status), "partial_success": fmt.Sprint(status == contract.Partial),
		"status": string(status), "items_count": fmt.Sprint(succeeded + failed),
		"items_succeeded_count": fmt.Sprint(succeeded), "items_failed_count": fmt.Sprint(failed),
		"primary_tool": v.Planned.Tool,
	}
	type held struct {
		at    *rawjson.Node
		names []string
	}
	var look []held
	for _, at := range v.tops() {
		look = append(look, held{at, []string{"multi_item_status", "partial_success"}},
			held{at.At("metadata", "multi_item"), []string{"status", "items_count", "items_succeeded_count", "items_failed_count", "primary_tool"}})
		for _, name := range []string{"original_ok", "secondary_error"} {
			if n := at.Get(name); n != nil {
				return some(v.fail(n, "no member "+name, "%s is sent", name))
			}
		}
	}
	for _, h := range look {
		for _, name := range h.names {
			if n := h.at.Get(name); n != nil && known && !equalTo(n, want[name]) {
				if paged && name != "primary_tool" {
					return some(v.onePage())
				}
				return some(v.fail(n, name+" left out, or "+want[name], "%s is %s", name, n.Excerpt(60)))
			}
		}
	}
	return some(v.pass())
}
