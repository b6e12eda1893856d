package runner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/scenarios"
)

// shelf is what load may take of one operation's items, all its cells together.
type shelf struct {
	bulk    *scenarios.Bulk
	choice  string
	timeout func(items int) time.Duration
	reset   func(context.Context) error // nil: nothing puts items back
	kin     func() []*shelf             // those whose items the same reset puts back, this one among them
	allow   func(items int) bool        // counts items about to be written
	seed    uint64

	mu    sync.Mutex
	next  int // the next number or place that is not taken; 0: the first
	taken map[int]bool
	wrote bool
}

// supply is the shelf as one cell sees it.
type supply struct {
	*shelf
	unit    bool // it is the unit tool that is called
	batches *scenarios.Batches
	good    int
	items   int
}

func (s *shelf) of(items, bad int) (*supply, error) {
	batches, err := s.bulk.Of(items, bad)
	if err != nil {
		return nil, err
	}
	return &supply{shelf: s, batches: batches, good: batches.Good(), items: items}, nil
}

// Spends tells that a call uses its items up.
func (s *supply) Spends() bool { return s.bulk.Spends() }

// Choice is how items are chosen.
func (s *supply) Choice() string { return s.choice }

// Restock puts the items back, where the operation has hands for it.
func (s *supply) Restock(ctx context.Context) error {
	if s.reset == nil {
		return nil // what is left of them is taken
	}
	kin := s.kin()
	if !slices.ContainsFunc(kin, (*shelf).written) {
		return nil
	}
	if err := s.reset(ctx); err != nil {
		return err
	}
	for _, other := range kin {
		other.restocked()
	}
	return nil
}

// written tells whether something was written since the items were put back.
func (s *shelf) written() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrote
}

// restocked notes that all items are good again.
func (s *shelf) restocked() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next, s.wrote = 0, false
	clear(s.taken)
}

// Sources gives sources of calls; see campaign.Supply.
func (s *supply) Sources(n int) ([]load.Source, error) {
	room := s.batches.Room()
	if s.good == 0 {
		room = n
	}
	switch {
	case s.choice == ChooseSame || s.batches.Digits() == 0:
		return s.listed(min(room, s.mostListed(n))), nil
	case s.choice == ChooseUnique:
		n = min(n, room)
	case s.choice == ChooseCycle:
		n = min(n, max(1, room/2)) // the one before may still be on its way
	}
	sources := make([]load.Source, n)
	for i := range sources {
		sources[i] = s.numbered(i, room)
	}
	return sources, nil
}

// Journeys pairs each source with one that calls the validator first, for the same
// items.
func (s *supply) Journeys(n int) (ahead, then []load.Source, err error) {
	if !s.bulk.Validates() {
		return nil, nil, fmt.Errorf("%s has no validator, so there is no journey", s.bulk.Operation())
	}
	if then, err = s.Sources(n); err != nil {
		return nil, nil, err
	}
	ahead = make([]load.Source, len(then))
	for i := range then {
		own := then[i]
		var first uint64
		ahead[i] = own
		if own.Digits > 0 {
			ahead[i].Make = s.batches.Validated
			ahead[i].Next = func() (uint64, bool) {
				var ok bool
				first, ok = own.Next()
				return first, ok
			}
			then[i].Next = func() (uint64, bool) { return first, true }
			continue
		}
		planned := s.batches.Validated(uint64(s.batches.First() + i*s.good))
		ahead[i].Make = func(uint64) conform.Planned { return planned }
		then[i].Next = nil // the validator's source has taken the items
	}
	return ahead, then, nil
}

// mostTemplates bounds how many batches of a list are kept encoded.
const mostTemplates = 2000

// mostListed is how many batches of a list are taken: where each may be used once
// only, as many as there are.
func (s *supply) mostListed(n int) int {
	if s.Spends() {
		return mostTemplates
	}
	return n
}

// listed gives batches that are the same in every call.
func (s *supply) listed(n int) []load.Source {
	sources := make([]load.Source, n)
	for i := range sources {
		first := s.batches.First() + i*s.good
		planned := s.asks()(uint64(first))
		sources[i] = load.Source{Make: func(uint64) conform.Planned { return planned }, Timeout: s.timeout(s.items), Plain: s.unit}
		if s.bulk.Write() {
			sources[i].Next = func() (uint64, bool) { return 0, s.once(first) }
		}
	}
	return sources
}

// asks is the call whose items begin at a number or place.
func (s *supply) asks() func(first uint64) conform.Planned {
	if s.unit {
		return s.batches.Unit
	}
	return s.batches.At
}

// once takes a batch of the list; false: it was taken, and is not good again yet.
func (s *supply) once(first int) bool {
	if !s.allow(s.items) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrote = true
	if !s.Spends() {
		return true
	}
	if s.taken[first] {
		return false
	}
	s.taken[first] = true
	return true
}

// numbered gives calls whose items differ by their numbers.
func (s *supply) numbered(i, room int) load.Source {
	source := load.Source{Make: s.asks(), Digits: s.batches.Digits(), Timeout: s.timeout(s.items), Plain: s.unit}
	if s.choice == ChooseZipf {
		// A source is one user's, so each has a generator of its own.
		zipf := rand.NewZipf(rand.New(rand.NewPCG(s.seed, uint64(i))), 1.1, 1, uint64(room-1))
		source.Next = func() (uint64, bool) {
			return uint64(s.batches.First() + int(zipf.Uint64())*s.good), s.allowed()
		}
		return source
	}
	source.Next = func() (uint64, bool) {
		if !s.allowed() {
			return 0, false
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.wrote = s.wrote || s.bulk.Write()
		first := max(s.next, s.batches.First())
		if last := s.batches.First() + room*s.good; first+s.good > last {
			if s.choice == ChooseUnique {
				return 0, false
			}
			first = s.batches.First()
		}
		s.next = first + s.good
		return uint64(first), true
	}
	return source
}

func (s *supply) allowed() bool { return !s.bulk.Write() || s.allow(s.items) }

// leftBehind says what nothing puts back; empty: nothing was written.
func (s *shelf) leftBehind() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.wrote {
		return ""
	}
	if n := s.next - s.bulk.First(); n > 0 && s.bulk.Spends() {
		return fmt.Sprintf("up to %d items stay as load left them: the target file has no reset", n)
	}
	return "what load wrote stays: the target file has no reset"
}
