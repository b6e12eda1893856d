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
	if why := multiitem.PendingCase(rec); why != "" && verdict == "conformant" {
		return "warning", []string{"not run: " + why}
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

func TestRecordedAnswersOfManyShapes(t *testing.T) {
	const two, three = `["a","b"]`, `["a","b","c"]`
	structured := func(payload string) string { return `{"content":[],"structuredContent":` + payload + `}` }
	failed := func(payload string) string {
		return `{"content":[],"isError":true,"structuredContent":` + payload + `}`
	}
	text := func(texts ...string) string {
		var blocks []string
		for _, s := range texts {
			b, _ := json.Marshal(s)
			blocks = append(blocks, `{"type":"text","text":`+string(b)+`}`)
		}
		return `{"content":[` + strings.Join(blocks, ",") + `]}`
	}
	const aTrue, bTrue, bFalse = `{"id":"a","success":true}`, `{"id":"b","success":true}`, `{"id":"b","success":false,"error":"locked"}`
	rows := func(rows ...string) string { return `"results":[` + strings.Join(rows, ",") + `]` }
	const conformant, warning, nonconformant = "conformant", "warning", "nonconformant"
	for _, c := range []struct {
		name, items, result, verdict, status string
		must                                 string // an id that fails
	}{
		{"wrapped without ok", two, structured(`{"result":{` + rows(aTrue, bTrue) + `}}`), conformant, "SUCCESS", ""},
		{"ok false on a partial batch", two, structured(`{"ok":false,` + rows(aTrue, bFalse) + `}`), conformant, "PARTIAL_SUCCESS", ""},
		{"isError on a full success", two, failed(`{` + rows(aTrue, bTrue) + `}`), warning, "SUCCESS", "ENV-07"},
		{"rows two levels down", two, structured(`{"data":{"items":[` + aTrue + `,` + bTrue + `]}}`), nonconformant, "", "ENV-02"},
		{"rows in another tool's output", two, structured(`{"status":"COMPLETED","output":{"other":{` + rows(aTrue, bTrue) + `}}}`), nonconformant, "", "ENV-02"},
		{"rows that name nothing", two, structured(`{` + rows(`{"success":true}`, `{"success":false,"error":"x"}`) + `}`), warning, "PARTIAL_SUCCESS", "RES-09"},
		{"too few rows that name nothing", three, structured(`{` + rows(`{"success":true}`, `{"success":true}`) + `}`), nonconformant, "", "RES-02"},
		{"a failure left out, one of three told failed", three, structured(`{` + rows(aTrue, bFalse) + `}`), nonconformant, "PARTIAL_SUCCESS", "RES-02"},
		{"a row too many", two, structured(`{` + rows(aTrue, bTrue, `{"id":"z","success":true}`) + `}`), nonconformant, "SUCCESS", "RES-02"},
		{"one item twice", two, structured(`{` + rows(aTrue, bTrue, bTrue) + `}`), nonconformant, "SUCCESS", "RES-02"},
		{"another letter case", two, structured(`{` + rows(`{"id":"A","success":true}`, bTrue) + `}`), nonconformant, "", "RES-02"},
		{"NFKC is not NFC", `["①","b"]`, structured(`{` + rows(`{"id":"1","success":true}`, bTrue) + `}`), nonconformant, "", "RES-02"},
		{"one of one", `["a"]`, structured(`{"ok":true,` + rows(aTrue) + `}`), conformant, "", ""},
		{"one of one, ok says the opposite", `["b"]`, structured(`{"ok":true,` + rows(bFalse) + `}`), nonconformant, "", "RES-13"},
		{"one of one, refused in words", `["b"]`, `{"isError":true,"content":[{"type":"text","text":"no b"}]}`, nonconformant, "", "RES-13"},
		{"all failed without a sign", two, structured(`{` + rows(`{"id":"a","success":false,"error":"x"}`, bFalse) + `}`), warning, "FAILED", "AGG-04"},
		{"an error on a success", two, structured(`{` + rows(`{"id":"a","success":true,"error":"x"}`, bTrue) + `}`), warning, "SUCCESS", "RES-17"},
		{"a failure without a reason", two, structured(`{` + rows(aTrue, `{"id":"b","success":false}`) + `}`), warning, "PARTIAL_SUCCESS", "RES-11"},
		{"totals that lie", two, structured(`{"summary":{"failed":0},` + rows(aTrue, bFalse) + `}`), warning, "PARTIAL_SUCCESS", "AGG-05"},
		{"two flags that differ", two, structured(`{` + rows(`{"id":"a","success":true,"ok":false}`, bTrue) + `}`), nonconformant, "", "RES-07"},
		{"a second flag in words", two, structured(`{` + rows(`{"id":"a","success":true,"ok":"yes"}`, bTrue) + `}`), warning, "SUCCESS", "RES-15"},
		{"a flag that is one", two, structured(`{` + rows(`{"id":"a","success":1}`, bTrue) + `}`), nonconformant, "", "RES-06"},
		{"a null row", two, structured(`{` + rows(aTrue, `null`) + `}`), nonconformant, "", "RES-04"},
		{"results is an object", two, structured(`{"results":{"a":true,"b":true}}`), nonconformant, "", "RES-01"},
		{"result beside results", two, structured(`{"result":"done",` + rows(aTrue, bTrue) + `}`), nonconformant, "SUCCESS", "ENV-03"},
		{"metadata in words", two, structured(`{"ok":true,"metadata":"x","result":{` + rows(aTrue, bTrue) + `}}`), warning, "SUCCESS", "ENV-10"},
		{"ok in words", two, structured(`{"ok":"true","result":{` + rows(aTrue, bTrue) + `}}`), nonconformant, "SUCCESS", "ENV-09"},
		{"two JSON texts", two, text(`{`+rows(aTrue, bTrue)+`}`, `{"took":3}`), nonconformant, "", "ENV-01"},
		{"words before the JSON", two, text(`Result: {` + rows(aTrue, bTrue) + `}`), nonconformant, "", "ENV-01"},
		{"an empty object beside the text", two, `{"structuredContent":{},"content":[{"type":"text","text":"{\"results\":[{\"id\":\"a\",\"success\":true},{\"id\":\"b\",\"success\":true}]}"}]}`, conformant, "SUCCESS", ""},
		{"text and structure differ", two, `{"structuredContent":{` + rows(aTrue, bFalse) + `},"content":[{"type":"text","text":"{\"results\":[{\"id\":\"a\",\"success\":true},{\"id\":\"b\",\"success\":true}]}"}]}`, warning, "PARTIAL_SUCCESS", "ENV-08"},
		{"a job instead of rows", two, structured(`{"job_id":"j-1","status":"queued"}`), warning, "", ""},
		{"a question instead of rows", two, `{"resultType":"input_required","requestState":"s","inputRequests":{"confirm":{"method":"elicitation/create","params":{"message":"Sure?"}}}}`, warning, "", ""},
		{"a task instead of rows", two, `{"resultType":"task","taskId":"t-1","status":"working"}`, warning, "", ""},
		{"a task of 2025-11-25", two, `{"task":{"taskId":"t-1","status":"working"}}`, warning, "", ""},
		{"one page of rows", three, structured(`{"next_cursor":"p2",` + rows(aTrue, bTrue) + `}`), warning, "", ""},
		{"a job that is done and has no rows", two, structured(`{"job_id":"j-1","status":"done"}`), nonconformant, "", "RES-01"},
		{"the same item twice, done twice", `["a","a"]`, structured(`{` + rows(aTrue, aTrue) + `}`), warning, "SUCCESS", "RES-14"},
		{"the same item twice, the second told as a duplicate", `["a","a"]`, structured(`{` + rows(aTrue, `{"id":"a","success":false,"error":"duplicate"}`) + `}`), conformant, "PARTIAL_SUCCESS", ""},
		{"nothing asked, and refused", `[]`, `{"isError":true,"content":[{"type":"text","text":"items must not be empty"}]}`, conformant, "", ""},
		{"nothing asked, and a success told", `[]`, structured(`{"ok":true,` + rows(aTrue) + `}`), warning, "", "INP-05"},
		{"everything rolled back and told so", two, failed(`{"ok":false,` + rows(`{"id":"a","success":false,"error":"rolled back"}`, bFalse) + `}`), conformant, "FAILED", ""},
		{"rows in another order", two, structured(`{` + rows(bTrue, aTrue) + `}`), conformant, "SUCCESS", ""},
		{"large numbers", `["9007199254740993","b"]`, structured(`{` + rows(`{"id":9007199254740993,"success":true}`, bTrue) + `}`), warning, "SUCCESS", "RES-16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var items []json.RawMessage
			if err := json.Unmarshal([]byte(c.items), &items); err != nil {
				t.Fatal(err)
			}
			rec := multiitem.Case("t", items, []byte(c.result), nil, "")
			verdict, failed := verdictOf(rec)
			if verdict != c.verdict {
				t.Errorf("verdict %s, want %s\n%s", verdict, c.verdict, strings.Join(failed, "\n"))
			}
			if status, why := multiitem.CaseStatus(rec); string(status) != c.status {
				t.Errorf("status %q, want %q (%s)", status, c.status, why)
			}
			if c.must != "" && !strings.Contains(strings.Join(failed, "\n"), " "+c.must+":") {
				t.Errorf("%s does not fail:\n%s", c.must, strings.Join(failed, "\n"))
			}
		})
	}
}

