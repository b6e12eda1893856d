package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// advice writes what a MAY rule would have better, a few lines each.
func (p *page) advice(r Report) {
	var order []string
	on, first := map[string][]string{}, map[string]conform.Finding{}
	for _, f := range r.Findings {
		if ClassOf(f) != ClassAdvice {
			continue
		}
		// One rule and one mend is one piece of advice, on however many operations.
		key := f.ID + "\x00" + f.Hint
		if _, told := first[key]; !told {
			order, first[key] = append(order, key), f
		}
		if f.Operation != "" {
			on[key] = append(on[key], f.Operation)
		}
	}
	if len(order) == 0 {
		return
	}
	sign, look := ClassAdvice.mark()
	p.heading(look, "ADVICE: "+Amount(len(order), "MAY rule", "MAY rules"))
	for _, key := range order {
		f := first[key]
		p.entry(look, sign, f.ID, f.Title)
		p.field(2, "on", strings.Join(on[key], ", "))
		p.field(2, "got", middle(f.Got, mostShown/2))
		p.field(2, "mend", middle(f.Hint, mostShown))
	}
}

// pending writes what checks newer than the catalogue set in use say.
func (p *page) pending(r Report) {
	var found []conform.Finding
	for _, f := range r.Findings {
		if f.Pending {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return
	}
	sign, look := ClassPending.mark()
	p.heading(look, "PENDING: newer than the catalogue set, no influence")
	for _, f := range found {
		p.entry(look, sign, f.ID, join(" ", f.Verdict.String()+":", f.Title, bracket(f.Operation)))
	}
}

// passed lists the rules that held wherever they were judged.
func (p *page) passed(r Report) {
	held, broken := []string{}, map[string]bool{}
	for _, f := range r.Findings {
		switch ClassOf(f) {
		case ClassPass:
			held = append(held, f.ID)
		case ClassFail, ClassWarning, ClassAdvice:
			broken[f.ID] = true
		}
	}
	held = slices.DeleteFunc(held, func(id string) bool { return broken[id] })
	slices.Sort(held)
	held = slices.Compact(held)
	if len(held) == 0 {
		return
	}
	sign, look := ClassPass.mark()
	if r.Verdict != Conformant {
		look = dim
	}
	p.heading(look, "PASSED: "+Amount(len(held), "rule holds", "rules hold")+" wherever judged")
	for _, l := range families(held) {
		p.item(look, sign, l)
	}
}

// families puts ids of one prefix on one line: "RES  01 02 03".
func families(ids []string) []string {
	var lines []string
	last := ""
	for _, id := range ids {
		prefix, number, ok := strings.Cut(id, "-")
		if !ok || prefix != last {
			lines = append(lines, pad(prefix, 6)+number)
		} else {
			lines[len(lines)-1] += " " + number
		}
		last = prefix
	}
	return lines
}

// reasoned is what was not verified for one reason.
type reasoned struct {
	reason string
	hints  []string
	paste  string              // YAML for the target file
	at     map[string][]string // "MUST RES-02" → operations
	order  []string
	must   int
	total  int
}

// byReason groups what has the same reason. The reasons that hold back most
// MUST rules come first.
type byReason struct{ groups []*reasoned }

func (b *byReason) add(reason, what, operation, hint string, must bool) *reasoned {
	i := slices.IndexFunc(b.groups, func(g *reasoned) bool { return g.reason == reason })
	if i < 0 {
		i = len(b.groups)
		b.groups = append(b.groups, &reasoned{reason: reason, at: map[string][]string{}})
	}
	g := b.groups[i]
	if _, held := g.at[what]; !held {
		g.order = append(g.order, what)
	}
	if !slices.Contains(g.at[what], operation) {
		g.at[what] = append(g.at[what], operation)
	}
	if !slices.Contains(g.hints, hint) {
		g.hints = append(g.hints, hint)
	}
	g.total++
	if must {
		g.must++
	}
	return g
}

func (b *byReason) sort() {
	slices.SortStableFunc(b.groups, func(x, y *reasoned) int {
		return cmp.Or(cmp.Compare(y.must, x.must), cmp.Compare(y.total, x.total))
	})
}

// rules puts the rules of a group into words, those on the same operations
// together: "RES-02, RES-03 on cancel-products".
func (g *reasoned) rules() string {
	var places []string
	on := map[string][]string{}
	for _, what := range g.order {
		place := strings.Join(g.at[what], ", ")
		if _, held := on[place]; !held {
			places = append(places, place)
		}
		on[place] = append(on[place], what)
	}
	parts := make([]string, len(places))
	for i, place := range places {
		parts[i] = strings.Join(on[place], ", ")
		if place != "" {
			parts[i] += " on " + place
		}
	}
	return strings.Join(parts, "; ")
}

// unverified writes what the run could not tell, and what would let it.
func (p *page) unverified(r Report) {
	groups := map[conform.Level]*byReason{}
	var reasons byReason
	must, others := 0, 0
	for _, f := range r.Findings {
		class := ClassOf(f)
		if class != ClassInconclusive && class != ClassNotRun {
			continue
		}
		reason := middle(cmp.Or(f.Reason, f.Got, "no reason was given"), mostShown)
		if class == ClassInconclusive && f.Level != conform.None {
			reason = "asked, but could not tell: " + reason
		}
		if f.Level == conform.Must {
			must++
		} else {
			others++
		}
		reasons.add(reason, f.ID, f.Operation, f.Hint, f.Level == conform.Must).paste = f.Paste
		if groups[f.Level] == nil {
			groups[f.Level] = &byReason{}
		}
		groups[f.Level].add(reason, f.ID, f.Operation, "", false)
	}
	if must+others == 0 {
		return
	}
	reasons.sort()
	title := "NOT VERIFIED: " + Amount(must+others, "check", "checks")
	if must > 0 {
		title += fmt.Sprintf(", %d of them MUST", must)
	}
	p.heading(yellow, title)
	for i, g := range reasons.groups {
		if i > 0 {
			p.blank()
		}
		p.item(yellow, "?", g.reason)
		for _, level := range []conform.Level{conform.Must, conform.Should, conform.May, conform.None} {
			if groups[level] == nil {
				continue
			}
			for _, held := range groups[level].groups {
				if held.reason == g.reason {
					p.field(2, levelLabel(level), held.rules())
				}
			}
		}
		if len(g.hints) == 1 {
			p.field(2, "to verify", middle(g.hints[0], mostShown))
		}
		p.lines(2, "paste", g.paste)
	}
}

func levelLabel(l conform.Level) string {
	if l == conform.None {
		return "scope"
	}
	return l.String()
}

// notApplicable writes what has no meaning for this target.
func (p *page) notApplicable(r Report) {
	if len(r.NotApplicable) == 0 {
		return
	}
	var reasons byReason
	for _, n := range r.NotApplicable {
		reasons.add(middle(cmp.Or(n.Reason, "no reason was given"), mostShown), n.ID, n.Operation, "", false)
	}
	reasons.sort()
	p.heading(dim, "NOT APPLICABLE: "+Amount(len(r.NotApplicable), "check", "checks"))
	for _, g := range reasons.groups {
		p.item(dim, "-", g.reason+": "+g.rules())
	}
}

// leftBehind writes what the run could not put back.
func (p *page) leftBehind(r Report) {
	if len(r.LeftBehind) == 0 {
		return
	}
	p.heading(yellow, "LEFT BEHIND on the server: "+Amount(len(r.LeftBehind), "change", "changes"))
	const most = 20
	lines := LeftLines(r.LeftBehind)
	for _, l := range lines[:min(len(lines), most)] {
		p.item(yellow, "-", l.Operation+": "+middle(l.What, mostShown))
	}
	if n := len(lines) - most; n > 0 {
		p.item(yellow, "-", fmt.Sprintf("and %d more", n))
	}
}
