// Package pieces puts answers together that come in pieces: a job that is begun
// and asked for until it has ended, and rows that stand on several pages. The
// target file says how, under `results.async` and `results.next`.
//
// It decides from results alone, one after another, what is asked for next and
// what the whole is. The runner plays by it, and the checks judge by it: of a
// recording both come to the same. Patience is the runner's; a job that was given
// up is one that still has something to ask.
package pieces
