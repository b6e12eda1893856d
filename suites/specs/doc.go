// Package specs turns the checks of the catalogue into Ginkgo specs, for a Go
// test suite of one's own: one spec for each check and operation, and one for
// the verdict of the whole run.
//
//	func TestConformance(t *testing.T) {
//		file, err := target.Load("testdata/target.yaml", os.LookupEnv)
//		if err != nil {
//			t.Fatal(err)
//		}
//		if err := specs.Register(specs.Options{Target: file}); err != nil {
//			t.Fatal(err)
//		}
//		gomega.RegisterFailHandler(ginkgo.Fail)
//		ginkgo.RunSpecs(t, "accounts")
//	}
//
// The specs decide nothing: runner.Run plays the scenarios once, when the first
// spec is about to run, and each spec tells what that run's report says of its
// rule. All specs of a target stand in one ordered container, which Ginkgo keeps
// on one process: with `ginkgo -p` a target is still run once, and its items are
// used up once. Several targets, registered one by one, share the processes.
//
// How a finding becomes a spec:
//
//   - A MUST that failed fails the spec, with the finding as its message.
//   - A SHOULD or MAY that failed passes, with a report entry "warning" or
//     "advice". Under Options.Run.Strict a SHOULD fails.
//   - A MUST that was asked and could not be verified fails: Ginkgo has no third
//     state, and not knowing is not passing. A SHOULD or MAY is skipped with the reason.
//   - What was not run, and what has no meaning for the target, is skipped with the
//     reason. Both are registered all the same: the list of specs depends on the
//     target file alone, and `ginkgo --dry-run -v` shows it without a server.
//   - The spec "verdict" comes first and fails unless the run is conformant, so that
//     skipped MUSTs never leave a suite green. Where a filter leaves the verdict
//     out, a MUST that was not run fails itself.
//
// Labels, for --label-filter: the level (must, should, may, none), the group
// (core, validator, …), the basis (seed, documented, …) and the check's id. The
// verdict is labelled must and verdict. A spec's place is that of the scenario
// which feeds its check, so that --focus-file partial.yaml works; rules that no
// scenario feeds stand at the caller of Register.
package specs
