package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// connect agrees on a revision with the server; the order is told at Client.Open.
func (s *Session) connect(ctx context.Context) error {
	pinned := s.client.config.Protocol
	onStdio := s.client.config.Transport == Stdio
	if pinned != "" && !stateless(pinned) {
		return s.initialize(ctx, pinned)
	}
	if pinned == "" && onStdio {
		return s.initialize(ctx, newestHandshake)
	}
	found := s.discover(ctx)
	if found.failed != nil || found.agreed {
		return found.asError()
	}
	offer := best(found.offered)
	if offer == "" {
		offer = newestHandshake
	}
	return s.initialize(ctx, offer)
}

// discovery is what came of server/discover.
type discovery struct {
	agreed  bool     // the session runs at 2026-07-28
	offered []string // the revisions the server named, if it named any
	failed  *Error   // no use to go on
}

// asError avoids a nil *Error inside an error.
func (d discovery) asError() error {
	if d.failed != nil {
		return d.failed
	}
	return nil
}

func (s *Session) discover(ctx context.Context) discovery {
	const method = "server/discover"
	call := "connect/" + s.alias + "/discover"
	s.plan(call, conform.Planned{Role: conform.RoleLifecycle, Step: "discover", Method: method})
	request := Request{Call: call, Method: method, Timeout: s.client.config.Timeouts.Discover}
	var reply *Reply
	if s.client.config.Transport == Stdio {
		reply = s.discoverChild(ctx, request)
	} else {
		out := s.outgoing(Revision20260728, request)
		out.late = s.client.config.Timeouts.Late
		reply = s.link.exchange(ctx, out)
	}
	if e := s.hopeless(reply); e != nil {
		return discovery{failed: e}
	}
	var d discovery
	if reply.Result != nil {
		d.offered = texts(reply.Result.Get("supportedVersions"))
		for _, revision := range d.offered {
			if revision == Revision20260728 {
				s.Protocol, d.agreed = revision, true
				s.describe(reply.Result, reply.Result.At("_meta", metaServerInfo))
			}
		}
	} else if reply.Response != nil {
		d.offered = texts(reply.Response.Error.At("data", "supported"))
	}
	return d
}

// discoverChild asks a child, which may take long to start, and may swallow what
// it does not know. So server/discover is given the time of a start; but once a
// ping, sent a while later, is answered and server/discover is not, the child is
// known to run and to have swallowed it.
func (s *Session) discoverChild(ctx context.Context, request Request) *Reply {
	patience := request.Timeout
	request.Timeout = s.client.config.Timeouts.Start
	asking, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	answer := make(chan *Reply, 1)
	out := s.outgoing(Revision20260728, request)
	go func() { answer <- s.link.exchange(asking, out) }()
	select {
	case reply := <-answer:
		return reply
	case <-time.After(patience):
	}
	call := "connect/" + s.alias + "/ping"
	s.plan(call, conform.Planned{Role: conform.RolePing, Step: "ping", Method: "ping"})
	ping := s.outgoing("", Request{Call: call, Method: "ping", Timeout: s.client.config.Timeouts.Start})
	alive := make(chan *Reply, 1)
	go func() { alive <- s.link.exchange(asking, ping) }()
	select {
	case reply := <-answer:
		giveUp(errAnswered)
		<-alive
		return reply
	case <-alive:
	}
	select {
	case reply := <-answer:
		return reply
	case <-time.After(patience):
		giveUp(errSwallowed)
		return <-answer
	}
}

var (
	errSwallowed = errors.New("the server answers ping and leaves server/discover unanswered")
	errAnswered  = errors.New("server/discover is answered, so that ping is not waited for")
)

