// Package runner owns a run: compile the scenarios, open sessions, drive the
// plan, record everything, judge the recording, measure, report. The command,
// the Ginkgo specs and the self-test all come through here.
//
// It decides nothing itself that a check or a writer could: what is judged is
// the recording, by the same function whether the run ended a moment ago
// (Run) or years ago (Judge).
package runner
