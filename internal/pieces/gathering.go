package pieces

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Ask is what is to be asked for next: a call of a tool that only reads.
type Ask struct {
	Step      string // conform.StepPoll or conform.StepPage
	Tool      string
	Arguments json.RawMessage // a JSON object
	Wait      time.Duration   // before it is asked
}

const (
	// usually is how often a job is looked at where the target file does not say.
	usually = 250 * time.Millisecond
	// mostPolls bounds the looks at one job.
	mostPolls = 10_000
	// idlePages are the pages that may come beyond one for each item: empty ones.
	idlePages = 8
)

// Gathering is the answer of one call while it comes in.
type Gathering struct {
	op      *conform.Operation
	planned conform.Planned
	options contract.Options

	taken []taken // what has been answered so far, the call's own answer first
	next  *Ask    // what is still to be asked; nil: nothing
	job   *job    // nil: the call did not begin one
	// base is the answer that the rows begin with: the call's own, or a job's at its
	// end. Nil: there is none yet.
	base    *answered
	pages   []page // of rows, the first is base's; nil: they are not on pages
	cursors map[string]int
	problem string // why no more is asked although it is not whole
}

// taken is one result, read.
type taken struct {
	result *rawjson.Node // nil: none came
	answer *contract.Answer
}

// job is what a call began.
type job struct {
	handle  string        // the members by which it was recognised: "job_id, status"
	id      *rawjson.Node // its name
	member  string        // that holds the name
	state   string        // the last word on it; empty: none was said
	ended   bool
	refused bool // what tells of it refused to
}

// page is one page of rows, by the result that it stands in.
type page struct {
	at   int // in taken
	rows []*rawjson.Node
	list *rawjson.Node
}

// Begin follows a call of an operation; nil if the target file does not say that
// its answers come in pieces, or if the call is not of its own tool.
func Begin(op *conform.Operation, planned conform.Planned) *Gathering {
	if op == nil || op.Results.Async == nil && op.Results.Next == nil || planned.Role != conform.RolePrimary {
		return nil
	}
	return &Gathering{
		op: op, planned: planned, cursors: map[string]int{},
		options: contract.Options{Tool: planned.Tool, ID: op.Results.ID},
	}
}

// Take takes what the last call was answered with, the call's own answer first,
// and gives what is to be asked for next. A nil result, where none came, ends it;
// so does the answer's last piece.
func (g *Gathering) Take(result *rawjson.Node) *Ask {
	t := taken{result: result}
	if result != nil {
		t.answer = contract.Read(result, g.options)
	}
	g.taken = append(g.taken, t)
	g.next = nil
	switch {
	case result == nil && g.pages != nil:
		g.problem = fmt.Sprintf("page %d was not answered with a result", len(g.pages)+1)
	case result == nil:
	case len(g.taken) == 1:
		if g.job = g.begins(t.answer); g.job != nil {
			g.next = g.poll()
			break
		}
		g.starts(whole(t, 0))
	case g.pages == nil:
		g.looked(t)
	default:
		g.turned(t)
	}
	return g.next
}

// merged joins an object of arguments with one more of a name.
func merged(object json.RawMessage, more ...member) json.RawMessage {
	root, err := rawjson.Parse(object)
	if err != nil || !root.Is(rawjson.Object) {
		root = nil
	}
	out := []byte{'{'}
	add := func(name string, value []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		text, _ := json.Marshal(name) // a string always encodes
		out = append(append(append(out, text...), ':'), value...)
	}
	own := map[string]bool{}
	for _, m := range more {
		own[m.name] = true
	}
	if root != nil {
		for _, m := range root.Members {
			if !own[m.Name] {
				add(m.Name, m.Value.Raw)
			}
		}
	}
	for _, m := range more {
		add(m.name, m.value)
	}
	return append(out, '}')
}

// member is one argument.
type member struct {
	name  string
	value []byte // exact JSON
}

// members gives the arguments that an object holds.
func members(object json.RawMessage) []member {
	root, err := rawjson.Parse(object)
	if err != nil {
		return nil
	}
	var all []member
	for _, m := range root.Members {
		all = append(all, member{m.Name, m.Value.Raw})
	}
	return all
}
