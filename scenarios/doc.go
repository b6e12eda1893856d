// Package scenarios holds the scripts that are played against a server, and
// turns them, with a target and a seed, into a plan.
//
// A scenario is a YAML file that knows no server: it speaks of good, bad and
// informal items, of steps, and of the checks that its evidence feeds. Compile
// lays the scenarios over the operations of a target and says what is played,
// in which order, and what is not, and why. Bind then chooses the items of one
// play when its turn comes, from what is left.
//
// A scenario file, with everything it may say:
//
//	name: partial              # letters, digits, hyphens; no two scenarios share one
//	title: Some items succeed and some do not
//	why: |                     # what is asked and why, for a person
//	  …
//	order: 20                  # plays with a low number come first
//	effort: quick              # quick | standard | full: the least effort that plays it
//	for: {effect: write, style: array}   # read | write | any, array | scalar | any
//	needs: [validator]         # validator, workflow, auxiliary_failure, idempotency, probe, fold_case, answers, tasks
//	checks: [RES-02]           # what its answers feed
//	state_checks: [EFF-01]     # what they feed where the operation has a probe
//	steps:
//	  - probe: before          # before | middle | after; left out without a probe
//	  - {execute: batch, as: first, key: true}     # the variant's batch, or a list of items
//	  - {repeat: first, as: again}                 # the same bytes
//	  - {retry: first, as: retry}                  # the same items under a new key
//	  - {validate: batch, as: ask}
//	  - resolved: ask                              # what the validator resolved, to the letter
//	  - {parallel: batch, calls: 8}                # together, items of their own each
//	  - {execute: [good, bad], as: more, times: 10, sweep: true}
//	  - {execute: batch, as: mail, auxiliary_fails: true}
//	  - reset: true
//	variants:
//	  bad-first: {batch: [bad, good x 2]}          # see Batch for the words
//	  as-strings: {batch: [good], form: strings, extras: true, sessions: 8}
//
// A variant may have effort, for, needs, checks, state_checks and steps of its
// own; needs come on top of the scenario's, the others take their place. Keys
// that begin with x- are free, every other unknown key is an error.
//
// It calls nothing and judges nothing. The ground truth of every call is in its
// plan, so that a check can tell truth from claim.
package scenarios