// A recorded answer is one that came whole, over HTTP, to a request for its items.
func TestACaseIsACallAnsweredWhole(t *testing.T) {
	items := []json.RawMessage{[]byte(`"a"`), []byte(`"b"`), []byte(`{"id":3}`)}
	rec := multiitem.Case("t", items, []byte(`{"content":[]}`), []byte(`{}`), "")
	if len(rec.Calls) != 2 {
		t.Fatalf("%d calls", len(rec.Calls))
	}
	for _, c := range rec.Calls {
		if c.Response == nil || c.Sent.Sent.Channel != conform.ChannelHTTP || c.Last().Channel != conform.ChannelHTTP || c.Last().Status != 200 || c.Last().End != conform.Complete {
			t.Errorf("%s: sent %+v, received %+v", c.ID, c.Sent.Sent, c.Last())
		}
	}
	if got := string(rec.Call("answer").Planned.Arguments); got != `{"items":["a","b",{"id":3}]}` {
		t.Errorf("it asks for %s", got)
	}
}

func TestWhereNoAnswerIsRecordedNothingIsSaidOfOne(t *testing.T) {
	rec := conform.NewRecording(conform.Header{}, nil)
	if status, why := multiitem.CaseStatus(rec); status != "" || why == "" {
		t.Errorf("status %q, because %q", status, why)
	}
	unanswered := conform.NewRecording(conform.Header{}, []conform.Observation{{Seq: 1, Kind: conform.KindPlanned, Call: "answer", Planned: &conform.Planned{}}})
	if status, why := multiitem.CaseStatus(unanswered); status != "" || why == "" {
		t.Errorf("of a call without an answer: status %q, because %q", status, why)
	}
	if why := multiitem.PendingCase(rec); why != "" {
		t.Errorf("it waits for %q", why)
	}
}
