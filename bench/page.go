package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// Bounds beyond which a run says that its machine was busy with something else.
const (
	mostBusy  = 2.5  // the load average before a round, of two cores that the bench itself uses
	mostNoise = 0.10 // how far wrk's ratio to itself may be from 1
)

// noise is wrk beside itself, round by round.
func (b *bench) noise() []float64 { return b.between(wrkAgain, first.by(wrk), byRate) }

// doubts says why the figures are to be mistrusted; empty: nothing is known.
func (b *bench) doubts() []string {
	var all []string
	if b.before > mostBusy {
		all = append(all, fmt.Sprintf("the load average was %.1f before the first round: the machine was busy with something else", b.before))
	}
	if n := b.noise(); len(n) > 0 {
		if low, high, _, ok := measure.MedianInterval(n); ok && (low < 1-mostNoise || high > 1+mostNoise) {
			all = append(all, fmt.Sprintf("wrk's calls/s ÷ its own, some seconds later, were between %.2f and %.2f: a ratio is worth no more than that", low, high))
		}
	}
	return all
}

// page writes what was measured as a page of the documents.
func (b *bench) page(w io.Writer, at time.Time) error {
	var p strings.Builder
	p.WriteString("# Performance\n\nWhat [load](load.md) costs and how true its figures are, beside other tools on the same server, in the same run, in turn. This page is written by\n\n" +
		"```sh\ngo run ./bench -o docs/performance.md\n```\n\n" +
		"and by nobody else. Figures are medians of rounds, with the interval of the median by order alone in brackets. Ratios are taken within a round. *Load* judges every answer; wrk, bombardier, hey and vegeta\n" +
		"look at none, the MCP Inspector at `isError`. *Repeating* answers are the same to the same request, the id aside; *differing* ones are not, and each is read row by row.\n\n")
	fmt.Fprintf(&p, "- Measured on %s, at commit %s, %d rounds of %s each (three times as many of what watching costs)\n- Machine: %s\n", at.UTC().Format("2 January 2006, 15:04 UTC"), commit(), b.rounds, b.for_, machine())
	if n := b.noise(); len(n) > 0 {
		fmt.Fprintf(&p, "- Noise: wrk ÷ itself %s; load average before the first round %.1f\n", middle(n, times), b.before)
	}
	for _, d := range b.doubts() {
		fmt.Fprintf(&p, "- **Busy machine**: %s\n", d)
	}
	b.tableOfGoals(&p)
	b.tableOfCells(&p)
	b.tableOfTimes(&p)
	b.tableOfWatching(&p)
	b.listOfPeers(&p)
	_, err := io.WriteString(w, p.String())
	return err
}

func (b *bench) tableOfGoals(p *strings.Builder) {
	goals := b.goals()
	met := 0
	for i := range goals {
		if goals[i].met() {
			met++
		}
	}
	fmt.Fprintf(p, "\n## Goals\n\n%d of %d are met. *about* marks one whose interval lies on both sides of the goal.\n\n| what | goal | measured | met |\n|---|---|---|---|\n", met, len(goals))
	var reasons []string
	for i := range goals {
		g := &goals[i]
		word := "no"
		if g.met() {
			word = "yes"
		}
		switch {
		case len(g.values) == 0:
			word = "not measured"
		case len(g.values) > 2 && !g.sure():
			word += ", about"
		}
		if why := because(g); why != "" && !g.met() && len(g.values) > 0 && !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
		fmt.Fprintf(p, "| %s | %s | %s | %s |\n", g.what, g.want(), middle(g.values, g.format), word)
	}
	if len(reasons) > 0 {
		p.WriteString("\nWhy those are missed:\n\n")
		for _, why := range reasons {
			fmt.Fprintf(p, "- %s\n", why)
		}
	}
	if len(b.failed) > 0 {
		p.WriteString("\nWhat failed in a round or more, by its last failure:\n\n")
		for _, name := range sorted(b.failed) {
			fmt.Fprintf(p, "- %s: %s\n", name, strings.Join(strings.Fields(strings.NewReplacer(b.dir, "DIR", own(), "bench").Replace(b.failed[name].Error())), " "))
		}
	}
}

