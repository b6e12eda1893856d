package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
)

// Means says through what the state is read or put back: exactly one of a tool
// of the server, an HTTP request and a command.
type Means struct {
	Tool      string
	Arguments json.RawMessage // sent with every call of the tool, a JSON object; nil: none
	HTTP      *HTTPRequest
	// Command is a program and its arguments, no shell. Ids go in as a JSON list on
	// standard input.
	Command []string

	File         string // where it stands
	Line, Column int
}

// HTTPRequest is a request that is no call of the server's tools.
type HTTPRequest struct {
	Method string
	// URL is whole, or begins with / and then is on the host of the server that the
	// run is on. {ids} in it stands for the ids, percent-encoded, with commas.
	URL     string
	Headers []conform.HeaderField
	// Body is JSON, or any text where the file has a text; {ids} in it stands for
	// the JSON list of ids. Nil: none.
	Body []byte

	used []Secret // variables in headers
}

// Whose names the means for a person: "the tool get_products", "GET
// http://127.0.0.1:8080/state", "the command ./probe.sh". Of a URL neither query
// nor user are told.
func (m *Means) Whose() string {
	switch {
	case m.HTTP != nil:
		where, _, _ := strings.Cut(m.HTTP.URL, "?")
		return m.HTTP.Method + " " + where
	case len(m.Command) > 0:
		return "the command " + m.Command[0]
	}
	return "the tool " + m.Tool
}

// Key is equal for means that do the same.
func (m *Means) Key() string {
	switch {
	case m.HTTP != nil:
		return m.HTTP.Method + " " + m.HTTP.URL + " " + string(m.HTTP.Body)
	case len(m.Command) > 0:
		return "command " + strings.Join(m.Command, "\x00")
	}
	return "tool " + m.Tool + " " + string(m.Arguments)
}

// mostURL bounds a URL with ids, in bytes: servers exist that take no more than
// 8,192 for the whole head.
const mostURL = 6000

// Marks in a URL or a body: of the ids of several items, or of whole items; the
// last two have a request made for each item.
const (
	markIDs   = "{ids}"
	markItems = "{items}"
	markID    = "{id}"
	markItem  = "{item}"
)

// unmarked writes plain letters in the place of marks, to look at the rest.
var unmarked = strings.NewReplacer(markIDs, "x", markItems, "x", markID, "x", markItem, "x")

// Ask gives the requests that ask for these ids, each a JSON value, with which
// of them each asks for: several where one URL would become too long. A request
// that says nothing of ids is one. base is the URL of the server under test.
func (q *HTTPRequest) Ask(base string, ids []json.RawMessage) ([]Asking, error) {
	return q.ask(base, ids, nil)
}

// ask is Ask where a body may also have the items that the ids are of.
func (q *HTTPRequest) ask(base string, ids, items []json.RawMessage) ([]Asking, error) {
	at, err := q.resolve(base)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(at, markIDs) {
		return []Asking{{URL: at, Body: q.body(ids, items), From: 0, To: len(ids)}}, nil
	}
	var all []Asking
	for from := 0; from < len(ids) || from == 0; {
		to, text := from, ""
		for to < len(ids) {
			next := url.QueryEscape(plainText(ids[to]))
			if to > from {
				next = text + "," + next
			}
			if to > from && len(at)+len(next) > mostURL {
				break
			}
			text = next
			to++
		}
		some := items
		if items != nil {
			some = items[from:to]
		}
		all = append(all, Asking{URL: strings.ReplaceAll(at, markIDs, text), Body: q.body(ids[from:to], some), From: from, To: to})
		if to == from {
			break
		}
		from = to
	}
	return all, nil
}

// Asking is one request, for the ids from From to To-1.
type Asking struct {
	URL      string
	Body     []byte
	From, To int
}

// JSONList writes JSON values as a list.
func JSONList(values []json.RawMessage) []byte {
	out := []byte{'['}
	for i, value := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, value...)
	}
	return append(out, ']')
}

// plainText is an id as a URL has it: a text without its quotes.
func plainText(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return text
	}
	return string(id)
}

func (q *HTTPRequest) body(ids, items []json.RawMessage) []byte {
	if q.Body == nil {
		return nil
	}
	body := q.Body
	for _, m := range []struct {
		mark string
		list []byte
	}{{markIDs, JSONList(ids)}, {markItems, JSONList(items)}} {
		body = bytes.ReplaceAll(body, []byte(`"`+m.mark+`"`), m.list)
		body = bytes.ReplaceAll(body, []byte(m.mark), m.list)
	}
	return body
}

// resolve gives the whole URL. The mark is kept as it is.
func (q *HTTPRequest) resolve(base string) (string, error) {
	if !strings.HasPrefix(q.URL, "/") {
		return q.URL, nil
	}
	at, err := address.Parse(base)
	if err != nil {
		return "", fmt.Errorf("%s is on the server's host, and the server is started by a command: write the whole URL", printable(q.URL))
	}
	if at.Socket != "" {
		return at.Host() + ":" + q.URL, nil
	}
	return at.URL.Scheme + "://" + at.URL.Host + q.URL, nil
}

