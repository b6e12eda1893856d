package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/internal/launch"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

// Run plays the scenarios against the target and judges the recording. The
// error is a *UsageError, or a fault of ours: whatever the server does ends in
// the report. When the context ends, the run stops sending, Options.Interrupted
// gets the partial report, what the run changed is put back for at most five
// seconds, and the report is returned.
func Run(ctx context.Context, file *target.File, o Options) (reports.Report, error) {
	set, _, err := checksOf(o.catalogue(file), o.Checks, o.Skip, o.Levels)
	if err != nil {
		return reports.Report{}, err
	}
	if err := rerunnable(file, o.Rerun); err != nil {
		return reports.Report{}, err
	}
	if err := commands(file, o.AllowCommands); err != nil {
		return reports.Report{}, err
	}
	bound, remove, err := file.MakeRunDir()
	if err != nil {
		return reports.Report{}, &UsageError{Err: err}
	}
	r := newRun(bound, o, set)
	report, err := r.all(ctx)
	if err := errors.Join(err, remove()); err != nil {
		return report, err
	}
	return report, nil
}

// run is one run under way.
type run struct {
	file    *target.File
	opts    Options
	header  conform.Header
	record  *recorder
	tape    wire.Recorder // what the wire records goes there first; nil: to record
	set     suites.Set
	client  *wire.Client
	session map[string]*wire.Session
	stop    stopped
	pace    *pace
	lanes   map[string]*pace // by operation, where it has limits of its own
	started *launch.Server   // nil: it was there
	notes   []string
	guarded
	listing   sync.Once
	listed    []conform.Tooling // what tools/list said, read once
	silence   silence
	barred    barred
	untold    indefinite
	reopening sync.Mutex
	peering   sync.Mutex // one looks past an intermediary at a time
	peered    int        // how often that was done

	journal    *journal                  // read it by kept
	refusals   map[string]int            // in a row, by the key of a reset, an undo or a setup
	adrift     map[string]string         // why a reset may still put things back, by its key
	inPlace    map[place]bool            // by a setup's key
	askings    int                       // of hands
	noWrites   bool                      // nothing that writes is played
	later      bool                      // the run that wrote is over: what does not show by now was not done
	earnest    map[string]bool           // operations whose dry runs did something
	rehearsals map[string]int            // dry runs played, by operation
	left       []conform.Left            // what could not be put back
	smaller    map[string]bool           // told already
	playing    int                       // where the recording of the play begins
	feeds      []string                  // the checks that its evidence feeds
	seen       map[string]conform.State  // the state before the play's writes
	landed     *bystanders               // of the play at hand, for the next one
	standing   *bystanders               // of the play before it; nil: none
	impatient  map[string]int            // settle times used up, by operation
	canaries   map[string][]conform.Item // items that the run never asks for, by operation
	usual      map[string]time.Duration  // how long the last answered call of a tool took
	jobs       map[string]time.Duration  // the longest time that a task or job was polled for, by operation
	blind      map[string]bool           // operations whose probe is a tool that cannot be asked
	wary       map[string]bool           // by eyes: good items were seen that were done before the run asked for them
	passed     map[string]int            // by operation: how many such items were passed over
	passing    []string                  // the operations of passed, in order
	calm       map[string]bool           // by eyes: looked at twice with nothing between
	aside      *wire.Aside               // nil until it is needed
	holder     *credentials.Holder       // nil: there are no credentials to be got
}

// stopped is why the run ended before its plan did.
type stopped struct {
	class conform.EndClass
	cause string
}

func newRun(file *target.File, o Options, set suites.Set) *run {
	started := o.Started
	if started.IsZero() {
		started = time.Now()
	}
	secrets := append([]Secret{}, o.Secrets...)
	for _, s := range file.Secrets() {
		secrets = append(secrets, Secret(s))
	}
	names := append([]string{}, o.SecretHeaders...)
	for _, h := range file.Server.Headers {
		names = append(names, h.Name)
	}
	names = append(names, file.EyesHeaders()...)
	r := &run{
		file: file, opts: o, set: set, pace: newPace(file.Limits), lanes: lanes(file), session: map[string]*wire.Session{}, guarded: guarded{ids: map[string]int{}},
		journal: newJournal(file), refusals: map[string]int{}, adrift: map[string]string{}, inPlace: map[place]bool{}, smaller: map[string]bool{}, impatient: map[string]int{}, earnest: map[string]bool{}, rehearsals: map[string]int{}, jobs: map[string]time.Duration{}, usual: map[string]time.Duration{},
		canaries: map[string][]conform.Item{}, blind: map[string]bool{}, calm: map[string]bool{}, wary: map[string]bool{}, passed: map[string]int{},
	}
	r.header = o.header(file.Conform(), started)
	r.header.Catalogue = set.Catalogue()
	redact := newRedactor(secrets, names)
	r.header.Masked = masked(file)
	r.header = rewriteHeader(r.header, redact)
	r.record = newRecorder(r.header, o.Transcript, redact, newMasker(file), started)
	return r
}

