package platforms

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// Options say how a subject is judged.
type Options struct {
	Now      time.Time // to tell how old the rules are
	Unproven bool      // rules of other people's word, and of our own conclusion, weigh what they say
	Without  []string  // ids of rules to leave out
}

// Judge says what of a subject works on a platform.
func (d *Data) Judge(p *Platform, s *Subject, o Options) conform.Profile {
	out := conform.Profile{Platform: p.Name, Title: p.Title, Data: d.digest, Tools: []conform.ProfileTool{}, Findings: []conform.ProfileFinding{}}
	left := 0
	for _, r := range d.RulesOf(p) {
		if slices.ContainsFunc(o.Without, func(id string) bool { return strings.EqualFold(id, r.ID) }) {
			left++
			continue
		}
		if r.Off && !o.Unproven {
			continue
		}
		out.Findings = append(out.Findings, judge(r, s, o)...)
	}
	if left > 0 {
		out.Notes = append(out.Notes, amount(left, "rule")+" left out by --no-rule")
	}
	if kept, outputs := d.kept(p, s); kept != nil {
		said := ""
		out.Fingerprints, said = s.fingerprints(kept, outputs)
		out.Notes = append(out.Notes, said)
	}
	judged := slices.ContainsFunc(out.Findings, func(f conform.ProfileFinding) bool { return f.Verdict != conform.NotRun })
	for i := range s.Tools {
		t := &s.Tools[i]
		tool := verdict(t.Name, out.Findings)
		if !judged {
			tool.Works = conform.NotJudged
		}
		if d.maps(p) && !s.NamesOnly {
			fields := Fields(t)
			tool.Fields, tool.Suggested = &fields, Suggest(t)
		}
		out.Tools = append(out.Tools, tool)
	}
	return out
}

// judge gives a rule's findings: one for each hit; one pass if there is none; or one
// that says what is lacking.
func judge(r *Rule, s *Subject, o Options) []conform.ProfileFinding {
	begin := conform.ProfileFinding{ID: r.ID, Stated: r.Level, Severity: r.Level, Basis: r.Basis, Text: r.Text, Mend: r.Mend,
		Source: r.Source, Verified: r.Verified.Format(time.DateOnly)}
	var all []conform.ProfileFinding
	var lacks []string
	for _, l := range r.Looks {
		seen := looks[l.name].see(s, l.with)
		begin.Of += seen.of
		if seen.lacks != "" && !slices.Contains(lacks, seen.lacks) {
			lacks = append(lacks, seen.lacks)
		}
		for _, h := range seen.hits {
			f := begin
			f.Verdict, f.Tool, f.Path, f.Got, f.List, f.Server = conform.Fail, h.tool, h.path, h.got, h.list, h.server
			if h.severity != "" && weight(h.severity) < weight(f.Severity) {
				f.Severity, f.Stated = h.severity, h.severity
			}
			f.Severity, f.Lowered = lowered(r, f.Severity, o)
			all = append(all, f)
		}
	}
	for i := range all {
		all[i].Of = begin.Of
	}
	if len(all) > 0 {
		return all
	}
	begin.Severity, begin.Lowered = lowered(r, begin.Severity, o)
	begin.Reason = strings.Join(lacks, "; ")
	switch {
	case len(lacks) > 0 && (begin.Of == 0 || slices.Contains(lacks, noServerName)):
		begin.Verdict = conform.NotRun
	case begin.Of == 0:
		begin.Verdict, begin.Reason = conform.NotRun, "there is nothing here that it speaks of"
	default:
		begin.Verdict = conform.Pass
	}
	return []conform.ProfileFinding{begin}
}

func weight(s conform.Severity) int {
	return slices.Index([]conform.Severity{conform.Info, conform.Warning, conform.Error}, s)
}

// lowered gives what a finding counts as: advice where the rule is old, or stands on
// nobody's word that could fail a server.
func lowered(r *Rule, stated conform.Severity, o Options) (conform.Severity, string) {
	unproven := (r.Basis == conform.ThirdParty || r.Basis == conform.Inferred) && !o.Unproven
	switch {
	case stated == conform.Info:
		return stated, ""
	case r.old(o.Now):
		return conform.Info, fmt.Sprintf("its source was last read on %s, more than %d days ago", r.Verified.Format(time.DateOnly), Old)
	case r.advice != "":
		return conform.Info, "it is a rule of " + r.advice + ", whose code this platform's runtime ships"
	case unproven:
		return conform.Info, fmt.Sprintf("its basis is %s", r.Basis)
	}
	return stated, ""
}

// verdict sums up what the rules say of one tool. What is wrong with the server as a
// whole is wrong with each of its tools.
func verdict(name string, findings []conform.ProfileFinding) conform.ProfileTool {
	t := conform.ProfileTool{Name: name, Works: conform.WorksWhole}
	worst := conform.Info
	for _, f := range findings {
		if f.Verdict != conform.Fail || f.Severity == conform.Info || f.Tool != "" && f.Tool != name {
			continue
		}
		if weight(f.Severity) > weight(worst) {
			worst = f.Severity
		}
		if !slices.Contains(t.Rules, f.ID) {
			t.Rules = append(t.Rules, f.ID)
		}
	}
	switch worst {
	case conform.Error:
		t.Works = conform.WorksNot
	case conform.Warning:
		t.Works = conform.WorksPartly
	}
	return t
}

// Failed tells whether a profile holds a finding of at least a severity.
func Failed(p conform.Profile, least conform.Severity) bool {
	return slices.ContainsFunc(p.Findings, func(f conform.ProfileFinding) bool {
		return f.Verdict == conform.Fail && weight(f.Severity) >= weight(least)
	})
}

// kept gives the definitions that a platform compares with the server: those of an
// allow-list, or of a snapshot, to which the output belongs; nil if there are none.
func (d *Data) kept(p *Platform, s *Subject) (kept []conform.Tooling, outputs bool) {
	looksBy := func(name string) bool {
		return slices.ContainsFunc(d.RulesOf(p), func(r *Rule) bool {
			return slices.ContainsFunc(r.Looks, func(l look) bool { return l.name == name })
		})
	}
	switch {
	case s.NamesOnly:
		return nil, false
	case s.Allowed != nil && looksBy("drift"):
		return s.Allowed.tools(), false
	case s.Snapshot != nil && looksBy("snapshot"):
		return s.Snapshot, true
	}
	return nil, false
}
