package multiitem

import (
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// An answer that comes in pieces breaks the rule of shape that it begins with: a
// job in place of rows RES-01, a first page RES-02. The target file's mapping has
// the rest asked for. What is put together then may break any other rule, and does
// not keep a rule of shape by it.

// job tells whether the call was answered with a job in place of rows.
func (v *sight) job() bool { return v.whole != nil && v.whole.Handle != "" }

// onPages tells whether rows came on pages after the first.
func (v *sight) onPages() bool { return v.whole != nil && v.whole.Later > 0 }

// unended says why an answer that comes in pieces was given up before it was
// whole; empty if it is whole, or no more of it is to be had.
func (v *sight) unended() string {
	w := v.whole
	if w == nil {
		return ""
	}
	took := v.lasted().Round(time.Millisecond)
	switch {
	case v.job() && !w.Ended && w.Problem != "":
		return w.Problem + said(w.State)
	case w.Pending && v.job() && !w.Ended:
		return fmt.Sprintf("the job had not ended after %s, and was given up%s", took, said(w.State))
	case w.Pending:
		return fmt.Sprintf("only %d pages had come after %s, and the next was not asked for any more", w.Pages, took)
	}
	return ""
}

// said quotes the last word on a job, in brackets.
func said(state string) string {
	if state == "" {
		return ""
	}
	return fmt.Sprintf(" (status %s)", rawjson.Cut(state, 40))
}

// jobForRows fails a batch that was answered with a job (RES-01).
func jobForRows(_ *conform.Subject, v *sight) *conform.Look {
	if !v.job() {
		return nil
	}
	look := v.begins(fmt.Sprintf("a list named results with %s", count(v.N(), "row")), v.jobGot(), asyncMapped)
	look.Shape = v.HasRows() || v.unended() != ""
	return look
}

// jobForOne fails a call for one item that was answered with a job (RES-13), where
// RES-01 does not say it of batches.
func jobForOne(s *conform.Subject, v *sight) *conform.Look {
	switch {
	case !v.job():
		return nil
	case behaves(s).jobs > 0:
		if v.HasRows() {
			return nil // what the job came to is judged, and does not pass
		}
		return some(v.cannot("the answer is a job and has no row (see RES-01)"))
	}
	look := v.begins("exactly one row", v.jobGot(), asyncMapped)
	look.Item, look.Shape = 1, v.HasRows() || v.unended() != ""
	return look
}

// jobGot puts into words what came in place of rows, and what became of it.
func (v *sight) jobGot() string {
	got := fmt.Sprintf("a job to poll (%s)", v.whole.Handle)
	switch {
	case v.HasRows():
		return got + fmt.Sprintf("; the rows came by polling %s", v.whole.Tool)
	case !v.whole.Ended:
		return got + fmt.Sprintf("; it had not ended when %s was asked last", v.whole.Tool)
	case v.whole.Refused:
		return got + fmt.Sprintf("; %s refuses to tell of it", v.whole.Tool)
	case v.whole.Problem != "":
		return got + "; " + v.whole.Problem
	}
	return got + fmt.Sprintf("; by what %s says it has ended, and has no rows%s", v.whole.Tool, said(v.whole.State))
}

// firstPage fails a batch whose first answer is one page of its rows (RES-02). What
// misses on all of them is told with it.
func firstPage(_ *conform.Subject, v *sight) *conform.Look {
	if v.whole == nil || v.whole.Pages == 0 || v.whole.First >= v.N() {
		return nil
	}
	if !v.onPages() && v.unended() == "" {
		return nil // no row followed, so that the first page is judged like any answer
	}
	got := fmt.Sprintf("%s on the first page", count(v.whole.First, "row"))
	m := v.mismatch()
	given := v.unended()
	switch {
	case given != "":
		got += "; " + given
	case m.none():
		got += fmt.Sprintf("; the others came on %s", count(v.whole.Pages-1, "further page"))
	default:
		got += "; " + v.mismatched(m) + v.evenOver()
	}
	look := v.begins(fmt.Sprintf("%s, one for each requested item", count(v.N(), "row")), got, nextMapped)
	look.Shape = m.none() || given != ""
	switch {
	case given != "":
	case len(m.missing) > 0:
		look.Item = m.missing[0] + 1
	case len(m.doubled) > 0:
		look.Item = m.doubled[0] + 1
	}
	return look
}

// evenOver says that pages and polls do not make up for what is wrong with the
// rows; empty where the answer came at once.
func (v *sight) evenOver() string {
	switch {
	case v.whole == nil:
		return ""
	case v.whole.Pages == 0:
		return ", even in what the job came to"
	case v.whole.Pages == 1:
		return "; " + v.whole.Problem
	case v.whole.Problem != "":
		return fmt.Sprintf(", even over all %s; %s", count(v.whole.Pages, "page"), v.whole.Problem)
	}
	return fmt.Sprintf(", even over all %s", count(v.whole.Pages, "page"))
}

// begins fails by what the call was answered with at first.
func (v *sight) begins(want, got, mapped string) *conform.Look {
	first := v.parts[0]
	e := evidence(first, first.Response)
	e.Excerpt = first.Result.Excerpt(excerpt)
	return &conform.Look{Verdict: conform.Fail, Call: v.Call, Want: want, Got: got, Hint: mapped, Evidence: []conform.Evidence{e}}
}

const (
	asyncMapped = res01Mend + " The target file's `results.async` has the job polled so that what it comes to can be judged; the contract still asks for results[] in the answer."
	nextMapped  = "Answer with all rows at once: one for each requested item. The target file's `results.next` has further pages asked for so that what they hold can be judged; the contract still asks for all rows in one answer."
)

// ofShape tells the rules that are about an answer as it comes, in one piece.
// RES-01 is among them and judges no more than how the answer begins; LD-02 is about
// the time that all of it takes. Over legacy REST no answer is put together.
func ofShape(r conform.Requirement) bool {
	switch r.Group {
	case conform.GroupCore, conform.GroupReadOnly, conform.GroupWorkflow:
		return r.ID != "RES-01" && r.ID != "LD-02"
	}
	return false
}

// neverByMapping takes back what passes only because the target file's mapping put
// an answer together: such a rule is not run there.
func neverByMapping(judge func(*conform.Subject) []conform.Look) func(*conform.Subject) []conform.Look {
	return func(s *conform.Subject) []conform.Look {
		looks := judge(s)
		for i, look := range looks {
			if look.Verdict != conform.Pass {
				continue
			}
			switch v := see(s.Operation, look.Call); {
			case v.N() == 0: // nothing was asked for, so that no row is missing from the answer
			case v.job():
				looks[i] = v.cannot("the answer came as a job that was polled (see RES-01); what it came to keeps this rule, which asks for it at once")
			case v.onPages():
				looks[i] = v.cannot("the answer came on %d pages (see RES-02); put together it keeps this rule, which asks for it at once", v.whole.Pages)
			}
		}
		return looks
	}
}
