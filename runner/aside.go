package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// commands refuses commands as eyes and hands, unless they were allowed, or both
// the target file and the program are files of the working tree: a target file
// from elsewhere must not run programs by the way.
func commands(file *target.File, allowed bool) error {
	if allowed {
		return nil
	}
	for _, m := range file.Commands() {
		if strings.HasPrefix(file.Path, target.BuiltinPrefix) {
			continue // a part of this program
		}
		what := ""
		switch program, err := program(m.Command[0]); {
		case !inTree(file.Path):
			what = "the target file is not in the working tree"
		case err != nil:
			return &UsageError{Err: &target.Error{File: m.File, Line: m.Line, Column: m.Column,
				What: fmt.Sprintf("the program %s cannot be run: %v", m.Command[0], err), Mend: "write its path from the target file's folder, like ./probe.sh"}}
		case !inTree(program):
			what = "the program " + m.Command[0] + " is no file of the working tree"
		}
		if what != "" {
			return &UsageError{Err: &target.Error{File: m.File, Line: m.Line, Column: m.Column,
				What: "a command is not run: " + what, Mend: "give --allow-commands if you trust it"}}
		}
	}
	return nil
}

func program(name string) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		about, err := os.Stat(name)
		if err == nil && about.IsDir() {
			err = errors.New("it is a folder")
		}
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err
		}
		return name, err
	}
	return exec.LookPath(name)
}

// inTree tells whether a file is in the folder where we are, or below, links
// followed.
func inTree(path string) bool {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return false
	}
	at, err := filepath.Abs(path)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return false
	}
	inside, err := filepath.Rel(here, at)
	return err == nil && filepath.IsLocal(inside)
}

// asideFor gives what asks things beside the server, made when it is first needed.
func (r *run) asideFor() *wire.Aside {
	if r.aside == nil {
		t := r.file.Timeouts
		r.aside = wire.NewAside(wire.Timeouts{Connect: t.Connect, Start: t.Start, Call: t.Call}, r.file.Server.URL, r.file.Server.TLS)
	}
	return r.aside
}

// viaHTTP makes requests, and hands on each answer with the range that it is
// about.
func (r *run) viaHTTP(ctx context.Context, q *target.HTTPRequest, all []target.Asking, timeout time.Duration, each func(body []byte, from, to int) error) error {
	if may, why := r.file.MaySend(q); !may {
		return errors.New(why)
	}
	var err error
	for _, one := range all {
		leave := func() {}
		if strings.HasPrefix(q.URL, "/") { // the server's own limits hold
			if leave, err = r.pace.Enter(ctx); err != nil {
				return err
			}
		}
		body, err := r.asideFor().Request(ctx, q.Method, one.URL, q.Headers, one.Body, timeout)
		leave()
		if err == nil {
			err = each(body, one.From, one.To)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAside looks at states by other means than a tool of the server.
func (r *run) readAside(ctx context.Context, p *target.Probe, ids []string, asked []json.RawMessage) ([]conform.State, error) {
	timeout := r.file.Timeouts.For(len(ids))
	read := func(body []byte, ids []string) ([]conform.State, error) {
		if p.Flat() {
			return p.ReadText(string(body), ids)
		}
		data, err := rawjson.Parse(body)
		if err != nil {
			return nil, fmt.Errorf("the answer of %s is no JSON: %w", p.Whose(), err)
		}
		r.record.learnFrom(data)
		return p.ReadData(data, ids)
	}
	if p.HTTP != nil {
		states := make([]conform.State, 0, len(ids))
		all, err := p.HTTP.Ask(r.file.Server.URL, asked)
		if err != nil {
			return nil, wrapped(p.Whose(), err)
		}
		err = r.viaHTTP(ctx, p.HTTP, all, timeout, func(body []byte, from, to int) error {
			some, err := read(body, ids[from:to])
			states = append(states, some...)
			return err
		})
		return states, wrapped(p.Whose(), err)
	}
	out, err := r.asideFor().Command(ctx, p.Command, append(target.JSONList(asked), '\n'), timeout)
	if err != nil {
		return nil, wrapped(p.Whose(), err)
	}
	return read(out, ids)
}

func wrapped(whose string, err error) error {
	if err == nil || strings.Contains(err.Error(), whose) {
		return err
	}
	return fmt.Errorf("%s: %w", whose, err)
}

// resetAside asks hands that are no tool of the server to put everything back,
// and records what came of it.
func (r *run) resetAside(ctx context.Context, operation string, m *target.Means) bool {
	timeout := r.file.Timeouts.For(0) + r.file.Timeouts.Late
	var err error
	if m.HTTP != nil {
		var all []target.Asking
		if all, err = m.HTTP.Ask(r.file.Server.URL, nil); err == nil {
			err = r.viaHTTP(ctx, m.HTTP, all, timeout, func([]byte, int, int) error { return nil })
		}
	} else {
		_, err = r.asideFor().Command(ctx, m.Command, []byte("[]\n"), timeout)
	}
	put := &conform.PutBack{Operation: operation, What: conform.DoReset, Hands: m.Whose(), Done: err == nil}
	if err != nil {
		put.Problem = err.Error()
	}
	r.Record(conform.Observation{Kind: conform.KindPutBack, PutBack: put})
	return err == nil
}
