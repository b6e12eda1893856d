package agentplatform_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/suites/agentplatform"
)

func node(t *testing.T, text string) *rawjson.Node {
	t.Helper()
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// row writes rows by a letter each: T and F.
func rows(flags string) string {
	var all []string
	for _, f := range flags {
		all = append(all, fmt.Sprintf(`{"name":"n","success":%t}`, f == 'T'))
	}
	return "[" + strings.Join(all, ",") + "]"
}

// The four published cases of the platform's own tests come first; the rest are the
// vectors of the contract.
func TestNormalizerVectors(t *testing.T) {
	const tool = "cancel_products"
	workflow := func(key, results string) string {
		return `{"ok":false,"error":"notification failed","result":{"status":"COMPLETED","output":{"` + key + `":{"results":` + results + `},"notify":{"success":false,"error":"x"}}}}`
	}
	for _, c := range []struct {
		name, body string
		want       string // status items/succeeded/failed ok original_ok secondary_error; empty: not recognised
	}{
		{"published: partial, and a later step failed", workflow(tool, rows("TFT")), "PARTIAL_SUCCESS 3/2/1 true false notification failed"},
		{"published: all done, and a later step failed", workflow(tool, rows("TTT")), "SUCCESS 3/3/0 true false notification failed"},
		{"published: one item", workflow(tool, rows("T")), ""},
		{"published: another step's rows", workflow("another", rows("TT")), ""},
		{"none done", `{"ok":true,"result":{"results":` + rows("FF") + `}}`, "FAILED 2/0/2 true - -"},
		{"an empty list", `{"ok":true,"result":{"results":[]}}`, ""},
		{"a flag that is a text", `{"ok":true,"result":{"results":[{"success":true},{"success":"true"}]}}`, ""},
		{"a flag that is a number", `{"ok":true,"result":{"results":[{"success":true},{"success":1}]}}`, ""},
		{"an entry that is null", `{"ok":true,"result":{"results":[{"success":true},null]}}`, ""},
		{"an entry without a flag", `{"ok":true,"result":{"results":[{"success":true},{}]}}`, ""},
		{"ok flags", `{"ok":true,"result":{"results":[{"ok":true},{"ok":false}]}}`, "PARTIAL_SUCCESS 2/1/1 true - -"},
		{"both names", `{"ok":true,"result":{"results":[{"ok":true},{"success":true}]}}`, "SUCCESS 2/2/0 true - -"},
		{"a workflow's own rows come first", `{"ok":true,"result":{"results":` + rows("FF") + `,"output":{"` + tool + `":{"results":` + rows("TT") + `}}}}`, "SUCCESS 2/2/0 true - -"},
		{"one more wrapper", `{"ok":true,"result":{"status":"COMPLETED","result":{"results":` + rows("TF") + `}}}`, "PARTIAL_SUCCESS 2/1/1 true - -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := node(t, c.body)
			before := string(body.Raw)
			got := agentplatform.Normalize(agentplatform.REST, tool, agentplatform.OfBody(agentplatform.REST, body))
			if string(body.Raw) != before {
				t.Error("the input was changed")
			}
			if c.want == "" {
				if got.Recognised || got.Status != "" || got.Counted != nil || got.Partial != nil || got.OriginalOK != nil || got.Why == "" {
					t.Errorf("recognised: %+v", got)
				}
				return
			}
			if !got.Recognised {
				t.Fatalf("not recognised: %s", got.Why)
			}
			original, second := "-", "-"
			if got.OriginalOK != nil {
				original = fmt.Sprint(*got.OriginalOK)
			}
			if got.SecondaryError != nil {
				second = fmt.Sprint(got.SecondaryError)
			}
			n := got.Counted
			if said := fmt.Sprintf("%s %d/%d/%d %t %s %s", got.Status, n.Items, n.Succeeded, n.Failed, got.OK, original, second); said != c.want {
				t.Errorf("got %s, want %s", said, c.want)
			}
			if n.Primary != tool || n.Status != got.Status || *got.Partial != (got.Status == "PARTIAL_SUCCESS") {
				t.Errorf("counters %+v beside %s", n, got.Status)
			}
			var members map[string]any
			text, _ := json.Marshal(n)
			if json.Unmarshal(text, &members) != nil || len(members) != 5 {
				t.Errorf("the counters are %s", text)
			}
		})
	}
}

