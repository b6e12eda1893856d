package load

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/target"
)

// shelfDesk is a desk at the demonstration backend, by its own target file.
func shelfDesk(t *testing.T, config wire.Config) *desk {
	t.Helper()
	file, err := target.Load("builtin:fakebackend", os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t}
	list := &keeping{clock: clock{time.Now()}}
	d.tape = NewTape(list)
	config.Recorder = d.tape
	config.Timeouts.StreamGrace = 10 * time.Millisecond
	if d.client, err = wire.Dial(context.Background(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.client.Close(context.Background()) })
	if d.session, err = d.client.Open(context.Background(), "s1"); err != nil {
		t.Skipf("no session: %v", err)
	}
	listed := list.tools(d.session)
	header := conform.Header{Target: file.Conform()}
	header.Target.Protocol = d.session.Protocol
	d.judge = NewJudge(header, listed, suites.All())
	d.user = &User{Judge: d.judge, IDs: NewIDs()}
	return d
}

// online gives the desk's user a connection over HTTP.
func (d *desk) online() {
	d.t.Helper()
	frozen, err := d.session.Freeze()
	if err != nil {
		d.t.Fatal(err)
	}
	if d.way, err = lean.Plan(context.Background(), frozen, lean.Options{Now: d.tape.Now}); err != nil {
		d.t.Fatal(err)
	}
	d.user.Conn = d.way.Open()
	d.t.Cleanup(d.user.Conn.Close)
}

var bulk atomic.Uint64

// cancelling asks for two products that nobody asked for yet, and for one that
// there is not.
func cancelling() Source {
	return Source{Digits: 5, Timeout: 2 * time.Second, Next: func() (uint64, bool) { return 10_000 + 2*bulk.Add(1)%80_000, true }, Make: func(first uint64) conform.Planned {
		p := conform.Planned{Operation: "cancel-products", Role: conform.RolePrimary, Method: "tools/call", Tool: "cancel_products", Step: "load"}
		var given []string
		for i := range uint64(2) {
			given = append(given, fmt.Sprintf(`{"name":"Bulk %d","id":"B%d"}`, first+i, first+i))
		}
		given = append(given, `{"name":"Product X","id":"9999"}`)
		for i, g := range given {
			p.Items = append(p.Items, conform.Item{Given: json.RawMessage(g), Truth: []conform.Truth{conform.Good, conform.Good, conform.Bad}[i]})
		}
		p.Arguments = json.RawMessage(`{"items":[` + strings.Join(given, ",") + `]}`)
		return p
	}}
}

func querying() Source {
	return Source{Timeout: 2 * time.Second, Make: func(uint64) conform.Planned {
		p := conform.Planned{Operation: "query-orders", Role: conform.RolePrimary, Method: "tools/call", Tool: "query_orders", Step: "load"}
		for _, id := range []string{`"O-1001"`, `"O-9001"`, `"O-1002"`} {
			truth := conform.Good
			if strings.Contains(id, "9001") {
				truth = conform.Bad
			}
			p.Items = append(p.Items, conform.Item{Given: json.RawMessage(id), Truth: truth})
		}
		p.Arguments = json.RawMessage(`{"order_ids":["O-1001","O-9001","O-1002"]}`)
		return p
	}}
}

// The good backend is good on every revision and in every form, and after the first
// answer the checks are not asked any more.
func TestTheGoodBackendIsReadInPassing(t *testing.T) {
	for _, revision := range []string{wire.Revision20260728, wire.Revision20251125, wire.Revision20250618, wire.Revision20250326} {
		for _, options := range []fakebackend.Options{{}, {JSONAnswers: true}, {Shape: fakebackend.Wrapped}, {Sessions: fakebackend.Stateless, JSONAnswers: true}} {
			t.Run(fmt.Sprintf("%s, JSON %t, %s%s", revision, options.JSONAnswers, options.Shape, options.Sessions), func(t *testing.T) {
				backend, err := fakebackend.New(options)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(backend.Close)
				server := httptest.NewServer(backend.Handler())
				t.Cleanup(server.Close)
				d := shelfDesk(t, wire.Config{URL: server.URL, Protocol: revision})
				d.online()
				d.goesWell(d.way)
			})
		}
	}
}

func TestTheGoodBackendIsReadInPassingOverStdio(t *testing.T) {
	d := shelfDesk(t, wire.Config{Command: []string{os.Args[0]}, Env: []string{"BARE_SERVER=fakebackend", "GORACE=atexit_sleep_ms=0"}})
	other, err := d.client.Open(context.Background(), "s2")
	if err != nil {
		t.Fatal(err)
	}
	pipes, err := other.TakeOver(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d.user.Conn = lean.OpenStdio(pipes, 1<<20, d.tape.Now)
	t.Cleanup(d.user.Conn.Close)
	d.goesWell(Lines{})
}

func (d *desk) goesWell(way Way) {
	d.t.Helper()
	for _, source := range []Source{cancelling(), querying()} {
		template, err := NewTemplate(d.session, way, d.judge, source)
		if err != nil {
			d.t.Fatal(err)
		}
		v, difference, err := d.user.Prime(context.Background(), d.session, d.tape, template, true)
		if err != nil || difference != "" || v.Outcome != OK {
			d.t.Fatalf("%+v, %q, %v", v, difference, err)
		}
		for range 3 {
			if c := d.user.Do(template, 0); c.Outcome != OK || c.How != ByPass && c.How != ByMemory {
				d.t.Errorf("%s: %s %+v", template.op.Name, told(c), c.Verdict)
			}
		}
	}
}

// Whatever a server does wrong, both roads say the same of it.
func TestBothRoadsJudgeFaultsAlike(t *testing.T) {
	wrong, quiet := 0, 0
	for _, fault := range fakebackend.Faults() {
		if len(fault.Needs) > 0 || !strings.Contains(fmt.Sprint(fault.Transports), "http") || testing.Short() {
			continue
		}
		t.Run(fault.ID, func(t *testing.T) {
			backend, err := fakebackend.New(fakebackend.Options{Faults: []fakebackend.Fault{fault}, JSONAnswers: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(backend.Close)
			server := httptest.NewServer(backend.Handler())
			t.Cleanup(server.Close)
			d := shelfDesk(t, wire.Config{URL: server.URL, Timeouts: wire.Timeouts{Call: 2 * time.Second}})
			d.online()
			for _, source := range []Source{cancelling(), querying()} {
				source.Timeout = 500 * time.Millisecond
				template, err := NewTemplate(d.session, d.way, d.judge, source)
				if err != nil {
					t.Fatal(err)
				}
				v, difference, err := d.user.Prime(context.Background(), d.session, d.tape, template, true)
				if err != nil {
					continue // nothing was answered: there is nothing to judge
				}
				if difference != "" {
					t.Errorf("%s: %s", template.op.Name, difference)
				}
				if v.Outcome == OK {
					quiet++
				} else {
					wrong++
				}
			}
		})
	}
	if !testing.Short() && (wrong < 40 || quiet < 40) {
		t.Errorf("%d wrong, %d all right: the faults do not show", wrong, quiet)
	}
}
