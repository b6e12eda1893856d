package runner

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// scopeOf says of every tool of the server whether the verdict speaks of it.
func scopeOf(rec *conform.Recording) reports.Scope {
	target := rec.Header.Target
	var s reports.Scope
	for _, p := range multiitem.Places(rec) {
		t := reports.ScopeTool{Name: p.Name, Single: p.Several == "" && rec.Listed}
		switch {
		case p.Ignored:
			t.Ignored, t.Because = true, p.Because
		case len(p.Uses) == 0:
			t.Unlisted, t.Because = true, p.Several
		}
		if len(p.Uses) == 0 {
			s.Tools = append(s.Tools, t)
		}
		for _, use := range p.Uses {
			if t.Operation, t.As = use.Operation, use.As; t.As == multiitem.AsTool {
				t.As, t.Single = "", false
			}
			s.Tools = append(s.Tools, t)
		}
	}
	s.Absent = absent(target.Operations)
	return s
}

// absent gives the groups that the target file declares absent: one operation
// says so and none has it.
func absent(operations []conform.Operation) []conform.Group {
	said := map[conform.Group]conform.Presence{}
	note := func(g conform.Group, p conform.Presence) {
		if p == conform.Present || p == conform.Absent && said[g] != conform.Present {
			said[g] = p
		}
	}
	for i := range operations {
		op := &operations[i]
		note(conform.GroupValidator, op.Validator)
		note(conform.GroupWorkflow, op.Workflow)
		note(conform.GroupIdempotency, op.Idempotency)
		note(conform.GroupEffects, op.Probe)
	}
	var list []conform.Group
	for _, g := range conform.Groups() {
		if said[g] == conform.Absent {
			list = append(list, g)
		}
	}
	return list
}
