package fakebackend

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// steps is a conversation that touches every rule once: each step is a method or
// tool and what goes with it.
var steps = []struct{ name, tool, arguments string }{
	{"all good", cancelProducts, `{"items":[{"name":"Product A","id":"1001"},{"name":"Product B","id":"1002"},{"name":"Product C","id":"1003"}]}`},
	{"mixed", cancelProducts, `{"items":[{"name":"Product D","id":"1004"},{"name":"Product S","id":"2001"},{"name":"Product E","id":"1005"},{"name":"Product X","id":"9999"},{"name":"Product F","id":"1006"}]}`},
	{"all bad", cancelProducts, `{"items":[{"name":"Product X","id":"9999"},{"name":"Gift Card","id":"2002"}]}`},
	{"one good", cancelProducts, `{"items":[{"name":"Café Especial","id":"1007"}]}`},
	{"one bad", cancelProducts, `{"items":[{"name":"Product X","id":"9999"}]}`},
	{"nothing", cancelProducts, `{"items":[]}`},
	{"the same twice", cancelProducts, `{"items":[{"name":"Cable, 2 m","id":"1008"},{"name":"Cable, 2 m","id":"1008"}]}`},
	{"texts", cancelProducts, `{"items":["Bulk 1","Bulk 2"]}`},
	{"bare", cancelProducts, `{"items":{"name":"Bulk 3","id":"B3"}}`},
	{"extras", cancelProducts, `{"items":[{"id":"B4"},{"id":"B5"}],"query":"q"}`},
	{"judge all good", validateProducts, `{"items":[{"id":"B6"},{"id":"B7"}]}`},
	{"judge mixed", validateProducts, `{"items":["produto a",{"id":"B8"},"Product X"]}`},
	{"judge all bad", validateProducts, `{"items":["Product X"]}`},
	{"judge nothing", validateProducts, `{}`},
	{"resolved", cancelProducts, `{"items":[{"id":"B9","name":"Bulk 9","eligible":true},{"name":"Product X","eligible":false,"reason":"not_found"},{"id":"B10","name":"Bulk 10","eligible":true}]}`},
	{"judge text", validateSubscriptions, `{"subject":"Video Basic, Café e Prosa and Nowhere Weekly"}`},
	{"text", cancelSubscriptions, `{"subject":"Video Basic, Nowhere Weekly, S-05"}`},
	{"workflow", cancelProductsWorkflow, `{"items":[{"id":"B11"},{"id":"9999"},{"id":"B12"}]}`},
	{"auxiliary failure", cancelProductsWorkflow, `{"items":[{"id":"B13"},{"id":"B14"}],"notify":"unreachable"}`},
	{"query good", queryOrders, `{"order_ids":["O-1001","O-1002"]}`},
	{"query mixed", queryOrders, `{"order_ids":["O-1003","O-9001","O-1004"]}`},
	{"query odd", queryOrders, "{\"order_ids\":[\"O\u200b-1001\",\"O-1001\"]}"},
	{"with a key", cancelProducts, `{"items":[{"id":"B15"},{"id":"9999"}],"idempotency_key":"k"}`},
	{"same key", cancelProducts, `{"items":[{"id":"B15"},{"id":"9999"}],"idempotency_key":"k"}`},
	{"retry", cancelProducts, `{"items":[{"id":"B15"},{"id":"9999"}],"idempotency_key":"another"}`},
	{"large", cancelProducts, `{"items":` + bulkItems(101, 30) + `}`},
	{"probe", getProducts, `{"ids":["1001","1004","1008","2001","B6","B8","B9","B15","B101"]}`},
	{"reset", resetTool, `{}`},
	{"unit", cancelProduct, `{"id":"1001"}`},
}

func bulkItems(from, n int) string {
	items := make([]map[string]string, n)
	for i := range items {
		items[i] = map[string]string{"id": fmt.Sprintf("B%d", from+i)}
	}
	return quote(items)
}

// seen is what a step brought: the bytes, and what really happened.
type seen struct{ name, bytes string }

var protocolNumber = regexp.MustCompile(`P-\d{8}`)

// talk has the conversation over one transport.
type talk interface {
	// say sends a message and gives all that came back for it.
	say(message string) string
}

