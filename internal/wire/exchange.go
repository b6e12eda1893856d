package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/address"
	"github.com/mcpconform/mcpconform/internal/frame"
)

// exchange is one message over HTTP, and all that comes back for it: one
// response, or several where a broken stream is taken up again.
type exchange struct {
	link   *httpLink
	out    outgoing
	waits  *patience
	cancel context.CancelFunc
	done   chan struct{} // closed when run has ended

	mu       sync.Mutex
	reply    Reply
	coming   *reception // being read; nil before the first and between two
	answered bool       // the response has come, or none is due
	givenUp  bool       // the caller has its reply: what comes now is late
	told     int        // bytes of the body that were recorded when it was given up
	messages int        // of all streams
	answers  int        // requests of the server that were answered
	asks     chan []byte
	asking   sync.WaitGroup

	authorization string // what it is sent with; empty: nothing, or what is configured
	renewed       bool   // the credentials were refused, and others were asked for

	stopAsking context.CancelFunc
}

// reception is one HTTP response while it is read.
type reception struct {
	status    int
	proto     string
	header    []conform.HeaderField
	body      []byte
	coded     []byte // the body as it came, where a content coding was undone
	onwards   bool   // it is a redirect that was followed
	connected atomic.Bool
	firstByte atomic.Int64
	whole     time.Duration // when the answer was complete; 0: it is when reading ends
}

// end is how a reception ended.
type end struct {
	end     conform.End
	problem string
	cause   error
}

// run sends the message, and takes a stream up again while that is lawful and
// useful: it broke off before the response, and had said where.
func (x *exchange) run(ctx context.Context) {
	defer close(x.done)
	verb := x.out.verb
	if verb == "" {
		verb = http.MethodPost
	}
	scan := &events{}
	header, body := x.out.header, x.out.body
	to, hops := x.link.url, 0
	for resumed := 0; ; resumed++ {
		in := &reception{}
		how := x.once(ctx, in, scan, to, verb, header, body)
		if in.status != 0 && x.readmitted(ctx, in, sameOrigin(x.link.url, to)) {
			how.problem = "the server refused the credentials (HTTP 401): sent again with new ones"
			in.onwards = true
			x.record(in, how)
			resumed--
			continue
		}
		if there, why := x.onwards(in, to, hops); how.end == conform.Complete && !x.isGivenUp() {
			if there != nil {
				how.problem = x.follow(in, to, there)
				in.onwards = true
				x.record(in, how)
				to, hops = there, hops+1
				resumed--
				continue
			}
			if why != "" {
				how.problem = why
			}
		}
		again := !x.out.stateless && !x.isOver() && scan.id != "" && resumed < x.link.bounds.MaxResumes &&
			in.status == http.StatusOK && isStream(in.header) && (how.end == conform.Complete || how.end == conform.Cut)
		if !again {
			x.finish(in, how)
			return
		}
		how.problem = fmt.Sprintf("the event stream ended before the answer to %s: taken up again after event id %q", x.out.what, scan.id)
		x.record(in, how)
		if !pause(ctx, scan.retry) {
			x.finish(&reception{}, end{end: conform.Stopped, problem: "the session was closed while the stream was taken up again"})
			return
		}
		verb, body, header = http.MethodGet, nil, resuming(x.out.header, scan.id)
		scan = &events{id: scan.id, given: scan.id, retry: scan.retry}
	}
}

// longestPause bounds what a server may ask for in a retry field.
const longestPause = 5 * time.Second

