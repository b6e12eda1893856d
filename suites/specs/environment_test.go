package specs_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/ginkgo/v2"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/suites/specs"
	"github.com/mcpconform/mcpconform/target"
)

// The variables that say what this folder's suite is run against. Without any it
// is the built-in fake backend.
const (
	targetVariable = "MCPCONFORM_TARGET" // a target file, or builtin:NAME
	urlVariable    = "MCPCONFORM_URL"    // the server's URL; beside a target file it replaces the file's server
	seedVariable   = "MCPCONFORM_SEED"   // repeats a run; else Ginkgo's random seed is taken
	strictVariable = "MCPCONFORM_STRICT" // true: a failed SHOULD fails its spec
)

var variables = []string{targetVariable, urlVariable, seedVariable, strictVariable}

// others belong to the command and are no mistake here.
var others = []string{"MCPCONFORM_DEBUG"}

// environment is the part of the process that the options are read from.
type environment struct {
	all []string // NAME=value
	dir string   // where the test runs: go test makes it the folder of the package
}

func (e environment) lookup(name string) (string, bool) {
	value, found := "", false
	for _, entry := range e.all {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value, found = v, true // the last one counts, as for os.Getenv
		}
	}
	return value, found
}

// options reads what is to be tested. A variable that is misspelt or empty is an
// error: it must not turn into a green run against the fake backend.
func (e environment) options() (specs.Options, error) {
	for _, entry := range e.all {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "MCPCONFORM_") && !slices.Contains(variables, name) && !slices.Contains(others, name) {
			return specs.Options{}, fmt.Errorf("the variable %s is not known; there are %s", name, strings.Join(variables, ", "))
		}
	}
	for _, name := range variables {
		if value, set := e.lookup(name); set && value == "" {
			return specs.Options{}, fmt.Errorf("%s is set and empty; is the variable behind it set?", name)
		}
	}
	o, err := e.server()
	if err != nil {
		return o, err
	}
	if text, set := e.lookup(seedVariable); set {
		if o.Run.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return o, fmt.Errorf("%s is %q, and must be a number", seedVariable, text)
		}
	}
	if text, set := e.lookup(strictVariable); set {
		if o.Run.Strict, err = strconv.ParseBool(text); err != nil {
			return o, fmt.Errorf("%s is %q, and must be true or false", strictVariable, text)
		}
	}
	return o, nil
}

func (e environment) server() (specs.Options, error) {
	path, named := e.lookup(targetVariable)
	address, placed := e.lookup(urlVariable)
	if !named && !placed {
		return demonstration()
	}
	if !named {
		file, err := target.FromURL(address, nil)
		return specs.Options{Target: file}, err
	}
	found, err := e.find(path)
	if err != nil {
		return specs.Options{}, err
	}
	file, err := target.Load(found, e.lookup)
	if err != nil {
		return specs.Options{}, err
	}
	o := specs.Options{Target: file}
	o.Run.Selector = "--target " + path // as it was given, from where it was given
	if placed {
		server, err := target.ServerAt(address, nil)
		if err != nil {
			return o, err
		}
		o.Target = file.WithServer(server)
		o.Run.Selector += " --url " + address
	}
	return o, nil
}

// find resolves a relative path. The tests run in the folder of the package, so
// a path typed at the root of the repository is looked for there first, and then
// in each folder above, up to the one that holds go.mod.
func (e environment) find(path string) (string, error) {
	if filepath.IsAbs(path) || strings.HasPrefix(path, target.BuiltinPrefix) {
		return path, nil
	}
	var tried []string
	for dir := e.dir; ; dir = filepath.Dir(dir) {
		here := filepath.Join(dir, path)
		if _, err := os.Stat(here); !errors.Is(err, fs.ErrNotExist) {
			return here, nil // whatever else is wrong with it, loading it tells
		}
		tried = append(tried, here)
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s: there is no file %s; looked for %s", targetVariable, path, strings.Join(tried, ", "))
		}
	}
}

// demonstration is the built-in fake backend, started when the first spec runs.
func demonstration() (specs.Options, error) {
	file, err := target.Load(target.BuiltinPrefix+"fakebackend", func(string) (string, bool) { return "", false })
	if err != nil {
		return specs.Options{}, err
	}
	file.Demonstration = true
	o := specs.Options{Target: file, Server: func(context.Context) (target.Server, error) {
		running, err := fakebackend.Start(fakebackend.Options{})
		if err != nil {
			return target.Server{}, err
		}
		ginkgo.DeferCleanup(running.Close)
		return target.ServerAt(running.URL, nil)
	}}
	o.Run.Seed = 1
	return o, nil
}
