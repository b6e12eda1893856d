package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// A file that was edited gets what is new at the server, and keeps the rest to the byte.
func TestInitBringsAFileUpToDate(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{})
	file := filepath.Join(t.TempDir(), "target.yaml")
	const head, tail = "# ours\nversion: 1\n", "\n# how long\ntimeouts: {call: 20s} # enough\n"
	own := head + "server: {url: \"" + running.URL + "\"}\noperations:\n  # by hand\n  query: {tool: query_orders, effect: read, input: {argument: order_ids}, items: {good: [O-1001, O-1002]}}\n" +
		"  old: {tool: gone_tool, effect: read, input: {argument: a}, items: {good: [\"1\"]}}\n"
	if err := os.WriteFile(file, []byte(own+tail), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mcpconform(t, "init", "--update", file).exits(t, 0)
	says(t, "stderr", got.err, "3 operations were added: cancel-products, cancel-products-workflow, cancel-subscriptions; search for FILL-IN", "does not list gone_tool any more, which the operation old calls")
	after := read(t, file)
	if !strings.HasPrefix(after, own) || !strings.HasSuffix(after, tail) || !strings.Contains(after, "\n  cancel-products:\n    tool: cancel_products\n") {
		t.Errorf("written\n%s", after)
	}
	if about, err := os.Stat(file); err != nil || about.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", about.Mode(), err)
	}
	// It has placeholders now, and is read with the server named.
	says(t, "stderr", mcpconform(t, "init", "--update", file).exits(t, 2).err, "FILL-IN", "with the server named: --url URL or -- CMD")
	says(t, "stderr", mcpconform(t, "init", "--update", file, "--url", running.URL).exits(t, 0).err, "nothing was written")
	if read(t, file) != after {
		t.Error("it was written a second time")
	}
	says(t, "stderr", mcpconform(t, "init", "--update", file, "-o", file).exits(t, 2).err, "leave -o and --force out")
	says(t, "stderr", mcpconform(t, "init", "--update", filepath.Join(t.TempDir(), "none.yaml")).exits(t, 2).err, "--update", "init -o FILE makes one")
}