func sorted[V any](of map[string]V) []string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (b *bench) tableOfCells(p *strings.Builder) {
	cpu := func(v float64) string { return fmt.Sprintf("%.1f", v) }
	p.WriteString("\n## Side by side\n\nThe bare server answers from memory, in a process of its own. CPU is the client's, in µs a call.\n\n| what | calls/s | CPU | calls/s ÷ wrk | CPU ÷ wrk's |\n|---|---|---|---|---|\n")
	row := func(who string, c cell) {
		if name := c.by(who); len(b.of(name, rateOnly)) > 0 {
			fmt.Fprintf(p, "| %s | %s | %s | %s | %s |\n", name, middle(b.of(name, rateOnly), perSecond), middle(b.of(name, cpuOnly), cpu),
				middle(b.between(name, c.by(wrk), byRate), times), middle(b.between(name, c.by(wrk), byCPU), times))
		}
	}
	for _, c := range b.cells {
		for _, who := range []string{ours, wrk, bombardier, hey, vegeta, sdk, inspector} {
			row(who, c)
		}
	}
	for _, name := range []string{stdioOurs, stdioSDK} {
		if len(b.of(name, rateOnly)) > 0 {
			fmt.Fprintf(p, "| %s | %s | %s | - | - |\n", name, middle(b.of(name, rateOnly), perSecond), middle(b.of(name, cpuOnly), cpu))
		}
	}
}

func perSecond(v float64) string { return fmt.Sprintf("%.0f", v) }

func (b *bench) tableOfWatching(p *strings.Builder) {
	p.WriteString("\n## What watching costs\n\nThe bare server, batch 1, 8 connections. Off: its users call and judge every answer, and nothing is kept but how many calls there were.\n\n| what | calls/s | ÷ off |\n|---|---|---|\n")
	for _, name := range []string{viewOff, unseen, viewOn} {
		if len(b.of(name, rateOnly)) > 0 {
			fmt.Fprintf(p, "| %s | %s | %s |\n", name, middle(b.of(name, rateOnly), perSecond), middle(b.between(name, viewOff, byRate), times))
		}
	}
}

func (b *bench) tableOfTimes(p *strings.Builder) {
	at := func(q string) func(figures) float64 {
		return func(f figures) float64 { return quantile(f.Latency, q) }
	}
	ms := func(v float64) string { return fmt.Sprintf("%.2f", v) }
	p.WriteString("\n## Latencies and the truth\n\nIn ms. The closed loop is blind to stalls: its users wait with the server, make fewer calls while it stands still, and see it as fast. That is what a load without `--rate` says too.\n\n| what | p50 | p90 | p95 | p99 |\n|---|---|---|---|---|\n")
	for _, name := range []string{openLoop, openTruth, stalled, stallClosed} {
		fmt.Fprintf(p, "| %s", name)
		for _, q := range []string{"p50", "p90", "p95", "p99"} {
			fmt.Fprintf(p, " | %s", middle(b.of(name, at(q)), ms))
		}
		p.WriteString(" |\n")
	}
	p.WriteString("| stalls, by arithmetic")
	for _, share := range []float64{0.5, 0.9, 0.95, 0.99} {
		fmt.Fprintf(p, " | %s", ms(stallTruth(share).Seconds()*1000))
	}
	p.WriteString(" |\n")
}

func (b *bench) listOfPeers(p *strings.Builder) {
	p.WriteString("\n## The other tools\n\n")
	for _, name := range []string{wrk, bombardier, hey, vegeta, sdk, inspector} {
		peer := b.peers.each[name]
		fmt.Fprintf(p, "- %s: %s", name, peer.version)
		if peer.missing != "" {
			fmt.Fprintf(p, "; not measured: %s", peer.missing)
		}
		p.WriteString("\n")
	}
	p.WriteString("- mcp-load-test: not measured; the npm registry that this project uses has no package of that name\n")
	for _, what := range sorted(b.missing) {
		if b.peers.each[what] == nil {
			fmt.Fprintf(p, "- %s: not measured: %s\n", what, b.missing[what])
		}
	}
}

// own is this program's file, whose place says nothing to who reads the page.
func own() string {
	path, err := os.Executable()
	if err != nil {
		return "bench"
	}
	return path
}
