package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Session is one session with the server, or at 2026-07-28, which has none, a
// run of requests that belong together. Any number of calls may be in flight.
type Session struct {
	Name     string // the harness's name: s1, s2, …
	Asked    string // the revision pinned; empty: none was
	Protocol string // the revision in force
	Server   ServerInfo

	client *Client
	link   link
	id     string // Mcp-Session-Id; empty: the server gave none
	alias  string // the name in call ids, made unique
	heard  bool   // something came back during the handshake

	mu      sync.Mutex
	last    int
	closing bool
	telling sync.WaitGroup // notifications/cancelled on their way
	busy    sync.WaitGroup // calls in flight
	closed  error
	once    sync.Once
}

// ServerInfo is what the server said of itself.
type ServerInfo struct {
	Name, Version string
	Instructions  string
	Capabilities  *rawjson.Node // nil when none were sent
}

// ID gives the server's Mcp-Session-Id; empty when it gave none.
func (s *Session) ID() string { return s.id }

// Request is one JSON-RPC request.
type Request struct {
	Call   string // id of the planned call
	Method string
	// Params are taken over to the byte. At 2026-07-28 the members of _meta that
	// the revision asks for are put in front; other members of a _meta stay.
	Params json.RawMessage
	// ID fixes the number in the id; 0: the session's next. Callers take
	// FirstGivenID and up.
	ID       int
	StringID bool          // send the id as a JSON string: "c-7"
	Timeout  time.Duration // 0: Timeouts.Call
	// Late is how much longer than its Timeout the call is waited for before it is
	// given up, so that a server that is merely slow is not left at work.
	Late time.Duration
	// Most has a progress token sent with the call, and gives it its Timeout anew with
	// each progress notification, up to Most in all; 0: neither.
	Most time.Duration
	// Progress has a progress token sent with the call, and changes nothing else.
	Progress bool
	// Withdraw has the call cancelled while it is out; nil: it is not.
	Withdraw *Withdrawal
	// Asked answers what the server asks during the call; nil: a ping is answered
	// and everything else refused.
	Asked Asked
	// Gate holds this request back, before the client's own gate does; nil: it has
	// none. What the client sends of itself, as notifications/cancelled, does not
	// go through it.
	Gate Gate
}

// Asked gives the exact JSON of the result that answers a request of the
// server's; ok is false where it has no answer, and the request is refused. It may
// be called from another goroutine than the one that waits for the call.
type Asked func(method string, params *rawjson.Node) (result json.RawMessage, ok bool)

// Do sends a request and waits until it is answered, given up or lost. It never
// returns nil. The caller has recorded what is planned. A call that is given up
// is followed by notifications/cancelled, as the specification asks; at
// 2026-07-28 over HTTP the request is closed instead, which means the same there.
func (s *Session) Do(ctx context.Context, r Request) *Reply {
	if r.Timeout <= 0 {
		r.Timeout = s.client.config.Timeouts.Call
	}
	out := s.outgoing(s.Protocol, r)
	if !s.begin() {
		return s.isClosed(out.what)
	}
	defer s.busy.Done()
	if r.Withdraw != nil {
		out.withdrawal = newWithdrawal(*r.Withdraw, out.what)
		if s.tellsOfCancelling(out) {
			out.withdrawal.tell = func() { <-s.cancelled(ctx, r, out, "it is no longer wanted") }
		}
		go out.withdrawal.run()
	}
	reply := s.link.exchange(ctx, out)
	told := out.withdrawal != nil && out.withdrawal.end(reply.Sent > 0)
	if !told && reply.Sent > 0 && (reply.End == conform.TimedOut || reply.End == conform.Stopped) {
		s.cancelled(ctx, r, out, reply.Problem)
	}
	if r.Method == "tools/list" && stateless(s.Protocol) && s.client.config.Transport != Stdio {
		s.client.tools.learn(reply.Result)
	}
	return reply
}

// Notify sends a notification. Over HTTP it waits until the server has accepted
// it; over stdio, which has no acceptance, until it is written.
func (s *Session) Notify(ctx context.Context, call, method string, params json.RawMessage) *Reply {
	if !s.begin() {
		return s.isClosed(method)
	}
	defer s.busy.Done()
	return s.notify(ctx, call, method, params, s.client.config.Timeouts.Call)
}

// begin counts a call in, unless the session is closing.
func (s *Session) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.busy.Add(1)
	return true
}

func (s *Session) isClosed(what string) *Reply {
	return notSent(Misconfigured, conform.Refused, "session "+s.Name+" is closed: "+what+" was not sent")
}

func (s *Session) notify(ctx context.Context, call, method string, params json.RawMessage, timeout time.Duration) *Reply {
	out := outgoing{
		call: call, what: method, body: compose("", method, params), timeout: timeout,
		header: s.header(s.Protocol, method, nil), stateless: stateless(s.Protocol),
	}
	return s.link.exchange(ctx, out)
}

// outgoing composes a request as a revision has it.
func (s *Session) outgoing(revision string, r Request) outgoing {
	number := r.ID
	if number <= 0 {
		number = s.next()
	}
	id := idText(number, r.StringID)
	params := r.Params
	if r.Most > 0 || r.Progress {
		params = withProgress(params, id)
	}
	if stateless(revision) {
		config := &s.client.config
		params = withMeta(params, revision, identity(config.ClientName, config.ClientVersion), config.capabilities(revision))
	}
	out := outgoing{
		call: r.Call, what: r.Method, key: id, body: compose(id, r.Method, params),
		timeout: r.Timeout, overtime: r.Late, most: r.Most, late: s.client.config.Timeouts.Late, stateless: stateless(revision), asked: r.Asked, gate: r.Gate,
	}
	if out.stateless {
		out.late = 0
	}
	// What does not read as JSON is sent all the same: it is what was asked for.
	root, _ := rawjson.Parse(params)
	if name, ok := named(r.Method, root); ok {
		out.what += " " + rawjson.Cut(name, 80)
	}
	out.header = s.header(revision, r.Method, root)
	return out
}

