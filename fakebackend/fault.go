package fakebackend

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Transport is a way of speaking MCP that a fault shows on.
type Transport string

// The transports of faults.
const (
	HTTP  Transport = "http"
	Stdio Transport = "stdio"
)

// Fault is one way in which a server breaks one rule of the contract. Take one
// from Faults or ParseFault; a fault made by hand does nothing and is refused.
type Fault struct {
	ID         string      `json:"id"` // "RES-02/drops-failed"
	Check      string      `json:"check"`
	Sentence   string      `json:"sentence"` // what the server does
	Transports []Transport `json:"transports"`
	// Consequences are other rules that cannot hold where this one is broken so.
	Consequences []string `json:"consequences,omitempty"`
	// Needs are the features without which the fault cannot show; options that lack
	// one are refused. Options.With switches them on.
	Needs []Feature `json:"needs,omitempty"`
	// Probability is how likely a call that could show the fault shows it; 0
	// means always.
	Probability float64 `json:"probability,omitempty"`

	how how
}

// how is what a fault does, at one or more of the layers a server has.
type how struct {
	on scope // the tools that bend, told, result and message are for
	// undeclared takes the outputSchema of the tools away, where an answer in
	// the fault's form would break it besides.
	undeclared bool

	// unseen has no reader ever see what is done.
	unseen bool

	// bend makes what is put into the work of the tools, once for a backend.
	bend func() *bend

	// Pure changes of what goes out, from the exchange alone. Each tells whether
	// it changed anything.
	told    func(x *exchange, t *told) bool           // the answer's data, structured and as text alike
	result  func(x *exchange, result *object) bool    // the tools/call result
	listing func(result *object) bool                 // the tools/list result
	message func(x *exchange, message *object) []line // the whole message; nil: unchanged
	// follows says that what goes out is changed wherever the bend has left its
	// mark, so that the two are drawn together.
	follows bool

	wire wire
}

// scope names tools.
type scope []string

var (
	plainWrites  = scope{cancelProducts, cancelSubscriptions}
	direct       = append(slices.Clip(plainWrites), queryOrders)
	writes       = append(slices.Clip(plainWrites), cancelProductsWorkflow)
	batches      = append(slices.Clip(writes), queryOrders)
	productsOnly = scope{cancelProducts, cancelProductsWorkflow}
	workflows    = scope{cancelProductsWorkflow}
	queries      = scope{queryOrders}
	validators   = scope{validateProducts, validateSubscriptions}
	textJudges   = scope{validateSubscriptions}
)

func (s scope) has(tool string) bool { return slices.Contains(s, tool) }

// Faults gives every fault there is, in the order of the catalogue.
func Faults() []Fault { return slices.Clone(allFaults()) }

// ErrNoFault is returned for an id that no fault has.
var ErrNoFault = errors.New("no such fault")

// ParseFault reads "RES-02/drops-failed", or "RES-02" for the first fault of a
// check, either with "@0.1" behind it for a fault that shows in one call of ten.
func ParseFault(text string) (Fault, error) {
	id, chance, intermittent := strings.Cut(strings.TrimSpace(text), "@")
	for _, f := range allFaults() {
		if f.ID != id && f.Check != id {
			continue
		}
		if intermittent {
			p, err := strconv.ParseFloat(chance, 64)
			if err != nil || !(p > 0 && p <= 1) {
				return Fault{}, fmt.Errorf("fault %q: the probability %q is no number above 0 and up to 1", text, chance)
			}
			f.Probability = p
		}
		return f, nil
	}
	return Fault{}, fmt.Errorf("fault %q: %w", text, ErrNoFault)
}

// faults are the faults a backend was started with.
type faults []*armed

type armed struct {
	Fault
	place  int // in the options
	bend   *bend
	mu     sync.Mutex
	random *rand.Rand
}

func arm(list []Fault, seed uint64) (faults, error) {
	var all faults
	for i, f := range list {
		known, err := ParseFault(f.ID)
		if err != nil {
			return nil, err
		}
		if !(f.Probability >= 0 && f.Probability <= 1) {
			return nil, fmt.Errorf("fault %s: probability %v is not between 0 and 1", f.ID, f.Probability)
		}
		known.Probability = f.Probability
		one := &armed{Fault: known, place: i, random: rand.New(rand.NewPCG(seed, uint64(i)))}
		if known.how.bend != nil {
			one.bend = known.how.bend()
		}
		all = append(all, one)
	}
	return all, nil
}

// shows draws whether the fault shows this time, unless that is drawn already.
func (a *armed) shows(d drawn) bool {
	if d != nil {
		return d.has(a.place)
	}
	if a.Probability == 0 || a.Probability == 1 {
		return true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.random.Float64() < a.Probability
}

func (fs faults) undeclared() bool {
	for _, f := range fs {
		if f.how.undeclared {
			return true
		}
	}
	return false
}

func (fs faults) unseen() bool {
	for _, f := range fs {
		if f.how.unseen {
			return true
		}
	}
	return false
}

// bends draws what is bent in one call of a tool, unless that is drawn already.
func (fs faults) bends(tool string, d drawn) []*bend {
	var bent []*bend
	for _, f := range fs {
		if f.bend != nil && f.how.on.has(tool) && f.shows(d) {
			bent = append(bent, f.bend)
		}
	}
	return bent
}