func (b *Backend) converse(with talk, t *testing.T) []seen {
	t.Helper()
	var all []seen
	effects, old := 0, map[string]string{}
	note := func(name, got string) {
		// Protocols are named by the step they came in: their numbers move when
		// an earlier step cancels more or less.
		fresh := 0
		got = protocolNumber.ReplaceAllStringFunc(got, func(number string) string {
			if old[number] == "" {
				fresh++
				old[number] = fmt.Sprintf("P-%s-%d", name, fresh)
			}
			return old[number]
		})
		log := b.Effects()
		for _, e := range log[effects:] {
			got += fmt.Sprintf("\n%s %s by %s under %q", e.Kind, e.Item, e.Tool, e.Key)
		}
		effects = len(log)
		all = append(all, seen{name, got})
	}
	note("initialize", with.say(initialize))
	note("initialized", with.say(initiated))
	note("list", with.say(`{"jsonrpc":"2.0","id":100,"method":"tools/list","params":{}}`))
	for i, s := range steps {
		note(s.name, with.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, 200+i, s.tool, s.arguments)))
	}
	note("with a bar", with.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":300,"method":"tools/call","params":{"name":%q,"arguments":{"items":["Bulk 21","Bulk 22","Bulk 23"]},"_meta":{"progressToken":300}}}`, cancelProducts)))
	return all
}

// overHTTP talks to a handler without a network.
type overHTTP struct {
	t       *testing.T
	handler http.Handler
	session string
}

func (h *overHTTP) say(message string) string {
	r := h.send(http.MethodPost, message)
	if id := r.Header().Get(sessionHeader); id != "" {
		h.session = id
	}
	// The session id is drawn anew each time.
	kind := strings.Trim(r.Header().Get(sessionHeader), "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
	return fmt.Sprintf("%d %s [%s]\n%s", r.Code, r.Header().Get("Content-Type"), kind, r.Body)
}

func (h *overHTTP) send(method, message string) *httptest.ResponseRecorder {
	request := httptest.NewRequestWithContext(h.t.Context(), method, "/mcp", strings.NewReader(message))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if h.session != "" {
		request.Header.Set(sessionHeader, h.session)
	}
	recorder := httptest.NewRecorder()
	h.handler.ServeHTTP(recorder, request)
	return recorder
}

// goodbye ends the session and uses it once more.
func (h *overHTTP) goodbye() []seen {
	return []seen{
		{"delete", fmt.Sprint(h.send(http.MethodDelete, "").Code)},
		{"after delete", fmt.Sprint(h.send(http.MethodPost, `{"jsonrpc":"2.0","id":999,"method":"tools/list","params":{}}`).Code)},
	}
}

// overStdio talks over pipes. After each message a ping shows that all has come.
type overStdio struct {
	t     *testing.T
	in    io.Writer
	out   *bufio.Reader
	pings int
}

func (s *overStdio) say(message string) string {
	s.pings++
	ping := fmt.Sprintf(`{"jsonrpc":"2.0","id":"ping %d","method":"ping"}`, s.pings)
	go func() { _, _ = io.WriteString(s.in, message+"\n") }()
	var got bytes.Buffer
	sent := false
	for {
		// The answer comes first: only then is the ping sent, since calls are
		// answered in any order.
		if !sent && (got.Len() > 0 && answers(got.Bytes(), message) || !strings.Contains(message, `"id"`)) {
			sent = true
			go func() { _, _ = io.WriteString(s.in, ping+"\n") }()
		}
		text, err := s.out.ReadBytes('\n')
		if err != nil {
			return got.String() + "ended: " + err.Error()
		}
		if bytes.Contains(text, []byte(fmt.Sprintf(`"id":"ping %d"`, s.pings))) {
			return got.String()
		}
		got.Write(text)
	}
}

// answers tells whether among the lines is one with the message's id.
func answers(lines []byte, message string) bool {
	asked := readExchange([]byte(message))
	for text := range bytes.SplitSeq(lines, []byte("\n")) {
		if v, err := decode(text); err == nil {
			if m, ok := v.(*object); ok && m.has("id") && string(encode(m.get("id"))) == string(asked.id) {
				return true
			}
		}
	}
	return false
}

// play has the conversation with a fresh backend.
func play(t *testing.T, over string, f ...Fault) []seen {
	t.Helper()
	b, err := New(Options{Faults: f, JSONAnswers: over == "http json"})
	if err != nil {
		t.Fatal(err)
	}
	b.stall, b.window = time.Millisecond, time.Millisecond
	defer func() {
		for session := range b.server.Sessions() {
			_ = session.Close()
		}
	}()
	if over != "stdio" {
		h := &overHTTP{t: t, handler: b.Handler()}
		return append(b.converse(h, t), h.goodbye()...)
	}
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- b.ServeStdio(ctx, in, out)
		_ = out.Close()
		_ = in.Close()
	}()
	all := b.converse(&overStdio{t: t, in: send, out: bufio.NewReader(receive)}, t)
	cancel()
	_ = send.Close()
	err = <-ended
	return append(all, seen{"end", fmt.Sprint(err)})
}

