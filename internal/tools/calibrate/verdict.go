package main

// Verdict is what one side says of one rule or check.
type Verdict string

// The verdicts of both sides.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Unverified   Verdict = "not verified"   // skipped, absent, not testable, inconclusive: never a pass
	Inapplicable Verdict = "not applicable" // has no meaning for this server
	NoRule       Verdict = "no rule"        // this side has no such rule
)

// whole gives the verdict on a rule that several checks speak of: one that fails
// is enough, and all that apply must pass.
func whole(parts []Verdict) Verdict {
	all := Inapplicable
	for _, v := range parts {
		switch v {
		case Fail:
			return Fail
		case Unverified:
			all = Unverified
		case Pass:
			if all == Inapplicable {
				all = Pass
			}
		}
	}
	return all
}
