package protocol

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

// The revisions of the protocol. Their names are dates, so they compare.
const (
	rev2024  = "2024-11-05"
	revBatch = "2025-03-26" // the only one with JSON-RPC batches
	revShape = "2025-06-18" // outputSchema and structuredContent came with it
	rev2025  = "2025-11-25"
	revMeta  = "2026-07-28" // no handshake, no session: each request says its revision
)

func known(revision string) bool {
	switch revision {
	case rev2024, revBatch, revShape, rev2025, revMeta:
		return true
	}
	return false
}

// metaRevision is the member of a request's _meta that names the revision (MCP
// 2026-07-28, basic/versioning).
const metaRevision = "io.modelcontextprotocol/protocolVersion"

// perRequest is the revision the request itself names; empty if it names none.
func perRequest(m frame.Message) string {
	said, _ := m.Params.At("_meta", metaRevision).Str()
	return said
}

type revisionsKey struct{}

// revisions is what each session's initialize agreed on.
func revisions(rec *conform.Recording) map[string]string {
	return rec.Memo(revisionsKey{}, func() any {
		agreed := map[string]string{}
		for _, c := range rec.Calls {
			if c.Planned.Method != "initialize" {
				continue
			}
			agreed[c.Session], _ = c.Result.Get("protocolVersion").Str()
		}
		return agreed
	}).(map[string]string)
}

// ofSession is the revision a session speaks by its handshake, else the one the
// target was asked for; empty: not known.
func ofSession(rec *conform.Recording, session string) string {
	if agreed := revisions(rec)[session]; agreed != "" {
		return agreed
	}
	return rec.Header.Target.Protocol
}

// revision is the revision a call was made under; empty: not known.
func revision(rec *conform.Recording, c *conform.Call) string {
	if said := perRequest(asked(c)); said != "" {
		return said
	}
	return ofSession(rec, c.Session)
}
