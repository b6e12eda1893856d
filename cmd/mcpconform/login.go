package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// loginFlags are what login and logout take.
type loginFlags struct {
	file, env, url string
	tls            wire.Trust

	client, secretEnv, document, issuer string
	scopes                              []string
	port                                int
	device, noBrowser                   bool
	timeout                             time.Duration
	all                                 bool
}

func (f *loginFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "target", "", "the target `FILE`: which server, and how one logs in there")
	flags.StringVar(&f.env, "env", "", "one of the target file's environments, by `NAME`")
	flags.StringVar(&f.url, "url", "", "the server's `URL`; beside --target it replaces the file's server")
	flags.StringVar(&f.tls.CAFile, "ca-file", "", "believe the CA certificates in this PEM `FILE`: of the server in the place of the system's, of its authorization server beside them")
	flags.StringVar(&f.tls.CertFile, "cert", "", "the client certificate to show to the server, a PEM `FILE`; with --key")
	flags.StringVar(&f.tls.KeyFile, "key", "", "the key of the client certificate, a PEM `FILE`; with --cert")
}

func newLogin(w world) *cobra.Command {
	var f loginFlags
	cmd := &cobra.Command{
		Use:   "login --url URL | --target FILE",
		Short: "Log in to a server, for runs that follow",
		Long: `login asks the server who gives tokens for it, and has you log in there, in a
browser on this machine, or with --device in any other. The tokens are kept in
your folder of configurations, in a file that only you may read. run, load,
plan, init and cleanup use them for the same URL, and renew them.

The client is one that you name, or one that a document describes, or it is
registered, where the authorization server does that.

Exit status: 0 logged in; 2 a wrong word; 4 there is no way to log in, or it was
refused.`,
		Example: `  mcpconform login --url https://accounts.staging.acme.example/mcp
  mcpconform login --target accounts.yaml --device
  mcpconform login --url https://accounts.staging.acme.example/mcp --client-id tester --scope accounts.read`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return login(cmd, f, w) },
	}
	f.declare(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.client, "client-id", "", "the client's `ID`, where it is registered already")
	flags.StringVar(&f.secretEnv, "client-secret-env", "", "the client's secret, if it has one, is in the environment variable `NAME`")
	flags.StringVar(&f.document, "client-id-document", "", "the `URL` of a client ID metadata document")
	flags.StringVar(&f.issuer, "issuer", "", "the `URL` of the authorization server (default: the one that the server names)")
	flags.StringSliceVar(&f.scopes, "scope", nil, "ask for this `SCOPE` (repeatable; default: what the server asks for)")
	flags.IntVar(&f.port, "redirect-port", 0, "wait for the browser on this `PORT` (default: any that is free)")
	flags.BoolVar(&f.device, "device", false, "log in by a code that you type in elsewhere")
	flags.BoolVar(&f.noBrowser, "no-browser", false, "only print the address; open no browser")
	flags.DurationVar(&f.timeout, "timeout", credentials.LoginTime, "how long to wait for you")
	return cmd
}

func newLogout(w world) *cobra.Command {
	var f loginFlags
	cmd := &cobra.Command{
		Use:   "logout --url URL | --target FILE | --all",
		Short: "Forget a login, and have its tokens revoked",
		Long: `logout deletes what login kept for a server, and asks the authorization server to
revoke it, where that is offered.

Exit status: 0 forgotten, or there was no login; 2 a wrong word.`,
		Example: `  mcpconform logout --url https://accounts.staging.acme.example/mcp
  mcpconform logout --all`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return logout(cmd, f, w) },
	}
	f.declare(cmd)
	cmd.Flags().BoolVar(&f.all, "all", false, "forget all logins")
	return cmd
}

// server is the server that the flags name, and how one logs in there.
func (f *loginFlags) server(w world) (credentials.Server, credentials.Login, error) {
	var login credentials.Login
	var file *target.File
	var err error
	switch {
	case f.file == "" && f.url == "":
		return credentials.Server{}, login, usage(errors.New("no server was named"), "name it with --url URL or --target FILE")
	case f.file == "" && f.env != "":
		return credentials.Server{}, login, usage(errors.New("--env is given without --target"), "environments stand in a target file: name it with --target FILE")
	case f.file == "":
		file, err = target.FromURL(f.url, nil)
	default:
		if file, err = target.LoadIn(f.file, f.env, w.getenv); err == nil && f.url != "" {
			var other target.Server
			if other, err = target.ServerAt(f.url, nil); err == nil {
				file = file.WithServer(other)
			}
		}
	}
	if err == nil && file.Server.URL == "" {
		err = errors.New("the server is started by a command: there is nobody to log in to")
	}
	if err == nil {
		file, err = file.WithTLS(f.tls)
	}
	if err != nil {
		return credentials.Server{}, login, usage(err, "")
	}
	if file.Server.Auth.Login != nil {
		login = *file.Server.Auth.Login
	}
	return credentials.Server{URL: file.Server.URL, Trust: file.Server.TLS}, login, nil
}

