package multiitem

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// status is the HTTP status of the last answer; 0 on other channels, which have
// none, or where no response head came.
func (v *sight) status() int {
	in := v.Last()
	if in == nil {
		return 0
	}
	return in.Status
}

// gatewayPage tells whether an intermediary answered in the server's place:
// status 502 or 504, or a page for a browser.
func (v *sight) gatewayPage() bool {
	s := v.status()
	if s == 0 || v.Response != nil {
		return false
	}
	return conform.FromIntermediary(s, conform.MediaType(v.Last().Header))
}

// ownHTTPError tells whether the server itself refused the call by an HTTP
// status, without a JSON-RPC message.
func (v *sight) ownHTTPError() bool {
	s := v.status()
	return s >= 300 && v.Response == nil && !v.gatewayPage() && v.redirected() == ""
}

// redirected says where the server redirected the call, where that was not followed;
// empty: it did not. A redirect is no answer of the tool's.
func (v *sight) redirected() string {
	in := v.Last()
	if in == nil || v.Response != nil || in.Status/100 != 3 {
		return ""
	}
	to := conform.Field(in.Header, "Location")
	if to == "" {
		return ""
	}
	return fmt.Sprintf("the call was redirected (HTTP %d) to %s, and not sent on", in.Status, rawjson.Cut(to, 120))
}

// beyond gives the look of a call whose answer says nothing of the contract: it
// was lost, the credentials were refused, an intermediary answered, the server
// was busy, or the tool wants something else first. Nil: the answer can be
// judged (a refusal is an answer).
func (v *sight) beyond(s *conform.Subject) *conform.Look {
	if key, why := v.defers(s.Recording); key != "" {
		return some(v.keyless(key, why))
	}
	switch status := v.status(); {
	case v.Planned.Cancels && !v.HasRows():
		return some(v.cannot("the run cancelled the call, and what it was answered with has no rows"))
	case status == 401 || status == 403:
		look := v.cannot("the server refused the credentials (HTTP %d)", status)
		look.Hint = "give credentials with --header or --token-env, or under `server.headers` in the target file"
		return &look
	case v.lost() != "":
		return some(v.unheard())
	case v.redirected() != "":
		look := v.unclear("%s", v.redirected())
		look.Hint = "give the address that answers calls itself, with --url or as `server.url` in the target file; no write is sent to a place that nobody named"
		return &look
	case (status == 429 || status == 503) && v.Response == nil:
		return some(v.unclear("the server was busy (HTTP %d)", status))
	case v.gatewayPage():
		return some(v.unclear("an intermediary answered in the server's place (HTTP %d, %s)", status, conform.MediaType(v.Last().Header)))
	case v.Response == nil && v.Answer == nil && !v.ownHTTPError():
		return some(v.cannot("no JSON-RPC response answers the call (see PRO-04)"))
	case v.Response != nil && v.Response.Error == nil && v.Answer == nil:
		return some(v.cannot("the response has neither result nor error (see PRO-05)"))
	}
	if !v.HasRows() && s.Recording.Listed && s.Recording.Tool(v.Planned.Tool) == nil && v.refusal() != "" {
		look := v.cannot("the server does not list a tool named %q", v.Planned.Tool)
		look.Hint = "correct the tool's name in the target file (`operations." + v.Op.Name + "`)"
		return &look
	}
	return nil
}

// refusal says how the server refused the whole call, where it gave no rows;
// empty if it did not refuse.
func (v *sight) refusal() string {
	switch {
	case v.HasRows() && len(v.Answer.Rows) > 0:
		return ""
	case v.Response != nil && v.Response.Error != nil:
		code := v.Response.Error.Get("code").Excerpt(20)
		message, _ := v.Response.Error.Get("message").Str()
		return fmt.Sprintf("JSON-RPC error %s %q", code, rawjson.Cut(message, 120))
	case v.ownHTTPError():
		return fmt.Sprintf("HTTP status %d", v.status())
	case v.Answer == nil:
		return ""
	case v.Answer.IsError:
		return fmt.Sprintf("isError with %q", rawjson.Cut(v.said(), 120))
	}
	if yes, ok := v.Answer.OK.Bool(); ok && !yes {
		return "`ok: false`"
	}
	return ""
}

// raised tells whether the refusal came as a JSON-RPC error or an HTTP status.
func (v *sight) raised() bool {
	return v.Response != nil && v.Response.Error != nil || v.ownHTTPError()
}

// said is what a person reads of the answer: its text blocks, else its bytes.
func (v *sight) said() string {
	if v.Answer == nil {
		return ""
	}
	var parts []string
	for _, t := range v.Answer.Texts {
		s, _ := t.Node.Str()
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return v.Answer.Root.Excerpt(excerpt)
	}
	return strings.Join(parts, "\n")
}

var permission = regexp.MustCompile(`(?i)permission|forbidden|unauthori[sz]ed|not authori[sz]ed|unauthenticated|access (is )?denied|credential|\b(access|bearer|api)[ -]?(token|key)\b|\b(lacks?|missing|requires?) (the |a )?[\w-]+ (role|scope)\b|\blog ?in\b`)

// credentialsHint is the mend of a refusal that looks like a permission problem.
func (v *sight) credentialsHint() string {
	if !permission.MatchString(v.show(nil).Excerpt + "\n" + v.said()) {
		return ""
	}
	return "the refusal reads like a permission problem: check the credentials and the role of the account first; with rows, tell it per item: {\"success\": false, \"error\": \"forbidden\"}"
}
