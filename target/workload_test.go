package target

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func workloadFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mix.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAWorkloadIsRead(t *testing.T) {
	w, err := LoadWorkload(workloadFile(t, `version: 1
name: evening
workload:
  - {operation: query, batch: [1, 10], weight: 2.5}
  - {operation: cancel, batch: 5, bad: 0.2}
  - {journey: cancel, batch: 5, think: 2s}
`), os.LookupEnv)
	want := &Workload{Name: "evening", Parts: []Part{{Operation: "query", Batches: []int{1, 10}, Weight: 2.5}, {Operation: "cancel", Batches: []int{5}, Bad: 0.2, Weight: 1}, {Operation: "cancel", Journey: true, Think: 2 * time.Second, Batches: []int{5}, Weight: 1}}}
	if err != nil || !reflect.DeepEqual(w, want) {
		t.Errorf("%+v, %v", w, err)
	}
	for content, problem := range map[string]string{
		"version: 2\nworkload: [{operation: a, batch: 1}]\n": "mix.yaml:1:10: `version` is",
		"version: 1\n":                                                   "has no `workload`",
		"version: 1\nworkload: []\n":                                     "a list of 1 to 100 kinds of calls",
		"version: 1\nworkload: {a: 1}\n":                                 "must be a list",
		"version: 1\nworkload: [{batch: 1}]\n":                           "has no `operation`",
		"version: 1\nworkload: [{operation: a}]\n":                       "has no `batch`",
		"version: 1\nworkload: [{operation: a, batch: 0}]\n":             "`batch`",
		"version: 1\nworkload: [{operation: a, batch: []}]\n":            "an empty list",
		"version: 1\nworkload: [{operation: a, batch: 1, bad: 2}]\n":     "a number from 0 to 1",
		"version: 1\nworkload: [{operation: a, batch: 1, weight: 0}]\n":  "a number from 0.001",
		"version: 1\nworkload: [{operation: a, batch: 1, wait: 0}]\n":    "unknown key `wait`",
		"version: 1\nworkload: [{operation: a, journey: a, batch: 1}]\n": "`operation` beside `journey`",
		"version: 1\nworkload: [{operation: a, think: 1s, batch: 1}]\n":  "`think` stands without `journey`",
		"version: 1\nworkload: [a]\n":                                    "must be a mapping",
	} {
		if _, err := LoadWorkload(workloadFile(t, content), os.LookupEnv); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: %v, want %q", content, err, problem)
		}
	}
	if _, err := LoadWorkload(filepath.Join(t.TempDir(), "none.yaml"), os.LookupEnv); err == nil || !strings.Contains(err.Error(), "reading the workload") {
		t.Error(err)
	}
}

func TestAFilesOwnWorkloadNamesItsOperations(t *testing.T) {
	const file = `version: 1
server: {url: "http://127.0.0.1:1/mcp"}
workload: [{operation: NAME, batch: 1}]
operations: {query: {tool: query, effect: read, input: {argument: ids}, items: {good: [A]}}}
`
	f, err := Parse("t.yaml", []byte(strings.Replace(file, "NAME", "query", 1)), os.LookupEnv)
	if err != nil || len(f.Workload.Parts) != 1 {
		t.Fatalf("%v", err)
	}
	if _, err := Parse("t.yaml", []byte(strings.Replace(file, "NAME", "qery", 1)), os.LookupEnv); err == nil || !strings.Contains(err.Error(), "t.yaml:3:12") || !strings.Contains(err.Error(), "did you mean query?") {
		t.Error(err)
	}
}
