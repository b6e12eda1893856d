package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// The members of _meta that every request carries from 2026-07-28 on.
const (
	metaProtocolVersion    = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo         = "io.modelcontextprotocol/clientInfo"
	metaClientCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo         = "io.modelcontextprotocol/serverInfo"
)

// compose writes one JSON-RPC message. id is its exact JSON text, empty for a
// notification; params are taken over to the byte, and left out when empty.
func compose(id, method string, params json.RawMessage) []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0"`)
	if id != "" {
		b.WriteString(`,"id":` + id)
	}
	b.WriteString(`,"method":`)
	b.Write(quote(method))
	if len(params) > 0 {
		b.WriteString(`,"params":`)
		b.Write(params)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// composeAnswer answers a server's request: a ping, what asked knows an answer to;
// everything else is refused.
func composeAnswer(m frame.Message, asked Asked) []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(m.ID.Raw)
	if m.Method == "ping" {
		b.WriteString(`,"result":{}}`)
		return b.Bytes()
	}
	if asked == nil {
		b.WriteString(`,"error":{"code":-32601,"message":"this client declares no capability for this method"}}`)
		return b.Bytes()
	}
	result, ok := asked(m.Method, m.Params)
	if !ok {
		b.WriteString(`,"error":{"code":-32603,"message":"the user of this client has no answer to this"}}`)
		return b.Bytes()
	}
	b.WriteString(`,"result":`)
	b.Write(result)
	b.WriteByte('}')
	return b.Bytes()
}

// capabilities are what the client declares at a revision, as JSON.
func (c *Config) capabilities(revision string) string {
	var declared []string
	switch {
	case !c.Elicits || revision < revisionElicits:
	case revision < revisionForms:
		declared = append(declared, `"elicitation":{}`)
	default:
		declared = append(declared, `"elicitation":{"form":{}}`)
	}
	if c.Tasks && revision >= Revision20260728 {
		declared = append(declared, `"extensions":{"`+TasksExtension+`":{}}`)
	}
	return "{" + strings.Join(declared, ",") + "}"
}

// TasksExtension is the name of the extension by which tools run as tasks from
// 2026-07-28 on.
const TasksExtension = "io.modelcontextprotocol/tasks"

// The revisions from which on clients may be asked, and say in which ways.
const (
	revisionElicits = "2025-06-18"
	revisionForms   = "2025-11-25"
)

// quote writes a JSON string. Encoding a string cannot fail.
func quote(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text)
	return bytes.TrimRight(b.Bytes(), "\n")
}

// identity writes an implementation's name and version.
func identity(name, version string) string {
	return `{"name":` + string(quote(name)) + `,"version":` + string(quote(version)) + `}`
}

// withMeta puts the members that 2026-07-28 asks for in front of the params'
// own, which stay as they are to the byte. Params that hold a _meta object keep
// its other members; params that are no object cannot carry any.
func withMeta(params json.RawMessage, revision, client, capabilities string) json.RawMessage {
	meta := `"` + metaProtocolVersion + `":"` + revision + `","` + metaClientInfo + `":` + client + `,"` + metaClientCapabilities + `":` + capabilities
	if len(bytes.TrimSpace(params)) == 0 {
		return json.RawMessage(`{"_meta":{` + meta + `}}`)
	}
	root, err := rawjson.Parse(params)
	if err != nil || !root.Is(rawjson.Object) {
		return params
	}
	old := root.Get("_meta")
	var b bytes.Buffer
	b.WriteString(`{"_meta":{` + meta)
	if old.Is(rawjson.Object) {
		for _, m := range old.Members {
			switch m.Name {
			case metaProtocolVersion, metaClientInfo, metaClientCapabilities:
			default:
				member(&b, m)
			}
		}
	}
	b.WriteByte('}')
	switch {
	case old != nil:
		for _, m := range root.Members {
			if m.Name != "_meta" {
				member(&b, m)
			}
		}
		b.WriteByte('}')
	case len(root.Members) == 0:
		b.WriteByte('}')
	default:
		b.WriteByte(',')
		b.Write(root.Raw[1:])
	}
	return b.Bytes()
}

// withProgress puts a progress token into the params' _meta; token is its exact
// JSON. Params that are no object, or have a token of their own, stay as they are.
func withProgress(params json.RawMessage, token string) json.RawMessage {
	root, err := rawjson.Parse(params)
	if err != nil || !root.Is(rawjson.Object) || root.At("_meta", "progressToken") != nil {
		return params
	}
	var b bytes.Buffer
	b.WriteString(`{"_meta":{"progressToken":` + token)
	for _, m := range root.Members {
		if m.Name == "_meta" {
			for _, own := range m.Value.Members {
				member(&b, own)
			}
		}
	}
	b.WriteByte('}')
	for _, m := range root.Members {
		if m.Name != "_meta" {
			member(&b, m)
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

func member(b *bytes.Buffer, m rawjson.Member) {
	b.WriteByte(',')
	b.Write(quote(m.Name))
	b.WriteByte(':')
	b.Write(m.Value.Raw)
}

// The ranges of ids; see the package comment.
const (
	FirstGivenID = 1000
	firstHighID  = 1 << 30
)

// idText gives an id's exact JSON text.
func idText(number int, asString bool) string {
	if asString {
		return `"c-` + strconv.Itoa(number) + `"`
	}
	return strconv.Itoa(number)
}
