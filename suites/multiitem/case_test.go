package multiitem_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fixtures/answers"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// verdictOf judges a recorded answer by the whole catalogue.
func verdictOf(rec *conform.Recording) (verdict string, failed []string) {
	verdict = "conformant"
	for _, f := range suites.Judge(rec, suites.All()).Findings {
		if f.Verdict != conform.Fail {
			continue
		}
		failed = append(failed, fmt.Sprintf("%s %s: got %s", f.Level, f.ID, f.Got))
		switch {
		case f.Level == conform.Must:
			verdict = "nonconformant"
		case f.Level == conform.Should && verdict == "conformant":
			verdict = "warning"
		}
	}
	return verdict, failed
}

func TestEveryRecordedAnswerGetsItsVerdict(t *testing.T) {
	cases, err := answers.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.File, func(t *testing.T) {
			rec := multiitem.Case(c.Tool, c.RequestItems, c.ToolResult, c.OutputSchema, c.ProtocolVersion)
			verdict, failed := verdictOf(rec)
			if verdict != c.ExpectedVerdict {
				t.Errorf("verdict %s, want %s\n%s\n%s", verdict, c.ExpectedVerdict, c.Why, strings.Join(failed, "\n"))
			}
			status, why := multiitem.CaseStatus(rec)
			want := ""
			if c.ExpectedStatus != nil {
				want = *c.ExpectedStatus
			}
			if string(status) != want {
				t.Errorf("status %q, want %q (%s)", status, want, why)
			}
			if testing.Verbose() {
				t.Log(strings.Join(failed, "\n"))
			}
		})
	}
}

func TestACasePointsIntoTheToolResult(t *testing.T) {
	result := []byte(`{"structuredContent":{"results":[{"id":"a","success":true},{"id":"b","success":"no"}]},"content":[]}`)
	rec := multiitem.Case("t", []json.RawMessage{[]byte(`"a"`), []byte(`"b"`)}, result, nil, "")
	for _, f := range suites.Judge(rec, multiitem.Checks()).Findings {
		if f.ID != "RES-06" {
			continue
		}
		if f.Verdict != conform.Fail || len(f.Evidence) == 0 {
			t.Fatalf("RES-06 is %s with %d pieces of evidence", f.Verdict, len(f.Evidence))
		}
		e := f.Evidence[0]
		if e.Pointer != "/structuredContent/results/1/success" || e.Offset == nil || string(result[*e.Offset:*e.Offset+4]) != `"no"` {
			t.Errorf("evidence %+v does not point at the flag", e)
		}
		if e.Excerpt == "" {
			t.Error("the evidence quotes nothing")
		}
	}
}

func TestACaseWithoutItemsAccusesNobody(t *testing.T) {
	rec := multiitem.Case("", nil, []byte(`{"structuredContent":{"results":[{"id":"a","success":true},{"id":"b","success":true}]},"content":[]}`), nil, "")
	if verdict, failed := verdictOf(rec); verdict != "conformant" {
		t.Errorf("verdict %s: %v", verdict, failed)
	}
}

func TestACaseKeepsHostileBytes(t *testing.T) {
	for _, result := range []string{`null`, `"x"`, `[]`, `{}`, `{"content":null}`, `{"structuredContent":{"results":[1,null,{}]}}`,
		`{"structuredContent":{"results":[{"success":true,"success":false}]}}`, `{"content":[{"type":"text","text":"{"}]}`, `{"isError":true}`,
		`{"structuredContent":{"output":{"x":{"results":[]}},"result":{"result":{"results":{}}}}}`} {
		for _, items := range [][]json.RawMessage{nil, {}, {[]byte(`"a"`)}, {[]byte(`"a"`), []byte(`{"id":1}`)}} {
			rec := multiitem.Case("t", items, []byte(result), nil, "")
			verdictOf(rec) // must not panic
			if _, err := rawjson.Parse([]byte(result)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
