package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/frame"
)

// answer answers a request that the server makes inside the call's stream, by a
// POST of its own, recorded under the call. The answers of one call go out one
// after the other, so that their order is the server's. From 2026-07-28 on a
// server cannot ask in a stream, so nothing is answered there.
func (x *exchange) answer(m frame.Message) {
	if x.out.stateless || x.answers >= x.link.bounds.MaxAnswers {
		return
	}
	x.answers++
	if x.asks == nil {
		x.asks = make(chan []byte, x.link.bounds.MaxAnswers)
		asks := x.asks
		ctx, cancel := context.WithCancel(x.link.life)
		x.stopAsking = cancel
		x.asking.Go(func() {
			for body := range asks {
				x.post(ctx, body)
			}
		})
	}
	x.asks <- composeAnswer(m, x.out.asked)
}

// answersDone waits until what the server asked is answered, so that the
// stream's own record is the call's last; what is not answered within
// Timeouts.Answer after the stream's end stays unanswered.
func (x *exchange) answersDone() {
	if x.asks != nil {
		close(x.asks)
		late := time.AfterFunc(x.link.timeouts.Answer, x.stopAsking)
		x.asking.Wait()
		late.Stop()
		x.stopAsking()
		x.asks = nil
	}
}

// post sends one answer. Whatever comes back is recorded, and changes nothing.
func (x *exchange) post(ctx context.Context, body []byte) {
	if ctx.Err() != nil {
		return
	}
	l := x.link
	ctx, cancel := context.WithTimeout(ctx, l.timeouts.Answer)
	defer cancel()
	in := &reception{}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { in.connected.Store(true) },
		GotFirstResponseByte: func() { in.firstByte.CompareAndSwap(0, int64(l.recorder.Now())) },
	})
	var own []conform.HeaderField
	for _, f := range x.out.header {
		if f.Name != fieldMethod && f.Name != fieldName {
			own = append(own, f)
		}
	}
	to := l.current()
	header := l.fieldsFor(to, own, x.authorization)
	request := l.request(ctx, to, http.MethodPost, header, body)
	l.sent(x.out.call, to, http.MethodPost, header, body)
	how := end{end: conform.Complete}
	response, err := l.pool.transport.RoundTrip(request)
	if err == nil {
		in.status, in.proto, in.header = response.StatusCode, response.Proto, fields(response.Header)
		in.body, err = io.ReadAll(io.LimitReader(response.Body, int64(l.bounds.MaxBody)))
		response.Body.Close()
	}
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		how = end{end: conform.TimedOut, problem: "our answer to the server's request was not accepted within " + l.timeouts.Answer.String()}
	case ctx.Err() != nil:
		how = end{end: conform.Stopped, problem: "the session was closed while the server's request was answered"}
	case !in.connected.Load():
		how = end{end: conform.Refused, problem: "answering the server's request: " + err.Error()}
	default:
		how = end{end: conform.Cut, problem: "answering the server's request: " + err.Error()}
	}
	at := l.recorder.Now()
	l.received(x.out.call, at, in, in.body, in.coded, how)
}
