package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
)

func newExplain(w world) *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "One check: rule, source, harm, a good and a bad answer, the mend; or one scenario",
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
				return usage(fmt.Errorf("%w, and no scenario either", err), "`mcpconform list` shows them all")
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
