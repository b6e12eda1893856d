package reports

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

const (
	mostEvidence = 3        // places shown of one finding
	mostExcerpt  = 480      // bytes of the first excerpt
	moreExcerpt  = 200      // bytes of each further one
	mostMessage  = 16 << 10 // bytes of a whole message; the JSON report has more of it
)

// rule is one rule that failed, on one operation or more.
type rule struct {
	conform.Finding // the first
	on              []int
}

// failures writes the rules of a class that failed, one card each.
func (p *page) failures(r Report, class Class) {
	root := roots(r.Findings)
	var rules []*rule
	for i, f := range r.Findings {
		if ClassOf(f) != class || root[i] != alone || f.Known != nil {
			continue
		}
		if held := same(rules, f); held != nil {
			held.on = append(held.on, i)
		} else {
			rules = append(rules, &rule{f, []int{i}})
		}
	}
	if len(rules) == 0 {
		return
	}
	_, look := class.mark()
	p.heading(look, sectionTitle(class, len(rules), r.Run.Strict))
	for i, one := range rules {
		if i > 0 {
			p.blank()
		}
		p.card(r.Findings, root, class, one)
	}
}

func sectionTitle(class Class, n int, strict bool) string {
	switch {
	case class == ClassFail:
		return "FAILED: " + Amount(n, "MUST rule", "MUST rules")
	case strict:
		return "FAILED UNDER --strict: " + Amount(n, "SHOULD rule", "SHOULD rules")
	}
	return "WARNINGS: " + Amount(n, "SHOULD rule", "SHOULD rules")
}

// same finds the rule among those held that a finding is another case of.
func same(rules []*rule, f conform.Finding) *rule {
	for _, r := range rules {
		if r.ID == f.ID && r.Level == f.Level && r.Basis == f.Basis && r.Title == f.Title {
			return r
		}
	}
	return nil
}

func (p *page) card(all []conform.Finding, root []int, class Class, one *rule) {
	sign, look := class.mark()
	p.entry(look, sign, one.ID, one.Title)
	p.text(2, dim, join(", ", one.Level.String()+" rule", basisLine(one.Basis))+source(one.Source))
	p.field(2, "harm", one.Impact)
	hints := map[string]bool{}
	for _, i := range one.on {
		hints[all[i].Hint] = true
	}
	shared := len(one.on) > 1 && len(hints) == 1
	for _, i := range one.on {
		f := all[i]
		p.blank()
		p.scene(f)
		if !shared {
			p.field(2, "mend", middle(f.Hint, mostShown))
		}
		p.whole(2, "reproduce", f.Reproduce)
		for j, c := range all {
			if root[j] == i {
				p.consequence(c)
			}
		}
	}
	if shared && one.Hint != "" {
		p.blank()
		p.field(2, "mend", middle(one.Hint, mostShown))
	}
}

func basisLine(b conform.Basis) string {
	switch b {
	case conform.Seed:
		return "from the capability's own text"
	case conform.Documented:
		return "documented"
	case conform.Tested:
		return "asserted by a published test"
	case conform.Code:
		return "read in a consumer's source"
	case conform.Issue:
		return "reported and confirmed"
	case conform.ThirdParty:
		return "said by others"
	case conform.Inferred:
		return "inferred"
	}
	return string(b)
}

func source(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

// scene is what happened on one operation.
func (p *page) scene(f conform.Finding) {
	p.field(2, "on", onLine(f))
	p.field(2, "wanted", middle(f.Want, mostShown))
	p.field(2, "got", middle(f.Got, mostShown))
	p.history(f.History)
	for i, e := range f.Evidence[:min(len(f.Evidence), mostEvidence)] {
		p.field(2, "at", middle(placeLine(e), mostShown))
		p.field(2, "", middle(e.Note, mostShown))
		switch {
		case e.Body != "":
			p.raw(2, middle(e.Body, mostMessage))
		case e.Excerpt != "":
			p.raw(2, middle(e.Excerpt, excerptLimit(i)))
		}
	}
	if n := len(f.Evidence) - mostEvidence; n > 0 {
		p.field(2, "", fmt.Sprintf("and %s", Amount(n, "place more", "places more")))
	}
	p.field(2, "how often", oftenLine(f))
	p.field(2, "in common", middle(f.Common, mostShown))
}

// excerptLimit gives the first place room, and the others enough to be told apart.
func excerptLimit(place int) int {
	if place == 0 {
		return mostExcerpt
	}
	return moreExcerpt
}

func onLine(f conform.Finding) string {
	operation := f.Operation
	if operation == "" {
		operation = "the server as a whole"
	}
	if f.Scenario != "" {
		return operation + ", scenario " + f.Scenario
	}
	return operation
}

// placeLine says where in the recording the bytes are.
func placeLine(e conform.Evidence) string {
	var parts []string
	if e.Call != "" {
		parts = append(parts, "call "+e.Call)
	}
	if e.Seq > 0 {
		parts = append(parts, fmt.Sprintf("observation %d", e.Seq))
	}
	if e.Pointer != "" {
		parts = append(parts, e.Pointer)
	}
	if e.Offset != nil {
		parts = append(parts, "byte "+thousands(*e.Offset))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ")
}

// oftenLine says how often it was seen; empty where one thing was looked at once.
func oftenLine(f conform.Finding) string {
	if f.Of <= 1 {
		return ""
	}
	line := fmt.Sprintf("%s of %s", thousands(f.Count), thousands(f.Of))
	if f.Count == f.Of {
		return line + ", every time"
	}
	if len(f.Interval) == 2 {
		line += fmt.Sprintf(", 95 %% interval %s to %s", percent(f.Interval[0]), percent(f.Interval[1]))
	}
	return line
}

func percent(share float64) string {
	switch {
	case share > 0 && share < 0.0095:
		return fmt.Sprintf("%.2f %%", share*100)
	case share > 0 && share < 0.095:
		return fmt.Sprintf("%.1f %%", share*100)
	}
	return fmt.Sprintf("%.0f %%", share*100)
}

// consequence is one line, cut to fit: the root tells the rest.
func (p *page) consequence(f conform.Finding) {
	words := join(": ", join(" ", f.ID, f.Level.String(), f.Title), f.Got)
	p.field(2, "↳ follows", brief(words, 2*(p.width-2-labelled)))
}

// brief cuts a text at its end.
func brief(s string, most int) string {
	s = strings.Join(strings.Fields(Safe(s)), " ")
	if columns(s) <= most {
		return s
	}
	return chop(s, most-1)[0] + "…"
}
