package load

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/pattern"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// Verdict is what the checks said of one answer. It is not changed once made.
type Verdict struct {
	Outcome  Outcome
	Rules    []string // ids of the MUSTs that it breaks, sorted
	Warnings []string // of the other rules that it breaks
	Why      string   // of Failed: how the whole call was refused; of Unjudged: what is not known
	Findings []conform.Finding
	Beside   []conform.Finding // what it breaks only beside another call's answer
}

// agrees tells whether another verdict says the same; nil, which the forward pass
// gives, says that an answer is all right, and no more.
func (v *Verdict) agrees(other *Verdict) bool {
	if other == nil {
		return v.Outcome == OK
	}
	return v.Outcome == other.Outcome && slices.Equal(v.Rules, other.Rules) && slices.Equal(v.Warnings, other.Warnings)
}

// Judge judges single answers by the checks of a run. It is safe for concurrent
// use, and slow: a user asks it only where its own reading ends.
type Judge struct {
	header  conform.Header
	listing []conform.Observation
	checks  []conform.Check
	tools   map[string]*rawjson.Node // output schemas

	// Rewrite gives what was recorded of a call another form before it is judged, as a
	// transcript's is: secrets redacted, values masked; nil: it stays. It is called by
	// several goroutines at once.
	Rewrite func(*conform.Observation)

	// Keeper records some of the calls; nil: none is.
	Keeper *Keeper

	Examples Examples
	room     room
	era      atomic.Int64 // how often items were put back

	mu     sync.Mutex
	shared map[string][]*pattern.Pattern // what templates learned, for others of their kind
	given  map[string]*given             // by operation
}

// NewJudge makes a judge of a transcript's header, whose target has the operations
// and the revision in force, of what was recorded of tools/list, and of checks.
func NewJudge(header conform.Header, listing []conform.Observation, checks []conform.Check) *Judge {
	j := &Judge{header: header, listing: listing, checks: checks, tools: map[string]*rawjson.Node{}, shared: map[string][]*pattern.Pattern{}, given: map[string]*given{}}
	rec := conform.NewRecording(header, slices.Clone(listing))
	for i := range rec.Tools {
		j.tools[rec.Tools[i].Name] = rec.Tools[i].OutputSchema
	}
	return j
}

// operation gives an operation of the target by name.
func (j *Judge) operation(name string) *conform.Operation {
	for i := range j.header.Target.Operations {
		if j.header.Target.Operations[i].Name == name {
			return &j.header.Target.Operations[i]
		}
	}
	return nil
}

// The ids of the calls in a recording of one call.
const (
	theCall   = "load"
	theBefore = "an-earlier-call"
)

// strict judges an exchange. before is the answer that the same template got
// before, where the two must be compared; nil: they need not.
func (j *Judge) strict(op *conform.Operation, x, before *exchange) *Verdict {
	var calls []conform.Observation
	if before != nil {
		calls = before.observations(theBefore)
	}
	own := *x
	if own.planned.Repeats != "" {
		own.planned.Repeats = ""
		if before != nil {
			own.planned.Repeats = theBefore
		}
	}
	return j.recorded(op, append(calls, own.observations(theCall)...))
}

// Recorded judges one call that was recorded, by itself. Its observations are not
// changed.
func (j *Judge) Recorded(operation string, calls []conform.Observation) (v *Verdict, known bool) {
	op := j.operation(operation)
	if op == nil {
		return nil, false
	}
	own := slices.Clone(calls)
	for i := range own {
		own[i].Call = theCall
	}
	return j.recorded(op, own), true
}

// recorded judges the call named theCall among observations.
func (j *Judge) recorded(op *conform.Operation, calls []conform.Observation) *Verdict {
	header := j.header
	header.Target.Operations = []conform.Operation{*op}
	if j.Rewrite != nil {
		for i := range calls {
			j.Rewrite(&calls[i])
		}
	}
	all := append(slices.Clone(j.listing), calls...)
	all = append(all, conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	for i := range all {
		all[i].Seq = int64(i + 1)
	}
	rec := conform.NewRecording(header, all)
	judged := suites.Judge(rec, j.checks)
	v := &Verdict{Outcome: OK}
	for _, f := range judged.Findings {
		if f.Verdict != conform.Fail || f.Pending || !names(f, theCall) {
			continue
		}
		v.Findings = append(v.Findings, f)
		if f.Level == conform.Must {
			v.Rules = append(v.Rules, f.ID)
		} else {
			v.Warnings = append(v.Warnings, f.ID)
		}
	}
	slices.Sort(v.Rules)
	slices.Sort(v.Warnings)
	word := multiitem.Glance(rec, op, rec.Call(theCall))
	switch {
	case word.Refused != "":
		v.Outcome, v.Why = Failed, word.Refused
	case word.Unknown:
		v.Outcome, v.Why = Unjudged, "the answer has no results[], and the target file maps no other shape"
	case word.Mapped && word.Untrue > 0:
		v.Outcome, v.Rules = Wrong, append(v.Rules, mapping)
	case judged.Wrong[theCall]:
		v.Outcome = Wrong
	}
	return v
}

// mapping stands among the rules for answers of a mapped shape that do not say of
// every item what is known of it.
const mapping = "results-mapping"

func names(f conform.Finding, call string) bool {
	return slices.ContainsFunc(f.Evidence, func(e conform.Evidence) bool { return e.Call == call })
}
