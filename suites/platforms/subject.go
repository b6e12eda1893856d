package platforms

import (
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/suites/agentplatform"
)

// Subject is a server as far as it is known. What is not known is left empty, and
// rules that need it are not run.
type Subject struct {
	ServerName string // the name that the server gets in the client's configuration
	Transport  string // streamable-http | sse | stdio | rest
	URL        string
	Protocol   string   // the revision negotiated
	Revisions  []string // all that the server says it speaks
	// Instructions are the server's own; Greeted tells whether it was asked for them.
	Instructions string
	Greeted      bool
	Capabilities *rawjson.Node

	Tools []conform.Tooling
	// NamesOnly is set where nothing but the names of the tools is known.
	NamesOnly bool
	Pages     int  // of tools/list; 0: not known
	More      bool // a further page was announced, and is not here
	Circles   bool // tools/list gave a cursor twice

	Answers   []Answer
	Exchanges []Exchange

	// Credentials is "none" where the server answered without any, "sent" where some
	// were sent, and empty where that is not known.
	Credentials string
	// Grants are the grant types of the server's authorization server; nil: not known.
	Grants []string

	Config   *agentplatform.Config // of the multi-item agent platform
	Allowed  *AllowList            // an allow-list of the user's
	Snapshot []conform.Tooling     // the tools as they were when they were registered
	Beside   map[string][]string   // further servers on the same client, with their tools
}

// Answer is one result of tools/call.
type Answer struct {
	Tool      string
	Result    *rawjson.Node
	FirstByte time.Duration // from the request to the first byte; 0: not known
	Took      time.Duration // to the last byte; 0: not known
	Call      string        // the planned call's id
	Items     int           // how many were asked for; 0: not known
	Batch     bool          // it is to say of each of them what became of it
	Flight    int           // how many calls were in flight with it
}

// Exchange is one HTTP request and what came back.
type Exchange struct {
	Method, Accept string
	Status         int
	Media          string
	RetryAfter     bool
	Event          string // the address that an SSE connection opened with
	Bytes          int
}

// tool gives a listed tool; nil if there is none of that name.
func (s *Subject) tool(name string) *conform.Tooling {
	for i := range s.Tools {
		if s.Tools[i].Name == name {
			return &s.Tools[i]
		}
	}
	return nil
}

func description(t *conform.Tooling) string {
	text, _ := t.Node.Get("description").Str()
	return text
}
