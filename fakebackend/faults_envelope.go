package fakebackend

import (
	"encoding/json"
	"fmt"
)

// both are the transports of most faults.
var both = []Transport{HTTP, Stdio}

// envelopeFaults break the rules on where an answer's data stands.
func envelopeFaults() []Fault {
	return []Fault{
		{
			ID: "ENV-01/prose", Sentence: "The answer is a sentence, with no data to read.",
			Consequences: []string{"ENV-02", "RES-01", "RES-13", "AGG-01", "AGG-02", "AGG-03", "RO-01", "WF-01", "INP-01", "INP-02", "LD-02"},
			how: how{on: batches, undeclared: true, result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || t.isError || t.n() == 0 {
					return false
				}
				_, done := tally(t.rows)
				result.drop("structuredContent").set("content", texts(fmt.Sprintf("I have dealt with %d of your %d items.", done, t.n())))
				return true
			}},
		},
		{
			ID: "ENV-01/bare-array", Sentence: "The answer is the list of rows itself, held by no object.",
			Consequences: []string{"ENV-02", "RES-01", "RES-13", "AGG-01", "AGG-02", "AGG-03", "RO-01", "WF-01", "INP-01", "INP-02", "LD-02"},
			how: how{on: batches, undeclared: true, result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || t.n() == 0 {
					return false
				}
				result.drop("structuredContent").set("content", texts(string(encode(t.rows))))
				return true
			}},
		},
		{
			ID: "ENV-01/two-blocks", Sentence: "The answer is two text blocks, a sentence and the JSON, and nothing structured.",
			Consequences: []string{"ENV-02", "RES-01", "RES-13", "AGG-01", "AGG-02", "AGG-03", "RO-01", "WF-01", "INP-01", "INP-02", "LD-02"},
			how: how{on: batches, undeclared: true, result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || t.n() == 0 || t.isError {
					return false
				}
				result.drop("structuredContent").set("content", texts("Here is what became of your items.", string(encode(t.payload))))
				return true
			}},
		},
		{
			ID: "ENV-02/data-items", Sentence: "The rows stand in data.items.",
			Consequences: []string{"RES-01", "RES-13", "AGG-03", "RO-01", "LD-02"},
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool {
				if t.holder == nil || t.n() == 0 {
					return false
				}
				t.holder.drop("results").add("data", of("items", t.rows))
				return true
			}},
		},
		{
			ID: "ENV-02/response-results", Sentence: "The whole answer stands one level down, in response.",
			Consequences: []string{"RES-01", "RES-13", "AGG-03", "RO-01", "LD-02"},
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool {
				return t.n() > 0 && t.replace(of("response", t.payload), t.isError)
			}},
		},
		{
			ID: "ENV-03/sibling-result", Sentence: `A member result stands beside the results and hides them.`,
			Consequences: []string{"RES-01", "RES-13", "AGG-03", "RO-01", "LD-02"},
			how: how{on: direct, told: func(x *exchange, t *told) bool {
				if t.n() == 0 || t.payload.has("result") {
					return false
				}
				t.payload.add("result", "done")
				return true
			}},
		},
		{
			ID: "ENV-05/ok-beside-results", Sentence: "ok stands beside results, not around them: a shape that legacy REST and the gateway lose.",
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool {
				if t.n() == 0 {
					return false
				}
				t.payload = of("ok", !t.isError)
				t.payload.members = append(t.payload.members, t.holder.members...)
				t.holder = t.payload
				return true
			}},
		},
		{
			ID: "ENV-06/error-on-failure", Sentence: "A batch of which any item fails is answered with a JSON-RPC error.",
			Consequences: []string{"ENV-01", "RES-01", "RES-03", "AGG-02", "AGG-03", "RO-01"},
			how: how{on: batches, message: func(x *exchange, message *object) []line {
				t := tell(x, message.child("result"))
				if t == nil || !x.plain() || t.n() < 2 || t.repeats() || len(t.with(false)) == 0 {
					return nil
				}
				message.drop("result").add("error", failure(t))
				return one(message)
			}},
		},
		{
			ID: "ENV-06/status-500", Sentence: "A batch of which any item fails is answered with HTTP 500.", Transports: []Transport{HTTP},
			Consequences: []string{"ENV-01", "RES-01", "RES-03", "AGG-02", "AGG-03", "RO-01"},
			how: how{on: batches, wire: wire{reply: func(x *exchange, r *reply) bool {
				message := r.response(x)
				t := tell(x, message.child("result"))
				if t == nil || !x.plain() || t.n() < 2 || t.repeats() || len(t.with(false)) == 0 {
					return false
				}
				r.status = 500
				r.plain("application/json", encode(of("jsonrpc", "2.0", "id", x.id, "error", failure(t))))
				return true
			}}},
		},
		{
			ID: "ENV-07/error-on-partial", Sentence: "isError is set although items succeeded.",
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				if !t.mixed() || t.isError {
					return false
				}
				t.isError = true
				return true
			}},
		},
		{
			ID: "ENV-08/text-says-all-done", Sentence: "The JSON in the text says that every item succeeded; the structured one says otherwise.",
			how: how{on: batches, result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || len(t.with(false)) == 0 {
					return false
				}
				other := tell(x, of("structuredContent", clone(t.payload)))
				other.each(func(row *object) { row.set("success", true).drop("error", "message") })
				other.settle()
				result.set("content", texts(string(encode(other.payload))))
				return true
			}},
		},
		{
			ID: "ENV-09/ok-text", Sentence: `ok is a text, "true" or "false".`,
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool {
				if t.n() == 0 {
					return false
				}
				t.payload.set("ok", fmt.Sprint(!t.isError))
				return true
			}},
		},
		{
			ID: "ENV-10/error-object", Sentence: "error, beside the rows of a partial success, is an object.",
			how: how{on: direct, told: func(x *exchange, t *told) bool {
				if !t.mixed() {
					return false
				}
				t.payload.set("error", of("code", "partial", "message", "some items failed"))
				return true
			}},
		},
		{
			ID: "ENV-10/metadata-text", Sentence: "metadata is a text.",
			how: how{on: direct, told: func(x *exchange, t *told) bool {
				if t.n() == 0 {
					return false
				}
				// Beside a member error, which makes the object an envelope.
				t.payload.set("error", nil).set("metadata", "none")
				return true
			}},
		},
		{
			ID: "ENV-11/json-in-a-text", Sentence: "structuredContent holds the answer as a text of JSON.",
			how: how{on: batches, undeclared: true, result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || t.n() == 0 {
					return false
				}
				result.set("structuredContent", of("result", string(encode(t.payload))))
				return true
			}},
		},
	}
}

func texts(blocks ...string) []any {
	content := make([]any, len(blocks))
	for i, text := range blocks {
		content[i] = of("type", "text", "text", text)
	}
	return content
}

func failure(t *told) *object {
	return of("code", json.Number("-32000"), "message", fmt.Sprintf("%d of %d items failed", len(t.with(false)), t.n()))
}

func one(message *object) []line { return []line{line(encode(message))} }
