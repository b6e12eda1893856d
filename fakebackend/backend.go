package fakebackend

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Version is what the server says of itself in its handshake.
const Version = "1.0.0"

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
	protocols     atomic.Int64

	// How long a faulty server hangs, and what a racy one leaves between looking
	// and acting.
	stall, window time.Duration
}

const (
	// stallFor is longer than the 30 seconds that clients wait by default.
	stallFor = 35 * time.Second
	// raceFor is long enough for calls that are in flight together to meet.
	raceFor = 40 * time.Millisecond
)

// New makes a backend with a fresh store. Options that cannot be are an error.
func New(options Options) (*Backend, error) {
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
		products:      newShelf("product", bulk{idPrefix: "B", namePrefix: "Bulk "}, productEntries()),
		subscriptions: newShelf("subscription", bulk{idPrefix: "SB", namePrefix: "Bulk subscription "}, subscriptionEntries()),
		orders:        newOrders(),
		keys:          newKeyring(),
		effects:       &effectLog{now: time.Now},
		load:          &load{perCall: o.PerCallDelay, perItem: o.PerItemDelay, downstream: o.Downstream, fanOut: o.FanOut},
		faults:        armed,
		stall:         stallFor,
		window:        raceFor,
	}
	if o.Workers > 0 {
		b.load.workers = make(chan struct{}, o.Workers)
	}
	b.server = mcp.NewServer(
		&mcp.Implementation{Name: "fakebackend", Title: "Products, subscriptions and orders", Version: Version},
		&mcp.ServerOptions{
			Instructions:              "A shop's back office in memory. Validate, confirm, then cancel; reset starts over.",
			Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
			SupportedProtocolVersions: o.Revisions,
		})
	for _, t := range toolList(o) {
		b.add(t)
	}
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
		return b.call(ctx, t, request.Params.Arguments)
	})
}

// call runs one tool. A panic is our own defect: it is answered as an internal
// error, since the SDK would end the process.
func (b *Backend) call(ctx context.Context, t tool, raw json.RawMessage) (result *mcp.CallToolResult, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("%s: %v", t.name, broken)}
		}
	}()
	args, ok := readArguments(raw)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: t.name + ": arguments is a JSON object"}
	}
	c := &call{ctx: ctx, tool: t.name, args: args, bends: b.faults.bends(t.name)}
	for _, bent := range c.bends {
		if bent.begin != nil {
			bent.begin(b, c)
		}
	}
	a := t.run(b, c)
	payload := encode(a.payload)
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(payload)}},
		StructuredContent: payload,
		IsError:           a.failed,
	}, nil
}
