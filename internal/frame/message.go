// Package frame reads what stands between the transport and the answer, as pure
// functions over recorded bytes: JSON-RPC messages and Server-Sent Events. The
// wire client uses it to know when an answer has come, the judges use it to see
// what really came.
package frame

import (
	"fmt"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Kind says what a JSON-RPC message is.
type Kind uint8

// The kinds of JSON-RPC 2.0. Broken is the zero value: bytes that are no
// message; Message.Problem says why.
const (
	Broken Kind = iota
	Request
	Notification
	Response
)

// Message is one JSON-RPC message as it was sent. A message that is wrong in
// some way keeps everything that can be read of it.
type Message struct {
	Kind    Kind
	Raw     []byte
	Root    *rawjson.Node // nil when the bytes are no JSON value
	ID      *rawjson.Node // nil when absent
	Method  string
	Params  *rawjson.Node
	Result  *rawjson.Node
	Error   *rawjson.Node
	Problem string // why it is Broken
}

// Key makes an id comparable, type and value both: 7 and "7" differ.
func Key(id *rawjson.Node) string {
	if text, ok := id.Str(); ok {
		return fmt.Sprintf("%q", text)
	}
	if id == nil {
		return ""
	}
	return string(id.Raw)
}

// ReadMessages reads the bytes of one HTTP body, SSE event or stdio line: one
// message, or the several of a batch (lawful only at 2025-03-26).
func ReadMessages(b []byte) []Message {
	root, err := rawjson.Parse(b)
	if err != nil {
		return []Message{{Raw: b, Problem: err.Error()}}
	}
	if root.Is(rawjson.Array) && len(root.Items) > 0 {
		messages := make([]Message, len(root.Items))
		for i, item := range root.Items {
			messages[i] = message(item)
		}
		return messages
	}
	return []Message{message(root)}
}

func message(root *rawjson.Node) Message {
	m := Message{Raw: root.Raw, Root: root}
	if !root.Is(rawjson.Object) {
		m.Problem = "a JSON-RPC message is an object, not " + root.Kind.Article()
		return m
	}
	m.ID, m.Params, m.Result, m.Error = root.Get("id"), root.Get("params"), root.Get("result"), root.Get("error")
	method, isMethod := root.Get("method").Str()
	m.Method = method
	switch {
	case isMethod && m.ID == nil:
		m.Kind = Notification
	case isMethod:
		m.Kind = Request
	case m.Result != nil || m.Error != nil || m.ID != nil:
		m.Kind = Response
	default:
		m.Problem = "neither method nor result nor error"
	}
	return m
}
