package load

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Traces is a way over HTTP on which every call has a trace of its own: a traceparent
// (https://www.w3.org/TR/trace-context) whose ids follow from the run's seed and the
// call's id, so that a call that a report names is found among the server's traces. It
// has one length, and is patched in place as the id is.
type Traces struct {
	Way
	Seed uint64
}

const (
	traceField = "traceparent"
	traceAt    = len("00-")
	spanAt     = traceAt + 2*16 + 1
	spanEnd    = spanAt + 2*8
)

// Request makes a request with a traceparent, in the place of any that the fields have.
func (w Traces) Request(fields []conform.HeaderField, message []byte) lean.Request {
	value := []byte("00-00000000000000000000000000000000-0000000000000000-01") // sampled
	putTrace(value, w.Seed, 0)
	fields = slices.DeleteFunc(slices.Clone(fields), func(f conform.HeaderField) bool { return strings.EqualFold(f.Name, traceField) })
	r := w.Way.Request(append(fields, conform.HeaderField{Name: traceField, Value: string(value)}), message)
	if at := bytes.Index(r.Bytes[:r.Body], append([]byte("\r\n"+traceField+": "), value...)); at >= 0 {
		at += len("\r\n" + traceField + ": ")
		r.Trace = r.Bytes[at : at+len(value)]
	}
	return r
}

// TracePrefix is how the trace ids of all calls of a run begin.
func TracePrefix(seed uint64) string {
	return hex.EncodeToString(traceHalf(make([]byte, 0, 8), mixed(seed)))
}

// putTrace writes a call's ids into a traceparent. Neither is ever all zeros, which the
// standard forbids.
func putTrace(value []byte, seed, id uint64) {
	var ids [24]byte
	run := mixed(seed)
	call := mixed(run ^ id)
	b := traceHalf(ids[:0], run)
	b = traceHalf(b, call)
	traceHalf(b, mixed(call))
	hex.Encode(value[traceAt:spanAt-1], ids[:16])
	hex.Encode(value[spanAt:spanEnd], ids[16:])
}

func traceHalf(b []byte, v uint64) []byte {
	v = max(v, 1)
	return append(b, byte(v>>56), byte(v>>48), byte(v>>40), byte(v>>32), byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// mixed spreads a number over all bits, and gives two numbers never the same
// (SplitMix64).
func mixed(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// trace is the id of the trace of the call that was made last; empty: it has none.
func (t *Template) trace() string {
	if t.request.Trace == nil {
		return ""
	}
	return string(t.request.Trace[traceAt : spanAt-1])
}

// fields are the header fields of the call that was made last.
func (t *Template) fields() []conform.HeaderField {
	if t.request.Trace == nil {
		return t.request.Fields
	}
	own := slices.Clone(t.request.Fields)
	for i := range own {
		if own[i].Name == traceField {
			own[i].Value = string(t.request.Trace)
		}
	}
	return own
}
