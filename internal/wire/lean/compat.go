package lean

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"
)

// compatible makes the way one through net/http, which knows proxies and HTTP/2.
func (w *Way) compatible(o Options) *Way {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(w.Name == WayHTTP2 || w.Name == WayProxy && !o.HTTP1)
	config := w.tls.Clone()
	if config != nil {
		config.NextProtos = nil // net/http says what it can
		if w.Name == WayProxy {
			// Without the server's name, which is not that of a proxy over TLS.
			config.ServerName = cmp.Or(o.TLS, w.frozen.TLS).ServerName
		}
	}
	w.Lean = false
	w.client = &http.Transport{
		Proxy:                  http.ProxyURL(w.frozen.Proxy),
		DialContext:            w.frozen.Dial,
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    w.frozen.Timeouts.Connect,
		DisableCompression:     true,
		DisableKeepAlives:      o.Anew,
		MaxIdleConnsPerHost:    1 << 14,
		IdleConnTimeout:        idleLimit,
		MaxResponseHeaderBytes: int64(w.maxHead),
		Protocols:              protocols,
	}
	return w
}

// compat is one virtual user's way through net/http.
type compat struct {
	way    *Way
	buffer []byte
	unzip  unzip
	life   context.Context
	end    context.CancelFunc
}

func newCompat(w *Way) *compat {
	c := &compat{way: w, buffer: make([]byte, firstBuffer)}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Do sends a request and reads its answer.
func (c *compat) Do(r *Request, a *Answer) {
	now := c.way.now
	*a = Answer{Begun: now(), Out: len(r.Bytes) - r.Body}
	ctx, cancel := context.WithTimeout(c.life, r.Timeout)
	defer cancel()
	connected := false
	var first atomic.Int64 // net/http tells it from a goroutine of its own
	defer func() { a.FirstByte = time.Duration(first.Load()) }()
	trace := &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) {
			connected, a.Opened, a.Sent = true, !got.Reused, now()
		},
		GotFirstResponseByte: func() { first.CompareAndSwap(0, int64(now())) },
	}
	request := (&http.Request{Method: http.MethodPost, URL: c.way.frozen.URL, Host: c.way.frozen.URL.Host, Header: make(http.Header, len(r.Fields)),
		Body: io.NopCloser(bytes.NewReader(r.Bytes[r.Body:])), ContentLength: int64(len(r.Bytes) - r.Body)}).WithContext(httptrace.WithClientTrace(ctx, trace))
	for _, f := range r.Fields {
		if strings.EqualFold(f.Name, "Host") {
			request.Host = f.Value
			continue
		}
		request.Header[f.Name] = append(request.Header[f.Name], f.Value)
	}
	if r.Trace != nil {
		request.Header.Set("Traceparent", string(r.Trace))
		delete(request.Header, "traceparent") // as the fields have it
	}
	response, err := c.way.client.RoundTrip(request)
	if err != nil {
		c.lost(a, ctx, err, connected)
		return
	}
	defer response.Body.Close()
	c.receive(r, a, ctx, cancel, response)
}

// receive reads an answer whose head has come.
func (c *compat) receive(r *Request, a *Answer, ctx context.Context, cancel context.CancelFunc, response *http.Response) {
	a.Status = response.StatusCode
	h := head{status: response.StatusCode, length: -1}
	var shown bytes.Buffer
	shown.WriteString(response.Proto + " " + response.Status + "\r\n")
	_ = response.Header.Write(&shown) // into memory
	shown.WriteString("\r\n")
	a.Head = shown.Bytes()
	for _, name := range []string{"Content-Type", "Content-Encoding"} {
		if value := response.Header.Get(name); value != "" {
			h.field([]byte(strings.ToLower(name)), []byte(value))
		}
	}
	for _, value := range response.Header.Values("Server-Timing") {
		h.timing.field([]byte(value))
	}
	a.Served, a.Timed = h.timing.served()
	stream := h.media == mediaStream && h.status < 300 && !h.zipped
	found := newEvents(0)
	n := 0
	var read error
	for read == nil {
		if len(c.buffer)-n < leastRoom {
			if n >= c.way.maxBody {
				read = errTooLarge
				break
			}
			c.buffer = append(c.buffer, make([]byte, len(c.buffer))...)
		}
		var got int
		got, read = response.Body.Read(c.buffer[n:])
		n += got
		if stream && !found.found {
			if found.take(c.buffer, n, r.ID); found.found {
				a.Done = c.way.now()
				grace := time.AfterFunc(c.way.grace, cancel)
				defer grace.Stop()
			}
		} else if stream {
			found.take(c.buffer, n, r.ID)
		}
	}
	a.Body, a.In = c.buffer[:n], n
	if !errors.Is(read, io.EOF) && !found.found {
		c.lost(a, ctx, read, true)
		return
	}
	switch {
	case h.zipped:
		c.unzip.decode(&h, r, a, c.way.maxBody)
	case h.coded:
	case stream:
		a.Odd, a.Asked = found.odd, found.asked
		if found.found {
			a.Message, a.Form = found.response(c.buffer), SSE
		}
	case n > 0 && h.media == mediaJSON:
		a.Message, a.Form = trimJSON(a.Body), JSON
	}
	if a.Class, a.Problem = settle(&h, r, a); a.Class != Answered && a.Class != Refused {
		a.Message = nil
	}
	if a.Done == 0 {
		a.Done = c.way.now()
	}
}

// lost settles a call that net/http gave an error for.
func (c *compat) lost(a *Answer, ctx context.Context, err error, connected bool) {
	now := c.way.now()
	switch {
	case c.life.Err() != nil:
		a.fail(Stopped, "the call was stopped while it waited for its answer", now)
	case errors.Is(err, errTooLarge):
		a.fail(TooLarge, "the answer is larger than our bound", now)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		a.fail(TimedOut, "no whole answer came in time", now)
	case !connected:
		a.fail(Unconnected, "no connection could be made: "+err.Error(), now)
	default:
		a.fail(Cut, "the connection was lost: "+err.Error(), now)
	}
}

// Interrupt ends the call in flight, and every later one, as Stopped.
func (c *compat) Interrupt() { c.end() }

// Close gives up what the user holds; what users share, Way.Close does.
func (c *compat) Close() { c.end() }