// pause waits as long as the server's retry field asks (200 ms if it does not).
func pause(ctx context.Context, retry string) bool {
	wait := 200 * time.Millisecond
	if ms, err := strconv.Atoi(retry); err == nil && ms >= 0 {
		wait = min(time.Duration(min(ms, 1<<20))*time.Millisecond, longestPause)
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// resuming is the header of the GET that takes a stream up again.
func resuming(header []conform.HeaderField, id string) []conform.HeaderField {
	kept := []conform.HeaderField{{Name: "Accept", Value: "text/event-stream"}, {Name: "Last-Event-Id", Value: id}}
	for _, f := range header {
		if f.Name == fieldProtocol || f.Name == fieldSession {
			kept = append(kept, f)
		}
	}
	return kept
}

// once makes one request and reads its response to the end.
func (x *exchange) once(ctx context.Context, in *reception, scan *events, to *url.URL, verb string, header []conform.HeaderField, body []byte) end {
	l := x.link
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	trace := &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { in.connected.Store(true) },
		GotFirstResponseByte: func() {
			in.firstByte.CompareAndSwap(0, int64(l.recorder.Now()))
		},
	}
	w := x.out.withdrawal
	if w != nil {
		trace.WroteRequest = func(info httptrace.WroteRequestInfo) {
			if info.Err == nil && w.closes() {
				x.giveUp(conform.Withdrawn, w.why())
			}
			w.wrote()
		}
	}
	header = l.fieldsFor(to, header, x.authorization)
	request := l.request(httptrace.WithClientTrace(ctx, trace), to, verb, header, body)
	x.mu.Lock()
	x.coming = in
	x.mu.Unlock()
	sent := l.sent(x.out.call, to, verb, header, body)
	x.mu.Lock()
	if x.reply.Sent == 0 {
		x.reply.Sent = sent
	}
	x.mu.Unlock()

	response, err := l.pool.transport.RoundTrip(request)
	if err != nil {
		return x.failed(ctx, in, err)
	}
	if w != nil {
		// net/http may have an answer before it says that the call is written, and what was
		// cancelled at once has none.
		select {
		case <-w.written:
		case <-ctx.Done():
		}
	}
	defer response.Body.Close()
	l.client.answered.Store(true)
	x.mu.Lock()
	in.status, in.proto, in.header = response.StatusCode, response.Proto, fields(response.Header)
	if conform.Field(in.header, fieldSession) != "" {
		l.giver.Store(to)
	}
	x.mu.Unlock()
	var content io.Reader = response.Body
	if name := coding(in.header); name == "gzip" || name == "x-gzip" {
		content = &unzipped{coded: content, keep: func(piece []byte) bool { return x.keep(in, piece) }}
	}
	if isStream(in.header) && response.StatusCode < 300 {
		return x.stream(ctx, stop, in, scan, content)
	}
	return x.read(ctx, in, content, func([]byte) error { return nil })
}

// follow keeps that a message is sent on, and words it.
func (x *exchange) follow(in *reception, from, to *url.URL) string {
	l := x.link
	r := Redirected{From: l.name(from), To: l.name(to), Status: in.status, Bare: !sameOrigin(l.url, to) && (len(l.header) > 0 || l.client.config.Credentials != nil)}
	l.client.sentOn(r, from, to)
	return fmt.Sprintf("redirected (%d) to %s: followed", r.Status, r.To)
}

// request builds the HTTP request. GetBody stays nil, so that net/http never
// sends a body twice.
func (l *httpLink) request(ctx context.Context, to *url.URL, verb string, header []conform.HeaderField, body []byte) *http.Request {
	r := (&http.Request{Method: verb, URL: to, Host: to.Host, Header: make(http.Header, len(header)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	for _, f := range header {
		if strings.EqualFold(f.Name, "Host") {
			r.Host = f.Value
			continue
		}
		r.Header[f.Name] = append(r.Header[f.Name], f.Value)
	}
	if body != nil {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	return r
}

// sent records a request that is about to go out, and gives its time.
func (l *httpLink) sent(call string, to *url.URL, verb string, header []conform.HeaderField, body []byte) time.Duration {
	at := l.recorder.Now()
	l.recorder.Record(conform.Observation{At: at, Kind: conform.KindSent, Call: call, Session: l.session, Sent: &conform.Sent{
		Channel: conform.ChannelHTTP, Method: verb, URL: l.name(to), Header: header, Body: body,
	}})
	return at
}

// name gives a URL that messages go to as it is shown.
func (l *httpLink) name(to *url.URL) string {
	if to == l.url {
		return l.shown
	}
	return conform.WithoutSecrets(address.Address{URL: to, Socket: l.client.at.Socket}.String())
}

// failed says what an error before the response head means.
func (x *exchange) failed(ctx context.Context, in *reception, err error) end {
	switch {
	case ctx.Err() != nil:
		return end{conform.Stopped, "the session was closed while waiting for " + x.out.awaited(), ctx.Err()}
	case x.link.client.distrust(err) != "":
		return end{conform.Refused, x.link.client.distrust(err), err}
	case !in.connected.Load():
		return end{conform.Refused, "no connection could be made to " + x.link.shown + ": " + err.Error(), err}
	case x.link.client.turnedAway() != "":
		return end{conform.Refused, x.link.client.turnedAway(), err}
	case strings.Contains(err.Error(), "response headers exceeded"), strings.Contains(err.Error(), "response header list larger"):
		return end{conform.TooLarge, fmt.Sprintf("the response head to %s is longer than our bound of %d bytes", x.out.what, x.link.bounds.MaxHeader), err}
	default:
		return end{conform.Cut, "the connection was lost while waiting for " + x.out.awaited() + ": " + err.Error(), err}
	}
}

// pieces are read buffers, shared because a load run reads many bodies.
var pieces = sync.Pool{New: func() any { b := make([]byte, 16<<10); return &b }}

// read reads a body to its end, handing on every piece.
func (x *exchange) read(ctx context.Context, in *reception, body io.Reader, each func([]byte) error) end {
	limit := x.link.bounds.MaxBody
	held := pieces.Get().(*[]byte)
	defer pieces.Put(held)
	buffer := *held
	for {
		n, err := body.Read(buffer)
		piece := buffer[:n]
		over := len(in.body)+n > limit
		if over {
			piece = piece[:limit-len(in.body)]
		}
		x.mu.Lock()
		in.body = append(in.body, piece...)
		x.mu.Unlock()
		if over {
			return end{end: conform.TooLarge, problem: fmt.Sprintf("the answer to %s is longer than our bound of %d bytes: read no further", x.out.what, limit)}
		}
		if stop := each(piece); stop != nil {
			return end{end: conform.TooLarge, problem: stop.Error()}
		}
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return end{end: conform.Complete}
		case errors.Is(err, errCoded):
			return end{end: conform.TooLarge, problem: fmt.Sprintf("the answer to %s is longer than our bound of %d bytes as it came, in gzip: read no further", x.out.what, limit)}
		case errors.Is(err, errCoding):
			return end{end: conform.Complete, problem: fmt.Sprintf("the answer to %s has the content coding gzip, and %v", x.out.what, err)}
		case ctx.Err() != nil:
			return end{conform.Stopped, "the session was closed while reading the answer to " + x.out.what, ctx.Err()}
		default:
			return end{conform.Cut, fmt.Sprintf("the connection was lost after %d bytes of the answer to %s: %v", len(in.body), x.out.what, err), err}
		}
	}
}

// keep keeps a piece of a coded body as it came, as long as there is room.
func (x *exchange) keep(in *reception, piece []byte) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(in.coded)+len(piece) > x.link.bounds.MaxBody {
		return false
	}
	in.coded = append(in.coded, piece...)
	return true
}

// stream reads an event stream until the server ends it, or for the grace after
// the response has come.
func (x *exchange) stream(ctx context.Context, stop context.CancelFunc, in *reception, scan *events, body io.Reader) end {
	defer x.answersDone()
	var grace *time.Timer
	var over atomic.Bool
	startGrace := func() {
		if grace == nil && x.isAnswered() {
			grace = time.AfterFunc(x.link.timeouts.StreamGrace, func() { over.Store(true); stop() })
		}
	}
	startGrace()
	how := x.read(ctx, in, body, func(piece []byte) error {
		for _, data := range scan.feed(piece) {
			if len(data) == 0 {
				continue
			}
			for _, m := range frame.ReadMessages(data) {
				if x.messages++; x.messages > x.link.bounds.MaxMessages {
					return fmt.Errorf("the event stream of %s holds more than our bound of %d messages: read no further", x.out.what, x.link.bounds.MaxMessages)
				}
				x.message(in, m)
			}
		}
		startGrace()
		return nil
	})
	if grace != nil {
		grace.Stop()
	}
	switch {
	case over.Load() && how.end == conform.Stopped:
		x.mu.Lock()
		in.coded = nil // it may hold more than was decoded
		x.mu.Unlock()
		return end{end: conform.Complete}
	case how.end == conform.Cut && x.isAnswered():
		// The response came whole; what was lost after it is told, not judged.
		return end{end: conform.Complete, problem: how.problem}
	default:
		return how
	}
}

// message looks at one message of a stream.
func (x *exchange) message(in *reception, m frame.Message) {
	switch m.Kind {
	case frame.Response:
		if frame.Key(m.ID) != x.out.key || x.out.key == "" {
			return
		}
		now := x.link.recorder.Now()
		x.mu.Lock()
		if !x.answered {
			x.answered, in.whole = true, now
			x.reply.answered(&m)
		}
		x.mu.Unlock()
	case frame.Request:
		x.answer(m)
	case frame.Notification:
		if progressOf(&m) == x.out.key && x.out.key != "" {
			x.waits.stir()
		}
	}
}

func (x *exchange) isAnswered() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.answered
}

// isOver tells whether nobody waits for the response any more.
func (x *exchange) isOver() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.answered || x.givenUp
}

func (x *exchange) isGivenUp() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.givenUp
}

