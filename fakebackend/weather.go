package fakebackend

import (
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Limit is a rate limit: so many calls in each window of time, counted from the
// first. The zero value is none. The handshake, notifications and answers to the
// server's own questions are not counted, and never refused.
type Limit struct {
	Calls int
	Per   time.Duration // default a minute
	// Status is what calls beyond the limit are answered with: 429, which is the
	// default, or 503.
	Status int
	// Silent leaves Retry-After out.
	Silent bool
}

func (l Limit) check() error {
	switch {
	case l.Calls < 0 || l.Per < 0:
		return errors.New("a rate limit is not negative")
	case l.Calls == 0 && l != (Limit{}):
		return errors.New("a rate limit says how many calls")
	case l.Status != 0 && l.Status != http.StatusTooManyRequests && l.Status != http.StatusServiceUnavailable:
		return errors.New("calls beyond the rate limit are answered with 429 or 503")
	}
	return nil
}

// Weather is what an intermediary between client and server does, by the number
// of the call, counted like those of a Limit. 0: it does not.
type Weather struct {
	// BadGatewayEvery answers every Nth call with an HTML page of status 502, and
	// does not pass it on.
	BadGatewayEvery int
	// CutEvery cuts the connection of every Nth call instead of passing it on.
	CutEvery int
	// LoseEvery passes every Nth call on and cuts the connection instead of
	// answering.
	LoseEvery int
	// TearEvery passes every Nth call on and cuts the connection in the middle of the
	// answer.
	TearEvery int
	// ForgetEvery has the server forget the session of every Nth call before the call
	// comes: it is answered with 404, as one of a session that is over.
	ForgetEvery int
}

func (w Weather) check() error {
	if w.BadGatewayEvery < 0 || w.CutEvery < 0 || w.LoseEvery < 0 || w.TearEvery < 0 || w.ForgetEvery < 0 {
		return errors.New("an intermediary's Nth call is not negative")
	}
	return nil
}

// window counts calls for a Limit.
type window struct {
	limit Limit
	clock clock

	mu    sync.Mutex
	begun time.Time
	calls int
}

// take counts a call. If it is one too many, wait is how long the window lasts.
func (w *window) take() (wait time.Duration, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	per := w.limit.Per
	if per == 0 {
		per = time.Minute
	}
	now := w.clock.Now()
	if w.calls == 0 || now.Sub(w.begun) >= per {
		w.begun, w.calls = now, 0
	}
	if w.calls >= w.limit.Calls {
		return w.begun.Add(per).Sub(now), false
	}
	w.calls++
	return 0, true
}

// limited puts the rate limit in front of a handler.
func (b *Backend) limited(next http.Handler) http.Handler {
	if b.options.Limit.Calls == 0 {
		return next
	}
	w := &window{limit: b.options.Limit, clock: b.clock}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !isCall(r) {
			next.ServeHTTP(rw, r)
			return
		}
		wait, ok := w.take()
		if ok {
			next.ServeHTTP(rw, r)
			return
		}
		status := w.limit.Status
		if status == 0 {
			status = http.StatusTooManyRequests
		}
		if !w.limit.Silent {
			// Whole seconds: a client that comes back a moment early is refused again.
			rw.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		}
		http.Error(rw, "too many calls; come back later", status)
	})
}

const badGateway = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>fake-proxy</center></body></html>
`

// weathered puts the intermediary in front of a handler.
func (b *Backend) weathered(next http.Handler) http.Handler {
	weather := b.options.Weather
	if weather == (Weather{}) {
		return next
	}
	var mu sync.Mutex
	calls := 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isCall(r) {
			next.ServeHTTP(w, r)
			return
		}
		mu.Lock()
		calls++
		nth := calls
		mu.Unlock()
		every := func(n int) bool { return n > 0 && nth%n == 0 }
		switch {
		case every(weather.BadGatewayEvery):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte(badGateway)) // a client that is gone needs no page
		case every(weather.CutEvery):
			panic(http.ErrAbortHandler)
		case every(weather.LoseEvery):
			next.ServeHTTP(unanswered{w}, r)
			panic(http.ErrAbortHandler)
		case every(weather.TearEvery):
			t := &torn{ResponseWriter: w}
			next.ServeHTTP(t, r)
			if t.over {
				panic(http.ErrAbortHandler)
			}
		case every(weather.ForgetEvery):
			b.forget(r.Header.Get(sessionHeader))
			next.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// unanswered lets the server's own requests and notifications through and
// swallows the answer.
type unanswered struct{ http.ResponseWriter }

// Write passes on what holds a message of the server's own and no response.
func (u unanswered) Write(p []byte) (int, error) {
	own := false
	for _, text := range eventData(p) {
		v, err := decode(text)
		m, ok := v.(*object)
		if err != nil || !ok || !m.has("method") {
			return len(p), nil
		}
		own = true
	}
	if !own {
		return len(p), nil
	}
	return u.ResponseWriter.Write(p)
}

// Flush sends what was passed on.
func (u unanswered) Flush() {
	if f, ok := u.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// torn lets half of the answer through, and nothing behind it.
type torn struct {
	http.ResponseWriter
	over bool
}

// Write passes on what holds no response, and the first half of what does.
func (t *torn) Write(p []byte) (int, error) {
	if t.over {
		return len(p), nil
	}
	if !answering(p) {
		return t.ResponseWriter.Write(p)
	}
	t.over = true
	_, err := t.ResponseWriter.Write(p[:len(p)/2])
	t.Flush()
	return len(p), err
}

// Flush sends what was passed on.
func (t *torn) Flush() {
	if f, ok := t.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}

// answering tells whether a piece of an answer holds the response: an event, or the
// whole of an answer in JSON.
func answering(p []byte) bool {
	for _, text := range append(eventData(p), p) {
		v, err := decode(text)
		if m, ok := v.(*object); ok && err == nil && !m.has("method") {
			return true
		}
	}
	return false
}

// forget ends a session without a word to its client.
func (b *Backend) forget(id string) {
	for session := range b.server.Sessions() {
		if id != "" && session.ID() == id {
			_ = session.Close() // it is gone either way
		}
	}
}
