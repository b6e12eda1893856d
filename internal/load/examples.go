package load

import (
	"bytes"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// Bounds on the examples that are kept.
const (
	MostExamples = 20       // of one rule, or of one way of failing
	MostBytes    = 64 << 10 // of one example's request, and of its answer
)

// Example is one call that broke a rule, or failed.
type Example struct {
	Rule      string // the rule's id, or the class of a failure
	Operation string
	Items     int
	At        time.Duration   // when it was sent
	Finding   conform.Finding // zero where no rule was judged
	Trace     string          // the id of its trace; empty: it has none
	Problem   string          // of a failure: what happened
	Request   []byte          // its body, cut to MostBytes
	Head      []byte          // of the answer
	Answer    []byte          // cut to MostBytes
	Before    []byte          // the other call's answer, where the rule is broken by the two; cut to MostBytes
	Cut       bool            // something was cut off
}

// Examples are the first few calls of each kind, and how many there were.
type Examples struct {
	mu    sync.Mutex
	kept  []Example
	count map[string]int64
	order []string
}

// add counts a call of a kind; make is called where an example is still wanted.
func (e *Examples) add(rule string, make func() Example) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.count == nil {
		e.count = map[string]int64{}
	}
	if e.count[rule] == 0 {
		e.order = append(e.order, rule)
	}
	if e.count[rule]++; e.count[rule] <= MostExamples {
		e.kept = append(e.kept, make())
	}
}

// Rules gives what there are examples of, in the order first seen, and how many
// calls of each.
func (e *Examples) Rules() (rules []string, count map[string]int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	count = map[string]int64{}
	for rule, n := range e.count {
		count[rule] = n
	}
	return append([]string(nil), e.order...), count
}

// All gives the examples that were kept, in the order seen.
func (e *Examples) All() []Example {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Example(nil), e.kept...)
}

// cut copies bytes up to the bound.
func (x *Example) cut(b []byte) []byte {
	if len(b) > MostBytes {
		x.Cut = true
		b = b[:MostBytes]
	}
	return bytes.Clone(b)
}
