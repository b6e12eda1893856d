package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/bench/bare"
	"github.com/mcpconform/mcpconform/bench/sdkloop"
	"github.com/mcpconform/mcpconform/fakebackend"
)

// childWord is the argument by which this program is told that it is a server or a client.
const childWord = "child"

// child is what this program does as a server or a client.
func child(args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("a child is told what it is")
	}
	told := ""
	if len(args) > 1 {
		told = args[1]
	}
	switch args[0] {
	case "bare":
		return bare.ServeHTTP(in, out)
	case "bare-lines":
		return bare.ServeLines(in, out, told == "differs")
	case "backend":
		return serveBackend(told, in, out)
	case "load":
		return answer(told, out, useLoad)
	case "direct":
		return answer(told, out, direct)
	case "tallies":
		return answer(told, out, tallies)
	case "sdk":
		return answer(told, out, func(p sdkloop.Plan) (figures, error) {
			calls, took, err := sdkloop.Run(context.Background(), p)
			return figures{Calls: float64(calls), Rate: float64(calls) / took.Seconds()}, err
		})
	}
	return fmt.Errorf("a child cannot be %q", args[0])
}

// answer has a client do what it is told in JSON, and writes what it measured.
func answer[Plan any](told string, out io.Writer, do func(Plan) (figures, error)) error {
	var plan Plan
	if err := json.Unmarshal([]byte(told), &plan); err != nil {
		return err
	}
	f, err := do(plan)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(f)
}

// serveBackend serves the fake backend, with options in JSON, until its input ends.
func serveBackend(told string, in io.Reader, out io.Writer) error {
	var o struct {
		Stdio   bool
		Options fakebackend.Options
	}
	if err := json.Unmarshal([]byte(told), &o); err != nil {
		return err
	}
	if o.Stdio {
		backend, err := fakebackend.New(o.Options)
		if err != nil {
			return err
		}
		defer backend.Close()
		return backend.ServeStdio(context.Background(), in, out)
	}
	running, err := fakebackend.Start(o.Options)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, running.URL)
	_, _ = io.Copy(io.Discard, in)
	return running.Close()
}

// again is the command by which this program is a child of some kind.
func again(kind string, plan any) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{self, childWord, kind}
	switch p := plan.(type) {
	case nil:
	case string:
		args = append(args, p)
	default:
		told, err := json.Marshal(plan)
		if err != nil {
			return nil, err
		}
		args = append(args, string(told))
	}
	return args, nil
}

// server is a child that serves over HTTP.
type server struct {
	command *exec.Cmd
	stdin   io.Closer
	url     string
}

func serve(kind string, plan any) (*server, error) {
	args, err := again(kind, plan)
	if err != nil {
		return nil, err
	}
	s := &server{command: exec.Command(args[0], args[1:]...)}
	s.command.Stderr = os.Stderr
	if s.stdin, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	if _, err := fmt.Fscanln(out, &s.url); err != nil {
		s.end()
		return nil, fmt.Errorf("starting the server %s: %w", kind, err)
	}
	return s, nil
}

func (s *server) end() {
	_ = s.stdin.Close()
	_ = s.command.Wait() // it ends with its input
}

// longest bounds one measurement, so that nothing hangs.
const longest = time.Minute

// measured is what a program wrote, and the processor time that it used.
type measured struct {
	out []byte
	cpu time.Duration
}

// execute runs a program to its end.
func execute(ctx context.Context, args ...string) (measured, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	return finish(exec.CommandContext(ctx, args[0], args[1:]...), nil)
}

// finish runs a command to its end. Its standard error goes to a terminal, or if there
// is none into the error.
func finish(command *exec.Cmd, terminal *os.File) (measured, error) {
	args := command.Args
	var said strings.Builder
	command.Stderr = &said
	if terminal != nil {
		command.Stderr = terminal
	}
	out, err := command.Output()
	if err != nil {
		return measured{}, fmt.Errorf("%s: %w: %s", strings.Join(args[:min(len(args), 3)], " "), err, strings.TrimSpace(said.String()))
	}
	return measured{out, command.ProcessState.UserTime() + command.ProcessState.SystemTime()}, nil
}

// ask runs a child that measures.
func ask(ctx context.Context, kind string, plan any) (figures, error) {
	args, err := again(kind, plan)
	if err != nil {
		return figures{}, err
	}
	m, err := execute(ctx, args...)
	if err != nil {
		return figures{}, err
	}
	var f figures
	if err := json.Unmarshal(m.out, &f); err != nil {
		return figures{}, fmt.Errorf("%s: %w: %s", kind, err, m.out)
	}
	if f.CPU == 0 && f.Calls > 0 {
		f.CPU = m.cpu.Seconds() * 1e6 / f.Calls
	}
	return f, nil
}
