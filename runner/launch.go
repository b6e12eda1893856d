package runner

import (
	"context"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/launch"
)

// launch starts the server, where the target file says how, and gives what ends
// it. One that does not come up is a target that cannot be reached.
func (r *run) launch(ctx context.Context) (stop func()) {
	start := r.file.Server.Start
	if start == nil {
		return func() {}
	}
	begun := r.record.Now()
	server, err := launch.Start(ctx, launch.Spec{
		Command: start.Command, Dir: start.Dir, Env: start.Env, URL: r.file.Server.URL,
		Port: start.ReadyPort, Log: start.ReadyLog, Timeout: start.Timeout,
	})
	if err != nil {
		if ctx.Err() == nil {
			r.stop = stopped{conform.EndUnreachable, err.Error()}
		}
		return func() {}
	}
	r.notes = append(r.notes, fmt.Sprintf("the run started the server itself (%s); it was ready after %s", start.Command[0], (r.record.Now()-begun).Round(tenth)))
	r.started = server
	return server.Stop
}
