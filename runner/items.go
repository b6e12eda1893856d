package runner

import (
	"context"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/target"
)

// takeItems asks the tools that the target file takes items from, each once for
// the same arguments. What comes of it is no judgement on any operation: where a
// tool gives none, what needs its items is not run, with that reason.
func (r *run) takeItems(ctx context.Context) {
	taking := taking{run: r, gave: map[string]gave{}}
	chosen := scenarios.Options{OperationGlobs: r.opts.Operations}
	r.file = r.file.Sourced(func(op *target.Operation, list string, s *target.Source) ([]conform.Item, string) {
		if !chosen.Chosen(op.Name) {
			return nil, ""
		}
		return taking.take(ctx, op, list, s)
	})
}

type taking struct {
	run  *run
	gave map[string]gave // by what was asked
}

// gave is what a tool answered: a result, or why there is none.
type gave struct {
	result  *rawjson.Node
	problem string
}

func (t *taking) take(ctx context.Context, op *target.Operation, list string, s *target.Source) (items []conform.Item, lacks string) {
	answer, asked := t.gave[s.Key()]
	if !asked {
		answer = t.ask(ctx, s)
		t.gave[s.Key()] = answer
	}
	problem, left := answer.problem, ""
	if problem == "" {
		var err error
		if items, left, err = s.Read(answer.result); err != nil {
			problem = err.Error()
		}
	}
	if problem != "" {
		return nil, fmt.Sprintf("the tool %s gave none: %s", s.Tool, problem)
	}
	note := reports.Amount(len(items), "item", "items") + fmt.Sprintf(" of %s (items.%s) were read from the tool %s", op.Name, list, s.Tool)
	if len(items) == 1 {
		note = fmt.Sprintf("1 item of %s (items.%s) was read from the tool %s", op.Name, list, s.Tool)
	}
	if left != "" {
		note += "; " + left
	}
	t.run.notes = append(t.run.notes, note)
	return items, ""
}

func (t *taking) ask(ctx context.Context, s *target.Source) gave {
	r := t.run
	tools := r.tools()
	listed := tools == nil
	for i := range tools {
		listed = listed || tools[i].Name == s.Tool
	}
	switch {
	case r.stop.cause != "":
		return gave{problem: r.stop.cause}
	case !listed:
		return gave{problem: "the server does not list it"}
	}
	call := fmt.Sprintf("items/%d", len(t.gave)+1)
	planned := conform.Planned{Role: conform.RoleItems, Step: "items", Tool: s.Tool, Arguments: whole(s.Arguments)}
	reply := r.look(ctx, call, planned, 0)
	switch {
	case reply.Result != nil:
		return gave{result: reply.Result}
	case reply.Response != nil:
		message, _ := reply.Response.Error.Get("message").Str()
		return gave{problem: "a JSON-RPC error: " + rawjson.Cut(message, 200)}
	}
	return gave{problem: reply.Problem}
}
