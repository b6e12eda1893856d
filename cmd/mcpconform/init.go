package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/internal/discover"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// initFlags are what `init` takes.
type initFlags struct {
	target     targetFlags
	file       string
	force      bool
	update     string
	operations []string
	call       bool
	wait       time.Duration
}

func newInit(w world) *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init --url URL | -- CMD ARG...",
		Short: "Look at a server's tools and write a target file to begin with",
		Long: `init connects to a server, lists its tools, finds those that take several items,
and writes a target file: what it guessed, with what each guess rests on, and
what is missing. It calls nothing but list methods; with --call-read-only also
tools of which the server itself says that they only read, to find example items.

The file goes to stdout, or to a FILE that is not there yet. Look at it before
you run it: it is a guess. On a server that is not on this machine it consents
to no writes, and says how you do.

Exit status: 0 written; 2 a wrong word; 3 no tool takes several items, nothing
written; 4 the server could not be reached.`,
		Example: `  mcpconform init --url http://127.0.0.1:8080/mcp -o target.yaml
  mcpconform init --call-read-only -o target.yaml -- node dist/server.js
  mcpconform init --update target.yaml
  mcpconform init --url https://accounts.staging.acme.example/mcp --token-env ACME_TOKEN --operations cancel_products`,
		RunE: func(cmd *cobra.Command, args []string) error { return initMain(cmd, args, f, w) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.target.url, "url", "", "the server's `URL`")
	f.target.declareWays(cmd)
	flags.StringVarP(&f.file, "output", "o", "", "write to `FILE` in place of stdout; one that is there already is left as it is")
	flags.BoolVar(&f.force, "force", false, "write over a FILE that is there already")
	flags.StringVar(&f.update, "update", "", "add operations to this target `FILE` for tools that it does not know, and change nothing else of it")
	flags.StringSliceVar(&f.operations, "operations", nil, "write only these operations, by `NAME` or by tool (repeatable)")
	flags.BoolVar(&f.call, "call-read-only", false, "call tools of which the server says that they only read, to find example items")
	flags.DurationVar(&f.wait, "wait", 0, "wait so long for a server at a URL to take connections")
	return cmd
}

func initMain(cmd *cobra.Command, args []string, f initFlags, w world) error {
	command, err := commandAfterDash(cmd, args)
	if err != nil {
		return err
	}
	if f.update != "" {
		return f.bringUpToDate(cmd, command, w)
	}
	if f.target.url == "" && len(command) == 0 && !cmd.Flags().Changed("url") && cmd.ArgsLenAtDash() < 0 {
		return usage(errors.New("no server was named"), "mcpconform init --url URL, or mcpconform init -- CMD ARG...")
	}
	if f.wait < 0 || f.wait == 0 && cmd.Flags().Changed("wait") {
		return usage(fmt.Errorf("--wait %s is not above 0", f.wait), "write it like 30s or 5m")
	}
	if err := f.writable(cmd); err != nil {
		return err
	}
	reach, err := f.target.reachBy(cmd, command, w, false)
	if err != nil {
		return err
	}
	defer reach.close()
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	opts := runner.Options{Version: version(), Effort: "standard", Wait: f.wait, Started: time.Now(), Selector: reach.selector,
		Secrets: reach.secrets, SecretHeaders: reach.secretHeaders}
	found, err := runner.Look(ctx, reach.file, opts, f.call)
	if err != nil {
		return planError(ctx, err, reach)
	}
	if len(found.Operations) == 0 {
		return nothingFound(found)
	}
	if unknown := found.Narrow(f.operations); unknown != "" {
		return usage(fmt.Errorf("--operations %q is none of the operations that were found", reports.Shown(unknown)), "found: "+operationsOf(found))
	}
	text := found.YAML(f.server(reach, command))
	if _, err := target.Parse("the file that init wrote", text, w.getenv); err != nil && found.Gaps() == 0 {
		return &exitError{code: exitInternal, cause: fmt.Errorf("what was written cannot be read back: %w", err)}
	}
	return f.write(found, text, w)
}

