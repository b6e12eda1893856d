package multiitem_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// shy makes every row of a good item one that was not done, with a word on why.
func shy(why string) func(script, *answer) {
	return all(func(s script, a *answer) {
		each(a, func(_ int, r object) {
			if r["success"] == true {
				r["success"], r["error"] = false, why
			}
		})
	})
}

func TestWhatAKeyWouldShowIsNotRunAndNamesIt(t *testing.T) {
	for name, c := range map[string]struct {
		bend func(script, *answer)
		key  string // empty: it is judged, and accused
	}{
		"rows for a client that cannot be asked": {shy("confirmation_impossible"), "answers"},
		"elicitation not supported":              {shy("client does not support elicitation"), "answers"},
		"an argument would confirm":              {shy("confirmation required: call again with confirm=true"), ""},
		"simply refused":                         {shy("locked"), ""},
		"refused for want of elicitation": {all(func(s script, a *answer) {
			refuse("Error: this client does not support elicitation")(s, a)
		}), "answers"},
		"asked on the way, and given up": {all(func(s script, a *answer) {
			refuse("the user did not answer")(s, a)
			a.asks = "elicitation/create"
		}), "answers"},
		"a question as the result": {all(func(_ script, a *answer) {
			a.payload, a.holder = object{}, nil
			a.result = object{"resultType": "input_required", "requestState": "s"}
		}), "answers"},
		"a task": {all(func(_ script, a *answer) {
			a.payload, a.holder = object{}, nil
			a.result = object{"resultType": "task", "taskId": "t-1", "status": "working"}
		}), "tasks"},
		"a job": {all(func(_ script, a *answer) {
			a.payload, a.holder = object{"jobId": "j-1", "state": "in progress"}, nil
			delete(a.result, "isError")
		}), "results.async"},
		"one page": {all(func(_ script, a *answer) {
			if len(a.rows) > 1 {
				a.rows, a.holder["has_more"] = a.rows[:1], true
			}
		}), "results.next"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := perform(slices.Clone(operations), play(), func(s script) *answer {
				a := serve(s)
				c.bend(s, a)
				return a
			})
			named, failed := 0, 0
			for _, f := range suites.Judge(rec, multiitem.Checks()).Findings {
				if f.Verdict == conform.Fail && f.Level == conform.Must {
					failed++
				}
				if c.key != "" && f.ID == "RES-02" && f.Operation == "cancel" {
					if f.Verdict != conform.NotRun || f.Hint != fmt.Sprintf("add `operations.cancel.%s` to the target file", c.key) {
						t.Errorf("RES-02 is %s (%s), hint %q", f.Verdict, f.Reason, f.Hint)
					}
					named++
				}
			}
			if c.key != "" && (named != 1 || failed > 0) {
				t.Errorf("%d findings name the key, %d MUSTs are accused", named, failed)
			}
			if c.key == "" && failed == 0 {
				t.Error("nothing is accused")
			}
		})
	}
}
