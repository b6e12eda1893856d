package fakebackend

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	revision2025June = "2025-06-18"
	revision2025Nov  = "2025-11-25"
)

// peer is what a request tells of its client.
type peer struct {
	session  *mcp.ServerSession
	revision string
	declared map[string]any // its capabilities, at a revision without sessions
}

// peerOf reads who sends a request: the newer revisions say it with each one,
// the older once for a session.
func peerOf(session *mcp.ServerSession, meta map[string]any) peer {
	p := peer{session: session}
	if revision, ok := meta[mcp.MetaKeyProtocolVersion].(string); ok {
		p.revision = revision
		p.declared, _ = meta[mcp.MetaKeyClientCapabilities].(map[string]any)
		return p
	}
	if asked := session.InitializeParams(); asked != nil {
		// A client that asks for a revision nobody knows is given the newest of
		// those with a handshake.
		p.revision = min(asked.ProtocolVersion, revision2025Nov)
	}
	return p
}

func (p peer) sessionless() bool { return p.revision >= sessionless }

// answersForms tells whether the client can ask its user to fill in a form.
func (p peer) answersForms() bool {
	if p.sessionless() {
		modes, ok := p.declared["elicitation"].(map[string]any)
		return ok && (modes["form"] != nil || modes["url"] == nil)
	}
	asked := p.session.InitializeParams()
	if p.revision < revision2025June || asked == nil || asked.Capabilities == nil || asked.Capabilities.Elicitation == nil {
		return false
	}
	modes := asked.Capabilities.Elicitation
	return modes.Form != nil || modes.URL == nil
}

const tasksExtension = "io.modelcontextprotocol/tasks"

// takesTasks tells whether the client has declared the tasks extension.
func (p peer) takesTasks() bool {
	extensions, _ := p.declared["extensions"].(map[string]any)
	_, ok := extensions[tasksExtension].(map[string]any)
	return ok
}
