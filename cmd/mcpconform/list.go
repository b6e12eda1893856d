package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
)

func newList(w world) *cobra.Command {
	var consequences bool
	var format, catalogue string
	cmd := &cobra.Command{
		Use:   "list [checks|scenarios]",
		Short: "The checks and scenarios",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usage(fmt.Errorf("--format %q: list writes text or json", format), "")
			}
			if consequences {
				return listConsequences(w.out, format)
			}
			set, err := suites.FindSet(catalogue)
			if err != nil {
				return usage(err, "`mcpconform catalogue list` shows them")
			}
			what := ""
			if len(args) == 1 {
				what = args[0]
			}
			switch what {
			case "checks":
				return listChecks(w.out, set, format)
			case "scenarios":
				return listScenarios(w.out, format)
			case "":
				if format == "json" {
					return usage(fmt.Errorf("list --format json needs to know which list"), "`mcpconform list checks` or `mcpconform list scenarios`")
				}
				if err := listChecks(w.out, set, format); err != nil {
					return err
				}
				fmt.Fprintln(w.out)
				return listScenarios(w.out, format)
			}
			return usage(fmt.Errorf("%q is no list", what), "`mcpconform list checks` or `mcpconform list scenarios`")
		},
	}
	cmd.Flags().BoolVar(&consequences, "consequences", false, "show which rules a fault may break besides its own")
	cmd.Flags().StringVar(&catalogue, "catalogue", "", "the checks as the catalogue `SET` has them (default: the newest)")
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

// checkLine is a check as `list --format json` writes it.
type checkLine struct {
	ID     string         `json:"id"`
	Level  conform.Level  `json:"level"`
	Basis  conform.Basis  `json:"basis"`
	Group  conform.Group  `json:"group"`
	Title  string         `json:"title"`
	Text   string         `json:"text"`
	Needs  []conform.Need `json:"needs"`
	Source string         `json:"source"`
	Since  string         `json:"since"`
	// Pending: the set that was asked for does not have it.
	Pending bool `json:"pending,omitempty"`
}

func listChecks(out io.Writer, set suites.Set, format string) error {
	checks := set.Of(suites.All())
	if format == "json" {
		lines := []checkLine{}
		for _, c := range checks {
			lines = append(lines, checkLine{c.ID, c.Level, c.Basis, c.Group, c.Title, c.Text, c.Needs, c.Source, c.Since, c.Pending})
		}
		return writeJSON(out, lines)
	}
	tab := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	group, pending := conform.Group(""), 0
	for _, c := range checks {
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(tab, "\n%s\n", group)
		}
		title := c.Title
		if c.Pending {
			title += " (pending: newer than the set)"
			pending++
		}
		fmt.Fprintf(tab, "  %s\t%s\t%s\t%s\n", c.ID, c.Level, c.Basis, title)
	}
	fmt.Fprintf(tab, "\n%d checks in the set %s. `mcpconform explain ID` tells one in full.\n", len(checks)-pending, set.Name)
	return tab.Flush()
}

func listScenarios(out io.Writer, format string) error {
	all, err := scenarios.All()
	if err != nil {
		return err
	}
	if format == "json" {
		return writeJSON(out, all)
	}
	tab := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(tab, "scenarios\n")
	for _, s := range all {
		fmt.Fprintf(tab, "  %s\t%s\n", s.Name, s.Title)
	}
	fmt.Fprintf(tab, "\n%d scenarios. `mcpconform explain NAME` tells one in full; `run --scenario NAME` plays it alone.\n", len(all))
	return tab.Flush()
}

func listConsequences(out io.Writer, format string) error {
	table := suites.Consequences()
	if format == "json" {
		return writeJSON(out, table)
	}
	tab := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintf(tab, "a fault under\tmay also break, for the same call and item\n")
	for _, c := range suites.All() {
		if follow := table[c.ID]; len(follow) > 0 {
			fmt.Fprintf(tab, "%s\t%s\n", c.ID, strings.Join(follow, ", "))
		}
	}
	return tab.Flush()
}

func writeJSON(out io.Writer, value any) error { return reports.EncodeJSON(out, value, "  ") }

// writeLine writes a value as one line of JSON.
func writeLine(out io.Writer, value any) error { return reports.EncodeJSON(out, value, "") }
