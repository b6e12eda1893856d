package scenarios

import (
	"slices"
	"testing"
)

func TestByGainPutsFirstWhatFeedsTheMostMusts(t *testing.T) {
	op := &Operation{}
	op.Name = "cancel"
	play := func(name string, calls int, checks ...string) *Play {
		return &Play{Instance: name, Operation: op, Calls: calls, Scenario: &Scenario{Name: name, Checks: checks}, Variant: &Variant{}}
	}
	plan := &Plan{Plays: []*Play{
		play("dear", 100, "A", "B", "C"),
		play("advice", 1, "x"),
		play("two for one", 1, "A", "B"),
		play("nothing new", 1, "A"),
		play("one for one", 1, "C"),
		play("another", 4, "D"),
	}}
	gained := plan.ByGain(func(check string) bool { return check != "x" })
	var order []string
	for _, p := range plan.Plays {
		order = append(order, p.Instance)
	}
	if want := []string{"two for one", "one for one", "another", "dear", "advice", "nothing new"}; !slices.Equal(order, want) {
		t.Errorf("%q", order)
	}
	if want := []int{2, 1, 1, 0, 0, 0}; !slices.Equal(gained, want) {
		t.Errorf("%d", gained)
	}
}