// writable says why nothing can be written where the flags say, before the server
// is bothered.
func (f initFlags) writable(cmd *cobra.Command) error {
	if f.file == "" {
		switch {
		case cmd.Flags().Changed("output"):
			return usage(errors.New("--output is empty"), "is the variable behind it set?")
		case f.force:
			return usage(errors.New("--force is given without -o FILE"), "leave it out: stdout is written over by nobody")
		}
		return nil
	}
	if info, err := os.Stat(filepath.Dir(f.file)); err != nil || !info.IsDir() {
		return usage(fmt.Errorf("-o %s: there is no folder %s", f.file, filepath.Dir(f.file)), "make it first")
	}
	info, err := os.Stat(f.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return usage(fmt.Errorf("-o: %w", err), "")
	case info.IsDir():
		return usage(fmt.Errorf("-o %s: this is a folder", f.file), "name a file in it")
	case !f.force:
		return taken(f.file)
	}
	return nil
}

func taken(file string) error {
	return usage(fmt.Errorf("-o %s: the file is there already, and may hold what you wrote", file), "name another one, or give --force to write over it")
}

func (f initFlags) write(found *discover.Found, text []byte, w world) error {
	if f.file == "" {
		if _, err := w.out.Write(text); err != nil {
			return &exitError{code: exitInternal, cause: fmt.Errorf("writing the target file: %w", err)}
		}
		return nil
	}
	how := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if f.force {
		how = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	out, err := os.OpenFile(f.file, how, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return taken(f.file) // it came while we looked
	}
	if err != nil {
		return usage(fmt.Errorf("-o: %w", err), "")
	}
	_, err = out.Write(text)
	if err := errors.Join(err, out.Close()); err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("writing the target file: %w", err)}
	}
	fmt.Fprintf(w.err, "%s: %s\n", f.file, found.Summary())
	if n := found.Gaps(); n > 0 {
		fmt.Fprintf(w.err, "%s to be filled in: search for %s. --call-read-only has tools that only read called for examples\n", times(n, "value")+verbHas(n), conform.Placeholder)
	}
	fmt.Fprintf(w.err, "look at it, then: mcpconform run --target %s\n", conform.ShellWord(f.file))
	return nil
}

func verbHas(n int) string {
	if n == 1 {
		return " has"
	}
	return " have"
}

// nothingFound is the end of a look that found no operation.
func nothingFound(found *discover.Found) error {
	hint := "mcpconform run with the same server judges the protocol"
	if len(found.Left) > 0 {
		var all []string
		for _, l := range found.Left {
			all = append(all, l.Tool)
		}
		hint = fmt.Sprintf("%s may do so all the same: %s (%s); the README has a target file to begin with", some(all), found.Left[0].Tool, found.Left[0].Because)
	}
	return &exitError{code: reports.ExitIncomplete, cause: fmt.Errorf("none of %s seems to take several items; nothing was written", times(found.Tools, "tool")), hint: hint}
}

func operationsOf(found *discover.Found) string {
	var all []string
	for _, o := range found.Operations {
		all = append(all, o.Name)
	}
	return strings.Join(all, ", ")
}

// server is what the file says of where the server is. A secret that was typed
// stands in no file.
func (f initFlags) server(reach reached, command []string) discover.Server {
	s := discover.Server{Name: reach.file.Name, Protocol: f.target.protocol, Command: command, File: f.file}
	if name := packageOf(command); name != "" {
		s.Name = name
	}
	if f.target.url != "" {
		s.URL, s.Local = f.target.url, target.Loopback(reach.file.Host())
		at, err := url.Parse(f.target.url)
		if names, _ := conform.QuerySecrets(f.target.url); err != nil || at.User != nil || len(names) > 0 {
			s.URL, s.Unsaid = "", "the URL was typed with a secret in it, which is not written down: give --url again, or write `server: {url: …}` with ${NAME} in the secret's place"
		}
	}
	s.TLS, s.Insecure = f.trusted(), f.target.tls.Insecure
	s.Auth = f.auth(reach.file.Server.Auth)
	for _, word := range f.target.headers {
		name, value, _ := strings.Cut(word, ":")
		h := discover.Header{Name: strings.TrimSpace(name)}
		if strings.Contains(value, "${") {
			h.Template = strings.TrimSpace(value)
		}
		s.Headers = append(s.Headers, h)
	}
	if f.target.tokenEnv != "" {
		s.Headers = append(s.Headers, discover.Header{Name: "Authorization", Template: "Bearer ${" + f.target.tokenEnv + "}"})
	}
	return s
}

