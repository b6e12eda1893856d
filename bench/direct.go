package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/suites"
)

// notes is a recorder: it keeps what is recorded, which is the handshake and tools/list.
type notes struct {
	began time.Time
	mu    sync.Mutex
	kept  []conform.Observation
}

// Now is the clock.
func (n *notes) Now() time.Duration { return time.Since(n.began) + 1 }

// Record keeps one observation.
func (n *notes) Record(o conform.Observation) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kept = append(n.kept, o)
}

// direct has the users of our load call with nothing around them: no window, no tally
// and no view, though every answer is judged. What recording costs is the difference.
func direct(p plan) (figures, error) {
	ctx := context.Background()
	recorder := &notes{began: time.Now()}
	client, err := wire.Dial(ctx, wire.Config{URL: p.URL, Recorder: recorder})
	if err != nil {
		return figures{}, err
	}
	defer client.Close(ctx)
	session, err := client.Open(ctx, "main")
	if err != nil {
		return figures{}, err
	}
	if reply := session.Do(ctx, wire.Request{Call: "list", Method: "tools/list"}); reply.Response == nil {
		return figures{}, fmt.Errorf("tools/list: %s", reply.Problem)
	}
	frozen, err := session.Freeze()
	if err != nil {
		return figures{}, err
	}
	way, err := lean.Plan(ctx, frozen, lean.Options{Now: recorder.Now})
	if err != nil {
		return figures{}, err
	}
	defer way.Close()
	users, err := p.users(session, way, recorder.kept)
	if err != nil {
		return figures{}, err
	}
	begin := recorder.Now() + p.Warm
	return together(users, recorder.Now, begin, begin+p.For)
}

// users are virtual users with two templates each, as a load has them.
func (p *plan) users(session *wire.Session, way *lean.Way, listed []conform.Observation) ([]*load.User, error) {
	file, err := p.target()
	if err != nil {
		return nil, err
	}
	header := conform.Header{Target: file.Conform()}
	header.Target.Protocol = session.Protocol
	judge, ids := load.NewJudge(header, listed, suites.All()), load.NewIDs()
	all := items(2 * p.Users * p.Batch)
	var users []*load.User
	for range p.Users {
		u := &load.User{Conn: way.Open(), Judge: judge, IDs: ids}
		for range 2 {
			asks := planned(all[:p.Batch])
			all = all[p.Batch:]
			t, err := load.NewTemplate(session, way, judge, load.Source{Make: func(uint64) conform.Planned { return asks }, Timeout: longest})
			if err != nil {
				return nil, err
			}
			u.Templates = append(u.Templates, t)
		}
		users = append(users, u)
	}
	return users, nil
}

// planned is a call of the bare server's tool.
func planned(ids []string) conform.Planned {
	p := conform.Planned{Operation: "query", Role: conform.RolePrimary, Method: "tools/call", Tool: "query", Step: "load"}
	given := make([]string, len(ids))
	for i, id := range ids {
		given[i] = fmt.Sprintf(`{"id":%q}`, id)
		p.Items = append(p.Items, conform.Item{Given: json.RawMessage(given[i]), Truth: conform.Good})
	}
	p.Arguments = json.RawMessage(`{"items":[` + strings.Join(given, ",") + `]}`)
	return p
}

// together has all users call until the end, and counts what comes from the beginning on.
func together(users []*load.User, now func() time.Duration, begin, end time.Duration) (figures, error) {
	var all sync.WaitGroup
	var calls atomic.Int64
	var wrong atomic.Pointer[load.Call]
	for _, u := range users {
		all.Go(func() {
			defer u.Conn.Close()
			counted := int64(0)
			for wrong.Load() == nil {
				at := now()
				if at >= end {
					break
				}
				c := u.Call(at)
				if c.Outcome != load.OK {
					wrong.Store(&c)
				}
				if c.Done >= begin && c.Done < end {
					counted++
				}
			}
			calls.Add(counted)
		})
	}
	all.Wait()
	if c := wrong.Load(); c != nil {
		return figures{}, fmt.Errorf("a call was %s (%s)", c.Outcome, c.Class)
	}
	n := float64(calls.Load())
	return figures{Calls: n, Rate: n / (end - begin).Seconds()}, nil
}
