package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/mcpconform/mcpconform/bench/sdkloop"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/reports"
)

// bench is one run of the whole.
type bench struct {
	*results
	peers  *peers
	dir    string  // for programs and files
	before float64 // the load average before anything was measured; below 0: it is not known
	scale
}

// scale is how much is measured.
type scale struct {
	rounds  int
	for_    time.Duration // of one measurement; wrk knows whole seconds only
	warm    time.Duration
	cells   []cell // the first is the one where all peers are
	sdk     []int  // batches at which the go-sdk client is
	share   []int  // batches at which a server of the go-sdk is loaded
	samples int    // that a tally is given at first; ten times as many in the end
}

var whole = scale{
	rounds: 5, for_: time.Second, warm: 200 * time.Millisecond, samples: 1_000_000,
	sdk: []int{1, 100, 1000}, share: []int{1, 10, 100, 1000},
	cells: []cell{
		{1, 8, false}, {10, 8, false}, {1, 64, false}, {10, 64, false}, {100, 8, false}, {1000, 8, false}, {10_000, 8, false},
		{1, 8, true}, {10, 8, true}, {100, 8, true}, {1000, 8, true}, {10_000, 8, true},
	},
}

// part is a group of measurements that share their servers.
type part struct {
	name string
	play func(*bench, context.Context) error
}

var parts = []part{
	{"bare", (*bench).bare},
	{"sdk-server", (*bench).sdkServer},
	{"inside", (*bench).inside},
	{"time", (*bench).time},
	{"view", (*bench).view},
}

// cell is a place at which our load and wrk stand side by side.
type cell struct {
	batch, users int
	differs      bool
}

func (c cell) String() string {
	answers := "repeating"
	if c.differs {
		answers = "differing"
	}
	return fmt.Sprintf("batch %d, %d connections, %s", c.batch, c.users, answers)
}

func (c cell) by(who string) string { return who + ", " + c.String() }

const ours = "mcpconform load"

// The names of what is measured once only.
var (
	first       = cell{1, 8, false}
	stdioOurs   = ours + ", stdio, batch 1"
	stdioSDK    = sdk + ", stdio, batch 1"
	wrkAgain    = first.by(wrk + " again")
	shareForms  = []string{measure.FormJSON, measure.FormSSE, measure.FormStdio}
	inForms     = []string{measure.FormJSON, measure.FormSSE, measure.FormStdio}
	oneTally    = "a tally"
	openLoop    = "open loop, 500/s, 10 ms"
	openTruth   = openLoop + ": the server's own figures"
	stalled     = "open loop, 500/s, stalls"
	stallClosed = "closed loop, 5 users, stalls"
	viewOn      = "live view and recording on"
	unseen      = "recording on, no live view"
	viewOff     = "live view and recording off"
)

// viewRounds is how many rounds as many are played where the view is on and off: what it
// costs is less than what lies between one round and the next.
const viewRounds = 3

func share(form string, batch int) string {
	return fmt.Sprintf("go-sdk server, %s, batch %d", form, batch)
}
func inside(form string) string { return "allocations, " + form }

func (b *bench) plan(url string, batch, users int) plan {
	return plan{URL: url, Batch: batch, Users: users, For: b.for_, Warm: b.warm}
}

func (b *bench) load(name string, p plan) probe {
	return probe{name, func(ctx context.Context) (figures, error) { return ask(ctx, "load", p) }}
}

// peer adds a peer's measurement, unless it is missing.
func (b *bench) peer(to []probe, who, name string, s shot) []probe {
	p := b.peers.each[who]
	if p.shoot == nil {
		b.missing[who] = p.missing
		return to
	}
	return append(to, probe{name, func(ctx context.Context) (figures, error) { return p.shoot(ctx, s) }})
}

// bare sets our load beside each peer on the bare server.
func (b *bench) bare(ctx context.Context) error {
	s, err := serve("bare", nil)
	if err != nil {
		return err
	}
	defer s.end()
	var probes []probe
	for _, c := range b.cells {
		url := s.url
		if c.differs {
			url += "/differs"
		}
		aim := shot{url, c.batch, c.users, b.for_}
		probes = append(probes, b.load(c.by(ours), b.plan(url, c.batch, c.users)))
		probes = b.peer(probes, wrk, c.by(wrk), aim)
		if c == first {
			probes = b.peer(probes, wrk, wrkAgain, aim)
			for _, who := range []string{bombardier, hey, vegeta, inspector} {
				probes = b.peer(probes, who, c.by(who), aim)
			}
		}
	}
	for _, n := range b.sdk {
		c := cell{n, 8, false}
		probes = b.peer(probes, sdk, c.by(sdk), shot{s.url, n, 8, b.for_})
		if n != first.batch { // beside it again: the other one is some seconds ago
			probes = append(probes, b.load(c.by(ours+" again"), b.plan(s.url, n, 8)))
		}
	}
	lines, err := again("bare-lines", "differs")
	if err != nil {
		return err
	}
	p := b.plan("", 1, 1)
	p.Command = lines
	probes = append(probes, b.load(stdioOurs, p), probe{stdioSDK, func(ctx context.Context) (figures, error) {
		return ask(ctx, "sdk", sdkloop.Plan{Command: lines, Users: 1, Items: items(1), For: b.for_})
	}})
	return b.results.play(ctx, "bare", b.rounds, probes)
}

