package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/fakebackend"
)

type fakeFlags struct {
	http      string
	stdio     bool
	maxItems  int
	shape     string
	sessions  string
	json      bool
	revisions []string
	faults    []string
	seed      uint64
	list      bool
	cost      costFlags
	door      doorFlags
	long      longFlags
}

func newFakebackend(w world) *cobra.Command {
	var f fakeFlags
	cmd := &cobra.Command{
		Use:   "fakebackend [--http ADDR | --stdio] [--fault ID]...",
		Short: "Serve the fake backend: a real MCP server over a small store",
		Long: `fakebackend serves the demonstration backend: products to cancel, subscriptions,
orders to look up, with a validator, a workflow, a state probe and a reset.
With --fault it is wrong in exactly one way, to see what mcpconform says of it.

Further flags add tools that ask the user, run as tasks or jobs, or answer in
pages, and make the server one that others use too, that limits its callers, or
that stands behind an intermediary. Over HTTP, /state and /effects beside /mcp
tell what is so and what happened.`,
		Example: `  mcpconform fakebackend --http 127.0.0.1:8080
  mcpconform run --target builtin:fakebackend -- mcpconform fakebackend --stdio
  mcpconform fakebackend --http :0 --confirm --tasks --jobs --pages --eventual
  mcpconform fakebackend --http :0 --rate 60/min --bad-gateway-every 50`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serveFake(cmd, f, w) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.http, "http", "", "serve streamable HTTP on `ADDR`; :0 and 127.0.0.1:0 take a free port")
	flags.BoolVar(&f.stdio, "stdio", false, "serve on standard input and output")
	flags.IntVar(&f.maxItems, "max-items", 0, "the most items of one call (0: no limit)")
	flags.StringVar(&f.shape, "shape", "", "default, bare, wrapped or no-summary answers")
	flags.StringVar(&f.sessions, "sessions", "", "auto, stateful or stateless")
	flags.BoolVar(&f.json, "json", false, "answer application/json instead of text/event-stream")
	flags.StringSliceVar(&f.revisions, "revisions", nil, "the protocol revisions spoken")
	flags.StringArrayVar(&f.faults, "fault", nil, "be wrong in this way, `ID[@PROBABILITY]` (repeatable; --list-faults names them)")
	flags.Uint64Var(&f.seed, "seed", 1, "which calls an intermittent fault takes")
	flags.BoolVar(&f.list, "list-faults", false, "name the faults, one sentence each, and the flag that some need")
	f.cost.add(flags)
	f.long.add(flags)
	f.door.add(flags)
	return cmd
}

func serveFake(cmd *cobra.Command, f fakeFlags, w world) error {
	switch {
	case f.list:
		return listFaults(w)
	case f.long.readState != "":
		return readState(f.long.readState, w)
	}
	if given(f.stdio, f.http != "", f.door.unix != "") != 1 {
		return usage(errors.New("give one of --http ADDR, --unix PATH and --stdio"), "for example: mcpconform fakebackend --http 127.0.0.1:8080")
	}
	options := fakebackend.Options{
		MaxItems: f.maxItems,
		Shape:    fakebackend.Shape(f.shape), Sessions: fakebackend.Sessions(f.sessions), JSONAnswers: f.json, Revisions: f.revisions, Seed: f.seed,
	}
	if err := f.cost.into(&options); err != nil {
		return err
	}
	if err := f.long.into(&options, cmd.Flags(), f.stdio, w.getenv); err != nil {
		return err
	}
	done, err := f.door.into(&options, cmd.Flags(), f.stdio)
	if err != nil {
		return err
	}
	defer done()
	hint := ""
	for _, word := range f.faults {
		fault, err := fakebackend.ParseFault(word)
		if err != nil {
			return usage(err, "`mcpconform fakebackend --list-faults` names them all")
		}
		options.Faults = append(options.Faults, fault)
		if needs := flagsOf(fault); needs != "" {
			hint = fault.ID + " shows with " + needs
		}
	}
	backend, err := fakebackend.New(options)
	if err != nil {
		return usage(err, hint)
	}
	defer backend.Close()
	address, err := f.address()
	if err != nil {
		return err
	}
	ctx, stop := w.signals(cmd.Context())
	defer stop()
	if f.stdio {
		if err := backend.ServeStdio(ctx, w.in, w.out); err != nil && ctx.Err() == nil {
			return &exitError{code: exitInternal, cause: fmt.Errorf("serving on standard input and output: %w", err)}
		}
		return nil
	}
	told := f.door.told
	if options.OAuth {
		told = strings.TrimPrefix(told+fmt.Sprintf("\nclient: %s, secret: %s", fakebackend.DemoClient, fakebackend.DemoSecret), "\n")
	}
	return serveHTTP(ctx, address, backend, w, told)
}

func listFaults(w world) error {
	tab := tabwriter.NewWriter(w.out, 0, 4, 2, ' ', 0)
	for _, fault := range fakebackend.Faults() {
		needs := flagsOf(fault)
		if needs != "" {
			needs = " (with " + needs + ")"
		}
		fmt.Fprintf(tab, "%s\t%s%s\n", fault.ID, fault.Sentence, needs)
	}
	return tab.Flush()
}

// flagsOf are the flags that a fault needs.
func flagsOf(fault fakebackend.Fault) string {
	var flags []string
	for _, feature := range fault.Needs {
		flags = append(flags, "--"+string(feature))
	}
	return strings.Join(flags, " ")
}

// address is where to serve HTTP: host and port, or a unix socket.
func (f fakeFlags) address() (string, error) {
	if f.http == "" {
		return "unix:" + f.door.unix, nil
	}
	host, port, err := net.SplitHostPort(f.http)
	if err != nil {
		return "", usage(fmt.Errorf("--http %q: %w", f.http, err), "for example 127.0.0.1:8080, or :0 for a free port")
	}
	if host == "" {
		// A demonstration is for this machine unless somebody asks for more.
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

func given(flags ...bool) (n int) {
	for _, flag := range flags {
		if flag {
			n++
		}
	}
	return n
}

func serveHTTP(ctx context.Context, address string, backend *fakebackend.Backend, w world, told string) error {
	listener, url, err := backend.Listen(address)
	if err != nil {
		return usage(fmt.Errorf("serving on %s: %w", address, err), "is the address taken?")
	}
	fmt.Fprintln(w.out, url)
	if told != "" {
		fmt.Fprintln(w.out, told)
	}
	mux := backend.Mux()
	mux.Handle("/", backend.Handler()) // an address without a path is meant for MCP
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return &exitError{code: exitInternal, cause: fmt.Errorf("serving %s: %w", listener.Addr(), err)}
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(closing); err != nil {
		_ = server.Close() // open event streams outlast a polite shutdown
	}
	<-done
	return nil
}
