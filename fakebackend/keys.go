package fakebackend

import (
	"crypto/sha256"
	"sync"
)

// MaxKeptAnswers bounds, in bytes, the answers kept for idempotency keys. When
// they are more, the oldest go, and their keys are new again.
const MaxKeptAnswers = 256 << 20

// keyring remembers, for each idempotency key, what was asked and what was
// answered, so that a repeat has no second effect.
type keyring struct {
	mu    sync.Mutex
	kept  map[string]*kept
	order []string
	size  int
}

type kept struct {
	asked  [sha256.Size]byte
	done   chan struct{} // closed when answer is there
	answer *answer
	size   int
}

// use says how a key was used.
type use int

const (
	fresh       use = iota // for the first time
	repeated               // again, for the same
	conflicting            // again, for something else
)

func newKeyring() *keyring { return &keyring{kept: map[string]*kept{}} }

// once gives the answer kept under a key, or runs the call and keeps its answer.
// A second call under a key waits for the first to end.
func (k *keyring) once(key string, asked [sha256.Size]byte, run func() *answer) (*answer, use) {
	k.mu.Lock()
	held := k.kept[key]
	if held == nil {
		held = &kept{asked: asked, done: make(chan struct{})}
		k.kept[key] = held
		k.mu.Unlock()
		return k.first(key, held, run), fresh
	}
	k.mu.Unlock()
	if held.asked != asked {
		return nil, conflicting
	}
	<-held.done
	if held.answer == nil { // the first call broke off: this one is the first
		return k.once(key, asked, run)
	}
	return held.answer, repeated
}

func (k *keyring) first(key string, held *kept, run func() *answer) *answer {
	defer func() {
		if held.answer == nil {
			k.drop(key, held)
		}
		close(held.done)
	}()
	held.answer = run()
	k.keep(key, held)
	return held.answer
}

// onceEnded is what once must not be: a call that comes while the first one
// under its key still runs does not see it.
func (k *keyring) onceEnded(key string, asked [sha256.Size]byte, run func() *answer) (*answer, use) {
	k.mu.Lock()
	held := k.kept[key]
	k.mu.Unlock()
	if held != nil {
		if held.asked != asked {
			return nil, conflicting
		}
		<-held.done
		return held.answer, repeated
	}
	held = &kept{asked: asked, done: make(chan struct{}), answer: run()}
	close(held.done)
	k.mu.Lock()
	if k.kept[key] != nil {
		k.mu.Unlock()
		return held.answer, fresh
	}
	k.kept[key] = held
	k.mu.Unlock()
	k.keep(key, held)
	return held.answer, fresh
}

// answered tells whether there is an answer under a key.
func (k *keyring) answered(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	held := k.kept[key]
	if held == nil {
		return false
	}
	select {
	case <-held.done:
		return held.answer != nil
	default:
		return false
	}
}

func (k *keyring) drop(key string, held *kept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept[key] == held {
		delete(k.kept, key)
	}
}

// keep puts a finished answer into the bounded store.
func (k *keyring) keep(key string, held *kept) {
	held.size = len(key) + len(encode(held.answer.payload))
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept[key] != held {
		return // forgotten meanwhile, by reset
	}
	k.order = append(k.order, key)
	k.size += held.size
	for k.size > MaxKeptAnswers && len(k.order) > 1 {
		oldest := k.order[0]
		k.order = k.order[1:]
		k.size -= k.kept[oldest].size
		delete(k.kept, oldest)
	}
}

// forget drops every key.
func (k *keyring) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept, k.order, k.size = map[string]*kept{}, nil, 0
}
