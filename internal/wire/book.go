package wire

import (
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

// book knows which call an id belongs to: of calls in flight, and, for late and
// second answers, of a bounded number of calls that are over.
type book struct {
	limit int

	mu      sync.Mutex
	waiting map[string]*waiter
	past    map[string]string // key to call
	order   []string          // of past, a ring
	oldest  int
}

// waiter is a call in flight.
type waiter struct {
	call  string
	got   chan arrival // holds one
	asked Asked
	waits *patience
}

// arrival is the answer to a call, as it came on standard output.
type arrival struct {
	message         *frame.Message
	firstByte, done time.Duration
	how             conform.End
	problem         string
}

// enter notes a call in flight; false if its id is in flight already.
func (b *book) enter(key, call string, asked Asked, waits *patience) (*waiter, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[key] != nil {
		return nil, false
	}
	if b.waiting == nil {
		b.waiting, b.past = map[string]*waiter{}, map[string]string{}
	}
	w := &waiter{call, make(chan arrival, 1), asked, waits}
	b.waiting[key] = w
	return w, true
}

// leave ends the waiting for an id; false if its answer is there already.
func (b *book) leave(key string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.waiting[key] == nil {
		return false
	}
	b.retire(key)
	return true
}

// retire moves a call to the past; the caller holds the lock.
func (b *book) retire(key string) {
	call := b.waiting[key].call
	delete(b.waiting, key)
	if _, again := b.past[key]; !again {
		if len(b.order) < b.limit {
			b.order = append(b.order, key)
		} else {
			delete(b.past, b.order[b.oldest])
			b.order[b.oldest] = key
			b.oldest = (b.oldest + 1) % b.limit
		}
	}
	b.past[key] = call
}

// take gives the call that an id belongs to, and its waiter if it still waits:
// the caller then owes it an arrival.
func (b *book) take(key string) (call string, w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w = b.waiting[key]; w != nil {
		b.retire(key)
		return w.call, w
	}
	return b.past[key], nil
}

// stir notes progress of a call in flight, and gives it; empty: none of that id
// was sent with a token.
func (b *book) stir(key string) (call string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.waiting[key]
	if w == nil || w.waits.stirred == nil {
		return ""
	}
	w.waits.stir()
	return w.call
}

// asked gives who answers what the server asks. On a pipe it cannot be told which
// of several calls a question belongs to; calls in flight together are of one
// operation, and answered alike.
func (b *book) asked() Asked {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.waiting {
		if w.asked != nil {
			return w.asked
		}
	}
	return nil
}

// only gives the id and call of the one call in flight; empty if there are none
// or several.
func (b *book) only() (key, call string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) != 1 {
		return "", ""
	}
	for k, w := range b.waiting {
		key, call = k, w.call
	}
	return key, call
}
