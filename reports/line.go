package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// VerdictInput is what a verdict line is composed of.
type VerdictInput struct {
	Verdict Verdict
	Builtin bool // the demonstration backend was judged
	// Earned are the groups of which a MUST was judged and every MUST that
	// applies passed.
	Earned   []conform.Group
	Scope    Scope
	Findings []conform.Finding
	// NoOperations says that no target file names the server's multi-item
	// operations: only rules about the server could be asked.
	NoOperations bool
	// Guessed says that the operations were guessed, and only those that read played.
	Guessed  bool
	Narrowed []string // see Narrowing
	Rerun    *Rerun   // nil: it was none
	Strict   bool
	Ended    conform.EndClass
	Cause    string // in a sentence, of a run that did not end by itself
}

// mostIDs is how many rules a verdict line names.
const mostIDs = 8

// VerdictLine puts a verdict into one line: what was earned, what failed by the
// basis of the rules, or what could not be verified.
func VerdictLine(in VerdictInput) string {
	var line string
	switch in.Verdict {
	case Conformant:
		line = in.conformant()
	case Nonconformant:
		line = in.nonconformant()
	default:
		line = in.incomplete()
	}
	if in.Builtin && in.Verdict != Conformant {
		line += " (the built-in demonstration backend, not your server)"
	}
	if in.Rerun != nil && in.Verdict == Nonconformant {
		line += "; " + in.Rerun.String()
	}
	if len(in.Narrowed) > 0 {
		line += " (of a narrowed run: " + strings.Join(in.Narrowed, "; ")
		if n := unasked(in.Findings); n > 0 {
			line += fmt.Sprintf("; %s not asked", Amount(n, "MUST rule", "MUST rules"))
		}
		line += ")"
	}
	return Safe(line)
}

func (in VerdictInput) conformant() string {
	if in.Builtin {
		return "conformant: the built-in demonstration backend, not your server"
	}
	earned := words(in.Earned)
	if earned == "" {
		earned = "no group of rules in full"
	}
	line := "conformant: " + earned + in.Scope.covered()
	if absent := words(in.Scope.Absent); absent != "" {
		line += "; " + absent + " declared absent"
	}
	return line
}

func (in VerdictInput) nonconformant() string {
	var parts []string
	musts, follow := failed(in.Findings, ClassFail)
	if len(musts) > 0 {
		part := fmt.Sprintf("%s failed (%s): %s", Amount(len(musts), "MUST rule", "MUST rules"), bases(musts), ids(musts))
		if follow > 0 {
			part += fmt.Sprintf(", and %d that %s from them", follow, verb(follow, "follows", "follow"))
		}
		parts = append(parts, part)
	}
	if in.Strict {
		if shoulds, _ := failed(in.Findings, ClassWarning); len(shoulds) > 0 {
			parts = append(parts, fmt.Sprintf("%s failed, which --strict counts: %s", Amount(len(shoulds), "SHOULD rule", "SHOULD rules"), ids(shoulds)))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "a rule failed")
	}
	return "nonconformant: " + strings.Join(parts, "; ")
}

func (in VerdictInput) incomplete() string {
	switch in.Ended {
	case conform.EndUnreachable:
		return "incomplete: the target could not be reached" + after(middle(in.Cause, mostShown))
	case conform.EndUnauthorized:
		return "incomplete: the target refused the credentials" + after(middle(in.Cause, mostShown))
	}
	var why []string
	if in.Cause != "" {
		why = append(why, middle(in.Cause, mostShown))
	}
	musts := unverified(in.Findings)
	if in.Rerun != nil {
		why = append(why, "what held before was not asked again, and "+in.Rerun.String())
	}
	if in.NoOperations {
		why = append(why, "no target file names the server's multi-item operations, so only the protocol was judged")
	} else if in.Guessed {
		why = append(why, "no target file says what may be called, so operations were guessed, and only those that read were played")
	} else if len(musts) > 0 {
		why = append(why, fmt.Sprintf("%s could not be verified: %s", Amount(len(musts), "MUST rule", "MUST rules"), ids(musts)))
	}
	var unlisted []string
	for _, t := range in.Scope.Tools {
		if t.Left() {
			unlisted = append(unlisted, name(t.Name))
		}
	}
	if len(unlisted) > 0 {
		shown := unlisted[:min(len(unlisted), mostIDs)]
		rest := ""
		if n := len(unlisted) - len(shown); n > 0 {
			rest = fmt.Sprintf(" and %d more", n)
		}
		why = append(why, fmt.Sprintf("%s%s %s multi-item and %s neither listed nor ignored", strings.Join(shown, ", "), rest,
			verb(len(unlisted), "looks", "look"), verb(len(unlisted), "is", "are")))
	}
	if len(why) == 0 {
		if slices.ContainsFunc(in.Findings, judged) && !slices.ContainsFunc(in.Findings, must) {
			return "incomplete: nothing failed, but no MUST rule was among what was judged"
		}
		if !slices.ContainsFunc(in.Findings, judged) {
			return "incomplete: nothing failed, but no check applied"
		}
		return "incomplete: nothing failed, but not everything that matters could be verified"
	}
	return "incomplete: nothing failed, but " + strings.Join(why, "; ")
}

