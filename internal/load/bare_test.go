package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
	"github.com/mcpconform/mcpconform/suites"
)

// TestMain lets the test binary stand for a server that does next to nothing, in a
// process of its own: over HTTP, or with BARE_SERVER=stdio on its pipes.
func TestMain(m *testing.M) {
	switch os.Getenv("BARE_SERVER") {
	case "":
		os.Exit(m.Run())
	case "stdio":
		serveLines()
	case "fakebackend":
		backend, err := fakebackend.New(fakebackend.Options{})
		if err != nil {
			os.Exit(1)
		}
		_ = backend.ServeStdio(context.Background(), os.Stdin, os.Stdout)
	default:
		serveHTTP()
	}
}

// bareItems names the items of a batch.
func bareItems(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("B-%06d", i)
	}
	return ids
}

// bare is an answer to a batch, ready but for its id and its turn.
type bare struct {
	bytes []byte
	id    int // where the ten digits of the id stand
	turn  []int
}

// answers are those of all sizes, each with and without a turn that differs.
func newBare(n int, differs bool) *bare {
	rows := result(bareItems(n), func(i int, id string) string {
		return fmt.Sprintf(`{"id":%q,"success":true,"status":"SHIPPED","eta":"2026-12-%02d"}`, id, i%28+1)
	})
	if differs {
		rows = strings.NewReplacer(`"structuredContent":{`, `"structuredContent":{"turn":"t-0000000000",`, `"text":"{`, `"text":"{\"turn\":\"t-0000000000\",`).Replace(rows)
	}
	b := &bare{bytes: []byte(`{"jsonrpc":"2.0","id":0000000000,"result":` + rows + `}`)}
	b.id = bytes.Index(b.bytes, []byte("0000000000"))
	for at := b.id + 10; differs; {
		i := bytes.Index(b.bytes[at:], []byte("t-0000000000"))
		if i < 0 {
			break
		}
		b.turn = append(b.turn, at+i+2)
		at += i + 2
	}
	return b
}

func (b *bare) write(w io.Writer, scratch *[]byte, id []byte, turn uint64) {
	*scratch = append((*scratch)[:0], b.bytes...)
	copy((*scratch)[b.id:], id)
	for _, at := range b.turn {
		putDigits((*scratch)[at:at+10], turn)
	}
	_, _ = w.Write(*scratch)
}

// sizes keeps the answers that were asked for.
var bareAnswers = map[string]*bare{}

func init() {
	if os.Getenv("BARE_SERVER") == "" {
		return
	}
	for _, n := range []int{1, 10, 100, 1000} {
		for _, differs := range []bool{false, true} {
			bareAnswers[fmt.Sprintf("%d %t", n, differs)] = newBare(n, differs)
		}
	}
}

// handshake answers everything but tools/call; false: it is one.
func handshake(body []byte) (answer string, ok bool) {
	if bytes.Contains(body, []byte(`"tools/call"`)) {
		return "", false
	}
	var asked struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &asked)
	switch asked.Method {
	case "initialize":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bare","version":"1"}}}`, asked.ID), true
	case "tools/list":
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"query","inputSchema":{"type":"object"}}]}}`, asked.ID), true
	}
	return "", true
}

// wanted finds which answer a call asks for, and the digits of its id.
func wanted(body []byte) (*bare, []byte) {
	const before = `{"jsonrpc":"2.0","id":`
	size := bytes.Count(body, []byte(`"id":"B-`))
	return bareAnswers[fmt.Sprintf("%d %t", size, bytes.Contains(body, []byte(`"differs":true`)))], body[len(before) : len(before)+10]
}

func serveHTTP() {
	var turn atomic.Uint64
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	fmt.Println("http://" + listener.Addr().String())
	go func() { // it ends with who started it
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, r.ContentLength)
		if _, err := io.ReadFull(r.Body, body); err != nil {
			return
		}
		if answer, ok := handshake(body); ok {
			if w.Header().Set("Content-Type", "application/json"); answer == "" {
				w.WriteHeader(http.StatusAccepted)
			}
			_, _ = io.WriteString(w, answer)
			return
		}
		b, id := wanted(body)
		var scratch []byte
		if strings.HasPrefix(r.URL.Path, "/sse") {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "event: message\ndata: ")
			b.write(w, &scratch, id, turn.Add(1))
			_, _ = io.WriteString(w, "\n\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(b.bytes)))
		b.write(w, &scratch, id, turn.Add(1))
	}))
}

func serveLines() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriterSize(os.Stdout, 1<<20)
	var scratch []byte
	for turn := uint64(1); ; turn++ {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		if answer, ok := handshake(line); !ok {
			b, id := wanted(line)
			b.write(out, &scratch, id, turn)
		} else if answer == "" {
			continue
		} else {
			_, _ = out.WriteString(answer)
		}
		_ = out.WriteByte('\n')
		_ = out.Flush()
	}
}

