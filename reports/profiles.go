package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// ProfilesSchema names the format of profiles.
const ProfilesSchema = "mcpconform.profiles/v1"

// Profiles are a server as client platforms see it.
type Profiles struct {
	Schema   string            `json:"schema"`
	Tool     conform.Tool      `json:"tool"`
	Target   string            `json:"target"`   // the server, or the file that was read
	Data     string            `json:"data"`     // digest of the platform data
	Verified string            `json:"verified"` // the latest day on which a source of theirs was read
	Profiles []conform.Profile `json:"profiles"`
	// Opposed are rules that were broken and whose opposite another platform asks for.
	Opposed []conform.Opposed `json:"opposed,omitempty"`
}

// ProfilesText writes profiles to be read by a person: one whole, several as a matrix
// of tools and platforms with what stands behind it.
func ProfilesText(o TextOptions) func(io.Writer, Profiles) error {
	if o.Width == 0 {
		o.Width = 100
	}
	return func(w io.Writer, ps Profiles) error {
		p := &page{ink: ink(o.Colour), width: max(o.Width, 72)}
		if len(ps.Profiles) == 1 {
			p.profile(ps, ps.Profiles[0])
		} else {
			p.profiles(ps)
		}
		if _, err := w.Write(p.Bytes()); err != nil {
			return fmt.Errorf("writing the profiles: %w", err)
		}
		return nil
	}
}

var worksMarks = map[conform.Works]struct {
	sign string
	look paint
}{conform.WorksWhole: {"+", green}, conform.WorksPartly: {"!", yellow}, conform.WorksNot: {"✗", red}, conform.NotJudged: {"?", dim}}

// worst is the heaviest word of some tools.
func worst(tools []conform.ProfileTool) conform.Works {
	w := conform.WorksWhole
	for _, t := range tools {
		if t.Works == conform.WorksNot || w == conform.WorksWhole {
			w = t.Works
		}
	}
	return w
}

// ProfileLine says in one line what of a server works on a platform.
func ProfileLine(pr conform.Profile) string {
	n := map[conform.Works]int{}
	for _, t := range pr.Tools {
		n[t.Works]++
	}
	var parts []string
	for _, w := range []struct {
		works     conform.Works
		one, many string
	}{{conform.WorksWhole, "tool works", "tools work"}, {conform.WorksPartly, "tool works partly", "tools work partly"}, {conform.WorksNot, "tool does not work", "tools do not work"}, {conform.NotJudged, "tool not judged", "tools not judged"}} {
		if n[w.works] > 0 {
			parts = append(parts, Amount(n[w.works], w.one, w.many))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no tools"}
	}
	errors := 0
	for _, f := range pr.Findings {
		if f.Verdict == conform.Fail && f.Severity == conform.Error {
			errors++
		}
	}
	line := pr.Title + ": " + strings.Join(parts, ", ")
	if errors > 0 && n[conform.WorksNot] == 0 {
		line += ", " + Amount(errors, "error", "errors")
	}
	if n := unjudged(pr); n > 0 {
		line += "; " + Amount(n, "rule", "rules") + " not judged"
	}
	return line
}

// unjudged counts the rules of a platform that nothing could be said of.
func unjudged(pr conform.Profile) int {
	ids, _ := rulesOf(pr, func(f conform.ProfileFinding) bool { return f.Verdict == conform.NotRun })
	return len(ids)
}

func (p *page) profile(ps Profiles, pr conform.Profile) {
	mark := worksMarks[worst(pr.Tools)]
	p.item(mark.look, mark.sign, ProfileLine(pr))
	p.blank()
	p.field(2, "server", ps.Target)
	p.field(2, "judged by", fmt.Sprintf("platform data %s, latest source read on %s, of mcpconform %s", pr.Data, ps.Verified, ps.Tool.Version))
	for _, note := range pr.Notes {
		p.field(2, "note", note)
	}
	p.profileTools(pr)
	for _, s := range []conform.Severity{conform.Error, conform.Warning, conform.Info} {
		p.profileFindings(pr, s)
	}
	p.profileRest(pr)
}

func (p *page) profileTools(pr conform.Profile) {
	if len(pr.Tools) == 0 {
		return
	}
	p.heading(bold, "TOOLS")
	for _, t := range pr.Tools {
		mark := worksMarks[t.Works]
		p.line(0, p.put(mark.look, mark.sign+" "+Safe(brief(t.Name, p.width/2)))+"  "+Safe(join(" ", string(t.Works), bracket(brief(strings.Join(t.Rules, ", "), p.width/3)))))
		if t.Fields == nil {
			continue
		}
		p.side("input", t.Fields.Input)
		p.side("output", t.Fields.Output)
		v := t.Fields.Verdicts
		p.field(2, "verdicts", fmt.Sprintf("variable: %s, chain: %s, deterministic run: %s, condition: %s", yesNo(v.Variable), yesNo(v.Chain), yesNo(v.DeterministicRun), yesNo(v.Condition)))
		if t.Suggested != "" {
			p.field(2, "add", "an output schema for this tool that is usable there:")
			for _, l := range strings.Split(t.Suggested, "\n") {
				p.line(2+labelled, indentOf(l)+Safe(middle(strings.TrimLeft(l, " "), mostShown)))
			}
		}
	}
}

// few names the first of a list that may be long.
func few(all []string) string {
	const shown = 8
	if len(all) <= shown {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:shown], ", "), len(all)-shown)
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func (p *page) side(name string, s conform.SideFields) {
	parts := []string{s.Grade}
	for _, l := range []struct {
		what string
		all  []string
	}{{"usable", s.Usable}, {"as a whole", s.Opaque}, {"lost", s.Lost}, {"not listed", s.Unlisted}, {"no type there", s.Unmapped}} {
		if len(l.all) > 0 {
			parts = append(parts, l.what+": "+few(l.all))
		}
	}
	p.field(2, name, strings.Join(parts, "; "))
}

