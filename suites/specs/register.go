package specs

import (
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
)

// Register adds the specs of a target to the suite. Call it before RunSpecs, or
// in the body of a container that is not Ordered; once for each target. Hooks of
// the containers around it (BeforeEach, …) run before the run is made. The error
// is about the options, and nothing is registered then.
func Register(o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	subjects, err := o.subjects()
	if err != nil {
		return fmt.Errorf("registering specs: %w", err)
	}
	caller := types.NewCodeLocation(1)
	p := &play{options: o, subjects: subjects}
	ginkgo.Describe(o.text(), caller, ginkgo.Ordered, ginkgo.ContinueOnFailure, func() {
		ginkgo.BeforeAll(p.begin, caller)
		ginkgo.It("verdict", caller, ginkgo.Label("must", "verdict"), func() {
			p.verdictRan = true
			end(verdictOf(p.report))
		})
		for rest := subjects; len(rest) > 0; {
			n := sameOperation(rest)
			p.container(rest[:n], caller)
			rest = rest[n:]
		}
	})
	return nil
}

// begin makes the run, with its progress where Ginkgo asks for it.
func (p *play) begin(ctx ginkgo.SpecContext) {
	detach := ginkgo.AttachProgressReporter(p.now)
	defer detach()
	if err := p.run(ctx, uint64(ginkgo.GinkgoRandomSeed())); err != nil {
		ginkgo.Fail(err.Error())
	}
}

// sameOperation gives how many subjects from the first on are of one operation.
func sameOperation(all []subject) int {
	n := 1
	for n < len(all) && all[n].operation == all[0].operation {
		n++
	}
	return n
}

// container holds the specs of one operation.
func (p *play) container(all []subject, caller types.CodeLocation) {
	text := all[0].operation
	if text == "" {
		text = "the server"
	}
	ginkgo.Context(text, caller, func() {
		for _, s := range all {
			where := caller
			if s.place != (place{}) {
				where = s.place.location()
			}
			ginkgo.It(s.ID+" "+s.Title, where, ginkgo.Label(s.labels()...), func() {
				end(outcomeOf(p.told[key{s.ID, s.operation}], p.options.Run.Strict, p.verdictRan))
			})
		}
	})
}

// end ends a spec as its outcome says.
func end(o outcome) {
	switch o.state {
	case passed:
		if o.entry != "" {
			when := ginkgo.ReportEntryVisibilityFailureOrVerbose
			if o.shown {
				when = ginkgo.ReportEntryVisibilityAlways
			}
			ginkgo.AddReportEntry(o.entry, o.body, when, ginkgo.CurrentSpecReport().LeafNodeLocation)
		}
	case skipped:
		ginkgo.Skip(o.text)
	default:
		ginkgo.Fail(o.text)
	}
}
