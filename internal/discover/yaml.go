package discover

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// simple matches what YAML takes for a text without quotes, and for nothing else.
var simple = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// Word writes a text as YAML; what might be read as something else stands in
// quotes. A target file reads the environment where it sees ${NAME}: what a server
// wrote never does, since the dollar is doubled.
func Word(text string) string {
	switch strings.ToLower(text) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n", "none":
	default:
		if simple.MatchString(text) {
			return text
		}
	}
	return quoted(text)
}

// quoted writes a text in double quotes, with an escape for all that a terminal or
// a reader of YAML might obey.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ReplaceAll(text, "${", "$${") {
		switch {
		case r == '"', r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == ' ' || unicode.IsPrint(r) && r != utf8.RuneError:
			b.WriteRune(r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comment gives a foreign text as it may stand in a comment: on one line, nothing in
// it that ends the line or that a terminal would obey, and not for ever.
func comment(text string, most int) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t', r == '\u0085', r == '\u2028', r == '\u2029':
			return ' '
		case !unicode.IsPrint(r), r == utf8.RuneError:
			return '\uFFFD'
		}
		return r
	}, text)
	return rawjson.Cut(strings.Join(strings.Fields(clean), " "), most)
}

// sayable tells whether a target file can have a text as a name or a value of its
// own: it says something, and is no placeholder.
func sayable(text string) bool {
	return strings.TrimSpace(text) != "" && text != conform.Placeholder && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// Bounds on a value of the server's that is written down.
const (
	deepestValue = 12
	mostValue    = 8 << 10 // bytes
)

// value writes a JSON value as YAML in one line; ok tells whether the target file's
// reader takes it.
func value(n *rawjson.Node) (text string, ok bool) {
	var b strings.Builder
	if n == nil || len(n.Raw) > mostValue || !write(&b, n, 0) {
		return "", false
	}
	return b.String(), true
}

func write(b *strings.Builder, n *rawjson.Node, deep int) bool {
	if deep > deepestValue {
		return false
	}
	switch n.Kind {
	case rawjson.String:
		text, ok := n.Str()
		if !ok || text != "" && strings.TrimSpace(text) != "" && !sayable(text) || strings.ContainsRune(text, 0) {
			return false
		}
		b.WriteString(quoted(text))
	case rawjson.Number:
		literal, _ := n.Literal()
		b.WriteString(literal)
	case rawjson.Bool, rawjson.Null:
		b.Write(n.Raw)
	case rawjson.Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			if !write(b, item, deep+1) {
				return false
			}
		}
		b.WriteByte(']')
	case rawjson.Object:
		b.WriteByte('{')
		seen := map[string]bool{}
		for i, m := range n.Members {
			if seen[m.Name] || !sayable(m.Name) || strings.Contains(m.Name, "${") {
				return false
			}
			seen[m.Name] = true
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quoted(m.Name) + ": ")
			if !write(b, m.Value, deep+1) {
				return false
			}
		}
		b.WriteByte('}')
	default:
		return false
	}
	return true
}

// OperationName makes a name that a target file takes for an operation, and that is
// not taken.
func OperationName(tool string, taken map[string]bool) string {
	name := strings.Trim(unnameable.ReplaceAllString(tool, "-"), "-.")
	name = strings.TrimRight(name[:min(len(name), 60)], "-.")
	switch {
	case name == "":
		name = "operation"
	case strings.HasPrefix(name, "x-"): // keys that begin so are nobody's
		name = "tool-" + name[:min(len(name), 55)]
	}
	for n, plain := 2, name; taken[name]; n++ {
		name = fmt.Sprintf("%s-%d", plain, n)
	}
	return name
}

var unnameable = regexp.MustCompile(`[^A-Za-z0-9.-]+`)
