package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/platforms"
)

func newExplain(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "One check: rule, source, harm, a good and a bad answer, the mend; or one scenario, or a platform's rule",
		Args:  needsOne("a check's id or a scenario's name", "`mcpconform list` shows them all"),
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := scenarios.All()
			if err != nil {
				return err
			}
			name, _, _ := strings.Cut(args[0], "/") // "partial/bad-first" is a variant of a scenario
			for _, s := range all {
				if strings.EqualFold(s.Name, name) {
					explainScenario(w.out, s)
					return nil
				}
			}
			check, err := suites.Find(args[0])
			if err != nil {
				found, broken := explainRule(w.out, args[0])
				if found || broken != nil {
					return broken
				}
				return usage(fmt.Errorf("%w, and no scenario or rule of a platform either", err), "`mcpconform list` shows them all, `mcpconform profile --list` the rules of platforms")
			}
			explainCheck(w.out, check, all)
			return nil
		},
	}
}

// needsOne is an argument rule that says what is missing.
func needsOne(what, hint string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage(fmt.Errorf("%s takes %s, and got %d words", cmd.CommandPath(), what, len(args)), hint)
		}
		return nil
	}
}

func explainCheck(out io.Writer, c conform.Check, all []*scenarios.Scenario) {
	fmt.Fprintf(out, "%s  %s\n\n", c.ID, c.Title)
	fmt.Fprintf(out, "%s\n\n", wrapped(c.Text, "  "))
	field := func(name, text string) {
		if text != "" {
			fmt.Fprintf(out, "%s\n%s\n\n", name, wrapped(text, "  "))
		}
	}
	level := c.Level.String()
	if c.Level == conform.None {
		level = "none: it never fails a server, it leaves a run incomplete"
	}
	if c.If != "" {
		level += ", " + c.If
	}
	for _, condition := range []string{"rest", "gateway", "keys-declared"} {
		if raised, ok := c.Raise[condition]; ok {
			level += fmt.Sprintf("; %s where %s", raised, map[string]string{
				"rest": "the transport is legacy REST", "gateway": "the answer goes through the gateway",
				"keys-declared": "the target file declares idempotency keys"}[condition])
		}
	}
	field("Level", level)
	field("Group", string(c.Group))
	field("Why it matters", c.Impact)
	field("Source", fmt.Sprintf("%s (%s)", c.Source, c.Basis))
	var needs []string
	for _, n := range c.Needs {
		needs = append(needs, needWords[n])
	}
	field("What it needs", strings.Join(needs, "; "))
	field("A good answer", c.Good)
	field("A bad answer", c.Bad)
	field("How to mend it", c.Mend)
	var follow []string
	table := suites.Consequences()
	for _, other := range suites.All() {
		for _, id := range table[other.ID] {
			if id == c.ID {
				follow = append(follow, other.ID)
			}
		}
	}
	if len(follow) > 0 {
		field("May only follow from", strings.Join(follow, ", "))
	}
	var played []string
	for _, s := range all {
		for _, id := range s.AllChecks() {
			if id == c.ID {
				played = append(played, s.Name)
			}
		}
	}
	if len(played) > 0 {
		field("Played by", strings.Join(played, ", "))
	}
	fmt.Fprintf(out, "Since\n  %s\n", c.Since)
}

// explainRule tells a rule of a client platform, where the id is one.
func explainRule(out io.Writer, id string) (found bool, err error) {
	data, err := platforms.Builtin()
	if err != nil {
		return false, &exitError{code: exitInternal, cause: fmt.Errorf("reading the built-in platforms: %w", err)}
	}
	p, r := data.Rule(id)
	if r == nil {
		return false, nil
	}
	fmt.Fprintf(out, "%s  a rule of %s\n\n%s\n\n", r.ID, p.Title, wrapped(r.Text, "  "))
	field := func(name, text string) {
		if text != "" {
			fmt.Fprintf(out, "%s\n%s\n\n", name, wrapped(text, "  "))
		}
	}
	level := string(r.Level)
	if r.Basis == conform.ThirdParty || r.Basis == conform.Inferred {
		level += "; counts as info unless --include-unproven is given"
	}
	var elsewhere, asked []string
	for _, other := range data.Platforms {
		for _, taken := range data.RulesOf(other) {
			if taken.ID == r.ID {
				asked = append(asked, other.Name)
				if taken.Level != r.Level {
					elsewhere = append(elsewhere, fmt.Sprintf("%s for %s", taken.Level, other.Name))
				}
			}
		}
	}
	field("Level", strings.Join(append([]string{level}, elsewhere...), "; "))
	field("Judged for", strings.Join(asked, ", "))
	field("Platform", p.About)
	field("Source", fmt.Sprintf("%s (%s), read on %s; after %d days it counts as info", r.Source, r.Basis, r.Verified.Format(time.DateOnly), platforms.Old))
	field("What it needs", strings.Join(r.Needs(), "; "))
	field("Against it stand", strings.Join(r.Against, ", "))
	field("How to mend it", r.Mend)
	fmt.Fprintf(out, "See it\n  mcpconform profile %s\n", p.Name)
	return true, nil
}

var needWords = map[conform.Need]string{
	conform.NeedResponse:    "an answer",
	conform.NeedItems:       "items known to be good or bad (`items` in the target file)",
	conform.NeedState:       "eyes: a tool that shows the state (`probe` in the target file)",
	conform.NeedConcurrency: "calls in flight together",
}

func explainScenario(out io.Writer, s *scenarios.Scenario) {
	fmt.Fprintf(out, "%s  %s\n\n%s\n\nFeeds\n%s\n", s.Name, s.Title, wrapped(s.Why, "  "), wrapped(strings.Join(s.AllChecks(), ", "), "  "))
}

// wrapped breaks prose at 90 columns; lines that begin with a bracket (JSON
// examples) are kept as they are.
func wrapped(text, indent string) string {
	const width = 90
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(indent)
		if strings.HasPrefix(strings.TrimSpace(line), "{") || strings.HasPrefix(strings.TrimSpace(line), "[") {
			b.WriteString(line)
			continue
		}
		column := 0
		for _, word := range strings.Fields(line) {
			if column > 0 && column+1+len(word) > width {
				b.WriteString("\n" + indent)
				column = 0
			}
			if column > 0 {
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += len(word)
		}
	}
	return b.String()
}
