package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// targetFlags say which server is meant.
type targetFlags struct {
	file      string
	env       string // an environment of the file
	url       string
	headers   []string
	tokenEnv  string
	auth      authFlags
	protocol  string
	transport string
	timeout   time.Duration
	tls       wire.Trust
	allow     []string
	apart     bool // the built-in backend runs in a process of its own
}

func (f *targetFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "target", "", "the target `FILE`: which server, and what may be done on it (builtin:NAME reads one that is built in)")
	flags.StringVar(&f.env, "env", "", "one of the target file's environments, by `NAME`")
	flags.StringVar(&f.url, "url", "", "the server's `URL`; beside --target it replaces the file's server")
	flags.StringArrayVar(&f.allow, "allow-write", nil, "allow writes on this `HOST`, besides those that the target file consents to (repeatable)")
	f.declareWays(cmd)
}

// declareWays declares how the server is spoken to.
func (f *targetFlags) declareWays(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.headers, "header", nil, "a header for every request, `'K: V'`; ${NAME} in it reads the environment (repeatable)")
	flags.StringVar(&f.tokenEnv, "token-env", "", "send the environment variable `NAME` as a bearer token")
	f.auth.declare(cmd)
	flags.StringVar(&f.protocol, "protocol", "", "pin the protocol `REVISION` (default: the newest that both speak)")
	flags.StringVar(&f.transport, "transport", "", "streamable-http or stdio (default: by --url or -- CMD)")
	flags.StringVar(&f.tls.CAFile, "ca-file", "", "believe the CA certificates in this PEM `FILE`, in the place of the system's")
	flags.StringVar(&f.tls.CertFile, "cert", "", "the client certificate to show, a PEM `FILE`; with --key")
	flags.StringVar(&f.tls.KeyFile, "key", "", "the key of the client certificate, a PEM `FILE`; with --cert")
	flags.BoolVar(&f.tls.Insecure, "insecure", false, "believe any certificate: whoever stands between can read and change everything")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long one call may take (default 30s, or the target file's)")
}

// reached is a target ready to be run against.
type reached struct {
	file          *target.File
	selector      string
	builtin       bool
	secrets       []runner.Secret
	secretHeaders []string
	literal       []string // secrets that were typed into the command line
	close         func()
}

// hint says what to try after exit 4, where the cause does not say it itself.
func (r reached) hint(class conform.EndClass, cause string) string {
	switch {
	case strings.Contains(cause, "TLS"), strings.Contains(cause, " certificate"), strings.Contains(cause, "the proxy "):
		return ""
	case class == conform.EndUnauthorized:
		if r.file != nil && !r.file.Server.Auth.IsZero() {
			return "" // the cause says it
		}
		return "the server refused the credentials: give some with --header 'Authorization: Bearer ${TOKEN}', --token-env TOKEN or `mcpconform login`"
	case r.file != nil && len(r.file.Server.Command) > 0:
		return "start the command by hand to see what it says; `timeouts: {start: 3m}` in the target file waits longer"
	}
	return "is the server running, and is the path of the URL right (often /mcp)?"
}

// reach finds the target that the flags and words name. Without any it starts
// the built-in fake backend.
func (f *targetFlags) reach(cmd *cobra.Command, args []string, w world, strict bool) (reached, error) {
	command, err := commandAfterDash(cmd, args)
	if err != nil {
		return reached{close: func() {}}, err
	}
	return f.reachBy(cmd, command, w, strict)
}

// reachBy is reach where the words after -- are known to be the command.
func (f *targetFlags) reachBy(cmd *cobra.Command, command []string, w world, strict bool) (reached, error) {
	none := reached{close: func() {}}
	if cmd.ArgsLenAtDash() >= 0 && len(command) == 0 {
		return none, usage(errors.New("no command stands after --"), "for example: mcpconform "+cmd.Name()+" … -- node dist/server.js")
	}
	for _, name := range []string{"target", "url", "env"} {
		if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed && flag.Value.String() == "" {
			return none, usage(fmt.Errorf("--%s is empty", name), "is the variable behind it set?")
		}
	}
	if f.url != "" && len(command) > 0 {
		return none, usage(errors.New("--url and -- CMD name two servers"), "leave one out")
	}
	if f.env != "" && f.file == "" {
		return none, usage(fmt.Errorf("--env %s is given without --target", reports.Shown(f.env)), "environments stand in a target file: name it with --target FILE")
	}
	if f.file == "" && f.url == "" && len(command) == 0 {
		return f.demonstration(strict)
	}
	headers, literal, secrets, err := f.fields(w)
	if err != nil {
		return none, err
	}
	file, err := f.load(w, command)
	if err != nil {
		hint := ""
		if _, missing := os.Stat(f.file); errors.Is(err, fs.ErrNotExist) && errors.Is(missing, fs.ErrNotExist) {
			hint = "--target takes a path from the folder where you are, or builtin:NAME; the README has a target file to begin with"
		}
		return none, usage(err, hint)
	}
	if err := file.Reachable(); err != nil {
		return none, usage(err, "")
	}
	if file, err = file.WithHeaders(headers); err != nil {
		return none, usage(err, "")
	}
	if file, err = f.withAuth(file, w); err != nil {
		return none, err
	}
	if file, err = file.WithTLS(f.tls); err != nil {
		return none, usage(fmt.Errorf("--ca-file, --cert, --key, --insecure: %w", err), "")
	}
	if file.Server.TLS.Insecure {
		fmt.Fprintf(w.err, "WARNING: INSECURE: nobody looks at the certificate of %s: whoever stands between can read and change everything, credentials too\n", reports.Safe(file.Host()))
	}
	if err := f.override(file); err != nil {
		return none, err
	}
	if file, err = file.AllowWrite(f.allow...); err != nil {
		return none, usage(fmt.Errorf("--allow-write %w", err), "for example --allow-write accounts.staging.acme.example")
	}
	r := reached{file: file, selector: f.selector(command), literal: literal, secrets: secrets, close: func() {}}
	for _, h := range headers {
		r.secretHeaders = append(r.secretHeaders, h.Name)
	}
	for _, h := range file.Server.Headers {
		r.secretHeaders = append(r.secretHeaders, h.Name)
	}
	for _, s := range file.Secrets() {
		r.secrets = append(r.secrets, runner.Secret(s))
	}
	if at, err := url.Parse(f.url); err == nil && at.User != nil {
		fmt.Fprintln(w.err, "warning: --url was typed with a user or password, which every user of this machine can read in the process list; write it in the target file, with ${NAME}, or use --token-env")
	}
	if names, _ := conform.QuerySecrets(f.url); len(names) > 0 {
		fmt.Fprintf(w.err, "warning: --url was typed with a value for %s, which every user of this machine can read in the process list; write the URL in the target file, with ${NAME}, or send the secret as a header: --header 'K: ${NAME}' or --token-env\n", reports.Safe(strings.Join(names, ", ")))
	}
	for _, name := range literal {
		fmt.Fprintf(w.err, "warning: the header %s was typed with its value, which every user of this machine can read in the process list; write --header '%s: ${NAME}' or use --token-env\n", name, name)
	}
	return r, nil
}

