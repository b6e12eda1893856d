package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
)

func newCatalogue(w world) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "catalogue",
		Short: "The dated sets of checks, and what changed between two",
		Long: `The checks come out in dated sets. A released set never changes: what is judged
by it today is judged by the same rules in years. --catalogue SET, or the key
catalogue of a target file, says by which set a run is judged; checks that are
newer are told as pending and decide nothing.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCatalogueList(w), newCatalogueDiff(w))
	return cmd
}

// setLine is a set as `catalogue list --format json` writes it.
type setLine struct {
	Set     string `json:"set"`
	Digest  string `json:"digest"`
	Rules   int    `json:"rules"`
	Draft   bool   `json:"draft"`
	Default bool   `json:"default"`
}

func newCatalogueList(w world) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "The sets that this version has, oldest first",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			lines := []setLine{}
			for _, s := range suites.Sets() {
				lines = append(lines, setLine{s.Name, s.Digest(), len(s.Rules), s.Draft(), s.Name == suites.Default().Name})
			}
			switch format {
			case "json":
				return writeJSON(w.out, lines)
			case "text":
				tab := tabwriter.NewWriter(w.out, 0, 4, 2, ' ', 0)
				for _, l := range lines {
					state := "released"
					if l.Draft {
						state = "open: its rules may still change"
					}
					if l.Default {
						state += "; used where no set is named"
					}
					fmt.Fprintf(tab, "%s\t%s\t%d rules\t%s\n", l.Set, l.Digest, l.Rules, state)
				}
				return tab.Flush()
			}
			return usage(fmt.Errorf("--format %q: catalogue list writes text or json", format), "")
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func newCatalogueDiff(w world) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "diff FROM TO",
		Short:   "What changed from one set to another: rules added and withdrawn, levels, bases, meanings",
		Example: "  mcpconform catalogue diff 2026-12-draft 2026-12-draft",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage(fmt.Errorf("%s takes two sets, and got %d words", cmd.CommandPath(), len(args)), "`mcpconform catalogue list` shows the sets")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var sets [2]suites.Set
			for i, name := range args {
				set, err := suites.FindSet(name)
				if err != nil {
					return usage(err, "`mcpconform catalogue list` shows them")
				}
				sets[i] = set
			}
			changes := suites.Diff(sets[0], sets[1])
			switch format {
			case "json":
				return writeJSON(w.out, changes)
			case "text":
				return writeChanges(w, sets[0], sets[1], changes)
			}
			return usage(fmt.Errorf("--format %q: catalogue diff writes text or json", format), "")
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func writeChanges(w world, from, to suites.Set, changes []suites.Change) error {
	fmt.Fprintf(w.out, "from %s (%s) to %s (%s)\n", from.Name, from.Digest(), to.Name, to.Digest())
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.ID] = true
		fmt.Fprintf(w.out, "\n%s  %s\n", reports.Safe(c.ID), c.What)
		for _, side := range []struct{ name, text string }{{"was", c.Old}, {"is ", c.New}} {
			if side.text != "" {
				fmt.Fprintf(w.out, "  %s  %s\n", side.name, wrapped(side.text, "       ")[len("       "):])
			}
		}
	}
	if len(changes) > 0 {
		fmt.Fprintln(w.out)
	}
	fmt.Fprintf(w.out, "%d of %d rules changed.\n", len(changed), max(len(from.Rules), len(to.Rules)))
	return nil
}
