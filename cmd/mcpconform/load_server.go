package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// serverFlags say how the server itself is looked at, beside its answers.
type serverFlags struct {
	pid     int
	metrics string
	series  []string
	onCell  string
}

func (f *serverFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.pid, "server-pid", 0, "the server's process, whose processor time, memory and threads are told (default: the server that load starts itself)")
	flags.StringVar(&f.metrics, "server-metrics", "", "the server's own metrics in the text format of Prometheus, at `URL`, read before and after each window")
	flags.StringSliceVar(&f.series, "server-series", nil, "which of them are told, `NAME,…` or globs (default "+strings.Join(runner.DefaultSeries, ", ")+")")
	flags.StringVar(&f.onCell, "on-cell", "", "run `CMD` before and after each window, with the cell in its environment: for profilers")
}

func (f *serverFlags) into(o *runner.LoadOptions) error {
	switch {
	case f.pid < 0:
		return usage(fmt.Errorf("--server-pid %d is no process", f.pid), "`pgrep -f NAME` finds the id of a server")
	case f.pid == os.Getpid():
		return usage(fmt.Errorf("--server-pid %d is mcpconform itself", f.pid), "")
	case len(f.series) > 0 && f.metrics == "":
		return usage(errors.New("--server-series is given without --server-metrics"), "say where the server tells them: --server-metrics http://127.0.0.1:9100/metrics")
	}
	for _, glob := range f.series {
		if _, err := path.Match(glob, ""); err != nil {
			return usage(fmt.Errorf("--server-series %q is no pattern", glob), "* and ? stand for letters, [ab] for one of them")
		}
	}
	o.ServerPID, o.Series = f.pid, f.series
	return f.program(o)
}

// program reads --on-cell.
func (f *serverFlags) program(o *runner.LoadOptions) (err error) {
	if f.onCell == "" {
		return nil
	}
	const hint = "a program and its arguments, for example --on-cell './profile.sh server'; no shell reads them"
	if o.OnCell, err = splitWords(f.onCell); err != nil {
		return usage(fmt.Errorf("--on-cell %q: %w", f.onCell, err), hint)
	}
	if _, err := exec.LookPath(o.OnCell[0]); err != nil {
		return usage(fmt.Errorf("--on-cell: %w", err), hint)
	}
	return nil
}

// at reads --server-metrics, with ${NAME} in it from the environment. What is secret in
// the URL is a secret of the run; a host that is not this machine must be confirmed.
func (f *serverFlags) at(w world, confirmed func(host string) bool) (address string, secrets []runner.Secret, err error) {
	if f.metrics == "" {
		return "", nil, nil
	}
	shown := conform.WithoutSecrets(f.metrics)
	address, used, err := expand(f.metrics, w.getenv)
	if err != nil {
		return "", nil, usage(fmt.Errorf("--server-metrics %s: %w", shown, err), "")
	}
	at, err := url.Parse(address)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return "", nil, usage(fmt.Errorf("--server-metrics %s is no http or https URL", shown), "for example --server-metrics http://127.0.0.1:9100/metrics")
	}
	if name := reports.Safe(target.HostName(at.Host)); !target.Loopback(at.Host) && !confirmed(at.Host) {
		return "", nil, usage(fmt.Errorf("--server-metrics: %s is not this machine, and is asked before and after each window", name), "if it is yours to ask, give --confirm "+name)
	}
	for _, s := range target.SecretsOf(address) {
		secrets = append(secrets, runner.Secret(s))
	}
	if used == 0 && len(secrets) > 0 {
		fmt.Fprintln(w.err, "warning: --server-metrics was typed with a secret, which every user of this machine can read in the process list; write ${NAME} in its place")
	}
	return address, secrets, nil
}

// splitWords splits a command into its words, as a shell does without expanding
// anything: quotes hold words together, a backslash takes the next letter as it is.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun, escaped, quote := false, false, rune(0)
	for _, c := range text {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			begun, escaped = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			begun, quote = true, c
		case c == ' ' || c == '\t' || c == '\n':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote or a backslash is not ended")
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("it names no program")
	}
	return words, nil
}
