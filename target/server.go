package target

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
)

func (r *reader) server(f *File, n *node) {
	s := &f.Server
	r.here, r.starts = true, n.get("start") != nil
	defer func() { r.here = false }()
	var transport *node
	r.object("server", n, fields{
		"url": func(name string, n *node) {
			before := len(r.errs)
			s.URL = r.word(name, n)
			if wrong, mend := badURL(s.URL); wrong != "" && len(r.errs) == before {
				r.fail(n, "`url` "+wrong, mend)
			}
		},
		"command": func(name string, n *node) {
			s.Command = r.command(n)
		},
		"dir":       func(name string, n *node) { s.Dir = r.word(name, n) },
		"env":       func(name string, n *node) { r.env(s, n) },
		"headers":   func(name string, n *node) { r.headers(s, n) },
		"tls":       func(name string, n *node) { r.trust(s, n) },
		"auth":      func(name string, n *node) { r.auth(s, n) },
		"start":     func(name string, n *node) { r.start(f, n) },
		"copy":      func(name string, n *node) { r.copies(f, n) },
		"transport": func(name string, n *node) { transport = n; r.transport(s, n) },
		"protocol": func(name string, n *node) {
			s.Protocol = r.oneOf(name, n, Protocols...)
		},
	}, nil)
	s.runDir = r.usesRunDir || len(s.Copy) > 0
	if n.kind != mapping {
		return
	}
	address, command := n.get("url"), n.get("command")
	switch {
	case address == nil && command == nil:
		r.fail(n, "`server` has neither `url` nor `command`", "say one: where the server is, or what starts it")
		return
	case address != nil && command != nil:
		r.fail(command, "`server` has a `url` and a `command`", "keep one of them")
		return
	}
	fits := StreamableHTTP
	if command != nil {
		fits = Stdio
	}
	if at := n.get("tls"); at != nil && command == nil && s.URL != "" {
		if wrong := s.withoutTLS(); wrong != "" {
			r.fail(at, "`tls` has no meaning here: "+wrong, "leave it out, or write https://")
		}
	}
	if s.Transport == "" {
		s.Transport = fits
	} else if s.Transport != fits {
		r.fail(transport, fmt.Sprintf("`transport: %s` does not go with `%s`", s.Transport, map[Transport]string{StreamableHTTP: "url", Stdio: "command"}[fits]),
			fmt.Sprintf("write %s, or leave it out", fits))
	}
	if at := n.get("auth"); at != nil && conform.Field(s.Headers, "Authorization") != "" {
		r.fail(at, "`auth` and a header Authorization", "keep one of them")
	}
	for key, only := range map[string]*node{"headers": command, "auth": command, "dir": address, "env": address, "start": command, "tls": command} {
		if at := n.get(key); at != nil && only != nil {
			r.fail(at, fmt.Sprintf("`%s` has no meaning for this sort of server", key), map[string]string{
				"headers": "give `env` to a command", "auth": "give `env` to a command", "dir": "it goes with `command`", "env": "it goes with `command`", "start": "a `command` is started by itself", "tls": "it goes with `url`",
			}[key])
		}
	}
}

func (r *reader) transport(s *Server, n *node) {
	switch word := r.oneOf("transport", n, "streamable-http", "stdio", "sse", "rest"); word {
	case "sse", "rest":
		r.fail(n, fmt.Sprintf("`transport: %s` is not served by this version yet (streamable-http and stdio are)", word), "remove it if the server speaks one of those too")
	default:
		s.Transport = Transport(word)
	}
}

func (r *reader) env(s *Server, n *node) {
	if n.kind != mapping {
		r.fail(n, fmt.Sprintf("`env` is %s, and must be a mapping", n.is()), "write {NAME: value}")
		return
	}
	for _, e := range n.entries {
		if !isVariable(e.key) {
			r.failAt(e.file, e.line, e.column, fmt.Sprintf("`%s` is no name of a variable", printable(e.key)), "use letters, digits and _")
			continue
		}
		value := e.value.orAt(e)
		text := ""
		if value.kind != quoted || value.text != "" { // "" sets a variable to nothing, on purpose
			text = r.text(e.key, value)
		}
		s.used = append(s.used, r.used...)
		s.Env = append(s.Env, e.key+"="+text)
	}
}

func (r *reader) headers(s *Server, n *node) {
	if n.kind != mapping {
		r.fail(n, fmt.Sprintf("`headers` is %s, and must be a mapping", n.is()), `write {Authorization: "Bearer ${TOKEN}"}`)
		return
	}
	for _, e := range n.entries {
		h := conform.HeaderField{Name: e.key, Value: r.text(e.key, e.value.orAt(e))}
		s.used = append(s.used, r.used...)
		if wrong := validHeader(h); wrong != "" {
			r.failAt(e.file, e.line, e.column, wrong, "write one header as Name: value")
			continue
		}
		s.Headers = append(s.Headers, h)
	}
}

