package fakebackend

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Sessions says how the HTTP handler keeps sessions.
type Sessions string

// The ways of keeping sessions.
const (
	// Auto serves requests of revision 2026-07-28 without a session, and those
	// of the revisions with an initialize handshake with one.
	Auto      Sessions = "auto"
	Stateful  Sessions = "stateful"
	Stateless Sessions = "stateless" // every revision without a session
)

// Options say what a backend is like. The zero value is a fast, good server of
// every revision, without limits.
type Options struct {
	// What a call of a tool costs that works on items or judges them. Looks at the
	// state and a reset cost nothing.
	PerItemDelay time.Duration // for each item
	PerCallDelay time.Duration // besides its items
	Jitter       Jitter        // besides that, for each call
	Stall        Stall         // freezes them all, again and again
	// SlowWrites is how long a write is at work before it is done, besides. Whoever
	// gives it up meanwhile does not stop it.
	SlowWrites time.Duration
	SlowEvery  int // only every Nth write is slow; 0: each
	// Workers bounds how much is worked on at once, first come, first served, and so
	// gives a known capacity: Workers / delay, in calls a second. 0: no bound.
	Workers    int
	Downstream Downstream // default Batch
	FanOut     int        // items in flight for one call to a Unit downstream; default 1
	// MaxItems is the most items of one call; it is declared as maxItems in the
	// input schemas. A larger call is refused item by item, and nothing is done.
	// 0: no limit.
	MaxItems int

	// ServerTiming tells with each answer over HTTP how long it took, in a header
	// Server-Timing, and keeps Backend.ServiceTimes.
	ServerTiming bool

	// Fast puts a hand-written front before the SDK, for load: calls of tools are
	// answered by it, with the same answers and effects, also those that come
	// without a session. It does not hear that a call is given up.
	Fast bool

	Shape Shape // default Default

	Sessions     Sessions      // of the HTTP handler; default Auto
	JSONAnswers  bool          // application/json instead of text/event-stream
	Revisions    []string      // protocol revisions spoken; nil: all that the SDK knows
	IdleSessions time.Duration // after which an unused session ends; default 30 minutes

	// EventIDs gives the events of sessions' streams ids, and keeps them: a stream that
	// broke off can be taken up again behind the last of them.
	EventIDs bool

	// ConfirmRounds adds cancel_products_confirmed, which asks the user before it
	// does anything, so many questions one after the other: by elicitation during
	// the call from 2025-06-18 on, by input_required results from 2026-07-28 on.
	// 0: no such tool; at most MaxConfirmRounds.
	ConfirmRounds int
	// Tasks adds cancel_products_task, which runs as a task of 2025-11-25 or of
	// the tasks extension of 2026-07-28. Empty: no such tool.
	Tasks TaskSupport
	// TaskHands lets reset, and the tools of Undo and Stock, run as such tasks too.
	TaskHands bool
	// Jobs adds cancel_products_job, which answers with a job's id, and get_job.
	Jobs bool
	// Takes is how long a task or a job takes before its work is done; default
	// DefaultTakes.
	Takes time.Duration
	// PageRows adds cancel_products_paged, which answers so many rows at a time.
	PageRows int
	// DryRuns adds cancel_products_rehearsed, which with dry_run only says what it
	// would do.
	DryRuns bool

	// VisibleAfter is how long get_products and its like lag behind what was
	// done; writes and validators do not. Never: they never show it.
	VisibleAfter time.Duration
	// SecondWriter is another user of the same store.
	SecondWriter SecondWriter

	Undo     bool // adds restore_products and restore_subscriptions, which take cancellations back
	IdleUndo bool // they say that they did, and do not
	Stock    bool // adds add_products, and remove_products for what that added
	NoProbe  bool // leaves get_products and get_subscriptions out
	NoReset  bool // leaves reset out
	// StateFile is a file that holds the state, written before a write is
	// answered. Empty: none.
	StateFile string
	// Resume begins with the state that StateFile holds, if it is there.
	Resume bool

	// TLS has Listen serve over TLS, and HTTP/2 where the client prefers that; nil: it
	// serves plain HTTP.
	TLS *Certificates
	// DemandCertificate refuses clients without a certificate that TLS has signed.
	DemandCertificate bool
	HTTP1             bool // over TLS, too

	Gzip     bool // answer with the content coding gzip
	Redirect int  // redirect every message to another path with this status, 307 or 308; 0: none

	// Token is the bearer token without which HTTP requests are refused; empty:
	// none is asked for. Limit and Weather are over HTTP, too.
	Token   string
	Limit   Limit
	Weather Weather

	// OAuth has the backend be its own authorization server, in whose logins the user
	// consents at once; its tokens are asked for then. It knows DemoClient, and registers
	// others.
	OAuth bool
	// AuthorizationServer is named in its place in the metadata of the resource, and
	// Verify tells whether a token is good. Nil: only Token and those of OAuth are.
	AuthorizationServer string
	Verify              func(token string) bool `json:"-"`
	// TokenRequests is how many requests a token lets in before it is refused; 0: all.
	// TokenLife is how long the backend's own server says that its tokens last; 0: it does
	// not say.
	TokenRequests int
	TokenLife     time.Duration

	// Faults bend the good server. Seed draws which calls an intermittent fault
	// takes.
	Faults []Fault
	Seed   uint64
}

