package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/generate"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
)

// Generating says which batches are played besides those of the scenarios.
type Generating struct {
	// Calls is about how many calls are made with batches that are made up, and with
	// those that show what a failing one needs to fail; 0: none.
	Calls int
	// Writes has operations that write asked too.
	Writes bool
	// Cases are played first, in the words of generate.Case.
	Cases []string
	// Only has nothing else played than the cases.
	Only bool
	// Smallest is told each smallest batch that breaks a rule; nil: nobody is told.
	Smallest func(Smallest)
}

// Smallest is a batch that breaks a rule, and of which no item can be left out.
type Smallest struct {
	Case  string // see generate.Case
	Check string
}

// parsed reads the cases, before anything is connected to.
func (g Generating) parsed() ([]generate.Case, error) {
	var cases []generate.Case
	for _, text := range g.Cases {
		c, err := generate.Parse(text)
		if err != nil {
			return nil, &UsageError{Err: err, Hint: "a report has them behind --replay, under reproduce"}
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// reopened gives the generated batches by which an earlier run found what it left open.
func reopened(rerun *conform.Rerun) []generate.Case {
	if rerun == nil {
		return nil
	}
	var cases []generate.Case
	seen := map[string]bool{}
	for _, open := range rerun.Open {
		for _, name := range open.Scenarios {
			words, made := strings.CutPrefix(name, conform.Generated+"/")
			if c, err := generate.Parse("case:" + open.Operation + ": " + words); made && err == nil && !seen[c.String()] {
				seen[c.String()] = true
				cases = append(cases, c)
			}
		}
	}
	return cases
}

// replay gives the cases that the run was narrowed to; nil: it was not.
func (g Generating) replay() []string {
	if !g.Only {
		return nil
	}
	return g.Cases
}

// onlyCases is why no scenario is played.
const onlyCases = "left out by --replay"

// generator plays generated batches.
type generator struct {
	run     *run
	plan    *scenarios.Plan
	supply  *scenarios.Supply
	random  *rand.Rand
	checks  []conform.Check
	listing []conform.Observation      // what tools/list said
	known   map[string]bool            // by operation and check: what needs no further batch to be seen
	found   map[string][]generate.Case // by operation: the smallest ones
	shown   map[string]int             // by operation and check: how many smallest ones there are
	calls   int                        // made
	played  int                        // batches
	most    int                        // calls
}

// mostSmallest is how many batches show one rule broken on one operation, at most.
const mostSmallest = 5

// generate plays the cases that are kept, and then batches that are made up.
func (r *run) generate(ctx context.Context, plan *scenarios.Plan, supply *scenarios.Supply) error {
	o := r.opts.Generating
	cases, err := o.parsed()
	cases = append(reopened(r.opts.Rerun), cases...)
	if err != nil || len(cases) == 0 && o.Calls <= 0 {
		return err
	}
	all := r.record.observations()
	g := &generator{run: r, plan: plan, supply: supply, random: rand.New(rand.NewPCG(r.opts.Seed, 0x67656e)), most: o.Calls,
		known: map[string]bool{}, found: map[string][]generate.Case{}, shown: map[string]int{}}
	if _, g.checks, err = checksOf(r.set.Name, r.opts.Checks, r.opts.Skip, r.opts.Levels); err != nil {
		return err
	}
	listed := conform.NewRecording(r.header, all)
	g.listing = slices.DeleteFunc(slices.Clone(all), func(seen conform.Observation) bool {
		c := listed.Call(seen.Call)
		return c == nil || c.Planned.Role != conform.RoleList
	})
	for _, f := range suites.Judge(listed, g.checks).Findings {
		if f.Verdict == conform.Fail {
			g.known[f.Operation+" "+f.ID] = true
		}
	}
	for _, c := range cases {
		op := plan.Operation(c.Operation)
		if op == nil {
			r.notes = append(r.notes, fmt.Sprintf("%s was not played: the target file has no operation %q, or the run was narrowed to others", c, c.Operation))
			continue
		}
		if _, skipped := g.play(ctx, c, op); skipped != nil {
			r.notes = append(r.notes, fmt.Sprintf("%s was not played: %s", c, skipped.Reason))
		}
	}
	if o.Calls <= 0 {
		return nil
	}
	g.explore(ctx)
	return nil
}

// explore draws batches for the operations in turn until the calls are used up.
func (g *generator) explore(ctx context.Context) {
	var words []generate.Words
	var left []string
	for _, op := range g.plan.Operations() {
		switch w := g.words(op); {
		case op.Write && !g.run.opts.Generating.Writes:
			left = append(left, op.Name)
		case len(w.Items) > 0:
			words = append(words, w)
		}
	}
	misses := 0
	for turn := 0; len(words) > 0 && g.goesOn(ctx); turn++ {
		at := turn % len(words)
		op := g.plan.Operation(words[at].Operation)
		c := words[at].Draw(g.random)
		broken, skipped := g.play(ctx, c, op)
		if skipped != nil {
			// Some sorts of items are rare; where nothing can be had any more, it ends.
			if misses++; misses > 200 {
				words, misses = slices.Delete(words, at, at+1), 0
			}
			continue
		}
		misses = 0
		for _, check := range broken {
			g.shrink(ctx, c, op, check, words[at].Items[0])
		}
	}
	note := fmt.Sprintf("generated: %s with %s", counted(g.played, "batch", "batches"), counted(g.calls, "call", "calls"))
	if len(left) > 0 {
		note += fmt.Sprintf("; %s writes, and is not asked without --generate-writes", strings.Join(left, ", "))
		if len(left) > 1 {
			note = strings.Replace(note, " writes, and is ", " write, and are ", 1)
		}
	}
	g.run.notes = append(g.run.notes, note)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// goesOn tells whether a further batch may be played.
func (g *generator) goesOn(ctx context.Context) bool {
	return g.calls < g.most && ctx.Err() == nil && g.run.stop.cause == "" && g.run.timeLeft() > 0
}

// oddForms are the words for items that operations are asked for which only read: what a
// server makes of them is its own affair, and a write might do it.
var oddForms = []scenarios.Spelling{
	scenarios.UpperCase, scenarios.LowerCase, scenarios.OuterSpace, scenarios.Decomposed, scenarios.Combining, scenarios.ZeroWidth, scenarios.RightToLeft, scenarios.Emoji,
	scenarios.VeryLong, scenarios.NumberZero, scenarios.NumberMinus, scenarios.NumberExact, scenarios.NumberLarge, scenarios.NoOptional, scenarios.Nulls,
}

// words gives what batches for an operation can be made of: each sort of item of which
// one can be had.
func (g *generator) words(op *scenarios.Operation) generate.Words {
	w := generate.Words{Operation: op.Name, Most: max(1, g.plan.MostItems(op)), Regroup: !op.Write}
	can := func(items ...string) bool {
		s, err := generate.Case{Operation: op.Name, Items: items}.Scenario(op.Write)
		if err != nil {
			return false
		}
		_, skipped := g.plan.More(s, op, 0)
		return skipped == nil
	}
	sorts := []string{"good", "bad", "good with accents", "good with a comma"}
	if !op.Write {
		for _, how := range oddForms {
			sorts = append(sorts, "good "+string(how))
		}
	}
	for _, sort := range sorts {
		if can(sort) {
			w.Items = append(w.Items, sort)
		}
	}
	if len(w.Items) == 0 || w.Items[0] != "good" {
		w.Items = nil // nothing ordinary to begin with
		return w
	}
	for _, how := range []string{"again", string(scenarios.OuterSpace), string(scenarios.Decomposed), string(scenarios.UpperCase)} {
		if can("good", "1 "+how) {
			w.Again = append(w.Again, how)
		}
	}
	return w
}

// play plays one case, and gives the checks that its answers break and that are not
// known to be broken.
func (g *generator) play(ctx context.Context, c generate.Case, op *scenarios.Operation) (broken []string, skipped *conform.Skipped) {
	s, err := c.Scenario(op.Write)
	if err != nil {
		return nil, &conform.Skipped{Reason: err.Error()}
	}
	if c.Places != nil && op.Write {
		return nil, &conform.Skipped{Reason: "items are not asked for twice of an operation that writes"}
	}
	p, skipped := g.plan.More(s, op, g.played+1)
	if skipped != nil {
		return nil, skipped
	}
	if g.run.opts.Progress != nil && g.most > 0 {
		g.run.opts.Progress(Progress{Done: g.calls, Total: g.most, Now: "generated batches on " + op.Name})
	}
	mark := g.run.record.mark()
	g.run.one(ctx, g.plan, p, g.supply)
	seen := g.run.record.since(mark)
	if i := slices.IndexFunc(seen, func(o conform.Observation) bool { return o.Kind == conform.KindSkipped }); i >= 0 {
		return nil, seen[i].Skipped
	}
	g.played++
	return g.judge(seen, op.Name), nil
}

// judge judges one play by itself, and counts its calls.
func (g *generator) judge(seen []conform.Observation, operation string) (broken []string) {
	rec := conform.NewRecording(g.run.header, append(slices.Clone(g.listing), seen...))
	for _, c := range rec.Calls {
		if c.Planned.Scenario == conform.Generated && c.Planned.Role == conform.RolePrimary && c.Sent != nil {
			g.calls++
		}
	}
	for _, f := range suites.Judge(rec, g.checks).Findings {
		if f.Verdict == conform.Fail && f.Operation == operation && !f.Pending && f.Level >= conform.Should && !g.known[operation+" "+f.ID] {
			broken = append(broken, f.ID)
		}
	}
	return broken
}

// holds tells whether a check fails by all that was recorded so far, as the report will
// say it.
func (g *generator) holds(operation, check string) bool {
	rec := conform.NewRecording(g.run.header, g.run.record.observations())
	return slices.ContainsFunc(suites.Judge(rec, g.checks).Findings, func(f conform.Finding) bool {
		return f.ID == check && f.Operation == operation && f.Verdict == conform.Fail
	})
}

// shrink makes a batch that breaks a check as small as it gets, and keeps it.
func (g *generator) shrink(ctx context.Context, c generate.Case, op *scenarios.Operation, check, ordinary string) {
	key := op.Name + " " + check
	if g.known[key] || slices.ContainsFunc(g.found[op.Name], func(small generate.Case) bool { return small.Explains(c, ordinary) }) {
		return
	}
	tried := map[string]bool{}
	small := generate.Shrink(c, ordinary, func(smaller generate.Case) bool {
		text := smaller.String()
		if broken, known := tried[text]; known {
			return broken
		}
		if !g.goesOn(ctx) {
			return false
		}
		broken, _ := g.play(ctx, smaller, op)
		tried[text] = slices.Contains(broken, check)
		return tried[text]
	})
	g.found[op.Name] = append(g.found[op.Name], small)
	if !g.holds(op.Name, check) {
		// By all that was seen of the server, another user's hand for one, it is no fault.
		g.known[key] = true
		return
	}
	if g.shown[key]++; g.shown[key] == mostSmallest {
		g.known[key] = true
	}
	g.run.notes = append(g.run.notes, fmt.Sprintf("generated: %s breaks %s, and no item can be left out of it", small, check))
	if tell := g.run.opts.Generating.Smallest; tell != nil {
		tell(Smallest{Case: small.String(), Check: check})
	}
}
