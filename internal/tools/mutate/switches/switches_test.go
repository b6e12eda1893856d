package switches

import (
	"slices"
	"testing"
)

// with turns a mutant on for a moment.
func with[T any](id int, do func() T) T {
	Turn(id)
	defer Turn(0)
	return do()
}

func TestEachSwitchChangesOneThing(t *testing.T) {
	type kind uint8
	for name, c := range map[string]struct {
		compute          func() any
		usually, mutated any
	}{
		"a condition made true":     {func() any { return True(1, false) }, false, true},
		"a condition made false":    {func() any { return False(1, true) }, true, false},
		"a literal turned round":    {func() any { return Not(1, true) }, true, false},
		"less, at the boundary":     {func() any { return Less(1, 2, 2) }, false, true},
		"less, beside it":           {func() any { return Less(1, 3, 2) }, false, false},
		"at most, at the boundary":  {func() any { return AtMost(1, 2, 2) }, true, false},
		"at most, beside it":        {func() any { return AtMost(1, 1, 2) }, true, true},
		"more, at the boundary":     {func() any { return More(1, 2, 2) }, false, true},
		"more, beside it":           {func() any { return More(1, 1, 2) }, false, false},
		"at least, at the boundary": {func() any { return AtLeast(1, 2, 2) }, true, false},
		"at least, beside it":       {func() any { return AtLeast(1, 3, 2) }, true, true},
		"plus":                      {func() any { return Plus(1, 5, 2) }, 7, 3},
		"minus":                     {func() any { return Minus(1, 5, 2) }, 3, 7},
		"times":                     {func() any { return Times(1, 6, 2) }, 12, 3},
		"over":                      {func() any { return Over(1, 6.0, 2.0) }, 3.0, 12.0},
		"rest":                      {func() any { return Rest(1, 7, 4) }, 3, 28},
		"a number":                  {func() any { return Next(1, 7) }, 7, 8},
		"a value":                   {func() any { return Zero(1, "x") }, "x", ""},
		"a named word":              {func() any { return OtherWord(1, "x") }, "x", ""},
		"a named number":            {func() any { return OtherNumber(1, kind(3)) }, kind(3), kind(0)},
		"the first named number":    {func() any { return OtherNumber(1, kind(0)) }, kind(0), kind(1)},
		"a case of texts":           {func() any { return CaseWord(1, "x") == "x" }, true, false},
		"a case of numbers":         {func() any { return CaseNumber(1, kind(200)) == 200 }, true, false},
		"a statement":               {func() any { return On(1) }, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := with(0, c.compute); got != c.usually {
				t.Errorf("with no mutant on: %v, want %v", got, c.usually)
			}
			if got := with(2, c.compute); got != c.usually {
				t.Errorf("with another mutant on: %v, want %v", got, c.usually)
			}
			if got := with(1, c.compute); got != c.mutated {
				t.Errorf("with it on: %v, want %v", got, c.mutated)
			}
		})
	}
}

func TestOnlyWhatMakesADifferenceIsRecorded(t *testing.T) {
	var told []int
	Record(func(id int) { told = append(told, id) })
	defer Record(nil)
	True(1, true)
	False(2, false)
	Less(3, 1, 2)
	Plus(4, 5, 0)
	Zero(5, []int(nil))
	OtherWord(6, "")
	if len(told) > 0 {
		t.Errorf("%v would change nothing", told)
	}
	for range 2 { // and each once
		True(1, false)
		False(2, true)
		Less(3, 2, 2)
		Plus(4, 5, 1)
		Zero(5, []int{})
		OtherWord(6, "x")
	}
	if !slices.Equal(told, []int{1, 2, 3, 4, 5, 6}) {
		t.Errorf("told %v", told)
	}
	Record(func(id int) { told = append(told, -id) })
	True(1, false)
	if told[len(told)-1] != -1 {
		t.Error("a new recording begins anew")
	}
}
