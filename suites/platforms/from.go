package platforms

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Of gives what a recording shows of a server. address is where it was reached, where
// that is known.
func Of(rec *conform.Recording, address string) *Subject {
	s := &Subject{Transport: rec.Header.Target.Transport, URL: address, Protocol: rec.Revision(), Tools: rec.Tools, Greeted: true}
	cursors := map[string]bool{}
	first := ""
	for _, c := range rec.Calls {
		switch c.Planned.Method {
		case "initialize", "server/discover":
			if c.Result == nil {
				break
			}
			if text, ok := c.Result.Get("instructions").Str(); ok {
				s.Instructions = text
			}
			if n := c.Result.Get("capabilities"); n != nil && s.Capabilities == nil {
				s.Capabilities = n
			}
			for _, r := range texted(c.Result.Get("supportedVersions")) {
				if !slices.Contains(s.Revisions, r) {
					s.Revisions = append(s.Revisions, r)
				}
			}
		case "tools/list":
			if c.Result == nil || first != "" && c.Session != first {
				break
			}
			first = c.Session
			s.Pages++
			if cursor, more := c.Result.Get("nextCursor").Str(); more {
				s.Circles = s.Circles || cursors[cursor]
				cursors[cursor] = true
			}
		case "tools/call":
			if a, ok := answerOf(c); ok {
				s.Answers = append(s.Answers, a)
			}
		}
	}
	s.exchanged(rec)
	return s
}

func answerOf(c *conform.Call) (Answer, bool) {
	if c.Sent == nil || c.Planned.Role == conform.RoleReset {
		return Answer{}, false
	}
	a := Answer{Tool: c.Planned.Tool, Result: c.Result, Call: c.ID, Items: len(c.Planned.Items), Flight: c.Planned.InFlight}
	_, task := conform.TaskOf(c.Result)
	if a.Items == 0 { // a look at the state: as many as it names
		arguments, err := rawjson.Parse(c.Planned.Arguments)
		if err == nil {
			for _, m := range members(arguments) {
				a.Items = max(a.Items, len(m.Value.Items))
			}
		}
	}
	a.Batch = a.Items > 1 && c.Planned.Role == conform.RolePrimary && c.Planned.Continues == "" && !task && !conform.AsksBack(c.Result)
	if c.Response == nil {
		return a, false
	}
	if in := c.Response.In; in != nil {
		a.Took = in.At - c.Sent.At
		a.FirstByte = a.Took
		if in.Received != nil && in.Received.FirstByte > c.Sent.At {
			a.FirstByte = in.Received.FirstByte - c.Sent.At
		}
	}
	return a, true
}

// exchanged reads what was sent and received over HTTP, below the calls.
func (s *Subject) exchanged(rec *conform.Recording) {
	sent := map[string]*conform.Sent{}
	for i := range rec.Observations {
		o := &rec.Observations[i]
		if o.Sent != nil && o.Sent.Channel == conform.ChannelHTTP {
			sent[o.Call] = o.Sent
			switch {
			case secret(o.Sent.Header):
				s.Credentials = "sent"
			case s.Credentials == "":
				s.Credentials = "none"
			}
			if s.URL == "" {
				s.URL = o.Sent.URL
			}
		}
		if o.Received == nil || o.Received.Channel != conform.ChannelHTTP {
			continue
		}
		out := sent[o.Call]
		if out == nil {
			continue
		}
		e := Exchange{Method: out.Method, Accept: conform.Field(out.Header, "Accept"), Status: o.Received.Status, Media: conform.MediaType(o.Received.Header),
			RetryAfter: conform.Field(o.Received.Header, "Retry-After") != "", Event: opened(o.Received.Body), Bytes: len(o.Received.Body)}
		if o.Received.Status == 401 && s.Credentials == "none" {
			s.Credentials = ""
		}
		if strings.Contains(out.URL, "/.well-known/") {
			if n, err := rawjson.Parse(o.Received.Body); err == nil && n.Has("grant_types_supported") {
				s.Grants = append([]string{}, texted(n.Get("grant_types_supported"))...)
			}
			continue
		}
		s.Exchanges = append(s.Exchanges, e)
	}
}

