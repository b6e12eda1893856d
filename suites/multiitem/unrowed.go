package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// unrowed says what an answer without rows does to the items at hand, where
// that can be told: which items it leaves out, which failures stand only inside
// a text, and which known-bad items it calls done. It is told beside RES-01,
// whose consequence it is: without rows no rule about rows can speak.
func (v *sight) unrowed() string {
	bad := v.these(conform.Bad)
	if len(bad) == 0 {
		return ""
	}
	if !v.Op.Results.Mapped() {
		if yes, _ := v.Answer.Payload.Get("success").Bool(); yes {
			return fmt.Sprintf("; it says success: true for the whole call, and %s is known to be bad%s", v.names(bad), v.because(bad))
		}
		return ""
	}
	var claimedBad, deniedBad, leftOut []int
	for _, i := range bad {
		switch v.words()[i] {
		case claimed:
			claimedBad = append(claimedBad, i)
		case denied:
			deniedBad = append(deniedBad, i)
		default:
			leftOut = append(leftOut, i)
		}
	}
	present := len(v.Op.Results.Success) == 1 && v.Op.Results.Success[0] == "present"
	switch {
	case len(claimedBad) > 0:
		return fmt.Sprintf("; success is claimed for %s, known to be bad%s", v.names(claimedBad), v.because(claimedBad))
	case present:
		return fmt.Sprintf("; left out without a word: %s%s", v.names(deniedBad), v.because(deniedBad))
	case len(deniedBad) > 0:
		return fmt.Sprintf("; that %s failed stands only inside a text", v.names(deniedBad))
	}
	return fmt.Sprintf("; nothing is said of %s%s", v.names(leftOut), v.because(leftOut))
}

// because gives the refusal that the target file expects of the first of some
// bad items, in brackets.
func (v *sight) because(items []int) string {
	if why := v.Planned.Items[items[0]].Because; why != "" {
		return " (" + why + ")"
	}
	return ""
}