// MaySend tells whether a request may go out, and else why not. To read (GET,
// HEAD) needs no consent; everything else needs the same as writes on the host.
// A URL on the host of the file's own server is not asked while the run is on
// another one: it would show, or put back, the state of the wrong place. And
// credentials for a URL that begins with / go to a host with consent only.
func (f *File) MaySend(q *HTTPRequest) (may bool, reason string) {
	at, err := q.resolve(f.Server.URL)
	if err != nil {
		return false, err.Error()
	}
	host, here := hostOf(unmarked.Replace(at)), HostName(f.Host())
	if f.home != "" && host == f.home && here != f.home {
		return false, fmt.Sprintf("%s is on the host of the file's own server, and the run is on another: write a URL that begins with /", printable(f.home))
	}
	reads := q.Method == "GET" || q.Method == "HEAD"
	if reads && (len(q.Headers) == 0 || !strings.HasPrefix(q.URL, "/")) {
		return true, ""
	}
	return f.MayWrite(host)
}

// Commands gives the means that are commands, each with its place in the file.
func (f *File) Commands() []*Means {
	var all []*Means
	for _, m := range f.means() {
		if len(m.Command) > 0 {
			all = append(all, m)
		}
	}
	return all
}

// means gives all eyes and hands of the file.
func (f *File) means() []*Means {
	var all []*Means
	for _, o := range f.Operations {
		if o.Probe != nil {
			all = append(all, &o.Probe.Means)
		}
		if o.Reset != nil {
			all = append(all, &o.Reset.Means)
		}
		if o.Undo != nil {
			all = append(all, &o.Undo.Means)
		}
		if o.Setup != nil {
			all = append(all, &o.Setup.Means)
			if o.Setup.Undo != nil {
				all = append(all, &o.Setup.Undo.Means)
			}
		}
	}
	return all
}

// EyesHeaders gives the header names of all requests that are no calls of tools:
// their values are secret.
func (f *File) EyesHeaders() []string {
	var names []string
	for _, m := range f.means() {
		if m.HTTP != nil {
			for _, h := range m.HTTP.Headers {
				names = append(names, h.Name)
			}
		}
	}
	return names
}

// request reads `http`.
func (r *reader) request(m *Means, n *node, method string) {
	q := &HTTPRequest{Method: method}
	r.object("http", n, fields{
		"method": func(name string, n *node) { q.Method = r.oneOf(name, n, "GET", "POST", "PUT", "PATCH", "DELETE") },
		"url": func(name string, n *node) {
			before := len(r.errs)
			q.URL = r.word(name, n)
			if len(r.errs) > before || strings.HasPrefix(q.URL, "/") && !strings.HasPrefix(q.URL, "//") {
				return
			}
			at, err := url.Parse(unmarked.Replace(q.URL))
			if wrong, mend := badURL(unmarked.Replace(q.URL)); wrong != "" {
				r.fail(n, "`url` "+wrong, mend+`, or like "/state?ids={ids}" on the server's own host`)
			} else if address.IsSocket(q.URL) {
				r.fail(n, "`url` is behind a unix socket", `write one that begins with /, like "/state?ids={ids}": it goes to the server's own socket`)
			} else if err == nil && at.User != nil {
				r.fail(n, "`url` holds a user or password", `give them in headers: {Authorization: "Basic ${CREDENTIALS}"}`)
			} else if strings.Contains(at.Host, "{") {
				r.fail(n, "`url` has a { in its host", "write {ids} in the path or the query")
			}
		},
		"headers": func(name string, n *node) {
			var s Server
			r.headers(&s, n)
			q.Headers, q.used = s.Headers, s.used
		},
		"body": func(name string, n *node) {
			if n.kind == quoted {
				q.Body = []byte(r.text(name, n))
				return
			}
			q.Body = r.data(n)
		},
	}, nil)
	r.need(n, "http", "url", `write url: "/state?ids={ids}", or a whole URL`)
	if n.get("body") != nil && q.Method == "GET" {
		r.fail(n.get("body"), "`body` does not go with GET", "add `method: POST`")
	}
	m.HTTP = q
}

// program reads `command`.
func (r *reader) program(m *Means, n *node) {
	if n.kind != list || len(n.items) == 0 {
		r.fail(n, fmt.Sprintf("`command` is %s, and must be a list of the program and its arguments", n.is()), "write [./probe.sh]; no shell reads it")
		return
	}
	m.Command, m.File, m.Line, m.Column = r.commandWords(n), n.file, n.line, n.column
	if r.folder != "" && strings.ContainsAny(m.Command[0], `/\`) && !filepath.IsAbs(m.Command[0]) {
		m.Command[0] = filepath.Join(r.folder, m.Command[0])
		if !filepath.IsAbs(m.Command[0]) {
			m.Command[0] = "." + string(filepath.Separator) + m.Command[0] // else it would be looked for in PATH
		}
	}
}

// oneMeans asks for exactly one of tool, http and command.
func (r *reader) oneMeans(n *node, name string) {
	var given []string
	for _, key := range []string{"tool", "http", "command"} {
		if n.get(key) != nil {
			given = append(given, key)
		}
	}
	switch {
	case len(given) == 0:
		r.fail(n, fmt.Sprintf("`%s` has no `tool`", name), "name the tool, give `http` or `command`, or write none")
	case len(given) > 1:
		r.fail(n.get(given[1]), fmt.Sprintf("`%s` has a `%s` and a `%s`", name, given[0], given[1]), "keep one of them")
	}
	if n.get("tool") == nil && len(given) > 0 {
		for _, key := range []string{"argument", "arguments"} {
			if at := n.get(key); at != nil {
				r.fail(at, fmt.Sprintf("`%s` goes with `tool`", key), "leave it out: {ids} in the url or body, or standard input, tell the ids")
			}
		}
	}
}
