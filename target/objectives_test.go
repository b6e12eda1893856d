package target

import (
	"os"
	"strings"
	"testing"
)

func TestObjectivesAreReadWithTheirPlace(t *testing.T) {
	const file = `version: 1
server: {url: "http://127.0.0.1:1/mcp"}
objectives:
  - query batch=10 p95<=800ms wrong=0
  - AIM
operations:
  query: {tool: query, effect: read, input: {argument: ids}, items: {good: [A]}}
`
	f, err := Parse("aims.yaml", []byte(strings.Replace(file, "AIM", "\"* errors<=1%\"", 1)), os.LookupEnv)
	if err != nil || len(f.Objectives) != 2 || f.Objectives[0].Batch != 10 || f.Objectives[1].Operation != "*" {
		t.Fatalf("%+v, %v", f, err)
	}
	for aim, want := range map[string]string{
		"query p95":          "aims.yaml:5:5: the objective \"query p95\" cannot be read",
		"cancel wrong=0":     "aims.yaml:5:5: the objective is about \"cancel\", and no operation is named so",
		"{query: wrong}":     "`objectives` has a mapping",
		"query p95<=${NONE}": "NONE",
	} {
		if _, err := Parse("aims.yaml", []byte(strings.Replace(file, "AIM", aim, 1)), func(string) (string, bool) { return "", false }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", aim, err, want)
		}
	}
	if _, err := Parse("aims.yaml", []byte(strings.Replace(file, "objectives:\n", "objectives: query\nx-was:\n", 1)), os.LookupEnv); err == nil || !strings.Contains(err.Error(), "must be a list") {
		t.Error(err)
	}
}
