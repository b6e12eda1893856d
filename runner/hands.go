package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// mostAsked is how many items hands are asked for at once where nothing else says
// how many they take, and mostHalves how often a call that was refused as a whole
// is made again in two halves, to find the items that it was refused for.
const (
	mostAsked  = 1000
	mostHalves = 32
)

// asking is one asking of hands for some items.
type asking struct {
	run   *run
	op    *target.Operation
	hands *target.Hands
	what  conform.What
	name  string // that all its calls begin with

	items   []json.RawMessage
	things  []target.Thing
	said    []multiitem.Outcome // of each item
	problem string              // the first that something was not done for
	calls   int
	halves  int
}

// askable tells whether means can be asked: a tool only while its server is there.
// One that sent the run away for too long is asked to put back all the same.
func (r *run) askable(m *target.Means) bool {
	return m.Tool == "" || r.client != nil && (r.stop.cause == "" || r.stop.cause == noRoom || r.stop.cause == r.shut())
}

// ask asks for all items, so many at once as the hands take.
func (a *asking) ask(ctx context.Context) {
	a.said = make([]multiitem.Outcome, len(a.items))
	a.things = make([]target.Thing, len(a.items))
	var told []int
	for i, item := range a.items {
		var ok bool
		if a.things[i], ok = a.op.Thing(a.hands, item); ok {
			told = append(told, i)
			continue
		}
		a.said[i] = multiitem.Refused
		a.note("an item has no id that it could be told by")
	}
	for len(told) > 0 && ctx.Err() == nil {
		n := a.atOnce(told)
		a.some(ctx, told[:n])
		told = told[n:]
	}
	if ctx.Err() != nil {
		a.note("there was no more time")
	}
}

func (a *asking) note(problem string) {
	if a.problem == "" {
		a.problem = problem
	}
}

// atOnce is how many of the items go into the next call.
func (a *asking) atOnce(items []int) int {
	n := mostAsked
	if a.hands.Single() {
		n = 1
	}
	limits := a.run.file.Limits.Narrower(a.op.Limits)
	if limits.Batch > 0 {
		n = min(n, limits.Batch)
	}
	if most := a.run.mostOf(&a.hands.Means, a.hands.Argument); most > 0 {
		n = min(n, most)
	}
	n = min(n, len(items))
	for a.hands.Tool != "" && limits.Payload > 0 && n > 1 && len(a.hands.Call(a.these(items[:n]))) > limits.Payload {
		n /= 2
	}
	return n
}

// mostOf is how many elements a tool's own schema lets an argument have; 0: any
// number.
func (r *run) mostOf(m *target.Means, argument string) int {
	if m.Tool == "" {
		return 0
	}
	text, _ := r.listedTool(m.Tool).InputSchema.At("properties", argument, "maxItems").Literal()
	most, err := strconv.Atoi(text)
	if err != nil || most < 0 {
		return 0
	}
	return most
}

func (a *asking) these(items []int) []target.Thing {
	some := make([]target.Thing, len(items))
	for i, at := range items {
		some[i] = a.things[at]
	}
	return some
}

// some asks for some of the items.
func (a *asking) some(ctx context.Context, items []int) {
	a.calls++
	things := a.these(items)
	switch {
	case !a.run.askable(&a.hands.Means):
		a.note("the run ended before it was asked")
	case a.hands.HTTP != nil:
		a.request(ctx, items, things)
	case len(a.hands.Command) > 0:
		_, err := a.run.asideFor().Command(ctx, a.hands.Command, a.hands.Input(things), a.run.file.Timeouts.For(len(items))+a.run.file.Timeouts.Late)
		a.came(items, err)
	default:
		a.tool(ctx, items, things)
	}
}

// came takes in whether other hands than a tool failed: what they had done by
// then is not known.
func (a *asking) came(items []int, err error) {
	if err != nil {
		a.note(err.Error())
		return
	}
	for _, at := range items {
		a.said[at] = multiitem.Done
	}
}

func (a *asking) request(ctx context.Context, items []int, things []target.Thing) {
	all, err := a.hands.Requests(a.run.file.Server.URL, things)
	if err != nil {
		a.came(items, err)
		return
	}
	for _, one := range all {
		err := a.run.viaHTTP(ctx, a.hands.HTTP, []target.Asking{one}, a.run.file.Timeouts.For(one.To-one.From)+a.run.file.Timeouts.Late, func([]byte, int, int) error { return nil })
		a.came(items[one.From:one.To], err)
	}
}

// roles are the roles of calls to tools.
var roles = map[conform.What]conform.Role{conform.DoUndo: conform.RoleUndo, conform.DoSetup: conform.RoleSetup, conform.DoSetupUndo: conform.RoleUndo}

func (a *asking) tool(ctx context.Context, items []int, things []target.Thing) {
	reply := a.run.tool(ctx, fmt.Sprintf("%s/%d", a.name, a.calls), conform.Planned{
		Instance: a.name, Operation: a.op.Name, Role: roles[a.what], Step: string(a.what), Tool: a.hands.Tool, Arguments: a.hands.Call(things),
	}, len(items))
	if reply.Result == nil && (reply.Response == nil || reply.End == conform.TimedOut) {
		a.note(reply.Problem)
		return
	}
	result := resultOf(reply)
	if task, made := conform.TaskOf(reply.Result); made && result == nil {
		a.note(unfinished(a.hands.Tool, task, a.op.Tasks))
		return
	}
	said, whole := make([]multiitem.Outcome, len(items)), true
	if result == nil {
		for i := range said {
			said[i] = multiitem.Refused
		}
	} else {
		asked := make([]conform.Item, len(items))
		for i, at := range items {
			asked[i] = conform.Item{Given: a.items[at]}
		}
		said, whole = multiitem.HandsOutcomes(a.hands.Tool, asked, result)
	}
	refused := 0
	for i, at := range items {
		if a.said[at] = said[i]; said[i] == multiitem.Refused {
			refused++
		}
	}
	switch {
	case refused == 0:
	case whole && len(items) > 1 && a.halves < mostHalves && ctx.Err() == nil:
		a.halves++
		a.some(ctx, items[:len(items)/2])
		a.some(ctx, items[len(items)/2:])
	default:
		a.note(refusedBy(reply, result, refused, len(items)))
	}
}

// refusedBy says in a few words what a tool refused.
func refusedBy(reply *wire.Reply, result *rawjson.Node, refused, of int) string {
	var why string
	if reply.Response != nil && reply.Response.Error.Is(rawjson.Object) {
		message, _ := reply.Response.Error.Get("message").Str()
		why = "JSON-RPC error: " + cut(message)
	} else if text, ok := result.At("content").First().Get("text").Str(); ok {
		why = cut(text)
	}
	return fmt.Sprintf("%d of %d items were refused: %s", refused, of, why)
}
