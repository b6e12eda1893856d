package selftest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/mcpconform/mcpconform/fakebackend"
)

var (
	web  = []fakebackend.Transport{fakebackend.HTTP}
	pipe = []fakebackend.Transport{fakebackend.Stdio}
	both = []fakebackend.Transport{fakebackend.HTTP, fakebackend.Stdio}
)

const handshake = "2025-11-25" // the newest revision with one

// oddities gives what is unusual and right, one thing each.
func oddities() []oddity {
	plain := fakebackend.Options{}
	return slices.Concat(oddRows(), oddLists(), oddEyes(), oddCrowds(), []oddity{
		{name: "text-is-a-sentence", sentence: "The text is a sentence; the rows are structured.", over: both, answer: func(_, result object) {
			result["content"] = []any{object{"type": "text", "text": "Done. See the structured content for each item."}}
		}},
		{name: "pretty-text-and-no-schema", sentence: "No outputSchema; the answer is pretty-printed JSON in the text, and nothing is structured.", over: both,
			listing: undeclared, answer: func(_, result object) {
				text, _ := json.MarshalIndent(result["structuredContent"], "", "    ") // it was read from JSON
				result["content"] = []any{object{"type": "text", "text": "\n" + string(text) + "\n"}}
				delete(result, "structuredContent")
			}},
		{name: "further-blocks", sentence: "Annotated text, a link and a picture stand beside the structured rows.", over: web, protocol: handshake, answer: func(_, result object) {
			content, _ := result["content"].([]any)
			result["content"] = append(content,
				object{"type": "text", "text": "For the record.", "annotations": object{"audience": []any{"assistant"}, "priority": 0.5}},
				object{"type": "resource_link", "uri": "file:///batches/1", "name": "batch 1"},
				object{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"})
		}},
		{name: "progress-in-fractions", sentence: "Progress is told in fractions, without a total and with a sentence.", over: both, notice: func(m object) {
			params := child(m, "params")
			if done, ok := params["progress"].(json.Number); ok {
				n, _ := done.Float64() // it was read as a number
				params["progress"], params["message"] = n/7, "at work"
				delete(params, "total")
			}
		}},
		{name: "progress-beyond-its-total", sentence: "Progress goes on beyond the total that was thought of first, which grows.", over: both, notice: func(m object) {
			params := child(m, "params")
			if done, ok := params["progress"].(json.Number); ok {
				n, _ := done.Float64() // it was read as a number
				params["total"] = n / 2
			}
		}},
		{name: "meta-everywhere", sentence: "_meta holds keys of the server's own, some called like those of the contract.", over: both, answer: func(_, result object) {
			meta := child(result, "_meta")
			if meta == nil {
				meta = object{}
			}
			meta["example.com/results"] = []any{object{"success": false}}
			result["_meta"] = meta
		}},
		{name: "metadata-beside-rows", sentence: "error, null, and metadata, an object, stand beside the rows.", over: web, answer: func(_, result object) {
			payload := child(result, "structuredContent")
			if payload == nil {
				return
			}
			if payload["error"] == nil {
				payload["error"] = nil
			}
			payload["metadata"] = object{"trace": "t-17", "cache": false}
			result["content"] = []any{object{"type": "text", "text": string(encode(payload))}}
		}},
		{name: "is-error-false-said", sentence: "isError is said where it is false.", over: web, answer: func(_, result object) {
			if result["isError"] == nil {
				result["isError"] = false
			}
		}},
		{name: "logs-between", sentence: "Log messages go out between request and response.", over: both, protocol: handshake,
			greeting: func(result object) { child(result, "capabilities")["logging"] = object{} },
			before: func(asked object) []object {
				if asked["method"] != "tools/call" {
					return nil
				}
				note := object{"jsonrpc": "2.0", "method": "notifications/message", "params": object{"level": "info", "logger": "shop", "data": object{"results": []any{}, "note": "at work"}}}
				return []object{note, note}
			}},
		{name: "list-changed-between", sentence: "The server says that its list of tools has changed, again and again.", over: both, protocol: handshake,
			greeting: func(result object) { child(result, "capabilities")["tools"] = object{"listChanged": true} },
			before: func(asked object) []object {
				if asked["method"] != "tools/call" {
					return nil
				}
				return []object{{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}}
			}},
		{name: "empty-last-page", sentence: "The last page of rows names another one, which is empty.", over: both,
			options: fakebackend.Options{PageRows: fewRows}, features: []fakebackend.Feature{fakebackend.Paging}, breaks: "RES-02", answer: func(asked, result object) {
				const beyond = "beyond-the-last"
				payload := child(result, "structuredContent")
				switch {
				case child(child(asked, "params"), "arguments")["cursor"] == beyond:
					delete(result, "isError")
				case payload["next_cursor"] == nil:
					payload["next_cursor"] = beyond
				}
				result["content"] = []any{object{"type": "text", "text": string(encode(payload))}}
			}},
		{name: "redirects-batches", sentence: "Calls of multi-item tools are redirected.", over: web, unclear: []string{"RES-01", "ENV-06"}, write: func(out *reply, asked object) {
			if asked["method"] == "tools/call" && multi(asked) {
				out.out.Header().Set("Location", "https://elsewhere.example/mcp")
				out.status = http.StatusTemporaryRedirect
				out.head("text/plain")
				return
			}
			out.plainly()
		}},
		{name: "slow-but-in-time", sentence: "Every call takes a while.", over: web, options: fakebackend.Options{PerCallDelay: 8 * time.Millisecond}},
		{name: "many-capabilities", sentence: "The handshake tells of capabilities and members that nobody asked for.", over: both, protocol: handshake, greeting: func(result object) {
			child(result, "capabilities")["experimental"] = object{"example.com/batches": object{"max": 1000}}
			child(result, "serverInfo")["websiteUrl"] = "https://shop.example"
			result["_meta"] = object{"example.com/build": 7}
		}},
		{name: "comments-and-retry", sentence: "The event stream has comments, retry and id fields, and events of other types.", over: web, options: plain, write: func(out *reply, _ object) {
			out.head("text/event-stream")
			out.part([]byte(": welcome\n\nretry: 3000\n\n"))
			for i, m := range out.messages {
				out.part(fmt.Appendf(nil, ": keep-alive\nid: e-%d\nevent: message\ndata: %s\n\n: end\n", i, encode(m)))
			}
		}},
		{name: "primed-stream", sentence: "The event stream begins with an id and no data, so that a client can come back.", over: web, protocol: handshake, write: func(out *reply, _ object) {
			out.head("text/event-stream")
			out.part([]byte("id: 0\ndata:\n\n"))
			for i, m := range out.messages {
				out.part(fmt.Appendf(nil, "id: %d\ndata: %s\n\n", i+1, encode(m)))
			}
		}},
		{name: "data-over-many-lines", sentence: "A message stands in many data lines of one event.", over: web, write: func(out *reply, _ object) {
			out.head("text/event-stream; charset=utf-8")
			for _, m := range out.messages {
				out.part([]byte("event: message\n"))
				for _, line := range strings.Split(pretty(m), "\n") {
					out.part([]byte("data: " + line + "\n"))
				}
				out.part([]byte("\n"))
			}
		}},
		{name: "stream-with-crlf", sentence: "Lines of the event stream end with CR LF, and nothing stands between data: and its value.", over: web, write: func(out *reply, _ object) {
			out.head("text/event-stream")
			for _, m := range out.messages {
				out.part([]byte("data:" + string(encode(m)) + "\r\n\r\n"))
			}
		}},
		{name: "reads-lost-on-the-way", sentence: "An intermediary answers every eleventh call that only reads with a page of its own.", over: web, write: everyEleventh(func(out *reply) {
			out.status = http.StatusBadGateway
			out.head("text/html; charset=utf-8")
			out.part([]byte("<html><head><title>502 Bad Gateway</title></head></html>"))
		})},
		{name: "reads-cut-off", sentence: "The connection of every eleventh call that only reads is lost.", over: web, write: everyEleventh(func(*reply) { panic(http.ErrAbortHandler) })},
		{name: "sent-away", sentence: "After sixty calls the client is sent away for years.", over: web, unsure: true, write: afterSixty(func(out *reply) {
			out.header.Set("Retry-After", "99999999999")
			out.status = http.StatusTooManyRequests
			out.head("text/plain")
		})},
		{name: "json-with-charset", sentence: "Content-Type says charset=utf-8, in capitals.", over: web, options: fakebackend.Options{JSONAnswers: true}, write: func(out *reply, _ object) {
			out.head("Application/JSON; charset=UTF-8")
			for _, m := range out.messages {
				out.part(encode(m))
			}
		}},
		{name: "json-on-many-lines", sentence: "The body is JSON over many lines, sent in pieces.", over: web, options: fakebackend.Options{JSONAnswers: true}, write: func(out *reply, _ object) {
			out.head("application/json")
			for _, m := range out.messages {
				text := []byte("\r\n" + pretty(m) + "\n\n")
				for piece := range slices.Chunk(text, max(1, len(text)/3)) {
					out.part(piece)
				}
			}
		}},
		{name: "json-all-escaped", sentence: "Letters beyond ASCII are written as escapes.", over: web, options: fakebackend.Options{JSONAnswers: true}, write: func(out *reply, _ object) {
			out.head("application/json")
			for _, m := range out.messages {
				out.part([]byte(ascii(string(encode(m)))))
			}
		}},
		{name: "no-get-and-no-delete", sentence: "GET and DELETE are answered with 405.", over: web, protocol: handshake, refuse: map[string]int{http.MethodGet: 405, http.MethodDelete: 405}},
		{name: "lines-with-crlf", sentence: "Lines on standard output end with CR LF.", over: pipe, line: func(m []byte) []byte { return append(m, '\r', '\n') }},
		{name: "lines-all-escaped", sentence: "Letters beyond ASCII are written as escapes.", over: pipe, line: func(m []byte) []byte { return []byte(ascii(string(m)) + "\n") }},
		{name: "spaces-in-lines", sentence: "White space stands where JSON allows it.", over: pipe, line: func(m []byte) []byte { return append([]byte(" \t"), append(m, ' ', '\n')...) }},
	})
}

func pretty(m object) string {
	text, _ := json.MarshalIndent(m, "", "  ") // it was read from JSON
	return string(text)
}

// ascii writes everything beyond ASCII as JSON escapes.
func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}

// oddRows are oddities of the rows.
func oddRows() []oddity {
	rows := func(name, sentence string, over []fakebackend.Transport, change func(rows []any) []any) oddity {
		return oddity{name: name, sentence: sentence, over: over, listing: undeclared, answer: func(asked, result object) { rewrite(asked, result, change) }}
	}
	each := func(name, sentence string, over []fakebackend.Transport, change func(i int, row object)) oddity {
		return rows(name, sentence, over, func(rows []any) []any {
			for i, r := range rows {
				if row, ok := r.(object); ok {
					change(i, row)
				}
			}
			return rows
		})
	}
	return []oddity{
		rows("rows-in-order-of-completion", "Rows come in the reverse order, each with its id.", both, func(rows []any) []any {
			slices.Reverse(rows)
			return rows
		}),
		each("ok-for-success", "The flag is called ok.", both, func(_ int, row object) {
			row["ok"] = row["success"]
			delete(row, "success")
		}),
		each("both-flags", "Both names of the flag, saying the same.", web, func(_ int, row object) { row["ok"] = row["success"] }),
		each("further-members", "Rows have members of many kinds besides.", web, func(i int, row object) {
			row["position"], row["tags"], row["links"], row["raw"] = i, []any{}, object{"self": "/items"}, nil
		}),
		each("error-null", "Rows that succeed say error: null.", web, func(_ int, row object) {
			if row["success"] == true {
				row["error"] = nil
			}
		}),
		each("message-in-every-row", "Rows that succeed have a message.", web, func(_ int, row object) {
			if row["success"] == true {
				row["message"] = "Nothing to complain about."
			}
		}),
		each("names-decomposed", "Names come back decomposed (NFD).", both, func(_ int, row object) {
			if name, ok := row["name"].(string); ok {
				row["name"] = norm.NFD.String(name)
			}
		}),
		each("item-echoed-whole", "The item stands under item, whole.", web, func(_ int, row object) {
			item := object{}
			for _, name := range []string{"id", "name"} {
				if v, ok := row[name]; ok {
					item[name] = v
					delete(row, name)
				}
			}
			row["item"] = item
		}),
		each("reason-is-an-object", "What explains a failure is an object.", web, func(_ int, row object) {
			if row["success"] == false {
				row["error"] = object{"code": row["error"], "retryable": false}
			}
		}),
	}
}

// rewrite changes the rows of an answer, structured and as text alike.
func rewrite(asked, result object, change func([]any) []any) {
	payload := child(result, "structuredContent")
	tool, _ := child(asked, "params")["name"].(string)
	for _, at := range []object{payload, child(child(payload, "output"), tool)} {
		if rows, ok := at["results"].([]any); ok {
			at["results"] = change(rows)
		}
	}
	if payload != nil {
		result["content"] = []any{object{"type": "text", "text": string(encode(payload))}}
	}
}

// undeclared takes the output schemas away, which describe other rows.
func undeclared(_, result object) {
	for _, tool := range tools(result) {
		delete(tool, "outputSchema")
	}
}

func tools(result object) []object {
	list, _ := result["tools"].([]any)
	var all []object
	for _, t := range list {
		if tool, ok := t.(object); ok {
			all = append(all, tool)
		}
	}
	return all
}

// oddLists are oddities of tools/list.
func oddLists() []oddity {
	return []oddity{
		{name: "tools-in-pages", sentence: "tools/list comes in pages of three, and one of them is empty.", over: both, request: forgetCursor, listing: page},
		{name: "three-hundred-tools", sentence: "The server has 300 tools.", over: web, listing: func(_, result object) {
			list, _ := result["tools"].([]any)
			for i := len(list); i < 300; i++ {
				list = append(list, object{"name": fmt.Sprintf("report_%03d", i), "description": "Shows a report.", "inputSchema": object{"type": "object", "properties": object{"month": object{"type": "string"}}}})
			}
			result["tools"] = list
		}},
		{name: "tools-with-further-members", sentence: "Tools have icons, _meta and members that no revision knows.", over: both, listing: func(_, result object) {
			for _, tool := range tools(result) {
				tool["icons"] = []any{object{"src": "https://shop.example/i.png", "mimeType": "image/png", "sizes": []any{"48x48"}}}
				tool["_meta"] = object{"example.com/team": "returns"}
				tool["x-cost"] = 3
			}
		}},
		{name: "tools-that-resemble-validators", sentence: "There are tools that check orders or validate other things, and one argument is called a key.", over: web, listing: func(_, result object) {
			list, _ := result["tools"].([]any)
			for _, tool := range tools(result) {
				if tool["name"] == "query_orders" {
					child(child(tool, "inputSchema"), "properties")["partition_key"] = object{"type": "string"}
				}
			}
			one := func(name, argument string) object {
				return object{"name": name, "description": "Looks something up.", "inputSchema": object{"type": "object", "properties": object{argument: object{"type": "string"}}}}
			}
			result["tools"] = append(list, one("check_orders", "order_ids"), one("validate_address", "order_ids"), one("validate_order_form", "form"))
		}},
		{name: "tools-that-resemble-multi-item-ones", sentence: "Tools choose words from a list, take a pair of numbers, a tree, flags, or a text with commas that names no items.", over: web, listing: func(_, result object) {
			more(result, object{
				"choose": object{"type": "array", "items": object{"$ref": "#/$defs/Colour"}},
				"corner": object{"type": "array", "prefixItems": []any{object{"type": "number"}, object{"type": "number"}}},
				"tree":   object{"$ref": "#/$defs/Tree"},
				"flags":  object{"type": "array", "items": object{"anyOf": []any{object{"type": "boolean"}, object{"type": "null"}}}},
				"note":   object{"anyOf": []any{object{"type": "string"}, object{"type": "null"}}},
				"fields": object{"type": "string", "description": "Comma-separated names of what to show."},
				"only":   object{"type": "array", "items": object{"type": "string"}, "maxItems": 1},
			})
		}},
		{name: "multi-item-tools-in-hiding", sentence: "Tools that the target file does not mention take lists: behind references and alternatives, within an object, without a word on the items, or as one text.", over: both,
			left: []string{"by_choice", "by_kind", "by_reference", "by_text", "by_wrapping", "deep"}, listing: func(_, result object) {
				list := object{"type": "array", "items": object{"type": "string"}}
				more(result, object{
					"by_choice":    object{"anyOf": []any{list, object{"type": "null"}}},
					"by_kind":      object{"type": "array"},
					"by_reference": object{"$ref": "#/$defs/List"},
					"by_text":      object{"type": "string", "description": "The ids, separated by commas."},
					"by_wrapping":  object{"type": "object", "properties": object{"ids": list}},
					"deep":         object{"type": "object", "properties": object{"where": object{"allOf": []any{object{"properties": object{"ids": list}}}}}},
				})
			}},
		{name: "no-output-schemas", sentence: "No tool declares an outputSchema.", over: web, listing: undeclared},
	}
}

// more adds a tool for each argument, called like it.
func more(result object, arguments object) {
	list, _ := result["tools"].([]any)
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		tree := object{"type": "object", "properties": object{"left": object{"$ref": "#/$defs/Tree"}, "right": object{"$ref": "#/$defs/Tree"}}}
		list = append(list, object{"name": name, "description": "Does something.", "inputSchema": object{
			"type": "object", "properties": object{name: arguments[name]},
			"$defs": object{"Tree": tree, "Colour": object{"type": "string", "enum": []any{"red", "blue"}}, "List": object{"type": "array", "items": object{"type": "object"}}},
		}})
	}
	result["tools"] = list
}

