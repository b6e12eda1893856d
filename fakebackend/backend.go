package fakebackend

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Version is what the server says of itself in its handshake.
const Version = "1.0.0"

// What else it says of itself.
const (
	serverName  = "fakebackend"
	serverTitle = "Products, subscriptions and orders"
)

// Backend is the store and the MCP server over it. It is safe for concurrent
// use, and may serve any number of connections over any transports at once.
type Backend struct {
	options       Options
	server        *mcp.Server
	products      *shelf
	subscriptions *shelf
	orders        orders
	keys          *keyring
	effects       *effectLog
	load          *load
	faults        faults
	guard         *guard
	protocols     atomic.Int64
	writes        atomic.Int64 // how many were begun, where some are slow

	clock  clock
	timers timers
	rounds *rounds
	tasks  tasks
	jobs   jobs
	paged  paged
	second secondWriter
	file   stateFile

	truth *truth

	handler func() http.Handler // made once
	fast    *fast               // with Options.Fast, once handler was made

	// How long a faulty server hangs, and what a racy one leaves between looking
	// and acting.
	stall, window time.Duration
}

const (
	// stallFor is longer than the 30 seconds that clients wait by default.
	stallFor = 35 * time.Second
	// raceFor is long enough for calls that are in flight together to meet.
	raceFor = 80 * time.Millisecond
)

// New makes a backend with a fresh store. Options that cannot be are an error.
func New(options Options) (*Backend, error) { return newBackend(options, wallClock{}) }

func newBackend(options Options, at clock) (*Backend, error) {
	o, err := options.complete()
	if err != nil {
		return nil, err
	}
	armed, err := arm(o.Faults, o.Seed)
	if err != nil {
		return nil, fmt.Errorf("options of the fake backend: %w", err)
	}
	b := &Backend{
		options:       o,
		products:      newShelf("product", productBulk, productEntries()),
		subscriptions: newShelf("subscription", subscriptionBulk, subscriptionEntries()),
		orders:        newOrders(),
		guard:         newGuard(&o),
		keys:          newKeyring(),
		effects:       &effectLog{now: at.Now},
		clock:         at,
		timers:        timers{stops: map[int]func() bool{}},
		rounds:        newRounds(),
		file:          stateFile{path: o.StateFile},
		truth:         newTruth(),
		load: &load{
			perCall: o.PerCallDelay, perItem: o.PerItemDelay, downstream: o.Downstream, fanOut: o.FanOut,
			jitter: newJitters(o.Jitter, o.Seed), stall: newStalls(o.Stall, time.Now()),
		},
		faults: armed,
		stall:  stallFor,
		window: raceFor,
	}
	for _, s := range []*shelf{b.products, b.subscriptions} {
		s.now, s.lag = at.Now, o.VisibleAfter
		if armed.unseen() {
			s.lag = Never
		}
	}
	if o.Workers > 0 {
		b.load.crew = newCrew(o.Workers)
	}
	capabilities := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if o.Tasks != "" {
		capabilities.AddExtension(tasksExtension, nil)
	}
	b.server = mcp.NewServer(
		&mcp.Implementation{Name: serverName, Title: serverTitle, Version: Version},
		&mcp.ServerOptions{
			Instructions:              "A shop's back office in memory. Validate, confirm, then cancel; reset starts over.",
			Capabilities:              capabilities,
			SupportedProtocolVersions: o.Revisions,
		})
	for _, t := range toolList(o) {
		b.add(t)
	}
	if o.ConfirmRounds > 0 || o.Tasks != "" {
		b.server.AddReceivingMiddleware(b.receive)
	}
	if o.Tasks != "" {
		if err := b.serveTasks(); err != nil {
			return nil, fmt.Errorf("serving tasks: %w", err)
		}
	}
	if o.Resume {
		if err := b.resume(); err != nil {
			return nil, fmt.Errorf("options of the fake backend: %w", err)
		}
	}
	if err := b.save(); err != nil {
		return nil, fmt.Errorf("options of the fake backend: %w", err)
	}
	b.handler = sync.OnceValue(b.newHandler)
	b.interfereAtTimes()
	return b, nil
}

// Effects gives what really happened, in order.
func (b *Backend) Effects() []Effect { return b.effects.all() }

func (b *Backend) add(t tool) {
	no, destructive := false, !t.readOnly
	listed := &mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description,
		InputSchema: encode(t.input),
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.readOnly, IdempotentHint: t.idempotent,
			DestructiveHint: &destructive, OpenWorldHint: &no,
		},
	}
	if t.output != nil && !b.faults.undeclared() {
		listed.OutputSchema = encode(t.output)
	}
	b.server.AddTool(listed, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return b.call(ctx, t, request)
	})
}

// call runs one tool. A panic is our own defect: it is answered as an internal
// error, since the SDK would end the process.
func (b *Backend) call(ctx context.Context, t tool, request *mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s: %v", t.name, broken)}
		}
	}()
	c, err := b.begin(ctx, t.name, request)
	if err != nil {
		return nil, err
	}
	c.ctx = telling(c.ctx, request, c.bends)
	a, err := b.perform(c, t)
	switch {
	case err != nil:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: t.name + ": " + err.Error()}
	case c.failure != nil:
		return nil, c.failure
	case c.asker.requests != nil:
		return &mcp.CallToolResult{InputRequests: c.asker.requests, RequestState: c.asker.next}, nil
	}
	payload := encode(a.payload)
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(payload)}},
		StructuredContent: payload,
		IsError:           a.failed,
	}, nil
}

// perform does what a call asks for, and saves the state.
func (b *Backend) perform(c *call, t tool) (*answer, error) {
	begun, ctx := time.Now(), c.ctx // the tool may give the call a context of its own, and its work another
	a := t.run(b, c)
	b.load.thaw(ctx)
	if b.options.ServerTiming {
		b.truth.add(t.name, int(atomic.LoadInt64(&c.items)), time.Since(begun))
	}
	if !t.readOnly || len(b.options.Faults) > 0 { // a faulty server may write where it only reads
		if err := b.save(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// begin reads a call.
func (b *Backend) begin(ctx context.Context, tool string, request *mcp.CallToolRequest) (*call, error) {
	if err := b.called(); err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: tool + ": " + err.Error()}
	}
	args, ok := readArguments(request.Params.Arguments)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: tool + ": arguments is a JSON object"}
	}
	c := &call{
		ctx: ctx, tool: tool, args: args, bends: b.faults.bends(tool, drawnOf(request.Params.Meta)),
		asker: &asker{peer: peerOf(request.Session, request.Params.Meta), responses: request.Params.InputResponses, state: request.Params.RequestState},
	}
	for _, bent := range c.bends {
		if bent.begin != nil {
			bent.begin(b, c)
		}
	}
	return c, nil
}
