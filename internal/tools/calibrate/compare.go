package main

import (
	"fmt"
	"slices"
	"strings"
)

// Comparison is what both sides say of one rule on one server.
type Comparison struct {
	Server   string  `json:"server"`
	Revision string  `json:"revision"`
	Rule     string  `json:"rule"` // of rules.yaml; scenario/check for an official check that stands alone
	Theirs   Verdict `json:"theirs"`
	Ours     Verdict `json:"ours"`
	Triage   Triage  `json:"triage,omitempty"` // of a difference
	Reason   string  `json:"reason,omitempty"`
	Source   string  `json:"source,omitempty"`

	words []string // what the accusing side says
}

// Differs tells whether exactly one side accuses the server.
func (c Comparison) Differs() bool { return (c.Theirs == Fail) != (c.Ours == Fail) }

func (c Comparison) said() string {
	if len(c.words) == 0 {
		return ""
	}
	return " (" + strings.Join(c.words, "; ") + ")"
}

// Heard is what one server was told by both sides.
type Heard struct {
	Server   Server             `json:"server"`
	Theirs   map[string]Verdict `json:"theirs"` // by scenario/check
	Ours     map[string]Verdict `json:"ours"`   // by id
	messages map[string]string  // of what failed, by scenario/check or id
	unknown  []string           // official checks that the table does not know
}

// compare gives the verdicts on every shared rule, and problems that no triage can
// settle.
func compare(h Heard, rules *Rules) (all []Comparison, problems []string) {
	s := h.Server
	wrong := func(format string, args ...any) {
		problems = append(problems, s.Name+", "+s.Revision+": "+fmt.Sprintf(format, args...))
	}
	for _, c := range h.unknown {
		wrong("the suite has a check %s, which rules.yaml does not know", c)
	}
	for _, rule := range rules.Rules {
		checks := rule.Theirs[s.Revision]
		if len(checks) == 0 || s.unasked {
			continue
		}
		c := Comparison{Server: s.Name, Revision: s.Revision, Rule: rule.Name, Theirs: h.theirs(checks), Ours: h.ours(rule.Ours)}
		c.words = h.words(append(slices.Clone(checks), rule.Ours...))
		all = append(all, c)
	}
	switch s.Kind {
	case Closed:
		for _, c := range all {
			if c.Theirs == Pass || c.Ours == Pass {
				wrong("nobody listens there, and rule %s reads: theirs %s, ours %s", c.Rule, c.Theirs, c.Ours)
			}
		}
		// Whether nothing at all is a failure is no rule of the protocol.
		return nil, problems
	case Good:
		for id, v := range h.Ours {
			if v == Fail {
				wrong("it keeps every rule, and we accuse it of %s%s", id, h.said(id))
			}
		}
		for _, check := range rules.onlyTheirs(s.Revision) {
			if h.theirs([]string{check}) == Fail {
				all = append(all, Comparison{Server: s.Name, Revision: s.Revision, Rule: check, Theirs: Fail, Ours: NoRule, words: h.words([]string{check})})
			}
		}
		for _, c := range all {
			if c.Theirs == Unverified || c.Ours == Unverified {
				wrong("rule %s is not verified on a good server: theirs %s, ours %s", c.Rule, c.Theirs, c.Ours)
			}
		}
	case Faulty:
		if h.ours([]string{s.Breaks}) != Fail {
			wrong("it breaks %s, and we say %s", s.Breaks, h.ours([]string{s.Breaks}))
		}
	}
	slices.Sort(problems)
	return all, problems
}

// theirs gives the suite's verdict over several checks; one that is absent is not
// verified.
func (h Heard) theirs(checks []string) Verdict { return over(h.Theirs, checks) }

func (h Heard) ours(ids []string) Verdict { return over(h.Ours, ids) }

func over(verdicts map[string]Verdict, names []string) Verdict {
	var parts []Verdict
	for _, name := range names {
		v, there := verdicts[name]
		if !there {
			v = Unverified
		}
		parts = append(parts, v)
	}
	return whole(parts)
}

func (h Heard) words(names []string) (all []string) {
	for _, name := range names {
		if text := h.messages[name]; text != "" {
			all = append(all, name+": "+text)
		}
	}
	return all
}

func (h Heard) said(name string) string {
	if text := h.messages[name]; text != "" {
		return ": " + text
	}
	return ""
}
