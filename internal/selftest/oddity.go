package selftest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/fixtures/lawful"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/suites"
)

// oddity is a server that is unusual and right: the good server, with what goes
// in and out of it changed.
type oddity struct {
	name, sentence string
	options        fakebackend.Options
	protocol       string // the revision that it is played on; empty: the newest
	over           []fakebackend.Transport
	features       []fakebackend.Feature // the tools that are played; none: the usual
	breaks         string                // see named
	unclear        []string              // see named
	left           []string              // see named
	unsure         bool                  // see named
	plays          []string              // the scenarios; nil: those of every odd server

	request  func(message object)           // before it is served
	listing  func(asked, result object)     // of tools/list
	greeting func(result object)            // of initialize
	answer   func(asked, result object)     // of a multi-item tools/call
	seen     func(asked, result object)     // of a look at the state
	notice   func(message object)           // a notification of the server's own
	before   func(asked object) []object    // messages that go out before a response
	write    func(out *reply, asked object) // the bytes over HTTP
	refuse   map[string]int                 // HTTP methods, and the status they get
	line     func(message []byte) []byte    // the bytes over stdio, line ending included
}

// oddServers gives the odd servers, over every transport that they show on.
func oddServers() []named {
	var all []named
	for _, o := range oddities() {
		for _, over := range o.over {
			s := server{transport: over, options: o.options, protocol: o.protocol, oddity: o.name, features: o.features, plays: o.plays}
			if o.unclear != nil {
				s.patience = patience // nothing is worth to be waited for
			}
			if over == fakebackend.HTTP {
				s.front = o.front
			}
			all = append(all, named{name: string(over) + ", " + strings.ReplaceAll(o.name, "-", " "), sentence: o.sentence, server: s, breaks: o.breaks, unclear: o.unclear, left: o.left, unsure: o.unsure})
		}
	}
	return all
}

// oddAnswers judges the recorded answers that are unusual and right.
func oddAnswers() ([]Lawful, error) {
	files, err := fs.ReadDir(lawful.Files, ".")
	if err != nil {
		return nil, fmt.Errorf("listing the lawful answers: %w", err)
	}
	all := []Lawful{}
	for _, f := range files {
		src, err := lawful.Files.ReadFile(f.Name())
		if err != nil {
			return nil, fmt.Errorf("reading a lawful answer: %w", err)
		}
		judged, err := runner.JudgeFile(bytes.NewReader(src), f.Name(), suites.Open)
		if err != nil {
			return nil, fmt.Errorf("judging the lawful answer %s: %w", f.Name(), err)
		}
		if judged.Case == nil {
			return nil, fmt.Errorf("%s is no answer", f.Name())
		}
		all = append(all, answer(*judged.Case, "a recorded answer"))
	}
	return all, nil
}

// ServeOddity serves an odd and lawful server by its name, on a pair of pipes.
func ServeOddity(ctx context.Context, name string, in io.Reader, out io.Writer) error {
	for _, o := range oddities() {
		if o.name != name {
			continue
		}
		backend, err := fakebackend.New(o.options)
		if err != nil {
			return err
		}
		return o.pipe(ctx, backend, in, out)
	}
	return fmt.Errorf("no oddity is called %q", name)
}
