package target

import (
	"fmt"
	"net"
	"regexp"
	"strconv"
	"time"
)

// Start says how a server at a URL is started for a run, and ended after it.
type Start struct {
	Command []string // program and arguments, no shell
	Dir     string   // working directory; empty: our own
	Env     []string // NAME=value, added to our own environment
	// ReadyPort: it is ready when it takes connections. ReadyLog: when it writes a
	// line that matches. Else when it answers at its URL.
	ReadyPort bool
	ReadyLog  *regexp.Regexp
	Timeout   time.Duration // for getting ready
}

// Port is the variable that, under a `server` with `start`, is a port that was
// free when the file was read. Elsewhere it is the environment's.
const Port = "PORT"

// DefaultStart is how long a server may take to get ready where a file says
// nothing.
const DefaultStart = time.Minute

func (r *reader) start(f *File, n *node) {
	s := &Start{Timeout: DefaultStart}
	f.Server.Start = s
	r.object("start", n, fields{
		"command": func(name string, n *node) { s.Command = r.command(n) },
		"dir":     func(name string, n *node) { s.Dir = r.word(name, n) },
		"env": func(name string, n *node) {
			kept := f.Server.Env
			f.Server.Env = nil
			r.env(&f.Server, n)
			s.Env, f.Server.Env = f.Server.Env, kept
		},
		"ready":   func(name string, n *node) { r.ready(s, n) },
		"timeout": func(name string, n *node) { s.Timeout = r.wait(name, n) },
	}, nil)
	r.need(n, "start", "command", "say what starts the server")
}

func (r *reader) ready(s *Start, n *node) {
	if n.kind == mapping {
		r.object("ready", n, fields{
			"log": func(name string, n *node) {
				before := len(r.errs)
				if text := r.pattern(name, n); len(r.errs) == before {
					s.ReadyLog = regexp.MustCompile(text) // pattern saw that it reads
				}
			},
		}, nil)
		r.need(n, "ready", "log", "give the regular expression of the line that says so")
		return
	}
	s.ReadyPort = r.oneOf("ready", n, "url", "port") == "port"
}

// command reads a program and its arguments.
func (r *reader) command(n *node) []string {
	if n.kind != list || len(n.items) == 0 {
		r.fail(n, fmt.Sprintf("`command` is %s, and must be a list of the program and its arguments", n.is()), `write [npx, -y, "@acme/mcp"]; no shell reads it`)
		return nil
	}
	return r.commandWords(n)
}

// commandWords reads a command line, and keeps in mind which variables every user
// of the machine will be able to read in it.
func (r *reader) commandWords(n *node) []string {
	words := r.words("command", n)
	for _, s := range r.used {
		r.shown = append(r.shown, shownVariable{s.Name, n})
	}
	return words
}

// shownVariable is a variable that stands in a command line.
type shownVariable struct {
	name string
	at   *node
}

// hidden refuses secrets in command lines: redacting cannot reach a process list.
func (r *reader) hidden(f *File) {
	for _, s := range f.secrets {
		for _, shown := range r.shown {
			if shown.name == s.Name {
				r.fail(shown.at, fmt.Sprintf("`command` holds ${%s}, which `secrets` names: every user of this machine can read it in the process list", s.Name),
					fmt.Sprintf("hand it over in the environment; a server's command has `env: {%s: \"${%s}\"}`", s.Name, s.Name))
			}
		}
	}
}

// freePort gives the port that ${PORT} stands for.
func (r *reader) freePort(n *node) string {
	if r.port != "" {
		return r.port
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.fail(n, fmt.Sprintf("no free port was found for ${PORT}: %v", err), "write a port")
		return ""
	}
	r.port = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	_ = listener.Close() // the server takes it over
	return r.port
}