// changed names the steps in which two conversations differ.
func changed(a, b []seen) []string {
	var names []string
	for i := range a {
		if a[i].bytes != b[i].bytes {
			names = append(names, a[i].name)
		}
	}
	return names
}

var transports = map[string]Transport{"http json": HTTP, "http sse": HTTP, "stdio": Stdio}

// inACrowd are faults that show only with calls in flight together; they have
// tests of their own.
var inACrowd = []string{"IDM-05/race", "LD-01/shared-buffer", "LD-02/too-slow", "CON-01/lost-update", "CON-02/check-then-act", "CON-03/never-answers", "CON-04/once-more", "CON-05/undoes-earlier", "LD-01/crossed-answers", "LD-01/session-mix-up", "CON-06/keeps-the-lock"}

// TestEachFaultShowsWhereItSaysAndNowhereElse compares the conversation with
// each faulty server with the one with the good server. The golden file names
// the steps that differ.
func TestEachFaultShowsWhereItSaysAndNowhereElse(t *testing.T) {
	good := map[string][]seen{}
	for over := range transports {
		good[over] = play(t, over)
		if again := changed(good[over], play(t, over)); len(again) > 0 {
			t.Fatalf("%s: the good server says two things in the steps %q", over, again)
		}
	}
	var golden strings.Builder
	for _, f := range Faults() {
		if len(f.Needs) > 0 {
			continue // of tools that this conversation does not call: each has a test of its own
		}
		fmt.Fprintf(&golden, "%s: %s\n", f.ID, f.Sentence)
		where := map[string][]string{}
		for _, over := range []string{"http json", "http sse", "stdio"} {
			if over == "http sse" && !strings.HasPrefix(f.ID, "PRO-") && !strings.HasPrefix(f.ID, "ENV-") {
				continue // the others change data, whatever carries it
			}
			names := changed(good[over], play(t, over, f))
			lists := f.how.undeclared && slices.Contains(names, "list")
			if f.how.undeclared {
				names = slices.DeleteFunc(names, func(name string) bool { return name == "list" })
			}
			shows := slices.Contains(f.Transports, transports[over]) && !slices.Contains(inACrowd, f.ID)
			if over == "http json" && (f.Check == "PRO-16" || f.Check == "PRO-17") {
				shows = false // an answer of plain JSON has no room for progress
			}
			if shows != (len(names) > 0) {
				t.Errorf("%s over %s changes the steps %q", f.ID, over, names)
			}
			if f.how.undeclared != lists {
				t.Errorf("%s over %s: outputSchema", f.ID, over)
			}
			if shows {
				where[strings.Join(names, ", ")] = append(where[strings.Join(names, ", ")], over)
			}
		}
		for _, names := range slices.Sorted(maps.Keys(where)) {
			fmt.Fprintf(&golden, "  over %s: %s\n", strings.Join(where[names], ", "), names)
		}
	}
	const path = "testdata/faults.golden"
	if *update {
		if err := os.WriteFile(path, []byte(golden.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if golden.String() != string(want) {
		t.Errorf("the steps that differ are not those of %s (go test -update rewrites it):\n%s", path, golden.String())
	}
}

func TestFaultsAreOfTheCatalogueAndHaveIdsOfTheirOwn(t *testing.T) {
	ids := map[string]bool{}
	for _, f := range Faults() {
		if ids[f.ID] {
			t.Errorf("%s is there twice", f.ID)
		}
		ids[f.ID] = true
		check, variant, ok := strings.Cut(f.ID, "/")
		if !ok || check != f.Check || variant == "" || !strings.HasSuffix(f.Sentence, ".") || len(f.Transports) == 0 || f.Probability != 0 {
			t.Errorf("%+v", f)
		}
		for _, c := range f.Consequences {
			if c == f.Check || len(c) < 5 {
				t.Errorf("%s has the consequence %q", f.ID, c)
			}
		}
		parsed, err := ParseFault(f.ID)
		if err != nil || parsed.ID != f.ID {
			t.Errorf("%s reads as %s, %v", f.ID, parsed.ID, err)
		}
	}
	for _, check := range []string{
		"ENV-01", "ENV-02", "ENV-03", "ENV-05", "ENV-06", "ENV-07", "ENV-08", "ENV-09", "ENV-10", "ENV-11",
		"RES-01", "RES-02", "RES-03", "RES-04", "RES-05", "RES-06", "RES-07", "RES-08", "RES-09", "RES-10", "RES-11", "RES-12", "RES-13", "RES-14", "RES-15", "RES-16", "RES-17",
		"AGG-01", "AGG-02", "AGG-03", "AGG-04", "AGG-05", "AGG-06", "AGG-07", "AGG-08",
		"VAL-01", "VAL-02", "VAL-03", "VAL-04", "VAL-05", "VAL-06", "VAL-07", "VAL-08", "VAL-09", "VAL-10", "VAL-11", "VAL-12", "VAL-13", "VAL-14", "VAL-15", "VAL-16",
		"INP-01", "INP-02", "INP-03", "INP-04", "INP-05", "WF-01", "WF-02", "WF-03", "WF-04",
		"IDM-01", "IDM-02", "IDM-03", "IDM-04", "IDM-05", "RO-01", "LD-01", "LD-02", "EFF-01", "EFF-02", "EFF-03", "EFF-04", "CON-01", "CON-02", "CON-03", "CON-04", "CON-05", "SCOPE-03",
		"PRO-01", "PRO-02", "PRO-03", "PRO-04", "PRO-05", "PRO-06", "PRO-07", "PRO-08", "PRO-09", "PRO-10", "PRO-11", "PRO-12", "PRO-13", "PRO-14", "PRO-15",
	} {
		if _, err := ParseFault(check); err != nil {
			t.Errorf("no fault breaks %s", check)
		}
	}
}

func TestFaultsAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]struct {
		id          string
		probability float64
	}{
		"RES-02":                   {"RES-02/drops-failed", 0},
		"RES-02@0.1":               {"RES-02/drops-failed", 0.1},
		" RES-02/drops-last@1 ":    {"RES-02/drops-last", 1},
		"RES-02/drops-failed@0.25": {"RES-02/drops-failed", 0.25},
	} {
		if f, err := ParseFault(text); err != nil || f.ID != want.id || f.Probability != want.probability {
			t.Errorf("%q reads as %s@%v, %v", text, f.ID, f.Probability, err)
		}
	}
	for _, text := range []string{"", "RES", "RES-02/", "RES-02/nothing", "RES-02@", "RES-02@0", "RES-02@-1", "RES-02@1.5", "RES-02@NaN", "@0.1"} {
		if f, err := ParseFault(text); err == nil {
			t.Errorf("%q reads as %s", text, f.ID)
		}
	}
}

func TestIntermittentFaultsAreDrawnByTheSeed(t *testing.T) {
	f, err := ParseFault("RES-11@0.3")
	if err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) (shown string) {
		b, err := New(Options{Faults: []Fault{f}, Seed: seed, JSONAnswers: true, Sessions: Stateless})
		if err != nil {
			t.Fatal(err)
		}
		h := &overHTTP{t: t, handler: b.Handler()}
		for range 60 {
			got := h.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_products","arguments":{"items":["9999"]}}}`)
			shown += map[bool]string{true: ".", false: "x"}[strings.Contains(got, "not_found")]
		}
		return shown
	}
	first := draw(1)
	if n := strings.Count(first, "x"); n < 6 || n > 36 {
		t.Errorf("shown %d times of 60: %s", n, first)
	}
	if first != draw(1) {
		t.Error("one seed draws two ways")
	}
	if first == draw(2) {
		t.Error("two seeds draw the same way")
	}
}

