package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/scenarios"
	"github.com/mcpconform/mcpconform/suites"
)

func TestEveryCheckAndScenarioIsExplained(t *testing.T) {
	t.Parallel()
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range suites.All() {
		got := mcpconform(t, "explain", c.ID).exits(t, 0)
		says(t, "explain "+c.ID, got.out, c.ID+"  "+c.Title, "Level", "Why it matters", "Source", "A good answer", "A bad answer", "How to mend it", string(c.Basis))
		lower := mcpconform(t, "explain", strings.ToLower(c.ID)).exits(t, 0)
		if lower.out != got.out {
			t.Errorf("explain %s differs from explain %s", strings.ToLower(c.ID), c.ID)
		}
		for _, line := range strings.Split(got.out, "\n") {
			if line != strings.TrimRight(line, " ") {
				t.Errorf("explain %s: a line ends in spaces: %q", c.ID, line)
			}
		}
	}
	for _, s := range all {
		got := mcpconform(t, "explain", s.Name).exits(t, 0)
		says(t, "explain "+s.Name, got.out, s.Name+"  "+s.Title, "Feeds", s.AllChecks()[0])
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	all, err := scenarios.All()
	if err != nil {
		t.Fatal(err)
	}
	text := mcpconform(t, "list").exits(t, 0).out
	for _, c := range suites.All() {
		says(t, "list", text, "  "+c.ID+" ")
	}
	for _, s := range all {
		says(t, "list", text, "  "+s.Name+" ")
	}
	t.Run("the checks in JSON", func(t *testing.T) {
		var list []struct{ ID, Level, Basis, Group, Title, Text, Source, Since string }
		if err := json.Unmarshal([]byte(mcpconform(t, "list", "checks", "--format", "json").exits(t, 0).out), &list); err != nil {
			t.Fatal(err)
		}
		if len(list) != len(suites.All()) {
			t.Fatalf("%d checks, wanted %d", len(list), len(suites.All()))
		}
		for i, c := range suites.All() {
			if l := list[i]; l.ID != c.ID || l.Level != c.Level.String() || l.Title != c.Title || l.Text != c.Text || l.Source == "" || l.Since == "" {
				t.Errorf("%+v", l)
			}
		}
	})
	t.Run("the scenarios in JSON", func(t *testing.T) {
		var list []struct{ Name, Title, Why string }
		if err := json.Unmarshal([]byte(mcpconform(t, "list", "scenarios", "--format", "json").exits(t, 0).out), &list); err != nil {
			t.Fatal(err)
		}
		if len(list) != len(all) || list[0].Name != all[0].Name || list[0].Why == "" {
			t.Errorf("%d scenarios, the first %+v", len(list), list[0])
		}
	})
	t.Run("everything in JSON needs both lists", func(t *testing.T) {
		got := mcpconform(t, "list", "--format", "json")
		if got.code == 0 {
			var both struct{ Checks, Scenarios []any }
			if err := json.Unmarshal([]byte(got.out), &both); err != nil || len(both.Checks) != len(suites.All()) || len(both.Scenarios) != len(all) {
				t.Errorf("%d checks, %d scenarios, %v", len(both.Checks), len(both.Scenarios), err)
			}
			return
		}
		says(t, "stderr", got.exits(t, 2).err, "list checks", "list scenarios")
	})
	t.Run("the consequences", func(t *testing.T) {
		text := mcpconform(t, "list", "--consequences").exits(t, 0).out
		var table map[string][]string
		if err := json.Unmarshal([]byte(mcpconform(t, "list", "--consequences", "--format", "json").exits(t, 0).out), &table); err != nil {
			t.Fatal(err)
		}
		if len(table) == 0 {
			t.Fatal("no consequences")
		}
		for id, follow := range table {
			if _, err := suites.Find(id); err != nil {
				t.Errorf("%s: %v", id, err)
			}
			if len(follow) > 0 {
				says(t, "list --consequences", text, strings.Join(follow, ", "))
			}
		}
	})
}

func TestVersion(t *testing.T) {
	t.Parallel()
	c := suites.Default().Catalogue()
	says(t, "version", mcpconform(t, "version").exits(t, 0).out, "mcpconform ", c.Set, c.Digest, "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
}

func TestHelpIsGroupedByWhatAPersonCameFor(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"help"}, {}} {
		text := mcpconform(t, args...).exits(t, 0).out
		at := 0
		for _, word := range []string{"Try:", "  run ", "Certify:", "  judge ", "Learn:", "  explain "} {
			next := strings.Index(text[at:], word)
			if next < 0 {
				t.Errorf("mcpconform %v: no %q where it belongs in\n%s", args, word, text)
				continue
			}
			at += next
		}
	}
	for _, command := range []string{"run", "judge", "list", "explain", "fakebackend", "selftest", "version"} {
		got := mcpconform(t, command, "--help").exits(t, 0)
		says(t, command+" --help", got.out, "Usage:", "mcpconform "+command)
		if got.err != "" {
			t.Errorf("%s --help speaks on stderr: %s", command, got.err)
		}
	}
}

