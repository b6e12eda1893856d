package mask

import (
	"bytes"
	"maps"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Body masks what went over a connection: a message of JSON-RPC, a stream of
// events that hold such, or any other text. What the paths lead to in it is learnt
// first.
func (m *Mask) Body(body []byte) []byte {
	if len(body) == 0 {
		return body
	}
	if streams(body) {
		return m.stream(body)
	}
	return m.data(body)
}

// data masks a message, or what should be one.
func (m *Mask) data(text []byte) []byte {
	if root, err := rawjson.Parse(text); err == nil {
		return m.message(text, root)
	}
	return []byte(m.Text(string(text)))
}

// message masks a message, or a list of them.
func (m *Mask) message(text []byte, root *rawjson.Node) []byte {
	fixed := map[*rawjson.Node]bool{}
	var roots []*rawjson.Node
	one := func(n *rawjson.Node) {
		if !speaks(n) {
			roots = append(roots, n)
			return
		}
		params, result := n.Get("params"), n.Get("result")
		for _, at := range []*rawjson.Node{
			n.Get("jsonrpc"), n.Get("id"), n.Get("method"), n.At("error", "code"), params.Get("protocolVersion"), result.Get("protocolVersion"),
			params.At("_meta", "progressToken"), params.Get("progressToken"), params.Get("requestId"),
		} {
			if at != nil {
				fixed[at] = true
			}
		}
		if method, _ := n.Get("method").Str(); method == "tools/call" {
			fixed[params.Get("name")] = true
			m.called(params.Get("name"))
		}
		for _, tool := range items(result.Get("tools")) {
			m.called(tool.Get("name"))
		}
		roots = append(roots, params.Get("arguments"), n.At("error", "data"))
		if answer := result.Get("content"); answer.Is(rawjson.Object) {
			roots = append(roots, answer) // of a user who was asked
		}
		for _, at := range []*rawjson.Node{result, result.Get("result"), result.At("task", "result")} {
			roots = append(roots, at.Get("structuredContent"))
		}
		if params.Has("inputResponses") {
			for _, answer := range params.Get("inputResponses").Members {
				roots = append(roots, answer.Value.Get("content"))
			}
		}
	}
	if root.Is(rawjson.Array) {
		for _, n := range root.Items {
			one(n)
		}
	} else {
		one(root)
	}
	located := map[*rawjson.Node]bool{}
	for _, at := range roots {
		maps.Copy(located, m.located(at))
	}
	m.learn(located)
	// JSON within the strings of an answer is a payload too.
	root.Walk(func(n *rawjson.Node) bool {
		if text, ok := n.Str(); ok && (strings.Contains(text, "{") || strings.Contains(text, "[")) {
			if inside, err := rawjson.Parse([]byte(text)); err == nil {
				m.Learn(inside)
			}
		}
		return true
	})
	return m.rewrite(text, root, located, fixed)
}

// speaks tells a message of JSON-RPC, also one that lacks its version.
func speaks(n *rawjson.Node) bool {
	return n.Has("jsonrpc") || n.Has("method") || n.Has("id") && (n.Has("result") || n.Has("error"))
}

func (m *Mask) called(n *rawjson.Node) {
	if name, ok := n.Str(); ok {
		m.Name(name)
	}
}

func items(n *rawjson.Node) []*rawjson.Node {
	if n.Is(rawjson.Array) {
		return n.Items
	}
	return nil
}

// streams tells a stream of server-sent events. JSON has no such line.
func streams(body []byte) bool {
	for line := range bytes.Lines(body) {
		if bytes.HasPrefix(line, []byte("data:")) {
			return true
		}
	}
	return false
}

// stream masks a stream of events: the lines of data that follow one another are
// one message.
func (m *Mask) stream(body []byte) []byte {
	var out, data bytes.Buffer
	flush := func() {
		// A mask never adds or takes a line break, so that the lines are found again.
		for line := range bytes.Lines(m.data(data.Bytes())) {
			out.WriteString("data:")
			out.Write(line)
		}
		data.Reset()
	}
	for line := range bytes.Lines(body) {
		rest, ok := bytes.CutPrefix(line, []byte("data:"))
		if ok && len(rest) > 0 {
			data.Write(rest)
			continue
		}
		flush()
		out.WriteString(m.Text(string(line)))
	}
	flush()
	return out.Bytes()
}
