package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/launch"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/target"
)

// launch starts the server, where the target file says how, and gives what ends
// it. One that does not come up is a target that cannot be reached.
func (r *run) launch(ctx context.Context) (stop func()) {
	start := r.file.Server.Start
	if start == nil {
		return func() {}
	}
	begun := r.record.Now()
	server, err := launch.Start(ctx, r.spec(start))
	if err != nil {
		if ctx.Err() == nil {
			r.stop = stopped{conform.EndUnreachable, err.Error()}
		}
		return func() {}
	}
	r.notes = append(r.notes, fmt.Sprintf("the run started the server itself (%s); it was ready after %s", start.Command[0], (r.record.Now()-begun).Round(tenth)))
	r.started = server
	return func() { r.started.Stop() } // that of the last start
}

// fell says how the server ended that the run started, behind the words for a
// target that is gone; empty: it was not the run's, or it is still there.
func (r *run) fell() string {
	if r.started == nil {
		return ""
	}
	how, ended := r.started.Ended(fallen)
	if !ended {
		return ""
	}
	return "; the server that the run started had ended by itself (" + how + ")"
}

// fallen is how long after its connections a process may be seen to end.
const fallen = time.Second

func (r *run) spec(start *target.Start) launch.Spec {
	trust, _ := r.file.Server.TLS.Config() // connecting tells what is wrong with its files
	return launch.Spec{
		TLS:     trust,
		Command: start.Command, Dir: start.Dir, Env: start.Env, URL: r.file.Server.URL,
		Port: start.ReadyPort, Log: start.ReadyLog, Timeout: start.Timeout,
	}
}

// canRestart tells whether the server was started by the run: by server.start, or
// as the command that speaks on its pipes.
func (r *run) canRestart() bool { return r.started != nil || len(r.file.Server.Command) > 0 }

// Restart closes all sessions, ends the server and starts it again.
func (r *run) Restart(ctx context.Context) error {
	r.Record(conform.Observation{Kind: conform.KindFault, Fault: &conform.Fault{What: "restart"}})
	// How a server ends its sessions is recorded; it is no reason not to go on.
	_ = r.client.Hangup(ctx)
	clear(r.inPlace) // what a setup made may be gone
	r.mu.Lock()
	r.session = map[string]*wire.Session{}
	r.mu.Unlock()
	if r.started != nil {
		r.started.Stop()
		server, err := launch.Start(ctx, r.spec(r.file.Server.Start))
		if err != nil {
			return err
		}
		r.started = server
	}
	_, err := r.open(ctx, main)
	return err
}