// complete fills in the defaults and says what cannot be.
func (o Options) complete() (Options, error) {
	var errs []error
	reject := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	set := func(into *string, fallback, what string, lawful ...string) {
		if *into == "" {
			*into = fallback
		}
		if !slices.Contains(lawful, *into) {
			reject("%s %q is none of %v", what, *into, lawful)
		}
	}
	switch {
	case o.TokenRequests < 0, o.TokenLife < 0, o.TokenLife%time.Second != 0:
		reject("a token lets in no fewer than 0 requests, and lasts whole seconds")
	case o.TokenRequests > 0 && !o.asks():
		reject("nobody is asked for a token that could let in so many requests: a token or an authorization server is needed")
	case o.TokenLife > 0 && !o.OAuth:
		reject("without an authorization server there is nobody to say how long a token lasts")
	}
	set((*string)(&o.Downstream), string(Batch), "downstream", string(Batch), string(Unit))
	set((*string)(&o.Shape), string(Default), "shape", string(Default), string(Bare), string(Wrapped), string(NoSummary))
	set((*string)(&o.Sessions), string(Auto), "sessions", string(Auto), string(Stateful), string(Stateless))
	if o.FanOut == 0 {
		o.FanOut = 1
	}
	if o.IdleSessions == 0 {
		o.IdleSessions = 30 * time.Minute
	}
	if o.PerItemDelay < 0 || o.PerCallDelay < 0 || o.SlowWrites < 0 || o.SlowEvery < 0 || o.IdleSessions < 0 {
		reject("a delay is not negative, nor is which writes are slow")
	}
	if o.Workers < 0 || o.FanOut < 0 || o.MaxItems < 0 {
		reject("workers, fan-out and the most items of a call are not negative")
	}
	known := mcp.SupportedProtocolVersions()
	for _, revision := range o.Revisions {
		if !slices.Contains(known, revision) {
			reject("revision %q is none of %v", revision, known)
		}
	}
	switch {
	case o.TLS == nil && (o.DemandCertificate || o.HTTP1):
		reject("who may come in, and by which version of HTTP, is asked over TLS only")
	case o.TLS != nil && o.Fast:
		reject("the fast front speaks plain HTTP only")
	}
	if o.Redirect != 0 && o.Redirect != http.StatusTemporaryRedirect && o.Redirect != http.StatusPermanentRedirect {
		reject("a redirect of messages has status 307 or 308, not %d", o.Redirect)
	}
	if o.Fast && (o.Gzip || o.Redirect != 0) {
		reject("the fast front answers as it is, and redirects nothing")
	}
	if o.Tasks != "" {
		set((*string)(&o.Tasks), "", "task support", string(TaskRequired), string(TaskOptional))
	}
	for _, err := range []error{o.Jitter.check(), o.Stall.check()} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	errs = append(errs, o.long()...)
	if o.Takes == 0 {
		o.Takes = DefaultTakes
	}
	if len(errs) > 0 {
		return o, fmt.Errorf("options of the fake backend: %w", errors.Join(errs...))
	}
	return o, nil
}
