package target

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpconform/mcpconform/conform"
)

func TestATargetWithoutAFile(t *testing.T) {
	f, err := FromURL("https://acme.example:8443/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Conform(); c.Name != "acme.example:8443" || c.Host != "acme.example:8443" || c.HasFile || c.Transport != "streamable-http" {
		t.Errorf("%+v", c)
	}
	if f, err = FromCommand([]string{"/usr/bin/acme", "--stdio"}); err != nil {
		t.Fatal(err)
	}
	if c := f.Conform(); c.Name != "acme" || c.Host != "" || c.HasFile || c.Transport != "stdio" {
		t.Errorf("%+v", c)
	}
	for _, address := range []string{"", "acme.example", "ftp://acme.example", "http://", "http://acme.example/#a", "http://[::1", "http://user:secret word@acme.example"} {
		if _, err := FromURL(address, nil); err == nil {
			t.Errorf("%q was taken for a URL", address)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
	if _, err := FromURL("http://localhost", []conform.HeaderField{{Name: "A", Value: "x\r\nB: y"}}); err == nil {
		t.Error("a header with a line break was taken")
	}
	for _, command := range [][]string{nil, {""}} {
		if _, err := FromCommand(command); err == nil {
			t.Errorf("%q was taken for a command", command)
		}
	}
}

func TestAnotherServerBesideTheFile(t *testing.T) {
	f := whole(t)
	s, err := ServerAt("http://localhost:1/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	other := f.WithServer(s)
	if other.Server.URL != "http://localhost:1/mcp" || len(other.Server.Headers) != 0 || other.Server.Protocol != "2025-11-25" || len(other.Operations) != 3 {
		t.Errorf("%+v", other.Server)
	}
	for _, secret := range other.Secrets() {
		if secret.Name != "OTHER_SECRET" {
			t.Errorf("%s of the old server is still there", secret.Name)
		}
	}
	if f.Server.URL == other.Server.URL || len(f.Server.Headers) != 2 {
		t.Error("the file's own server was changed")
	}
	more, err := f.WithHeaders([]conform.HeaderField{{Name: "X-Tenant", Value: "two"}, {Name: "X-New", Value: "three"}})
	if err != nil {
		t.Fatal(err)
	}
	if conform.Field(more.Server.Headers, "x-tenant") != "two" || len(more.Server.Headers) != 3 || len(f.Server.Headers) != 2 {
		t.Errorf("%+v", more.Server.Headers)
	}
	command, _ := ServerOf([]string{"acme"})
	if _, err := f.WithServer(command).WithHeaders([]conform.HeaderField{{Name: "A", Value: "b"}}); err == nil {
		t.Error("headers for a command")
	}
	nowhere, err := Parse("acme.yaml", []byte("version: 1\noperations: {}\n"), noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	var e *Error
	if err := nowhere.Reachable(); !errors.As(err, &e) || nowhere.WithServer(s).Reachable() != nil {
		t.Errorf("%v", err)
	}
}

func TestTheRunsOwnFolder(t *testing.T) {
	src := `
version: 1
server:
  command: [acme, "${RUN_DIR}", "$${RUN_DIR}"]
  dir: ${RUN_DIR}
  env: {FILE: "${RUN_DIR}/all.txt"}
  copy:
    - {from: seed/head.txt, to: all.txt}
    - {from: seed/line.txt, to: all.txt, count: 3}
    - {from: seed/line.txt, to: "many/{n}/line.txt", count: 2}
    - {from: seed/line.txt, to: plain.txt}
`
	files := fstest.MapFS{"seed/head.txt": {Data: []byte("head\n")}, "seed/line.txt": {Data: []byte("line {n}\n")}}
	f, err := parse("acme.yaml", []byte(src), "", noEnvironment, files, "")
	if err != nil {
		t.Fatal(err)
	}
	bound, remove, err := f.MakeRunDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := bound.Server.Dir
	t.Cleanup(func() { _ = remove() })
	if bound.Server.Command[1] != dir || bound.Server.Command[2] != "${RUN_DIR}" || bound.Server.Env[0] != "FILE="+dir+"/all.txt" {
		t.Errorf("%+v", bound.Server)
	}
	for name, want := range map[string]string{
		"all.txt": "head\nline 1\nline 2\nline 3\n", "many/1/line.txt": "line 1\n", "many/2/line.txt": "line 2\n", "plain.txt": "line {n}\n",
	} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	other, removeOther, err := f.MakeRunDir()
	if err != nil {
		t.Fatal(err)
	}
	if other.Server.Dir == dir {
		t.Error("two runs share a folder")
	}
	for _, take := range []func() error{remove, removeOther} {
		if err := take(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestNoFolderWithoutNeed(t *testing.T) {
	f := whole(t)
	bound, remove, err := f.MakeRunDir()
	if err != nil || bound != f || remove() != nil {
		t.Errorf("%v", err)
	}
}

func TestCopiesAreBounded(t *testing.T) {
	files := fstest.MapFS{"big.txt": {Data: make([]byte, 1<<20)}}
	src := "version: 1\nserver: {command: [a], copy: [{from: big.txt, to: \"{n}\", count: 65}]}\n"
	f, err := parse("acme.yaml", []byte(src), "", noEnvironment, files, "")
	if err != nil {
		t.Fatal(err)
	}
	before, _ := filepath.Glob(filepath.Join(os.TempDir(), "mcpconform-run-*"))
	if _, _, err := f.MakeRunDir(); err == nil || !strings.Contains(err.Error(), "big.txt") {
		t.Errorf("%v", err)
	}
	if after, _ := filepath.Glob(filepath.Join(os.TempDir(), "mcpconform-run-*")); len(after) > len(before) {
		t.Error("the folder of a run that could not begin is left behind")
	}
}

func TestAFileToCopyMustBeThere(t *testing.T) {
	src := "version: 1\nserver: {command: [a], copy: [{from: seed.txt, to: a}, {from: folder, to: b}]}\n"
	_, err := parse("acme.yaml", []byte(src), "", noEnvironment, fstest.MapFS{"folder/x": {}}, "")
	for _, want := range []string{"acme.yaml:2:38: there is no file seed.txt", "acme.yaml:2:63: there is no file folder"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