// Rules whose findings are told together, in the order of the platform's data.
func rulesOf(pr conform.Profile, is func(conform.ProfileFinding) bool) (order []string, by map[string][]conform.ProfileFinding) {
	by = map[string][]conform.ProfileFinding{}
	for _, f := range pr.Findings {
		if !is(f) {
			continue
		}
		if by[f.ID] == nil {
			order = append(order, f.ID)
		}
		by[f.ID] = append(by[f.ID], f)
	}
	return order, by
}

func (p *page) profileFindings(pr conform.Profile, s conform.Severity) {
	order, by := rulesOf(pr, func(f conform.ProfileFinding) bool { return f.Verdict == conform.Fail && f.Severity == s })
	if len(order) == 0 {
		return
	}
	look, sign := map[conform.Severity]paint{conform.Error: red, conform.Warning: yellow, conform.Info: cyan}[s],
		map[conform.Severity]string{conform.Error: "✗", conform.Warning: "!", conform.Info: "·"}[s]
	title := map[conform.Severity]string{conform.Error: "ERRORS: it cannot be used there, or its answer is lost", conform.Warning: "WARNINGS: part of it is not usable there", conform.Info: "INFO"}[s]
	p.heading(look, title)
	const most = 6
	for _, id := range order {
		all := by[id]
		p.entry(look, sign, id, all[0].Text)
		for i, f := range all {
			if i == most {
				p.field(2, "", fmt.Sprintf("and %d more; --format json has all", len(all)-most))
				break
			}
			p.field(2, "on", join(": ", join(" ", cmp.Or(f.Tool, "the server"), bracket(f.Path)), f.Got))
			if f.List != "" || f.Server != "" {
				p.field(2, "- kept", f.List)
				p.field(2, "+ server", f.Server)
			}
		}
		p.field(2, "mend", all[0].Mend)
		p.field(2, "source", profileSource(all[0]))
	}
}

// profileSource says on whose word a rule stands, when that was read, and why the
// finding weighs less than the rule.
func profileSource(f conform.ProfileFinding) string {
	text := fmt.Sprintf("%s (%s), read on %s", f.Source, f.Basis, f.Verified)
	if f.Lowered != "" {
		text += fmt.Sprintf("; %s by itself, info because %s", article(string(f.Stated)), f.Lowered)
	}
	return text
}

func article(word string) string {
	if strings.HasPrefix(word, "e") {
		return "an " + word
	}
	return "a " + word
}

func (p *page) profileRest(pr conform.Profile) {
	passed, _ := rulesOf(pr, func(f conform.ProfileFinding) bool { return f.Verdict == conform.Pass })
	if len(passed) > 0 {
		p.heading(green, "PASSED: "+Amount(len(passed), "rule", "rules"))
		p.text(2, "", strings.Join(passed, ", "))
	}
	var order []string
	why := map[string][]string{}
	for _, f := range pr.Findings {
		id := f.ID
		if f.Verdict == conform.Pass && f.Reason != "" {
			id += " (in part)" // of several things that it looks at, one could not be seen
		} else if f.Verdict != conform.NotRun {
			continue
		}
		if why[f.Reason] == nil {
			order = append(order, f.Reason)
		}
		why[f.Reason] = append(why[f.Reason], id)
	}
	if len(order) == 0 {
		return
	}
	p.heading(dim, "NOT JUDGED")
	for _, reason := range order {
		p.text(2, "", strings.Join(why[reason], ", ")+": "+reason)
	}
}

