package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

func newPlan(w world) *cobra.Command {
	f := runFlags{repeat: 1}
	var format string
	cmd := &cobra.Command{
		Use:   "plan [--target FILE | --url URL | -- CMD ARG...]",
		Short: "Say what a run would do, use up and leave out, and call nothing but list methods",
		Long: `plan connects to a server, lists its tools, and says what run would do with
the same flags: which scenarios, how many calls and writes, what would be used
up, what would be left out and why, which MUST rules nothing would ask about,
and about how long it would take. It calls no tool.`,
		Example: `  mcpconform plan --target accounts.yaml
  mcpconform plan --target accounts.yaml --effort quick --format json`,
		RunE: func(cmd *cobra.Command, args []string) error { return planMain(cmd, args, f, format, w) },
	}
	f.target.declare(cmd)
	f.declarePlay(cmd)
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func planMain(cmd *cobra.Command, args []string, f runFlags, format string, w world) error {
	if format != "text" && format != "json" {
		return usage(fmt.Errorf("--format %q: plan writes text or json", format), "")
	}
	opts, err := f.options(cmd, w)
	if err != nil {
		return err
	}
	before, err := f.again(cmd, &opts)
	if err != nil {
		return err
	}
	reach, err := f.target.reach(cmd, args, w, false)
	if err != nil {
		return err
	}
	defer reach.close()
	if err := sameTarget(before, reach.builtin); err != nil {
		return err
	}
	opts.Builtin, opts.Secrets, opts.SecretHeaders = reach.builtin, reach.secrets, reach.secretHeaders
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	plan, err := runner.MakePlan(ctx, reach.file, opts)
	if err != nil {
		return planError(ctx, located(err, f.globs()), reach)
	}
	if format == "json" {
		return writeJSON(w.out, plan)
	}
	return writePlan(w.out, plan)
}

func planError(ctx context.Context, err error, reach reached) error {
	var by signalled
	if errors.As(context.Cause(ctx), &by) {
		return &exitError{code: by.code(), cause: errors.New("interrupted")}
	}
	var far *runner.UnreachedError
	if errors.As(err, &far) {
		code := reports.ExitUnreachable
		if far.Class == conform.EndGone {
			code = reports.ExitIncomplete
		}
		return &exitError{code: code, cause: errors.New(reports.Shown(far.Cause)), hint: reach.hint(far.Class, far.Cause)}
	}
	return runError(err)
}

// writePlan writes a plan for a person.
func writePlan(out io.Writer, p runner.Plan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s in the scenarios, %s written, %s to look at the state, put it back and items in place\n",
		reports.Shown(p.Target), times(p.Calls, "call"), times(p.Written, "item"), times(p.Besides, "call"))
	fmt.Fprintf(&b, "about %s: %s; effort %s, seed %d\n", span(p.Seconds), madeOf(p), p.Effort, p.Seed)
	table(&b, "operations", "OPERATION\tTOOL\tEFFECT\tCALLS\tWRITTEN\tGOOD\tBAD\tMANY\tITEMS ARE", func(line func(string, ...any)) {
		for _, o := range p.Operations {
			effect, kept := "read", "read"
			if o.Write {
				effect, kept = "write", "put back"
			}
			if o.PutBack == "undo" {
				kept = "undone"
			}
			if o.UsedUp {
				kept = "used up"
			}
			held := func(list string, n int) string {
				if o.ReadFrom[list] != "" {
					return "?"
				}
				return strconv.Itoa(n)
			}
			line("%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s", o.Name, o.Tool, effect, o.Calls, o.Written,
				held("good", o.Good), held("bad", o.Bad), held("many", o.Many), kept)
		}
	})
	for _, o := range p.Operations {
		for _, what := range handsOf(o) {
			fmt.Fprintf(&b, "  %s: %s\n", reports.Shown(o.Name), reports.Shown(what))
		}
	}
	table(&b, "what would be played, first what gains most", "SCENARIO\tOPERATION\tPLAYS\tCALLS\tWRITTEN\tNEW MUST RULES", func(line func(string, ...any)) {
		for _, s := range p.Scenarios {
			line("%s\t%s\t%d\t%d\t%d\t%d", s.Scenario, s.Operation, s.Plays, s.Calls, s.Written, s.Gains)
		}
	})
	for _, o := range p.Operations {
		if o.DryRuns > 0 {
			fmt.Fprintf(&b, "\n%d of the %d calls of %s are dry runs: nothing is written by them\n", o.DryRuns, o.Calls, reports.Shown(o.Name))
		}
	}
	for _, s := range p.Scenarios {
		if len(s.Mixed) > 0 {
			fmt.Fprintf(&b, "\n%s on %s: calls of %s are in flight with its own\n", reports.Shown(s.Scenario), reports.Shown(s.Operation), reports.Shown(strings.Join(s.Mixed, " and ")))
		}
	}
	leftOut(&b, "known only when it is run", p.Unread)
	leftOut(&b, "left out", p.LeftOut)
	if len(p.Unasked) > 0 {
		fmt.Fprintf(&b, "\nMUST rules that nothing would ask about: the verdict would be incomplete\n")
	}
	for _, u := range p.Unasked {
		fmt.Fprintf(&b, "  %s on %s: %s\n", u.Check, cmp.Or(reports.Shown(u.Operation), "the server"), reports.Shown(u.Reason))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// span writes seconds to two digits that matter.
func span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return max(d.Round(time.Millisecond), time.Millisecond).String()
}

// madeOf says what the estimate of a plan's time is made of.
func madeOf(p runner.Plan) string {
	e := p.Estimate
	text := fmt.Sprintf("%s one after the other, each as long as the slowest list call (%s)", times(p.Calls+p.Besides, "call"), span(e.EachSeconds))
	if e.RateSeconds > 0 {
		text += fmt.Sprintf(", %s more for `limits.rate`", span(e.RateSeconds))
	}
	if e.WaitSeconds > 0 {
		text += fmt.Sprintf(", and %s between looks", span(e.WaitSeconds))
	}
	return text + "; tools that work longer than that take so much more"
}

func leftOut(b *strings.Builder, title string, all []runner.LeftOut) {
	if len(all) > 0 {
		fmt.Fprintf(b, "\n%s\n", title)
	}
	for _, l := range all {
		fmt.Fprintf(b, "  %s: %s\n    %s\n", times(len(l.Scenarios), "play"), reports.Shown(l.Reason), reports.Shown(some(l.Scenarios)))
		if l.Key != "" {
			fmt.Fprintf(b, "    see `%s` in the target file\n", reports.Shown(l.Key))
		}
	}
}

// handsOf says who would put an operation's items in place, and back.
func handsOf(o runner.PlannedOperation) []string {
	var lines []string
	if o.SetUp > 0 {
		line := fmt.Sprintf("before they are asked for, up to %s would be put in place by %s", times(o.SetUp, "item"), o.SetUpBy)
		if o.TakenAwayBy != "" {
			line += ", and taken away at the end by " + o.TakenAwayBy
		} else {
			line += ", and nothing takes them away"
		}
		lines = append(lines, line)
	}
	switch o.PutBack {
	case "reset":
		lines = append(lines, fmt.Sprintf("%s would put everything back %s, and at the end", o.PutBackBy, times(o.PutBacks, "time")))
	case "undo":
		lines = append(lines, fmt.Sprintf("%s would take back what was written, %s", o.PutBackBy, times(o.PutBacks, "time")))
	}
	return lines
}

func table(b *strings.Builder, title, head string, rows func(line func(string, ...any))) {
	fmt.Fprintf(b, "\n%s\n", title)
	tab := tabwriter.NewWriter(b, 0, 4, 2, ' ', 0)
	fmt.Fprintf(tab, "  %s\n", head)
	rows(func(format string, args ...any) {
		for i, a := range args {
			if text, ok := a.(string); ok {
				args[i] = reports.Shown(text)
			}
		}
		fmt.Fprintf(tab, "  "+format+"\n", args...)
	})
	_ = tab.Flush() // a strings.Builder takes everything
}

// some names the first few of a list.
func some(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

func times(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
