package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
)

// forwarder is a forward proxy that takes every name for one server, as a proxy does
// that resolves names which the client cannot. It asks for a password.
type forwarder struct {
	*httptest.Server
	to                string
	tunnels, requests atomic.Int64
}

const proxyAuthorization = "Basic cHJveHk6c2VjcmV0LW9mLXRoZS1wcm94eQ==" // proxy:secret-of-the-proxy

func forward(t *testing.T, to string) *forwarder {
	f := &forwarder{to: to}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *forwarder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Proxy-Authorization") != proxyAuthorization {
		http.Error(w, "who are you?", http.StatusProxyAuthRequired)
		return
	}
	if r.Method != http.MethodConnect {
		f.requests.Add(1)
		r.URL.Host, r.RequestURI = f.to, ""
		r.Host = f.to
		r.Header.Del("Proxy-Authorization")
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			http.Error(w, "nobody there", http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = io.Copy(flushing{w}, answer.Body) // a client that is gone needs no more
		return
	}
	f.tunnels.Add(1)
	there, err := net.Dial("tcp", f.to)
	if err != nil {
		http.Error(w, "nobody there", http.StatusBadGateway)
		return
	}
	defer there.Close()
	here, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
	back := make(chan struct{})
	go func() { defer close(back); defer here.Close(); _, _ = io.Copy(here, there) }()
	_, _ = io.Copy(there, here)
	_ = there.Close()
	<-back
}

// flushing writes on what it gets at once, as event streams need it.
type flushing struct{ http.ResponseWriter }

func (f flushing) Write(b []byte) (int, error) {
	n, err := f.ResponseWriter.Write(b)
	_ = http.NewResponseController(f.ResponseWriter).Flush()
	return n, err
}

// as runs a command line in a process of its own, for its environment.
func as(t *testing.T, environment []string, args ...string) told {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), environment...)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run() // its exit code is looked at
	return told{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// certified gives certificates, and the flags by which a client uses them.
func certified(t *testing.T) (certificates *fakebackend.Certificates, ca, ours []string) {
	t.Helper()
	certificates, err := fakebackend.NewCertificates()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := certificates.Write(folder); err != nil {
		t.Fatal(err)
	}
	ca = []string{"--ca-file", filepath.Join(folder, fakebackend.CAFile)}
	return certificates, ca, []string{"--cert", filepath.Join(folder, fakebackend.CertFile), "--key", filepath.Join(folder, fakebackend.KeyFile)}
}

// serving starts a backend for as long as the test takes.
func serving(t *testing.T, address string, o fakebackend.Options) *fakebackend.Running {
	t.Helper()
	running, err := fakebackend.Listen(address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = running.Close() })
	return running
}

