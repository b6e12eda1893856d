package selftest

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/target"
)

// server is something to run against.
type server struct {
	transport fakebackend.Transport
	options   fakebackend.Options
	// front stands before the good server's handler; nil: nothing does. Over
	// stdio the child knows its oddity by name.
	front  func(http.Handler) http.Handler
	oddity string
	// protocol pins the revision; empty: the newest both speak.
	protocol string
	// features are the tools that are played, in place of the usual ones; none: the usual.
	features []fakebackend.Feature
	// by is another built-in target file that it is described by; empty: the usual.
	by string
	// patience is how long a call may take; 0: as the target file says.
	patience time.Duration
	// late is how much longer a call is waited for that may change something, where
	// patience is not 0.
	late time.Duration
	// operations are those that are asked; nil: all.
	operations []string
	// amend changes what the target file says of an operation; nil: nothing does.
	amend func(*target.Operation)
	// plays are the scenarios that it is played; nil: those of its kind.
	plays []string
}

// started is a server that was started, and how to end it.
type started struct {
	at    target.Server
	close func()
}

// start starts the server. One on stdio is started by the run itself, as a child
// of its own.
func (s server) start(self []string) (started, error) {
	if s.transport == fakebackend.Stdio {
		command, err := s.command(self)
		if err != nil {
			return started{}, err
		}
		at, err := target.ServerOf(command)
		return started{at, func() {}}, err
	}
	if s.front == nil {
		running, err := fakebackend.Start(s.options)
		if err != nil {
			return started{}, err
		}
		at, err := target.ServerAt(running.URL, nil)
		// What is in flight when the run is over is of no interest any more.
		return started{at, func() { _ = running.Close() }}, err
	}
	backend, err := fakebackend.New(s.options)
	if err != nil {
		return started{}, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return started{}, fmt.Errorf("listening for an odd server: %w", err)
	}
	web := &http.Server{Handler: s.front(backend.Handler()), ReadHeaderTimeout: 30 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = web.Serve(listener) // ends with ErrServerClosed, by close below
	}()
	at, err := target.ServerAt("http://"+listener.Addr().String()+"/mcp", nil)
	return started{at, func() {
		_ = web.Close()
		<-done
	}}, err
}

// command is the command line that serves it over stdio. It says the fault, but
// nothing of it reaches the transcript.
func (s server) command(self []string) ([]string, error) {
	if len(self) == 0 {
		return nil, fmt.Errorf("the program's own command line is not known")
	}
	command := append([]string{}, self...)
	if s.oddity != "" {
		return append(command, "selftest", "--serve-oddity", s.oddity), nil
	}
	command = append(command, "fakebackend", "--stdio")
	o := s.options
	if o.Shape != "" {
		command = append(command, "--shape", string(o.Shape))
	}
	if o.Downstream == fakebackend.Unit {
		command = append(command, "--unit", "--fan-out", fmt.Sprint(max(1, o.FanOut)))
	}
	for _, r := range o.Revisions {
		command = append(command, "--revisions", r)
	}
	if o.ConfirmRounds > 0 {
		command = append(command, fmt.Sprintf("--confirm=%d", o.ConfirmRounds))
	}
	if o.Tasks != "" {
		command = append(command, "--tasks", "--takes", o.Takes.String())
	}
	if o.Jobs {
		command = append(command, "--jobs", "--takes", o.Takes.String())
	}
	if o.PageRows > 0 {
		command = append(command, fmt.Sprintf("--pages=%d", o.PageRows))
	}
	if o.SlowWrites > 0 {
		command = append(command, "--slow-writes", o.SlowWrites.String(), "--slow-every", fmt.Sprint(max(1, o.SlowEvery)))
	}
	for _, flag := range []struct {
		on   bool
		name string
	}{{o.DryRuns, "--dry-run"}, {o.Undo, "--undo"}, {o.IdleUndo, "--idle-undo"}, {o.Stock, "--stock"}, {o.NoReset, "--no-reset"}} {
		if flag.on {
			command = append(command, flag.name)
		}
	}
	for _, f := range o.Faults {
		command = append(command, "--fault", f.ID)
	}
	return command, nil
}

// file gives the target file for a started server.
func (s server) file(ctx context.Context, at target.Server) (*target.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := load(cmp.Or(s.by, ordinary))
	if err != nil {
		return nil, err
	}
	if len(s.features) > 0 {
		if file, err = s.special(); err != nil {
			return nil, err
		}
	}
	if s.amend != nil {
		for _, op := range file.Operations {
			s.amend(op)
		}
	}
	file = file.WithServer(at)
	file.Server.Protocol = s.protocol
	if s.patience > 0 {
		file.Timeouts.Call, file.Timeouts.Late = s.patience, cmp.Or(s.late, settling)
		for _, op := range file.Operations {
			if op.Probe != nil {
				eyes := *op.Probe
				eyes.Settle = settling
				op.Probe = &eyes
			}
		}
	}
	return file, nil
}

// settling is how long an effect of a faulty server is waited for. The fake
// backend shows effects at once, or else never.
const settling = 250 * time.Millisecond

// load reads a built-in target file, which asks nothing of the environment.
func load(name string) (*target.File, error) {
	return target.Load(name, func(string) (string, bool) { return "", false })
}

// drawNames draws other names for what every server of a selftest is asked.
func drawNames() (*redraw, error) {
	var files []*target.File
	names := []string{ordinary}
	for _, f := range features {
		names = append(names, f.target)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		file, err := load(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return newRedraw(seed, files...), nil
}

// special gives the target file of the tools that ask or take long, with the
// operations of the server's features.
func (s server) special() (*target.File, error) {
	file, err := load(features[s.features[0]].target)
	if err != nil {
		return nil, err
	}
	file.Operations = slices.DeleteFunc(file.Operations, func(o *target.Operation) bool {
		if slices.ContainsFunc(s.features, func(f fakebackend.Feature) bool { return features[f].tool == o.Tool }) {
			return false
		}
		file.Ignore = append(file.Ignore, conform.Ignored{Tool: o.Tool, Because: "another run plays it"})
		return true
	})
	return file, nil
}
