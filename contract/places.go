package contract

import (
	"fmt"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// spot is one value named results at a place where rows may stand.
type spot struct {
	place Place
	list  *rawjson.Node
	// hidden: a member result beside it makes clients look there instead (ENV-03).
	hidden bool
	// guessed: the tool's name is not known and this is the only list in output.
	guessed bool
	twice   bool
}

// spots gives the lawful places of contract 1.2 at which the payload has a value
// named results, in the order of precedence: a workflow's rows, the direct
// ones, those one result layer deeper; then those that a sibling hides.
func spots(payload *rawjson.Node, o Options) []spot {
	data, place, twice := dataOf(payload, o.Door)
	found := spotsAt(data, place, o.Tool, twice)
	if deeper := data.Get("result"); workflowStatus(deeper) || workflowStatus(data) {
		found = append(found, spotsAt(deeper, Wrapped, o.Tool, twice || names(data, "result") > 1)...)
	}
	if o.Door == MCP && data != payload {
		for _, s := range spotsAt(payload, Direct, o.Tool, false) {
			s.hidden = true
			found = append(found, s)
		}
	}
	if o.Tool == "" {
		found = append(found, guess(data, twice)...)
	}
	return found
}

// dataOf gives what the client takes for the call's data, through each door
// (contract 1.1): over MCP the member result if the payload has one, else the
// payload; over REST the member result and nothing else; through the gateway
// result, else data, of an enveloped body, and a bare body as it is.
func dataOf(payload *rawjson.Node, door Door) (data *rawjson.Node, place Place, twice bool) {
	name := "result"
	switch {
	case payload.Has("result"):
	case door == REST:
		return nil, Wrapped, false
	case door == Gateway && (payload.Has("ok") || payload.Has("error")):
		name = "data"
	default:
		return payload, Direct, false
	}
	return payload.Get(name), Wrapped, names(payload, name) > 1
}

// spotsAt looks for the rows of the tool in a workflow's output and for results.
func spotsAt(n *rawjson.Node, place Place, tool string, twice bool) []spot {
	var found []spot
	if output := n.Get("output"); tool != "" {
		if step := output.Get(tool); step.Has("results") {
			found = append(found, spot{place: Workflow, list: step.Get("results"),
				twice: twice || names(n, "output") > 1 || names(output, tool) > 1 || names(step, "results") > 1})
		}
	}
	if list := n.Get("results"); list != nil {
		found = append(found, spot{place: place, list: list, twice: twice || names(n, "results") > 1})
	}
	return found
}

// guess takes the one list in output where the tool's name is not known: that a
// recording does not name its tool is no fault of the server.
func guess(data *rawjson.Node, twice bool) []spot {
	steps := listsIn(data.Get("output"))
	if len(steps) != 1 {
		return nil
	}
	return []spot{{place: Workflow, list: steps[0], guessed: true, twice: twice || names(data, "output") > 1}}
}

// listsIn gives the results lists of a workflow's steps.
func listsIn(output *rawjson.Node) []*rawjson.Node {
	if !output.Is(rawjson.Object) {
		return nil
	}
	var lists []*rawjson.Node
	for i := range output.Members {
		if list := output.Members[i].Value.Get("results"); list.Is(rawjson.Array) {
			lists = append(lists, list)
		}
	}
	return lists
}

// workflowStatus tells whether an object's status makes it a workflow's payload.
func workflowStatus(n *rawjson.Node) bool {
	switch status, _ := n.Get("status").Str(); status {
	case "PAUSED", "COMPLETED", "FAILED":
		return true
	}
	return false
}

func anyList(found []spot) bool {
	for i := range found {
		if found[i].list.Is(rawjson.Array) {
			return true
		}
	}
	return false
}

// readPlaces chooses the list: the first place whose rows are all readable, else
// the first that holds a list, else the first of any kind.
func (a *Answer) readPlaces(o Options) {
	found := spots(a.Payload, o)
	a.siblings(found)
	chosen := choose(found)
	if chosen < 0 {
		a.nothingFound(o)
		return
	}
	s := found[chosen]
	a.Place, a.List, a.twice = s.place, s.list, a.twice || s.twice
	if !s.list.Is(rawjson.Array) {
		a.problem(NotAList, s.list, notAListDetail(s.list))
		return
	}
	rows := rowsOf(s.list)
	for i := range found {
		if i == chosen || found[i].guessed || !found[i].list.Is(rawjson.Array) {
			continue
		}
		a.Others = append(a.Others, found[i].list)
		others := rowsOf(found[i].list)
		if !valid(others) { // and so, if rows are not valid, are none
			continue
		}
		if why := rowsDiffer(rows, others, o); why != "" {
			pointer, _ := a.Where(s.list)
			a.problem(PlacesDisagree, found[i].list, fmt.Sprintf("this list and the one at %s carry different rows: %s", pointer, why))
		}
	}
}

func choose(found []spot) int {
	first, list := -1, -1
	for i := range found {
		if first < 0 {
			first = i
		}
		if !found[i].list.Is(rawjson.Array) {
			continue
		}
		if list < 0 {
			list = i
		}
		if valid(rowsOf(found[i].list)) {
			return i
		}
	}
	if list >= 0 {
		return list
	}
	return first
}

// valid tells whether a client recognises every row; an empty list is none.
func valid(rows []Row) bool {
	for i := range rows {
		if !rows[i].Readable() {
			return false
		}
	}
	return len(rows) > 0
}

func (a *Answer) siblings(found []spot) {
	for i := range found {
		if found[i].hidden && found[i].list.Is(rawjson.Array) {
			pointer, _ := a.Where(found[i].list)
			a.problem(SiblingResult, a.Result, "a member result beside the rows: clients take it for the whole answer and lose "+pointer)
			return
		}
	}
}
