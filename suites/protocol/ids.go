package protocol

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func idsMatch() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-06", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "Responses carry the request's id",
			Text:   "A response's id equals the id of a request that was sent, in type and in value; over HTTP, of the request it answers.",
			Impact: "The answer cannot be matched to its request: the client waits until it gives up, or gives one user another's answer.",
			Source: "MCP 2025-11-25, basic, Responses; JSON-RPC 2.0, section 5",
			Needs:  response,
			Good:   `→ {"jsonrpc":"2.0","id":7,…}  ← {"jsonrpc":"2.0","id":7,"result":{…}}`,
			Bad:    `→ {"jsonrpc":"2.0","id":7,…}  ← {"jsonrpc":"2.0","id":"7","result":{…}}`,
			Mend:   "Keep the id as it came, type and all, and write it back; never number responses yourself.",
			Since:  set,
		},
		PerServer: true,
		Applies:   notREST,
		Judge:     judgeIDs,
		Missing:   "no response was received",
	}
}

func judgeIDs(s *conform.Subject) []conform.Look {
	x := exchanges(s.Recording)
	var looks []conform.Look
	for _, r := range receptions(s.Recording) {
		var worst *conform.Look
		seen := false
		for _, m := range r.messages {
			if !r.namesItsRequest(m) {
				continue
			}
			seen = true
			look := x.stranger(r, m)
			if look == nil {
				continue
			}
			if worst = look; look.Verdict == conform.Fail {
				break
			}
		}
		switch {
		case worst != nil:
			looks = append(looks, *worst)
		case seen:
			looks = append(looks, r.passed())
		}
	}
	return looks
}

// namesItsRequest tells a response whose id has to be that of a request. An error
// beside an HTTP error may name none.
func (r *reception) namesItsRequest(m frame.Message) bool {
	return isResponse(m) && r.spoken(m) && (r.good() || !anonymous(m))
}

// stranger judges a response's id; nil: it is the right one.
func (x *exchange) stranger(r *reception, m frame.Message) *conform.Look {
	wanted := x.wanted(r)
	key := frame.Key(m.ID)
	if wanted[key] {
		return nil
	}
	sent := slices.Collect(maps.Keys(wanted))
	if slices.ContainsFunc(sent, func(id string) bool { return sameNumber(id, key) }) {
		look := r.unclear("id " + rawjson.Cut(key, 40) + " is the number that was sent, written differently")
		return &look
	}
	got := "id " + rawjson.Cut(key, 40)
	switch {
	case m.ID == nil:
		got = "a response without an id"
	case x.ids[r.session][key]:
		got += ", which another request has"
	}
	want := "the id of a request that was sent"
	if len(sent) == 1 {
		want = "id " + rawjson.Cut(sent[0], 40)
	}
	look := r.failed(fault{want: want, got: got, message: m, node: m.ID})
	return &look
}

// wanted gives the ids a reception may answer: over HTTP the one of the request
// it is the answer to, else any of the session.
func (x *exchange) wanted(r *reception) map[string]bool {
	if r.in.Received.Channel == conform.ChannelHTTP {
		if m := asked(r.call); m.ID != nil {
			return map[string]bool{frame.Key(m.ID): true}
		}
	}
	return x.ids[r.session]
}

// sameNumber tells 7 and 7.0, which some languages cannot tell apart.
func sameNumber(a, b string) bool {
	cut := func(s string) string {
		if whole, fraction, _ := strings.Cut(s, "."); strings.Trim(fraction, "0") == "" {
			return whole
		}
		return s
	}
	return cut(a) == cut(b)
}
