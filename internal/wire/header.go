package wire

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// The header fields of streamable HTTP.
const (
	fieldProtocol  = "Mcp-Protocol-Version"
	fieldSession   = "Mcp-Session-Id"
	fieldMethod    = "Mcp-Method"
	fieldName      = "Mcp-Name"
	fieldParameter = "Mcp-Param-"
)

// owned are the fields that the protocol or the framing gives a value: a
// configured field cannot take their place.
var owned = []string{"Content-Length", "Transfer-Encoding", fieldProtocol, fieldSession, fieldMethod, fieldName}

// checkHeader refuses fields that HTTP cannot carry. The message never holds the
// value: it may be a secret.
func checkHeader(header []conform.HeaderField) error {
	for _, f := range header {
		if f.Name == "" || strings.ContainsFunc(f.Name, func(r rune) bool { return !tokenRune(r) }) {
			return fmt.Errorf("header field name %q is no HTTP token", f.Name)
		}
		if strings.ContainsFunc(f.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return fmt.Errorf("the value of header field %s holds a control character", f.Name)
		}
		if slices.ContainsFunc(owned, func(name string) bool { return strings.EqualFold(name, f.Name) }) {
			return fmt.Errorf("header field %s is set by the protocol and cannot be given", f.Name)
		}
	}
	return nil
}

func tokenRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// merge puts configured fields over defaults of the same name, and sorts by
// name, which is the order in which net/http sends.
func merge(defaults, configured []conform.HeaderField) []conform.HeaderField {
	merged := slices.Clone(configured)
	for _, d := range defaults {
		if !slices.ContainsFunc(configured, func(f conform.HeaderField) bool { return strings.EqualFold(f.Name, d.Name) }) {
			merged = append(merged, d)
		}
	}
	slices.SortStableFunc(merged, func(a, b conform.HeaderField) int { return strings.Compare(a.Name, b.Name) })
	return merged
}

// fields lists a received header, sorted by name.
func fields(header http.Header) []conform.HeaderField {
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []conform.HeaderField
	for _, name := range names {
		for _, value := range header[name] {
			list = append(list, conform.HeaderField{Name: name, Value: value})
		}
	}
	return list
}

// headerValue writes a text as a header field's value: as it is where it is
// printable ASCII without blanks at its ends, else in base64 between markers,
// which plain text that looks like that is too (SEP-2243, value encoding).
func headerValue(text string) string {
	plain := strings.Trim(text, " \t") == text &&
		!strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r > 0x7e }) &&
		!(strings.HasPrefix(text, "=?base64?") && strings.HasSuffix(text, "?="))
	if plain {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// named gives what Mcp-Name carries for a method: the name, or the URI, in params.
func named(method string, params *rawjson.Node) (string, bool) {
	switch method {
	case "tools/call", "prompts/get":
		return params.Get("name").Str()
	case "resources/read":
		return params.Get("uri").Str()
	}
	return "", false
}

// binding says which argument of a tool travels in which header field as well.
type binding struct {
	path  []string
	field string
}

// bindings reads the x-mcp-header annotations of a tool's input schema, in the
// order of the schema.
func bindings(schema *rawjson.Node) []binding {
	var found []binding
	var walk func(properties *rawjson.Node, path []string)
	walk = func(properties *rawjson.Node, path []string) {
		if !properties.Is(rawjson.Object) {
			return
		}
		for _, m := range properties.Members {
			here := append(slices.Clone(path), m.Name)
			name, ok := m.Value.Get("x-mcp-header").Str()
			if ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool { return !tokenRune(r) }) {
				found = append(found, binding{here, fieldParameter + name})
			}
			walk(m.Value.Get("properties"), here)
		}
	}
	walk(schema.Get("properties"), nil)
	return found
}

// bound gives the Mcp-Param fields of one call's arguments. An argument that is
// absent, null or no string, integer or boolean has none.
func bound(list []binding, arguments *rawjson.Node) []conform.HeaderField {
	var header []conform.HeaderField
	for _, b := range list {
		if text, ok := primitive(arguments.At(b.path...)); ok {
			header = append(header, conform.HeaderField{Name: b.field, Value: headerValue(text)})
		}
	}
	return header
}

// maxExact is the largest integer that every JSON reader reads exactly.
const maxExact = 1<<53 - 1

func primitive(n *rawjson.Node) (string, bool) {
	if text, ok := n.Str(); ok {
		return text, true
	}
	if yes, ok := n.Bool(); ok {
		return strconv.FormatBool(yes), true
	}
	literal, ok := n.Literal()
	if !ok {
		return "", false
	}
	number, err := strconv.ParseFloat(literal, 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) > maxExact {
		return "", false
	}
	return strconv.FormatInt(int64(number), 10), true
}

// withUserinfo turns the userinfo of a URL into the Authorization field that it
// stands for, unless one is configured.
func withUserinfo(header []conform.HeaderField, address *url.URL) []conform.HeaderField {
	if address.User == nil || conform.Field(header, "Authorization") != "" {
		return header
	}
	password, _ := address.User.Password()
	token := base64.StdEncoding.EncodeToString([]byte(address.User.Username() + ":" + password))
	return append(slices.Clone(header), conform.HeaderField{Name: "Authorization", Value: "Basic " + token})
}