// record writes a reception that does not settle the reply.
func (x *exchange) record(in *reception, how end) {
	x.mu.Lock()
	body, coded := in.body[:len(in.body):len(in.body)], in.coded[:len(in.coded):len(in.coded)]
	at := in.whole
	x.mu.Unlock()
	if at == 0 {
		at = x.link.recorder.Now()
	}
	x.link.received(x.out.call, at, in, body, coded, how)
}

func (l *httpLink) received(call string, at time.Duration, in *reception, body, coded []byte, how end) {
	if how.end != conform.Complete {
		coded = nil // it may hold more than the body, which nobody could look through
	}
	l.recorder.Record(conform.Observation{At: at, Kind: conform.KindReceived, Call: call, Session: l.session, Received: &conform.Received{
		Channel: conform.ChannelHTTP, Status: in.status, Proto: in.proto, Header: in.header, Body: body, Coded: coded, Onwards: in.onwards,
		FirstByte: time.Duration(in.firstByte.Load()), End: how.end, Problem: how.problem,
	}})
}

// finish records the last reception and settles the reply.
func (x *exchange) finish(in *reception, how end) {
	x.mu.Lock()
	late := x.givenUp
	x.coming = nil
	if late {
		news := x.told == 0 || len(in.body) > x.told // else the whole of it is recorded
		x.mu.Unlock()
		if in.status != 0 && how.end == conform.Complete && news {
			how.problem = "late: it came after the call was given up"
			x.record(in, how)
		}
		return
	}
	x.givenUp = true
	x.settle(in, how)
	at := x.reply.Done
	body, coded := in.body, in.coded
	x.mu.Unlock()
	x.link.received(x.out.call, at, in, body, coded, how)
}