// header gives the fields of MCP over HTTP for one message. An empty revision is
// that of initialize, before anything was agreed.
func (s *Session) header(revision, method string, params *rawjson.Node) []conform.HeaderField {
	if s.client.config.Transport == Stdio {
		return nil
	}
	header := append(s.standing(revision),
		conform.HeaderField{Name: "Accept", Value: "application/json, text/event-stream"},
		conform.HeaderField{Name: "Content-Type", Value: "application/json"})
	if stateless(revision) {
		header = append(header, conform.HeaderField{Name: fieldMethod, Value: headerValue(method)})
		if name, ok := named(method, params); ok {
			header = append(header, conform.HeaderField{Name: fieldName, Value: headerValue(name)})
			if method == "tools/call" {
				header = append(header, bound(s.client.tools.of(name), params.Get("arguments"))...)
			}
		}
	}
	return header
}

// standing are the fields that every request of the session carries.
func (s *Session) standing(revision string) []conform.HeaderField {
	config := &s.client.config
	header := []conform.HeaderField{{Name: "User-Agent", Value: config.ClientName + "/" + config.ClientVersion}}
	if announced(revision) {
		header = append(header, conform.HeaderField{Name: fieldProtocol, Value: revision})
	}
	if s.id != "" {
		header = append(header, conform.HeaderField{Name: fieldSession, Value: s.id})
	}
	return header
}

// next gives the session's next id.
func (s *Session) next() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	if s.last == FirstGivenID {
		s.last = firstHighID
	}
	return s.last
}

// tellsOfCancelling tells whether a notification says that a call is cancelled. At
// 2026-07-28 over HTTP closing the request does.
func (s *Session) tellsOfCancelling(out outgoing) bool {
	return s.client.config.Transport == Stdio || !out.stateless
}

// cancelled tells the server, aside and bounded, that a call was given up. What it
// gives is closed when that is done with.
func (s *Session) cancelled(ctx context.Context, r Request, out outgoing, reason string) <-chan struct{} {
	done := make(chan struct{})
	s.mu.Lock()
	if s.closing || !s.tellsOfCancelling(out) {
		s.mu.Unlock()
		close(done)
		return done
	}
	s.telling.Add(1)
	s.mu.Unlock()
	const method = "notifications/cancelled"
	call := r.Call + conform.CancelledSuffix
	s.plan(call, conform.Planned{Role: conform.RoleLifecycle, Step: "cancelled", Method: method})
	params := json.RawMessage(`{"requestId":` + out.key + `,"reason":` + string(quote(reason)) + `}`)
	go func() {
		defer close(done)
		defer s.telling.Done()
		s.notify(context.WithoutCancel(ctx), call, method, params, s.client.config.Timeouts.Answer)
	}()
	return done
}

// plan records what the session itself is about to ask.
func (s *Session) plan(call string, planned conform.Planned) {
	r := s.client.config.Recorder
	r.Record(conform.Observation{At: r.Now(), Kind: conform.KindPlanned, Call: call, Session: s.Name, Planned: &planned})
}

// Close ends the session: over HTTP a DELETE where the server gave a session id,
// over stdio the child is ended. What is still in flight ends as Stopped. A
// second Close gives the first one's result.
func (s *Session) Close(ctx context.Context) error {
	s.once.Do(func() { s.closed = s.close(ctx) })
	return s.closed
}

func (s *Session) close(ctx context.Context) error {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.telling.Wait()
	var failed error
	if s.client.config.Transport != Stdio && s.id != "" {
		failed = s.delete(ctx)
	}
	failed = errors.Join(failed, s.link.close(ctx))
	s.busy.Wait()
	return failed
}

// delete asks the server to end the session. Any answer is lawful; what is an
// error to the caller is only that none came.
func (s *Session) delete(ctx context.Context) error {
	call := "close/" + s.alias + "/delete"
	s.plan(call, conform.Planned{Role: conform.RoleLifecycle, Step: "delete"})
	reply := s.link.exchange(ctx, outgoing{
		call: call, what: "DELETE of the session", verb: http.MethodDelete,
		header: s.standing(s.Protocol), timeout: s.client.config.Timeouts.Delete, stateless: true,
	})
	if reply.Status == 0 {
		return fmt.Errorf("closing session %s: %w", s.Name, reply.err())
	}
	if reply.Status/100 == 2 && s.client.config.ProbeDeleted {
		call = "close/" + s.alias + "/after-delete"
		s.plan(call, conform.Planned{Role: conform.RolePing, Step: "after-delete", Method: "ping"})
		out := s.outgoing(s.Protocol, Request{Call: call, Method: "ping", Timeout: s.client.config.Timeouts.Delete})
		out.late = 0
		s.link.exchange(ctx, out) // its answer is for the judge
	}
	return nil
}

// toolbox keeps which arguments of which tools travel as header fields too, for
// all sessions of a client: the one that lists the tools is seldom the only one
// that calls them.
type toolbox struct {
	mu    sync.RWMutex
	bound map[string][]binding
}

func (t *toolbox) of(tool string) []binding {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.bound[tool]
}

func (t *toolbox) learn(list *rawjson.Node) {
	tools := list.Get("tools")
	if !tools.Is(rawjson.Array) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.bound == nil {
		t.bound = map[string][]binding{}
	}
	for _, tool := range tools.Items {
		if name, ok := tool.Get("name").Str(); ok {
			t.bound[name] = bindings(tool.Get("inputSchema"))
		}
	}
}
