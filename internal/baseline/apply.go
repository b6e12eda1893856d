package baseline

import (
	"fmt"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
)

// Apply holds a report against the baseline, as of a day: it marks the findings that
// are known, and gives the report what differs. The verdict stays what it is.
//
// Nothing of a narrowed, partial or ended run tells that an entry holds no more: what
// would have shown it may not have been asked.
func (f *File) Apply(r *reports.Report, today time.Time) {
	h := &holding{file: f, report: r, today: today, out: &reports.Baseline{File: f.Path, Unexpected: []reports.Deviation{}, Stale: []reports.Deviation{}, Unverified: []reports.Deviation{}},
		used: map[*Entry]bool{}, over: map[*Entry]bool{}}
	for i := range r.Findings {
		h.finding(&r.Findings[i])
	}
	h.consequences()
	h.rest()
	whole := len(r.Run.Narrowed) == 0 && !r.Run.Partial && r.Run.Ended == conform.EndDone
	if whole {
		h.stale()
	}
	r.Baseline = h.out
	r.VerdictLine += h.line()
}

// holding is one report held against one baseline.
type holding struct {
	file   *File
	report *reports.Report
	today  time.Time
	out    *reports.Baseline
	used   map[*Entry]bool
	over   map[*Entry]bool // ended, and told
	// follow are findings that follow from others: known if those are.
	follow []*conform.Finding
}

func (h *holding) at(e *Entry) string { return fmt.Sprintf("%s:%d", h.file.Path, e.Line) }

// counting gives the entries of a list that are for a finding and count today.
func (h *holding) counting(list []Entry, f *conform.Finding) []*Entry {
	var found []*Entry
	for i := range list {
		e := &list[i]
		if !e.speaksOf(f.ID, f.Operation) {
			continue
		}
		if e.expired(h.today) {
			if !h.over[e] {
				h.over[e] = true
				h.note("%s: the entry for %s ended on %s, and counts no more", h.at(e), e.Check, e.Until.Format(day))
			}
			continue
		}
		found = append(found, e)
	}
	return found
}

func (h *holding) note(format string, args ...any) {
	h.out.Notes = append(h.out.Notes, fmt.Sprintf(format, args...))
}

func (h *holding) finding(f *conform.Finding) {
	if f.Narrowed || f.Pending {
		return
	}
	switch class := reports.ClassOf(*f); class {
	case reports.ClassFail, reports.ClassWarning, reports.ClassAdvice:
		if f.ConsequenceOf != "" && len(h.counting(h.file.Failures, f)) == 0 {
			h.follow = append(h.follow, f)
			return
		}
		h.failure(f)
	case reports.ClassInconclusive, reports.ClassNotRun:
		h.unverified(f)
	}
}

func (h *holding) failure(f *conform.Finding) {
	entries := h.counting(h.file.Failures, f)
	if len(entries) == 0 {
		h.unexpected(f, brief(f.Got))
		return
	}
	by, beyond := share(entries, f)
	for _, e := range by {
		h.used[e] = true
	}
	limit := lenient(by) // nil where none is for a scenario that failed
	switch {
	case len(beyond) > 0:
		h.unexpected(f, fmt.Sprintf("it fails in %s too, which the entry in line %d does not list", strings.Join(beyond, ", "), entries[0].Line))
	case limit.Rate > 0 && often(f) > limit.Rate:
		h.unexpected(f, fmt.Sprintf("it failed %d of %d times, which is more often than the %.3g %% of line %d", f.Count, f.Of, 100*limit.Rate, limit.Line))
	default:
		h.known(f, limit)
	}
}

// lenient gives the entry that allows most: a report counts a failure over its scenarios
// together, so that what exceeds the rate of one entry may be another's.
func lenient(entries []*Entry) *Entry {
	var most *Entry
	for _, e := range entries {
		switch {
		case e.Rate == 0: // it may fail every time
			return e
		case most == nil || e.Rate > most.Rate:
			most = e
		}
	}
	return most
}

