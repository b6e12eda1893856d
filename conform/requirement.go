package conform

import "fmt"

// Level is the word of the rule's source (RFC 2119). A failed MUST makes a run
// nonconformant, a failed SHOULD is a warning, a failed MAY is advice.
type Level uint8

// The levels, weakest first, so that they compare. The zero value is none:
// rules that only say whether a run is complete (SCOPE-*).
const (
	None Level = iota
	May
	Should
	Must
)

var levelNames = [...]string{"NONE", "MAY", "SHOULD", "MUST"}

func (l Level) String() string { return levelNames[l] }

// MarshalText writes the level's word.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the level's word.
func (l *Level) UnmarshalText(text []byte) error {
	for i, name := range levelNames {
		if name == string(text) {
			*l = Level(i)
			return nil
		}
	}
	return fmt.Errorf("level %q is none of MUST, SHOULD, MAY, NONE", text)
}

// Basis says what a rule rests on; every finding shows it.
type Basis string

// The bases, strongest first.
const (
	Seed       Basis = "seed"        // the capability's own README
	Documented Basis = "documented"  // a guide or specification
	Tested     Basis = "tested"      // asserted by a published test
	Code       Basis = "code"        // read in the source of a consumer
	Issue      Basis = "issue"       // reported in a tracker, confirmed
	ThirdParty Basis = "third-party" // said by others
	Inferred   Basis = "inferred"    // our own conclusion; --basis can turn it into a warning
)

// Group is the part of the catalogue that a rule belongs to. A target file may
// declare a group absent; the verdict line says which groups were earned.
type Group string

// The groups, in the order reports show them.
const (
	GroupCore        Group = "core"
	GroupValidator   Group = "validator"
	GroupScalar      Group = "scalar"
	GroupWorkflow    Group = "workflow"
	GroupIdempotency Group = "idempotency"
	GroupReadOnly    Group = "read-only"
	GroupEffects     Group = "effects"
	GroupConcurrency Group = "concurrency"
	GroupProtocol    Group = "protocol"
	GroupREST        Group = "rest"
	GroupScope       Group = "scope"
)

// Groups gives all groups, in the order reports show them.
func Groups() []Group {
	return []Group{GroupCore, GroupValidator, GroupScalar, GroupWorkflow, GroupIdempotency, GroupReadOnly,
		GroupEffects, GroupConcurrency, GroupProtocol, GroupREST, GroupScope}
}

// Need is what a rule cannot be judged without, in the letters of the contract.
type Need string

// The needs.
const (
	NeedResponse    Need = "response"    // R: an answer's bytes
	NeedItems       Need = "items"       // F: items known to be good or bad
	NeedState       Need = "state"       // S: eyes: a state probe
	NeedConcurrency Need = "concurrency" // C: calls in flight together
)

// Requirement is one rule: what it asks, on whose word, and what breaks when it
// is broken. Ids are never renumbered.
type Requirement struct {
	ID     string
	Level  Level
	Basis  Basis
	Group  Group
	Title  string // a few words, for a table
	Text   string // the rule in one sentence
	Impact string // the harm, in one sentence a manager understands
	Source string // where the rule is written
	Needs  []Need
	Good   string // an answer, or a sentence, that keeps the rule
	Bad    string // one that breaks it
	Mend   string // what to change
	Since  string // the catalogue set that introduced it
	// Raise lifts the level where a condition holds that is known before
	// judging: "rest", "gateway", "keys-declared", "semantics-declared".
	Raise map[string]Level
	// If is said where the rule applies only when something is present
	// ("MUST if present").
	If string
}