// secret tells whether a request bore a credential of any kind. In a recording they
// stand redacted.
func secret(header []conform.HeaderField) bool {
	return slices.ContainsFunc(header, func(f conform.HeaderField) bool {
		return conform.SecretName(f.Name) || strings.Contains(f.Value, "[redacted")
	})
}

// opened gives the address that an old SSE connection opens with; empty for anything else.
func opened(body []byte) string {
	head, rest, ok := bytes.Cut(body, []byte("event: endpoint"))
	if !ok || len(bytes.TrimSpace(head)) > 0 {
		return ""
	}
	_, data, _ := bytes.Cut(rest, []byte("data:"))
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return strings.TrimSpace(string(line))
}

// ReadTools reads a stored listing: the result of tools/list, the whole response, a
// bare list of tools, or an object with `tools` and what else is known of the server.
func ReadTools(file string, text []byte) (*Subject, error) {
	top, err := readJSON(file, text)
	if err != nil {
		return nil, err
	}
	if result := top.Get("result"); result.Get("tools") != nil {
		top = result
	}
	s := &Subject{}
	list := top
	if !top.Is(rawjson.Array) {
		list = top.Get("tools")
	}
	if !list.Is(rawjson.Array) {
		return nil, &Error{File: file, Line: 1, What: "no list of tools was found", Mend: "give the result of tools/list: {\"tools\": […]}"}
	}
	for i, n := range list.Items {
		if name, ok := n.Get("name").Str(); !ok || name == "" {
			return nil, &Error{File: file, Line: bytes.Count(text[:min(len(text), n.Offset)], []byte("\n")) + 1, What: fmt.Sprintf("tool %d has no name", i+1), Mend: "each is an object with `name`, `description` and `inputSchema`"}
		}
		s.Tools = append(s.Tools, tooling(n))
	}
	if top.Is(rawjson.Array) {
		return s, nil
	}
	text1 := func(key string) string { v, _ := top.Get(key).Str(); return v }
	s.ServerName, s.Transport, s.URL, s.Protocol, s.Instructions, s.Credentials = text1("server_name"), text1("transport"), text1("url"), text1("protocol"), text1("instructions"), text1("credentials")
	s.Greeted, s.More = top.Has("instructions"), text1("nextCursor") != ""
	s.Revisions, s.Capabilities = texted(top.Get("revisions")), top.Get("capabilities")
	if grants := top.Get("grant_types_supported"); grants != nil {
		s.Grants = append([]string{}, texted(grants)...)
	}
	s.Circles, _ = top.Get("circles").Bool()
	s.NamesOnly, _ = top.Get("names_only").Bool()
	s.Pages = figure(top.Get("pages"))
	for _, n := range items(top.Get("answers")) {
		a := Answer{Result: n.Get("result"), Items: figure(n.Get("items")), Flight: figure(n.Get("in_flight")),
			FirstByte: time.Duration(figure(n.Get("first_byte_ms"))) * time.Millisecond, Took: time.Duration(figure(n.Get("took_ms"))) * time.Millisecond}
		a.Batch = a.Items > 1
		a.Tool, _ = n.Get("tool").Str()
		s.Answers = append(s.Answers, a)
	}
	for _, n := range items(top.Get("exchanges")) {
		e := Exchange{Status: figure(n.Get("status")), Bytes: figure(n.Get("bytes"))}
		e.Method, _ = n.Get("method").Str()
		e.Accept, _ = n.Get("accept").Str()
		e.Media, _ = n.Get("media").Str()
		e.Event, _ = n.Get("event").Str()
		e.RetryAfter, _ = n.Get("retry_after").Bool()
		s.Exchanges = append(s.Exchanges, e)
	}
	return s, nil
}

func figure(n *rawjson.Node) int {
	text, _ := n.Literal()
	var v int
	if _, err := fmt.Sscanf(text, "%d", &v); err != nil {
		return 0
	}
	return v
}
