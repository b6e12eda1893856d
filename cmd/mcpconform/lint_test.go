package main

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

func TestLintReadsATargetFile(t *testing.T) {
	t.Parallel()
	got := mcpconform(t, "lint", "../../fixtures/targets/task-manager.yaml").exits(t, 0)
	says(t, "lint", got.out, "task-manager.yaml: 1 operation (1 that writes); it reads well", "\ngaps\n", "task-manager.yaml:16: operations.request-planning.items.bad: the target file names no bad items", "evidence for AGG-02")
	says(t, "stderr", mcpconform(t, "lint", write(t, "bad.yaml", "version: 1\nnmae: x\n")).exits(t, 2).err, "bad.yaml:2:1: unknown key `nmae`; did you mean `name`?")
	// What only the server's list tells is no mistake of the file.
	got = mcpconform(t, "lint", "../../fixtures/targets/fakebackend-dry-run.yaml").exits(t, 0)
	says(t, "lint", got.out, "it reads well", "the server was not asked for it")
	silent(t, "lint", got.out, "\nwrong\n")
	says(t, "stderr", mcpconform(t, "lint", "../../fixtures/targets/fakebackend.yaml", "--url", "http://127.0.0.1:1/mcp").exits(t, 2).err, "without --live", "add --live")
	says(t, "stderr", mcpconform(t, "lint").exits(t, 2).err, "lint needs one target file")
	says(t, "stderr", mcpconform(t, "lint", "none.yaml").exits(t, 2).err, "none.yaml")
}

// What the server lists is held against the file, and no tool is called.
func TestLintHoldsAFileAgainstTheServer(t *testing.T) {
	t.Parallel()
	running := backend(t, fakebackend.Options{})
	file := ownTarget(t, running.URL, "environments: {staging: {timeouts: {call: 9s}}}\n")
	got := mcpconform(t, "lint", "--live", file, "--env", "staging").exits(t, 0)
	says(t, "lint", got.out, "4 operations (3 that write); environments staging; held against what the server lists")
	silent(t, "lint", got.out, "\nwrong\n", "looks multi-item")

	text := strings.NewReplacer("tool: query_orders", "tool: query_order", "tool: validate_subscriptions", "tool: validate_subscription").Replace(read(t, file))
	got = mcpconform(t, "lint", "--live", write(t, "drifted.yaml", text)).exits(t, 2)
	says(t, "lint", got.out, "\nwrong\n", `operations.query-orders.tool: the server does not list the tool "query_order"; did you mean query_orders?`,
		"the tool query_orders looks multi-item", "operations.cancel-subscriptions.validator.tool")
	if calls := running.Backend.Effects(); len(calls) > 0 {
		t.Errorf("tools were called: %v", calls)
	}
	mcpconform(t, "lint", "--live", ownTarget(t, "http://127.0.0.1:1/mcp", "")).exits(t, 4)
}
