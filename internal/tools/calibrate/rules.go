package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// Rules is fixtures/calibration/rules.yaml.
type Rules struct {
	Version    int                 `yaml:"version"`
	Suite      string              `yaml:"suite"`
	Scenarios  map[string][]string `yaml:"scenarios"` // by revision
	NoEvidence []string            `yaml:"no_evidence"`
	Instead    []string            `yaml:"instead"`
	Rules      []Rule              `yaml:"rules"`
	OnlyTheirs []OnlyTheirs        `yaml:"only_theirs"`
	OnlyOurs   []OnlyOurs          `yaml:"only_ours"`
}

// Rule is one rule that both sides speak of.
type Rule struct {
	Name     string              `yaml:"rule"`
	Sentence string              `yaml:"sentence"`
	Source   string              `yaml:"source"`
	Ours     []string            `yaml:"ours"`
	Theirs   map[string][]string `yaml:"theirs"` // scenario/check, by revision
}

// OnlyTheirs are checks of the official suite that no rule of ours speaks of.
type OnlyTheirs struct {
	Checks    []string `yaml:"checks"`
	Revisions []string `yaml:"revisions"` // empty: all that have the scenario
	Because   string   `yaml:"because"`
}

// OnlyOurs are rules of ours that no official check speaks of.
type OnlyOurs struct {
	IDs     []string `yaml:"ids"`
	Because string   `yaml:"because"`
}

// readRules reads the table; protocol are the ids of our protocol checks, each of
// which must stand in it.
func readRules(text []byte, protocol []string) (*Rules, error) {
	var r Rules
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&r); err != nil {
		return nil, fmt.Errorf("rules.yaml: %w", err)
	}
	if err := r.sound(protocol); err != nil {
		return nil, fmt.Errorf("rules.yaml: %w", err)
	}
	return &r, nil
}

// revisions gives the revisions compared, oldest first.
func (r *Rules) revisions() []string { return slices.Sorted(maps.Keys(r.Scenarios)) }

// expected gives every check, as scenario/check, that must be there after a run of
// the revision's scenarios, sorted.
func (r *Rules) expected(revision string) []string {
	var all []string
	for _, rule := range r.Rules {
		all = append(all, rule.Theirs[revision]...)
	}
	return slices.Sorted(slices.Values(append(all, r.onlyTheirs(revision)...)))
}

// onlyTheirs gives the checks of a revision that no rule of ours speaks of.
func (r *Rules) onlyTheirs(revision string) []string {
	var all []string
	for _, only := range r.OnlyTheirs {
		if len(only.Revisions) > 0 && !slices.Contains(only.Revisions, revision) {
			continue
		}
		for _, c := range only.Checks {
			if scenario, _, _ := strings.Cut(c, "/"); slices.Contains(r.Scenarios[revision], scenario) {
				all = append(all, c)
			}
		}
	}
	return all
}

// onlyOurs tells whether no official check speaks of a check of ours.
func (r *Rules) onlyOurs(id string) bool {
	return slices.ContainsFunc(r.OnlyOurs, func(o OnlyOurs) bool { return slices.Contains(o.IDs, id) })
}

// knows tells whether a check may occur in a scenario of a revision.
func (r *Rules) knows(revision, scenario, id string) bool {
	return slices.Contains(r.NoEvidence, id) || slices.Contains(r.Instead, id) || slices.Contains(r.expected(revision), scenario+"/"+id)
}

func (r *Rules) sound(protocol []string) error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if r.Version != 1 {
		wrong("version %d is not read; it is 1", r.Version)
	}
	if r.Suite == "" || len(r.Scenarios) == 0 {
		wrong("`suite` and `scenarios` are needed")
	}
	said := map[string]bool{}
	ours := func(where string, ids []string) {
		if len(ids) == 0 {
			wrong("%s names no check of ours", where)
		}
		for _, id := range ids {
			said[id] = true
			if !slices.Contains(protocol, id) {
				wrong("%s names %s, and there is no such protocol check", where, id)
			}
		}
	}
	names := map[string]bool{}
	for _, rule := range r.Rules {
		if names[rule.Name] || rule.Name == "" || strings.Contains(rule.Name, "/") {
			wrong("the name %q of a rule is missing, taken, or has a slash", rule.Name)
		}
		names[rule.Name] = true
		if rule.Sentence == "" || rule.Source == "" {
			wrong("rule %s lacks its sentence or its source", rule.Name)
		}
		ours("rule "+rule.Name, rule.Ours)
		if len(rule.Theirs) == 0 {
			wrong("rule %s names no official check", rule.Name)
		}
		for revision, checks := range rule.Theirs {
			for _, c := range checks {
				if scenario, id, ok := strings.Cut(c, "/"); !ok || id == "" || !slices.Contains(r.Scenarios[revision], scenario) {
					wrong("rule %s names %s, which is of no scenario of %s", rule.Name, c, revision)
				}
			}
		}
	}
	for _, only := range r.OnlyTheirs {
		if only.Because == "" || len(only.Checks) == 0 {
			wrong("an entry of only_theirs lacks its checks or its reason")
		}
	}
	for _, only := range r.OnlyOurs {
		if only.Because == "" {
			wrong("the entry of only_ours on %v lacks its reason", only.IDs)
		}
		ours("only_ours", only.IDs)
	}
	for _, rule := range r.Rules {
		for _, id := range rule.Ours {
			if r.onlyOurs(id) {
				wrong("%s stands in rule %s and in only_ours", id, rule.Name)
			}
		}
	}
	for _, id := range protocol {
		if !said[id] {
			wrong("%s stands nowhere: give it a rule that the suite speaks of too, or an entry in only_ours", id)
		}
	}
	for _, revision := range r.revisions() {
		all := r.expected(revision)
		for i := range all {
			if i > 0 && all[i] == all[i-1] {
				wrong("%s stands twice for %s", all[i], revision)
			}
		}
		for _, scenario := range r.Scenarios[revision] {
			if !slices.ContainsFunc(all, func(c string) bool { return strings.HasPrefix(c, scenario+"/") }) {
				wrong("no check of %s stands for %s", scenario, revision)
			}
		}
	}
	return errors.Join(errs...)
}
