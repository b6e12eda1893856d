package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// Linted is what can be said of a target file that reads well, without a call of a tool.
type Linted struct {
	Wrong []Remark // what does not fit the server, or can never be played as it stands
	Gaps  []Remark // what would have more played
}

// Remark is one thing to be said of a target file.
type Remark struct {
	File      string // where the operation stands; the target file for the rest
	Line      int    // 0: no one line
	Key       string // as "operations.cancel.probe"; empty: no one key
	What      string
	Operation string
	Plays     int      // how many plays it leaves out
	Musts     []string // MUST rules that lose evidence, sorted
}

// Lint says what a run would leave out, and why, by the target file alone; live, by what
// the server lists too: tools that are gone, arguments that do not exist, items that a
// schema forbids, tools that are neither operations nor ignored. Nothing but list methods
// is called. The errors are those of MakePlan.
func Lint(ctx context.Context, file *target.File, o Options, live bool) (Linted, error) {
	var plan *scenarios.Plan
	var left []reports.ScopeTool
	var failed error
	compile := func(r *run) {
		if plan, failed = r.compile(); failed != nil || !live {
			return
		}
		for _, t := range scopeOf(conform.NewRecording(r.header, r.record.observations())).Tools {
			if t.Left() {
				left = append(left, t)
			}
		}
	}
	set, _, err := checksOf(o.catalogue(file), nil, nil, nil)
	if err != nil {
		return Linted{}, err
	}
	must := func(id string) bool { return set.Level(id) == conform.Must }
	if live {
		if err := listed(ctx, file, o, compile); err != nil {
			return Linted{}, err
		}
	} else {
		compile(newRun(file, o, set))
	}
	if failed != nil {
		return Linted{}, failed
	}
	var out Linted
	for _, s := range plan.Skipped {
		if s.NotApplicable || s.Narrowed {
			continue
		}
		list := &out.Gaps
		if s.Wrong {
			list = &out.Wrong
		}
		remark(list, file, s, must)
	}
	for _, t := range left {
		out.Gaps = append(out.Gaps, Remark{File: file.Path, Key: "ignore", What: fmt.Sprintf("the tool %s looks multi-item (%s), and is neither an operation nor ignored: a run would be incomplete", t.Name, t.Because)})
	}
	return out, nil
}

// remark adds a skipped play to what is said, one remark for each cause and operation.
func remark(list *[]Remark, file *target.File, s conform.Skipped, must func(string) bool) {
	at := slices.IndexFunc(*list, func(r Remark) bool { return r.Operation == s.Operation && r.Key == s.Key && r.What == s.Reason })
	if at < 0 {
		r := Remark{File: file.Path, Key: s.Key, What: s.Reason, Operation: s.Operation}
		// The key may be another operation's: of one that was to run beside this one.
		if rest, ok := strings.CutPrefix(s.Key, "operations."); ok {
			name, _, _ := strings.Cut(rest, ".")
			if op := file.Operation(name); op != nil {
				r.File, r.Line = op.File, op.Line
			}
		}
		at = len(*list)
		*list = append(*list, r)
	}
	r := &(*list)[at]
	r.Plays++
	for _, id := range s.Checks {
		if must(id) && !slices.Contains(r.Musts, id) {
			r.Musts = append(r.Musts, id)
		}
	}
	slices.Sort(r.Musts)
}
