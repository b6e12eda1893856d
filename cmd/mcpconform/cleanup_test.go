package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// changedNow gives the products and subscriptions that are not as they were at
// the start.
func changedNow(t *testing.T, running *fakebackend.Running) []string {
	t.Helper()
	answer, err := http.Get(strings.TrimSuffix(running.URL, "/mcp") + "/state")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var state struct{ Products, Subscriptions []fakebackend.ItemState }
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	var changed []string
	for _, one := range append(state.Products, state.Subscriptions...) {
		if one.Cancellations > 0 {
			changed = append(changed, one.ID)
		}
	}
	return changed
}

// killedRun starts a run of cancel-products as a process of its own, and kills it
// as soon as something was cancelled.
func killedRun(t *testing.T, running *fakebackend.Running, file, transcript string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "run", "-q", "--target", file, "--operation", "cancel-products", "--seed", "4", "--transcript", transcript)
	c.Env = append(os.Environ(), asCommand+"=1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); cancelled(running.Backend) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			break
		}
	}
	_ = c.Process.Kill()
	_ = c.Wait() // it was killed
	if len(changedNow(t, running)) == 0 {
		t.Fatal("the run left nothing behind: there is nothing to see here")
	}
}

func TestWhatAKilledRunLeftIsPutBack(t *testing.T) {
	t.Parallel()
	// Each call takes a while, so that the run is killed before its next reset.
	running := backend(t, fakebackend.Options{PerCallDelay: 1500 * time.Millisecond})
	file, transcript := ownTarget(t, running.URL, ""), filepath.Join(t.TempDir(), "t.jsonl")
	killedRun(t, running, file, transcript)

	got := mcpconform(t, "cleanup", transcript).exits(t, 2)
	says(t, "stderr", got.err, "--target "+file)
	got = mcpconform(t, "cleanup", transcript, "--target", file, "--url", elsewhere(running.URL)).exits(t, 2)
	says(t, "stderr", got.err, "the recording is of 127.0.0.1", "localhost")
	foreign := ownTarget(t, elsewhere(running.URL), "")
	got = mcpconform(t, "cleanup", transcript, "--target", foreign, "--url", running.URL).exits(t, 2)
	says(t, "stderr", got.err, "--allow-write 127.0.0.1")
	without := withoutReset(t, file)
	got = mcpconform(t, "cleanup", transcript, "--target", without).exits(t, 1)
	says(t, "stdout", got.out, "cancel-products: left behind", "has no reset")
	if len(changedNow(t, running)) == 0 {
		t.Fatal("something was put back by a command line that was refused")
	}

	got = mcpconform(t, "cleanup", transcript, "--target", file).exits(t, 0)
	says(t, "stdout", got.out, "cancel-products: put back (", "that were or may have been changed)")
	if left := changedNow(t, running); len(left) > 0 {
		t.Errorf("still changed: %v", left)
	}
}

// withoutReset writes a target file again, without its resets.
func withoutReset(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "target.yaml")
	if err := os.WriteFile(other, []byte(strings.ReplaceAll(string(text), "reset: {tool: reset}", "reset: none")), 0o600); err != nil {
		t.Fatal(err)
	}
	return other
}

func TestWhatARunPutBackItselfIsLeftAlone(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{})
	file, transcript := ownTarget(t, running.URL, ""), filepath.Join(t.TempDir(), "t.jsonl")
	run(t, append([]string{"--target", file, "--transcript", transcript}, small...)...)
	before := len(running.Backend.Effects())
	got := mcpconform(t, "cleanup", transcript, "--target", file).exits(t, 0)
	says(t, "stdout", got.out, "nothing was left")
	if len(running.Backend.Effects()) != before {
		t.Error("something was done although nothing was left")
	}
	_ = running.Close()
}

func TestACleanupThatCannotReachTheServer(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{PerCallDelay: 1500 * time.Millisecond})
	file, transcript := ownTarget(t, running.URL, ""), filepath.Join(t.TempDir(), "t.jsonl")
	killedRun(t, running, file, transcript)
	_ = running.Close()
	got := mcpconform(t, "cleanup", transcript, "--target", file).exits(t, 4)
	says(t, "stdout", got.out, "cancel-products: left behind")
}

func TestWordsThatCleanupDoesNotTake(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		words []string
		says  string
	}{
		{nil, "takes one transcript"},
		{[]string{"a", "b"}, "takes one transcript"},
		{[]string{"no-such-file"}, "opening the transcript"},
		{[]string{empty}, "not a transcript"},
		{[]string{empty, "--", "node", "server.js"}, "not a transcript"},
		{[]string{"--", "node", "server.js"}, "takes one transcript"},
	} {
		got := mcpconform(t, append([]string{"cleanup"}, c.words...)...).exits(t, 2)
		says(t, "stderr", got.err, c.says)
	}
}
