package target

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/theory/jsonpath"
)

// reader takes values out of a file's nodes and keeps every error it meets.
type reader struct {
	file         string
	folder       string // the file's; empty: not known
	getenv       func(string) (string, bool)
	errs         []*Error
	environments []string // that the file has
	moved        bool     // the chosen environment has an address of its own
	includes     int      // files included so far
	// here is set while values under `server` are read: only there the run's
	// own folder has a name.
	here       bool
	usesRunDir bool
	aims       []*node // where the objectives stand
	parts      []*node // where the parts of the workload stand
	// starts is set where `server` has a `start`: ${PORT} is a free port there.
	starts bool
	files  fs.FS // the target file's folder; nil: there is none
	port   string
	// used collects the variables of the text read last.
	used []Secret
	// shown are the variables in command lines.
	shown []shownVariable
}

func (r *reader) fail(n *node, what, mend string) {
	r.failAt(n.file, n.line, n.column, what, mend)
}

func (r *reader) failAt(file string, line, column int, what, mend string) {
	r.errs = append(r.errs, &Error{File: file, Line: line, Column: column, What: what, Mend: mend})
}

// fields are the keys of a mapping and what is done with their values.
type fields map[string]func(name string, value *node)

// later are keys that other versions will serve, and what this one does instead.
type later map[string]string

// object reads a mapping of known keys. Keys that begin with x- are free.
func (r *reader) object(name string, n *node, known fields, unserved later) {
	keys := "its keys are " + quoteAll(slices.Sorted(maps.Keys(known)))
	if n.kind != mapping {
		r.fail(n, fmt.Sprintf("`%s` is %s, and must be a mapping", name, n.is()), keys)
		return
	}
	for _, e := range n.entries {
		if strings.HasPrefix(e.key, "x-") {
			continue
		}
		if read, ok := known[e.key]; ok {
			read(e.key, e.value.orAt(e))
			continue
		}
		if instead, ok := unserved[e.key]; ok {
			r.failAt(e.file, e.line, e.column, fmt.Sprintf("`%s` is not served by this version yet (%s)", e.key, instead), "remove it")
			continue
		}
		mend := keys
		if near := nearest(e.key, slices.Concat(slices.Collect(maps.Keys(known)), slices.Collect(maps.Keys(unserved)))); near != "" {
			mend = fmt.Sprintf("did you mean `%s`?", near)
		}
		where := ""
		if name != "" {
			where = fmt.Sprintf(" in `%s`", name)
		}
		r.failAt(e.file, e.line, e.column, fmt.Sprintf("unknown key `%s`%s", printable(e.key), where), mend)
	}
}

// need tells of a key that must be there.
func (r *reader) need(in *node, name, key, mend string) {
	if in.kind == mapping && in.get(key) == nil {
		r.fail(in, fmt.Sprintf("`%s` has no `%s`", name, key), mend)
	}
}

// text reads a scalar as a text, variables expanded.
func (r *reader) text(name string, n *node) string {
	r.used = nil
	switch n.kind {
	case plain, quoted:
		return r.expand(n)
	case nothing:
		r.fail(n, fmt.Sprintf("`%s` is empty", name), "write its value, or leave the key out")
	default:
		r.fail(n, fmt.Sprintf("`%s` is %s, and must be a text", name, n.is()), "write one text, in quotes if it holds `: ` or brackets")
	}
	return ""
}

// word reads a text that must say something.
func (r *reader) word(name string, n *node) string {
	before := len(r.errs)
	text := r.text(name, n)
	if strings.TrimSpace(text) == "" && len(r.errs) == before {
		r.fail(n, fmt.Sprintf("`%s` is empty", name), "write its value, or leave the key out")
	}
	return text
}

// oneOf reads one of a few words.
func (r *reader) oneOf(name string, n *node, words ...string) string {
	before := len(r.errs)
	text := r.text(name, n)
	if len(r.errs) > before || slices.Contains(words, text) {
		return text
	}
	mend := "write one of " + quoteAll(words)
	if near := nearest(text, words); near != "" {
		mend = fmt.Sprintf("did you mean `%s`?", near)
	}
	r.fail(n, fmt.Sprintf("`%s` is %q, which is none of its words", name, printable(text)), mend)
	return ""
}

// none tells whether a value is the word none: the thing is declared absent.
func none(n *node) bool { return n.kind == plain && n.text == "none" }

