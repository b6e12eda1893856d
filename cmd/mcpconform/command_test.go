package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/credentials"
	"github.com/mcpconform/mcpconform/reports"
)

// asCommand makes this test's own binary behave as mcpconform, so that a server
// on stdio is the program itself.
const asCommand = "MCPCONFORM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		if len(os.Args) > 1 && os.Args[1] == asMortal {
			fmt.Fprintln(os.Stderr, serveMortal(os.Args[2:]))
			os.Exit(1)
		}
		os.Exit(execute(os.Args[1:], system()))
	}
	for name, value := range map[string]string{
		credentials.FolderVariable: filepath.Join(os.TempDir(), "mcpconform-no-logins"), // not those of whoever runs the tests
		asCommand:                  "1",
		"GORACE":                   "atexit_sleep_ms=0", // else every child with the race detector takes a second to end
	} {
		if err := os.Setenv(name, value); err != nil { // for the children
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// told is what a command line gave back.
type told struct {
	code     int
	out, err string
}

// quiet is a world without a keyboard, an environment or signals.
func quiet() world {
	return world{
		in:      strings.NewReader(""),
		getenv:  func(string) (string, bool) { return "", false },
		signals: func(ctx context.Context) (context.Context, func()) { return ctx, func() {} },
		today:   func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) }, // else tests would age with the platforms' rules
	}
}

// variables is an environment of these variables and no others.
func variables(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := pairs[name]
		return value, ok
	}
}

// mcpconform runs one command line. Whatever it is, no stack trace comes of it.
func mcpconform(t *testing.T, args ...string) told {
	t.Helper()
	return mcpconformIn(t, quiet(), args...)
}

func mcpconformIn(t *testing.T, w world, args ...string) told {
	t.Helper()
	var out, errs safeBuffer
	w.out, w.err = &out, &errs
	code := execute(args, w)
	got := told{code, out.String(), errs.String()}
	for _, trace := range []string{"goroutine ", "panic:", "runtime error", ".go:"} {
		if strings.Contains(got.out+got.err, trace) {
			t.Errorf("mcpconform %s shows its insides (%q):\n%s%s", strings.Join(args, " "), trace, got.out, got.err)
		}
	}
	return got
}

// exits tells that a command line ended with the code wanted, and shows what it
// said if it did not.
func (g told) exits(t *testing.T, code int) told {
	t.Helper()
	if g.code != code {
		t.Fatalf("exit %d, wanted %d\nstdout:\n%s\nstderr:\n%s", g.code, code, shortened(g.out), shortened(g.err))
	}
	return g
}

// says tells that a text holds all of the words.
func says(t *testing.T, where, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%s does not say %q:\n%s", where, word, shortened(text))
		}
	}
}

// silent tells that a text holds none of the words.
func silent(t *testing.T, where, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if strings.Contains(text, word) {
			t.Errorf("%s says %q:\n%s", where, word, shortened(text))
		}
	}
}

func shortened(text string) string {
	const enough = 4000
	if len(text) <= enough {
		return text
	}
	return text[:enough] + "\n…"
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[len(lines)-1]
}

// report reads a report in JSON.
func report(t *testing.T, text string) reports.Report {
	t.Helper()
	r, err := reports.Read(strings.NewReader(text))
	if err != nil {
		t.Fatalf("the report does not read: %v\n%s", err, shortened(text))
	}
	return r
}

// run plays a run whose result is the report in JSON.
func run(t *testing.T, args ...string) (reports.Report, told) {
	t.Helper()
	got := mcpconform(t, append([]string{"run", "--format", "json", "-q"}, args...)...)
	return report(t, got.out), got
}

// failing gives the ids of the MUSTs that failed, by operation, sorted.
func failing(r reports.Report) map[string][]string {
	ids := map[string][]string{}
	for _, f := range r.Findings {
		if reports.ClassOf(f) == reports.ClassFail {
			ids[f.Operation] = append(ids[f.Operation], f.ID)
		}
	}
	for _, list := range ids {
		slices.Sort(list)
	}
	return ids
}

// findings gives the findings of a check on an operation.
func findings(r reports.Report, id, operation string) []conform.Finding {
	var list []conform.Finding
	for _, f := range r.Findings {
		if f.ID == id && f.Operation == operation {
			list = append(list, f)
		}
	}
	return list
}

// transcript reads a transcript and joins it.
func transcript(t *testing.T, path string) *conform.Recording {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	header, observations, err := conform.ReadTranscript(in)
	if err != nil {
		t.Fatal(err)
	}
	return conform.NewRecording(header, observations)
}

// backend serves a fake backend for the time of a test.
func backend(t *testing.T, o fakebackend.Options, faults ...string) *fakebackend.Running {
	t.Helper()
	for _, id := range faults {
		fault, err := fakebackend.ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		o.Faults = append(o.Faults, fault)
	}
	running, err := fakebackend.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Close(); err != nil {
			t.Errorf("closing the backend: %v", err)
		}
	})
	return running
}

// noOptions is a fast, good backend of every revision.
var noOptions fakebackend.Options

// onBackend is a command line's words for a served fake backend.
func onBackend(url string, more ...string) []string {
	return append([]string{"--target", "builtin:fakebackend", "--url", url}, more...)
}

// scripted is an MCP server over HTTP whose tools/call is answered by a script:
// the JSON of a result, or of an error.
type scripted struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string // the methods, with the tool's name for tools/call
}

type script struct {
	tools  string                                                          // the JSON of tools/list's tools
	call   func(tool string, arguments json.RawMessage) (key, body string) // "result" or "error", and its JSON
	refuse func(method string) (status int, body string)                   // 0: not refused; %s in the body is the request's id
}

func serve(t *testing.T, s script) *scripted {
	t.Helper()
	server := &scripted{}
	server.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if err := json.Unmarshal(body, &m); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		server.mu.Lock()
		server.asked = append(server.asked, strings.TrimSpace(m.Method+" "+m.Params.Name))
		server.mu.Unlock()
		if s.refuse != nil {
			if status, text := s.refuse(m.Method); status != 0 {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				if strings.Contains(text, "%s") {
					text = fmt.Sprintf(text, m.ID)
				}
				_, _ = io.WriteString(w, text)
				return
			}
		}
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		key, answer := "result", "{}"
		switch m.Method {
		case "initialize":
			answer = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}`
		case "tools/list":
			answer = `{"tools":` + s.tools + `}`
		case "tools/call":
			key, answer = s.call(m.Params.Name, m.Params.Arguments)
		case "ping":
		default:
			key, answer = "error", `{"code":-32601,"message":"no such method"}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%q:%s}`, m.ID, key, answer)
	}))
	t.Cleanup(server.Close)
	return server
}

// count tells how often a method, or a tool with "tools/call NAME", was asked.
func (s *scripted) count(word string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, asked := range s.asked {
		if asked == word {
			n++
		}
	}
	return n
}

// write puts a file into a folder of the test's own.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// safeBuffer is a buffer that several goroutines may write, as they may a file.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
