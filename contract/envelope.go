package contract

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Text is one text block of content.
type Text struct {
	Node *rawjson.Node // the block's text member
	JSON *rawjson.Node // decoded; nil if the text is no JSON object or array
}

// readToolResult finds the payload of a tools/call result as a client does
// (contract 1.1a): structuredContent wins, an empty object and null count as
// absent; else content is looked at, where exactly one block gives a value and
// several give a list, in which nothing is recognised.
func (a *Answer) readToolResult(o Options) {
	if !a.Root.Is(rawjson.Object) {
		a.problem(NoObject, a.Root, "a tool result is an object, this is a "+kind(a.Root))
		return
	}
	a.IsError, _ = a.Root.Get("isError").Bool()
	a.Structured = a.Root.Get("structuredContent")
	content := a.Root.Get("content")
	a.readTexts(content)
	switch {
	case a.Structured.Is(rawjson.Object) && len(a.Structured.Members) > 0:
		a.takeStructured(content, o)
	case a.Structured == nil, a.Structured.Is(rawjson.Null), a.Structured.Is(rawjson.Object):
		a.takeText(content)
	default:
		a.problem(NoObject, a.Structured, "structuredContent is a bare "+kind(a.Structured)+
			", rows are looked for in an object that holds results[]")
		if stringHolds(a.Structured) != nil {
			a.problem(StringInStructured, a.Structured, "structuredContent is JSON written as a string: it was serialised before it was returned")
		}
	}
}

func (a *Answer) readTexts(content *rawjson.Node) {
	if !content.Is(rawjson.Array) {
		return
	}
	for _, block := range content.Items {
		if text := textOf(block); text != nil {
			a.Texts = append(a.Texts, Text{Node: text, JSON: stringHolds(text)})
		}
	}
}

// textOf gives the text member of a text block. A block that lost its type is
// read too: PRO-03 judges the block, not the rows in it.
func textOf(block *rawjson.Node) *rawjson.Node {
	text := block.Get("text")
	if name, _ := block.Get("type").Str(); text.Is(rawjson.String) && (name == "text" || !block.Has("type")) {
		return text
	}
	return nil
}

// stringHolds gives the JSON object or array that a string holds, as clients
// decode it: only if, trimmed, it begins like one. Nil if it holds none.
func stringHolds(n *rawjson.Node) *rawjson.Node {
	text, _ := n.Str()
	return JSONIn(text)
}

// JSONIn gives the JSON object or array that a text is, as clients decode it; nil
// if it is none.
func JSONIn(text string) *rawjson.Node {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return nil
	}
	held, _ := rawjson.Parse([]byte(text)) // nil where it is no JSON
	return held
}

func (a *Answer) takeStructured(content *rawjson.Node, o Options) {
	a.Source, a.Payload, a.Base = FromStructured, a.Structured, "/structuredContent"
	a.twice = names(a.Root, "structuredContent") > 1
	if anyList(spots(a.Structured, o)) {
		return
	}
	member, held := stringMember(a.Structured)
	if member == nil {
		return
	}
	a.problem(StringInStructured, member, "JSON stands here as a string: it was serialised before it was returned")
	if only := a.onlyText(content); only != nil && anyList(spots(only.JSON, o)) {
		a.fromText(only)
		if why := rowsDiffer(mirrored(held, o), mirrored(only.JSON, o), o); why != "" {
			a.problem(TextDisagrees, only.Node, "the JSON in structuredContent's string and the text block carry different rows: "+why)
		}
	}
}

// stringMember finds JSON in a string where the payload, or its result, should
// hold the object itself.
func stringMember(payload *rawjson.Node) (member, held *rawjson.Node) {
	for _, at := range []*rawjson.Node{payload, payload.Get("result")} {
		if at != nil {
			for i := range at.Members {
				if held := stringHolds(at.Members[i].Value); held != nil {
					return at.Members[i].Value, held
				}
			}
		}
	}
	return nil, nil
}

// onlyText gives the text of an answer whose content is exactly one text block.
func (a *Answer) onlyText(content *rawjson.Node) *Text {
	if len(a.Texts) == 1 && len(content.Items) == 1 {
		return &a.Texts[0]
	}
	return nil
}

