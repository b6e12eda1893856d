package target

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Copy puts a file into the run's folder before the server starts. A file that is
// there already is added to: so Count copies with one name make one long file,
// and with {n} in the name as many files.
type Copy struct {
	From  string // path from the target file's folder, with slashes
	To    string // path inside the run's folder, with slashes
	Count int    // how often it is written
	each  bool   // {n} counts the copies, in To and in the content
}

// Bounds on what is copied for one run.
const (
	MaxCopies   = 10_000
	maxCopyFile = 16 << 20 // bytes of one file
	maxCopied   = 64 << 20 // bytes of all copies of one line
)

// MakeRunDir makes the run's own folder, if the target asks for one by
// ${RUN_DIR} or server.copy, fills it, and gives the target with the folder's
// path in place. remove takes the folder away again; it is never nil. A target
// that needs no folder is given back as it is.
//
// Whoever starts the server calls it first, once a run: two runs never share a
// folder.
func (f *File) MakeRunDir() (bound *File, remove func() error, err error) {
	remove = func() error { return nil }
	if !f.Server.runDir {
		return f, remove, nil
	}
	dir, err := os.MkdirTemp("", "mcpconform-run-")
	if err != nil {
		return nil, remove, fmt.Errorf("making a folder for the run: %w", err)
	}
	// A server may resolve links and compare paths: give it the real one.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	clear := func() error { return os.RemoveAll(dir) }
	for _, c := range f.Server.Copy {
		if err := c.into(dir, f.folder); err != nil {
			_ = clear()
			return nil, remove, fmt.Errorf("copying %s into the run's folder: %w", c.From, err)
		}
	}
	return f.inDir(dir), clear, nil
}

// OwnFolder tells whether the server has a folder that is made for each run.
func (f *File) OwnFolder() bool { return f.Server.runDir }

func (f *File) inDir(dir string) *File {
	put := func(text string) string { return strings.ReplaceAll(text, runDirMark, dir) }
	all := func(texts []string) []string {
		out := make([]string, len(texts))
		for i, text := range texts {
			out[i] = put(text)
		}
		return out
	}
	other := *f
	other.Server.URL, other.Server.Dir = put(f.Server.URL), put(f.Server.Dir)
	other.Server.Command, other.Server.Env = all(f.Server.Command), all(f.Server.Env)
	if start := f.Server.Start; start != nil {
		bound := *start
		bound.Command, bound.Env, bound.Dir = all(start.Command), all(start.Env), put(start.Dir)
		other.Server.Start = &bound
	}
	other.Server.runDir = false
	return &other
}

func (c Copy) into(dir string, from fs.FS) error {
	if from == nil {
		return fs.ErrNotExist
	}
	about, err := fs.Stat(from, c.From)
	if err != nil {
		return err
	}
	if about.Size() > maxCopyFile || about.Size()*int64(c.Count) > maxCopied {
		return fmt.Errorf("larger than %d bytes, or %d bytes with all its copies", maxCopyFile, maxCopied)
	}
	content, err := fs.ReadFile(from, c.From)
	if err != nil {
		return err
	}
	for n := 1; n <= c.Count; n++ {
		to, text := c.To, content
		if c.each {
			number := strconv.Itoa(n)
			to = strings.ReplaceAll(to, "{n}", number)
			text = bytes.ReplaceAll(text, []byte("{n}"), []byte(number))
		}
		path := filepath.Join(dir, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := add(path, text); err != nil {
			return err
		}
	}
	return nil
}

func add(path string, text []byte) error {
	out, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return errors.Join(err, out.Close())
}
