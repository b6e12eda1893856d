package house

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// The target file of the README is for an invented lending library. Here it is:
// a newcomer who copies the file must be able to reach the verdict shown there.
func TestTheReadmesTargetFileEarnsWhatItSays(t *testing.T) {
	readme := named(t, "README.md")
	var shown *block
	for _, b := range readme.blocks("yaml") {
		if strings.HasPrefix(b.body, "version: 1\n") {
			shown = &b
			break
		}
	}
	if shown == nil {
		t.Fatal("README.md shows no target file")
	}
	file, err := target.Parse(shown.String(), []byte(shown.body), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	library := httptest.NewServer(newLibrary().handler())
	defer library.Close()
	server, err := target.ServerAt(library.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	report, err := runner.Run(t.Context(), file.WithServer(server), runner.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if class := reports.ClassOf(f); class == reports.ClassFail || class == reports.ClassWarning || class == reports.ClassInconclusive {
			t.Errorf("%s on %s\n%s", f.ID, f.Operation, reports.FindingText(f))
		}
	}
	if line := "`" + report.VerdictLine + "`"; !strings.Contains(strings.ReplaceAll(readme.text, "\n", " "), line) {
		t.Errorf("the file earns %s, and README.md says something else", line)
	}
}

// library is a good server: books are lent until they are returned.
type library struct {
	mu       sync.Mutex
	returned map[string]bool
}

func newLibrary() *library { return &library{returned: map[string]bool{}} }

func (l *library) handler() http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "library", Version: "1"}, nil)
	tool := func(name, argument string, answer func(ids []string) *mcp.CallToolResult) {
		schema := json.RawMessage(`{"type":"object"}`)
		if argument != "" {
			schema = json.RawMessage(`{"type":"object","properties":{"` + argument + `":{"type":"array"}}}`)
		}
		s.AddTool(&mcp.Tool{Name: name, InputSchema: schema}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			l.mu.Lock()
			defer l.mu.Unlock()
			return answer(idsIn(r.Params.Arguments, argument)), nil
		})
	}
	tool("return_books", "books", func(ids []string) *mcp.CallToolResult { return rowsFor(ids, l.giveBack) })
	tool("find_books", "ids", func(ids []string) *mcp.CallToolResult { return rowsFor(ids, find) })
	tool("list_loans", "ids", l.loans)
	tool("reset_loans", "", func([]string) *mcp.CallToolResult {
		clear(l.returned)
		return said(false, "every book is lent again", nil)
	})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
}

func (l *library) giveBack(id string) string {
	switch {
	case !lent(id):
		return "never lent"
	case l.returned[id]:
		return "returned already"
	}
	l.returned[id] = true
	return ""
}

func (l *library) loans(ids []string) *mcp.CallToolResult {
	rows := []map[string]string{}
	for _, id := range ids {
		if lent(id) {
			rows = append(rows, map[string]string{"id": id, "status": map[bool]string{true: "returned", false: "lent"}[l.returned[id]]})
		}
	}
	return said(false, "loans", map[string]any{"loans": rows})
}

func lent(id string) bool { return numbered(id, "B-", 3) || numbered(id, "M-", 5000) }

func find(id string) string {
	if numbered(id, "B-", 1200) {
		return ""
	}
	return "no such book"
}

// numbered tells whether an id is the prefix and a number from 1 to most.
func numbered(id, prefix string, most int) bool {
	digits, found := strings.CutPrefix(id, prefix)
	n, err := strconv.Atoi(digits)
	return found && err == nil && n >= 1 && n <= most
}

// idsIn gives the ids in a list of texts or of objects.
func idsIn(arguments json.RawMessage, argument string) []string {
	var given map[string]json.RawMessage
	var list []any
	if json.Unmarshal(arguments, &given) != nil || json.Unmarshal(given[argument], &list) != nil {
		return nil
	}
	var ids []string
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			item = object["id"]
		}
		ids = append(ids, fmt.Sprint(item))
	}
	return ids
}

// rowsFor gives each id its row; do says why one failed, empty for success.
func rowsFor(ids []string, do func(id string) string) *mcp.CallToolResult {
	if len(ids) == 0 {
		return said(true, "no book was named", nil)
	}
	succeeded := 0
	rows := make([]map[string]any, len(ids))
	for i, id := range ids {
		why := do(id)
		rows[i] = map[string]any{"id": id, "success": why == ""}
		if why == "" {
			succeeded++
		} else {
			rows[i]["error"] = why
		}
	}
	return said(succeeded == 0, fmt.Sprintf("%d of %d books", succeeded, len(ids)), map[string]any{"results": rows})
}

func said(isError bool, text string, structured any) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: isError, Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: structured}
}
