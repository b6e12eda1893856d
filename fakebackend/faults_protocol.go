package fakebackend

import (
	"bytes"
	"encoding/json"
	"slices"
)

// otherRevision is a protocol revision that there is not, written like one of
// those with a handshake.
const otherRevision = "2025-13-45"

// protocolFaults break the rules of MCP and JSON-RPC themselves.
func protocolFaults() []Fault {
	// big keeps a fault to large batches where the answer is lost for good, so
	// that everything else about the server can still be seen.
	big := func(x *exchange) bool {
		n, _ := x.items()
		return n >= large
	}
	message := func(id, sentence string, transports []Transport, change func(x *exchange, m *object) []line, consequences ...string) Fault {
		return Fault{ID: id, Sentence: sentence, Transports: transports, Consequences: consequences, how: how{on: batches, message: change}}
	}
	// lost are the rules that miss an answer that is lost.
	lost := func(but string) []string {
		return slices.DeleteFunc([]string{"PRO-04", "PRO-06", "CON-03", "LD-02", "ENV-06"}, func(id string) bool { return id == but })
	}
	return []Fault{
		{
			ID: "PRO-01/nothing-structured", Sentence: "outputSchema is declared, and structuredContent is left out.",
			how: how{on: batches, result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || t.isError {
					return false
				}
				result.drop("structuredContent")
				return true
			}},
		},
		{
			ID: "PRO-01/another-type", Sentence: "structuredContent does not fit the declared outputSchema: message is a number.",
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				if t.isError || t.payload.text("message") == "" {
					return false
				}
				t.payload.set("message", 42)
				return true
			}},
		},
		{
			ID: "PRO-02/null", Sentence: "structuredContent is null.",
			how: how{on: batches, undeclared: true, result: func(x *exchange, result *object) bool {
				result.set("structuredContent", nil)
				return true
			}},
		},
		{
			ID: "PRO-02/array", Sentence: "structuredContent is the list of rows, with no object around it.",
			Consequences: []string{"ENV-01", "ENV-02", "ENV-08", "RES-01", "RES-13", "AGG-01", "AGG-02", "AGG-03", "RO-01", "WF-01", "LD-02"},
			how: how{on: batches, undeclared: true, result: func(x *exchange, result *object) bool {
				t := tell(x, result)
				if t == nil || t.n() == 0 {
					return false
				}
				result.set("structuredContent", t.rows)
				return true
			}},
		},
		{
			ID: "PRO-03/content-object", Sentence: "content is one block, not a list of blocks.",
			how: how{on: batches, result: func(x *exchange, result *object) bool {
				content, ok := result.get("content").([]any)
				if !ok || len(content) == 0 {
					return false
				}
				result.set("content", content[0])
				return true
			}},
		},
		{
			ID: "PRO-03/block-without-type", Sentence: "The block of content has no type.",
			how: how{on: batches, result: func(x *exchange, result *object) bool {
				content, ok := result.get("content").([]any)
				if !ok || len(content) == 0 {
					return false
				}
				block, ok := content[0].(*object)
				if ok {
					block.drop("type")
				}
				return ok
			}},
		},
		message("PRO-04/answers-twice", "Every request is answered twice.", both, func(x *exchange, m *object) []line {
			return append(one(m), one(m)...)
		}),
		{
			ID: "PRO-04/no-answer", Sentence: "Large batches are answered with an empty body.", Transports: []Transport{HTTP}, Consequences: lost("PRO-04"),
			how: how{on: batches, wire: wire{reply: func(x *exchange, r *reply) bool {
				if !big(x) {
					return false
				}
				r.plain("application/json", nil)
				return true
			}}},
		},
		message("PRO-05/result-and-error", "A response has a result and an error.", both, func(x *exchange, m *object) []line {
			m.add("error", of("code", json.Number("-32000"), "message", "done, with remarks"))
			return one(m)
		}, "ENV-06", "RES-01", "AGG-03"),
		message("PRO-05/neither", "The response to a large batch has neither a result nor an error.", both, func(x *exchange, m *object) []line {
			if !big(x) {
				return nil
			}
			m.drop("result")
			return one(m)
		}, lost("PRO-05")...),
		message("PRO-06/strangers-id", "Before its answer a request gets a response with an id that was never sent.", both, func(x *exchange, m *object) []line {
			stranger := clone(m).(*object)
			stranger.set("id", "nobody's")
			return append(one(stranger), one(m)...)
		}),
		message("PRO-06/id-as-text", "The response to a large batch carries the request's number as a text.", []Transport{HTTP}, func(x *exchange, m *object) []line {
			if number, ok := m.get("id").(json.Number); ok && big(x) {
				m.set("id", string(number))
				return one(m)
			}
			return nil
		}, lost("PRO-06")...),
		message("PRO-07/version-1", `jsonrpc is "1.0".`, both, func(x *exchange, m *object) []line {
			m.set("jsonrpc", "1.0")
			return one(m)
		}),
		message("PRO-07/no-version", "jsonrpc is missing.", both, func(x *exchange, m *object) []line {
			m.drop("jsonrpc")
			return one(m)
		}),
		{
			ID: "PRO-08/unknown-revision", Sentence: "The handshake is answered with a revision that there is not.", Transports: both,
			how: how{
				message: func(x *exchange, m *object) []line {
					result := m.child("result")
					switch {
					case x.method == "initialize" && result.has("protocolVersion"):
						result.set("protocolVersion", otherRevision)
					case x.method == "server/discover" && result.has("supportedVersions"):
						result.set("supportedVersions", []any{otherRevision})
					default:
						return nil
					}
					return one(m)
				},
				wire: wire{revision: otherRevision},
			},
		},
		{
			ID: "PRO-09/answers-notifications", Sentence: "A notification is answered with HTTP 200 and a JSON body.", Transports: []Transport{HTTP},
			how: how{wire: wire{accepted: func(r *reply) {
				r.status = 200
				r.plain("application/json", []byte(`{"jsonrpc":"2.0","result":{}}`))
			}}},
		},
		{
			ID: "PRO-09/body", Sentence: "A notification is answered with HTTP 202 and a body.", Transports: []Transport{HTTP},
			how: how{wire: wire{accepted: func(r *reply) { r.plain("text/plain; charset=utf-8", []byte("Accepted")) }}},
		},
		{
			ID: "PRO-10/space-in-session-id", Sentence: "The session id holds a space.", Transports: []Transport{HTTP},
			how: how{wire: wire{sessionPrefix: "session "}},
		},
		{
			ID: "PRO-10/outlives-delete", Sentence: "DELETE is accepted, and the session goes on.", Transports: []Transport{HTTP},
			how: how{wire: wire{keepsSessions: true}},
		},
		{
			ID: "PRO-11/unfinished-event", Sentence: "The event with the answer to a large batch is not ended by a blank line.", Transports: []Transport{HTTP}, Consequences: lost("PRO-11"),
			how: how{on: batches, wire: wire{reply: func(x *exchange, r *reply) bool {
				if !big(x) {
					return false
				}
				stream := bytes.TrimRight(r.stream(), "\n")
				r.plain("text/event-stream", append(stream, '\n'))
				return true
			}}},
		},
		{
			ID: "PRO-11/data-broken-off", Sentence: "The data of the event with the answer to a large batch goes on in a line without data:.", Transports: []Transport{HTTP}, Consequences: lost("PRO-11"),
			how: how{on: batches, wire: wire{reply: func(x *exchange, r *reply) bool {
				if !big(x) {
					return false
				}
				r.plain("text/event-stream", bytes.Replace(r.stream(), []byte(`,`), []byte(",\n"), 1))
				return true
			}}},
		},
		{
			ID: "PRO-12/banner", Sentence: "The first line on standard output is a greeting.", Transports: []Transport{Stdio},
			how: how{wire: wire{banner: "Back office ready, waiting for requests."}},
		},
		{
			ID: "PRO-12/log-lines", Sentence: "Every answer comes behind a line of log on standard output.", Transports: []Transport{Stdio},
			how: how{on: batches, message: func(x *exchange, m *object) []line {
				return append([]line{line("INFO " + x.tool + " handled")}, one(m)...)
			}},
		},
		{
			ID: "PRO-13/name-twice", Sentence: "tools/list has a tool twice.", Transports: both,
			how: how{listing: func(result *object) bool {
				tools, _ := result.get("tools").([]any)
				if len(tools) == 0 {
					return false
				}
				result.set("tools", append(slices.Clip(tools), clone(tools[0])))
				return true
			}},
		},
		{
			ID: "PRO-13/name-with-spaces", Sentence: "tools/list has a further tool whose name is written with spaces.", Transports: both,
			how: how{listing: func(result *object) bool {
				tools, _ := result.get("tools").([]any)
				if len(tools) == 0 {
					return false
				}
				further, ok := clone(tools[0]).(*object)
				if ok {
					further.set("name", "cancel product (one)")
					result.set("tools", append(slices.Clip(tools), further))
				}
				return ok
			}},
		},
		{
			ID: "PRO-13/endless-pages", Sentence: "Every page of tools/list says that there is another one.", Transports: both,
			how: how{
				listing: func(result *object) bool {
					result.set("nextCursor", "more")
					return true
				},
				wire: wire{ask: func(m *object) bool {
					params := m.child("params")
					if m.text("method") != "tools/list" || !params.has("cursor") {
						return false
					}
					params.drop("cursor")
					return true
				}},
			},
		},
		message("PRO-14/not-utf8", "A text in the answer is not UTF-8.", both, func(x *exchange, m *object) []line {
			text := encode(m)
			broken := bytes.ReplaceAll(text, []byte(`cancelled.`), []byte("cancelled\xff."))
			broken = bytes.ReplaceAll(broken, []byte(`found.`), []byte("found\xff."))
			if bytes.Equal(broken, text) {
				return nil
			}
			return []line{line(broken)}
		}),
		{
			ID: "PRO-14/flag-twice", Sentence: "Rows of items that fail have the member success twice, false and then true.", Transports: both,
			Consequences: []string{"RES-12", "AGG-02", "AGG-03", "ENV-08", "PRO-01"},
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				failed := t.with(false)
				for _, row := range failed {
					row.add("success", true)
				}
				return len(failed) > 0
			}},
		},
		{
			ID: "PRO-15/dies-on-large-batches", Sentence: "The process ends when a batch of 25 or more comes in.", Transports: []Transport{Stdio},
			Consequences: []string{"PRO-04", "CON-03", "LD-02"},
			how:          how{on: batches, wire: wire{dies: big}},
		},
	}
}
