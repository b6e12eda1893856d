package multiitem_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

var update = flag.Bool("update", false, "rewrite testdata/told.golden")

// everything gives what is told of a recording, by rule and operation.
func everything(rec *conform.Recording) map[string]string {
	all := map[string]string{}
	j := suites.Judge(rec, multiitem.Checks())
	for _, f := range j.Findings {
		all[f.ID+"@"+f.Operation] = inAll(f)
	}
	for _, n := range j.NotApplicable {
		all[n.ID+"@"+n.Operation] = "not applicable: " + n.Reason
	}
	return all
}

// told writes down what is told otherwise than usual; rules of which the same is
// told stand together.
func told(rec *conform.Recording, usual map[string]string) string {
	alike := map[string][]string{}
	for name, text := range everything(rec) {
		if usual[name] != text {
			alike[text] = append(alike[text], name)
		}
	}
	var lines []string
	for text, names := range alike {
		slices.Sort(names)
		lines = append(lines, strings.Join(names, " ")+"\n  "+text+"\n")
	}
	slices.Sort(lines)
	return strings.Join(append(lines, ""), "")
}

// inAll is a finding on a few lines.
func inAll(f conform.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %d/%d", f.Verdict, f.Level, f.Count, f.Of)
	for _, part := range []struct{ name, text string }{{"scenario", f.Scenario}, {"after", f.ConsequenceOf}, {"common", f.Common}, {"because", f.Reason}, {"want", f.Want}, {"got", f.Got}, {"hint", f.Hint}} {
		if part.text != "" && (f.Verdict != conform.Pass || part.name == "because") {
			fmt.Fprintf(&b, "\n  %s: %s", part.name, strings.ReplaceAll(part.text, "\n", `\n`))
		}
	}
	if f.Verdict == conform.Fail || f.Verdict == conform.Inconclusive {
		for _, e := range f.Evidence {
			offset := -1
			if e.Offset != nil {
				offset = *e.Offset
			}
			fmt.Fprintf(&b, "\n  shown: call %s #%d %s@%d %q %s", e.Call, e.Seq, e.Pointer, offset, e.Excerpt, e.Note)
		}
	}
	return b.String()
}

// album is a golden file of scenes: what is told of each.
type album struct {
	want map[string]string
	got  bytes.Buffer
}

const albumFile = "testdata/told.golden"

func openAlbum(t *testing.T) *album {
	t.Helper()
	text, err := os.ReadFile(albumFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	a := &album{want: map[string]string{}}
	for _, scene := range strings.Split("\n"+string(text), "\n== ")[1:] {
		name, body, _ := strings.Cut(scene, "\n")
		a.want[name] = strings.TrimSpace(body)
	}
	return a
}

// scene compares a scene with the file.
func (a *album) scene(t *testing.T, name, got string) {
	t.Helper()
	got = strings.TrimSpace(got)
	fmt.Fprintf(&a.got, "== %s\n%s\n\n", name, got)
	want, known := a.want[name]
	delete(a.want, name)
	if *update || known && got == want {
		return
	}
	have, wanted := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range have {
		if i >= len(wanted) || have[i] != wanted[i] {
			t.Fatalf("%s, line %d\n got %s\nwant %s\n(rewrite %s with -update, and read what changed)", name, i+1, have[i], append(wanted, "")[min(i, len(wanted))], albumFile)
		}
	}
	t.Fatalf("%s: %d lines are missing behind %q", name, len(wanted)-len(have), have[len(have)-1])
}

// close tells of scenes that are no longer played, or writes the file anew.
func (a *album) close(t *testing.T) {
	t.Helper()
	if *update {
		if err := os.WriteFile(albumFile, a.got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name := range a.want {
		t.Errorf("%s holds %q, and nothing plays it", albumFile, name)
	}
}

// What is told of each fault is what a developer has to work with: the rule, the
// call, what was wanted and got, the mend. The golden file is there to be read.
func TestWhatIsToldOfEachFault(t *testing.T) {
	good := perform(operations, play(), serve)
	usual := everything(good)
	a := openAlbum(t)
	a.scene(t, "the server that keeps every rule", told(good, nil))
	for _, c := range []struct{ name, items, result string }{
		{"a recorded answer", `["a","b"]`, `{"content":[],"structuredContent":{"results":[{"id":"a","success":true},{"id":"b","success":false}]}}`},
		{"a recorded answer of one", `["a"]`, `{"content":[],"structuredContent":{"ok":false,"result":{"results":[{"id":"a","success":false,"error":"gone"}]}}}`},
		{"a recorded answer to nothing", `[]`, `{"content":[],"structuredContent":{"results":[]}}`},
	} {
		var items []json.RawMessage
		if err := json.Unmarshal([]byte(c.items), &items); err != nil {
			t.Fatal(err)
		}
		a.scene(t, "judged alone: "+c.name, told(multiitem.Case("", items, []byte(c.result), nil, "2025-11-25"), nil))
		a.scene(t, "judged alone: "+c.name+" of a known tool", told(multiitem.Case("x", items, []byte(c.result), nil, "2025-11-25"), nil))
	}
	stage := slices.DeleteFunc(play(), func(s script) bool { return s.Operation != "cancel" })
	for _, c := range []struct {
		name string
		answer
	}{
		{"no answer", answer{silent: true}},
		{"HTTP 401", answer{status: 401, media: "application/json", body: `{"error":"unauthorized"}`}},
		{"HTTP 429", answer{status: 429, media: "application/json", body: `{}`}},
		{"a proxy's page", answer{status: 502, media: "text/html", body: `<html>bad gateway</html>`}},
		{"HTTP 200, a page", answer{status: 200, media: "text/html", body: `<html>welcome</html>`}},
		{"an elicitation", answer{asks: "elicitation/create", silent: true}},
		{"a sampling", answer{asks: "sampling/createMessage", silent: true}},
		{"a job handle", answer{payload: object{"job_id": "j-1", "status": "queued"}}},
		{"one page of rows", answer{payload: object{"results": []any{object{"id": "A-1", "success": true}}, "nextCursor": "2"}}},
		{"a task", answer{payload: object{"task": object{"taskId": "t-1", "status": "working"}}}},
		{"no permission", answer{payload: object{"ok": false, "error": "permission denied: missing role editor"}}},
		{"an empty object", answer{payload: object{}}},
	} {
		a.scene(t, "everywhere: "+c.name, told(perform(operations[:1], stage, func(s script) *answer {
			if s.Role != conform.RolePrimary {
				return serve(s)
			}
			said := c.answer
			said.result = object{}
			return &said
		}), usual))
	}
	for _, f := range faults {
		a.scene(t, "fault: "+f.name, told(bent(f.name, f.ops, f.bend), usual))
	}
	for _, o := range oddities {
		a.scene(t, "lawful: "+o.name, told(bent("lawful: "+o.name, o.ops, o.bend), usual))
	}
	a.close(t)
}
