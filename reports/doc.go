// Package reports is the versioned report of a run and its writers. Every
// writer is a func(io.Writer, Report) error over the one model, so that text,
// JSON and JUnit agree with each other and with the exit code.
//
// It judges nothing: the findings and the verdict are given to it. It only puts
// the verdict into words (VerdictLine).
package reports
