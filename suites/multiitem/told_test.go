package multiitem_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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

// What is told of each fault is what a developer has to work with: the rule, the
// call, what was wanted and got, the mend. The golden file is there to be read.
func TestWhatIsToldOfEachFault(t *testing.T) {
	good := perform(operations, play(), serve)
	usual := everything(good)
	scenes := map[string]string{"the server that keeps every rule": told(good, nil)}
	for _, f := range faults {
		ops := slices.Clone(operations)
		if f.ops != nil {
			f.ops(ops)
		}
		scenes["fault: "+f.name] = told(perform(ops, play(), func(s script) *answer {
			a := serve(s)
			f.bend(s, a)
			return a
		}), usual)
	}
	for _, o := range oddities {
		ops := slices.Clone(operations)
		if o.ops != nil {
			o.ops(ops)
		}
		scenes["lawful: "+o.name] = told(perform(ops, play(), func(s script) *answer {
			a := serve(s)
			o.bend(s, a)
			return a
		}), usual)
	}
	stage := slices.DeleteFunc(play(), func(s script) bool { return s.Operation != "cancel" })
	for name, a := range map[string]answer{
		"no answer":        {silent: true},
		"HTTP 401":         {status: 401, media: "application/json", body: `{"error":"unauthorized"}`},
		"HTTP 429":         {status: 429, media: "application/json", body: `{}`},
		"a proxy's page":   {status: 502, media: "text/html", body: `<html>bad gateway</html>`},
		"HTTP 200, a page": {status: 200, media: "text/html", body: `<html>welcome</html>`},
		"an elicitation":   {asks: "elicitation/create", silent: true},
		"a sampling":       {asks: "sampling/createMessage", silent: true},
		"a job handle":     {payload: object{"job_id": "j-1", "status": "queued"}},
		"one page of rows": {payload: object{"results": []any{object{"id": "A-1", "success": true}}, "nextCursor": "2"}},
		"a task":           {payload: object{"task": object{"taskId": "t-1", "status": "working"}}},
		"no permission":    {payload: object{"ok": false, "error": "permission denied: missing role editor"}},
		"an empty object":  {payload: object{}},
	} {
		scenes["everywhere: "+name] = told(perform(operations[:1], stage, func(s script) *answer {
			said := a
			said.result = object{}
			if s.Role != conform.RolePrimary {
				return serve(s)
			}
			return &said
		}), usual)
	}
	for _, name := range []string{"", "x"} {
		for _, c := range []struct{ name, items, result string }{
			{"a recorded answer", `["a","b"]`, `{"content":[],"structuredContent":{"results":[{"id":"a","success":true},{"id":"b","success":false}]}}`},
			{"a recorded answer of one", `["a"]`, `{"content":[],"structuredContent":{"ok":false,"result":{"results":[{"id":"a","success":false,"error":"gone"}]}}}`},
			{"a recorded answer to nothing", `[]`, `{"content":[],"structuredContent":{"results":[]}}`},
		} {
			var items []json.RawMessage
			if err := json.Unmarshal([]byte(c.items), &items); err != nil {
				t.Fatal(err)
			}
			scenes["judged alone: "+c.name+map[bool]string{true: " of a known tool"}[name != ""]] = told(multiitem.Case(name, items, []byte(c.result), nil, "2025-11-25"), nil)
		}
	}
	golden(t, scenes)
}

// golden compares scenes with the file, one by one.
func golden(t *testing.T, scenes map[string]string) {
	t.Helper()
	path := filepath.Join("testdata", "told.golden")
	names := make([]string, 0, len(scenes))
	for name := range scenes {
		names = append(names, name)
	}
	slices.Sort(names)
	var all bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&all, "== %s\n%s\n", name, scenes[name])
	}
	if *update {
		if err := os.WriteFile(path, all.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(want, all.Bytes()) {
		return
	}
	have, wanted := strings.Split(all.String(), "\n"), strings.Split(string(want), "\n")
	scene := ""
	for i := range have {
		if strings.HasPrefix(have[i], "== ") {
			scene = have[i]
		}
		if i >= len(wanted) || have[i] != wanted[i] {
			t.Fatalf("%s, line %d of %s\n got %s\nwant %s\n(rewrite it with -update, and read what changed)", scene, i+1, path, have[i], append(wanted, "")[min(i, len(wanted))])
		}
	}
	t.Fatalf("%s has %d lines more", path, len(wanted)-len(have))
}
