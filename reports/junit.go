package reports

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// The elements of a JUnit file, as CI servers read them.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Time   string       `xml:"time,attr"`
		Suites []junitSuite `xml:"testsuite"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Timestamp  string          `xml:"timestamp,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Classname string       `xml:"classname,attr"`
		Name      string       `xml:"name,attr"`
		Failure   *junitProse  `xml:"failure"`
		Error     *junitProse  `xml:"error"`
		Skipped   *junitReason `xml:"skipped"`
		Out       *junitOut    `xml:"system-out"`
	}
	junitProse struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",cdata"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
	}
	junitOut struct {
		Text string `xml:",cdata"`
	}
)

// JUnit writes a report as JUnit XML: a suite for each group, a case for each
// check and operation. A failed MUST is a failure (under --strict a failed
// SHOULD too), inconclusive is an error, not-run and pending are skipped, and
// other failures pass with the warning in their output. The case "verdict" is
// red whenever the exit code is not 0.
func JUnit(w io.Writer, r Report) error {
	suites := junitSuites{Name: "mcpconform", Time: seconds(r.Run.Seconds)}
	suites.Suites = append(suites.Suites, verdictSuite(r))
	byGroup := map[string]int{}
	root := roots(r.Findings)
	for i, f := range r.Findings {
		group := suiteOf(f)
		at, held := byGroup[group]
		if !held {
			at = len(suites.Suites)
			byGroup[group] = at
			suites.Suites = append(suites.Suites, junitSuite{Name: Shown(group), Timestamp: timestamp(r)})
		}
		suites.Suites[at].Cases = append(suites.Suites[at].Cases, caseOf(r, f, rootOf(r, root[i])))
	}
	slices.SortStableFunc(suites.Suites[1:], func(a, b junitSuite) int { return cmp.Compare(place(a.Name), place(b.Name)) })
	for i := range suites.Suites {
		s := &suites.Suites[i]
		s.Properties = properties(r)
		s.count()
		suites.Tests += s.Tests
		suites.Failures += s.Failures
		suites.Errors += s.Errors
		suites.Skipped += s.Skipped
	}
	text, err := xml.MarshalIndent(suites, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the JUnit report: %w", err)
	}
	if _, err := io.WriteString(w, xml.Header+string(text)+"\n"); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	return nil
}

func (s *junitSuite) count() {
	for _, c := range s.Cases {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

// groups are the suites in the order of the catalogue.
var groups = []conform.Group{
	conform.GroupCore, conform.GroupValidator, conform.GroupScalar, conform.GroupWorkflow, conform.GroupIdempotency, conform.GroupReadOnly,
	conform.GroupEffects, conform.GroupConcurrency, conform.GroupProtocol, conform.GroupREST, conform.GroupScope,
}

// place is where a suite stands; those of no known group come last.
func place(suite string) int {
	if i := slices.Index(groups, conform.Group(suite)); i >= 0 {
		return i
	}
	return len(groups)
}

// suiteOf is a finding's group, or the family of its id where a stored report
// does not say the group.
func suiteOf(f conform.Finding) string {
	if f.Group != "" {
		return string(f.Group)
	}
	family, _, _ := strings.Cut(f.ID, "-")
	return cmp.Or(strings.ToLower(family), "other")
}

func rootOf(r Report, at int) string {
	if at == alone {
		return ""
	}
	return r.Findings[at].ID
}

func caseOf(r Report, f conform.Finding, root string) junitCase {
	c := junitCase{Classname: Shown(cmp.Or(f.Operation, "server")), Name: Shown(join(" ", f.ID, f.Title))}
	class := ClassOf(f)
	switch {
	case f.Known != nil:
		c.Skipped = &junitReason{Message: message(knownLine(f), "known")}
	case Breaks(f, r.Run.Strict):
		c.Failure = &junitProse{Message: message(f.Got, "the rule is broken"), Type: f.Level.String(), Text: prose(f, root)}
	case class == ClassInconclusive:
		c.Error = &junitProse{Message: message(cmp.Or(f.Reason, f.Got), "could not tell"), Type: "inconclusive", Text: prose(f, root)}
	case class == ClassNotRun:
		c.Skipped = &junitReason{Message: message(f.Reason, "not run")}
	case class == ClassPending:
		c.Skipped = &junitReason{Message: message("pending, newer than the catalogue set in use: "+f.Verdict.String(), "")}
	case class == ClassWarning:
		c.Out = &junitOut{Text: "WARNING, a SHOULD rule is broken\n" + prose(f, root)}
	case class == ClassAdvice:
		c.Out = &junitOut{Text: "ADVICE, a MAY rule is broken\n" + prose(f, root)}
	}
	return c
}

// message is one line for an attribute.
func message(s, otherwise string) string { return Safe(middle(cmp.Or(s, otherwise), mostShown)) }

// prose is a finding as the text report shows it.
func prose(f conform.Finding, root string) string {
	p := &page{width: 100}
	p.blank()
	p.field(2, "rule", join(", ", f.Level.String(), basisLine(f.Basis))+source(f.Source))
	p.field(2, "harm", f.Impact)
	p.scene(f)
	p.field(2, "reason", middle(f.Reason, mostShown))
	p.field(2, "mend", middle(f.Hint, mostShown))
	p.lines(2, "paste", f.Paste)
	p.whole(2, "reproduce", f.Reproduce)
	if root != "" {
		p.field(2, "follows", "from "+root)
	}
	return p.String()
}

func verdictSuite(r Report) junitSuite {
	c := junitCase{Classname: "mcpconform", Name: "verdict"}
	line := Safe(middle(cmp.Or(r.VerdictLine, r.Verdict.String()), mostText))
	code := r.ExitCode()
	told := &junitProse{Message: line, Type: r.Verdict.String(), Text: fmt.Sprintf("exit %d: %s\n", code, Safe(meaning(r, code)))}
	switch code {
	case ExitConformant:
		c.Out = &junitOut{Text: line}
	case ExitNonconformant:
		c.Failure = told
	default:
		c.Error = told
	}
	return junitSuite{Name: "verdict", Timestamp: timestamp(r), Cases: []junitCase{c}}
}

func properties(r Report) []junitProperty {
	var out []junitProperty
	for _, p := range []junitProperty{
		{"tool", "mcpconform " + r.Tool.Version},
		{"catalogue", join(" ", r.Catalogue.Set, r.Catalogue.Digest)},
		{"target", r.Target.Name},
		{"target.server", join(" ", r.Target.Server.Name, r.Target.Server.Version)},
		{"target.host", r.Target.Host},
		{"target.transport", r.Target.Transport},
		{"target.protocol", r.Target.Protocol},
		{"run", r.Run.ID},
		{"seed", fmt.Sprint(r.Run.Seed)},
		{"masked", strings.Join(r.Masked, "; ")},
		{"unmasked", strings.Join(unmet(r), "; ")},
		{"evidence", string(r.Evidence)},
		{"quotes", r.Quotes},
		{"narrowed", strings.Join(r.Run.Narrowed, "; ")},
	} {
		if p.Value != "" {
			out = append(out, junitProperty{p.Name, Shown(p.Value)})
		}
	}
	return out
}

func timestamp(r Report) string {
	if r.Run.Started.IsZero() {
		return ""
	}
	return r.Run.Started.UTC().Format("2006-01-02T15:04:05")
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
