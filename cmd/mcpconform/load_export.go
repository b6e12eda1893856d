package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/internal/export"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// exportFlags say to which other tools a load is shown while it lasts.
type exportFlags struct {
	metrics string
	otlp    string
	trace   bool
}

func (f *exportFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.metrics, "metrics", "", "show the figures of the load under way to a Prometheus, at `HOST:PORT` (without a host, on this machine alone)")
	flags.BoolVar(&f.trace, "traceparent", false, "over HTTP, name a trace of its own in every call (W3C Trace Context)")
	flags.StringVar(&f.otlp, "otlp", "", "send them every ten seconds to the OpenTelemetry collector at `URL`, over HTTP in JSON")
}

// exports are the tools that a load is shown to.
type exports struct {
	listener net.Listener // nil: no Prometheus asks
	otlp     *export.OTLP // nil: nothing is sent
	stops    []func() string
}

// pushEvery is how often a collector is sent figures.
const pushEvery = 10 * time.Second

// open takes the port, so that one in use is told before anything is sent.
func (f *exportFlags) open(named func(host string) bool) (*exports, error) {
	x := &exports{}
	if f.otlp != "" {
		at, err := export.OTLPURL(f.otlp)
		if err != nil {
			return nil, usage(fmt.Errorf("--otlp: %w", err), "for example --otlp http://127.0.0.1:4318")
		}
		u, err := url.Parse(at)
		if err != nil {
			return nil, err
		}
		if !target.Loopback(u.Host) && !named(u.Host) {
			name := reports.Safe(target.HostName(u.Host))
			return nil, usage(fmt.Errorf("--otlp sends figures to %s, which is not this machine", name), "if that is meant, give --confirm "+name)
		}
		x.otlp = &export.OTLP{URL: at, Version: version(), Every: pushEvery, Now: time.Now}
	}
	if f.metrics == "" {
		return x, nil
	}
	host, port, err := net.SplitHostPort(f.metrics)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
		return nil, usage(fmt.Errorf("--metrics %q is no address", reports.Safe(f.metrics)), "for example --metrics 127.0.0.1:9100")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if x.listener, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
		var why *net.OpError
		if errors.As(err, &why) {
			err = why.Err
		}
		return nil, usage(fmt.Errorf("--metrics %s: %w", reports.Safe(f.metrics), err), "give another port; 0 is one that is free")
	}
	return x, nil
}

// wanted tells that somebody is shown something.
func (x *exports) wanted() bool { return x.listener != nil || x.otlp != nil }

// start shows a load.
func (x *exports) start(live *runner.LoadLive, w world, quiet bool) {
	if x.listener != nil {
		if !quiet {
			fmt.Fprintf(w.err, "the figures of the load are at http://%s/metrics\n", x.listener.Addr())
		}
		stop := export.Serve(x.listener, version(), live)
		x.stops = append(x.stops, func() string { stop(); return "" })
	}
	if x.otlp != nil {
		x.otlp.Live, x.otlp.Began = live, time.Now()
		x.stops = append(x.stops, x.otlp.Start())
	}
}

// stop ends that, and says what could not be shown; empty: all could. It may be called
// twice.
func (x *exports) stop() (note string) {
	for _, stop := range x.stops {
		if said := stop(); said != "" {
			note = said
		}
	}
	if len(x.stops) == 0 && x.listener != nil {
		_ = x.listener.Close()
	}
	x.stops, x.listener = nil, nil
	return note
}
