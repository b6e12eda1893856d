package selftest

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/suites"
)

// play is one fault over one transport.
type play struct {
	fault fakebackend.Fault
	over  fakebackend.Transport
}

// choose gives the plays of the faults that the glob takes. Every fault is
// played over HTTP where it shows there; over stdio those that show only there,
// those of tools that ask or take long, which speak by another revision there,
// and of the others the first of each group, which is enough to see that a pipe
// tells no less than HTTP does. A glob asks for all of them.
func choose(faults []fakebackend.Fault, glob string) ([]play, error) {
	var plays []play
	piped := map[conform.Group]bool{}
	for _, f := range faults {
		check, err := suites.Find(f.Check)
		if err != nil || !Judged(f) {
			continue // this version does not judge it: Report.Ahead tells
		}
		if glob != "" {
			byID, err := path.Match(strings.ToUpper(glob), strings.ToUpper(f.ID))
			if err != nil {
				return nil, &GlobError{fmt.Sprintf("the pattern %q does not read: %v", glob, err)}
			}
			byCheck, _ := path.Match(strings.ToUpper(glob), strings.ToUpper(f.Check))
			if !byID && !byCheck {
				continue
			}
		}
		overHTTP := slices.Contains(f.Transports, fakebackend.HTTP)
		if overHTTP {
			plays = append(plays, play{f, fakebackend.HTTP})
		}
		if slices.Contains(f.Transports, fakebackend.Stdio) && (!overHTTP || !piped[check.Group] || glob != "" || len(f.Needs) > 0) {
			piped[check.Group] = true
			plays = append(plays, play{f, fakebackend.Stdio})
		}
	}
	if len(plays) == 0 {
		return nil, &GlobError{fmt.Sprintf("no fault of a check of this version matches %q", glob)}
	}
	return plays, nil
}

// Judged tells whether this version has the check that a fault breaks, and plays
// the tools that it shows on. The fake backend can be wrong in ways that only a
// later catalogue judges.
func Judged(f fakebackend.Fault) bool {
	_, err := suites.Find(f.Check)
	for _, feature := range f.Needs {
		if _, played := features[feature]; !played {
			return false
		}
	}
	return err == nil
}

// ordinary is the target file that says what every server is asked.
const ordinary = "builtin:fakebackend"

// featured is the tool that a feature of the fake backend switches on, and the
// target file that has its operation.
type featured struct{ tool, target string }

// undoing is the target file of a server on which what was done is taken back item
// by item, and whose items are put in place.
const undoing = "builtin:fakebackend-undo"

// features are the tools that this version can play to their end, by what they
// are switched on with.
var features = map[fakebackend.Feature]featured{
	fakebackend.Confirming: {"cancel_products_confirmed", "builtin:fakebackend-asking"},
	fakebackend.Tasking:    {"cancel_products_task", "builtin:fakebackend-asking"},
	fakebackend.Jobbing:    {"cancel_products_job", "builtin:fakebackend-pieces"},
	fakebackend.Paging:     {"cancel_products_paged", "builtin:fakebackend-pieces"},
	fakebackend.DryRunning: {"cancel_products_rehearsed", "builtin:fakebackend-dry-run"},
}

// quickly is how long a task or a job of a selftest takes, and fewRows how many
// rows a page has: batches of three are on two.
const (
	quickly = 20 * time.Millisecond
	fewRows = 2
)

// GlobError is a glob of faults that matches nothing or does not read.
type GlobError struct{ problem string }

func (e *GlobError) Error() string { return e.problem }

// patience is how long a call to a faulty server may take. Some faults keep a
// client waiting, and for most of them a selftest need not wait as long as a client
// would.
const patience = 2 * time.Second

// cancelling are the faults that show only where a task is cancelled before its
// work has begun, by a revision at which the rows are told even so.
var cancelling = map[string]bool{"EFF-02/cancelled-task-does-it": true}

const (
	cancelScenario = "cancelled"
	lingering      = time.Second // what such a task takes
)

// slow are the faults that show only to a client as patient as the platform, by the
// scenarios that show them. They are played those, and the call has a little more
// than the platform's 30 seconds.
var slow = map[string][]string{
	"LD-02/too-slow": {"large-batches/25"}, "LD-02/task-never-ends": {"large-batches/25"}, "LD-02/job-never-ends": {"large-batches/25"},
	"CON-03/never-answers":  {"concurrent/one-session"},
	"CON-06/keeps-the-lock": {"all-succeed/three", "withdrawn/several"}, // how long a call takes must be known, to meet its middle
}

const (
	slowPatience  = 31 * time.Second
	slowOperation = "cancel-products"
)

// shapes are the checks that the good server breaks in its default shape, which
// are advice. Their faults are played on the shape that keeps them.
var shapes = map[string]fakebackend.Shape{"ENV-05": fakebackend.Wrapped}

// handshakes are the checks, and single faults, that have no meaning on the newest
// revision, which knows neither sessions nor notifications of a client, and lets
// structured content be anything. Their faults are played on the newest that has a
// handshake.
var handshakes = map[string]bool{"PRO-02": true, "PRO-09": true, "PRO-10": true, "LD-01/session-mix-up": true}

