package fakebackend

import (
	"strings"
	"sync"
	"time"
)

// Effect is one thing that really happened in the store.
type Effect struct {
	Seq  int64     `json:"seq"` // 1, 2, 3, … in the order it happened
	Time time.Time `json:"time"`
	Tool string    `json:"tool"`
	Item string    `json:"item,omitempty"` // id of the thing; empty: the whole store
	Kind string    `json:"kind"`           // product-cancelled, subscription-cancelled, product-reserved, customer-notified, store-reset
	Key  string    `json:"key,omitempty"`  // idempotency key of the call
}

// MaxEffects bounds the effect log. When it is full the older half goes; the
// numbers show the gap.
const MaxEffects = 1 << 20

type effectLog struct {
	mu   sync.Mutex
	now  func() time.Time
	last int64
	held []Effect
}

func (l *effectLog) add(e Effect) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	e.Seq, e.Time = l.last, l.now()
	if len(l.held) >= MaxEffects {
		l.held = append(l.held[:0], l.held[MaxEffects/2:]...)
	}
	l.held = append(l.held, e)
}

func (l *effectLog) all() []Effect {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Effect(nil), l.held...)
}

// Counted says how often a thing was cancelled, by the effect log alone.
type Counted struct {
	ID    string `json:"id"`
	Times int    `json:"times"`
	Done  bool   `json:"done"` // at least once
}

// counted goes through a log from the last time that everything was put back.
func counted(log []Effect, ids []string) []Counted {
	times := map[string]int{}
	for _, e := range log {
		switch {
		case e.Kind == "store-reset":
			clear(times)
		case strings.HasSuffix(e.Kind, "-cancelled"):
			times[e.Item]++
		}
	}
	rows := make([]Counted, len(ids))
	for i, id := range ids {
		rows[i] = Counted{id, times[id], times[id] > 0}
	}
	return rows
}
