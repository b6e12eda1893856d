package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// front stands before the good fake backend and breaks one rule in every response,
// those of the handshake and of tools/list too. The faults of the fake backend show
// in calls of its own tools, of which the suite makes none; here both sides see the
// same.
type front struct {
	name, sentence string
	breaks         string
	// message changes a response, to the byte; event changes the whole event.
	message func(text []byte) []byte
	event   func(text []byte) []byte
	// ignored says that the official client of the revisions with a handshake takes
	// no such message, and waits.
	ignored bool
}

var (
	beginning = regexp.MustCompile(`^\{"jsonrpc":"2\.0","id":(\d+),`)
	version   = []byte(`"jsonrpc":"2.0"`)
)

func allFronts() []front {
	id := func(text string) func([]byte) []byte {
		return func(m []byte) []byte { return beginning.ReplaceAll(m, []byte(`{"jsonrpc":"2.0","id":`+text+`,`)) }
	}
	return []front{
		{name: "version-1", sentence: `jsonrpc is "1.0" in every response.`, breaks: "PRO-07", ignored: true,
			message: func(m []byte) []byte { return bytes.Replace(m, version, []byte(`"jsonrpc":"1.0"`), 1) }},
		{name: "no-version", sentence: "jsonrpc is missing in every response.", breaks: "PRO-07", ignored: true,
			message: func(m []byte) []byte { return bytes.Replace(m, append(bytes.Clone(version), ','), nil, 1) }},
		{name: "result-and-error", sentence: "Every response has a result and an error.", breaks: "PRO-05", ignored: true,
			message: func(m []byte) []byte {
				return bytes.Replace(m, []byte(`,"result":`), []byte(`,"error":{"code":-32000,"message":"with remarks"},"result":`), 1)
			}},
		{name: "neither", sentence: "Every response has another member where result was.", breaks: "PRO-05", ignored: true,
			message: func(m []byte) []byte { return bytes.Replace(m, []byte(`,"result":`), []byte(`,"outcome":`), 1) }},
		{name: "id-as-text", sentence: "Every response carries the request's number as a text.", breaks: "PRO-06", message: id(`"$1"`)},
		{name: "strangers-id", sentence: "Every response carries an id that was never sent.", breaks: "PRO-06", ignored: true, message: id(`99$1`)},
		{name: "answers-twice", sentence: "Every response comes twice.", breaks: "PRO-04",
			event: func(e []byte) []byte { return append(bytes.Clone(e), e...) }},
		{name: "unfinished-event", sentence: "No event is ended by a blank line.", breaks: "PRO-11", ignored: true,
			event: func(e []byte) []byte { return append(bytes.TrimRight(e, "\n"), '\n') }},
	}
}

// asking are the scenarios of the suite that are run against a front: those that ask
// for something. The official client takes no message that is broken, and waits.
var asking = map[string][]string{
	handshake: {"server-initialize", "ping", "tools-list", "server-sse-multiple-streams"},
	newest:    {"server-stateless", "tools-list", "server-sse-multiple-streams"},
}

// fronted tells whether a front breaks the rule.
func fronted(id string) bool {
	return slices.ContainsFunc(allFronts(), func(f front) bool { return f.breaks == id })
}

// fronts gives them as servers.
func fronts(revisions []string) []Server {
	var all []Server
	for _, f := range allFronts() {
		for _, revision := range revisions {
			s := Server{
				Name: "everywhere/" + f.name, Sentence: f.sentence, Revision: revision, Kind: Faulty, Breaks: f.breaks, fake: true,
				scenarios: asking[revision], start: f.start,
			}
			if f.ignored && revision == handshake {
				s.patience = 3 * time.Second // no scenario learns more by waiting longer
			}
			all = append(all, s)
		}
	}
	return all
}

func (f front) start(context.Context, *tools) (string, func(), error) {
	good, err := fakebackend.New(fakebackend.Options{})
	if err != nil {
		return "", nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listening for %s: %w", f.name, err)
	}
	web := &http.Server{Handler: f.before(good.Handler()), ReadHeaderTimeout: 30 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = web.Serve(listener) // ends when it is closed, below
	}()
	return "http://" + listener.Addr().String() + "/mcp", func() {
		_ = web.Close()
		<-done
	}, nil
}

func (f front) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || subscribes(r) {
			next.ServeHTTP(w, r)
			return
		}
		held := &held{header: http.Header{}, status: http.StatusOK}
		next.ServeHTTP(held, r)
		body := held.body.Bytes()
		if strings.HasPrefix(held.header.Get("Content-Type"), "text/event-stream") {
			body = f.stream(body)
		} else if f.message != nil {
			body = f.message(body)
		}
		for name, values := range held.header {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(held.status)
		_, _ = w.Write(body) // a client that is gone needs no answer
	})
}

// subscribes tells a request whose stream stays open; holding it back would hold
// back everything.
func subscribes(r *http.Request) bool {
	body, err := io.ReadAll(io.LimitReader(r.Body, fakebackend.MaxRequest))
	if err != nil {
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return bytes.Contains(body, []byte(`"subscriptions/listen"`))
}

// stream changes the responses among the events of a stream.
func (f front) stream(body []byte) []byte {
	var out []byte
	for _, event := range bytes.SplitAfter(body, []byte("\n\n")) {
		head, data, found := bytes.Cut(event, []byte("data: "))
		if !found || !beginning.Match(data) {
			out = append(out, event...)
			continue
		}
		if f.message != nil {
			data = f.message(data)
		}
		changed := append(append(bytes.Clone(head), "data: "...), data...)
		if f.event != nil {
			changed = f.event(changed)
		}
		out = append(out, changed...)
	}
	return out
}

// held is the reply to one POST, held back until it is whole.
type held struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (h *held) Header() http.Header         { return h.header }
func (h *held) WriteHeader(status int)      { h.status = status }
func (h *held) Write(b []byte) (int, error) { return h.body.Write(b) }
func (h *held) Flush()                      {}
