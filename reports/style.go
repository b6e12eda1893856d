package reports

import "strings"

// paint is a colour or weight of text on a terminal.
type paint string

const (
	bold   paint = "1"
	dim    paint = "2"
	red    paint = "31;1"
	green  paint = "32;1"
	yellow paint = "33;1"
	cyan   paint = "36"
)

// ink colours text, or leaves it plain. Only our own sequences go through it:
// the text is safe before.
type ink bool

func (on ink) put(p paint, s string) string {
	if !on || s == "" {
		return s
	}
	return "\x1b[" + string(p) + "m" + s + "\x1b[0m"
}

// mark is the sign a class of finding is shown with.
func (c Class) mark() (sign string, p paint) {
	switch c {
	case ClassPass:
		return "+", green // the tick is the verdict's alone
	case ClassFail:
		return "✗", red
	case ClassWarning:
		return "!", yellow
	case ClassAdvice:
		return "·", cyan
	case ClassPending:
		return "~", dim
	}
	return "?", yellow
}

func (v Verdict) mark() (sign string, p paint) {
	switch v {
	case Conformant:
		return "✓", green
	case Nonconformant:
		return "✗", red
	}
	return "?", yellow
}

// list joins words as a person does: "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
