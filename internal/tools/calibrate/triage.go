package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"
)

// Triage is what we hold of a difference.
type Triage string

// The triages. A difference that is our own bug is mended, not listed.
const (
	OursIsWrong   Triage = "ours"
	TheirsIsWrong Triage = "theirs"
	Ambiguous     Triage = "ambiguous"
)

// Entry is one entry of fixtures/calibration/triage.yaml: on each of these
// servers, at each of these revisions, the two sides differ so.
type Entry struct {
	Rule      string   `yaml:"rule"` // of rules.yaml, or an official check as scenario/check
	Servers   []string `yaml:"servers"`
	Revisions []string `yaml:"revisions"`
	Theirs    Verdict  `yaml:"theirs"`
	Ours      Verdict  `yaml:"ours"`
	Triage    Triage   `yaml:"triage"`
	Reason    string   `yaml:"reason"`
	Source    string   `yaml:"source"`
}

func readTriage(text []byte) ([]Entry, error) {
	var file struct {
		Version     int     `yaml:"version"`
		Differences []Entry `yaml:"differences"`
	}
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&file); err != nil {
		return nil, fmt.Errorf("triage.yaml: %w", err)
	}
	var errs []error
	if file.Version != 1 {
		errs = append(errs, fmt.Errorf("triage.yaml: version %d is not read; it is 1", file.Version))
	}
	for i, e := range file.Differences {
		if err := e.sound(); err != nil {
			errs = append(errs, fmt.Errorf("triage.yaml: entry %d, on %s: %w", i+1, e.Rule, err))
		}
	}
	return file.Differences, errors.Join(errs...)
}

func (e Entry) sound() error {
	switch {
	case e.Rule == "" || len(e.Servers) == 0 || len(e.Revisions) == 0:
		return errors.New("`rule`, `servers` and `revisions` are needed")
	case (e.Theirs == Fail) == (e.Ours == Fail):
		return errors.New("exactly one of `theirs` and `ours` is fail, or it is no difference")
	case e.Reason == "" || e.Source == "":
		return errors.New("a reason, and a source for it, are needed")
	case e.Triage == OursIsWrong:
		return errors.New("a bug of ours is mended, not listed")
	case e.Triage != TheirsIsWrong && e.Triage != Ambiguous:
		return fmt.Errorf("the triage %q is none of theirs and ambiguous", e.Triage)
	}
	return nil
}

func (e Entry) covers(c Comparison) bool {
	return e.Rule == c.Rule && e.Theirs == c.Theirs && e.Ours == c.Ours &&
		slices.Contains(e.Servers, c.Server) && slices.Contains(e.Revisions, c.Revision)
}

// settle gives each difference its entry, and tells which differences have none
// and which parts of entries are no differences.
func settle(all []Comparison, entries []Entry) (problems []string) {
	for i := range all {
		c := &all[i]
		if !c.Differs() {
			continue
		}
		if at := slices.IndexFunc(entries, func(e Entry) bool { return e.covers(*c) }); at >= 0 {
			c.Triage, c.Reason, c.Source = entries[at].Triage, entries[at].Reason, entries[at].Source
			continue
		}
		problems = append(problems, fmt.Sprintf("not in triage.yaml: %s, %s, rule %s: the suite says %s, we say %s%s", c.Server, c.Revision, c.Rule, c.Theirs, c.Ours, c.said()))
	}
	for _, e := range entries {
		for _, server := range e.Servers {
			for _, revision := range e.Revisions {
				if !slices.ContainsFunc(all, func(c Comparison) bool {
					return c.Server == server && c.Revision == revision && c.Differs() && e.covers(c)
				}) {
					problems = append(problems, fmt.Sprintf("stale in triage.yaml: %s, %s, rule %s: theirs %s, ours %s is not what was found", server, revision, e.Rule, e.Theirs, e.Ours))
				}
			}
		}
	}
	return problems
}