// orAt gives a value without bytes the place of its key.
func (n *node) orAt(e entry) *node {
	if n.kind != nothing {
		return n
	}
	return &node{file: e.file, line: e.line, column: e.column}
}

// copies reads server.copy: files beside the target file that are put into
// ${RUN_DIR} before the server starts.
func (r *reader) copies(f *File, n *node) {
	if n.kind != list {
		r.fail(n, fmt.Sprintf("`copy` is %s, and must be a list", n.is()), "write [{from: seed.jsonl, to: memory.jsonl}]")
		return
	}
	for _, item := range n.items {
		c := Copy{Count: 1}
		counted := false
		r.object("copy", item, fields{
			"from": func(name string, n *node) {
				c.From = path.Clean(r.word(name, n))
				if !fs.ValidPath(c.From) || c.From == "." {
					r.fail(n, fmt.Sprintf("`from` is %s, and must be a file in the target file's folder", shown(n)), "write its path from there, with /")
				} else if f.folder != nil {
					if about, err := fs.Stat(f.folder, c.From); err != nil || !about.Mode().IsRegular() {
						r.fail(n, fmt.Sprintf("there is no file %s in the target file's folder", printable(c.From)), "write its path from there")
					}
				}
			},
			"to": func(name string, n *node) {
				c.To = r.word(name, n)
				if !filepath.IsLocal(filepath.FromSlash(c.To)) || c.To == "." {
					r.fail(n, fmt.Sprintf("`to` is %s, and must be a path inside ${RUN_DIR}", shown(n)), "write it without ${RUN_DIR}, .. and a leading /")
				}
			},
			"count": func(name string, n *node) { c.Count, counted = r.whole(name, n, 1, MaxCopies), true },
		}, nil)
		r.need(item, "copy", "from", "name the file to copy")
		r.need(item, "copy", "to", "say its path inside ${RUN_DIR}")
		c.each = counted
		f.Server.Copy = append(f.Server.Copy, c)
	}
}

// trust reads server.tls. Its files are read here, so that a mistake is told with its
// line.
func (r *reader) trust(s *Server, n *node) {
	before := len(r.errs)
	file := func(into *string) func(string, *node) {
		return func(name string, n *node) {
			*into = r.beside(r.word(name, n))
			if about, err := os.Stat(*into); *into != "" && (err != nil || !about.Mode().IsRegular()) {
				r.fail(n, fmt.Sprintf("`%s`: there is no file %s", name, shown(n)), "write its path from the target file's folder")
			}
		}
	}
	t := &s.TLS
	r.object("tls", n, fields{
		"ca_file":     file(&t.CAFile),
		"cert_file":   file(&t.CertFile),
		"key_file":    file(&t.KeyFile),
		"server_name": func(name string, n *node) { t.ServerName = r.word(name, n) },
		"insecure":    func(name string, n *node) { t.Insecure = r.yes(name, n) },
	}, nil)
	if len(r.errs) > before {
		return
	}
	if _, err := t.Config(); err != nil {
		r.fail(n, "`tls` cannot be used: "+printable(err.Error()), "a path is written from the target file's folder")
	}
}

// beside gives a path that is written from the target file's folder.
func (r *reader) beside(path string) string {
	if path == "" || r.folder == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.folder, path)
}

// badURL says what is wrong with a server's address.
func badURL(text string) (wrong, mend string) {
	const begin = "begin with http:// or https://, like http://127.0.0.1:8080/mcp"
	if address.IsSocket(text) {
		if _, err := address.Parse(text); err != nil {
			return "is no unix socket: " + err.Error(), "write it like unix:/run/mcp.sock:/mcp"
		}
		return "", ""
	}
	if !strings.Contains(text, "://") {
		if strings.Contains(text, "@") { // which may follow a password
			return "has no scheme http or https", begin
		}
		return fmt.Sprintf("%q has no scheme http or https", printable(text)), begin
	}
	at, err := url.Parse(text)
	switch {
	case err != nil:
		return "cannot be read", "write it like https://host.example/mcp"
	case at.Scheme != "http" && at.Scheme != "https":
		return fmt.Sprintf("%q has no scheme http or https", printable(at.Redacted())), "write it like https://host.example/mcp"
	case at.Hostname() == "":
		return fmt.Sprintf("%q names no host", printable(at.Redacted())), "write it like https://host.example/mcp"
	case at.Fragment != "":
		return "has a fragment (#), which is never sent", "leave it out"
	}
	return "", ""
}
