package protocol

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func revisionKept() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-08", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "The revision is known and kept to",
			Text:   "The revision a server answers with is one that exists, and its messages afterwards are of that revision; another revision than the one asked for is no fault.",
			Impact: "Client and server speak two dialects: calls work today and break without warning when either side is updated.",
			Source: "MCP 2025-11-25, basic/lifecycle, Version Negotiation; MCP 2026-07-28, basic/versioning and basic, ResultType",
			Needs:  response,
			Good:   `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",…}}`,
			Bad:    `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1.0",…}}`,
			Mend:   "Answer with a published revision the server implements, and send nothing that this revision does not have: no batches after 2025-03-26, no requests to the client and no result without resultType from 2026-07-28 on.",
			Since:  set,
		},
		PerServer: true,
		Applies:   notREST,
		Judge:     judgeRevision,
		Missing:   "neither initialize nor server/discover was answered",
	}
}

func judgeRevision(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, c := range s.Calls {
		if c.Response == nil {
			continue
		}
		switch c.Planned.Method {
		case "initialize":
			if c.Result.Is(rawjson.Object) {
				looks = append(looks, answered(c, c.Result.Get("protocolVersion"), c.Result))
			}
		case "server/discover":
			if c.Result.Is(rawjson.Object) {
				looks = append(looks, discovered(c))
			}
		case "tools/call":
			if look, ok := perCall(s.Recording, c); ok {
				looks = append(looks, look)
			}
		}
	}
	looks = append(looks, refusedHandshake(s)...)
	return append(looks, foreign(s.Recording)...)
}

// refusedHandshake fails a server that lets nobody in: initialize was answered
// with a JSON-RPC error each time, although lawful revisions were offered. A
// server must answer it with a revision of its own, also where it does not speak
// the one that was asked for. It is no fault to refuse a revision and name the
// ones supported, nor to refuse one attempt and take another.
func refusedHandshake(s *conform.Subject) []conform.Look {
	var refused []conform.Look
	for _, c := range s.Calls {
		if c.Planned.Method != "initialize" && c.Planned.Method != "server/discover" {
			continue
		}
		if c.Response != nil && (c.Response.Error == nil || c.Response.Root.Has("result")) {
			return nil // also where an error stands beside the result: PRO-05 tells of that
		}
		if c.Planned.Method != "initialize" {
			continue
		}
		m, in := refusedBy(c)
		if in == nil {
			if look := failedHandshake(c); look != nil {
				refused = append(refused, *look)
			}
			continue
		}
		if namesRevisions(m.Error) {
			return nil
		}
		said, _ := m.Error.Get("message").Str()
		f := fault{
			want: "an InitializeResult with a known revision", got: "a JSON-RPC error: " + quoted(said),
			message: m, node: m.Error,
		}
		if deniesAccess.MatchString(said) {
			f.hint = "The refusal reads like a permission problem: give credentials with --header or --token-env, or under `server.headers` in the target file. A server that refuses them says so with HTTP status 401 or 403."
		}
		refused = append(refused, in.failed(f))
	}
	return refused
}

// failedHandshake fails a server whose own HTTP error stands where its answer to
// initialize should be. A status of the 400s may be about the request, and
// access, limits and gateways are no word of the server's on the protocol.
func failedHandshake(c *conform.Call) *conform.Look {
	in := c.Last()
	if in == nil || in.Status < 500 || refusal(in.Status) || conform.MediaType(in.Header) == "text/html" {
		return nil
	}
	return &conform.Look{
		Verdict: conform.Fail, Call: c, Want: "an InitializeResult with a known revision", Got: fmt.Sprintf("HTTP status %d and no JSON-RPC message", in.Status),
		Evidence: []conform.Evidence{{Call: c.ID, Seq: c.Received[len(c.Received)-1].Seq, Excerpt: rawjson.Cut(string(in.Body), 200)}},
	}
}

// refusedBy gives the JSON-RPC error that a call was answered with: the response
// to its id, or the error without an id that may stand beside an HTTP error. The
// statuses of access, limits and gateways speak for themselves. The reception is
// nil where there is none.
func refusedBy(c *conform.Call) (frame.Message, *reception) {
	if c.Response != nil {
		return c.Response.Message, answer(c)
	}
	all := ofCall(c)
	if len(all) == 0 {
		return frame.Message{}, nil
	}
	last := all[len(all)-1]
	at := slices.IndexFunc(last.messages, anonymousError)
	if refusal(last.in.Received.Status) || at < 0 {
		return frame.Message{}, nil
	}
	return last.messages[at], last
}

