package conform

import (
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Stateless is the first revision without a handshake: every request carries its
// revision in _meta (MCP 2026-07-28, basic/lifecycle).
const Stateless = "2026-07-28"

const metaRevision, metaServer = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/serverInfo"

// Revision is the protocol revision that was spoken: what the server answered to
// initialize, or what each request carried; empty if the two never agreed on one.
func (r *Recording) Revision() string {
	for _, c := range r.Calls {
		switch c.Planned.Method {
		case "initialize":
			if v, ok := c.Result.Get("protocolVersion").Str(); ok {
				return v
			}
		case "tools/list", "tools/call":
			if len(c.Asked()) == 0 || c.Result == nil {
				continue
			}
			if v, ok := c.Asked()[0].Params.At("_meta", metaRevision).Str(); ok {
				return v
			}
		}
	}
	if len(r.Calls) > 0 && r.Calls[0].Planned.Role != RoleLifecycle {
		return r.Header.Target.Protocol // a recorded answer, without a handshake
	}
	return ""
}

// HTTP gives the version of HTTP that the server's first answer came by; empty: none
// came over HTTP.
func (r *Recording) HTTP() string {
	for _, c := range r.Calls {
		for _, o := range c.Received {
			if o.Received.Proto != "" {
				return o.Received.Proto
			}
		}
	}
	return ""
}

// ServerInfo is what the server calls itself; empty where it does not say. Its
// words are foreign text.
func (r *Recording) ServerInfo() (name, version string) {
	for _, c := range r.Calls {
		info := c.Result.Get("serverInfo")
		if info == nil {
			info = c.Result.At("_meta", metaServer)
		}
		if !info.Is(rawjson.Object) {
			continue
		}
		name, _ = info.Get("name").Str()
		version, _ = info.Get("version").Str()
		if name != "" {
			return name, version
		}
	}
	return "", ""
}