func TestTheFakeBackendPrintsItsAddressAndStopsOnASignal(t *testing.T) {
	t.Parallel()
	out, in := io.Pipe()
	defer out.Close()
	w := quiet()
	var errs safeBuffer
	w.out, w.err = in, &errs
	stop := make(chan struct{})
	w.signals = func(parent context.Context) (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(parent)
		go func() {
			<-stop
			cancel(signalled{os.Interrupt})
		}()
		return ctx, func() { cancel(nil) }
	}
	code := make(chan int, 1)
	go func() { code <- execute([]string{"fakebackend", "--http", "127.0.0.1:0"}, w) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(string(line[:n]))
	if !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(url, "/mcp") {
		t.Fatalf("the address is %q", url)
	}
	r, got := run(t, onBackend(url, "--scenario", "partial/bad-first", "--operation", "query-orders", "--checks", "RES-02")...)
	got.exits(t, 0)
	if r.Target.Server.Name != "fakebackend" {
		t.Errorf("the server says it is %q", r.Target.Server.Name)
	}
	close(stop)
	if c := <-code; c != 0 {
		t.Errorf("exit %d: %s", c, errs.String())
	}
	if _, err := http.Get(url); err == nil {
		t.Error("it still serves")
	}
}

func TestTheFakeBackendOnStandardInputEndsWithIt(t *testing.T) {
	t.Parallel()
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	w := quiet()
	var errs safeBuffer
	w.in, w.out, w.err = in, out, &errs
	code := make(chan int, 1)
	go func() { code <- execute([]string{"fakebackend", "--stdio"}, w) }()
	if _, err := io.WriteString(ask, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(answers).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		ID     int
		Result struct{ ServerInfo struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.ID != 1 || answer.Result.ServerInfo.Name != "fakebackend" {
		t.Errorf("%v: %s", err, line)
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != 0 {
		t.Errorf("exit %d: %s", c, errs.String())
	}
}

func TestEveryFaultIsListed(t *testing.T) {
	t.Parallel()
	text := mcpconform(t, "fakebackend", "--list-faults").exits(t, 0).out
	says(t, "the list", text, "RES-02/drops-failed", "CON-01/lost-update", "PRO-15/dies-on-large-batches")
}

func TestAFaultOfOursIsToldInOneLine(t *testing.T) {
	t.Parallel()
	w := quiet()
	w.signals = func(context.Context) (context.Context, func()) { panic(errors.New("oh no")) }
	got := mcpconformIn(t, w, "run", "--url", "http://127.0.0.1:1/mcp").exits(t, 5)
	says(t, "stderr", got.err, "a fault of ours: oh no", "MCPCONFORM_DEBUG=1")
}