// giveUp gives the caller its reply before the exchange has ended, and records
// what has come so far. If the answer has come meanwhile, it waits the little
// while until it is recorded.
func (x *exchange) giveUp(how conform.End, problem string) {
	x.mu.Lock()
	if x.givenUp || x.answered && x.out.key != "" {
		x.mu.Unlock()
		<-x.done
		return
	}
	x.givenUp = true
	in := x.coming
	if in == nil {
		in = &reception{}
	}
	// The reader may go on: a copy of the head, and a body it cannot reach.
	seen := &reception{status: in.status, proto: in.proto, header: in.header, body: in.body[:len(in.body):len(in.body)], coded: in.coded[:len(in.coded):len(in.coded)]}
	seen.firstByte.Store(in.firstByte.Load())
	told := end{end: how, problem: problem}
	if how == conform.TimedOut && in.status == 0 && x.coming != nil && !in.connected.Load() {
		told.problem += ": no connection to " + x.link.shown
	}
	x.settle(seen, told)
	x.told = len(seen.body)
	at := x.reply.Done
	x.mu.Unlock()
	x.link.received(x.out.call, at, seen, seen.body, seen.coded, told)
	if how != conform.Stopped && x.out.late > 0 {
		time.AfterFunc(x.out.late, x.cancel)
	} else {
		x.cancel()
	}
}

