// Package sdkloop calls a tool by the go-sdk's client in a loop, as one who writes a
// load test by hand would: to have something to compare with. The pool of connections
// is as large as it has users; its results are looked at, and no more.
package sdkloop

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Plan says what to call, and how long.
type Plan struct {
	URL     string   // of a server over HTTP
	Command []string // of one over stdio, one process for each user
	Users   int
	Items   []string // of each call, by id
	For     time.Duration
}

// Run calls until the time is over, and gives how many calls were answered as they
// should be, and how long it took.
func Run(ctx context.Context, p Plan) (calls int64, took time.Duration, err error) {
	items := make([]map[string]string, len(p.Items))
	for i, id := range p.Items {
		items[i] = map[string]string{"id": id}
	}
	params := &mcp.CallToolParams{Name: "query", Arguments: map[string]any{"items": items}}
	sessions, err := connect(ctx, p)
	defer func() {
		for _, s := range sessions {
			_ = s.Close() // its calls are done
		}
	}()
	if err != nil {
		return 0, 0, err
	}
	for i := range p.Users { // a first call of each opens its connection
		if err := call(ctx, sessions[i%len(sessions)], params, len(items)); err != nil {
			return 0, 0, err
		}
	}
	var all sync.WaitGroup
	var made atomic.Int64
	failed := make([]error, p.Users)
	begun := time.Now()
	for i := range p.Users {
		all.Go(func() {
			for time.Since(begun) < p.For && failed[i] == nil {
				if failed[i] = call(ctx, sessions[i%len(sessions)], params, len(items)); failed[i] == nil {
					made.Add(1)
				}
			}
		})
	}
	all.Wait()
	took = time.Since(begun)
	for _, err := range failed {
		if err != nil {
			return 0, 0, err
		}
	}
	return made.Load(), took, nil
}

func connect(ctx context.Context, p Plan) (sessions []*mcp.ClientSession, err error) {
	n := 1
	if p.URL == "" {
		n = p.Users
	}
	for range n {
		var transport mcp.Transport
		if p.URL != "" {
			pool := http.DefaultTransport.(*http.Transport).Clone()
			pool.MaxIdleConns, pool.MaxIdleConnsPerHost = 2*p.Users, 2*p.Users
			transport = &mcp.StreamableClientTransport{Endpoint: p.URL, HTTPClient: &http.Client{Transport: pool}, DisableStandaloneSSE: true}
		} else {
			transport = &mcp.CommandTransport{Command: exec.Command(p.Command[0], p.Command[1:]...)}
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "sdkloop", Version: "1"}, nil)
		s, err := client.Connect(ctx, transport, nil)
		if err != nil {
			return sessions, fmt.Errorf("connecting the go-sdk's client: %w", err)
		}
		sessions = append(sessions, s)
	}
	return sessions, nil
}

// call makes one call, and sees that every row says that it succeeded.
func call(ctx context.Context, s *mcp.ClientSession, params *mcp.CallToolParams, items int) error {
	result, err := s.CallTool(ctx, params)
	if err != nil {
		return fmt.Errorf("calling by the go-sdk's client: %w", err)
	}
	structured, _ := result.StructuredContent.(map[string]any)
	rows, _ := structured["results"].([]any)
	good := 0
	for _, row := range rows {
		if r, _ := row.(map[string]any); r["success"] == true {
			good++
		}
	}
	if result.IsError || good != items {
		return fmt.Errorf("the go-sdk's client got %d good rows of %d", good, items)
	}
	return nil
}
