package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/bench/sdkloop"
)

// shot is one measurement of a peer: what to call, by how many, for how long.
type shot struct {
	url   string
	batch int
	users int
	for_  time.Duration
}

// peer is a tool that others use to load servers. It sends the requests that our load
// sends; those that speak HTTP only check nothing but the status, if that.
type peer struct {
	name    string
	version string
	shoot   func(context.Context, shot) (figures, error) // nil: it is not here
	missing string                                       // why
}

// peers are the tools to compare with.
type peers struct {
	dir  string // for what they read
	each map[string]*peer
}

// The names of the peers.
const (
	wrk        = "wrk"
	bombardier = "bombardier"
	hey        = "hey"
	vegeta     = "vegeta"
	sdk        = "go-sdk client"
)

// modules are the peers that tools.mod pins, and their packages.
var modules = map[string]string{
	bombardier: "github.com/codesenberg/bombardier",
	hey:        "github.com/rakyll/hey",
	vegeta:     "github.com/tsenart/vegeta/v12",
}

// findPeers compiles the peers that are Go modules into a folder, and finds the others.
func findPeers(ctx context.Context, dir string) *peers {
	p := &peers{dir: dir, each: map[string]*peer{}}
	at := func(name string) string { return filepath.Join(dir, name) }
	p.each[wrk] = &peer{name: wrk, version: packaged(ctx, wrk)}
	if program, err := exec.LookPath("wrk"); err != nil {
		p.each[wrk].missing = "the program wrk is not installed; it is a package of Debian"
	} else {
		p.each[wrk].shoot = func(ctx context.Context, s shot) (figures, error) { return p.wrk(ctx, program, s) }
	}
	for name, path := range modules {
		p.each[name] = &peer{name: name, version: pinned(ctx, path)}
		build := exec.CommandContext(ctx, "go", "build", "-modfile=bench/tools.mod", "-o", at(name), path)
		if out, err := build.CombinedOutput(); err != nil {
			p.each[name].missing = fmt.Sprintf("it could not be compiled: %v: %.300s", err, out)
		}
	}
	if p.each[bombardier].missing == "" {
		p.each[bombardier].shoot = func(ctx context.Context, s shot) (figures, error) { return p.bombardier(ctx, at(bombardier), s) }
	}
	if p.each[hey].missing == "" {
		p.each[hey].shoot = func(ctx context.Context, s shot) (figures, error) { return p.hey(ctx, at(hey), s) }
	}
	if p.each[vegeta].missing == "" {
		p.each[vegeta].shoot = func(ctx context.Context, s shot) (figures, error) { return p.vegeta(ctx, at(vegeta), s) }
	}
	p.each[sdk] = theSDK()
	p.each[inspector] = p.theInspector(ctx)
	return p
}

// theSDK is the client of the go-sdk, called by package sdkloop.
func theSDK() *peer {
	return &peer{name: sdk, version: "github.com/modelcontextprotocol/go-sdk, as go.mod has it", shoot: func(ctx context.Context, s shot) (figures, error) {
		return ask(ctx, "sdk", sdkloop.Plan{URL: s.url, Users: s.users, Items: items(s.batch), For: s.for_})
	}}
}

// pinned is the version that tools.mod has.
func pinned(ctx context.Context, path string) string {
	out, err := exec.CommandContext(ctx, "go", "list", "-modfile=bench/tools.mod", "-m", path).Output()
	if err != nil {
		return "not known"
	}
	return "module " + strings.TrimSpace(string(out))
}

// packaged is the version of a package of Debian.
func packaged(ctx context.Context, name string) string {
	out, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f", "${Version}", name).Output()
	if err != nil {
		return "not of Debian"
	}
	return "Debian " + string(out)
}

// body is the request that our load sends for a batch.
func body(batch int) string {
	return `{"jsonrpc":"2.0","id":1100000000,"method":"tools/call","params":{"name":"query","arguments":` + string(planned(items(batch)).Arguments) + `}}`
}

// The header fields of a request.
const (
	accept      = "application/json, text/event-stream"
	contentType = "application/json"
)

// write puts a file for a peer to read into the folder.
func (p *peers) write(name, text string) (string, error) {
	path := filepath.Join(p.dir, name)
	return path, os.WriteFile(path, []byte(text), 0o600)
}

var rate = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)
var strange = regexp.MustCompile(`Non-2xx or 3xx responses: .*|Socket errors: .*|Error distribution:`)

