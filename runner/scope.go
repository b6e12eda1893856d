package runner

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// scopeOf says which of the server's multi-item tools the verdict speaks of.
func scopeOf(rec *conform.Recording) reports.Scope {
	target := rec.Header.Target
	var s reports.Scope
	for i := range target.Operations {
		op := &target.Operations[i]
		s.Tools = append(s.Tools, reports.ScopeTool{Name: op.Tool, Operation: op.Name})
	}
	for _, ignored := range target.Ignore {
		if rec.Listed && !multiitem.TakesSeveral(rec.Tool(ignored.Tool)) {
			continue // named for completeness; the verdict speaks of multi-item tools
		}
		s.Tools = append(s.Tools, reports.ScopeTool{Name: ignored.Tool, Ignored: true, Because: ignored.Because})
	}
	for _, t := range multiitem.Unlisted(rec) {
		s.Tools = append(s.Tools, reports.ScopeTool{Name: t.Name, Unlisted: true, Because: t.Because})
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
