package pieces

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// result parses a tool's result: a payload alone stands for structured content.
func parsed(t *testing.T, text string) *rawjson.Node {
	t.Helper()
	if text == "" {
		return nil
	}
	if !strings.HasPrefix(text, `{"content"`) {
		text = `{"content":[],"structuredContent":` + text + `}`
	}
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func TestWhatIsAskedNextAndWhatTheWholeIs(t *testing.T) {
	job := func(change ...func(*conform.Async)) conform.Results {
		a := &conform.Async{Tool: "get_job"}
		for _, c := range change {
			c(a)
		}
		return conform.Results{Async: a}
	}
	pages := func(change ...func(*conform.Next)) conform.Results {
		n := &conform.Next{}
		for _, c := range change {
			c(n)
		}
		return conform.Results{Next: n}
	}
	const rows = `"results":[{"id":"1","success":true},{"id":"2","success":true}]`
	for _, c := range []struct {
		name    string
		results conform.Results
		answers []string // the call's own first; empty: none came
		asks    []string // after each: "step tool arguments", or nothing
		whole   string   // structured content of the whole; empty: the call's own answer is all
		problem string
	}{
		{"at once", job(), []string{`{` + rows + `}`}, []string{""}, "", ""},
		{"a job", job(), []string{`{"job_id":"J-1","status":"accepted"}`, `{"job_id":"J-1","status":"running"}`, `{"job_id":"J-1","status":"done","total":2,` + rows + `}`},
			[]string{`poll get_job {"job_id":"J-1"}`, `poll get_job {"job_id":"J-1"}`, ""}, `{"total":2,` + rows + `}`, ""},
		{"a job named by a number, in a text", job(), []string{`{"content":[{"type":"text","text":"{\"batchId\":17}"}]}`, `{"content":[{"type":"text","text":"{\"batchId\":17,\"state\":\"Finished\",\"n\":1}"}]}`},
			[]string{`poll get_job {"batchId":17}`, ""}, `{"n":1}`, ""},
		{"a job that has ended when it is told", job(), []string{`{"job_id":"J-1","status":"failed"}`}, []string{""}, "", ""},
		{"a job without a status, until rows come", job(), []string{`{"job_id":"J-1"}`, `{"job_id":"J-1"}`, `{"job_id":"J-1",` + rows + `}`},
			[]string{`poll get_job {"job_id":"J-1"}`, `poll get_job {"job_id":"J-1"}`, ""}, `{` + rows + `}`, ""},
		{"rows of a job that is still running", job(), []string{`{"job_id":"J-1","status":"running"}`, `{"job_id":"J-1","status":"running",` + rows + `}`, `{"job_id":"J-1","status":"completed",` + rows + `}`},
			[]string{`poll get_job {"job_id":"J-1"}`, `poll get_job {"job_id":"J-1"}`, ""}, `{` + rows + `}`, ""},
		{"a job that nobody knows any more", job(), []string{`{"job_id":"J-1","status":"accepted"}`, `{"content":[],"structuredContent":{"error":"no_such_job"},"isError":true}`},
			[]string{`poll get_job {"job_id":"J-1"}`, ""}, `{"error":"no_such_job"}`, ""},
		{"words of its own", job(func(a *conform.Async) {
			a.ID, a.State, a.Argument, a.Arguments = "$.job.name", "$.job.phase", "job", json.RawMessage(`{"verbose":true,"job":"x"}`)
			a.Done, a.Failed, a.Result = []string{"READY"}, []string{"BROKEN"}, "$.outcome"
		}), []string{`{"job":{"name":"J-1","phase":"NEW"}}`, `{"job":{"name":"J-1","phase":"done"}}`, `{"job":{"name":"J-1","phase":"ready"},"outcome":{` + rows + `}}`},
			[]string{`poll get_job {"verbose":true,"job":"J-1"}`, `poll get_job {"verbose":true,"job":"J-1"}`, ""}, `{` + rows + `}`, ""},
		{"a list of rows in the job", job(func(a *conform.Async) { a.Result = "rows" }), []string{`{"job_id":"J-1","status":"queued"}`, `{"job_id":"J-1","status":"done","rows":[{"id":"1","success":true}]}`},
			[]string{`poll get_job {"job_id":"J-1"}`, ""}, `{"results":[{"id":"1","success":true}]}`, ""},
		{"a tool's result in the job", job(func(a *conform.Async) { a.Result = "result" }), []string{`{"job_id":"J-1","status":"queued"}`, `{"job_id":"J-1","status":"done","result":{"structuredContent":{` + rows + `},"isError":false}}`},
			[]string{`poll get_job {"job_id":"J-1"}`, ""}, `{` + rows + `}`, ""},
		{"nothing where the result should be", job(func(a *conform.Async) { a.Result = "$.outcome" }), []string{`{"job_id":"J-1","status":"queued"}`, `{"job_id":"J-1","status":"done"}`},
			[]string{`poll get_job {"job_id":"J-1"}`, ""}, `{"job_id":"J-1","status":"done"}`, "the job has ended, and nothing stands at $.outcome (`results.async.result`)"},
		{"a job on pages", conform.Results{Async: &conform.Async{Tool: "get_job"}, Next: &conform.Next{Tool: "get_rows", Argument: "after"}},
			[]string{`{"job_id":"J-1","status":"queued"}`, `{"job_id":"J-1","status":"done","results":[{"id":"1"}],"next_cursor":"c2"}`, `{"results":[{"id":"2"}]}`},
			[]string{`poll get_job {"job_id":"J-1"}`, `page get_rows {"after":"c2"}`, ""}, `{"results":[{"id":"1"},{"id":"2"}],"next_cursor":"c2"}`, ""},
		{"no job key", pages(), []string{`{"job_id":"J-1","status":"accepted"}`}, []string{""}, "", ""},

		{"one page", pages(), []string{`{` + rows + `,"next_cursor":null}`}, []string{""}, "", ""},
		{"one page, and the flag says so", pages(), []string{`{` + rows + `,"next_cursor":"2","has_more":false}`}, []string{""}, "", ""},
		{"pages", pages(), []string{`{"total":3,"results":[{"id":"1"}],"nextPageToken":"p2"}`, `{"results":[{"id":"2"}],"nextPageToken":"p3"}`, `{"results":[{"id":"3"}],"nextPageToken":""}`},
			[]string{`page cancel {"customer":7,"pageToken":"p2"}`, `page cancel {"customer":7,"pageToken":"p3"}`, ""}, `{"total":3,"results":[{"id":"1"},{"id":"2"},{"id":"3"}],"nextPageToken":"p2"}`, ""},
		{"pages in texts, under result", pages(), []string{`{"content":[{"type":"text","text":"{\"ok\":true,\"result\":{\"results\":[{\"id\":\"1\"}],\"next_page\":2}}"}]}`,
			`{"content":[{"type":"text","text":"{\"ok\":true,\"result\":{\"results\":[{\"id\":\"2\"}]}}"}]}`},
			[]string{`page cancel {"customer":7,"page":2}`, ""}, `{"ok":true,"result":{"results":[{"id":"1"},{"id":"2"}],"next_page":2}}`, ""},
		{"a cursor of its own, items again", pages(func(n *conform.Next) { n.Cursor, n.Argument, n.Repeat = "$.page.next", "from", true }),
			[]string{`{"results":[{"id":"1"}],"page":{"next":"x"}}`, `{"results":[]}`},
			[]string{`page cancel {"items":["1","2","3"],"customer":7,"from":"x"}`, ""}, `{"content":[],"structuredContent":{"results":[{"id":"1"}],"page":{"next":"x"}}}`, ""},
		{"another tool", pages(func(n *conform.Next) { n.Tool, n.Arguments = "more", json.RawMessage(`{"size":2}`) }),
			[]string{`{"results":[{"id":"1"}],"next_cursor":"x"}`, `{"results":[{"id":"2"}]}`},
			[]string{`page more {"size":2,"cursor":"x"}`, ""}, `{"results":[{"id":"1"},{"id":"2"}],"next_cursor":"x"}`, ""},
		{"the cursor again", pages(), []string{`{"results":[{"id":"1"}],"next_cursor":"x"}`, `{"results":[{"id":"2"}],"next_cursor":"x"}`},
			[]string{`page cancel {"customer":7,"cursor":"x"}`, ""}, `{"results":[{"id":"1"},{"id":"2"}],"next_cursor":"x"}`, "page 2 has the cursor of page 1 again"},
		{"a cursor as long as a page", pages(), []string{`{"results":[{"id":"1"}],"next_cursor":"` + strings.Repeat("x", conform.MostCursor) + `"}`},
			[]string{""}, `{"results":[{"id":"1"}],"next_cursor":"` + strings.Repeat("x", conform.MostCursor) + `"}`, "page 1 has a cursor of 65538 bytes, and none of more than 65536 is sent back"},
		{"the page again", pages(), []string{`{"results":[{"id":"1"}],"next_cursor":"x"}`, `{"results":[{"id":"1"}],"next_cursor":"y"}`},
			[]string{`page cancel {"customer":7,"cursor":"x"}`, ""}, `{"results":[{"id":"1"},{"id":"1"}],"next_cursor":"x"}`, "page 2 is page 1 again"},
		{"a page without rows", pages(), []string{`{"results":[{"id":"1"}],"next_cursor":"x"}`, `{"error":"too old"}`},
			[]string{`page cancel {"customer":7,"cursor":"x"}`, ""}, `{"content":[],"structuredContent":{"results":[{"id":"1"}],"next_cursor":"x"}}`, "page 2 has no list of rows"},
		{"a page that does not come", pages(), []string{`{"results":[{"id":"1"}],"next_cursor":"x"}`, ``},
			[]string{`page cancel {"customer":7,"cursor":"x"}`, ""}, `{"content":[],"structuredContent":{"results":[{"id":"1"}],"next_cursor":"x"}}`, "page 2 was not answered with a result"},
	} {
		t.Run(c.name, func(t *testing.T) {
			op := &conform.Operation{Name: "op", Tool: "cancel", Argument: "items", Fixed: json.RawMessage(`{"customer":7}`), Results: c.results}
			planned := conform.Planned{Role: conform.RolePrimary, Tool: "cancel", Items: make([]conform.Item, 3), Arguments: json.RawMessage(`{"items":["1","2","3"],"customer":7}`)}
			g := Begin(op, planned)
			for i, answer := range c.answers {
				got := ""
				if ask := g.Take(parsed(t, answer)); ask != nil {
					got = fmt.Sprintf("%s %s %s", ask.Step, ask.Tool, ask.Arguments)
				}
				if got != c.asks[i] {
					t.Errorf("after answer %d: asks %q, want %q", i, got, c.asks[i])
				}
			}
			w := g.Whole()
			if (w == nil) != (c.whole == "") {
				t.Fatalf("the whole is %+v", w)
			}
			if w == nil {
				return
			}
			got := string(w.Result.Raw)
			if structured := w.Result.Get("structuredContent"); structured != nil && !strings.HasPrefix(c.whole, `{"content"`) {
				got = string(structured.Raw)
			}
			if got != c.whole || w.Problem != c.problem || w.Pending {
				t.Errorf("the whole is %s, problem %q, pending %t", got, w.Problem, w.Pending)
			}
		})
	}
}

func TestPagesAreBoundedByTheItems(t *testing.T) {
	g := Begin(&conform.Operation{Tool: "t", Results: conform.Results{Next: &conform.Next{}}}, conform.Planned{Role: conform.RolePrimary, Items: make([]conform.Item, 2)})
	asked := 0
	for k := 1; g.Take(parsed(t, fmt.Sprintf(`{"results":[{"id":"%d"}],"next_cursor":"%d"}`, k, k))) != nil; k++ {
		asked++
	}
	if w := g.Whole(); asked != 9 || w.Problem != "after 10 pages for 2 items there are more" {
		t.Errorf("%d pages were asked for: %+v", asked, w)
	}
}

func TestJobsAreLookedAtOnlySoOften(t *testing.T) {
	g := Begin(&conform.Operation{Tool: "t", Results: conform.Results{Async: &conform.Async{Tool: "j", Every: 3 * time.Second}}}, conform.Planned{Role: conform.RolePrimary})
	running := parsed(t, `{"job_id":"J-1","status":"running"}`)
	asked := 0
	for ask := g.Take(running); ask != nil; ask = g.Take(running) {
		if asked++; ask.Wait != 3*time.Second {
			t.Fatalf("waits %s", ask.Wait)
		}
	}
	if w := g.Whole(); asked != mostPolls || w.Ended || w.Problem == "" || w.State != "running" {
		t.Errorf("%d looks: %+v", asked, w)
	}
}

func TestOnlyTheOperationsOwnToolIsFollowed(t *testing.T) {
	op := &conform.Operation{Results: conform.Results{Next: &conform.Next{}}}
	for _, role := range []conform.Role{conform.RoleValidator, conform.RoleProbe, conform.RoleContinue} {
		if Begin(op, conform.Planned{Role: role}) != nil {
			t.Errorf("%s is followed", role)
		}
	}
	if Begin(&conform.Operation{}, conform.Planned{Role: conform.RolePrimary}) != nil || Begin(nil, conform.Planned{Role: conform.RolePrimary}) != nil {
		t.Error("a call is followed without the keys")
	}
}

// Every part of the whole stood somewhere, to the byte.
func TestPartsOfTheWholeStoodSomewhere(t *testing.T) {
	pages := conform.Results{Next: &conform.Next{}}
	for _, c := range []struct {
		name    string
		results conform.Results
		answers []string
	}{
		{"pages", pages, []string{`{"total":3,"results":[{"id":"1"},{"id":"2"}],"next_cursor":"x"}`, `{"results":[{"a/b":{"c":[1,2]}}]}`}},
		{"pages in texts", pages, []string{`{"content":[{"type":"text","text":"{\"results\":[{\"id\":\"1\"}],\"next_cursor\":\"x\"}"}]}`, `{"content":[{"type":"text","text":" {\"results\":[{\"id\":\"2\"}]}"}]}`}},
		{"a job", conform.Results{Async: &conform.Async{Tool: "j"}}, []string{`{"job_id":"J","status":"new"}`, `{"job_id":"J","status":"done","total":1,"results":[{"id":"1","success":true}]}`}},
		{"a list in a job", conform.Results{Async: &conform.Async{Tool: "j", Result: "$.a.rows"}}, []string{`{"job_id":"J","status":"new"}`, `{"status":"done","a":{"rows":[{"id":"1","success":true}]}}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := Begin(&conform.Operation{Tool: "t", Results: c.results}, conform.Planned{Role: conform.RolePrimary, Items: make([]conform.Item, 3)})
			var results []*rawjson.Node
			for _, a := range c.answers {
				results = append(results, parsed(t, a))
				g.Take(results[len(results)-1])
			}
			w := g.Whole()
			seen := 0
			w.Result.Get("structuredContent").Walk(func(n *rawjson.Node) bool {
				if n.Is(rawjson.Array) || n.Is(rawjson.Object) { // they are put together
					return true
				}
				part, pointer, offset := w.Origin(n.Pointer(), n.Offset)
				raw := results[part].Raw
				if strings.Contains(pointer, "#") {
					text, _ := results[part].Get("content").First().Get("text").Str()
					raw = []byte(text)
				}
				if !strings.HasPrefix(string(raw[offset:]), string(n.Raw)) {
					t.Errorf("%s is said to stand at %s, byte %d of answer %d, where %.20q stands", n.Pointer(), pointer, offset, part, raw[offset:])
				}
				seen++
				return true
			})
			if seen == 0 {
				t.Error("nothing was looked at")
			}
		})
	}
}

// Whatever a server answers, nothing panics, asking ends, and every part of the
// whole has a place in one of the answers.
func FuzzPieces(f *testing.F) {
	f.Add(`{"job_id":"J","status":"new"}`, `{"job_id":"J","status":"done","results":[{"id":"1"}],"next_cursor":"x"}`, `{"results":[{"id":"2"}]}`, "", "")
	f.Add(`{"content":[{"type":"text","text":"{\"results\":[1],\"next_page\":2}"}]}`, `{"results":[[],{"a":{}}],"next_page":2}`, `[]`, "$.a", "$..next_page")
	f.Add(`{"id":7,"state":null}`, `{"a":[{"results":[]}]}`, `{"content":[]}`, "$.a", "a")
	f.Fuzz(func(t *testing.T, first, second, third, result, cursor string) {
		op := &conform.Operation{Tool: "t", Results: conform.Results{
			Async: &conform.Async{Tool: "j", ID: "", Result: result}, Next: &conform.Next{Cursor: cursor},
		}}
		g := Begin(op, conform.Planned{Role: conform.RolePrimary, Items: make([]conform.Item, 2), Arguments: json.RawMessage(first)})
		var results []*rawjson.Node
		for _, text := range []string{first, second, third, third, second} {
			n, err := rawjson.Parse([]byte(text))
			if err == nil && !n.Has("content") {
				n, err = rawjson.Parse([]byte(`{"structuredContent":` + text + `}`))
			}
			if err != nil {
				n = nil
			}
			results = append(results, n)
			ask := g.Take(n)
			if ask == nil {
				break
			}
			if arguments, err := rawjson.Parse(ask.Arguments); err != nil || !arguments.Is(rawjson.Object) || ask.Tool == "" {
				t.Fatalf("asks %s of %q", ask.Arguments, ask.Tool)
			}
		}
		w := g.Whole()
		if w == nil {
			return
		}
		w.Result.Walk(func(n *rawjson.Node) bool {
			part, _, offset := w.Origin(n.Pointer(), n.Offset)
			if part < 0 || part >= len(results) || offset < 0 {
				t.Errorf("%s is said to stand in answer %d, at byte %d", n.Pointer(), part, offset)
			}
			return true
		})
	})
}

func TestNamesThatTellAPiece(t *testing.T) {
	for name, tells := range map[string]bool{"job_id": true, "status": true, "has_more": true, "nextCursor": true, "cursor": false, "note": false, "": false} {
		if Tells(name) != tells {
			t.Errorf("%q: %v", name, !tells)
		}
	}
}