func TestFaultsTogether(t *testing.T) {
	var both []Fault
	for _, id := range []string{"RES-17/error-on-success", "AGG-07/terminal", "IDM-04/same-twice", "VAL-11/unlisted-tool"} {
		f, err := ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, f)
	}
	b, err := New(Options{Faults: both, JSONAnswers: true})
	if err != nil {
		t.Fatal(err)
	}
	h := &overHTTP{t: t, handler: b.Handler()}
	h.say(initialize)
	got := h.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel_products","arguments":{"items":["1001","1002"]}}}`)
	for _, want := range []string{`"error":"the stock count may be off"`, `"terminal":true`, `"protocol":"P-00000001"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "P-00000002") {
		t.Error("two protocols")
	}
	if got := h.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"validate_subscriptions","arguments":{"subject":"S-01"}}}`); !strings.Contains(got, "cancel_subscriptions_v2") {
		t.Errorf("validator says %s", got)
	}
}

func TestFaultsShowOnEveryRevision(t *testing.T) {
	f, err := ParseFault("RES-02/drops-failed")
	if err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		for _, json := range []bool{false, true} {
			client := speak(t, Options{Faults: []Fault{f}, JSONAnswers: json}, revision)
			got := client.call(cancelProducts, `{"items":["1001","9999"]}`)
			if len(got.body.Results) != 1 || got.body.Total != 1 || got.body.Status != "SUCCESS" {
				t.Errorf("at %s: %s", revision, got.raw)
			}
		}
	}
}

