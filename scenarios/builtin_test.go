package scenarios

import (
	"strings"
	"testing"
)

// fedElsewhere are the checks of the batch contract that no scenario has to feed:
// any call does, or the form of the target.
var fedElsewhere = map[string]string{
	"ENV-04": "any answer over legacy REST",
}

func numberedIDs(prefix string, n int) []string {
	var ids []string
	for i := 1; i <= n; i++ {
		digits := "0" + string(rune('0'+i%10))
		if i >= 10 {
			digits = string(rune('0'+i/10)) + string(rune('0'+i%10))
		}
		ids = append(ids, prefix+"-"+digits)
	}
	return ids
}

// askedFor are the rules of the protocol that have no meaning until a call asks for
// what they are about.
var askedFor = map[string]bool{"PRO-16": true, "PRO-17": true, "PRO-18": true}

func TestEveryCheckOfTheBatchContractIsFed(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	fed := map[string]bool{}
	for _, s := range all {
		for _, id := range s.AllChecks() {
			fed[id] = true
		}
	}
	known := map[string]bool{}
	for _, group := range []struct {
		prefix string
		n      int
	}{{"ENV", 11}, {"RES", 17}, {"AGG", 8}, {"VAL", 16}, {"INP", 5}, {"WF", 4}, {"IDM", 5}, {"RO", 2}, {"LD", 2}, {"CON", 6}, {"EFF", 4}} {
		for _, id := range numberedIDs(group.prefix, group.n) {
			known[id] = true
			if elsewhere := fedElsewhere[id]; fed[id] == (elsewhere != "") {
				t.Errorf("%s: fed by a scenario: %v; said of it: %q", id, fed[id], elsewhere)
			}
		}
	}
	for id := range fed {
		if !known[id] && !askedFor[id] {
			t.Errorf("a scenario feeds %s, which is no check of the batch contract", id)
		}
	}
}

func TestTheBuiltInScenariosAreWritten(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 29 {
		t.Errorf("%d scenarios", len(all))
	}
	before := 0
	for _, s := range all {
		if s.File != "scenarios/builtin/"+s.Name+".yaml" || s.Line != 1 {
			t.Errorf("%s stands at %s:%d", s.Name, s.File, s.Line)
		}
		if len(strings.Fields(s.Why)) < 20 {
			t.Errorf("%s says too little of why", s.Name)
		}
		if s.Order < before {
			t.Errorf("%s is out of order", s.Name)
		}
		before = s.Order
		for i := range s.Variants {
			v := &s.Variants[i]
			if len(s.checks(v))+len(s.stateChecks(v)) == 0 {
				t.Errorf("%s/%s feeds no check", s.Name, v.Name)
			}
			if seen := s.stateChecks(v); len(seen) > 0 && s.StateChecks == nil && !does(s.steps(v), Probe) {
				t.Errorf("%s/%s names state checks and never looks at the state", s.Name, v.Name)
			}
		}
	}
	if v := all[0].Variant("three"); all[0].Name != "all-succeed" || v == nil || v.Batch.Size() != 3 || all[0].Variant("four") != nil {
		t.Error("all-succeed/three is not found by name")
	}
}
