package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/runner"
)

// A tool that the server does not list is told before anything is written: by plan,
// and by run, which writes nothing that could not be put back, and looks at nothing
// where the eyes are not there.
func TestMisspeltToolsAreToldBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		serves   fakebackend.Options
		file     func(t *testing.T) string
		reason   string
		key      string
		check    string
		writes   bool // whatever else, what the operation does is asked
		silently string
	}{
		"reset": {serves: noOptions, file: func(t *testing.T) string {
			return changed(t, "fakebackend", "reset: {tool: reset}", "reset: {tool: rest}")
		},
			reason: `the server does not list the tool "rest"; did you mean reset?`, key: "operations.cancel-products.reset.tool", check: "RES-02"},
		"probe": {serves: noOptions, file: func(t *testing.T) string {
			return changed(t, "fakebackend", "tool: get_products,", "tool: get_produtcs,")
		},
			reason: `the server does not list the tool "get_produtcs"; did you mean get_products?`, key: "operations.cancel-products.probe.tool", check: "EFF-01", writes: true, silently: "get_produtcs"},
		"undo": {serves: undoing, file: func(t *testing.T) string { return undoTarget(t, "tool: restore_products", "tool: restore_product") },
			reason: `the server does not list the tool "restore_product"; did you mean restore_products?`, key: "operations.cancel-products.undo.tool", check: "RES-02"},
		"undo of the file": {serves: undoing, file: func(t *testing.T) string {
			return undoTarget(t, "    undo: {tool: restore_products, argument: items}\n", "", "version: 1\n", "version: 1\nundo: {tool: restore_product, argument: items}\n")
		}, reason: `the server does not list the tool "restore_product"; did you mean restore_products?`, key: "undo.tool", check: "RES-02"},
		"setup": {serves: undoing, file: func(t *testing.T) string { return undoTarget(t, "tool: add_products", "tool: ad_products") },
			reason: `the server does not list the tool "ad_products"; did you mean add_products?`, key: "operations.cancel-products.setup.tool", check: "RES-02"},
		"undo of the setup": {serves: undoing, file: func(t *testing.T) string { return undoTarget(t, "tool: remove_products", "tool: remove_product") },
			reason: `the server does not list the tool "remove_product"; did you mean remove_products?`, key: "operations.cancel-products.setup.undo.tool", check: "RES-02"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"--target", c.file(t), "--url", backend(t, c.serves).URL, "--seed", "4711", "--scenario", "partial/*", "--operation", "cancel-products"}
			told := func(l runner.LeftOut) bool { return strings.HasPrefix(l.Reason, c.reason) && l.Key == c.key }
			p := plan(t, args...)
			var found bool
			for _, l := range p.LeftOut {
				found = found || told(l)
			}
			if !found {
				t.Errorf("the plan leaves out %+v", p.LeftOut)
			}
			record := filepath.Join(t.TempDir(), "t.jsonl")
			r, _ := run(t, append(args, "--transcript", record)...)
			f := findings(r, c.check, "cancel-products")[0]
			if f.Verdict != conform.NotRun || !strings.HasPrefix(f.Reason, c.reason) || f.Hint != "correct `"+c.key+"` in the target file" {
				t.Errorf("%s is %s: %q, %q", c.check, f.Verdict, f.Reason, f.Hint)
			}
			wrote := false
			for _, call := range transcript(t, record).Calls {
				wrote = wrote || call.Planned.Role == conform.RolePrimary || call.Planned.Role == conform.RoleSetup
				if c.silently != "" && call.Planned.Tool == c.silently {
					t.Errorf("%s was called", c.silently)
				}
			}
			if wrote != c.writes {
				t.Errorf("written: %v, wanted %v", wrote, c.writes)
			}
		})
	}
}

// changed writes a built-in target file with one text in the place of another.
func changed(t *testing.T, name, text, instead string) string {
	t.Helper()
	whole := read(t, "../../fixtures/targets/"+name+".yaml")
	if !strings.Contains(whole, text) {
		t.Fatalf("%s does not hold %q", name, text)
	}
	return write(t, "target.yaml", strings.ReplaceAll(whole, text, instead))
}