// bareServer starts the server, and gives its address.
func bareServer(t testing.TB) string {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "BARE_SERVER=http", "GORACE=atexit_sleep_ms=0")
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = command.Wait()
	})
	address, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(address)
}

// crew are users at a bare server, ready to call.
type crew struct {
	users   []*User
	session *wire.Session
	request []byte // one of theirs, for others to send
}

// hire opens users: over HTTP at an address, over stdio where it is empty, all on
// one process where shared is set.
func hire(t testing.TB, address string, shared bool, users, size int, differs bool, mode Mode) *crew {
	t.Helper()
	list := &keeping{clock: clock{time.Now()}}
	config := wire.Config{URL: address, Protocol: wire.Revision20251125, Recorder: list}
	if address == "" {
		config.Command, config.Env = []string{os.Args[0]}, []string{"BARE_SERVER=stdio", "GORACE=atexit_sleep_ms=0"}
	}
	client, err := wire.Dial(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	open := func(name string) *wire.Session {
		session, err := client.Open(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		return session
	}
	c := &crew{session: open("s1")}
	op := conform.Operation{Name: "query", Tool: "query", Argument: "items", Style: conform.StyleArray}
	judge := NewJudge(conform.Header{Target: conform.Target{Name: "bare", HasFile: true, Protocol: wire.Revision20251125, Operations: []conform.Operation{op}}},
		listed("query", ""), suites.All())
	ids := NewIDs()
	var way *lean.Way
	var over Way = Lines{}
	if address != "" {
		frozen, err := c.session.Freeze()
		if err != nil {
			t.Fatal(err)
		}
		if way, err = lean.Plan(context.Background(), frozen, lean.Options{Now: list.Now}); err != nil {
			t.Fatal(err)
		}
		over = way
	}
	planned := asks("query", bareItems(size)...)
	if differs {
		planned.Arguments = bytes.Replace(planned.Arguments, []byte("{"), []byte(`{"differs":true,`), 1)
	}
	for range users {
		user := &User{Judge: judge, IDs: ids, Mode: mode}
		for range 2 {
			template, err := NewTemplate(c.session, over, judge, Source{Make: func(uint64) conform.Planned { return planned }, Timeout: 20 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			user.Templates = append(user.Templates, template)
		}
		c.users = append(c.users, user)
	}
	c.request = c.users[0].Templates[0].body()
	switch {
	case address != "":
		for _, user := range c.users {
			user.Conn = way.Open()
		}
	default:
		for i := 0; i < users; i++ {
			session := c.session
			if i > 0 {
				session = open(fmt.Sprintf("s%d", i+1))
			}
			pipes, err := session.TakeOver(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if shared {
				for i, conn := range lean.OpenShared(pipes, 1<<24, list.Now, users) {
					c.users[i].Conn = conn
				}
				break
			}
			c.users[i].Conn = lean.OpenStdio(pipes, 1<<24, list.Now)
		}
	}
	for _, user := range c.users {
		t.Cleanup(user.Conn.Close)
		for range 4 {
			if call := user.Call(0); call.Outcome != OK {
				t.Fatalf("%s: %+v, %s", told(call), call.Verdict, user.answer.Problem)
			}
		}
	}
	return c
}

// In steady state a call allocates nothing over HTTP with JSON, and at most once
// over SSE and stdio.
func TestACallInSteadyStateAllocates(t *testing.T) {
	address := bareServer(t)
	for name, c := range map[string]struct {
		address string
		differs bool
		mode    Mode
		how     How
		most    float64
	}{
		"JSON, by memory":             {address, false, Mode{}, ByMemory, 0},
		"JSON, by the pass":           {address, true, Mode{}, ByPass, 0},
		"JSON, without memory":        {address, false, Mode{Full: true}, ByPass, 0},
		"an event stream":             {address + "/sse", true, Mode{}, ByPass, 1},
		"stdio":                       {"", true, Mode{}, ByPass, 1},
		"JSON, by the envelope alone": {address, true, Mode{Every: 1 << 30}, BySample, 0},
	} {
		t.Run(name, func(t *testing.T) {
			user := hire(t, c.address, false, 1, 10, c.differs, c.mode).users[0]
			var last Call
			n := testing.AllocsPerRun(300, func() { last = user.Call(0) })
			if last.Outcome != OK || last.How != c.how {
				t.Errorf("%s", told(last))
			}
			if n > c.most {
				t.Errorf("%v allocations, at most %v", n, c.most)
			}
		})
	}
}

func TestUsersShareAPipe(t *testing.T) {
	c := hire(t, "", true, 3, 10, true, Mode{})
	for _, user := range c.users {
		if call := user.Call(0); call.Outcome != OK || call.How != ByPass || call.Form != lean.Stdio {
			t.Error(told(call))
		}
	}
}
