package credentials

import (
	"context"
	"errors"
	"sync"
	"time"
)

// early is how long before its end a token is replaced, so that it does not end on its
// way; of a short life it is a tenth.
const early = 10 * time.Second

// token is what a server is shown.
type token struct {
	value string
	until time.Time // when it ends; zero: nobody said
	life  time.Duration
	// kept says that it was not given just now, but lay somewhere: where the server refuses
	// it, another may be better, although this one was never accepted.
	kept bool
}

func newToken(value string, life time.Duration, now time.Time) token {
	t := token{value: value, life: life}
	if life > 0 {
		t.until = now.Add(life)
	}
	return t
}

// ends tells whether a token is at its end.
func (t token) ends(now time.Time) bool {
	return !t.until.IsZero() && !now.Before(t.until.Add(-min(early, t.life/10)))
}

// source gets tokens. old is the one in whose place another is asked for: refused, or at
// its end; empty: the first.
type source interface {
	get(ctx context.Context, old string) (token, error)
}

// Holder holds the token in force. One caller at a time asks for another, and the others
// wait for what comes of it. It implements wire.Credentials.
type Holder struct {
	source  source
	secrets *secrets
	name    string // of a token, where it would be seen
	now     func() time.Time

	turn chan struct{} // holds one place: whoever is in it asks

	mu       sync.Mutex
	token    token
	accepted bool  // the server took the token once
	spent    error // why there is no other
	renewed  int   // how often a refused one was replaced
}

// New makes a holder; nil where there are no credentials. tell is told of every secret
// before it is sent anywhere.
func New(c Config, at Server, tell func(name, value string)) (*Holder, error) {
	h := &Holder{secrets: &secrets{tell: tell}, name: "access token", now: time.Now, turn: make(chan struct{}, 1)}
	switch {
	case c.IsZero():
		return nil, nil
	case c.Bearer != "":
		h.source, h.name = fixed{c.Bearer, c.BearerName}, c.BearerName
	case c.File != "":
		h.source, h.name = file{c.File}, "token of "+c.File
	case c.Command != nil:
		h.source, h.name = &command{*c.Command, h.secrets}, "token of the command"
	case c.Client != nil:
		b, err := newBroker(at, h.secrets)
		if err != nil {
			return nil, err
		}
		h.source = &client{config: *c.Client, broker: b}
	default:
		b, err := newBroker(at, h.secrets)
		if err != nil {
			return nil, err
		}
		store, err := OpenStore()
		if err != nil {
			return nil, err
		}
		h.source = &login{config: *c.Login, broker: b, store: store}
	}
	return h, nil
}

const scheme = "Bearer "

// Authorization gives the field's value in force, which is asked for the first time, and
// again when it is at its end.
func (h *Holder) Authorization(ctx context.Context) (string, error) {
	if value, ok := h.current(); ok {
		return value, nil
	}
	return h.next(ctx, "")
}

// current gives the value in force; false: one has to be asked for.
func (h *Holder) current() (string, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.spent != nil || h.token.value == "" || h.token.ends(h.now()) {
		return "", false
	}
	return scheme + h.token.value, true
}

// Renew gives another value in the place of one that the server refused. Of all that were
// refused with the same one, the first asks. A token that was given just now and never
// accepted is not replaced: the server would refuse the next one too.
func (h *Holder) Renew(ctx context.Context, refused string) (string, error) {
	return h.next(ctx, refused)
}

// Accepted is told that the server took a value.
func (h *Holder) Accepted(value string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.accepted = h.accepted || value == scheme+h.token.value
}

func (h *Holder) next(ctx context.Context, refused string) (string, error) {
	select {
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	defer func() { <-h.turn }()

	h.mu.Lock()
	held, accepted, spent := h.token, h.accepted, h.spent
	h.mu.Unlock()
	isRefused := refused == scheme+held.value
	switch {
	case spent != nil:
		return "", spent
	case held.value != "" && !isRefused && !held.ends(h.now()):
		return scheme + held.value, nil // somebody else has asked meanwhile
	case isRefused && !accepted && !held.kept && held.value != "":
		return "", h.ended(errors.New("the server refused a token that was got just before, and no further one was asked for"))
	}
	got, err := h.source.get(ctx, held.value)
	switch {
	case ctx.Err() != nil && err != nil:
		return "", err // the next one asks again
	case err != nil && !isRefused && h.now().Before(held.until):
		return scheme + held.value, nil // it is good for a little while yet
	case err != nil:
		var away *unreachable
		return "", h.ended(&failure{h.secrets.mask(err.Error()), errors.As(err, &away)})
	case isRefused && got.value == held.value:
		return "", h.ended(errors.New("the same token was got again"))
	}
	h.secrets.add(h.name, got.value)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.token, h.accepted = got, false
	if isRefused {
		h.renewed++
	}
	return scheme + got.value, nil
}

// Renewed tells how often a token that the server refused was replaced.
func (h *Holder) Renewed() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.renewed
}

// failure is why there is no token, without secrets.
type failure struct {
	text string
	away bool
}

func (f *failure) Error() string { return f.text }

// Unreachable tells that the server itself could not be reached.
func (f *failure) Unreachable() bool { return f.away }

// unreachable is the error of a server that could not be asked who gives tokens for it.
type unreachable struct{ error }

// ended keeps why there is no token any more: whoever waits is told the same.
func (h *Holder) ended(err error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spent = err
	return err
}
