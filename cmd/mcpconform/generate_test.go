package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
)

// forgetful gives the URL of a backend that forgets some of the orders that it is asked
// for, as if they had not been named.
func forgetful(t *testing.T, forgets func(orders []string) []string) string {
	t.Helper()
	store, err := fakebackend.New(fakebackend.Options{JSONAnswers: true, Sessions: fakebackend.Stateless})
	if err != nil {
		t.Fatal(err)
	}
	handler := store.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var m map[string]any
		if json.Unmarshal(body, &m) == nil && m["method"] == "tools/call" {
			params := m["params"].(map[string]any)
			arguments, _ := params["arguments"].(map[string]any)
			if list, ok := arguments["order_ids"].([]any); ok && params["name"] == "query_orders" {
				var orders []string
				for _, e := range list {
					text, _ := e.(string)
					orders = append(orders, text)
				}
				if left := forgets(orders); len(left) < len(orders) {
					arguments["order_ids"] = left
					body, _ = json.Marshal(m)
				}
			}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// Servers that fail in one corner are found out, and the batch that shows it has what it
// needs and no more.
func TestGeneratedBatchesAreMadeSmall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		forgets func([]string) []string
		check   string
		code    int
		want    []string // any of these
	}{
		{"the seventeenth item", func(orders []string) []string {
			if len(orders) >= 17 {
				return slices.Delete(slices.Clone(orders), 16, 17)
			}
			return orders
		}, "RES-02", 1, []string{"case:query-orders: good x 17"}},
		{"a combining accent", func(orders []string) []string {
			return slices.DeleteFunc(slices.Clone(orders), func(id string) bool { return strings.ContainsRune(norm.NFD.String(id), 0x301) })
		}, "RES-02", 1, []string{"case:query-orders: good with combining accent, good", "case:query-orders: good, good with combining accent", "case:query-orders: good with combining accent"}},
		{"a double after trimming", func(orders []string) []string {
			var left []string
			for i, id := range orders {
				if !slices.ContainsFunc(orders[:i], func(before string) bool { return before != id && strings.TrimSpace(before) == strings.TrimSpace(id) }) {
					left = append(left, id)
				}
			}
			return left
		}, "RES-14", 0, []string{"case:query-orders: good, 1 with outer space", "case:query-orders: good with outer space, 1 again"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url := forgetful(t, c.forgets)
			cases := filepath.Join(t.TempDir(), "found.cases")
			file := ownTarget(t, url, "")
			narrow := []string{"--target", file, "--operation", "query-orders", "--scenario", "one-item", "--seed", "7"}
			r, got := run(t, append(narrow, "--generate", "600", "--cases", cases)...)
			got.exits(t, c.code)
			kept, err := os.ReadFile(cases)
			if err != nil {
				t.Fatalf("no case was kept: %v\n%s", err, strings.Join(r.Notes, "\n"))
			}
			for line := range strings.Lines(string(kept)) {
				text, _, _ := strings.Cut(line, " #")
				if !slices.Contains(c.want, text) {
					t.Errorf("kept %s", line)
				}
			}
			var lost *conform.Finding
			for i := range r.Findings {
				if f := &r.Findings[i]; f.ID == c.check && f.Operation == "query-orders" {
					lost = f
				}
			}
			if lost == nil || lost.Verdict != conform.Fail || !strings.Contains(lost.Reproduce, "--replay 'case:query-orders: good") {
				t.Fatalf("%s: %+v", c.check, lost)
			}
			replayed := strings.TrimPrefix(lost.Scenario, "generated/")
			r, _ = run(t, "--target", file, "--seed", "7", "--replay", "case:query-orders: "+replayed)
			if !slices.ContainsFunc(r.Findings, func(f conform.Finding) bool { return f.ID == c.check && f.Verdict == conform.Fail }) || !slices.Contains(r.Run.Narrowed, "replay of case:query-orders: "+replayed) {
				t.Errorf("replayed: failing %v, narrowed %v", failing(r), r.Run.Narrowed)
			}
			var shown []string
			for _, f := range r.Findings {
				if f.ID == c.check && f.Verdict == conform.Fail {
					shown = append(shown, f.Reproduce)
				}
			}
			if len(shown) != 1 || !strings.Contains(shown[0], "--replay") {
				t.Errorf("reproduced by %v", shown)
			}
			// What is kept is played by later runs, and kept once.
			r, _ = run(t, append(narrow, "--cases", cases)...)
			if !slices.ContainsFunc(r.Findings, func(f conform.Finding) bool { return f.ID == c.check && f.Verdict == conform.Fail }) {
				t.Errorf("what was kept does not show %s", c.check)
			}
			if again, _ := os.ReadFile(cases); string(again) != string(kept) {
				t.Errorf("the file became\n%s", again)
			}
		})
	}
}

func TestGeneratedBatchesFindNothingInAGoodServer(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{})
	r, got := run(t, "--target", ownTarget(t, running.URL, ""), "--generate", "300", "--generate-writes", "--scenario", "one-item", "--seed", "3")
	if len(failing(r)) > 0 || slices.ContainsFunc(r.Notes, func(note string) bool { return strings.Contains(note, " breaks ") }) {
		t.Errorf("exit %d, failing %v\n%s", got.code, failing(r), strings.Join(r.Notes, "\n"))
	}
	made := slices.IndexFunc(r.Notes, func(note string) bool { return strings.HasPrefix(note, "generated: ") })
	if made < 0 || !strings.HasSuffix(r.Notes[made], " calls") {
		t.Errorf("notes: %s", strings.Join(r.Notes, "\n"))
	}
}

// What another user did between two calls is no fault of the server's, and is not told as
// one of a batch.
func TestGeneratedBatchesBesideAnotherUser(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{SecondWriter: fakebackend.SecondWriter{Every: 7}})
	r, _ := run(t, "--target", ownTarget(t, running.URL, ""), "--generate", "200", "--generate-writes", "--scenario", "partial,duplicates", "--operation", "cancel-products*", "--seed", "11")
	if len(failing(r)) > 0 || slices.ContainsFunc(r.Notes, func(note string) bool { return strings.Contains(note, " breaks ") }) {
		t.Errorf("failing %v\n%s", failing(r), strings.Join(r.Notes, "\n"))
	}
}

func TestCasesAreReadWithCare(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "kept.cases")
	if err := os.WriteFile(file, []byte("# kept\n\ncase:query-orders: good x 2 # fine\ncase:query-orders: gold\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		says  []string
	}{
		{[]string{"--cases", file}, []string{"kept.cases:4", `"gold" is no item`}},
		{[]string{"--cases", filepath.Join(folder, "none")}, []string{"--cases", "with --generate the file is made"}},
		{[]string{"--replay", "good"}, []string{"is no case", "case:query-orders"}},
		{[]string{"--replay", "case:query-orders: good", "--generate", "10"}, []string{"--replay plays the cases that it names"}},
		{[]string{"--generate-writes"}, []string{"--generate-writes is given without --generate"}},
		{[]string{"--generate", "-1"}, []string{"--generate -1"}},
	} {
		got := mcpconform(t, append([]string{"run"}, c.words...)...).exits(t, 2)
		says(t, "stderr", got.err, c.says...)
	}
	_, got := run(t, "--replay", "case:query-errors: good")
	got.exits(t, 3)
	says(t, "report", got.out, "query-errors", "was not played")
}
