package platforms

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

func transport(s *Subject, w with) (seen sight) {
	if s.Transport == "" {
		return lacking(noTransport)
	}
	seen.of = 1
	if !slices.Contains(w.words, s.Transport) {
		seen.hit("", "", "the server was reached over "+s.Transport)
	}
	return seen
}

// local tells an address of this machine or of a private network.
func local(host string) (machine, private bool) {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	if ip == nil {
		return strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost"), false
	}
	return ip.IsLoopback(), ip.IsPrivate() || ip.IsLinkLocalUnicast()
}

// https looks whether a server outside can be reached by it. Of a server on this
// machine it is not known where it will stand.
func https(s *Subject, w with) (seen sight) {
	if s.Transport != "" && !slices.Contains(w.words, s.Transport) {
		return transport(s, w)
	}
	at, err := url.Parse(s.URL)
	if err != nil || at.Host == "" {
		return lacking(noTransport)
	}
	machine, private := local(at.Hostname())
	if machine {
		return lacking("the server was reached on this machine: where it will stand is not known")
	}
	seen.of = 1
	switch {
	case at.Scheme != "https":
		seen.hit("", "url", "the URL begins with "+at.Scheme+"://")
	case private:
		seen.hit("", "url", at.Hostname()+" is an address of a private network")
	}
	return seen
}

// address tells on which side of a private network an address lies.
func address(s *Subject, _ with) (seen sight) {
	at, err := url.Parse(s.URL)
	if err != nil || at.Host == "" {
		return lacking(noTransport)
	}
	if net.ParseIP(at.Hostname()) == nil && !strings.EqualFold(at.Hostname(), "localhost") {
		return lacking("what the name " + at.Hostname() + " resolves to depends on who asks")
	}
	seen.of = 1
	if machine, private := local(at.Hostname()); machine || private {
		seen.hit("", "url", at.Hostname()+" is not a public address")
	}
	return seen
}

func revision(s *Subject, w with) (seen sight) {
	spoken := s.Revisions
	if s.Protocol != "" && !slices.Contains(spoken, s.Protocol) {
		spoken = append(slices.Clone(spoken), s.Protocol)
	}
	if len(spoken) == 0 {
		return lacking("no revision was negotiated; profile the server itself, or a transcript")
	}
	if slices.ContainsFunc(spoken, func(r string) bool { return slices.Contains(w.words, r) }) {
		return sight{of: len(spoken)}
	}
	if len(s.Revisions) == 0 && s.Protocol > slices.Max(w.words) {
		return lacking(fmt.Sprintf("the server was spoken to in %s; whether it speaks an older revision too was not asked: --protocol %s", s.Protocol, slices.Max(w.words)))
	}
	seen.of = len(spoken)
	seen.hit("", "protocolVersion", "the server speaks "+names(spoken))
	return seen
}

// authorization looks which grants a server's authorization server takes.
func authorization(s *Subject, w with) (seen sight) {
	switch {
	case s.Transport == "stdio":
		return lacking("over stdio there is no authorization")
	case s.Grants != nil:
		seen.of = 1
		if !slices.ContainsFunc(s.Grants, func(g string) bool { return slices.Contains(w.words, g) }) {
			seen.hit("", "grant_types_supported", "the authorization server takes "+orNothing(s.Grants))
		}
		return seen
	case s.Credentials == "none":
		return sight{of: 1}
	}
	return lacking(cmp.Or(map[string]string{"sent": noCredentials}[s.Credentials], noTransport))
}

// onlyOthers finds servers that offer no tools, but what the platform does not use.
func onlyOthers(s *Subject, _ with) (seen sight) {
	if s.Capabilities == nil {
		return lacking("what the server offers is not known; profile the server itself, or a transcript")
	}
	seen.of = 1
	var others []string
	for _, name := range []string{"prompts", "resources"} {
		if s.Capabilities.Has(name) {
			others = append(others, name)
		}
	}
	if len(s.Tools) == 0 && len(others) > 0 {
		seen.hit("", "capabilities", "the server offers "+names(others)+", and no tools")
	}
	return seen
}

