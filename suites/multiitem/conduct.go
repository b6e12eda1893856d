package multiitem

import (
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// conduct is how an operation behaves over all its ordinary calls. It decides
// which one rule speaks of a fault that shows in many calls.
type conduct struct {
	batches     int  // batches answered with a list
	goodSilent  int  // batches with no known-bad item, answered without a list
	goodRefused int  // of these, refused outright
	jobs        int  // batches answered with a job in place of a list, however it ended
	shapeless   int  // batches with a known-bad item, answered without a list, and not refused
	singles     int  // one-item calls answered with a row
	keeps       bool // a mixed batch tells a good item before the first bad one done
	rollsBack   bool // a mixed batch tells all items not done, a good one before the first bad one among them
	flips       bool // an ordinary call tells a good item not done
	badUntold   int  // known-bad items that have no row in a batch answered with rows
	badTold     int  // and those that have one
	lastUntold  int  // batches answered with rows, none of which is for the last item
	lastTold    int  // and those that have one for it
	cutClean    bool // a batch without a known-bad item has no row for the last one
}

type conductKey struct{ operation string }

// behaves reads the conduct of the subject's operation, once per recording.
func behaves(s *conform.Subject) *conduct {
	name := ""
	if s.Operation != nil {
		name = s.Operation.Name
	}
	return s.Recording.Memo(conductKey{name}, func() any {
		c := &conduct{}
		for _, call := range s.Calls {
			v := see(s.Operation, call)
			if batch(v) && v.job() {
				c.jobs++
			}
			if v.plain() && v.beyond(s) == nil {
				c.add(v)
			}
		}
		return c
	}).(*conduct)
}

func (c *conduct) add(v *sight) {
	switch rows := v.HasRows(); {
	case v.N() == 1 && rows && len(v.Answer.Rows) > 0:
		c.singles++
	case v.N() < 2:
	case rows:
		c.batches++
	case len(v.these(conform.Bad)) == 0:
		c.goodSilent++
		if v.refusal() != "" {
			c.goodRefused++
		}
	case v.refusal() == "":
		c.shapeless++
	}
	if v.N() > 1 && v.HasRows() && !v.paged() {
		c.count(v)
	}
	good := v.these(conform.Good)
	c.flips = c.flips || len(v.where(good, false)) > 0
	bad := v.these(conform.Bad)
	if len(bad) == 0 {
		return
	}
	for _, i := range good {
		if done, _, ok := v.told(i); i < bad[0] && ok {
			c.keeps = c.keeps || done
			c.rollsBack = c.rollsBack || len(v.where(good, true)) == 0
		}
	}
}

// mute: no batch ever got a list, not even one of good items, or one that was
// answered and not refused. RES-01 alone says so.
func (c *conduct) mute() bool { return c.batches == 0 && c.goodSilent+c.shapeless > 0 }

// count counts the items of a batch that tell which rows it leaves out.
func (c *conduct) count(v *sight) {
	missing := v.mismatch().missing
	tally := func(item int, told, untold *int) {
		switch {
		case len(v.Tie.Rows[item]) > 0:
			*told++
		case slices.Contains(missing, item):
			*untold++
		}
	}
	for _, i := range v.these(conform.Bad) {
		tally(i, &c.badTold, &c.badUntold)
	}
	before := c.lastUntold
	tally(v.N()-1, &c.lastTold, &c.lastUntold)
	c.cutClean = c.cutClean || c.lastUntold > before && len(v.these(conform.Bad)) == 0
}

// loses says why an item without a row is no finding of its own: no batch ever has
// one for an item that is refused, or for the last one. RES-02 says so of batches,
// and what is left out elsewhere has the same cause. Empty: it has another.
func (c *conduct) loses(v *sight, item int, refused bool) string {
	switch {
	case refused && c.badUntold > 0 && c.badTold == 0:
		return "items that are refused have no row in ordinary batches either (see RES-02)"
	case item == v.N()-1 && c.lastUntold > 0 && c.lastTold == 0:
		return "the last item has no row in ordinary batches either (see RES-02)"
	}
	return ""
}

// leftOut is loses for all that is missing from an answer; empty where something
// else is wrong with its rows.
func (v *sight) leftOut(c *conduct, m mismatch) (why string) {
	if len(m.doubled)+len(m.surplus) > 0 || m.number {
		return ""
	}
	for _, i := range m.missing {
		if why = c.loses(v, i, v.Planned.Items[i].Truth == conform.Bad); why == "" {
			return ""
		}
	}
	return why
}

// oneAtATime: one item is answered and every batch of good ones refused outright.
func (c *conduct) oneAtATime() bool {
	return c.mute() && c.singles > 0 && c.goodSilent > 0 && c.goodRefused == c.goodSilent
}

// silence names the rule that says why an answer has no list of rows: one cause
// makes one finding.
func (v *sight) silence(c *conduct) string {
	p := v.Planned
	switch {
	case v.undecodable() != nil:
		return "ENV-01"
	case p.AuxiliaryFails:
		return "WF-03"
	case v.misplaced() != "":
		return v.misplaced()
	case p.Follows != "":
		return "VAL-10"
	case len(p.Extra) > 0:
		return "INP-02"
	case p.Form == conform.FormStrings || p.Form == conform.FormObjects:
		return "INP-03"
	case p.Form == conform.FormBareObject || p.Form == conform.FormBareString:
		return "INP-04"
	case !v.plain():
		return "IDM-02"
	case v.Declined():
		return "RES-01" // whatever was asked for, it is the user's no that gets no rows
	case v.N() == 1 && !c.mute():
		return "RES-13"
	case v.Answer != nil && v.Answer.List != nil:
		return "RES-01" // results is there, and no list
	case c.oneAtATime():
		return "INP-01"
	case c.mute():
		return "RES-01"
	case v.read() && v.mixed() && !v.raised():
		return "RO-01"
	case v.allBad():
		return "AGG-03"
	}
	return "RES-01"
}

// undecodable is the problem of an answer that holds no JSON object; nil if it
// holds one, or if the whole call was refused or nothing was asked: then words
// will do. What a job comes to need be no object of its own: that it has no rows is
// told of the job (RES-01).
func (v *sight) undecodable() *contract.Problem {
	if v.Answer == nil || v.job() && !v.bareArray() {
		return nil
	}
	p := v.Answer.Has(contract.NoObject)
	if p == nil {
		p = v.Answer.Has(contract.TwoBlocks)
	}
	if (v.Answer.IsError || v.N() == 0) && !v.bareArray() {
		return nil
	}
	return p
}

// bareArray tells whether the answer's data is an array that no object holds.
func (v *sight) bareArray() bool {
	if v.Answer.Structured.Is(rawjson.Array) {
		return true
	}
	for _, t := range v.Answer.Texts {
		if t.JSON.Is(rawjson.Array) {
			return true
		}
	}
	return false
}

// misplaced names the rule that a list of rows in the wrong place breaks; empty
// if there is none. In a workflow's output the place is the workflow's fault.
func (v *sight) misplaced() string {
	if v.Answer == nil || v.Answer.Place != contract.Nowhere {
		return ""
	}
	if v.Op.Workflow == conform.Present && v.otherOutput() != "" {
		return "WF-01"
	}
	p := v.Answer.Has(contract.Misplaced)
	switch {
	case v.Door == contract.REST && v.Answer.Root.Get("results").Is(rawjson.Array):
		return "ENV-04"
	case p == nil:
		return ""
	case v.Op.Workflow == conform.Present && strings.Contains(p.Pointer, "/output/"):
		return "WF-01"
	}
	return "ENV-02"
}

// output is the object that holds the outputs of a workflow's steps; nil if
// there is none.
func (v *sight) output() *rawjson.Node {
	if v.Answer == nil {
		return nil
	}
	if out := v.Answer.Payload.Get("output"); out.Is(rawjson.Object) {
		return out
	}
	if out := v.Answer.Payload.At("result", "output"); out.Is(rawjson.Object) {
		return out
	}
	return nil
}

// otherOutput is the key under which a list of rows stands in a workflow's
// output, where the tool's own key is missing.
func (v *sight) otherOutput() string {
	out := v.output()
	if out == nil || out.Get(v.Planned.Tool) != nil {
		return ""
	}
	for _, m := range out.Members {
		if m.Value.Get("results").Is(rawjson.Array) {
			return m.Name
		}
	}
	return ""
}