func TestEveryPageHasANext(t *testing.T) {
	f, err := ParseFault("PRO-13/endless-pages")
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(Options{Faults: []Fault{f}, JSONAnswers: true, Sessions: Stateless})
	if err != nil {
		t.Fatal(err)
	}
	h := &overHTTP{t: t, handler: b.Handler()}
	for _, params := range []string{`{}`, `{"cursor":"more"}`, `{"cursor":"more"}`} {
		got := h.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":` + params + `}`)
		if !strings.Contains(got, `"nextCursor":"more"`) || !strings.Contains(got, "cancel_products") {
			t.Errorf("params %s: %.300s", params, got)
		}
	}
}

func TestProcessThatDies(t *testing.T) {
	f, err := ParseFault("PRO-15")
	if err != nil {
		t.Fatal(err)
	}
	send, receive, ended := pipe(t, Options{Faults: []Fault{f}})
	go func() {
		_, _ = io.WriteString(send, initialize+"\n"+initiated+"\n"+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cancel_products","arguments":{"items":`+bulkItems(1, 30)+`}}}`+"\n")
	}()
	out, err := io.ReadAll(receive)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, errDied) || bytes.Contains(out, []byte(`"id":2`)) {
		t.Errorf("ended with %v after %s", err, out)
	}
}

// burst sends calls that are in flight together.
func burst(t *testing.T, id string, o Options, calls ...string) (answers []said, b *Backend) {
	t.Helper()
	f, err := ParseFault(id)
	if err != nil {
		t.Fatal(err)
	}
	o.Faults = []Fault{f}
	client := speak(t, o, "2026-07-28")
	client.backend.stall = 50 * time.Millisecond
	answers = make([]said, len(calls))
	done := make(chan int)
	for i, arguments := range calls {
		go func() {
			answers[i] = client.call(cancelProducts, arguments)
			done <- i
		}()
	}
	for range calls {
		<-done
	}
	return answers, client.backend
}