// yes reads a boolean.
func (r *reader) yes(name string, n *node) bool {
	if n.kind == plain || n.kind == quoted && strings.Contains(n.text, "${") {
		switch r.expand(n) {
		case "true":
			return true
		case "false":
			return false
		}
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be true or false", name, shown(n)), "write true or false, without quotes")
	return false
}

// shown names a wrong value: short scalars by themselves, the rest by sort.
func shown(n *node) string {
	if n.kind == plain || n.kind == quoted {
		return strconv.Quote(printable(n.text))
	}
	return n.is()
}

// whole reads a whole number from least to most.
func (r *reader) whole(name string, n *node, least, most int) int {
	if n.kind == plain || n.kind == quoted && strings.Contains(n.text, "${") {
		if v, err := strconv.Atoi(r.expand(n)); err == nil && v >= least && v <= most {
			return v
		}
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be a whole number from %d to %d", name, shown(n), least, most), "write the number, without quotes and separators")
	return least
}

// MaxWait bounds every duration of a target file.
const MaxWait = 24 * time.Hour

// wait reads a duration above zero.
func (r *reader) wait(name string, n *node) time.Duration {
	if n.kind == plain || n.kind == quoted {
		text := r.expand(n)
		d, err := time.ParseDuration(text)
		switch {
		case err == nil && d > 0 && d <= MaxWait:
			return d
		case err == nil:
			r.fail(n, fmt.Sprintf("`%s` is %s, and must be more than 0 and at most 24h", name, shown(n)), "write a time like 30s")
			return 0
		case isNumber(text):
			r.fail(n, fmt.Sprintf("`%s` is %s, which has no unit", name, shown(n)), fmt.Sprintf("write %ss for seconds, or %sms", text, text))
			return 0
		}
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be a time", name, shown(n)), "write it like 200ms, 30s or 2m")
	return 0
}

// words reads a list of texts; one text alone is a list of one.
func (r *reader) words(name string, n *node) []string {
	if n.kind == plain || n.kind == quoted {
		return []string{r.word(name, n)}
	}
	if n.kind != list {
		r.fail(n, fmt.Sprintf("`%s` is %s, and must be a list of texts", name, n.is()), "write [one, two]")
		return nil
	}
	var all []string
	var used []Secret
	for _, item := range n.items {
		all = append(all, r.word(name, item))
		used = append(used, r.used...)
	}
	r.used = used
	return all
}

// pattern reads a regular expression.
func (r *reader) pattern(name string, n *node) string {
	text := r.word(name, n)
	if _, err := regexp.Compile(text); err != nil {
		r.fail(n, fmt.Sprintf("`%s` is no regular expression: %s", name, printable(strings.TrimPrefix(err.Error(), "error parsing regexp: "))),
			"write it in RE2 syntax, in single quotes")
	}
	return text
}

// path reads an RFC 9535 JSONPath.
func (r *reader) path(name string, n *node) string {
	text := r.word(name, n)
	if text == "" {
		return ""
	}
	if _, err := jsonpath.Parse(text); err != nil {
		mend := `write it like "$.products[*]"`
		if !strings.HasPrefix(text, "$") {
			mend = "a JSONPath begins with `$`: " + mend
		}
		r.fail(n, fmt.Sprintf("`%s` is no JSONPath: %s", name, printable(strings.TrimPrefix(err.Error(), "jsonpath: "))), mend)
	}
	return text
}

// member reads a member's name, or a JSONPath from a row.
func (r *reader) member(name string, n *node) string {
	if (n.kind == plain || n.kind == quoted) && strings.HasPrefix(n.text, "$") && !strings.HasPrefix(n.text, "${") && !strings.HasPrefix(n.text, "$$") {
		return r.path(name, n)
	}
	return r.word(name, n)
}

// data converts a value to exact JSON: keys in the order of the file, numbers
// as written, scalars in quotes always strings.
func (r *reader) data(n *node) json.RawMessage {
	return json.RawMessage(r.appendData(nil, n))
}

func (r *reader) appendData(out []byte, n *node) []byte {
	switch n.kind {
	case nothing:
		return append(out, "null"...)
	case list:
		out = append(out, '[')
		for i, item := range n.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = r.appendData(out, item)
		}
		return append(out, ']')
	case mapping:
		out = append(out, '{')
		for i, e := range n.entries {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(appendString(out, e.key), ':')
			out = r.appendData(out, e.value)
		}
		return append(out, '}')
	case quoted:
		return appendString(out, r.expand(n))
	}
	switch {
	case n.text == "true", n.text == "false":
		return append(out, n.text...)
	case isNumber(n.text):
		return append(out, n.text...)
	case doubtful.MatchString(n.text):
		r.fail(n, fmt.Sprintf("%s may be a number or a text", strconv.Quote(printable(n.text))), "put it in quotes, or write a number as JSON has it")
		return append(out, "null"...)
	}
	return appendString(out, r.expand(n))
}

// doubtful are scalars without quotes that YAML readers take for numbers and
// JSON does not know: octal, hexadecimal, signs, separators, infinities.
var doubtful = regexp.MustCompile(`^(?:[-+]?(?:0[0-7_]+|0[xob][0-9a-fA-F_]+|[0-9][0-9_]*|\.[0-9]+|[0-9][0-9_]*\.[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)

// appendString writes a JSON string with no escape that RFC 8259 does not ask for.
func appendString(out []byte, text string) []byte {
	quoted, err := jsontext.AppendQuote(out, text)
	if err != nil { // invalid UTF-8, from an escape in a double-quoted scalar or the environment
		quoted, _ = jsontext.AppendQuote(out, strings.ToValidUTF8(text, "\uFFFD"))
	}
	return quoted
}

// mappingData reads a mapping as a JSON object.
func (r *reader) mappingData(name string, n *node) json.RawMessage {
	if n.kind != mapping {
		r.fail(n, fmt.Sprintf("`%s` is %s, and must be a mapping", name, n.is()), "write the arguments as {name: value}")
		return nil
	}
	return r.data(n)
}
