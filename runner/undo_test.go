package runner

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/target"
)

// Hands that are a command get the ids on standard input; its status says whether
// it was done, and the eyes have the last word.
func TestACommandTakesBack(t *testing.T) {
	for name, c := range map[string]struct {
		script, takes string
		left          bool
		why, read     string
	}{
		"done":          {`cat >> FILE`, "ids", false, "", `["a","b","c"]` + "\n"},
		"one at a time": {`cat >> FILE`, "id", false, "", "\"a\"\n\"b\"\n\"c\"\n"},
		"whole items":   {`cat >> FILE`, "items", false, "", `["a","b","c"]` + "\n"},
		"it failed":     {`cat > FILE; echo no such shop >&2; exit 3`, "ids", true, "no such shop", `["a","b","c"]` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(&late{n: 1, looks: map[string]int{}})
			defer server.Close()
			folder := t.TempDir()
			file := filepath.Join(folder, "read.json")
			script := filepath.Join(folder, "undo.sh")
			if err := os.WriteFile(script, []byte("#!/bin/sh\n"+strings.ReplaceAll(c.script, "FILE", file)+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			text := strings.NewReplacer("URL", server.URL+"/mcp", "SCRIPT", script, "TAKES", c.takes).Replace(commanded)
			shop, err := target.Parse("shop.yaml", []byte(text), func(string) (string, bool) { return "", false })
			if err != nil {
				t.Fatal(err)
			}
			report, err := Run(context.Background(), shop, Options{Scenarios: []string{"all-succeed/three"}, Operations: []string{"cancel"}, AllowCommands: true})
			if err != nil {
				t.Fatal(err)
			}
			if left := len(report.LeftBehind) > 0; left != c.left || left && !strings.Contains(report.LeftBehind[0].What, c.why) {
				t.Errorf("left behind %+v", report.LeftBehind)
			}
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if read := sorted(string(got), c.takes == "id"); read != c.read {
				t.Errorf("it read %q", read)
			}
		})
	}
}

// sorted puts what was read in order: lines, or the elements of a list.
func sorted(text string, lines bool) string {
	if lines {
		list := strings.Fields(text)
		slices.Sort(list)
		return strings.Join(list, "\n") + "\n"
	}
	list := strings.Split(strings.Trim(text, "[]\n"), ",")
	slices.Sort(list)
	return "[" + strings.Join(list, ",") + "]\n"
}

// Nobody looks here: the command's word is all there is.
const commanded = `
version: 1
server: {url: "URL"}
operations:
  cancel:
    tool: cancel_all
    effect: write
    input: {argument: items}
    probe: none
    undo: {command: ["SCRIPT"], takes: TAKES}
    items: {good: [a, b, c], bad: [x, y, z]}
`
