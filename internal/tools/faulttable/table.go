package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/reports"
)

var cell = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")

// write writes the table in Markdown.
func write(out io.Writer, rows []row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| fault | over | level | exit | strict | of | what came | the mend |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		f := r.finding
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d of %d | %s | %s |\n", r.fault.ID, r.over, r.level, code(r.exit), code(r.strict),
			f.Count, f.Of, cell.Replace(reports.Safe(f.Got)), cell.Replace(reports.Safe(f.Hint)))
	}
	fmt.Fprintf(&b, "\nThe level is that of the heaviest rule that a fault breaks, with what follows from it.\n")
	for _, id := range slices.Sorted(maps.Keys(unseen)) {
		fmt.Fprintf(&b, "%s ends in 3: %s.\n", id, unseen[id])
	}
	_, err := io.WriteString(out, b.String())
	return err
}