// initialize offers a revision, and a second one if the first is refused and the
// server names a better one.
func (s *Session) initialize(ctx context.Context, offer string) error {
	reply := s.offer(ctx, offer, "initialize")
	if e := s.hopeless(reply); e != nil {
		return e
	}
	if refused := reply.Response; refused != nil && refused.Error != nil {
		supported := texts(refused.Error.At("data", "supported"))
		second := best(supported)
		switch {
		case second != "" && second != offer:
			reply = s.offer(ctx, second, "initialize-2")
			if e := s.hopeless(reply); e != nil {
				return e
			}
		case s.client.config.Transport == Stdio && !stateless(s.client.config.Protocol):
			found := s.discover(ctx)
			if found.failed != nil || found.agreed {
				return found.asError()
			}
		}
	}
	return s.agree(ctx, reply)
}

// offer sends initialize.
func (s *Session) offer(ctx context.Context, revision, step string) *Reply {
	config := &s.client.config
	call := "connect/" + s.alias + "/" + step
	s.plan(call, conform.Planned{Role: conform.RoleLifecycle, Step: "initialize", Method: "initialize"})
	timeout := config.Timeouts.Call
	if config.Transport == Stdio {
		timeout = config.Timeouts.Start
	}
	params := `{"protocolVersion":"` + revision + `","capabilities":` + config.capabilities(revision) + `,"clientInfo":` + identity(config.ClientName, config.ClientVersion) + `}`
	return s.link.exchange(ctx, s.outgoing("", Request{Call: call, Method: "initialize", Params: json.RawMessage(params), Timeout: timeout}))
}

// agree takes over what the server answered to initialize, and tells it so.
func (s *Session) agree(ctx context.Context, reply *Reply) error {
	refused := func(format string, args ...any) error {
		return &Error{Class: Protocol, Doing: s.client.doing(), Status: reply.Status, Reply: reply, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case reply.Response == nil:
		class := Protocol
		if reply.Class == Unanswered && !s.heard {
			class = Unreachable
		}
		return &Error{Class: class, Doing: s.client.doing(), Status: reply.Status, Reply: reply, Err: reply.err()}
	case reply.Response.Error != nil:
		return refused("initialize was refused: %s", reply.Response.Error.Excerpt(300))
	}
	revision, ok := reply.Result.Get("protocolVersion").Str()
	switch {
	case !ok:
		return refused("initialize was answered without a protocolVersion")
	case !known(revision):
		return refused("initialize was answered with protocolVersion %q, which is no revision known", rawjson.Cut(revision, 60))
	}
	s.Protocol, s.id = revision, reply.SessionID
	s.describe(reply.Result, reply.Result.Get("serverInfo"))
	const method = "notifications/initialized"
	call := "connect/" + s.alias + "/initialized"
	s.plan(call, conform.Planned{Role: conform.RoleLifecycle, Step: "initialized", Method: method})
	told := s.notify(ctx, call, method, nil, s.client.config.Timeouts.Call)
	if told.Class == Unauthorized || told.Class == Unreachable || told.Class == Interrupted {
		return s.hopeless(told)
	}
	return nil
}

// describe keeps what the server said of itself.
func (s *Session) describe(result, info *rawjson.Node) {
	s.Server.Name, _ = info.Get("name").Str()
	s.Server.Version, _ = info.Get("version").Str()
	s.Server.Instructions, _ = result.Get("instructions").Str()
	s.Server.Capabilities = result.Get("capabilities")
}

// hopeless gives the error of an exchange after which no handshake can come; nil
// where another attempt makes sense, or the answer has to be looked at.
func (s *Session) hopeless(reply *Reply) *Error {
	s.heard = s.heard || reply.Status != 0 || reply.Response != nil
	e := &Error{Class: reply.Class, Doing: s.client.doing(), Status: reply.Status, Reply: reply, Err: reply.err()}
	switch reply.Class {
	case Unauthorized, Unreachable, Interrupted:
		return e
	case Unanswered:
		if s.client.config.Transport == Stdio && reply.End == conform.Cut {
			e.Class = Unreachable // the child died before its first answer
			return e
		}
	}
	return nil
}

// texts gives the strings of an array.
func texts(n *rawjson.Node) []string {
	if !n.Is(rawjson.Array) {
		return nil
	}
	var list []string
	for _, item := range n.Items {
		if text, ok := item.Str(); ok {
			list = append(list, text)
		}
	}
	return list
}
