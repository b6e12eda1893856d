package scenarios

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func tooling(t *testing.T, schema string) conform.Tooling {
	t.Helper()
	n, err := rawjson.Parse([]byte(`{"name":"t","inputSchema":` + schema + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return conform.Tooling{Name: "t", Node: n, InputSchema: n.Get("inputSchema")}
}

// dryable is a write operation that knows dry runs, and has eyes.
func dryable(good, bad int) *Operation {
	o := plain(good, bad)
	o.DryRun, o.Probe = json.RawMessage(`{"preview":true}`), conform.Present
	return o
}

const (
	dryScript  = "state_checks: [EFF-01, VAL-05]\ndry_run: true\nsteps: [{execute: batch}]\nvariants:\n  v: {batch: [good x 2, bad]}\n"
	knowsDry   = `{"type":"object","properties":{"items":{"type":"array"},"preview":{"type":"boolean"}}}`
	knowsNoDry = `{"type":"object","properties":{"items":{"type":"array"}}}`
)

func TestADryRunUsesNothingUp(t *testing.T) {
	o := dryable(3, 1)
	p := planOf(t, o, dryScript, Options{Repeat: 5}, tooling(t, knowsDry))
	if len(p.Plays) != 5 || len(p.Skipped) != 0 {
		t.Fatalf("%d plays, skipped %+v", len(p.Plays), p.Skipped)
	}
	s := NewSupply(1)
	foreseen := p.Foresee()
	for i, play := range p.Plays {
		looks := 2
		if i == 0 {
			looks += 2 // whether anything moves by itself
		}
		if !play.DryRun || play.WriteCalls != 0 || play.DryCalls != 1 || play.WriteItems != 0 || foreseen.Plays[i].Besides != looks {
			t.Errorf("%+v, and %d calls besides", play, foreseen.Plays[i].Besides)
		}
		if got := strings.Join(play.Checks(), " "); got != "RES-02 VAL-05 EFF-04" {
			t.Errorf("it feeds %s", got)
		}
		bound, lacking := p.Bind(play, s)
		if lacking != nil {
			t.Fatalf("%+v", lacking)
		}
		var acts []string
		for _, step := range bound.Steps {
			acts = append(acts, string(step.Act)+" "+string(step.Phase))
			if step.Act == conform.ActProbe && len(step.Items) != 3 {
				t.Errorf("the eyes look at %d items", len(step.Items))
			}
		}
		if got := strings.Join(acts, ", "); got != "probe before, calls , probe after" {
			t.Errorf("the steps are %s", got)
		}
		call := bound.Calls()[0]
		if call.Write || !call.Planned.DryRun || !strings.HasSuffix(string(call.Planned.Arguments), `],"preview":true}`) {
			t.Errorf("%+v", call)
		}
		s.Spent(o, bound, conform.Played{Sent: []string{call.ID}})
	}
	// A promise that did not hold uses up what it was asked for.
	bound, _ := p.Bind(p.Plays[0], s)
	s.Broken(o, bound)
	if left, _ := p.Bind(p.Plays[1], s); !strings.Contains(left.Smaller, "needs 2 good items, 1 left") {
		t.Errorf("%q", left.Smaller)
	}
}

func TestWhatIsPlayedByDryRuns(t *testing.T) {
	for name, c := range map[string]struct {
		op      *Operation
		script  string
		schema  string
		options Options
		dry     bool
		reason  string // why it is not played; empty: it is
	}{
		"one that the file knows":    {dryable(3, 1), dryScript, knowsDry, Options{}, true, ""},
		"the tool knows none":        {dryable(3, 1), dryScript, knowsNoDry, Options{}, false, `the input schema of the tool "t" names no argument "preview" (inputSchema/properties): a dry run might be done in earnest`},
		"an operation without":       {plain(3, 1), dryScript, knowsDry, Options{}, false, ""},
		"a script of effects":        {dryable(3, 1), strings.Replace(dryScript, "dry_run: true\n", "", 1), knowsDry, Options{}, false, ""},
		"nobody consented to writes": {dryable(3, 1), dryScript, knowsDry, Options{NoWrites: "--read-only"}, false, "no write is played: --read-only"},
		"more than may be written":   {dryable(3, 1), dryScript, knowsDry, Options{MaxWriteItems: 1}, true, ""},
	} {
		p := planOf(t, c.op, c.script, c.options, tooling(t, c.schema))
		reason := ""
		for _, s := range p.Skipped {
			if !s.NotApplicable && s.Key != "operations.op.probe" {
				reason = s.Reason
			}
		}
		if reason != c.reason || (len(p.Plays) == 1) != (c.reason == "") || len(p.Plays) == 1 && p.Plays[0].DryRun != c.dry {
			t.Errorf("%s: %d plays, %q", name, len(p.Plays), reason)
		}
	}
}

// Where no tool was listed nothing is accused of not knowing dry runs, and none is tried.
func TestADryRunOfAnUnlistedToolIsNoMistake(t *testing.T) {
	p, err := compile([]*Operation{dryable(3, 1)}, nil, Options{Scenarios: []*Scenario{script(t, dryScript)}})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Plays) != 0 || len(p.Skipped) != 1 || p.Skipped[0].Wrong || !strings.Contains(p.Skipped[0].Reason, "was not asked for it") {
		t.Errorf("%d plays, %+v", len(p.Plays), p.Skipped)
	}
}

func TestDryRunsComeFirst(t *testing.T) {
	o := dryable(9, 1)
	earnest, err := Parse("g.yaml", []byte("name: earnest\ntitle: Mine\nwhy: To see.\norder: 1\nchecks: [RES-02]\n"+execute+"{batch: [good x 3]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := compile([]*Operation{o}, []conform.Tooling{tooling(t, knowsDry)}, Options{Scenarios: []*Scenario{earnest, script(t, dryScript)}, Repeat: 2})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, play := range p.Plays {
		order = append(order, play.Instance)
	}
	if got := strings.Join(order, " "); got != "mine/v/op#1 mine/v/op#2 earnest/v/op#1 earnest/v/op#2" {
		t.Error(got)
	}
}

// What a validator resolved goes to the tool as a dry run too.
func TestWhatWasResolvedStaysADryRun(t *testing.T) {
	o := dryable(3, 1)
	o.Validator, o.ValidatorTool = conform.Present, "t"
	p := planOf(t, o, "dry_run: true\nsteps: [{validate: batch}, {probe: before}, {resolved: validate}, {probe: after}]\nvariants:\n  v: {batch: [good]}\n", Options{}, tooling(t, knowsDry))
	if len(p.Plays) != 1 {
		t.Fatalf("%+v", p.Skipped)
	}
	bound, lacking := p.Bind(p.Plays[0], NewSupply(1))
	if lacking != nil {
		t.Fatal(lacking)
	}
	calls := bound.Calls()
	if calls[0].Planned.DryRun || strings.Contains(string(calls[0].Planned.Arguments), "preview") {
		t.Errorf("the validator is asked %s", calls[0].Planned.Arguments)
	}
	if !calls[1].Planned.DryRun || calls[1].Write || string(calls[1].Keep) != `{"preview":true}` || !strings.Contains(string(calls[1].Planned.Arguments), `"preview":true`) {
		t.Errorf("%+v", calls[1])
	}
	if len(bound.Steps) != 4 {
		t.Errorf("%d steps: the script's own looks are enough", len(bound.Steps))
	}
}

func TestAScriptThatADryRunTellsNothingOf(t *testing.T) {
	for step, want := range map[string]string{
		"{parallel: batch, calls: 2}":                "has calls in flight together",
		"{execute: batch, key: true}":                "is about idempotency keys",
		"{execute: batch, sweep: true}":              "measures",
		"{execute: batch, answer: decline}":          "is about what the user declines",
		"{execute: batch, cancel: true}":             "is about what a cancelled call has done",
		"{execute: batch}, {restart: true}":          "is about what outlives the server",
		"{execute: batch, as: a}, {retry: a, as: b}": "is about idempotency keys",
	} {
		_, err := Parse("f.yaml", []byte("name: mine\ntitle: Mine\nwhy: To see.\ndry_run: true\nsteps: ["+step+"]\nvariants:\n  v: {batch: [good]}\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "leave dry_run out") {
			t.Errorf("%s: %v", step, err)
		}
	}
}

// A play that asks for no items has nothing to look at: no call is made for it, and
// the first play that has some looks whether anything moves by itself.
func TestNoLookIsForeseenWhereThereIsNothingToLookAt(t *testing.T) {
	o := plain(2, 0)
	o.Probe = conform.Present
	p := planOf(t, o, "steps: [{probe: before}, {execute: batch}, {probe: after}]\nvariants:\n  empty: {form: empty}\n  two: {batch: [good x 2]}\n", Options{})
	got := map[string]int{}
	for _, play := range p.Foresee().Plays {
		got[play.Variant.Name] = play.Besides
	}
	if len(got) != 2 || got["empty"] != 0 || got["two"] != 4 {
		t.Errorf("%v, skipped %+v", got, p.Skipped)
	}
}
