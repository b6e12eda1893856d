package agentplatform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Transport is a way by which the platform calls a tool.
type Transport string

// The transports.
const (
	MCP     Transport = "mcp"     // official MCP
	REST    Transport = "rest"    // legacy REST: POST ENDPOINT/tools/call
	Gateway Transport = "gateway" // through the platform's gateway
)

// Transports are all of them, in the order they are told.
func Transports() []Transport { return []Transport{MCP, REST, Gateway} }

// Envelope is what the platform's router holds after a call.
type Envelope struct {
	OK     bool
	Result any // nil: nothing
	Error  any // nil: none
	// Why says what of the answer the transport lost, in a sentence; empty: nothing.
	Why string
	// body is the answer as the server meant it, for saying what was lost.
	body any
}

// OfMCP reads the result of tools/call.
func OfMCP(result *rawjson.Node) Envelope {
	failed, _ := result.Get("isError").Bool()
	var payload any
	switch structured := result.Get("structuredContent"); {
	case !structured.Empty():
		payload = collapsed(decode(structured))
	default:
		payload = content(result.Get("content"))
	}
	e := Envelope{OK: !failed, Result: payload, body: payload}
	object, is := payload.(map[string]any)
	if is && hasAny(object, "ok", "result", "error") {
		if ok, said := object["ok"]; said {
			e.OK = truthy(ok)
		} else {
			e.OK = !truthy(object["error"])
		}
		if inner, has := object["result"]; has {
			e.Result = inner
		}
		if truthy(object["error"]) {
			e.Error = fmt.Sprint(object["error"])
		}
	} else if failed {
		e.Error = dump(payload)
	}
	e.OK = e.OK && !failed
	switch payload.(type) {
	case []any:
		e.Why = "the payload is a list, and no object"
		if result.Get("structuredContent").Empty() && len(items(result.Get("content"))) > 1 {
			e.Why = "two or more content blocks make a list, and no object"
		}
	case string:
		e.Why = "the text is no JSON that begins with { or ["
	}
	return e
}

// OfBody reads the body that a server would give to the legacy call, directly or
// through the gateway. It is the payload of the MCP answer, as the server wrote it.
func OfBody(t Transport, body *rawjson.Node) Envelope {
	v := decode(body)
	object, is := v.(map[string]any)
	if !is {
		return Envelope{Why: "the body is no object: the call fails", body: v}
	}
	e := Envelope{OK: true, body: v, Error: object["error"]}
	if ok, said := object["ok"]; said {
		e.OK = truthy(ok)
	}
	if t == Gateway {
		if !hasAny(object, "ok", "result", "error") {
			e.Result = v
			return e
		}
		inner, has := object["result"]
		if !has {
			inner = object["data"]
		}
		e.Result = inner
		if inner == nil {
			e.Why = "the gateway finds `ok`, `result` or `error`, and takes only `result` or `data`"
		}
		return e
	}
	switch object["error"].(type) {
	case nil, string:
	default:
		return Envelope{Why: "`error` is neither a text nor null: the whole answer is thrown away", body: v}
	}
	if metadata := object["metadata"]; truthy(metadata) {
		if _, ok := metadata.(map[string]any); !ok {
			return Envelope{Why: "`metadata` is no object: the whole answer is thrown away", body: v}
		}
	}
	if e.Result = object["result"]; e.Result == nil {
		e.Why = "only `result` of the body is read, and there is none"
	}
	return e
}

// Payload is what a server would send as a body: structuredContent, or the JSON of
// its one text block; nil if there is neither.
func Payload(result *rawjson.Node) *rawjson.Node {
	if structured := result.Get("structuredContent"); !structured.Empty() {
		return structured
	}
	blocks := items(result.Get("content"))
	if len(blocks) != 1 {
		return nil
	}
	text, _ := blocks[0].Get("text").Str()
	return inText(text)
}

func items(n *rawjson.Node) []*rawjson.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// inText reads a text as JSON where the platform would.
func inText(text string) *rawjson.Node {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return nil
	}
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		return nil
	}
	return n
}

// content converts the blocks of an answer: one to its value, more to a list.
func content(n *rawjson.Node) any {
	var all []any
	for _, block := range items(n) {
		if text, is := block.Get("text").Str(); is {
			if found := inText(text); found != nil {
				all = append(all, decode(found))
			} else {
				all = append(all, text)
			}
			continue
		}
		all = append(all, decode(block))
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

// collapsed is what the platform's conversion of structuredContent leaves: a list of one
// becomes that one, a text that is JSON becomes its value, a text block its text.
func collapsed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if text, is := v["text"].(string); is && v["type"] == "text" {
			return collapsed(text)
		}
		out := map[string]any{}
		for name, inner := range v {
			out[name] = collapsed(inner)
		}
		return out
	case []any:
		if len(v) == 1 {
			return collapsed(v[0])
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = collapsed(v[i])
		}
		return out
	case string:
		if n := inText(v); n != nil {
			return collapsed(decode(n))
		}
	}
	return v
}

// decode gives a value as a client's library would: of a name that comes twice, the last.
func decode(n *rawjson.Node) any {
	switch {
	case n == nil, n.Is(rawjson.Null):
		return nil
	case n.Is(rawjson.Object):
		out := map[string]any{}
		for _, m := range n.Members {
			out[m.Name] = decode(m.Value)
		}
		return out
	case n.Is(rawjson.Array):
		out := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			out = append(out, decode(item))
		}
		return out
	case n.Is(rawjson.String):
		text, _ := n.Str()
		return text
	case n.Is(rawjson.Bool):
		yes, _ := n.Bool()
		return yes
	}
	text, _ := n.Literal()
	return json.Number(text)
}

func hasAny(object map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, has := object[name]; return has })
}

// truthy is what Python takes for true.
func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f, err := v.Float64()
		return err != nil || f != 0
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

func dump(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSpace(b.String())
}

// keysOf names the members of an object, sorted.
func keysOf(v any) []string {
	object, _ := v.(map[string]any)
	return slices.Sorted(maps.Keys(object))
}
