package launch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary stand for a server.
func TestMain(m *testing.M) {
	kind, address := os.Getenv("LAUNCH_KIND"), os.Getenv("LAUNCH_ADDRESS")
	if kind == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "this is", kind)
	switch kind {
	case "dies":
		fmt.Println("no such database")
		os.Exit(3)
	case "sleeps":
		select {}
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "script": // what it starts does the work, as with npx
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), "LAUNCH_KIND=serves")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		_ = child.Run()
		os.Exit(0)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("listening on", listener.Addr())
	_ = http.Serve(listener, http.NotFoundHandler())
}

// spec is a server of a kind at a free port.
func spec(t *testing.T, kind string) Spec {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return Spec{
		Command: []string{os.Args[0]}, Env: []string{"LAUNCH_KIND=" + kind, "LAUNCH_ADDRESS=" + address},
		URL: "http://" + address + "/mcp", Timeout: time.Minute,
	}
}

func connects(spec Spec) bool {
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(spec.URL, "http://"), "/mcp"))
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

func TestStartWaitsUntilItIsReadyAndStopEndsAll(t *testing.T) {
	for name, c := range map[string]struct {
		kind string
		sign func(*Spec)
	}{
		"by its URL":                      {"serves", func(*Spec) {}},
		"by its port":                     {"serves", func(s *Spec) { s.Port = true }},
		"by a line of its log":            {"serves", func(s *Spec) { s.Log = regexp.MustCompile(`^listening on .*:\d+`) }},
		"one that another program starts": {"script", func(*Spec) {}},
		"one that does not mind SIGTERM":  {"stubborn", func(*Spec) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := spec(t, c.kind)
			c.sign(&spec)
			s, err := Start(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			if !connects(spec) {
				t.Error("it is ready and takes no connection")
			}
			if how, ended := s.Ended(0); ended {
				t.Errorf("it ended: %s", how)
			}
			s.Stop()
			if connects(spec) {
				t.Error("it is still there")
			}
		})
	}
}

func TestWhatDoesNotComeUpIsToldWithItsLastLine(t *testing.T) {
	for name, c := range map[string]struct {
		spec func(*testing.T) Spec
		want string
	}{
		"it ends": {func(t *testing.T) Spec { return spec(t, "dies") }, "ended before it was ready (exit status 3)"},
		"it is late": {func(t *testing.T) Spec {
			s := spec(t, "sleeps")
			s.Timeout = 300 * time.Millisecond
			return s
		}, "was not ready within 300ms"},
		"it never says so": {func(t *testing.T) Spec {
			s := spec(t, "serves")
			s.Log, s.Timeout = regexp.MustCompile("ready to serve"), 300*time.Millisecond
			return s
		}, "was not ready within 300ms"},
		"there is no such program": {func(t *testing.T) Spec {
			return Spec{Command: []string{"/no/such/program"}, URL: "http://127.0.0.1:1/", Timeout: time.Second}
		}, "starting the server: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Start(t.Context(), c.spec(t))
			if s != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestAnInterruptEndsTheWait(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := fmt.Errorf("the user pressed a key")
	cancel(why)
	if _, err := Start(ctx, spec(t, "sleeps")); err != why {
		t.Errorf("%v", err)
	}
}
