package protocol

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func contentBlocks() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-03", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "content is an array of valid blocks",
			Text:   "A tool result has content, an array of blocks that each carry what their type asks for, and isError, if it is there, is a boolean.",
			Impact: "Clients cannot decode the answer: the user sees a technical error where the server did its work.",
			Source: "MCP 2025-11-25, server/tools, Tool Result; schema, CallToolResult and ContentBlock",
			Needs:  response,
			Good:   `{"content":[{"type":"text","text":"2 of 2 done"}]}`,
			Bad:    `{"content":"2 of 2 done"}`,
			Mend:   "Send content as an array, empty if need be; give every block its type and that type's members as strings; send isError as true or false.",
			Since:  set,
		},
		Applies: notREST,
		Judge: func(s *conform.Subject) []conform.Look {
			var looks []conform.Look
			for _, c := range completed(s) {
				if f := badContent(c.Result); f != nil {
					looks = append(looks, answer(c).failed(*f))
				} else {
					looks = append(looks, answer(c).passed())
				}
			}
			return looks
		},
		Missing: "no tools/call was answered with a result",
	}
}

// badContent finds the first fault of a tool result's own form.
func badContent(result *rawjson.Node) *fault {
	content := result.Get("content")
	switch {
	case content == nil:
		return &fault{want: "content, an array of blocks", got: "a result without content", node: result}
	case !content.Is(rawjson.Array):
		return &fault{want: "content as an array", got: a(content), node: content}
	}
	for _, block := range content.Items {
		if f := badBlock(block); f != nil {
			return f
		}
	}
	if flag := result.Get("isError"); flag != nil && !flag.Is(rawjson.Bool) {
		return &fault{want: "isError as true or false", got: a(flag), node: flag}
	}
	return nil
}

// badBlock judges by the types of all revisions together: a block of a newer
// type than the one agreed on is more than the client asked for, not garbage.
func badBlock(block *rawjson.Node) *fault {
	if !block.Is(rawjson.Object) {
		return &fault{want: "a content block, an object", got: a(block), node: block}
	}
	kind, ok := block.Get("type").Str()
	if !ok {
		return &fault{want: "a block with a type, a string", got: "type is " + a(block.Get("type")), node: block}
	}
	switch kind {
	case "text":
		return texts(block, kind, "text")
	case "image", "audio":
		return texts(block, kind, "data", "mimeType")
	case "resource_link":
		return texts(block, kind, "uri", "name")
	case "resource":
		return badResource(block)
	}
	return &fault{
		want: "a block of type text, image, audio, resource_link or resource", got: "type " + quoted(kind), node: block.Get("type"),
	}
}

// texts asks for members that must be strings.
func texts(block *rawjson.Node, kind string, members ...string) *fault {
	for _, name := range members {
		if member := block.Get(name); !member.Is(rawjson.String) {
			return &fault{
				want: "a " + kind + " block with " + name + ", a string", got: name + " is " + a(member), node: orElse(member, block),
			}
		}
	}
	return nil
}

func badResource(block *rawjson.Node) *fault {
	resource := block.Get("resource")
	if !resource.Is(rawjson.Object) {
		return &fault{want: "a resource block with resource, an object", got: "resource is " + a(resource), node: block}
	}
	if f := texts(resource, "resource", "uri"); f != nil {
		return f
	}
	if !resource.Get("text").Is(rawjson.String) && !resource.Get("blob").Is(rawjson.String) {
		return &fault{want: "a resource with text or blob, a string", got: "neither", node: resource}
	}
	return nil
}
