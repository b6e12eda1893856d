package fakebackend

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
)

// front is what stands in front of the MCP handler: from the outside in, the
// intermediary, the token and the rate limit.
func (b *Backend) front(next http.Handler) http.Handler {
	return b.weathered(b.guarded(b.limited(next)))
}

// guarded asks for the token.
func (b *Backend) guarded(next http.Handler) http.Handler {
	if !b.options.asks() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if strings.EqualFold(scheme, "Bearer") && b.guard.lets(strings.TrimSpace(token)) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", b.guard.challenge(r, scheme != ""))
		http.Error(w, "a bearer token is needed", http.StatusUnauthorized)
	})
}

// handshakes are the requests that open a connection or keep it.
var handshakes = []string{"initialize", "server/discover", "ping"}

// isCall tells whether a request is a JSON-RPC request of some use: neither a
// handshake, nor a notification, nor the answer to a question of the server's.
// The body is there again afterwards.
func isCall(r *http.Request) bool {
	if r.Method != http.MethodPost {
		return false
	}
	body, err := body(r)
	if err != nil {
		return false // what cannot be read is the handler's to refuse
	}
	x := readExchange(body)
	return x != nil && x.id != nil && !slices.Contains(handshakes, x.method)
}

var errTooLarge = errors.New("the request is too large")

// body reads the body of a request and puts it back.
func body(r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r.Body, MaxRequest+1))
	if len(text) > MaxRequest {
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(text), r.Body))
		return nil, errTooLarge
	}
	if err != nil {
		return nil, err
	}
	setBody(r, text)
	return text, nil
}

func setBody(r *http.Request, text []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	r.Header.Del("Content-Length")
}
