package runner

import (
	"bytes"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// A run keeps everything it receives until it is judged. Each answer is bounded
// on the wire, but there are many: without a bound on all of them together, a
// server that answers every call with the most that one answer may hold would
// take all our memory and disk.
const (
	// mostBytes bounds what is received and sent, all calls together. Written to a
	// transcript it takes six times as much at worst, which judge still reads.
	mostBytes = 128 << 20
	// mostWeight bounds what reading it costs: a parsed value takes many times the
	// bytes of its text.
	mostWeight = 1 << 30
	// valueWeight is what a parsed value takes, in bytes.
	valueWeight = 128
	// observationWeight is what an observation takes besides its bytes.
	observationWeight = 512
	// smallBody is up to which size a body is kept when the room is used up, so
	// that the last words of the run (a reset, the end of a child) stay readable.
	smallBody = 16 << 10
)

// room is what is left for what a server sends, and has us send: cursors, states and
// what a validator resolved go back to it.
type room struct{ bytes, weight int }

// give counts what is planned and sent.
func (r *room) give(o *conform.Observation) {
	n := 0
	if o.Planned != nil {
		n += len(o.Planned.Arguments)
	}
	if o.Sent != nil {
		n += len(o.Sent.Body)
	}
	r.bytes += n
	r.weight += n
}

// take takes a reception in. What no longer fits loses its body, and says so.
func (r *room) take(in *conform.Received) *conform.Received {
	if r.full() && len(in.Body) > smallBody {
		cut := *in
		cut.Body, cut.Coded, cut.End = nil, nil, conform.TooLarge
		cut.Problem = fmt.Sprintf("%d bytes that were not kept: %s", len(in.Body), noRoom)
		return &cut
	}
	r.bytes += len(in.Body) + len(in.Coded)
	r.weight += observationWeight + len(in.Body) + len(in.Coded)
	for _, f := range in.Header {
		r.bytes += len(f.Name) + len(f.Value)
		r.weight += 64 + len(f.Name) + len(f.Value)
	}
	for _, mark := range []string{",", "[", "{"} {
		r.weight += valueWeight * bytes.Count(in.Body, []byte(mark))
	}
	return in
}

func (r *room) full() bool { return r.bytes > mostBytes || r.weight > mostWeight }

// noRoom is the cause of a run that was stopped for it.
const noRoom = "the server's answers fill the room that one run has for what it sends and receives (128 MiB, or less in very many small values)"
