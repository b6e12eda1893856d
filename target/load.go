package target

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpconform/mcpconform/fixtures/targets"
)

// BuiltinPrefix marks the name of a target file that is part of the program.
const BuiltinPrefix = "builtin:"

// Load reads a target file; builtin:NAME reads one of those in fixtures/targets.
// getenv looks up the variables of the file (os.LookupEnv). The errors of a
// file are *Error, joined. A file without `server` is right by itself: it can be
// played on any deployment (WithServer), and Reachable tells of it.
func Load(path string, getenv func(string) (string, bool)) (*File, error) {
	return LoadIn(path, "", getenv)
}

// LoadIn is Load in one of the file's environments; empty: in none.
func LoadIn(path, environment string, getenv func(string) (string, bool)) (*File, error) {
	src, files, folder, err := source(path)
	if err != nil {
		return nil, err
	}
	return parse(path, src, environment, getenv, files, folder)
}

// source reads the bytes of a target file, and says what stands beside it.
func source(path string) (src []byte, files fs.FS, folder string, err error) {
	if name, ok := strings.CutPrefix(path, BuiltinPrefix); ok {
		src, err := targets.Read(name)
		if err != nil {
			return nil, nil, "", fmt.Errorf("reading the target file %s: %w", path, err)
		}
		return src, targets.Files(), "", nil
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, nil, "", fmt.Errorf("reading the target file: %w", err)
	}
	defer in.Close()
	src, err = io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return nil, nil, "", fmt.Errorf("reading the target file %s: %w", path, err)
	}
	folder = filepath.Dir(path)
	return src, os.DirFS(folder), folder, nil
}

// Parse reads a target file's bytes; name stands for the file in errors. A
// relative server.dir stays as it is, and server.copy finds no files.
func Parse(name string, src []byte, getenv func(string) (string, bool)) (*File, error) {
	return parse(name, src, "", getenv, nil, "")
}

func parse(name string, src []byte, environment string, getenv func(string) (string, bool), files fs.FS, folder string) (*File, error) {
	root, err := readYAML(name, src)
	if err != nil {
		return nil, err
	}
	r := &reader{file: name, folder: folder, getenv: getenv, files: files}
	return r.read(root, environment)
}

// read reads a file's nodes.
func (r *reader) read(root *node, environment string) (*File, error) {
	f := &File{Path: r.file, Timeouts: DefaultTimeouts, Environment: environment, folder: r.files}
	own := root.get("environments").get(environment).get("name")
	root = r.effective(root, environment)
	r.filledIn("", root)
	r.document(f, root)
	if environment != "" && own == nil {
		f.Name += " (" + environment + ")"
	}
	f.Environments, f.moved = r.environments, r.moved
	if err := join(r.errs); err != nil {
		return nil, err
	}
	if f.Server.Dir != "" && r.folder != "" && !filepath.IsAbs(f.Server.Dir) && !strings.HasPrefix(f.Server.Dir, runDirMark) {
		f.Server.Dir = filepath.Join(r.folder, f.Server.Dir)
	}
	f.home = hostOf(f.Server.URL)
	return f, nil
}
