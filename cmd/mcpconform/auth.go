package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// authFlags say how a token is got that is no variable of the environment.
type authFlags struct {
	file      string
	command   string
	client    string
	secretEnv string
	issuer    string
	scopes    []string
}

func (f *authFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "token-file", "", "send the token that is in this `FILE`; it is read again when the server refuses it")
	flags.StringVar(&f.command, "token-command", "", "send the token that this `COMMAND` prints; it is split at blanks, and no shell reads it")
	flags.StringVar(&f.client, "client-id", "", "get a token as this client, `ID`, by OAuth client credentials; with --client-secret-env")
	flags.StringVar(&f.secretEnv, "client-secret-env", "", "the secret of that client is in the environment variable `NAME`")
	flags.StringVar(&f.issuer, "issuer", "", "the `URL` of the authorization server (default: the one that the server names, where it is on the same host)")
	flags.StringSliceVar(&f.scopes, "scope", nil, "ask for this `SCOPE` (repeatable; default: what the server asks for)")
}

// words are the flags as they were given; none of them holds a secret.
func (f *authFlags) words() (words []string) {
	for _, flag := range []struct{ name, value string }{
		{"--token-file", f.file}, {"--token-command", f.command}, {"--client-id", f.client}, {"--client-secret-env", f.secretEnv}, {"--issuer", f.issuer}, {"--scope", strings.Join(f.scopes, ",")},
	} {
		if flag.value != "" {
			words = append(words, flag.name, conform.ShellWord(flag.value))
		}
	}
	return words
}

// given names the first of the flags that was given; empty: none was.
func (f *authFlags) given() string {
	if words := f.words(); len(words) > 0 {
		return words[0]
	}
	return ""
}

// shellOnly are characters that mean something to a shell alone.
const shellOnly = "|&;<>()$`\\\"'*?"

// config is what the flags say.
func (f *authFlags) config(w world) (c credentials.Config, err error) {
	ways := 0
	if f.file != "" {
		ways++
		c.File = f.file
		if about, err := os.Stat(f.file); err != nil || !about.Mode().IsRegular() {
			return c, usage(fmt.Errorf("--token-file: there is no file %s", f.file), "write its path from where you are")
		}
	}
	if f.command != "" {
		ways++
		if strings.ContainsAny(f.command, shellOnly) {
			return c, usage(errors.New("--token-command holds a character that only a shell understands, and no shell reads it"), "write `auth: {token_command: {shell: …}}` into a target file, or a script")
		}
		c.Command = &credentials.Command{Words: strings.Fields(f.command), Timeout: credentials.DefaultCommandTime}
		if len(c.Command.Words) == 0 {
			return c, usage(errors.New("--token-command is empty"), "is the variable behind it set?")
		}
	}
	if f.client != "" || f.secretEnv != "" {
		ways++
		secret, _ := w.getenv(f.secretEnv)
		switch {
		case f.client == "":
			return c, usage(errors.New("--client-secret-env is given without --client-id"), "name the client")
		case f.secretEnv == "":
			return c, usage(errors.New("--client-id is given without --client-secret-env"), "name the environment variable that holds its secret")
		case strings.TrimSpace(secret) == "":
			return c, usage(fmt.Errorf("--client-secret-env %s: the environment variable is not set", f.secretEnv), "export it first")
		}
		c.Client = &credentials.Client{Party: credentials.Party{ID: f.client, Secret: strings.TrimSpace(secret), SecretName: f.secretEnv, Issuer: f.issuer, Scopes: f.scopes}}
	}
	switch {
	case ways > 1:
		return c, usage(errors.New("several ways to a token are given"), "keep one of --token-file, --token-command and --client-id")
	case ways == 0 && f.given() != "":
		return c, usage(fmt.Errorf("%s is given without --client-id", f.given()), "name the client, or leave it out")
	}
	return c, nil
}

// withAuth puts the flags in the place of what a target file says. Without either, a login
// for the server is used where there is one.
func (f *targetFlags) withAuth(file *target.File, w world) (*target.File, error) {
	config, err := f.auth.config(w)
	if err != nil {
		return nil, err
	}
	held := conform.Field(file.Server.Headers, "Authorization") != ""
	switch {
	case !config.IsZero() && f.tokenEnv != "":
		return nil, usage(fmt.Errorf("--token-env and %s are given", f.auth.given()), "keep one of them")
	case !config.IsZero() && file.Server.URL == "":
		return nil, usage(fmt.Errorf("%s was given for a server that is started by a command", f.auth.given()), "give it its secrets in server.env")
	case !config.IsZero():
		return file.WithAuth(config), nil
	case f.tokenEnv != "" || held:
		return file.WithAuth(credentials.Config{}), nil
	case !file.Server.Auth.IsZero() || file.Server.URL == "" || file.UserInURL():
		return file, nil
	}
	kept, err := credentials.Kept(file.Server.URL)
	if err != nil {
		fmt.Fprintf(w.err, "warning: %s\n", reports.Shown(err.Error())) // nobody asked for it
	}
	if kept == nil {
		return file, nil
	}
	fmt.Fprintf(w.err, "with the login of %s for %s (mcpconform logout ends it)\n", kept.Made.Format("2006-01-02"), reports.Safe(kept.Server))
	return file.WithAuth(credentials.Config{Login: &credentials.Login{}}), nil
}
