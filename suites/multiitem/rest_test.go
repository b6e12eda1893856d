package multiitem_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// legacy records one batch over legacy REST.
func legacy(body string) *conform.Recording { return legacyFor(good("A-1", "A-2"), body) }

func legacyFor(items []conform.Item, body string) *conform.Recording {
	planned := conform.Planned{Role: conform.RolePrimary, Operation: "cancel", Tool: "cancel_products", Items: items, Arguments: []byte(`{}`)}
	header := []conform.HeaderField{{Name: "Content-Type", Value: "application/json"}}
	observations := []conform.Observation{
		{Seq: 1, Kind: conform.KindPlanned, Call: "c", Planned: &planned},
		{Seq: 2, Kind: conform.KindSent, Call: "c", Sent: &conform.Sent{Channel: conform.ChannelHTTP, Method: "POST", URL: "http://127.0.0.1/tools/call",
			Body: conform.Bytes(`{"tool_name":"cancel_products","arguments":{"items":["A-1","A-2"]}}`)}},
		{Seq: 3, Kind: conform.KindReceived, Call: "c", Received: &conform.Received{Channel: conform.ChannelHTTP, Status: 200, Header: header, Body: conform.Bytes(body), End: conform.Complete}},
		{Seq: 4, Kind: conform.KindEnded, Ended: &conform.Ended{}},
	}
	return conform.NewRecording(conform.Header{Target: conform.Target{Transport: "rest", HasFile: true, Operations: operations[:1]}}, observations)
}

const twoRows = `"results":[{"id":"A-1","success":true},{"id":"A-2","success":true}]`

func TestLegacyRESTWantsTheRowsInsideResult(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"wrapped", `{"ok":true,"result":{` + twoRows + `}}`, nil},
		{"bare", `{` + twoRows + `}`, []string{"ENV-04"}},
		{"beside ok", `{"ok":true,` + twoRows + `}`, []string{"ENV-04"}},
		{"inside and outside", `{"ok":true,"result":{` + twoRows + `},` + twoRows + `}`, nil},
		{"an error object weighs more here", `{"ok":true,"error":{"code":1},"result":{` + twoRows + `}}`, []string{"ENV-10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, said := failing(legacy(c.body))
			same(t, got, c.want, said)
			if verdict, _ := saidBy(legacy(c.body), "ENV-04"); (verdict == conform.Pass) != !slices.Contains(c.want, "ENV-04") {
				t.Errorf("ENV-04 is %s", verdict)
			}
			for _, f := range said {
				if f.Level != conform.Must {
					t.Errorf("%s is a %s over legacy REST", f.ID, f.Level)
				}
			}
		})
	}
}

func TestLegacyRESTIsJudgedForOneItemToo(t *testing.T) {
	if verdict, said := saidBy(legacyFor(good("A-1"), `{"results":[{"id":"A-1","success":true}]}`), "ENV-04"); verdict != conform.Fail {
		t.Errorf("%s: %s", verdict, said)
	}
}

func TestLegacyRESTWithoutRowsIsAnotherRulesMatter(t *testing.T) {
	if verdict, said := saidBy(legacy(`{"ok":true,"message":"done"}`), "ENV-04"); verdict != conform.NotRun || !strings.Contains(said, "no results[] to read") {
		t.Errorf("%s: %s", verdict, said)
	}
}

func TestLegacyRESTRuleHasNoMeaningOverMCP(t *testing.T) {
	for _, n := range suites.Judge(perform(operations, play(), serve), multiitem.Checks()).NotApplicable {
		if n.ID == "ENV-04" && n.Reason != "" {
			return
		}
	}
	t.Error("ENV-04 is not told as not applicable")
}

func TestAnIntermediarysPageIsTheServersFaultOnlyTheSecondTime(t *testing.T) {
	mixed := batches()[2]
	mixed.Operation, mixed.Tool, mixed.Method, mixed.Arguments = "cancel", "cancel_products", "tools/call", []byte(`{"items":["A-6","X-1","A-7"]}`)
	fine := batches()[0]
	fine.Operation, fine.Tool, fine.Method, fine.Arguments = "cancel", "cancel_products", "tools/call", []byte(`{"items":["A-1","A-2","A-3"]}`)
	page := func(s script) *answer {
		if isMixed(s) {
			return &answer{status: 502, media: "text/html", body: "<html></html>", result: object{}}
		}
		return serve(s)
	}
	got, said := failing(perform(operations[:1], []script{fine, mixed}, page))
	same(t, got, nil, said)
	got, said = failing(perform(operations[:1], []script{fine, mixed, mixed}, page))
	same(t, got, []string{"ENV-06"}, said)
	// An intermediary that is in the way of other calls too is no word on bad items.
	seen := 0
	got, said = failing(perform(operations[:1], []script{fine, fine, mixed, mixed}, func(s script) *answer {
		if seen++; seen == 1 {
			return &answer{status: 504, media: "text/plain", body: "timed out", result: object{}}
		}
		return page(s)
	}))
	same(t, got, nil, said)
}

