package main

import "strings"

const (
	smallCalls = "Small calls: four fifths of our processor time are system calls. Go's poller tries to read before it waits, so each call makes one read more than wrk's, and users wake one by one where wrk takes all connections at once."
	late       = "Lag and latency: who is due has to be given a core, and has to wait where all are taken. These goals are about a machine with an idle core."
)

// reasons say why a goal is missed, as far as profiles of the processor tell, by how the
// goal begins. They are written where a goal is missed, and nowhere else.
var reasons = []struct{ of, because string }{
	{"calls/s ÷ wrk, batch 1, ", smallCalls},
	{"calls/s ÷ wrk, batch 10, ", smallCalls},
	{"calls/s ÷ wrk, ", "Large calls: an answer is kept whole and compared with what is known of it, which takes its size through the caches twice, on cores that the server uses too. wrk throws away what it reads, eight kilobytes at a time."},
	{"CPU per call ÷ wrk's", smallCalls},
	{"calls/s ÷ bombardier", "Bombardier: on two cores that the server has too, both are as fast as what it leaves them, and which is ahead changes from round to round; bombardier reads no answer."},
	{"our share of all CPU, go-sdk server, stdio", "Share of all CPU over stdio: users share one pipe, so an answer goes from who reads it to whose it is. Between two answers of a slow server there is nothing to do, and then a third of our time goes into the futex calls with which Go's runtime wakes its monitor and one more thread."},
	{"our share of all CPU", "Share of all CPU: where the server is slow a call costs us more than beside the bare server, because a thread goes to sleep and wakes for nearly every answer; and the less the server's own work on a small call is, the larger is our share."},
	{"dispatch lag", late},
	{"latency beyond", late},
	{"stalls of", late},
	{"its growth: CPU per item", "Growth: with large answers what is read no longer fits the nearest caches."},
	{"calls/s, live view", "View and recording: four times a second somebody looks on and draws, on cores that the users have in full; and each call is counted once more, where it can be seen from outside. The table on what watching costs tells the two apart."},
}

// because gives the reason of a goal; empty: none is known.
func because(g *goal) string {
	for _, r := range reasons {
		if strings.HasPrefix(g.what, r.of) {
			return r.because
		}
	}
	return ""
}
