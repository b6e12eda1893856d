package multiitem

import (
	"bytes"
	"encoding/json"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// caseOperation names the one operation of a recorded answer.
const caseOperation = "recorded-answer"

// Case makes a recording of one recorded answer, so that the same checks judge
// it that judge a run: a planned call for the items, a request that asks for
// them, and the answer's exact bytes as the result of the response. Nothing is
// known of the items' truth, so only rules about form, completeness and counts
// have a word.
//
// result is the exact JSON of the tools/call result and must be JSON. items are
// the requested items; nil means that they are not known, an empty list that
// nothing was asked for. outputSchema is what the tool declares (nil: nothing),
// protocol the revision spoken, tool the tool's name; both may be empty.
func Case(tool string, items []json.RawMessage, result, outputSchema []byte, protocol string) *conform.Recording {
	planned := conform.Planned{
		Step: recorded, Instance: recorded, Operation: caseOperation, Role: conform.RolePrimary, Method: "tools/call", Tool: tool,
	}
	if items != nil && len(items) == 0 {
		planned.Form = conform.FormEmpty
	}
	for _, given := range items {
		planned.Items = append(planned.Items, conform.Item{Given: given})
	}
	planned.Arguments = append(append([]byte(`{"items":`), jsonList(items)...), '}')

	header := conform.Header{
		Schema: conform.TranscriptSchema,
		Target: conform.Target{
			Name: "recorded answer", Protocol: protocol,
			Operations: []conform.Operation{{
				Name: caseOperation, Tool: tool, Write: true, Argument: "items",
				Validator: conform.Absent, Workflow: conform.Absent, Idempotency: conform.Absent, Probe: conform.Absent,
			}},
		},
	}
	var tape tape
	if len(bytes.TrimSpace(outputSchema)) > 0 {
		tape.call("list", conform.Planned{Method: "tools/list"}, `{}`,
			[]byte(`{"tools":[{"name":`+quoted(tool)+`,"inputSchema":{"type":"object"},"outputSchema":`+string(outputSchema)+`}]}`))
	}
	tape.call("answer", planned, `{"name":`+quoted(tool)+`,"arguments":`+string(planned.Arguments)+`}`, result)
	tape.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	return conform.NewRecording(header, tape.all)
}

// CaseStatus derives the status of a recorded answer; why says why there is none.
func CaseStatus(rec *conform.Recording) (status contract.Status, why string) {
	c := rec.Call("answer")
	if c == nil {
		return contract.StatusUnknown, "there is no recorded answer"
	}
	return see(rec.Operation(caseOperation), c).Status()
}

// tape strings observations together.
type tape struct{ all []conform.Observation }

func (t *tape) add(o conform.Observation) {
	o.Seq = int64(len(t.all) + 1)
	t.all = append(t.all, o)
}

// call records a request and the response that holds the exact result.
func (t *tape) call(id string, planned conform.Planned, params string, result []byte) {
	n := quoted(id)
	request := `{"jsonrpc":"2.0","id":` + n + `,"method":` + quoted(planned.Method) + `,"params":` + params + `}`
	response := append(append([]byte(`{"jsonrpc":"2.0","id":`+n+`,"result":`), result...), '}')
	header := []conform.HeaderField{{Name: "Content-Type", Value: "application/json"}}
	t.add(conform.Observation{Kind: conform.KindPlanned, Call: id, Planned: &planned})
	t.add(conform.Observation{Kind: conform.KindSent, Call: id, Session: "s1", Sent: &conform.Sent{
		Channel: conform.ChannelHTTP, Method: "POST", Header: header, Body: conform.Bytes(request)}})
	t.add(conform.Observation{Kind: conform.KindReceived, Call: id, Session: "s1", Received: &conform.Received{
		Channel: conform.ChannelHTTP, Status: 200, Header: header, Body: response, End: conform.Complete}})
}

func jsonList(items []json.RawMessage) []byte {
	out := []byte{'['}
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}
