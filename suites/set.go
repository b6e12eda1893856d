package suites

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Rule is what a catalogue set holds of a check: everything that a verdict hangs
// on. A check's title, its examples and its mend may be worded better at any
// time, and a false accusation is repaired in every set.
type Rule struct {
	ID    string                   `json:"id"`
	Level conform.Level            `json:"level"`
	Raise map[string]conform.Level `json:"raise,omitempty"`
	Basis conform.Basis            `json:"basis"`
	Group conform.Group            `json:"group"`
	Text  string                   `json:"text"`
	If    string                   `json:"if,omitempty"`
	Since string                   `json:"since"` // the released set that it came with
}

func ruleOf(r conform.Requirement) Rule {
	return Rule{r.ID, r.Level, r.Raise, r.Basis, r.Group, r.Text, r.If, strings.TrimSuffix(r.Since, draft)}
}

// sameMeaning tells whether two rules ask the same thing, whatever their level
// and the word they rest on.
func (r Rule) sameMeaning(other Rule) bool {
	return r.Group == other.Group && r.Text == other.Text && r.If == other.If
}

// draft ends the name of a set that is still open.
const draft = "-draft"

// Set is a dated selection of rules. Reports of one set can be compared over
// years: a released set is never changed.
type Set struct {
	Name  string `json:"set"`
	Rules []Rule `json:"rules"`
}

// Draft tells whether the set is still open.
func (s Set) Draft() bool { return strings.HasSuffix(s.Name, draft) }

// Digest is the SHA-256 of the set's rules, its first 16 hexadecimal digits, so
// that two reports can tell whether they were judged by the same rules.
func (s Set) Digest() string {
	sum := sha256.New()
	enc := json.NewEncoder(sum)
	for _, rule := range s.Rules {
		// A rule is plain data, and maps are written in the order of their keys:
		// encoding it cannot fail.
		_ = enc.Encode(rule)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))[:16]
}

// Catalogue names the set in reports and transcripts.
func (s Set) Catalogue() conform.Catalogue {
	return conform.Catalogue{Set: s.Name, Digest: s.Digest()}
}

// Level is the level of a rule, before anything raises it; None where the set
// does not have the rule.
func (s Set) Level(id string) conform.Level {
	rule, _ := s.rule(id)
	return rule.Level
}

func (s Set) rule(id string) (Rule, bool) {
	i := slices.IndexFunc(s.Rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return s.Rules[i], true
}

// Of gives the checks as this set has them: at its levels, and on its bases. A
// check that the set does not have, or has with another meaning, is pending.
func (s Set) Of(checks []conform.Check) []conform.Check {
	chosen := slices.Clone(checks)
	for i := range chosen {
		c := &chosen[i]
		rule, _ := s.rule(c.ID)
		if !rule.sameMeaning(ruleOf(c.Requirement)) {
			c.Pending = true
			continue
		}
		c.Level, c.Raise, c.Basis = rule.Level, maps.Clone(rule.Raise), rule.Basis
	}
	return chosen
}

// Gone gives the rules of this set that no check judges any more, with the
// reason.
func (s Set) Gone(checks []conform.Check) []conform.NotApplicable {
	var gone []conform.NotApplicable
	for _, rule := range s.Rules {
		if slices.ContainsFunc(checks, func(c conform.Check) bool { return c.ID == rule.ID }) {
			continue
		}
		reason := "this version does not judge it"
		if stone, ok := tombstone(withdrawn, rule.ID); ok {
			reason = stone.String()
		}
		gone = append(gone, conform.NotApplicable{ID: rule.ID, Reason: reason})
	}
	return gone
}
