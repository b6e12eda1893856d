package load

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/suites"
)

// clock is a recorder that keeps nothing.
type clock struct{ began time.Time }

func (clock) Record(conform.Observation) {}
func (c clock) Now() time.Duration       { return time.Since(c.began) + 1 }

// shop is a server whose tool is told what to answer.
type shop struct {
	*httptest.Server
	// answer gives the result for the items asked for; nil: the good one.
	answer atomic.Pointer[func(items []string) string]
	// whole answers an HTTP request in place of a JSON body.
	whole  atomic.Pointer[func(w http.ResponseWriter, message string)]
	calls  atomic.Int64
	schema string
}

const goodSchema = `{"type":"object","required":["results"],"properties":{"results":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"success":{"type":"boolean"},"protocol":{"type":"string"}}}}}}`

func openShop(t testing.TB) *shop {
	s := &shop{schema: goodSchema}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Server.Close)
	return s
}

func (s *shop) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var asked struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Arguments struct{ Items []struct{ ID string } }
		}
	}
	_ = json.Unmarshal(body, &asked)
	w.Header().Set("Content-Type", "application/json")
	switch asked.Method {
	case "initialize":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}}`, asked.ID)
		return
	case "notifications/initialized", "notifications/cancelled":
		w.WriteHeader(http.StatusAccepted)
		return
	case "tools/list":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"cancel","inputSchema":{"type":"object"},"outputSchema":%s},{"name":"query","inputSchema":{"type":"object"}}]}}`, asked.ID, s.schema)
		return
	}
	s.calls.Add(1)
	var items []string
	for _, item := range asked.Params.Arguments.Items {
		items = append(items, item.ID)
	}
	answer := s.good
	if set := s.answer.Load(); set != nil {
		answer = *set
	}
	message := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, answer(items))
	if whole := s.whole.Load(); whole != nil {
		(*whole)(w, message)
		return
	}
	_, _ = io.WriteString(w, message)
}

// good cancels every item that does not begin with X, each under a protocol of its own.
func (s *shop) good(items []string) string {
	n := s.calls.Load()
	return result(items, func(i int, id string) string {
		if strings.HasPrefix(id, "X") {
			return fmt.Sprintf(`{"id":%q,"success":false,"error":"not_found"}`, id)
		}
		return fmt.Sprintf(`{"id":%q,"success":true,"protocol":"P-%d-%d"}`, id, n, i)
	})
}

// result writes rows with their mirror.
func result(items []string, row func(i int, id string) string) string {
	var rows []string
	for i, id := range items {
		rows = append(rows, row(i, id))
	}
	payload := `{"results":[` + strings.Join(rows, ",") + `]}`
	text, _ := json.Marshal(payload)
	return `{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + payload + `}`
}

func (s *shop) says(answer func(items []string) string) { s.answer.Store(&answer) }

// desk is one user at a shop, with what is needed to make templates.
type desk struct {
	t       testing.TB
	client  *wire.Client
	session *wire.Session
	tape    *Tape
	judge   *Judge
	way     *lean.Way
	user    *User
}

func (s *shop) desk(t testing.TB) *desk {
	t.Helper()
	d := &desk{t: t}
	listing := &keeping{clock: clock{time.Now()}}
	d.tape = NewTape(listing)
	client, err := wire.Dial(context.Background(), wire.Config{URL: s.URL, Protocol: wire.Revision20251125, Recorder: d.tape})
	if err != nil {
		t.Fatal(err)
	}
	d.client = client
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	if d.session, err = client.Open(context.Background(), "s1"); err != nil {
		t.Fatal(err)
	}
	listed := listing.tools(d.session)
	header := conform.Header{Target: conform.Target{Name: "shop", HasFile: true, Transport: wire.StreamableHTTP, Protocol: wire.Revision20251125, Operations: []conform.Operation{
		{Name: "cancel", Tool: "cancel", Write: true, Argument: "items", Style: conform.StyleArray, Semantics: "idempotent"},
		{Name: "query", Tool: "query", Argument: "items", Style: conform.StyleArray},
	}}}
	d.judge = NewJudge(header, listed, suites.All())
	frozen, err := d.session.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	if d.way, err = lean.Plan(context.Background(), frozen, lean.Options{Now: d.tape.Now}); err != nil {
		t.Fatal(err)
	}
	conn := d.way.Open()
	t.Cleanup(conn.Close)
	d.user = &User{Conn: conn, Judge: d.judge, IDs: NewIDs()}
	return d
}

// keeping is a recorder that keeps all.
type keeping struct {
	clock
	mu   sync.Mutex
	kept []conform.Observation
}

func (k *keeping) Record(o conform.Observation) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(k.kept, o)
}

// only keeps what is recorded while something is done.
func (k *keeping) only(do func()) []conform.Observation {
	k.mu.Lock()
	from := len(k.kept)
	k.mu.Unlock()
	do()
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.kept[from:])
}

// tools has a session list its tools, and gives what was recorded of it.
func (k *keeping) tools(s *wire.Session) []conform.Observation {
	return k.only(func() {
		k.Record(conform.Observation{Kind: conform.KindPlanned, Call: "list", Session: "s1", Planned: &conform.Planned{Role: conform.RoleList, Method: "tools/list"}})
		s.Do(context.Background(), wire.Request{Call: "list", Method: "tools/list", Params: json.RawMessage(`{}`)})
	})
}

// asks plans a call of an operation; ids that begin with X are bad.
func asks(operation string, ids ...string) conform.Planned {
	p := conform.Planned{Operation: operation, Role: conform.RolePrimary, Method: "tools/call", Tool: operation, Step: "load"}
	var given []string
	for _, id := range ids {
		item := fmt.Sprintf(`{"id":%q}`, id)
		given = append(given, item)
		truth := conform.Good
		if strings.HasPrefix(id, "X") {
			truth = conform.Bad
		}
		p.Items = append(p.Items, conform.Item{Given: json.RawMessage(item), Truth: truth})
	}
	p.Arguments = json.RawMessage(`{"items":[` + strings.Join(given, ",") + `]}`)
	return p
}

// template adds a template that asks for the same items every time.
func (d *desk) template(operation string, ids ...string) *Template {
	d.t.Helper()
	return d.make(Source{Make: func(uint64) conform.Planned { return asks(operation, ids...) }})
}

func (d *desk) make(source Source) *Template {
	d.t.Helper()
	source.Timeout = 20 * time.Second
	t, err := NewTemplate(d.session, d.way, d.judge, source)
	if err != nil {
		d.t.Fatal(err)
	}
	d.user.Templates = append(d.user.Templates, t)
	return t
}