func TestFaultsInACrowd(t *testing.T) {
	succeeded := func(answers []said) (n int) {
		for _, a := range answers {
			n += a.body.Succeeded
		}
		return n
	}
	t.Run("rows of another call", func(t *testing.T) {
		answers, _ := burst(t, "LD-01", Options{}, `{"items":["B1","B2"]}`, `{"items":["B3","B4"]}`)
		for i, a := range answers {
			own := fmt.Sprintf("B%d", 2*i+2)
			if got := a.body.Results[1].ID; got != own {
				return
			}
		}
		t.Error("each call has its own rows")
	})
	t.Run("a lost update", func(t *testing.T) {
		answers, b := burst(t, "CON-01", Options{}, `{"items":["B1"]}`, `{"items":["B2"]}`)
		if succeeded(answers) != 2 || len(b.Effects()) >= 2 {
			t.Errorf("%d acknowledged, %d done", succeeded(answers), len(b.Effects()))
		}
	})
	t.Run("one item for two", func(t *testing.T) {
		answers, b := burst(t, "CON-02", Options{}, `{"items":["B1"]}`, `{"items":["B1"]}`)
		if succeeded(answers) != 2 || len(b.Effects()) != 2 {
			t.Errorf("%d acknowledged, %d done", succeeded(answers), len(b.Effects()))
		}
	})
	t.Run("once more than it says", func(t *testing.T) {
		answers, b := burst(t, "CON-04", Options{}, `{"items":["B1"]}`, `{"items":["B2"]}`)
		if succeeded(answers) != 2 || len(b.Effects()) <= 2 {
			t.Errorf("%d acknowledged, %d done", succeeded(answers), len(b.Effects()))
		}
	})
	t.Run("each other's rows", func(t *testing.T) {
		answers, _ := burst(t, "LD-01/crossed-answers", Options{}, `{"items":["B1"]}`, `{"items":["B2","B3"]}`)
		if len(answers[0].body.Results) != 2 || len(answers[1].body.Results) != 1 || answers[1].body.Results[0].ID != "B1" {
			t.Errorf("%+v", answers)
		}
	})
	t.Run("a call alone has its own rows", func(t *testing.T) {
		answers, _ := burst(t, "LD-01/crossed-answers", Options{}, `{"items":["B1"]}`)
		if len(answers[0].body.Results) != 1 || answers[0].body.Results[0].ID != "B1" {
			t.Errorf("%+v", answers)
		}
	})
	t.Run("one key for two", func(t *testing.T) {
		answers, b := burst(t, "IDM-05", Options{}, `{"items":["B1"],"idempotency_key":"k"}`, `{"items":["B1"],"idempotency_key":"k"}`)
		if succeeded(answers) != 2 || len(b.Effects()) != 2 {
			t.Errorf("%d acknowledged, %d done", succeeded(answers), len(b.Effects()))
		}
	})
	t.Run("a sequential repeat still has its key", func(t *testing.T) {
		f, err := ParseFault("IDM-05")
		if err != nil {
			t.Fatal(err)
		}
		client := speak(t, Options{Faults: []Fault{f}}, "2025-11-25")
		first := client.call(cancelProducts, `{"items":["B1"],"idempotency_key":"k"}`)
		if again := client.call(cancelProducts, `{"items":["B1"],"idempotency_key":"k"}`); first.text != again.text {
			t.Errorf("the repeat says %s", again.text)
		}
	})
	t.Run("all are answered after the stall", func(t *testing.T) {
		answers, _ := burst(t, "CON-03", Options{}, `{"items":["B1"]}`, `{"items":["B2"]}`, `{"items":["B3"]}`, `{"items":["B4"]}`, `{"items":["B5"]}`, `{"items":["B6"]}`)
		if succeeded(answers) != 6 {
			t.Errorf("%d acknowledged", succeeded(answers))
		}
	})
	t.Run("large batches stall", func(t *testing.T) {
		begun := time.Now()
		answers, b := burst(t, "LD-02/too-slow", Options{}, `{"items":`+bulkItems(1, 30)+`}`)
		if succeeded(answers) != 30 || time.Since(begun) < b.stall {
			t.Errorf("%d acknowledged", succeeded(answers))
		}
	})
}

func TestFaultIsPlainJSON(t *testing.T) {
	f, err := ParseFault("RES-02@0.5")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"id":"RES-02/drops-failed"`, `"check":"RES-02"`, `"transports":["http","stdio"]`, `"probability":0.5`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}
