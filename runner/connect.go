package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/target"
)

// main is the session that everything goes through that needs no other.
const main = "s1"

// maxPages bounds tools/list, and mostListed the bytes of its pages: a server whose
// pages never end is PRO-13's matter.
const (
	maxPages   = 100
	mostListed = 16 << 20
)

// connect opens the first session and lists the tools. A target that cannot be
// reached is the run's end, not an error.
func (r *run) connect(ctx context.Context) error {
	r.await(ctx)
	config := r.file.Wire(r.record)
	if r.tape != nil {
		config.Recorder = r.tape
	}
	config.Gate = r.pace
	config.ClientName, config.ClientVersion, config.ProbeDeleted = "mcpconform", r.opts.Version, true
	if r.file.Server.TLS.Insecure {
		r.notes = append(r.notes, "INSECURE: nobody looked at the server's certificate (`insecure`): whoever stands between could have read and changed everything, credentials too")
	}
	if err := r.tokenCommand(); err != nil {
		return err
	}
	holder, err := credentials.New(r.file.Server.Auth, credentials.Server{URL: r.file.Server.URL, Trust: r.file.Server.TLS}, func(name, value string) {
		r.record.learnSecret(Secret{Name: name, Value: value})
	})
	if err != nil {
		return &UsageError{Err: fmt.Errorf("getting credentials: %w", err)}
	}
	if holder != nil {
		config.Credentials, r.holder = holder, holder
	}
	client, err := wire.Dial(ctx, config)
	if err == nil {
		r.client = client
		_, err = r.open(ctx, main)
	}
	if err != nil {
		return r.unreached(err)
	}
	r.list(ctx)
	if r.record.full() {
		r.gone(noRoom)
	}
	return nil
}

// tokenCommand refuses a command for a token of a target file from elsewhere. The program
// is seldom a file of the working tree: what is trusted is the file that names it.
func (r *run) tokenCommand() error {
	c := r.file.Server.Auth.Command
	if c == nil || c.Line == 0 || r.opts.AllowCommands || inTree(r.file.Path) {
		return nil
	}
	return &UsageError{Err: &target.Error{File: r.file.Path, Line: c.Line, Column: c.Column,
		What: "the token command is not run: the target file is not in the working tree", Mend: "give --allow-commands if you trust it"}}
}

// open gives a session by name, opening it the first time.
func (r *run) open(ctx context.Context, name string) (*wire.Session, error) {
	r.mu.Lock()
	s := r.session[name]
	r.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s, err := r.client.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.session[name] = s
	r.mu.Unlock()
	return s, nil
}

// unreached sorts why the first session could not be opened.
func (r *run) unreached(err error) error {
	var failed *wire.Error
	if !errors.As(err, &failed) {
		return fmt.Errorf("opening the first session: %w", err)
	}
	switch failed.Class {
	case wire.Misconfigured:
		return &UsageError{Err: err}
	case wire.Interrupted:
		return nil
	case wire.Unauthorized:
		r.stop = stopped{conform.EndUnauthorized, err.Error()}
	case wire.Protocol:
		if !speaks(r.record.observations()) {
			cause := err.Error()
			if failed.Reply != nil && failed.Reply.Response != nil {
				cause = failed.Doing + ": it gives back what it is sent" // or our own message would not have been taken for an answer
			}
			r.stop = stopped{conform.EndUnreachable, cause + notMCP}
			break
		}
		if noSuchPlace(failed.Status) || failed.Reply != nil && failed.Reply.End == conform.Cut { // it died over its first answer
			r.stop = stopped{conform.EndUnreachable, err.Error()}
			break
		}
		// It speaks the protocol, if only nonsense: the checks say what was wrong.
		r.stop = stopped{conform.EndGone, err.Error()}
	default:
		r.stop = stopped{conform.EndUnreachable, err.Error()}
	}
	return nil
}

// noSuchPlace tells the statuses by which an HTTP server says that nothing that
// speaks MCP is at the URL: the path is wrong, more likely than the server.
func noSuchPlace(status int) bool {
	return status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusGone
}

// list reads all pages of tools/list, and asks once more with an id that is a
// string, which JSON-RPC allows and servers forget.
func (r *run) list(ctx context.Context) {
	cursor, seen, bytes := "", map[string]bool{}, 0
	for page := 1; page <= maxPages; page++ {
		params := json.RawMessage(`{}`)
		if cursor != "" {
			params, _ = json.Marshal(map[string]string{"cursor": cursor}) // a string always encodes
		}
		call, planned := fmt.Sprintf("connect/%s/tools-list.%d", main, page), conform.Planned{Role: conform.RoleList, Method: "tools/list"}
		request := wire.Request{Method: "tools/list", Params: params}
		reply := r.ask(ctx, call, planned, request)
		if again := after(reply); again != "" && r.client.Transport() != wire.Stdio && ctx.Err() == nil {
			planned.Repeats = call
			reply = r.ask(ctx, call+conform.Again, planned, request)
		}
		if r.absent(reply) && ctx.Err() == nil {
			r.gone("the target is gone: " + reply.Problem + r.fell())
			return
		}
		next, more := reply.Result.Get("nextCursor").Str()
		if reply.Result == nil || !more || next == "" || seen[next] || r.record.full() {
			break
		}
		if bytes += len(reply.Result.Raw); bytes > mostListed || len(next) > conform.MostCursor {
			r.notes = append(r.notes, fmt.Sprintf("tools/list was not read to its end: %s with %d bytes came, and a cursor of %d bytes; a run takes %d bytes of pages, and sends no cursor back of more than %d",
				reports.Amount(page, "page", "pages"), bytes, len(next), mostListed, conform.MostCursor))
			break
		}
		cursor, seen[next] = next, true
	}
	r.ask(ctx, "connect/"+main+"/string-id", conform.Planned{Role: conform.RoleList, Step: "string-id", Method: "tools/list"},
		wire.Request{Method: "tools/list", Params: json.RawMessage(`{}`), StringID: true})
}

// ask records what is planned and sends it on the main session.
func (r *run) ask(ctx context.Context, call string, p conform.Planned, q wire.Request) *wire.Reply {
	r.record.Record(conform.Observation{At: r.record.Now(), Kind: conform.KindPlanned, Call: call, Session: main, Planned: &p})
	q.Call = call
	return r.session[main].Do(ctx, q)
}

// tools gives what tools/list said so far.
func (r *run) tools() []conform.Tooling {
	return conform.NewRecording(r.header, r.record.observations()).Tools
}

// close ends all sessions and the child.
func (r *run) close(ctx context.Context) {
	if r.aside != nil {
		r.aside.Close()
	}
	if r.client == nil {
		return
	}
	// What a server does at its end is recorded; it is no error of the run.
	_ = r.client.Close(context.WithoutCancel(ctx))
	for _, moved := range r.client.Moved() {
		r.notes = append(r.notes, moved.String())
	}
	for _, on := range r.client.Redirected() {
		r.notes = append(r.notes, on.String())
	}
	if r.holder != nil {
		if n := r.holder.Renewed(); n > 0 {
			r.notes = append(r.notes, "the server refused a token, and another was got in its place: "+reports.Amount(n, "time", "times"))
		}
	}
	r.client = nil
}