func (a *Answer) fromText(text *Text) {
	a.Source, a.Payload = FromText, text.JSON
	a.Base, _ = a.Where(text.Node)
	block := a.Root.Get("content").Items[0]
	a.twice = names(a.Root, "content") > 1 || names(block, "text") > 1
}

func (a *Answer) takeText(content *rawjson.Node) {
	if only := a.onlyText(content); only != nil && only.JSON.Is(rawjson.Object) {
		a.fromText(only)
		return
	}
	at := a.Root
	switch {
	case content == nil:
		a.problem(NoObject, at, "neither structuredContent nor content")
	case !content.Is(rawjson.Array):
		a.problem(NoObject, content, "content is a "+kind(content)+", and there is no structuredContent")
	case len(content.Items) == 0:
		a.problem(NoObject, content, "content is empty, and there is no structuredContent")
	case len(content.Items) == 1 && len(a.Texts) == 1:
		a.problem(NoObject, a.Texts[0].Node, proseDetail(&a.Texts[0]))
	case a.anyObjectText():
		a.problem(TwoBlocks, content, fmt.Sprintf("content holds %d blocks and there is no structuredContent: a client makes a list of them and finds no object in it", len(content.Items)))
	default:
		a.problem(NoObject, content, fmt.Sprintf("none of the %d content blocks is a JSON object, and there is no structuredContent", len(content.Items)))
	}
}

func (a *Answer) anyObjectText() bool {
	for i := range a.Texts {
		if a.Texts[i].JSON.Is(rawjson.Object) {
			return true
		}
	}
	return false
}

// proseDetail says why the one text block is no JSON object.
func proseDetail(text *Text) string {
	if text.JSON != nil {
		return "the text block is a bare " + kind(text.JSON) + ", rows are looked for in an object that holds results[]"
	}
	words, _ := text.Node.Str()
	trimmed := strings.TrimSpace(words)
	from, to := strings.IndexByte(trimmed, '{'), strings.LastIndexByte(trimmed, '}')
	switch {
	case trimmed == "":
		return "the text block is empty"
	case from == 0:
		_, err := rawjson.Parse([]byte(words))
		return fmt.Sprintf("the text block begins like JSON and is none: %v", err)
	case trimmed[0] == '"':
		return "the text block is JSON written as a JSON string: it was serialised twice"
	case from > 0 && to > from:
		if _, err := rawjson.Parse([]byte(trimmed[from : to+1])); err == nil {
			return "the text block has other words around its JSON: a client does not look for JSON inside prose"
		}
	}
	return "the text block is prose: the outcome of each item must be guessed from words"
}

// readBody takes a REST or gateway body for the payload.
func (a *Answer) readBody() {
	if !a.Root.Is(rawjson.Object) {
		a.problem(NoObject, a.Root, "the body is a "+kind(a.Root)+", not an object")
		return
	}
	a.Source, a.Payload = FromBody, a.Root
}

// readEnvelope reads the members that make a payload an envelope. Any of ok,
// result and error does, even null (contract 1.1a).
func (a *Answer) readEnvelope() {
	p := a.Payload
	a.OK, a.Error, a.Metadata, a.Result = p.Get("ok"), p.Get("error"), p.Get("metadata"), p.Get("result")
	if a.OK != nil && !a.OK.Is(rawjson.Bool) {
		a.problem(OKNotBoolean, a.OK, "ok is the "+kind(a.OK)+" "+a.OK.Excerpt(40)+": clients read it by its truth value")
	}
	if a.Error != nil && !a.Error.Is(rawjson.String) && !a.Error.Is(rawjson.Null) {
		a.problem(ErrorShape, a.Error, "error is a "+kind(a.Error)+", not a string or null")
	}
	enveloped := a.OK != nil || a.Error != nil || a.Result != nil
	if enveloped && a.Metadata != nil && !a.Metadata.Is(rawjson.Object) && !a.Metadata.Is(rawjson.Null) {
		a.problem(MetadataShape, a.Metadata, "metadata is a "+kind(a.Metadata)+", not an object")
	}
}

// names counts the members of one name.
func names(n *rawjson.Node, name string) int {
	count := 0
	for i := range n.Members {
		if n.Members[i].Name == name {
			count++
		}
	}
	return count
}

func kind(n *rawjson.Node) string {
	if n == nil {
		return rawjson.Invalid.String()
	}
	return n.Kind.String()
}
