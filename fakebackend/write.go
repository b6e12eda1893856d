package fakebackend

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"sync/atomic"
)

// write is one multi-item write, ready to run.
type write struct {
	shelf *shelf
	refs  []ref
	// particulars are further arguments that make another call of it, for the
	// idempotency key.
	particulars string
	tell        func(rows []any) *answer // makes the answer
}

// write runs a multi-item write. It refuses, item by item, what cannot be begun,
// and keeps the answer under the idempotency key, if one was sent.
func (b *Backend) write(c *call, w write) *answer {
	atomic.StoreInt64(&c.items, int64(len(w.refs)))
	if b.slow() {
		c.ctx = context.WithoutCancel(c.ctx)
		_ = wait(c.ctx, b.options.SlowWrites) // nothing ends this context
	}
	run := func() *answer { return w.tell(b.cancelAll(c, w.shelf, w.refs)) }
	refuse := func(o outcome) *answer { return w.tell(w.refuseAll(o)) }
	if o, ok := b.tooMany(w.refs); ok {
		return refuse(o)
	}
	if len(w.refs) == 0 || !c.args.present("idempotency_key") {
		return run()
	}
	key, isText := c.args.text("idempotency_key")
	if !isText {
		return refuse(refused("invalid_idempotency_key"))
	}
	if strings.TrimSpace(key) == "" || c.keyless() {
		return run()
	}
	c.key = key
	// What was begun under a key is ended, so that the key has an answer.
	c.ctx = context.WithoutCancel(c.ctx)
	once := b.keys.once
	if c.racesKeys() {
		once = b.keys.onceEnded
	}
	kept, use := once(c.tool+" "+key, w.asked(), run)
	switch use {
	case conflicting:
		return refuse(refused("idempotency_key_reused"))
	case repeated:
		for _, bent := range c.bends {
			if bent.replay != nil {
				return bent.replay(b, c, kept, run)
			}
		}
	}
	return kept
}

// slow tells whether a write is one of those that take long.
func (b *Backend) slow() bool {
	every := int64(max(1, b.options.SlowEvery))
	return b.options.SlowWrites > 0 && b.writes.Add(1)%every == 0
}

// tooMany refuses a call for more items than one takes.
func (b *Backend) tooMany(refs []ref) (outcome, bool) {
	most := b.options.MaxItems
	return outcome{problem: "too_many_items", detail: fmt.Sprintf("at most %d items a call; nothing was done", most)}, most > 0 && len(refs) > most
}

// asked is what a key stands for: the items as the caller wrote them, and the
// particulars. Context that agents send along is no part of it.
func (w write) asked() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %#v", w.particulars, w.refs))
}

func (w write) refuseAll(o outcome) []any {
	rows := make([]any, len(w.refs))
	for i, r := range w.refs {
		rows[i] = w.shelf.resolve(r, false).row(o)
	}
	return rows
}

func (c *call) keyless() bool {
	for _, bent := range c.bends {
		if bent.keyless {
			return true
		}
	}
	return false
}

func (c *call) racesKeys() bool {
	for _, bent := range c.bends {
		if bent.raceKeys {
			return true
		}
	}
	return false
}