// commandAfterDash gives the words after --; words before it are a mistake.
func commandAfterDash(cmd *cobra.Command, args []string) ([]string, error) {
	dash := cmd.ArgsLenAtDash()
	if dash < 0 {
		dash = len(args)
	}
	if dash > 0 {
		return nil, usage(fmt.Errorf("%s does not take the word %q", cmd.CommandPath(), args[0]),
			"a target file is given with --target FILE, a server with --url URL, a command after --")
	}
	return args[dash:], nil
}

func (f *targetFlags) load(w world, command []string) (*target.File, error) {
	headers := []conform.HeaderField(nil)
	if f.file == "" {
		if f.url != "" {
			file, err := target.FromURL(f.url, headers)
			return file, ofFlag(err)
		}
		return target.FromCommand(command)
	}
	file, err := target.LoadIn(f.file, f.env, w.getenv)
	if err != nil {
		return nil, err
	}
	switch {
	case f.url != "":
		server, err := target.ServerAt(f.url, nil)
		if err != nil {
			return nil, ofFlag(err)
		}
		return file.WithServer(server), nil
	case len(command) > 0:
		server, err := target.ServerOf(command)
		if err != nil {
			return nil, err
		}
		return file.WithServer(server), nil
	}
	return file, nil
}

// ofFlag says that an error is about --url.
func ofFlag(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--url: %w", err)
}

func (f *targetFlags) override(file *target.File) error {
	if f.protocol != "" {
		known := false
		for _, p := range target.Protocols {
			known = known || p == f.protocol
		}
		if !known {
			return usage(fmt.Errorf("--protocol %q is none of %s", f.protocol, strings.Join(target.Protocols, ", ")), "")
		}
		file.Server.Protocol = f.protocol
	}
	if f.transport != "" {
		if f.transport != string(file.Server.Transport) {
			return usage(fmt.Errorf("--transport %s does not fit the server, which is reached by %s", f.transport, file.Server.Transport),
				"streamable-http goes with --url, stdio with -- CMD")
		}
	}
	if f.timeout < 0 {
		return usage(fmt.Errorf("--timeout %s is negative", f.timeout), "")
	}
	if f.timeout > 0 {
		file.Timeouts.Call = f.timeout
	}
	return nil
}

// demonstration starts the built-in fake backend on a loopback port. Flags that
// speak of a server of one's own make no sense with it, and are most likely a
// forgotten target.
func (f *targetFlags) demonstration(strict bool) (reached, error) {
	none := reached{close: func() {}}
	for _, wrong := range []struct {
		given bool
		flag  string
	}{{strict, "--strict"}, {!f.tls.IsZero(), "--ca-file, --cert, --key or --insecure"}, {len(f.headers) > 0, "--header"}, {f.tokenEnv != "", "--token-env"}, {f.auth.given() != "", f.auth.given()}, {len(f.allow) > 0, "--allow-write"}} {
		if wrong.given {
			return none, usage(fmt.Errorf("%s is given without a target", wrong.flag),
				"name the server with --target FILE, --url URL or -- CMD; without one the built-in demonstration backend is run")
		}
	}
	at, start, stop, err := f.backend()
	if err != nil {
		return none, &exitError{code: exitInternal, cause: fmt.Errorf("starting the built-in backend: %w", err)}
	}
	file, err := builtin(at, start)
	if err == nil {
		file.Demonstration = true
		err = f.override(file)
	}
	if err != nil {
		stop()
		return none, err
	}
	return reached{file: file, builtin: true, close: stop, selector: strings.TrimSpace(f.selector(nil))}, nil
}