// share gives the entries that are for some scenario in which a finding failed, and
// the scenarios that none is for.
func share(entries []*Entry, f *conform.Finding) (by []*Entry, beyond []string) {
	scenarios := f.Scenarios
	if len(scenarios) == 0 {
		scenarios = []string{f.Scenario}
	}
	used := map[*Entry]bool{}
	for _, s := range scenarios {
		covered := false
		for _, e := range entries {
			if !e.covers(s) {
				continue
			}
			covered = true
			if !used[e] {
				used[e] = true
				by = append(by, e)
			}
		}
		if !covered {
			beyond = append(beyond, s)
		}
	}
	return by, beyond
}

// often is the least share that a finding may be said to fail by: the lower end of its
// 95 % interval, so that one failure of three does not break a rate of 5 %.
func often(f *conform.Finding) float64 {
	if f.Of == 0 {
		return 0
	}
	return suites.Wilson(f.Count, f.Of)[0]
}

func (h *holding) known(f *conform.Finding, e *Entry) {
	f.Known = &conform.Known{Because: e.Because, Rate: e.Rate, At: h.at(e)}
	if !e.Until.IsZero() {
		f.Known.Until = e.Until.Format(day)
	}
	h.out.Known++
}

func (h *holding) unexpected(f *conform.Finding, what string) {
	if reports.Breaks(*f, h.report.Run.Strict) {
		h.out.Unexpected = append(h.out.Unexpected, reports.Deviation{Check: f.ID, Operation: f.Operation, What: what})
	}
}

// consequences takes what follows from a known failure for known, and the rest for
// failures like any other.
func (h *holding) consequences() {
	for _, f := range h.follow {
		root := h.root(f)
		if root == nil || root.Known == nil {
			h.unexpected(f, brief(f.Got))
			continue
		}
		f.Known = root.Known
	}
}

// root gives the finding that another follows from; nil: there is none.
func (h *holding) root(f *conform.Finding) *conform.Finding {
	for i := range h.report.Findings {
		if r := &h.report.Findings[i]; r.ID == f.ConsequenceOf && (r.Operation == f.Operation || r.Operation == "") && r.Verdict == conform.Fail {
			return r
		}
	}
	return nil
}

// unverified takes in a rule that was not verified.
func (h *holding) unverified(f *conform.Finding) {
	if entries := h.counting(h.file.NotRun, f); len(entries) > 0 {
		h.used[entries[0]] = true
		h.known(f, entries[0])
		return
	}
	if reports.Unverified(*f) {
		h.out.Unverified = append(h.out.Unverified, reports.Deviation{Check: f.ID, Operation: f.Operation, What: "could not be verified: " + brief(f.Reason+f.Got)})
	}
}

// rest takes in what leaves a run incomplete and is no finding on a rule.
func (h *holding) rest() {
	r := h.report
	for _, t := range r.Scope.Tools {
		if t.Left() {
			h.out.Unverified = append(h.out.Unverified, reports.Deviation{Check: "SCOPE-01", What: "the tool " + reports.Shown(t.Name) + " looks multi-item, and is neither listed nor ignored"})
		}
	}
	switch {
	case r.Run.Ended != conform.EndDone:
		h.out.Unverified = append(h.out.Unverified, reports.Deviation{Check: "run", What: "it did not come to its end: " + r.Run.Cause})
	case r.Run.Partial:
		h.out.Unverified = append(h.out.Unverified, reports.Deviation{Check: "run", What: "it is partial"})
	case r.Summary.Pass == 0:
		h.out.Unverified = append(h.out.Unverified, reports.Deviation{Check: "run", What: "no rule was found to hold"})
	case r.Verdict == reports.Incomplete && len(h.out.Unverified) == 0 && !h.excuses():
		// As of one on operations that were guessed: no finding says why.
		h.out.Unverified = append(h.out.Unverified, reports.Deviation{Check: "run", What: brief(r.VerdictLine)})
	}
}

// excuses tells whether the baseline expects something not to be verified.
func (h *holding) excuses() bool {
	for i := range h.file.NotRun {
		if h.used[&h.file.NotRun[i]] {
			return true
		}
	}
	return false
}