// profiles writes several platforms: the matrix, and each rule behind it once.
func (p *page) profiles(ps Profiles) {
	p.field(0, "server", ps.Target)
	p.field(0, "judged by", fmt.Sprintf("platform data %s, latest source read on %s, of mcpconform %s", ps.Data, ps.Verified, ps.Tool.Version))
	for _, pr := range ps.Profiles {
		mark := worksMarks[worst(pr.Tools)]
		p.blank()
		p.item(mark.look, mark.sign, ProfileLine(pr))
		for _, g := range alike(pr.Tools) {
			names := few(g.names)
			if len(g.names) == len(pr.Tools) && len(g.names) > 1 {
				names = "every tool"
			}
			m := worksMarks[g.works]
			p.text(2, m.look, m.sign+" "+names+": "+string(g.works)+" ("+strings.Join(g.rules, ", ")+")")
		}
	}
	behind := behindMatrix(ps)
	if len(behind) > 0 {
		p.heading(bold, "THE RULES BEHIND IT")
	}
	for _, b := range behind {
		look := yellow
		if b.Severity == conform.Error {
			look = red
		}
		p.entry(look, string(b.Severity), b.ID, b.Text)
		p.field(2, "first", join(": ", join(" ", cmp.Or(b.Tool, "the server"), bracket(b.Path)), b.Got))
		p.field(2, "mend", b.Mend)
		p.field(2, "source", profileSource(b))
	}
	if len(ps.Opposed) > 0 {
		p.heading(bold, "PLATFORMS THAT WANT OPPOSITE THINGS")
	}
	for _, o := range ps.Opposed {
		p.entry(cyan, "·", o.Rule, o.Text)
		p.field(2, "against", strings.Join(o.Against, ", "))
	}
	p.blank()
	p.text(0, dim, "`mcpconform profile PLATFORM` tells one platform in full, with what was not judged; `mcpconform explain ID` one rule.")
}

// group are tools of which a platform says the same.
type group struct {
	names []string
	works conform.Works
	rules []string
}

// alike puts together the tools that do not work, or work partly, by the same rules.
func alike(tools []conform.ProfileTool) (all []group) {
	for _, t := range tools {
		if t.Works != conform.WorksPartly && t.Works != conform.WorksNot {
			continue
		}
		i := slices.IndexFunc(all, func(g group) bool { return g.works == t.Works && slices.Equal(g.rules, t.Rules) })
		if i < 0 {
			i = len(all)
			all = append(all, group{works: t.Works, rules: t.Rules})
		}
		all[i].names = append(all[i].names, t.Name)
	}
	return all
}

// behindMatrix gives the rules that decided a matrix, each once by its first finding.
func behindMatrix(ps Profiles) (all []conform.ProfileFinding) {
	for _, pr := range ps.Profiles {
		for _, f := range pr.Findings {
			if f.Verdict == conform.Fail && f.Severity != conform.Info && !slices.ContainsFunc(all, func(o conform.ProfileFinding) bool { return o.ID == f.ID && o.Severity == f.Severity }) {
				all = append(all, f)
			}
		}
	}
	return all
}

// toolNames gives the tools of all profiles, in the order listed.
func (ps Profiles) toolNames() []string {
	var names []string
	for _, pr := range ps.Profiles {
		for _, t := range pr.Tools {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// cell is a platform's word on a tool.
func cell(pr conform.Profile, tool string) conform.ProfileTool {
	for _, t := range pr.Tools {
		if t.Name == tool {
			return t
		}
	}
	return conform.ProfileTool{}
}

// profileSection writes what a run says of client platforms.
func (p *page) profileSection(r Report) {
	if len(r.Profiles) == 0 {
		return
	}
	p.heading(bold, "CLIENT PLATFORMS")
	for _, pr := range r.Profiles {
		mark := worksMarks[worst(pr.Tools)]
		p.item(mark.look, mark.sign, ProfileLine(pr))
		order, by := rulesOf(pr, func(f conform.ProfileFinding) bool { return f.Verdict == conform.Fail && f.Severity != conform.Info })
		for _, id := range order {
			f := by[id][0]
			more := ""
			if n := len(by[id]) - 1; n > 0 {
				more = fmt.Sprintf("; and %d more", n)
			}
			p.field(2, string(f.Severity), fmt.Sprintf("%s: %s: %s%s", id, cmp.Or(f.Tool, "the server"), f.Got, more))
		}
	}
	p.blank()
	p.text(0, dim, "`mcpconform profile PLATFORM --from TRANSCRIPT` tells one in full.")
}