func TestRowsOfAnotherCallInFlightAreNotHeldAgainstEachCall(t *testing.T) {
	var burst []script
	for i := range 2 {
		items := good(fmt.Sprintf("K-%d1", i), fmt.Sprintf("K-%d2", i))
		burst = append(burst, script{Planned: conform.Planned{Scenario: "burst", Operation: "cancel", Tool: "cancel_products", Method: "tools/call",
			Role: conform.RolePrimary, Items: items, Burst: "b1", InFlight: 2, Arguments: []byte(`{}`), Instance: "burst"}})
	}
	got, said := failing(perform(operations[:1], burst, func(s script) *answer {
		other := s
		other.Items = burst[0].Items
		if idOf(s.Items[0]) == "K-01" {
			other.Items = burst[1].Items
		}
		return serve(other)
	}))
	same(t, got, nil, said) // LD-01 speaks, which is not of these groups
}

func TestAToolThatIsNotListedIsTheTargetFilesMatter(t *testing.T) {
	ops := []conform.Operation{operations[0]}
	ops[0].Tool = "no_such_tool"
	scripts := play()[:3]
	for i := range scripts {
		scripts[i].Operation, scripts[i].Tool = "cancel", "another_tool"
	}
	got, said := failing(perform(ops, scripts, func(script) *answer { return &answer{raised: "unknown tool", result: object{}} }))
	same(t, got, nil, said)
}

func TestAnAnswerThatReadsLikeAPermissionProblemSaysSo(t *testing.T) {
	batch := batches()[0]
	batch.Operation, batch.Tool, batch.Method, batch.Arguments = "cancel", "cancel_products", "tools/call", []byte(`{}`)
	rec := perform(operations[:1], []script{batch}, func(s script) *answer {
		a := &answer{}
		refuse("caller lacks the write role")(s, a)
		return a
	})
	_, said := failing(rec)
	f, ok := said["RES-01"]
	if !ok || f.Hint == "" || f.Hint[:11] != "the refusal" {
		t.Errorf("RES-01 hints %q", f.Hint)
	}
}

func TestAMappedShapeStillFailsAndTheMappingIsNamed(t *testing.T) {
	ops := []conform.Operation{operations[0]}
	ops[0].Results = conform.Results{Path: "$.entities[*]", Success: []string{"present"}}
	batch := batches()[0]
	batch.Operation, batch.Tool, batch.Method, batch.Arguments = "cancel", "cancel_products", "tools/call", []byte(`{}`)
	for name, c := range map[string]struct {
		answer *answer
		id     string
	}{
		"another list": {&answer{payload: object{"entities": []any{object{"id": "A-1"}}}, result: object{}}, "RES-01"},
		"flat text":    {&answer{text: words("A-1 created"), noData: true, result: object{}}, "ENV-01"},
		"misplaced":    {&answer{payload: object{"data": object{"rows": []any{object{"id": "A-1", "success": true}}}}, result: object{}}, "ENV-02"},
	} {
		t.Run(name, func(t *testing.T) {
			got, said := failing(perform(ops, []script{batch}, func(script) *answer { return c.answer }))
			same(t, got, []string{c.id}, said)
			if !strings.Contains(said[c.id].Hint, "`results` maps this shape") {
				t.Errorf("hint %q does not name the mapping", said[c.id].Hint)
			}
		})
	}
}

func TestJudgingTwiceSaysTheSame(t *testing.T) {
	rec := perform(operations, play(), serve)
	first, _ := json.Marshal(suites.Judge(rec, multiitem.Checks()))
	again, _ := json.Marshal(suites.Judge(perform(operations, play(), serve), multiitem.Checks()))
	second, _ := json.Marshal(suites.Judge(rec, multiitem.Checks()))
	if string(first) != string(second) || string(first) != string(again) {
		t.Error("two judgements of one recording differ")
	}
}