// settle fills in the reply. The caller holds the lock.
func (x *exchange) settle(in *reception, how end) {
	r := &x.reply
	r.End, r.Status, r.Problem, r.cause = how.end, in.status, how.problem, how.cause
	r.FirstByte, r.Done = time.Duration(in.firstByte.Load()), in.whole
	if r.Done == 0 {
		r.Done = x.link.recorder.Now()
	}
	r.SessionID = conform.Field(in.header, fieldSession)
	r.Media = conform.MediaType(in.header)
	r.RetryAfter, r.Date = conform.Field(in.header, "Retry-After"), conform.Field(in.header, "Date")
	if r.Response == nil && x.out.key != "" && r.Media == "application/json" {
		for _, m := range frame.ReadMessages(in.body) {
			if m.Kind == frame.Response && frame.Key(m.ID) == x.out.key {
				r.answered(&m)
				break
			}
		}
	}
	x.classify(in)
}

// classify says what the reply means to the caller.
func (x *exchange) classify(in *reception) {
	r := &x.reply
	switch {
	case r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden:
		r.Class = Unauthorized
	case r.Status == http.StatusProxyAuthRequired && x.link.proxy != nil:
		r.Class, r.Problem = Unreachable, proxyRefused(x.link.proxy, r.Status).Error()
	case r.Status == http.StatusNotFound && r.Response == nil && conform.Field(x.out.header, fieldSession) != "":
		r.Class = SessionLost
	case r.Response != nil:
		return
	case x.out.key == "" && r.End == conform.Complete && r.Status/100 == 2:
		return
	default:
		r.Class = classOf(r.End)
	}
	if r.Problem == "" {
		r.Problem = x.unanswered(in)
	}
	if r.Lapsed != "" {
		r.Problem += ", and there are no other credentials: " + r.Lapsed
	}
}

// unanswered words an HTTP response that does not hold what was waited for.
func (x *exchange) unanswered(in *reception) string {
	media := conform.MediaType(in.header)
	switch {
	case in.status/100 != 2 && media == "":
		return fmt.Sprintf("%s was answered with status %d", x.out.what, in.status)
	case in.status/100 != 2:
		return fmt.Sprintf("%s was answered with status %d (%s)%s", x.out.what, in.status, media, wanted(in))
	case media == "":
		return fmt.Sprintf("%s was answered with status %d and no content type", x.out.what, in.status)
	case media != "application/json" && media != "text/event-stream":
		return fmt.Sprintf("%s was answered with content type %s, which is neither application/json nor text/event-stream", x.out.what, media)
	default:
		return fmt.Sprintf("the answer to %s holds no response to id %s", x.out.what, x.out.key)
	}
}

// result gives the reply; only after run has ended or giveUp has returned.
func (x *exchange) result() *Reply {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.reply
	return &r
}

func isStream(header []conform.HeaderField) bool {
	return conform.MediaType(header) == "text/event-stream"
}