// What each transport leaves of the bodies that servers send.
func TestTransportsLoseWhatTheyLose(t *testing.T) {
	two := rows("TF")
	for _, c := range []struct {
		body               string
		mcp, rest, gateway bool
	}{
		{`{"results":` + two + `}`, true, false, true},
		{`{"ok":true,"result":{"results":` + two + `}}`, true, true, true},
		{`{"ok":true,"results":` + two + `}`, true, false, false},
		{`{"results":` + two + `,"result":"done"}`, false, false, false},
		{`{"results":` + two + `,"error":null}`, true, false, false},
		{two, false, false, false},
	} {
		for transport, want := range map[agentplatform.Transport]bool{agentplatform.MCP: c.mcp, agentplatform.REST: c.rest, agentplatform.Gateway: c.gateway} {
			var e agentplatform.Envelope
			if transport == agentplatform.MCP {
				e = agentplatform.OfMCP(node(t, `{"content":[],"structuredContent":`+c.body+`}`))
			} else {
				e = agentplatform.OfBody(transport, node(t, c.body))
			}
			got := agentplatform.Normalize(transport, "cancel_products", e)
			if got.Recognised != want {
				t.Errorf("%s of %s: recognised %t, want %t (%s)", transport, c.body, got.Recognised, want, got.Why)
			}
			if !want && got.Why == "" {
				t.Errorf("%s of %s: no reason is given", transport, c.body)
			}
		}
	}
}

func TestMCPAnswersAreConvertedAsThePlatformDoes(t *testing.T) {
	quoted := func(text string) string { b, _ := json.Marshal(text); return string(b) }
	body := `{"results":` + rows("TF") + `}`
	for name, c := range map[string]struct {
		result     string
		recognised bool
		ok         bool
		why        string
	}{
		"one text block":             {`{"content":[{"type":"text","text":` + quoted(" "+body) + `}]}`, true, true, ""},
		"two text blocks":            {`{"content":[{"type":"text","text":` + quoted(body) + `},{"type":"text","text":"done"}]}`, false, true, "two or more content blocks"},
		"prose":                      {`{"content":[{"type":"text","text":"all done"}]}`, false, true, "no JSON"},
		"an empty structuredContent": {`{"structuredContent":{},"content":[{"type":"text","text":` + quoted(body) + `}]}`, true, true, ""},
		"isError with rows":          {`{"isError":true,"content":[],"structuredContent":` + body + `}`, true, true, ""},
		"isError without":            {`{"isError":true,"content":[{"type":"text","text":"no"}]}`, false, false, ""},
		"rows of one":                {`{"content":[],"structuredContent":{"results":` + rows("T") + `}}`, false, true, "a list of one arrives as its one entry"},
		"rows of one as text":        {`{"content":[{"type":"text","text":` + quoted(`{"results":`+rows("T")+`}`) + `}]}`, false, true, "two or more make a batch"},
		"JSON in a string":           {`{"content":[],"structuredContent":{"results":` + quoted(rows("TF")) + `}}`, true, true, ""},
		"nothing":                    {`{}`, false, true, "no results[]"},
	} {
		t.Run(name, func(t *testing.T) {
			got := agentplatform.Normalize(agentplatform.MCP, "t", agentplatform.OfMCP(node(t, c.result)))
			if got.Recognised != c.recognised || got.OK != c.ok || !strings.Contains(got.Why, c.why) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestWhatTheModelIsNotShown(t *testing.T) {
	long := agentplatform.Normalize(agentplatform.Gateway, "t", agentplatform.OfBody(agentplatform.Gateway, node(t, `{"results":`+rows(strings.Repeat("T", 30))+`}`)))
	if len(long.Unseen) != 1 || !strings.Contains(long.Unseen[0], "6 of 30 rows") || long.Counted.Items != 30 {
		t.Errorf("got %+v", long)
	}
	if short := agentplatform.Normalize(agentplatform.Gateway, "t", agentplatform.OfBody(agentplatform.Gateway, node(t, `{"results":`+rows("TF")+`}`))); short.Unseen != nil {
		t.Errorf("got %+v", short.Unseen)
	}
}