// all is the whole run: connect, list, play, put back, close, judge.
func (r *run) all(ctx context.Context) (reports.Report, error) {
	defer r.launch(ctx)()
	var err error
	if r.stop.cause == "" {
		err = r.connect(ctx)
	}
	if err == nil && r.stop.cause == "" {
		err = r.play(ctx)
	}
	if err != nil {
		r.close(ctx)
		return reports.Report{}, err
	}
	if ctx.Err() != nil {
		return r.interrupted(ctx)
	}
	r.stillThere(ctx)
	r.putBack(ctx)
	r.close(ctx)
	if r.started != nil && r.stop.class != conform.EndGone { // which says so itself
		if how, ended := r.started.Ended(0); ended {
			r.notes = append(r.notes, "the server that the run started ended by itself: "+how)
		}
	}
	r.notes = append(append(r.notes, r.waited.notes()...), r.late.notes(r.file.Timeouts.Call)...)
	r.notes = append(r.notes, r.untold.notes()...)
	r.notes = append(append(r.notes, r.madeAgain()...), r.forgetful()...)
	r.notes = append(r.notes, r.passedOver()...)
	r.notes = append(r.notes, r.dryRuns()...)
	r.notes = append(r.notes, r.heldBack()...)
	r.notes = append(r.notes, r.unlike()...)
	r.notes = append(r.notes, r.withoutFile()...)
	r.record.Record(conform.Observation{At: r.record.Now(), Kind: conform.KindEnded, Ended: &conform.Ended{
		Cause: r.stop.cause, Class: r.stop.class, Elapsed: r.record.Now(), Notes: r.notes, Left: r.left, Unmet: r.unmet(),
	}})
	return r.judge()
}

// judge judges what was recorded.
func (r *run) judge() (reports.Report, error) {
	header, observations := r.record.finish(r.header)
	report, err := Judge(header, observations)
	if err != nil {
		return report, err
	}
	quote(&report, r.opts.Evidence, observations)
	if r.record.writeErr != nil {
		return report, fmt.Errorf("writing the transcript: %w", r.record.writeErr)
	}
	return report, nil
}

// unmet gives the masks that led to nothing. Of a target that said nothing they
// cannot be told.
func (r *run) unmet() []conform.Unmet {
	if r.stop.class == conform.EndUnreachable || r.stop.class == conform.EndUnauthorized {
		return nil
	}
	return r.record.unmet()
}

// putBackFor bounds putting back after an interruption.
const putBackFor = 5 * time.Second

// interrupted writes the partial report first and puts back afterwards: the
// person at the keyboard waits for the report, not for us.
func (r *run) interrupted(ctx context.Context) (reports.Report, error) {
	class := conform.EndInterrupted
	cause := context.Cause(ctx)
	r.record.Record(conform.Observation{At: r.record.Now(), Kind: conform.KindEnded, Ended: &conform.Ended{
		Partial: true, Cause: cause.Error(), Class: class, Elapsed: r.record.Now(), Notes: r.notes, Unmet: r.unmet(),
	}})
	report, err := r.judge()
	if err == nil && r.opts.Interrupted != nil {
		r.opts.Interrupted(report)
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackFor)
	defer cancel()
	due := r.due()
	r.record.goOn()
	if due != "" && r.opts.PuttingBack != nil {
		r.opts.PuttingBack(due)
	}
	r.putBack(after)
	r.close(after)
	if len(r.left) > 0 && r.opts.LeftBehind != nil {
		r.opts.LeftBehind(reports.Left(r.record.told(r.left)))
	}
	return report, errors.Join(err, r.record.writeErr)
}
