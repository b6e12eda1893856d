package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

func TestWhatAKilledRunLeftIsPutBack(t *testing.T) {
	t.Parallel()
	running := backend(t, noOptions)
	gate := gated(t, running)
	file, transcript := ownTarget(t, running.URL, ""), filepath.Join(t.TempDir(), "t.jsonl")
	gate.killed(t, "--target", file, "--url", gate.URL, "--operation", "cancel-products", "--seed", "4", "--transcript", transcript)
	if len(changedNow(t, running)) == 0 {
		t.Fatal("the run left nothing behind: there is nothing to see here")
	}

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
	running := backend(t, noOptions)
	gate := gated(t, running)
	file, transcript := ownTarget(t, running.URL, ""), filepath.Join(t.TempDir(), "t.jsonl")
	gate.killed(t, "--target", file, "--url", gate.URL, "--operation", "cancel-products", "--seed", "4", "--transcript", transcript)
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