// sdkServer loads a server that is built on the go-sdk: the fake backend, without its
// fast front.
func (b *bench) sdkServer(ctx context.Context) error {
	var probes []probe
	for _, form := range shareForms {
		p := plan{Backend: true, Users: 8, For: b.for_ * 3 / 4, Warm: b.warm, Windows: 2}
		options := fakebackend.Options{JSONAnswers: form == measure.FormJSON}
		if form == measure.FormStdio {
			var err error
			if p.Command, err = again("backend", map[string]any{"Stdio": true, "Options": options}); err != nil {
				return err
			}
		} else {
			s, err := serve("backend", map[string]any{"Options": options})
			if err != nil {
				return err
			}
			defer s.end()
			p.URL, p.Server = s.url, s.command.Process.Pid
		}
		for _, n := range b.share {
			p.Batch = n
			probes = append(probes, b.load(share(form, n), p))
		}
	}
	return b.results.play(ctx, "sdk-server", b.rounds, probes)
}

// inside counts allocations, and what a tally holds.
func (b *bench) inside(ctx context.Context) error {
	s, err := serve("bare", nil)
	if err != nil {
		return err
	}
	defer s.end()
	lines, err := again("bare-lines", "differs")
	if err != nil {
		return err
	}
	var probes []probe
	for _, form := range inForms {
		p := b.plan(s.url+"/differs", 10, 8)
		p.For, p.Windows = b.for_/2, 3
		switch form {
		case measure.FormSSE:
			p.URL += "/sse"
		case measure.FormStdio:
			p.URL, p.Command = "", lines
		}
		probes = append(probes, b.load(inside(form), p))
	}
	probes = append(probes, probe{oneTally, func(ctx context.Context) (figures, error) { return ask(ctx, "tallies", plan{Batch: b.samples}) }})
	return b.results.play(ctx, "inside", b.rounds, probes)
}

// The stalls of the server, and the load on it.
const (
	stallFor   = 400 * time.Millisecond
	stallEvery = 2 * time.Second
	stallDelay = 10 * time.Millisecond
	openRate   = 500
)

// time compares latencies with the truth.
func (b *bench) time(ctx context.Context) error {
	slow, err := serve("bare", nil)
	if err != nil {
		return err
	}
	defer slow.end()
	stalls, err := serve("backend", map[string]any{"Options": fakebackend.Options{
		Fast: true, JSONAnswers: true, PerCallDelay: stallDelay, Stall: fakebackend.Stall{For: stallFor, Every: stallEvery},
	}})
	if err != nil {
		return err
	}
	defer stalls.end()
	open := plan{URL: slow.url + "/slow", Batch: 10, Users: 64, Rate: openRate, For: 2 * time.Second, Warm: 200 * time.Millisecond}
	stall := plan{URL: stalls.url, Backend: true, Batch: 10, Users: 300, Rate: openRate, For: 2 * stallEvery, Warm: stallEvery}
	closed := plan{URL: stalls.url, Backend: true, Batch: 10, Users: 5, For: 2 * stallEvery, Warm: stallEvery}
	return b.results.play(ctx, "time", b.rounds, []probe{
		b.load(openLoop, open),
		{openTruth, func(ctx context.Context) (figures, error) { return truth(ctx, slow.url) }},
		b.load(stalled, stall),
		b.load(stallClosed, closed),
	})
}

// truth asks the bare server how long its slow calls took.
func truth(ctx context.Context, url string) (figures, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/truth", nil)
	if err != nil {
		return figures{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return figures{}, err
	}
	defer response.Body.Close()
	f := figures{Calls: 1}
	return f, json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&f.Latency)
}

// view has the command load a server, with its bar on a terminal, and its users without
// anything around them.
func (b *bench) view(ctx context.Context) error {
	terminal, end, err := openTerminal()
	if err != nil {
		b.missing[viewOn] = err.Error()
		return nil
	}
	defer end()
	program := filepath.Join(b.dir, "mcpconform")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/mcpconform").CombinedOutput(); err != nil {
		return fmt.Errorf("compiling the command: %w: %.300s", err, out)
	}
	s, err := serve("bare", nil)
	if err != nil {
		return err
	}
	defer s.end()
	file, err := b.peers.write("bare.yaml", bareTarget)
	if err != nil {
		return err
	}
	report := filepath.Join(b.dir, "report.json")
	shown := func(ctx context.Context, terminal *os.File, more ...string) (figures, error) {
		ctx, cancel := context.WithTimeout(ctx, longest)
		defer cancel()
		// A server that does nothing is no limit, and load says so: exit status 3.
		_, err := finish(exec.CommandContext(ctx, program, append([]string{"load", "--target", file, "--url", s.url, "--batch", "1", "--concurrency", "8", "--items", "same",
			"--rounds", "1", "--duration", b.for_.String(), "--warm-up", b.warm.String(), "--output", "json=" + report}, more...)...), terminal)
		if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 3) {
			return figures{}, err
		}
		written, err := os.Open(report)
		if err != nil {
			return figures{}, err
		}
		defer written.Close()
		r, err := reports.Read(written)
		if err != nil {
			return figures{}, err
		}
		return told(r)
	}
	return b.results.play(ctx, "view", viewRounds*b.rounds, []probe{
		{viewOff, func(ctx context.Context) (figures, error) { return ask(ctx, "direct", b.plan(s.url, 1, 8)) }},
		{viewOn, func(ctx context.Context) (figures, error) { return shown(ctx, terminal) }},
		{unseen, func(ctx context.Context) (figures, error) { return shown(ctx, nil, "--quiet") }},
	})
}