// rateOf reads what wrk and hey print.
func rateOf(m measured, took time.Duration) (figures, error) {
	if odd := strange.Find(m.out); odd != nil {
		return figures{}, fmt.Errorf("it had errors: %s", odd)
	}
	found := rate.FindSubmatch(m.out)
	if found == nil {
		return figures{}, fmt.Errorf("no rate in %.300q", m.out)
	}
	r, err := strconv.ParseFloat(string(found[1]), 64)
	if err != nil || r <= 0 {
		return figures{}, errors.New("it made no calls")
	}
	calls := r * took.Seconds()
	return figures{Calls: calls, Rate: r, CPU: m.cpu.Seconds() * 1e6 / calls}, nil
}

func (p *peers) wrk(ctx context.Context, program string, s shot) (figures, error) {
	script, err := p.write("post.lua", fmt.Sprintf("wrk.method = \"POST\"\nwrk.headers[\"Content-Type\"] = %q\nwrk.headers[\"Accept\"] = %q\nwrk.body = %q\n", contentType, accept, body(s.batch)))
	if err != nil {
		return figures{}, err
	}
	m, err := execute(ctx, program, "-t", "1", "-c", strconv.Itoa(s.users), "-d", seconds(s.for_), "-s", script, s.url)
	if err != nil {
		return figures{}, err
	}
	return rateOf(m, s.for_)
}

// seconds is a time as those write it who know whole seconds only.
func seconds(d time.Duration) string { return strconv.Itoa(max(1, int(d.Seconds()+0.5))) + "s" }

func (p *peers) hey(ctx context.Context, program string, s shot) (figures, error) {
	file, err := p.write("body.json", body(s.batch))
	if err != nil {
		return figures{}, err
	}
	m, err := execute(ctx, program, "-z", s.for_.String(), "-c", strconv.Itoa(s.users), "-m", "POST", "-T", contentType, "-A", accept, "-D", file, s.url)
	if err != nil {
		return figures{}, err
	}
	return rateOf(m, s.for_)
}

func (p *peers) bombardier(ctx context.Context, program string, s shot) (figures, error) {
	file, err := p.write("body.json", body(s.batch))
	if err != nil {
		return figures{}, err
	}
	m, err := execute(ctx, program, "-c", strconv.Itoa(s.users), "-d", s.for_.String(), "-m", "POST", "-H", "Content-Type: "+contentType, "-H", "Accept: "+accept, "-f", file, "-p", "r", "-o", "json", s.url)
	if err != nil {
		return figures{}, err
	}
	var told struct {
		Result struct {
			Took float64 `json:"timeTakenSeconds"`
			Good float64 `json:"req2xx"`
			Bad4 float64 `json:"req4xx"`
			Bad5 float64 `json:"req5xx"`
			Bad  float64 `json:"others"`
		}
	}
	if err := json.Unmarshal(m.out, &told); err != nil {
		return figures{}, fmt.Errorf("%w: %.300s", err, m.out)
	}
	if r := told.Result; r.Good == 0 || r.Bad+r.Bad4+r.Bad5 > 0 || r.Took == 0 {
		return figures{}, fmt.Errorf("it had errors: %.300s", m.out)
	}
	return figures{Calls: told.Result.Good, Rate: told.Result.Good / told.Result.Took, CPU: m.cpu.Seconds() * 1e6 / told.Result.Good}, nil
}

func (p *peers) vegeta(ctx context.Context, program string, s shot) (figures, error) {
	file, err := p.write("body.json", body(s.batch))
	if err != nil {
		return figures{}, err
	}
	targets, err := p.write("targets", fmt.Sprintf("POST %s\nContent-Type: %s\nAccept: %s\n@%s\n", s.url, contentType, accept, file))
	if err != nil {
		return figures{}, err
	}
	results := filepath.Join(p.dir, "results")
	users := strconv.Itoa(s.users)
	m, err := execute(ctx, program, "attack", "-rate", "0", "-workers", users, "-max-workers", users, "-connections", users, "-duration", s.for_.String(), "-targets", targets, "-output", results)
	if err != nil {
		return figures{}, err
	}
	report, err := execute(ctx, program, "report", "-type", "json", results)
	if err != nil {
		return figures{}, err
	}
	var told struct {
		Requests   float64
		Throughput float64
		Success    float64
	}
	if err := json.Unmarshal(report.out, &told); err != nil {
		return figures{}, fmt.Errorf("%w: %.300s", err, report.out)
	}
	if told.Success < 1 || told.Requests == 0 {
		return figures{}, fmt.Errorf("it had errors: %.300s", report.out)
	}
	return figures{Calls: told.Requests, Rate: told.Throughput, CPU: m.cpu.Seconds() * 1e6 / told.Requests}, nil
}
