package runner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

const watcher = `version: 1
name: shop
server: {url: "http://127.0.0.1:1/mcp"}
operations:
  cancel:
    tool: cancel_all
    effect: write
    input: {argument: items}
    probe: {command: [PROGRAM]}
`

func TestWhoseCommandsAreRun(t *testing.T) {
	tree, elsewhere := t.TempDir(), t.TempDir()
	t.Chdir(tree)
	write := func(path, text string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(filepath.Join(tree, "look.sh"), "#!/bin/sh\necho '[]'\n")
	foreign := write(filepath.Join(elsewhere, "look.sh"), "#!/bin/sh\necho '[]'\n")
	if err := os.Symlink(foreign, filepath.Join(tree, "link.sh")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, folder, program string
		says                  string
	}{
		{"both of the working tree", tree, "./look.sh", ""},
		{"a program from elsewhere", tree, foreign, "is no file of the working tree"},
		{"a link to elsewhere", tree, "./link.sh", "is no file of the working tree"},
		{"a program of the system", tree, "sh", "is no file of the working tree"},
		{"a program that is not there", tree, "./gone.sh", "cannot be run"},
		{"a folder", tree, "./.", "folder"},
		{"a target file from elsewhere", elsewhere, "./look.sh", "the target file is not in the working tree"},
	} {
		path := write(filepath.Join(c.folder, "target.yaml"), strings.Replace(watcher, "PROGRAM", c.program, 1))
		file, err := target.Load(path, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		err = commands(file, false)
		if (err == nil) != (c.says == "") || err != nil && (!strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "target.yaml:9:22")) {
			t.Errorf("%s: %v", c.name, err)
		}
		var wrong *UsageError
		if err != nil && !errors.As(err, &wrong) {
			t.Errorf("%s: %T", c.name, err)
		}
		if err := commands(file, true); err != nil {
			t.Errorf("%s, allowed: %v", c.name, err)
		}
	}
}

func TestWhatEyesSeeIsRedacted(t *testing.T) {
	r := newRedactor([]Secret{{Name: "KEY", Value: "geheimnis-1"}}, nil)
	for _, o := range []conform.Observation{
		{Effect: &conform.Effect{Eyes: "GET /geheimnis-1", Problem: "status 500: geheimnis-1", States: []conform.State{{ID: "geheimnis-1"}}, Canaries: []conform.State{{State: `"geheimnis-1"`}}}},
		{PutBack: &conform.PutBack{Hands: "POST /geheimnis-1", Problem: "status 500: geheimnis-1"}},
	} {
		var out strings.Builder
		rewrite(&o, r)
		if err := conform.WriteLine(&out, o); err != nil || strings.Contains(out.String(), "geheimnis") || !strings.Contains(out.String(), "[redacted KEY]") {
			t.Errorf("%s %v", out.String(), err)
		}
	}
}