// covered says on how many of the server's multi-item tools a verdict rests.
func (s Scope) covered() string {
	all, played := map[string]bool{}, map[string]bool{}
	for _, t := range s.Tools {
		if !t.counts() {
			continue
		}
		all[t.Name] = true
		if t.Played() {
			played[t.Name] = true
		}
	}
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf(" on %d of %s", len(played), Amount(len(all), "multi-item tool", "multi-item tools"))
}

// failed gives the rules of a class that failed, one finding each, in order;
// rules that only follow from another failed one are counted apart.
func failed(findings []conform.Finding, class Class) (rules []conform.Finding, follow int) {
	root := roots(findings)
	var seen, seenToFollow []string
	for i, f := range findings {
		if ClassOf(f) == class && root[i] == alone && !slices.Contains(seen, f.ID) {
			seen, rules = append(seen, f.ID), append(rules, f)
		}
	}
	for i, f := range findings {
		if ClassOf(f) == class && root[i] != alone && !slices.Contains(seen, f.ID) && !slices.Contains(seenToFollow, f.ID) {
			seenToFollow = append(seenToFollow, f.ID)
		}
	}
	return rules, len(seenToFollow)
}

func unverified(findings []conform.Finding) []conform.Finding {
	var out []conform.Finding
	var seen []string
	for _, f := range findings {
		if f.Level == conform.Must && !f.Narrowed && Unverified(f) && !slices.Contains(seen, f.ID) {
			seen, out = append(seen, f.ID), append(out, f)
		}
	}
	return out
}

// unasked counts the MUST rules that only the narrowing left out.
func unasked(findings []conform.Finding) int {
	seen := map[string]bool{}
	for _, f := range findings {
		if f.Narrowed && f.Level == conform.Must {
			seen[f.ID] = true
		}
	}
	return len(seen)
}

func must(f conform.Finding) bool { return judged(f) && f.Level == conform.Must }

func judged(f conform.Finding) bool {
	return !f.Pending && (f.Verdict == conform.Pass || f.Verdict == conform.Fail) && f.Level != conform.None
}

// bases counts findings by what their rules rest on, strongest first.
func bases(findings []conform.Finding) string {
	var parts []string
	for _, b := range []conform.Basis{conform.Seed, conform.Documented, conform.Tested, conform.Code, conform.Issue, conform.ThirdParty, conform.Inferred, ""} {
		n := 0
		for _, f := range findings {
			if f.Basis == b {
				n++
			}
		}
		if n == 0 {
			continue
		}
		if b == "" {
			b = "of no stated basis"
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, b))
	}
	return strings.Join(parts, ", ")
}

func ids(findings []conform.Finding) string {
	var names []string
	for _, f := range findings[:min(len(findings), mostIDs)] {
		names = append(names, f.ID)
	}
	if n := len(findings) - len(names); n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), n)
	}
	return strings.Join(names, ", ")
}

func words(groups []conform.Group) string {
	parts := make([]string, len(groups))
	for i, g := range groups {
		parts[i] = string(g)
	}
	return strings.Join(parts, ", ")
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func after(cause string) string {
	if cause == "" {
		return ""
	}
	return ": " + cause
}
