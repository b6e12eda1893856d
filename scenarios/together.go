package scenarios

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
)

// Together is how the calls of a parallel step are in flight together.
type Together struct {
	// Calls is how many there are; 0: as many a session as the run's options say.
	Calls int
	Items Sharing
	Key   Keying
	// Beside is what the last of them asks for in place of the batch; nil: nothing else.
	Beside Batch
	// Among are calls of other kinds that take turns with those of the operation.
	Among []Kin
}

// Sharing says whether calls in flight together ask for the same items.
type Sharing string

// The sharings.
const (
	Own         Sharing = ""
	Same        Sharing = "same"        // all of them for all
	Overlapping Sharing = "overlapping" // the first half of the batch is the same in all, the rest each call's own
)

// Keying says which idempotency key goes along with calls in flight together.
type Keying string

// The keyings.
const (
	NoKey   Keying = ""
	KeySame Keying = "same" // one for all
	KeyOwn  Keying = "own"  // one for each
)

// Kin is what else is in flight with the calls of an operation.
type Kin string

// The kin.
const (
	KinValidate Kin = "validate" // its validator, with items of its own
	KinRead     Kin = "read"     // an operation of the target that only reads
)

// Several is the number of sessions that the run's options say.
const Several = -1

// The defaults of the options: so many sessions, and so many calls in flight on each.
const (
	DefaultSessions = 8
	DefaultInFlight = 8
)

// MostSessions and MostTogether bound the calls that are in flight together.
const (
	MostSessions = 64
	MostTogether = 1000
)

// sessions reads over how many sessions a parallel step is spread.
func (r reader) sessions(e entry) int {
	if s, ok := e.value.(*ast.StringNode); ok && s.Value == "several" {
		return Several
	}
	if _, ok := e.value.(*ast.IntegerNode); !ok {
		r.fail(r.at(e), "sessions is neither a whole number nor several", "")
	}
	return r.number(e, 1, MostSessions)
}

// together reads a key of a parallel step.
func (r reader) together(t *Together, e entry) {
	switch e.key {
	case "calls":
		t.Calls = r.number(e, 2, MostTogether)
	case "items":
		if t.Items = oneOf(r, e, "own", Same, Overlapping); t.Items == "own" {
			t.Items = Own
		}
	case "beside":
		if t.Beside = r.batch(r.list(e), e.at); len(t.Beside) == 0 {
			r.fail(r.at(e), "beside is empty", "write beside: [many x 1000]")
		}
	case "among":
		for _, n := range r.list(e) {
			t.Among = append(t.Among, oneOf(r, entry{"an entry of among", e.at, n}, KinValidate, KinRead))
		}
		if t.Among = unique(t.Among); len(t.Among) == 0 {
			r.fail(r.at(e), "among is empty", "write among: [validate, read]")
		}
	}
}

// fits refuses what does not go together in a parallel step.
func (r reader) fits(s Step, n ast.Node) {
	t := s.Together
	switch {
	case t.Key == KeySame && t.Items != Same:
		r.fail(tokenOf(n), "one key for calls that ask for different items", "write items: same, or key: own")
	case len(t.Beside) > 0 && t.Items != Own:
		r.fail(tokenOf(n), fmt.Sprintf("beside has no meaning where the items are %s", t.Items), "leave beside or items out")
	case len(t.Among) > 0 && t.Items != Own:
		r.fail(tokenOf(n), fmt.Sprintf("among has no meaning where the items are %s", t.Items), "leave among or items out")
	}
}

// halves refuses a batch that cannot be shared in part.
func (r reader) halves(s Step, batch Batch, e entry) {
	if s.Act != Parallel || s.Together.Items != Overlapping {
		return
	}
	if batch.Size() < 2 {
		r.fail(e.at, fmt.Sprintf("step %s overlaps, and its batch has one item", s.Name), "write two or more: the first half is in every call")
	}
	for _, entry := range batch {
		if entry.Of > 0 {
			r.fail(e.at, fmt.Sprintf("step %s overlaps, and an item of its batch comes again", s.Name), "leave it out")
		}
	}
}

// shared is how many of the items of a batch are in every call.
func (t Together) shared(size int) int {
	switch t.Items {
	case Same:
		return size
	case Overlapping:
		return max(1, size/2)
	}
	return 0
}