// over puts what flags say of the client in the place of the file's.
func (f *loginFlags) over(login *credentials.Login, w world) error {
	if f.client != "" && f.document != "" {
		return usage(errors.New("--client-id and --client-id-document are given"), "keep one of them")
	}
	if f.client != "" || f.document != "" {
		login.ID, login.Secret, login.DocumentURL = f.client, "", f.document
	}
	if f.document != "" && !strings.HasPrefix(f.document, "https://") {
		return usage(fmt.Errorf("--client-id-document %q does not begin with https://", f.document), "it is the URL of the document")
	}
	if f.secretEnv != "" {
		secret, _ := w.getenv(f.secretEnv)
		if login.Secret = strings.TrimSpace(secret); login.Secret == "" {
			return usage(fmt.Errorf("--client-secret-env %s: the environment variable is not set", f.secretEnv), "export it first")
		}
		if login.SecretName = f.secretEnv; login.ID == "" {
			return usage(errors.New("--client-secret-env is given without --client-id"), "name the client")
		}
	}
	if f.issuer != "" {
		login.Issuer = f.issuer
	}
	if len(f.scopes) > 0 {
		login.Scopes = f.scopes
	}
	if f.port != 0 {
		login.Port = f.port
	}
	if login.Port < 0 || login.Port > 1<<16-1 {
		return usage(fmt.Errorf("--redirect-port %d is no port", f.port), "write a number from 1 to 65535")
	}
	if f.timeout <= 0 {
		return usage(fmt.Errorf("--timeout %s is not above 0", f.timeout), "write it like 30s or 5m")
	}
	return nil
}

func login(cmd *cobra.Command, f loginFlags, w world) error {
	at, how, err := f.server(w)
	if err != nil {
		return err
	}
	if err := f.over(&how, w); err != nil {
		return err
	}
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	made, err := credentials.LogIn(ctx, credentials.Asking{
		Login: how, Server: at, Device: f.device,
		Browser: func(address string) {
			fmt.Fprintf(w.err, "Open this address in a browser on this machine, and log in:\n%s\n", reports.Safe(address))
			if !f.noBrowser && onTerminal(w) {
				browse(address)
			}
		},
		Code: func(address, code string) {
			fmt.Fprintf(w.err, "Open %s in any browser, and type in the code %s\n", reports.Safe(address), reports.Safe(code))
		},
	})
	var by signalled
	switch {
	case errors.As(context.Cause(ctx), &by):
		return &exitError{code: by.code(), cause: errors.New("interrupted")}
	case err != nil:
		return &exitError{code: reports.ExitUnreachable, cause: fmt.Errorf("logging in: %w", err)}
	}
	until := ""
	if !made.Until.IsZero() {
		until = ", until " + made.Until.Format(time.DateTime)
	}
	if made.RefreshToken != "" {
		until += "; it is renewed by itself"
	}
	fmt.Fprintf(w.out, "logged in to %s by %s%s\n", reports.Safe(made.Server), reports.Safe(made.Issuer), until)
	return nil
}

func logout(cmd *cobra.Command, f loginFlags, w world) error {
	var servers []credentials.Server
	if f.all {
		if f.url != "" || f.file != "" {
			return usage(errors.New("--all is given with a server"), "leave one out")
		}
		store, err := credentials.OpenStore()
		if err != nil {
			return usage(err, "")
		}
		urls, err := store.All()
		if err != nil {
			return usage(err, "")
		}
		for _, url := range urls {
			servers = append(servers, credentials.Server{URL: url, Trust: f.tls})
		}
	} else {
		at, _, err := f.server(w)
		if err != nil {
			return err
		}
		servers = append(servers, at)
	}
	if len(servers) == 0 {
		fmt.Fprintln(w.out, "there are no logins")
	}
	for _, at := range servers {
		found, told, err := credentials.LogOut(cmd.Context(), at)
		if err != nil {
			return usage(err, "")
		}
		shown := reports.Safe((&target.File{Server: target.Server{URL: at.URL}}).Host())
		if !found {
			fmt.Fprintf(w.out, "there was no login for that URL on %s\n", shown)
			continue
		}
		fmt.Fprintf(w.out, "the login for %s is forgotten\n", shown)
		if told != "" {
			fmt.Fprintf(w.err, "note: %s\n", reports.Shown(told))
		}
	}
	return nil
}

// onTerminal tells whether a person looks at what is written.
func onTerminal(w world) bool {
	file, ok := w.err.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// browse has the system open a browser, and does not wait for it: where there is none, the
// address was printed.
func browse(address string) {
	words := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if words == nil {
		words = []string{"xdg-open"}
	}
	c := exec.Command(words[0], append(words[1:], address)...)
	if c.Start() == nil {
		go func() { _ = c.Wait() }() // its end is nobody's matter
	}
}