// Setup is the good server that a fault shows on, where it is not the default
// one.
type Setup struct {
	Shape    fakebackend.Shape
	Protocol string // the revision to speak; empty: the newest
	// Target is the target file to play it by, and Flags switch the backend's tools
	// on that it names besides the usual ones.
	Target string
	Flags  []string
	// Patience is how long a call may take, and Scenarios are those that show the
	// fault; nil: all that a selftest plays.
	Patience  time.Duration
	Scenarios []string
	// Operations are those that are asked, by name; nil: all.
	Operations []string
	// Takes is how long a task or a job takes; 0: there are none.
	Takes time.Duration
}

// SetupOf gives the good server that a fault is played on.
func SetupOf(f fakebackend.Fault) Setup {
	s := Setup{Shape: shapes[f.Check], Target: ordinary, Patience: patience}
	if scenarios := slow[f.ID]; scenarios != nil {
		s.Patience, s.Scenarios = slowPatience, scenarios
		if len(f.Needs) == 0 {
			s.Operations = []string{slowOperation} // one wait is enough
		}
	}
	for _, feature := range f.Needs {
		s.Target = features[feature].target
		switch feature {
		case fakebackend.Tasking, fakebackend.Jobbing:
			if s.Takes = quickly; cancelling[f.ID] {
				s.Takes, s.Scenarios, s.Protocol = lingering, []string{cancelScenario}, handshake
			}
			s.Flags = append(s.Flags, "--"+string(feature), "--takes", s.Takes.String())
		case fakebackend.Paging:
			s.Flags = append(s.Flags, fmt.Sprintf("--%s=%d", feature, fewRows))
		default:
			s.Flags = append(s.Flags, "--"+string(feature))
		}
	}
	if handshakes[f.Check] || handshakes[f.ID] {
		s.Protocol = handshake
	}
	return s
}

// crowds are the groups of rules about calls in flight together. What other rules
// are about shows in one burst as in three.
var crowds = map[string]bool{"CON": true, "LD": true, "EFF": true, "IDM": true}

// narrow leaves out, for time, what shows nothing more of the fault.
func (p play) narrow(scenarios []string) []string {
	if only := SetupOf(p.fault).Scenarios; only != nil {
		return only
	}
	group, _, _ := strings.Cut(p.fault.Check, "-")
	if crowds[group] {
		return scenarios
	}
	narrowed := slices.DeleteFunc(slices.Clone(scenarios), func(name string) bool { return strings.HasPrefix(name, "concurrent-") })
	at := slices.Index(narrowed, "concurrent")
	switch {
	case at < 0:
	case p.over == fakebackend.Stdio && slices.Contains(p.fault.Transports, fakebackend.HTTP):
		return slices.Delete(narrowed, at, at+1) // it is played over HTTP as well
	default:
		narrowed[at] = "concurrent/one-session"
	}
	return narrowed
}

// server gives the server that plays it.
func (p play) server() server {
	s := p.neighbour()
	s.options.Faults = []fakebackend.Fault{p.fault}
	s.options.Takes = SetupOf(p.fault).Takes
	s.patience, s.operations = SetupOf(p.fault).Patience, SetupOf(p.fault).Operations
	return s
}

// neighbour is the same server without the fault.
func (p play) neighbour() server {
	setup := SetupOf(p.fault)
	options := fakebackend.Options{Shape: setup.Shape}.With(p.fault.Needs...)
	if options.Tasks != "" || options.Jobs {
		options.Takes = quickly
	}
	if options.PageRows > 0 {
		options.PageRows = fewRows
	}
	return server{transport: p.over, options: options, protocol: setup.Protocol, features: p.fault.Needs}
}

// faulty plays a fault and says what became of it.
func faulty(ctx context.Context, p play, usual []Accused, names *redraw, o Options, scenarios []string) (Faulty, error) {
	r, err := record(ctx, p.server(), o.Self, p.narrow(scenarios))
	if err != nil {
		return Faulty{}, fmt.Errorf("playing %s over %s: %w", p.fault.ID, p.over, err)
	}
	if o.recorded != nil {
		o.recorded(p, r)
	}
	b := assign(p.fault, r.report.Findings, usual)
	b.explain(p.fault, r.report.NotApplicable)
	out := tell(p, b)
	out.Seconds = r.took.Seconds()
	second, err := r.again(names)
	if err != nil {
		return out, fmt.Errorf("judging %s over %s a second time: %w", p.fault.ID, p.over, err)
	}
	if other := difference(r.report.Findings, second.Findings, names.replace); other != "" {
		out.Rejudged = "under other names the transcript gave another finding: " + other
	}
	if !o.Masked {
		return out, nil
	}
	third, err := r.masked()
	if err != nil {
		return out, fmt.Errorf("judging %s over %s masked: %w", p.fault.ID, p.over, err)
	}
	if other := difference(r.report.Findings, third.Findings, same); other != "" {
		out.Rejudged = "masked, the transcript gave another finding: " + other
	}
	return out, nil
}

func same(name string) string { return name }

func tell(p play, b blame) Faulty {
	f := Faulty{
		Fault: p.fault.ID, Check: p.fault.Check, Sentence: p.fault.Sentence, Transport: p.over,
		Word: b.word, Caught: b.own, Consequences: b.follow, Blamed: b.others, Instead: b.ownSays,
	}
	if c, err := suites.Find(f.Check); err == nil {
		f.Level = c.Level
	}
	// In JSON a list is a list.
	for _, list := range []*[]Accused{&f.Caught, &f.Blamed} {
		if *list == nil {
			*list = []Accused{}
		}
	}
	if f.Consequences == nil {
		f.Consequences = []string{}
	}
	return f
}
