package target

import (
	"fmt"
	"os"
	"strings"

	"github.com/mcpconform/mcpconform/internal/address"
	"github.com/mcpconform/mcpconform/internal/credentials"
)

// authWays are the keys of server.auth; one of them is given.
var authWays = []string{"bearer_env", "bearer_file", "token_command", "client_credentials", "login"}

// auth reads server.auth.
func (r *reader) auth(s *Server, n *node) {
	a := &s.Auth
	r.object("auth", n, fields{
		"bearer_env": func(name string, n *node) {
			a.BearerName, a.Bearer = r.secretIn(name, n)
			s.used = append(s.used, r.used...)
		},
		"bearer_file":        func(name string, n *node) { a.File = r.beside(r.word(name, n)); r.isThere(name, a.File, n) },
		"token_command":      func(name string, n *node) { a.Command = r.tokenCommand(n) },
		"client_credentials": func(name string, n *node) { a.Client = r.clientCredentials(s, n) },
		"login":              func(name string, n *node) { a.Login = r.login(s, n) },
	}, nil)
	if n.kind != mapping {
		return
	}
	var given []*node
	for _, way := range authWays {
		if at := n.get(way); at != nil {
			given = append(given, at)
		}
	}
	switch {
	case len(given) == 0:
		r.fail(n, "`auth` says no way to a token", "give one of "+strings.Join(authWays, ", "))
	case len(given) > 1:
		r.fail(given[1], "`auth` says two ways to a token", "keep one of them")
	}
}

// secretIn reads the name of an environment variable that holds a secret, and gives its
// value too. The name is not expanded: an error that quotes it would quote the secret.
func (r *reader) secretIn(key string, n *node) (name, value string) {
	r.used = nil
	if n.kind != plain && n.kind != quoted {
		return "", r.word(key, n) // which says what is wrong
	}
	if name = n.text; !isVariable(name) {
		// Not quoted: it may be the secret itself.
		r.fail(n, "no name of a variable of the environment", "write the name alone, without ${ and }: the value is read from the environment")
		return "", ""
	}
	before := len(r.errs)
	value = strings.TrimSpace(r.variable(n, name))
	r.used = []Secret{{Name: name, Value: value}}
	if value == "" && len(r.errs) == before {
		r.fail(n, fmt.Sprintf("the environment's %s is empty", name), fmt.Sprintf("set it: export %s=…", name))
	}
	return name, value
}

// isThere complains of a file that is not there.
func (r *reader) isThere(name, path string, n *node) {
	if about, err := os.Stat(path); path != "" && (err != nil || !about.Mode().IsRegular()) {
		r.fail(n, fmt.Sprintf("`%s`: there is no file %s", name, shown(n)), "write its path from the target file's folder")
	}
}

// tokenCommand reads a command that prints a token: a list, or a mapping that may have a
// time limit, or ask for the shell.
func (r *reader) tokenCommand(n *node) *credentials.Command {
	c := &credentials.Command{Timeout: credentials.DefaultCommandTime, Line: n.line, Column: n.column}
	words := func(n *node) {
		if n.kind != list {
			r.fail(n, fmt.Sprintf("`token_command` is %s, and must be a list of the program and its arguments", n.is()), "write [program, argument]; a line for the shell is token_command: {shell: …}")
			return
		}
		m := Means{}
		r.program(&m, n)
		c.Words = m.Command
	}
	if n.kind != mapping {
		words(n)
		return c
	}
	r.object("token_command", n, fields{
		"command": func(_ string, n *node) { words(n) },
		"shell":   func(name string, n *node) { c.Shell = r.word(name, n) },
		"timeout": func(name string, n *node) { c.Timeout = r.wait(name, n) },
	}, nil)
	if (n.get("command") == nil) == (n.get("shell") == nil) {
		r.fail(n, "`token_command` has neither `command` nor `shell`, or both", "give one of them")
	}
	return c
}

// party gives the keys of who asks for tokens, and of whom.
func (r *reader) party(s *Server, p *credentials.Party) fields {
	return fields{
		"client_id": func(name string, n *node) { p.ID = r.word(name, n) },
		"client_secret_env": func(name string, n *node) {
			p.SecretName, p.Secret = r.secretIn(name, n)
			s.used = append(s.used, r.used...)
		},
		"client_secret_file": func(name string, n *node) {
			path := r.beside(r.word(name, n))
			text, err := os.ReadFile(path)
			p.SecretName, p.Secret = "client secret", strings.TrimSpace(string(text))
			switch {
			case err != nil:
				r.isThere(name, path, n)
			case p.Secret == "":
				r.fail(n, fmt.Sprintf("the file %s holds no secret", shown(n)), "write the client's secret into it")
			}
			s.used = append(s.used, Secret{p.SecretName, p.Secret})
		},
		"client_secret_method": func(name string, n *node) { p.Method = r.oneOf(name, n, credentials.Methods...) },
		"scopes":               func(name string, n *node) { p.Scopes = r.words(name, n) },
		"issuer":               func(name string, n *node) { p.Issuer = r.secure(name, n) },
		"resource":             func(name string, n *node) { p.Resource = r.word(name, n) },
	}
}

// secure reads the URL of somebody who is told secrets.
func (r *reader) secure(name string, n *node) string {
	text := r.word(name, n)
	at, err := address.Parse(text)
	if text != "" && (err != nil || at.Socket != "" || at.URL.Scheme != "https" && !Loopback(at.URL.Host)) {
		r.fail(n, fmt.Sprintf("`%s` is %s, and must be a URL that begins with https://", name, shown(n)), "only on this machine may it begin with http://")
	}
	return text
}

func (r *reader) clientCredentials(s *Server, n *node) *credentials.Client {
	c := &credentials.Client{}
	keys := r.party(s, &c.Party)
	keys["token_url"] = func(name string, n *node) { c.TokenURL = r.secure(name, n) }
	r.object("client_credentials", n, keys, nil)
	r.need(n, "client_credentials", "client_id", "it stands in the registration of the client")
	r.oneSecret(n)
	if n.kind == mapping && n.get("client_secret_env") == nil && n.get("client_secret_file") == nil {
		r.fail(n, "`client_credentials` has no secret", "name it with `client_secret_env` or `client_secret_file`")
	}
	return c
}

func (r *reader) oneSecret(n *node) {
	if at := n.get("client_secret_file"); at != nil && n.get("client_secret_env") != nil {
		r.fail(at, "two places of the client's secret", "keep one of them")
	}
}

func (r *reader) login(s *Server, n *node) *credentials.Login {
	l := &credentials.Login{}
	if n.kind != mapping {
		if !r.yes("login", n) {
			r.fail(n, "`login` is false", "leave `auth` out, or write login: true")
		}
		return l
	}
	keys := r.party(s, &l.Party)
	keys["client_id_document"] = func(name string, n *node) {
		l.DocumentURL = r.word(name, n)
		if at, err := address.Parse(l.DocumentURL); l.DocumentURL != "" && (err != nil || at.Socket != "" || at.URL.Scheme != "https" || at.URL.Path == "") {
			r.fail(n, fmt.Sprintf("`%s` is %s, and must be a URL that begins with https:// and has a path", name, shown(n)), "it is where the client's metadata document is")
		}
	}
	keys["redirect_port"] = func(name string, n *node) { l.Port = r.whole(name, n, 1, 1<<16-1) }
	r.object("login", n, keys, nil)
	r.oneSecret(n)
	if at := n.get("client_id_document"); at != nil && n.get("client_id") != nil {
		r.fail(at, "`login` has a `client_id` and a `client_id_document`", "keep one of them")
	}
	return l
}
