package load

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// posts is the way of HTTP/1.1.
type posts struct{}

func (posts) Request(fields []conform.HeaderField, message []byte) lean.Request {
	return lean.NewPost(&url.URL{Scheme: "http", Host: "127.0.0.1", Path: "/mcp"}, fields, message, false)
}

var lawfulTrace = regexp.MustCompile(`^00-[0-9a-f]{32}-[0-9a-f]{16}-01$`)

// Every call has a trace of its own, that follows from the seed and the call's id and
// begins as the run's do; it is patched where it stands, without an allocation.
func TestEveryCallHasATraceOfItsOwn(t *testing.T) {
	given := []conform.HeaderField{{Name: "Accept", Value: "*/*"}, {Name: "Traceparent", Value: "00-another"}}
	made := func(seed uint64) *Template {
		r := Traces{posts{}, seed}.Request(given, []byte("{}"))
		if r.Trace == nil || !lawfulTrace.Match(r.Trace) || strings.Contains(string(r.Bytes), "another") || len(given) != 2 || given[1].Value != "00-another" {
			t.Fatalf("%q of %q", r.Trace, r.Bytes)
		}
		return &Template{request: r, id: make([]byte, idDigits), seed: seed}
	}
	traces, spans := map[string]bool{}, map[string]bool{}
	one := made(42)
	length := len(one.request.Bytes)
	for id := uint64(firstID); id < firstID+5000; id++ {
		one.setID(id)
		value := string(one.request.Trace)
		if !lawfulTrace.MatchString(value) || !strings.HasPrefix(one.trace(), TracePrefix(42)) || traces[one.trace()] || spans[value[spanAt:spanEnd]] {
			t.Fatalf("call %d: %q", id, value)
		}
		traces[one.trace()], spans[value[spanAt:spanEnd]] = true, true
	}
	if !bytes.Contains(one.request.Bytes[:one.request.Body], []byte("\r\ntraceparent: "+string(one.request.Trace)+"\r\n")) || len(one.request.Bytes) != length {
		t.Errorf("%q", one.request.Bytes)
	}
	if fields := one.fields(); conform.Field(fields, "traceparent") != string(one.request.Trace) || len(fields) != 2 {
		t.Errorf("%+v", fields)
	}
	again, other := made(42), made(43)
	again.setID(firstID + 4999)
	other.setID(firstID + 4999)
	if again.trace() != one.trace() || other.trace() == one.trace() || TracePrefix(42) == TracePrefix(43) {
		t.Errorf("%s, again %s, with another seed %s", one.trace(), again.trace(), other.trace())
	}
	if n := testing.AllocsPerRun(100, func() { one.setID(firstID) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Without a trace there is none to be named.
func TestACallWithoutATrace(t *testing.T) {
	for _, r := range []lean.Request{posts{}.Request(nil, []byte("{}")), Lines{}.Request(nil, []byte("{}"))} {
		one := &Template{request: r, id: make([]byte, idDigits)}
		one.setID(firstID)
		if one.trace() != "" || strings.Contains(string(r.Bytes), "traceparent") {
			t.Errorf("%q", r.Bytes)
		}
	}
}
