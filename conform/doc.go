// Package conform is the vocabulary every part of mcpconform speaks:
// requirement, level, observation, transcript, check, verdict, finding. It does
// no I/O and decides nothing.
//
// A run is recorded once, as Observations in a transcript, and judged as often
// as one likes: everything right of the transcript is a pure function of a
// Recording.
package conform
