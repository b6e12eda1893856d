package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
	"github.com/mcpconform/mcpconform/target"
)

// Cleaned is what Cleanup did.
type Cleaned struct {
	// Back are the operations whose items were put back, in the order of the target
	// file; both lists are empty where a recording leaves nothing to be put back.
	Back []string
	// Items are how many items each of those had that were, or may have been, changed.
	Items map[string]int
	// Left is what could not be put back.
	Left []reports.LeftBehind
	// Unreached is why the server could not be asked; empty: it was.
	Unreached string
	// Note is what is worth to be known besides; empty: nothing is.
	Note string
}

// Cleanup puts back what a recorded run wrote and did not put back itself, because
// it was killed, or its reset or undo failed: by the reset of each operation of
// which a write went out after its last acknowledged reset, or by its undo, for the
// items that the recording names. The recording may be cut off. The error is a
// *UsageError, or a fault of ours.
//
// The target must be the server of the recording: the same host, whatever the
// port, or started as a command as it was, and by the same name of its own. Writes
// must be consented to.
func Cleanup(ctx context.Context, file *target.File, header conform.Header, observations []conform.Observation, o Options) (Cleaned, error) {
	note, err := sameTarget(file, header)
	if err != nil {
		return Cleaned{}, err
	}
	if err := commands(file, o.AllowCommands); err != nil {
		return Cleaned{}, err
	}
	if file.OwnFolder() {
		return Cleaned{Note: "the server kept its data in the run's own folder, which nobody uses any more"}, nil
	}
	r := newRun(file, o, suites.Default())
	r.later = true
	rec := conform.NewRecording(header, observations)
	r.journal = journalOf(file, rec, observations[len(rec.Observations):])
	due := r.journal.operations()
	if open := r.journal.forgive(); open != "" && note != "" {
		note += "; " + open
	} else if open != "" {
		note = open
	}
	if len(due) == 0 {
		return Cleaned{Note: note}, nil
	}
	defer r.launch(ctx)()
	if r.stop.cause == "" {
		if err := r.connect(ctx); err != nil {
			r.close(ctx)
			return Cleaned{}, err
		}
	}
	unreached := r.stop.cause
	if err := r.sameServer(rec); err != nil {
		r.close(ctx)
		return Cleaned{}, err
	}
	for _, name := range due {
		if file.Operation(name) == nil {
			r.left = append(r.left, conform.Left{Operation: name, What: "the target file does not name the operation any more"})
		}
	}
	if len(header.Masked) > 0 {
		r.leaveMasked()
	}
	items := r.journal.changed()
	r.putBack(ctx)
	r.close(ctx)
	c := Cleaned{Items: items, Left: reports.Left(r.record.told(r.left)), Unreached: unreached, Note: note}
	if unreached == "" && ctx.Err() != nil {
		c.Unreached = context.Cause(ctx).Error()
	}
	for _, op := range file.Operations {
		remains := slices.ContainsFunc(r.left, func(l conform.Left) bool { return l.Operation == op.Name })
		hands := op.Reset != nil || op.Undo != nil || op.Setup != nil
		if slices.Contains(due, op.Name) && hands && !remains {
			c.Back = append(c.Back, op.Name)
		}
	}
	return c, nil
}

// changed counts, by operation, the items that were changed, or may have been.
func (j *journal) changed() map[string]int {
	n := map[string]int{}
	counted := map[place]bool{} // what was made and then written is one item
	for _, e := range slices.Concat(j.written.list, j.made.list) {
		if at := (place{e.operation, e.known}); e.outcome != multiitem.Refused && !counted[at] {
			counted[at] = true
			n[e.operation]++
		}
	}
	return n
}

// leaveMasked leaves what is put back item by item: a recording with pseudonyms
// does not tell which items they are, and a pseudonym may be another item's name.
func (r *run) leaveMasked() {
	all := map[string]int{}
	byItem := func(e *entry) bool {
		op := r.file.Operation(e.operation)
		if op == nil || op.Reset != nil && slices.Contains(r.journal.unreset, op.Name) {
			return false // a reset needs no names
		}
		all[e.operation]++
		return true
	}
	r.journal.written.drop(byItem)
	r.journal.made.drop(byItem)
	for _, op := range r.file.Operations {
		if n := all[op.Name]; n > 0 {
			r.leave(op, "", "", fmt.Sprintf("%d items: the recording holds pseudonyms (`privacy`), so that an undo cannot be told which they are", n))
		}
	}
}

// sameTarget tells whether a recording can be of a target: a local server that is
// started again often gets another port.
func sameTarget(file *target.File, header conform.Header) (note string, err error) {
	was, is := header.Target.Host, file.Host()
	if target.HostName(was) != target.HostName(is) || (was == "") != (is == "") {
		return "", &UsageError{Err: fmt.Errorf("the recording is of %s, and the target is %s", said(was), said(is)),
			Hint: "name the target as the run did: " + header.Target.Selector}
	}
	if may, why := file.MayWrite(is); !may {
		return "", &UsageError{Err: errors.New(why)}
	}
	if was != is {
		note = fmt.Sprintf("the recording is of %s, and the target is %s: the same host, on another port", was, is)
	}
	return note, nil
}

// sameServer tells whether the server that answers goes by the name of the one
// that the recording is of.
func (r *run) sameServer(rec *conform.Recording) error {
	was, _ := rec.ServerInfo()
	is, _ := conform.NewRecording(r.header, r.record.observations()).ServerInfo()
	if was == "" || is == "" || was == is {
		return nil
	}
	return &UsageError{Err: fmt.Errorf("the recording is of a server that calls itself %q, and the one that answers calls itself %q", was, is),
		Hint: "name the target as the run did: " + rec.Header.Target.Selector}
}

func said(host string) string {
	if host == "" {
		return "a server that was started as a command"
	}
	return host
}

// journalOf reads the journal of a run off its recording, with what was put back
// after an interruption.
func journalOf(file *target.File, rec *conform.Recording, after []conform.Observation) *journal {
	j := newJournal(file)
	j.take(rec)
	j.take(conform.NewRecording(rec.Header, after))
	return j
}

// operations names those of which something may have to be put back, in the order
// in which they first wrote.
func (j *journal) operations() []string {
	var names []string
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range j.unreset {
		if op := j.file.Operation(name); op == nil || op.Undo == nil || op.Reset != nil {
			add(name)
		}
	}
	for _, e := range slices.Concat(j.written.list, j.made.list) {
		add(e.operation)
	}
	return names
}
