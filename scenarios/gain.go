package scenarios

import "slices"

// ByGain puts the plays in the order of what they gain: first those that feed
// the most MUSTs not fed yet for each of their calls. A run with little time
// learns most then. must tells the checks that are MUSTs; plays that gain the
// same keep their order.
func (p *Plan) ByGain(must func(check string) bool) {
	gains := make([][][2]string, len(p.Plays)) // check and operation
	for i, play := range p.Plays {
		for _, check := range play.Checks() {
			if must(check) {
				gains[i] = append(gains[i], [2]string{check, play.Operation.Name})
			}
		}
	}
	left := make([]int, len(p.Plays))
	for i := range left {
		left[i] = i
	}
	fed := map[[2]string]bool{}
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
		i := left[best]
		for _, g := range gains[i] {
			fed[g] = true
		}
		ordered = append(ordered, p.Plays[i])
		left = slices.Delete(left, best, best+1)
	}
	for _, i := range left {
		ordered = append(ordered, p.Plays[i])
	}
	p.Plays = ordered
}
