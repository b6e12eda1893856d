package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

// Cleaned is what Cleanup did.
type Cleaned struct {
	// Back are the operations whose items were put back, in the order of the target
	// file; both lists are empty where a recording leaves nothing to be put back.
	Back []string
	// Left is what could not be put back.
	Left []conform.Left
	// Unreached is why the server could not be asked; empty: it was.
	Unreached string
}

// Cleanup puts back what a recorded run wrote and did not put back itself, because
// it was killed or its reset failed: it resets every operation of which a write
// went out after its last acknowledged reset. The recording may be cut off. The
// error is a *UsageError, or a fault of ours.
//
// The target must be the server of the recording, and writes must be consented to.
func Cleanup(ctx context.Context, file *target.File, header conform.Header, observations []conform.Observation, o Options) (Cleaned, error) {
	if header.Target.Host != file.Host() {
		return Cleaned{}, &UsageError{Err: fmt.Errorf("the recording is of %s, and the target is %s", said(header.Target.Host), said(file.Host())),
			Hint: "name the target as the run did: " + header.Target.Selector}
	}
	if may, why := file.MayWrite(file.Host()); !may {
		return Cleaned{}, &UsageError{Err: errors.New(why)}
	}
	if err := commands(file, o.AllowCommands); err != nil {
		return Cleaned{}, err
	}
	r := newRun(file, o, suites.Default())
	var without []conform.Left
	var due []*target.Operation
	for _, name := range unsettledWrites(conform.NewRecording(header, observations), file) {
		op := file.Operation(name)
		switch {
		case op == nil:
			without = append(without, conform.Left{Operation: name, What: "the target file does not name the operation any more"})
		case op.Reset == nil:
			without = append(without, conform.Left{Operation: name, What: fmt.Sprintf("what the run changed through %s: the target file has no reset", op.Tool)})
		default:
			due = append(due, op)
			r.wrote(name)
		}
	}
	if len(due) == 0 {
		return Cleaned{Left: without}, nil
	}
	if err := r.connect(ctx); err != nil {
		r.close(ctx)
		return Cleaned{}, err
	}
	unreached := r.stop.cause
	r.putBack(ctx)
	r.close(ctx)
	c := Cleaned{Left: append(without, r.left...), Unreached: unreached}
	if unreached == "" && ctx.Err() != nil {
		c.Unreached = context.Cause(ctx).Error()
	}
	for _, op := range due {
		if r.dirty[op.Reset.Key()] == nil {
			c.Back = append(c.Back, op.Name)
		}
	}
	return c, nil
}

func said(host string) string {
	if host == "" {
		return "a server that was started as a command"
	}
	return host
}

// unsettledWrites names the operations of which a write went out that no
// acknowledged reset followed, in the order in which they first wrote.
func unsettledWrites(rec *conform.Recording, file *target.File) []string {
	type event struct {
		seq  int64
		name string // of the operation
		back bool
	}
	var events []event
	for _, c := range rec.Calls {
		op := rec.Operation(c.Planned.Operation)
		switch {
		case c.Sent == nil || op == nil:
		case c.Planned.Role == conform.RoleReset && acknowledged(c.Result):
			events = append(events, event{c.Sent.Seq, op.Name, true})
		case op.Write && (c.Planned.Role == conform.RolePrimary || c.Planned.Role == conform.RoleUnit):
			events = append(events, event{c.Sent.Seq, op.Name, false})
		}
	}
	for _, o := range rec.PutBacks {
		if o.PutBack.Done && o.PutBack.What == "reset" {
			events = append(events, event{o.Seq, o.PutBack.Operation, true})
		}
	}
	last := map[string]int64{} // by reset: when it was last acknowledged
	by := func(name string) string {
		if op := file.Operation(name); op != nil && op.Reset != nil {
			return op.Reset.Key()
		}
		return "operation " + name
	}
	for _, e := range events {
		if e.back {
			last[by(e.name)] = max(last[by(e.name)], e.seq)
		}
	}
	var names []string
	told := map[string]bool{}
	for _, e := range events {
		if !e.back && e.seq > last[by(e.name)] && !told[e.name] {
			told[e.name] = true
			names = append(names, e.name)
		}
	}
	return names
}