// namesRevisions tells an error that refuses a revision and names others.
func namesRevisions(e *rawjson.Node) bool {
	if code, _ := e.Get("code").Literal(); code == unsupported {
		return true
	}
	list := e.At("data", "supported")
	return list.Is(rawjson.Array) && len(list.Items) > 0
}

var deniesAccess = regexp.MustCompile(`(?i)permission|forbidden|unauthori[sz]ed|not authori[sz]ed|unauthenticated|authenticat|access (is )?denied|credential|\b(access|bearer|api)[ -]?(token|key)\b|\blog ?in\b`)

const published = "a published revision: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28"

func answered(c *conform.Call, version, whole *rawjson.Node) conform.Look {
	if said, _ := version.Str(); known(said) {
		return answer(c).passed()
	}
	return answer(c).failed(fault{want: published, got: "protocolVersion is " + shown(version), node: orElse(version, whole)})
}

// discovered judges the list of server/discover: one revision that exists is
// enough, a server may know newer ones than we do.
func discovered(c *conform.Call) conform.Look {
	list := c.Result.Get("supportedVersions")
	if !list.Is(rawjson.Array) {
		return answer(c).failed(fault{want: published, got: "supportedVersions is " + a(list), node: orElse(list, c.Result)})
	}
	if !slices.ContainsFunc(versions(c), known) {
		return answer(c).failed(fault{want: published, got: "none in supportedVersions", node: list})
	}
	return answer(c).passed()
}

// versions gives the revisions that an answer to server/discover lists.
func versions(c *conform.Call) []string {
	list := c.Result.Get("supportedVersions")
	if !list.Is(rawjson.Array) {
		return nil
	}
	said := make([]string, len(list.Items))
	for i, item := range list.Items {
		said[i], _ = item.Str()
	}
	return said
}

// unsupported is the error of MCP 2026-07-28 that refuses a revision.
const unsupported = "-32022"

// perCall judges an answer to a request that names its own revision.
func perCall(rec *conform.Recording, c *conform.Call) (conform.Look, bool) {
	said := perRequest(asked(c))
	if said < revMeta || !offered(rec, said) {
		// An older server may answer a call by its own rules; it promised nothing.
		return conform.Look{}, false
	}
	if code, _ := c.Response.Error.Get("code").Literal(); code == unsupported {
		return answer(c).failed(fault{
			want: "revision " + said + ", which server/discover offered", got: "error " + unsupported + ", revision not supported",
			message: c.Response.Message, node: c.Response.Error,
		}), true
	}
	if !c.Result.Is(rawjson.Object) {
		return conform.Look{}, false
	}
	if kind := c.Result.Get("resultType"); !kind.Is(rawjson.String) {
		return answer(c).failed(fault{
			want: "resultType, a string, at revision " + said, got: "resultType is " + a(kind), node: orElse(kind, c.Result),
		}), true
	}
	return answer(c).passed(), true
}

// offered tells whether the server itself listed a revision.
func offered(rec *conform.Recording, said string) bool {
	return slices.ContainsFunc(rec.Calls, func(c *conform.Call) bool {
		return c.Planned.Method == "server/discover" && slices.Contains(versions(c), said)
	})
}

// foreign finds messages that the revision does not have.
func foreign(rec *conform.Recording) []conform.Look {
	var looks []conform.Look
	for _, r := range receptions(rec) {
		said := ofSession(rec, r.session)
		if r.call != nil {
			said = revision(rec, r.call)
		}
		if !known(said) {
			continue
		}
		for _, m := range r.messages {
			if f := foreignMessage(r, m, said); f != nil {
				looks = append(looks, r.failed(*f))
				break
			}
		}
	}
	return looks
}

func foreignMessage(r *reception, m frame.Message, said string) *fault {
	switch {
	case !r.spoken(m):
		return nil
	case m.Root.Pointer() != "" && said != revBatch:
		// The messages of a batch have a pointer of their own.
		return &fault{want: "one message at a time at revision " + said, got: "a batch, which only " + revBatch + " has", message: m}
	case m.Kind == frame.Request && said >= revMeta:
		return &fault{
			want: "no request from the server at revision " + said, got: "a request, method " + quoted(m.Method), message: m,
			hint: "Ask through an input_required result (multi round-trip requests) instead of sending a request.",
		}
	}
	return nil
}
