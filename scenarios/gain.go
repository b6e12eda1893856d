package scenarios

import "slices"

// Fed is a check that a play gives something to look at, on an operation.
type Fed struct{ Check, Operation string }

// ByGain puts the plays in the order of what they gain: first those that feed
// the most MUSTs not fed yet for each of their calls. A run with little time
// learns most then. must tells the checks that are MUSTs; plays that gain the
// same keep their order. It gives how many MUSTs each play is the first to feed,
// in the new order.
func (p *Plan) ByGain(must func(check string) bool) []int {
	gains := make([][]Fed, len(p.Plays))
	for i, play := range p.Plays {
		for _, check := range play.Checks() {
			if must(check) {
				gains[i] = append(gains[i], Fed{check, play.Operation.Name})
			}
		}
	}
	var gained []int
	left := make([]int, len(p.Plays))
	for i := range left {
		left[i] = i
	}
	fed := map[Fed]bool{}
	ordered := make([]*Play, 0, len(p.Plays))
	for len(left) > 0 {
		best, most := 0, -1.0
		for at, i := range left {
			fresh := 0
			for _, g := range gains[i] {
				if !fed[g] {
					fresh++
				}
			}
			if gain := float64(fresh) / float64(max(1, p.Plays[i].Calls)); gain > most {
				best, most = at, gain
			}
		}
		if most == 0 {
			break // nothing more to gain: the rest stays as it is
		}
		i, before := left[best], len(fed)
		for _, g := range gains[i] {
			fed[g] = true
		}
		gained = append(gained, len(fed)-before)
		ordered = append(ordered, p.Plays[i])
		left = slices.Delete(left, best, best+1)
	}
	for _, i := range left {
		ordered = append(ordered, p.Plays[i])
	}
	p.Plays = ordered
	return append(gained, make([]int, len(left))...)
}
