package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// The revisions compared: the newest with a handshake, and the newest.
const (
	handshake = "2025-11-25"
	newest    = "2026-07-28"
)

// Kind is what is known of a server beforehand.
type Kind string

// The kinds.
const (
	Good    Kind = "good"    // keeps every rule: the fake backend as it is
	Faulty  Kind = "faulty"  // breaks one rule, by a fault or by a front before the good server
	Foreign Kind = "foreign" // somebody else's
	Closed  Kind = "closed"  // a port that nobody listens on
)

// Server is something both sides judge.
type Server struct {
	Name     string `json:"name"`
	Sentence string `json:"sentence"`
	Revision string `json:"revision"`
	Kind     Kind   `json:"kind"`
	Breaks   string `json:"breaks,omitempty"` // the id of our check that a faulty one breaks

	scenarios []string      // of the suite, run one by one; none: the revision's requirement set
	patience  time.Duration // of the suite with one scenario; 0: perScenario
	unasked   bool          // the suite is not run: it has no check of the rule that is broken
	fake      bool          // the fake backend's operations are played
	start     func(ctx context.Context, t *tools) (url string, stop func(), err error)
}

// servers gives all that is compared.
func servers(rules *Rules) []Server {
	var all []Server
	for _, revision := range rules.revisions() {
		all = append(all, Server{
			Name: "fakebackend", Sentence: "the fake backend of this repository, as it is", Revision: revision, Kind: Good, fake: true, start: backend(nil),
		})
	}
	all = append(all, foreign()...)
	all = append(all, faulty(fakebackend.Faults(), rules)...)
	all = append(all, fronts(rules.revisions())...)
	for _, revision := range rules.revisions() {
		all = append(all, Server{Name: "closed port", Sentence: "a port that nobody listens on", Revision: revision, Kind: Closed, start: closedPort})
	}
	return all
}

// foreign are servers of others, each in the modes that serve the revision.
func foreign() []Server {
	const sdk = "github.com/modelcontextprotocol/go-sdk/"
	var all []Server
	for _, name := range []string{"everything", "memory", "sequentialthinking"} {
		all = append(all, Server{
			Name: "go-sdk " + name, Sentence: "an example of the Go SDK", Revision: handshake, Kind: Foreign, start: goServer(sdk + "examples/server/" + name),
		})
	}
	return append(all,
		Server{Name: "go-sdk conformance", Sentence: "the Go SDK's own server for the suite, with sessions", Revision: handshake, Kind: Foreign,
			start: goServer(sdk+"conformance/everything-server", "-stateless=false")},
		Server{Name: "go-sdk conformance", Sentence: "the Go SDK's own server for the suite, without sessions", Revision: newest, Kind: Foreign,
			start: goServer(sdk+"conformance/everything-server", "-stateless=true")},
		Server{Name: "server-everything", Sentence: "the demonstration server of the MCP project, from npm", Revision: handshake, Kind: Foreign, start: npmEverything},
	)
}

// faulty are the fake backend with each fault of a protocol check that shows over
// HTTP, at each revision where the rule means something. Where a front breaks the
// rule too, in every response and at every revision, one revision is enough.
func faulty(faults []fakebackend.Fault, rules *Rules) []Server {
	protocol := protocolIDs()
	var all []Server
	for _, f := range faults {
		if !slices.Contains(protocol, f.Check) || !slices.Contains(f.Transports, fakebackend.HTTP) {
			continue
		}
		for _, revision := range rules.revisions() {
			if meaningful(f.Check, revision) && !(revision == newest && fronted(f.Check)) {
				all = append(all, Server{
					Name: f.ID, Sentence: f.Sentence, Revision: revision, Kind: Faulty, Breaks: f.Check, fake: true,
					unasked: rules.onlyOurs(f.Check), start: backend([]fakebackend.Fault{f}),
				})
			}
		}
	}
	return all
}

func backend(faults []fakebackend.Fault) func(context.Context, *tools) (string, func(), error) {
	return func(context.Context, *tools) (string, func(), error) {
		running, err := fakebackend.Start(fakebackend.Options{Faults: faults})
		if err != nil {
			return "", nil, err
		}
		// What is in flight when both have judged is of no interest any more.
		return running.URL, func() { _ = running.Close() }, nil
	}
}

// goServer builds a server of the Go SDK and starts it. They take an address, and
// do not tell which port they were given.
func goServer(pkg string, args ...string) func(context.Context, *tools) (string, func(), error) {
	return func(ctx context.Context, t *tools) (string, func(), error) {
		program, err := t.build(ctx, pkg)
		if err != nil {
			return "", nil, err
		}
		address, err := freeAddress()
		if err != nil {
			return "", nil, err
		}
		stop, err := t.startProcess(ctx, address, nil, program, append(slices.Clone(args), "-http", address)...)
		return "http://" + address + "/mcp", stop, err
	}
}

func npmEverything(ctx context.Context, t *tools) (string, func(), error) {
	address, err := freeAddress()
	if err != nil {
		return "", nil, err
	}
	_, port, _ := strings.Cut(address, ":")
	stop, err := t.startProcess(ctx, address, []string{"PORT=" + port}, t.node, t.everything, "streamableHttp")
	return "http://" + address + "/mcp", stop, err
}

func closedPort(context.Context, *tools) (string, func(), error) {
	address, err := freeAddress()
	return "http://" + address + "/mcp", func() {}, err
}

// freeAddress gives a loopback address whose port was free a moment ago.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}