// latency looks at the slowest answer of each tool: its first byte, or with the unit
// whole its last. The limit is in seconds.
func latency(s *Subject, w with) (seen sight) {
	slowest := map[string]time.Duration{}
	for _, a := range s.Answers {
		took := a.FirstByte
		if w.unit == "whole" {
			took = a.Took
		}
		if took > 0 {
			seen.of++
			slowest[a.Tool] = max(slowest[a.Tool], took)
		}
	}
	if seen.of == 0 {
		return lacking(noTimes)
	}
	for _, t := range s.Tools {
		if took := slowest[t.Name]; took >= time.Duration(w.most)*time.Second {
			seen.hit(t.Name, "", fmt.Sprintf("the slowest of its answers took %s", took.Round(100*time.Millisecond)))
		}
	}
	return seen
}

// accept finds refusals of a request that takes one form of answer only.
func accept(s *Subject, _ with) (seen sight) {
	for _, e := range s.Exchanges {
		if e.Method != "POST" || e.Accept == "" || strings.Contains(e.Accept, ",") {
			continue
		}
		seen.of++
		if e.Status == 406 {
			seen.hit("", "Accept", "the server answers 406 to Accept: "+e.Accept)
		}
	}
	if seen.of == 0 {
		seen.lacks = "no request that takes one form of answer only was recorded"
	}
	return seen
}

func sseAddress(s *Subject, _ with) (seen sight) {
	for _, e := range s.Exchanges {
		if e.Event == "" {
			continue
		}
		seen.of++
		if at, err := url.Parse(e.Event); err != nil || !at.IsAbs() {
			seen.hit("", "endpoint", "the address "+quoted(e.Event)+" is no full one")
		}
	}
	if seen.of == 0 {
		seen.lacks = "no SSE connection that opens with an address was recorded"
	}
	return seen
}

// sseFramed tells whether answers to POST come as an event stream, and what a bare GET gets.
func sseFramed(s *Subject, _ with) (seen sight) {
	if len(s.Exchanges) == 0 {
		return lacking(noExchange)
	}
	plain := 0
	for _, e := range s.Exchanges {
		seen.of++
		switch {
		case e.Method == "POST" && e.Status == 200 && e.Media == "application/json":
			plain++
		case e.Method == "GET" && e.Status != 405 && e.Status != 200:
			seen.hit("", "GET", fmt.Sprintf("a bare GET is answered with status %d", e.Status))
		}
	}
	if plain > 0 {
		seen.hit("", "Content-Type", amount(plain, "answer")+" came as plain JSON, not as an event stream")
	}
	return seen
}

// inFlight looks whether so many calls at once were answered.
func inFlight(s *Subject, w with) (seen sight) {
	most := 0
	for _, a := range s.Answers {
		if most = max(most, a.Flight); a.Flight >= w.most {
			seen.of++
			if a.Result == nil {
				seen.hit(a.Tool, "", fmt.Sprintf("no result with %d calls in flight", a.Flight))
			}
		}
	}
	if seen.of == 0 {
		seen.lacks = fmt.Sprintf("no %d calls in flight together were recorded (most: %d)", w.most, most)
	}
	return seen
}

// called counts the calls of a recording that a budget a minute would have held back.
func called(s *Subject, w with) (seen sight) {
	if len(s.Answers) == 0 {
		return lacking(noAnswers)
	}
	seen.of = len(s.Answers)
	if n := len(s.Answers); n > w.most {
		minutes := (n + w.most - 1) / w.most
		seen.hit("", "", fmt.Sprintf("%s were recorded; at %d a minute they take %s", amount(n, "call"), w.most, amount(minutes, "minute")))
	}
	return seen
}

// tooMany looks how a server says that it is asked too often.
func tooMany(s *Subject, _ with) (seen sight) {
	for _, e := range s.Exchanges {
		switch {
		case e.Status == 429 && !e.RetryAfter:
			seen.of++
			seen.hit("", "Retry-After", "status 429 without Retry-After")
		case e.Status == 429, e.Status == 503 && e.RetryAfter:
			seen.of++
		}
	}
	if seen.of == 0 {
		seen.lacks = "the server never said that it is asked too often"
	}
	return seen
}