// verdictsOf are the verdicts of a run of the demonstration's target file on the rules of
// the contract, and on those of the protocol that every transport has.
func verdictsOf(t *testing.T, got told) []string {
	t.Helper()
	var all []string
	for _, f := range report(t, got.out).Findings {
		if !slices.Contains([]string{"PRO-12"}, f.ID) {
			line := fmt.Sprintf("%s %s %s", f.ID, f.Operation, f.Verdict)
			if f.Verdict == conform.Fail { // how often others pass hangs on how often the state was looked at
				line += fmt.Sprintf(" %d/%d", f.Count, f.Of)
			}
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

// TestEveryWayToAServerGivesTheSameFindings reaches a good server and a broken one by
// every way.
func TestEveryWayToAServerGivesTheSameFindings(t *testing.T) {
	certificates, ca, ours := certified(t)
	play := []string{"run", "--target", "builtin:fakebackend", "--effort", "quick", "--seed", "7", "--protocol", "2025-11-25", "--format", "json"}
	for _, fault := range []string{"", "RES-04/text-rows"} {
		var options fakebackend.Options
		want := 0
		if fault != "" {
			f, err := fakebackend.ParseFault(fault)
			if err != nil {
				t.Fatal(err)
			}
			options.Faults, want = []fakebackend.Fault{f}, 1
		}
		t.Run("fault "+fault, func(t *testing.T) {
			t.Parallel() // what is not on this machine is looked at for longer
			first := verdictsOf(t, mcpconform(t, append(play, "--url", serving(t, "127.0.0.1:0", options).URL)...).exits(t, want))
			if len(first) < 100 {
				t.Fatalf("%d findings", len(first))
			}
			same := func(way, http string, got told) {
				t.Helper()
				got.exits(t, want)
				if spoken := report(t, got.out).Target.HTTP; spoken != http {
					t.Errorf("%s: spoken by %q, wanted %q", way, spoken, http)
				}
				for _, line := range difference(first, verdictsOf(t, got)) {
					t.Errorf("%s: %s", way, line)
				}
			}
			secure := options
			secure.TLS, secure.DemandCertificate = certificates, true
			over := serving(t, "127.0.0.1:0", secure)
			flags := slices.Concat(ca, ours)
			same("HTTP/2", "HTTP/2.0", mcpconform(t, slices.Concat(play, []string{"--url", over.URL}, flags)...))
			secure.HTTP1 = true
			same("TLS", "HTTP/1.1", mcpconform(t, slices.Concat(play, []string{"--url", serving(t, "127.0.0.1:0", secure).URL}, flags)...))
			if listener, err := net.Listen("tcp", "[::1]:0"); err == nil {
				_ = listener.Close()
				same("IPv6", "HTTP/1.1", mcpconform(t, append(play, "--url", serving(t, "[::1]:0", options).URL)...))
			}
			socket := filepath.Join(short(t), "mcp.sock")
			same("a unix socket", "HTTP/1.1", mcpconform(t, append(play, "--url", serving(t, "unix:"+socket, options).URL)...))

			odd := options
			odd.Gzip, odd.Redirect = true, 307
			same("gzip behind a redirect", "HTTP/1.1", mcpconform(t, append(play, "--url", serving(t, "127.0.0.1:0", odd).URL)...))

			host := strings.TrimSuffix(strings.TrimPrefix(over.URL, "https://"), "/mcp")
			proxy := forward(t, host)
			name := "server:\n  url: https://server.example/mcp\n  headers: {Host: localhost} # the server takes no foreign one\n  tls: {ca_file: " + ca[1] + ", cert_file: " + ours[1] + ", key_file: " + ours[3] + ", server_name: localhost}\n"
			file := write(t, "target.yaml", strings.Replace(read(t, "../../fixtures/targets/fakebackend.yaml"), "version: 1\n", "version: 1\n"+name, 1))
			through := slices.Clone(play)
			through[2] = file
			environment := []string{"HTTPS_PROXY=http://proxy:secret-of-the-proxy@" + strings.TrimPrefix(proxy.URL, "http://"), "NO_PROXY="}
			got := as(t, environment, through...)
			same("a proxy", "HTTP/2.0", got)
			silent(t, "the run through a proxy", got.out+got.err, "secret-of-the-proxy")
			if proxy.tunnels.Load() == 0 {
				t.Error("the proxy made no tunnel")
			}
			bare := serving(t, "127.0.0.1:0", options)
			proxy = forward(t, strings.TrimSuffix(strings.TrimPrefix(bare.URL, "http://"), "/mcp"))
			environment[0] = "HTTP_PROXY=http://proxy:secret-of-the-proxy@" + strings.TrimPrefix(proxy.URL, "http://")
			got = as(t, environment, append(play, "--url", "http://server.example/mcp", "--allow-write", "server.example")...)
			same("a proxy of plain HTTP", "HTTP/1.1", got)
			silent(t, "the run through a proxy of plain HTTP", got.out+got.err, "secret-of-the-proxy")
			if proxy.requests.Load() == 0 {
				t.Error("the proxy was not asked")
			}
		})
	}
}

// difference tells what one list has and the other has not.
func difference(a, b []string) (lines []string) {
	for _, one := range a {
		if !slices.Contains(b, one) {
			lines = append(lines, "is missing: "+one)
		}
	}
	for _, one := range b {
		if !slices.Contains(a, one) {
			lines = append(lines, "is new: "+one)
		}
	}
	return lines
}

// short is a folder whose path is short enough for a unix socket in it.
func short(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "mcp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// TestAServerThatIsNotBelievedIsNotReached has each way in which TLS, or a proxy, keeps
// us out say so, with exit 4, in every command that connects.
func TestAServerThatIsNotBelievedIsNotReached(t *testing.T) {
	certificates, ca, ours := certified(t)
	_, otherCA, others := certified(t)
	running := serving(t, "127.0.0.1:0", fakebackend.Options{TLS: certificates, DemandCertificate: true})
	open := serving(t, "127.0.0.1:0", fakebackend.Options{})
	far := "127.0.0.2" // not in the certificate
	for name, c := range map[string]struct {
		url   string
		flags []string
		cause string
	}{
		"nobody's CA":           {running.URL, ours, "signed by nobody who is trusted"},
		"another CA":            {running.URL, slices.Concat(otherCA, ours), "signed by nobody who is trusted"},
		"no client certificate": {running.URL, ca, "asks for a client certificate, and none was given"},
		"another's certificate": {running.URL, slices.Concat(ca, others), "is it the right one?"},
		"plain HTTP":            {strings.Replace(open.URL, "http:", "https:", 1), ca, "does not speak TLS"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, command := range [][]string{{"run"}, {"plan"}, {"init"}, {"load", "--operation", "query-orders"}} {
				words := slices.Concat(command, []string{"--url", c.url}, c.flags)
				if command[0] != "init" {
					words = append(words, "--target", "builtin:fakebackend")
				}
				got := mcpconform(t, words...).exits(t, 4)
				says(t, command[0], got.err, c.cause)
				silent(t, command[0], got.err, "hint: is the server running")
			}
		})
	}
	t.Run("another name", func(t *testing.T) {
		listener, err := net.Listen("tcp", far+":0")
		if err != nil {
			t.Skip("skipped: needs a second loopback address")
		}
		_ = listener.Close()
		there := serving(t, far+":0", fakebackend.Options{TLS: certificates})
		got := mcpconform(t, append(ca, "plan", "--target", "builtin:fakebackend", "--url", there.URL)...).exits(t, 4)
		says(t, "plan", got.err, "certificate is for another name", "server_name")
	})
	t.Run("a proxy that wants a password", func(t *testing.T) {
		proxy := forward(t, strings.TrimSuffix(strings.TrimPrefix(running.URL, "https://"), "/mcp"))
		environment := []string{"HTTPS_PROXY=" + proxy.URL, "HTTP_PROXY=" + proxy.URL, "NO_PROXY="}
		for _, url := range []string{"https://server.example/mcp", "http://server.example/mcp"} {
			got := as(t, environment, "plan", "--target", "builtin:fakebackend", "--url", url).exits(t, 4)
			says(t, "plan", got.err, "the proxy ", "status 407", "user and password")
		}
	})
}

// TestNobodyIsInsecureByTheWay has --insecure warn loudly, on stderr and in the report.
func TestNobodyIsInsecureByTheWay(t *testing.T) {
	certificates, _, _ := certified(t)
	running := serving(t, "127.0.0.1:0", fakebackend.Options{TLS: certificates})
	got := mcpconform(t, "run", "--target", "builtin:fakebackend", "--url", running.URL, "--effort", "quick", "--insecure", "--format", "json").exits(t, 0)
	says(t, "stderr", got.err, "WARNING: INSECURE")
	if notes := report(t, got.out).Notes; !slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, "INSECURE") }) {
		t.Errorf("the report does not tell: %q", notes)
	}
}