// forgetCursor asks the good server for its whole list, whatever page is wanted.
func forgetCursor(message object) {
	if message["method"] == "tools/list" {
		delete(child(message, "params"), "cursor")
	}
}

// page gives the page that the cursor asks for: three tools, then none, then
// three each.
func page(asked, result object) {
	list, _ := result["tools"].([]any)
	start := 0
	cursor, _ := child(asked, "params")["cursor"].(string)
	if cursor == "empty" {
		result["tools"], result["nextCursor"] = []any{}, "at 3"
		return
	}
	if cursor != "" {
		if _, err := fmt.Sscanf(cursor, "at %d", &start); err != nil {
			start = len(list)
		}
	}
	end := min(len(list), start+3)
	result["tools"] = list[min(start, len(list)):end]
	switch {
	case start == 0:
		result["nextCursor"] = "empty"
	case end < len(list):
		result["nextCursor"] = fmt.Sprintf("at %d", end)
	}
}

// everyEleventh has something happen to every eleventh call that only reads, and sends
// the answers to all others as they are. Of eight in flight together one is lost then,
// and not the call that is made in its place.
func everyEleventh(happen func(*reply)) func(*reply, object) {
	var reads atomic.Int64
	return func(out *reply, asked object) {
		switch child(asked, "params")["name"] {
		case "query_orders", "get_products", "validate_products_for_cancellation":
			if reads.Add(1)%11 == 0 {
				happen(out)
				return
			}
		}
		out.plainly()
	}
}

// afterSixty has something happen to every call of a tool after the sixtieth.
func afterSixty(happen func(*reply)) func(*reply, object) {
	var calls atomic.Int64
	return func(out *reply, asked object) {
		if asked["method"] == "tools/call" && calls.Add(1) > 60 {
			happen(out)
			return
		}
		out.plainly()
	}
}
