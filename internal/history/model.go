package history

import (
	"strings"

	"github.com/anishathalye/porcupine"

	"github.com/mcpconform/mcpconform/conform"
)

// The semantics of an operation, as the target file has them.
const (
	Once       = "once"       // succeeds once; later calls are refused, or answered as replays
	Idempotent = "idempotent" // succeeds always, and has one effect
	Append     = "append"     // each success adds one
)

// state is what an item may have come to.
type state struct {
	done bool
	n    int64 // how often it was done, counted as the probe does
	// key and protocol are those of the call that did it, where calls do it once: who
	// comes with them again is told the same again. Of someone, neither is known yet.
	key, protocol string
	someone       bool
	// pending are calls without an answer whose effect has not been seen, and maybe
	// never is, and unsure are their keys: those with which someone may have done it.
	pending int64
	unsure  string
	keys    string // of calls that said so, where each adds one
}

// input is what a step does: one happening, or so many alike.
type input struct {
	conform.Happening
	times int64
}

// step takes a happening into a state, if it can have come about in it.
func step(semantics string, s state, in input) (state, bool) {
	switch {
	case in.Kind == conform.Looked:
		return look(semantics, s, in)
	case in.Said == conform.Unanswered:
		s.pending += in.times
		if semantics == Append || !s.done {
			s.unsure = with(s.unsure, in.Key)
		}
		return s, true
	}
	// Whether a repeat under a key adds one is a matter of the key, and of other rules.
	if semantics == Append && (holds(s.keys, in.Key) || s.someone && holds(s.unsure, in.Key)) {
		s.pending += in.times
		s.keys = with(s.keys, in.Key)
		return s, true
	}
	switch semantics {
	case Once:
		if in.times > 1 && in.Key == "" && in.Protocol == "" {
			return s, false
		}
		if s.done {
			return s.again(in)
		}
		s.done, s.n, s.key, s.protocol = true, s.n+1, in.Key, in.Protocol
	case Append:
		adds := in.times
		if in.Key != "" {
			adds = 1
		}
		s.done, s.n, s.pending, s.keys = true, s.n+adds, s.pending+in.times-adds, with(s.keys, in.Key)
	default:
		s.done = true
	}
	return s, true
}

// again takes in that a call is told that it did what was done already.
func (s state) again(in input) (state, bool) {
	if s.someone && (holds(s.unsure, in.Key) || in.Protocol != "") {
		s.someone, s.key, s.protocol = false, in.Key, in.Protocol
	}
	return s, in.Key != "" && in.Key == s.key || in.Protocol != "" && in.Protocol == s.protocol
}

// look compares what was seen with what must be, where what is pending may have been
// done by now.
func look(semantics string, s state, in input) (state, bool) {
	counted := in.Count != nil && semantics != Idempotent
	if counted {
		more := *in.Count - s.n
		switch {
		case more < 0, more > s.pending, semantics == Once && more > 0 && (s.done || more > 1):
			return s, false
		case more > 0:
			s.n, s.pending, s.done, s.someone = *in.Count, s.pending-more, true, true
		}
	}
	switch {
	case in.Done == s.done:
		return s, true
	case s.done:
		return s, false
	}
	if s.pending == 0 {
		return s, false
	}
	s.done, s.someone, s.pending = true, true, s.pending-1
	if !counted {
		s.n++
	}
	return s, true
}

const between = "\x00"

func with(keys, key string) string {
	if key == "" || holds(keys, key) {
		return keys
	}
	return keys + key + between
}

func holds(keys, key string) bool {
	return key != "" && (strings.HasPrefix(keys, key+between) || strings.Contains(keys, between+key+between))
}

// mostSteps bounds one search. It takes well under a second.
const mostSteps = 200_000

// model is the search's: it counts its steps, and lets none succeed once there are too
// many, so that the search ends soon.
func model(semantics string, initial state, steps *int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return initial },
		Step: func(from, in, _ any) (bool, any) {
			if *steps++; *steps > mostSteps {
				return false, from
			}
			to, ok := step(semantics, from.(state), in.(input))
			return ok, to
		},
		Equal: func(a, b any) bool { return a.(state) == b.(state) },
	}
}