// TestWhereTLSHasNoMeaning has flags and keys refused that would change nothing.
func TestWhereTLSHasNoMeaning(t *testing.T) {
	_, ca, ours := certified(t)
	for name, words := range map[string][]string{
		"no target":       slices.Concat([]string{"run"}, ca),
		"plain HTTP":      slices.Concat([]string{"run", "--url", "http://127.0.0.1:1/mcp"}, ca),
		"a command":       slices.Concat([]string{"run"}, ca, []string{"--", "mcpconform", "version"}),
		"a socket":        {"run", "--url", "unix:/run/mcp.sock", "--insecure"},
		"no key":          slices.Concat([]string{"run", "--url", "https://127.0.0.1:1/mcp"}, ours[:2]),
		"no such file":    {"run", "--url", "https://127.0.0.1:1/mcp", "--ca-file", "nowhere.pem"},
		"no certificates": {"run", "--url", "https://127.0.0.1:1/mcp", "--ca-file", "transports_test.go"},
	} {
		t.Run(name, func(t *testing.T) { mcpconform(t, words...).exits(t, 2) })
	}
	file := write(t, "target.yaml", "version: 1\nserver:\n  url: https://127.0.0.1:1/mcp\n  tls:\n    ca_file: nowhere.pem\n")
	got := mcpconform(t, "run", "--target", file).exits(t, 2)
	says(t, "stderr", got.err, file+":5:", "nowhere.pem")
}