// trusted is what the file says of TLS; paths are written from the file's folder.
func (f initFlags) trusted() (keys [][2]string) {
	t := f.target.tls
	for _, pair := range [][2]string{{"ca_file", t.CAFile}, {"cert_file", t.CertFile}, {"key_file", t.KeyFile}} {
		if pair[1] == "" {
			continue
		}
		keys = append(keys, [2]string{pair[0], f.beside(pair[1])})
	}
	return keys
}

// beside gives a path as it is written from the file's folder.
func (f initFlags) beside(path string) string {
	at, err := filepath.Abs(path)
	home, wrong := filepath.Abs(filepath.Dir(f.file)) // of stdout: where we are
	if inside, far := filepath.Rel(home, at); err == nil && wrong == nil && far == nil {
		at = inside
	}
	return filepath.ToSlash(at)
}

// auth is what the file says of how a token is got; no secret is in it.
func (f initFlags) auth(c credentials.Config) string {
	listed := func(words []string) string {
		all := make([]string, len(words))
		for i, word := range words {
			all[i] = discover.Word(word)
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	switch {
	case c.File != "":
		return "{bearer_file: " + discover.Word(f.beside(c.File)) + "}"
	case c.Command != nil:
		return "{token_command: " + listed(c.Command.Words) + "}"
	case c.Login != nil:
		return "{login: true}"
	case c.Client == nil:
		return ""
	}
	keys := "client_id: " + discover.Word(c.Client.ID) + ", client_secret_env: " + c.Client.SecretName
	if c.Client.Issuer != "" {
		keys += ", issuer: " + discover.Word(c.Client.Issuer)
	}
	if len(c.Client.Scopes) > 0 {
		keys += ", scopes: " + listed(c.Client.Scopes)
	}
	return "{client_credentials: {" + keys + "}}"
}

// launchers start what is named after them.
var launchers = []string{"npx", "bunx", "uvx", "pipx", "node", "python", "python3"}

// packageOf gives the name of what a launcher starts, without scope, folder, version
// and ending; empty where a command is called after itself.
func packageOf(command []string) string {
	if len(command) < 2 || !slices.Contains(launchers, strings.TrimSuffix(filepath.Base(command[0]), ".exe")) {
		return ""
	}
	for _, word := range command[1:] {
		if strings.HasPrefix(word, "-") || word == "run" {
			continue
		}
		name := filepath.Base(word)
		if at := strings.Index(name, "@"); at > 0 {
			name = name[:at]
		}
		for _, ending := range []string{".js", ".mjs", ".cjs", ".py"} {
			name = strings.TrimSuffix(name, ending)
		}
		return name
	}
	return ""
}

// guess gives a target without a file those operations that only read, by the
// server's word, as far as nothing is missing of them.
func guess(ctx context.Context, reach *reached, opts runner.Options, w world) error {
	if reach.builtin || reach.file.Path != "" {
		return usage(errors.New("--call-read-only goes with --url or -- CMD alone"), "a target file says by itself what may be called")
	}
	found, err := runner.Look(ctx, reach.file, opts, true)
	if err != nil {
		return planError(ctx, err, *reach)
	}
	found.OnlyRead()
	if len(found.Operations) == 0 {
		fmt.Fprintln(w.err, "--call-read-only: no operation that only reads, by the server's word, has example items; none is played")
		return nil
	}
	read, err := target.Parse("", found.YAML(discover.Server{URL: "http://127.0.0.1/mcp"}), func(string) (string, bool) { return "", false })
	if err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("what was guessed cannot be read back: %w", err)}
	}
	reach.file.Operations, reach.file.Guessed = read.Operations, true
	return nil
}
