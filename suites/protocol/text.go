package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func textClean() conform.Check {
	return conform.Check{
		Requirement: conform.Requirement{
			ID: "PRO-14", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupProtocol,
			Title:  "Valid UTF-8, no member name twice",
			Text:   "Messages are valid UTF-8, and no object in them has two members of one name; a doubled flag, identity or results list breaks a MUST, any other name a SHOULD.",
			Impact: "Two clients read two different outcomes out of the same bytes: one shows success where the other shows failure.",
			Source: "MCP 2025-11-25, basic/transports; RFC 8259, sections 4 and 8.1",
			Needs:  response,
			Good:   `{"results":[{"id":"1","success":false}]}`,
			Bad:    `{"results":[{"id":"1","success":true,"success":false}]}`,
			Mend:   "Write JSON with a library, from one object, in UTF-8; do not join pieces of JSON text.",
			Since:  set,
		},
		PerServer: true,
		Applies:   notREST,
		Judge:     judgeText,
		Missing:   "no message was received",
	}
}

func judgeText(s *conform.Subject) []conform.Look {
	var looks []conform.Look
	for _, r := range receptions(s.Recording) {
		if !slices.ContainsFunc(r.messages, r.spoken) {
			continue
		}
		if f := unclean(s.Recording, r); f != nil {
			looks = append(looks, r.failed(*f))
		} else {
			looks = append(looks, r.passed())
		}
	}
	return looks
}

// unclean finds what is worst in a reception: bytes that are no UTF-8, a doubled
// name that changes an outcome, any other doubled name.
func unclean(rec *conform.Recording, r *reception) *fault {
	in := r.in.Received
	if at := rawjson.BadUTF8(in.Body); at >= 0 && in.End == conform.Complete {
		return &fault{
			want: "valid UTF-8", got: fmt.Sprintf("byte 0x%02X at offset %d is none", in.Body[at], at),
			text: in.Body[at:min(len(in.Body), at+excerpt)], offset: at,
		}
	}
	var lesser *fault
	for _, m := range r.messages {
		if !r.spoken(m) {
			continue
		}
		decides := deciding(rec, r, m)
		for _, d := range doubles(m) {
			f := &fault{want: "each member name once", got: "a second " + quoted(d.member.Name) + inside(d.base), message: m, node: d.member.Value}
			if d.base != "" {
				f.node = d.in // the bytes stand inside a text
			}
			if decides(d) {
				return f
			}
			if f.as = conform.Should; lesser == nil {
				lesser = f
			}
		}
	}
	return lesser
}

func inside(base string) string {
	if base == "" {
		return ""
	}
	return " in the JSON text at " + base
}

// double is a member whose name its object already had.
type double struct {
	member rawjson.Member
	base   string        // pointer of the text block it stands in; empty: in the message itself
	in     *rawjson.Node // that text
}

// doubles finds doubled names in a message, and in the text blocks of a tool
// result that are JSON themselves.
func doubles(m frame.Message) []double {
	var found []double
	for _, member := range m.Root.Doubled() {
		found = append(found, double{member: member})
	}
	content := m.Result.Get("content")
	if !content.Is(rawjson.Array) {
		return found
	}
	for _, block := range content.Items {
		node := block.Get("text")
		text, _ := node.Str()
		root, _ := rawjson.Parse([]byte(text)) // prose has no members
		for _, member := range root.Doubled() {
			found = append(found, double{member: member, base: node.Pointer(), in: node})
		}
	}
	return found
}

// deciding tells the doubled names that change what an answer says: in a tool's
// answer, results anywhere in the payload, and flag and identity of a row.
func deciding(rec *conform.Recording, r *reception, m frame.Message) func(double) bool {
	if r.call == nil || m.Result == nil {
		return func(double) bool { return false }
	}
	row := map[string]bool{"success": true, "ok": true, "index": true, "id": true, "name": true, "subject": true, "key": true}
	if op := rec.Operation(r.call.Planned.Operation); op != nil {
		for _, name := range op.Results.ID {
			row[name] = true
		}
		if !op.Results.Mapped() {
			for _, name := range op.Results.Success {
				row[name] = true
			}
		}
	}
	payload := m.Result.Pointer() + "/structuredContent/"
	return func(d double) bool {
		if d.base == "" && !strings.HasPrefix(d.member.Value.Pointer(), payload) {
			return false
		}
		return d.member.Name == "results" || row[d.member.Name] && inRow(d.member.Value.Pointer())
	}
}

// inRow tells a pointer to a member of an entry of a list named results.
func inRow(pointer string) bool {
	tokens := strings.Split(pointer, "/")
	n := len(tokens)
	if n < 4 || tokens[n-3] != "results" {
		return false
	}
	_, err := strconv.Atoi(tokens[n-2])
	return err == nil
}
