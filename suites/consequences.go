package suites

import (
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// consequences says, per rule, which other rules the same fault may break for
// the same call and item. It has no cycles (tested), so there is always a root.
var consequences = map[string][]string{
	"PRO-15": {"PRO-04", "CON-03"},
	"PRO-05": {"ENV-06", "RES-01", "AGG-03"},
	"PRO-14": {"PRO-01", "RES-05", "RES-06", "RES-07"},
	"PRO-03": {"ENV-01"},
	"PRO-02": {"ENV-01", "PRO-01"},
	"ENV-06": {"ENV-01", "RES-01", "RES-03", "RES-13", "AGG-03", "INP-01", "RO-01", "LD-02", "AGG-02", "VAL-10", "WF-03"},
	"ENV-01": {"ENV-02", "RES-01", "RES-13", "AGG-01", "AGG-02", "AGG-03", "RO-01", "WF-01", "PRO-01", "INP-02", "INP-01", "LD-02"},
	"WF-03":  {"WF-01", "RES-01", "ENV-02"},
	"WF-01":  {"RES-01", "ENV-02"},
	"WF-04":  {"RES-02", "AGG-02"},
	"WF-02":  {"RES-12", "AGG-01", "AGG-02"},
	"ENV-02": {"RES-01", "RES-13", "AGG-03", "RO-01", "LD-02"},
	"ENV-03": {"RES-01"},
	"RES-01": {"RES-13", "AGG-01", "AGG-02", "AGG-03", "RO-01", "LD-02", "VAL-10", "PRO-01", "IDM-02"},
	"INP-01": {"RES-01", "LD-02"},
	"INP-02": {"RES-01", "VAL-10"},
	"RES-03": {"RES-02", "AGG-02", "RES-12", "RO-01", "AGG-05", "LD-02"},
	"LD-01":  {"RES-02", "RES-09", "AGG-01", "RES-12", "LD-02"},
	"RES-02": {"AGG-01", "AGG-02", "AGG-03", "RO-01", "LD-02", "RES-13", "RES-14", "VAL-10", "AGG-05"},
	"RES-04": {"RES-02", "AGG-01", "AGG-02", "AGG-03", "PRO-01", "RES-09"},
	"RES-05": {"AGG-01", "AGG-02", "AGG-03", "PRO-01"},
	"RES-06": {"AGG-01", "AGG-02", "AGG-03", "PRO-01"},
	"RES-07": {"AGG-01", "AGG-02", "AGG-03", "RES-12"},
	"AGG-02": {"RES-12", "RO-01", "RES-11"},
	"AGG-01": {"RES-12", "RES-11"},
	"RES-12": {"AGG-03", "EFF-01", "RO-01", "AGG-04", "RES-13"},
	"VAL-01": {"VAL-02", "VAL-03", "VAL-04", "VAL-10"},
	"VAL-14": {"VAL-01", "VAL-02", "VAL-03"},
	"VAL-07": {"VAL-08", "VAL-09", "VAL-10", "VAL-16", "RES-12"},
	"VAL-09": {"VAL-08", "VAL-16", "RES-12"},
	"VAL-16": {"VAL-08", "RES-02", "RES-12"},
	"IDM-01": {"IDM-02"},
	"CON-01": {"CON-05"},
	"CON-02": {"CON-05"},
	"CON-04": {"CON-05"},
	"EFF-01": {"CON-05"},
	"EFF-02": {"CON-05"},
}

// Consequences gives the table: root to what may follow from it.
func Consequences() map[string][]string {
	table := make(map[string][]string, len(consequences))
	for root, follow := range consequences {
		table[root] = append([]string(nil), follow...)
	}
	return table
}

// fold marks each failing finding that follows from another one: the table says
// it may, and every call and item it fails on is one the root fails on too.
// What counts does not follow from what is pending.
func fold(all []judged) {
	for i := range all {
		follower := &all[i]
		if follower.Verdict != conform.Fail {
			continue
		}
		for k := range all {
			root := &all[k]
			if root.Verdict != conform.Fail || root.Pending && !follower.Pending || !slices.Contains(consequences[root.ID], follower.ID) {
				continue
			}
			if root.Operation != "" && follower.Operation != "" && root.Operation != follower.Operation {
				continue
			}
			if covers(root.looks, follower.looks) {
				follower.ConsequenceOf = root.ID
				break
			}
		}
	}
}

// covers tells whether every look of follower concerns a call and item that a
// look of root concerns. What is wrong by a shape that the target file says how to
// read is no root: the follower was judged by what was read. A call that executes what a validator resolved concerns
// the validator's call too: it was asked for what the validator said.
func covers(root, follower []conform.Look) bool {
	for _, f := range follower {
		if !slices.ContainsFunc(root, func(r conform.Look) bool {
			return !r.Shape && (r.Call == f.Call || follows(f.Call, r.Call)) && (r.Item == f.Item || r.Item == 0 || f.Item == 0)
		}) {
			return false
		}
	}
	return len(follower) > 0
}

// follows tells whether a call executes what another one resolved.
func follows(call, validator *conform.Call) bool {
	return call != nil && validator != nil && call.Planned.Follows == validator.ID
}