// stale looks for entries that hold no more.
func (h *holding) stale() {
	for i := range h.file.Failures {
		switch e := &h.file.Failures[i]; {
		case h.idle(e):
		case !h.named(e):
			h.delete(e, h.whyUnnamed(e))
		case h.pending(e) != "":
			h.note("%s: %s", h.at(e), h.pending(e))
		case e.Rate > 0: // what comes and goes need not come
		case h.unclear(e) != "":
			h.note("%s: whether %s still fails could not be seen: %s", h.at(e), e.Check, h.unclear(e))
		default:
			h.delete(e, "no longer fails")
		}
	}
	for i := range h.file.NotRun {
		switch e := &h.file.NotRun[i]; {
		case h.idle(e):
		case !h.named(e):
			h.delete(e, h.whyUnnamed(e))
		case h.pending(e) != "":
			h.note("%s: %s", h.at(e), h.pending(e))
		default:
			h.delete(e, "can be verified now")
		}
	}
}

// idle tells an entry of which nothing is to be said: a finding is as it says, or it
// counts no more.
func (h *holding) idle(e *Entry) bool { return h.used[e] || e.expired(h.today) }

// delete tells of an entry that holds no more, and which line it is.
func (h *holding) delete(e *Entry, why string) {
	h.out.Stale = append(h.out.Stale, reports.Deviation{Check: e.Check, Operation: e.Operation, At: h.at(e),
		What: fmt.Sprintf("%s: delete the entry in line %d of %s", why, e.Line, h.file.Path)})
}

// pending says that an entry's check is newer than the catalogue set in use: it
// decides nothing, and so neither breaks nor mends. Empty where it is not.
func (h *holding) pending(e *Entry) string {
	for i := range h.report.Findings {
		if f := &h.report.Findings[i]; e.speaksOf(f.ID, f.Operation) && f.Pending {
			return e.Check + " is newer than the catalogue set in use, and counts neither way"
		}
	}
	return ""
}

// whyUnnamed says why the report has no finding that an entry is for.
func (h *holding) whyUnnamed(e *Entry) string {
	if !h.reported(e.Operation) {
		return fmt.Sprintf("there is no operation %s in the target file", reports.Shown(e.Operation))
	}
	return "it does not apply to this target"
}

// named tells whether the report has a finding that an entry is for.
func (h *holding) named(e *Entry) bool {
	for i := range h.report.Findings {
		if f := &h.report.Findings[i]; e.speaksOf(f.ID, f.Operation) {
			return true
		}
	}
	return false
}

// reported tells whether the report speaks of an operation; of none it always does.
func (h *holding) reported(operation string) bool {
	if operation == "" {
		return true
	}
	for i := range h.report.Findings {
		if h.report.Findings[i].Operation == operation {
			return true
		}
	}
	for _, n := range h.report.NotApplicable {
		if n.Operation == operation {
			return true
		}
	}
	return false
}

// unclear says why it could not be seen whether what an entry lists still fails.
func (h *holding) unclear(e *Entry) string {
	for i := range h.report.Findings {
		f := &h.report.Findings[i]
		if class := reports.ClassOf(*f); e.speaksOf(f.ID, f.Operation) && (class == reports.ClassInconclusive || class == reports.ClassNotRun) {
			return brief(f.Reason + f.Got)
		}
	}
	return ""
}

// line is what the verdict line says of the baseline.
func (h *holding) line() string {
	b := h.out
	name := reports.Shown(h.file.Path)
	switch {
	case len(b.Unexpected) > 0:
		return fmt.Sprintf("; %s in %s", reports.Amount(len(b.Unexpected), "failure is not", "failures are not"), name)
	case len(b.Stale) > 0:
		hold := " hold no more"
		if len(b.Stale) == 1 {
			hold = " holds no more"
		}
		return "; " + reports.Amount(len(b.Stale), "entry", "entries") + " of " + name + hold
	case b.Known > 0:
		return "; all as " + name + " says"
	}
	return ""
}

// brief is the beginning of a reason.
func brief(text string) string {
	if text == "" {
		return "it fails"
	}
	return reports.Brief(text)
}
