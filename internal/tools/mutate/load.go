package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pkg is a package that is mutated, read and with its types.
type pkg struct {
	path, dir string
	fset      *token.FileSet
	files     []file
	info      *types.Info
	types     *types.Package
	rapid     bool // its tests draw at random, by a seed that can be given
}

type file struct {
	name   string // the whole path
	source []byte
	syntax *ast.File
}

// listed is what `go list` tells of a package.
type listed struct {
	ImportPath, Dir, Export   string
	GoFiles                   []string
	TestImports, XTestImports []string
	Module                    *struct{ Path, Dir string }
	DepOnly                   bool
}

// module is where the packages stand.
type module struct{ path, dir string }

// load reads the packages that the patterns name, seen from dir.
func load(dir string, patterns []string) (module, []pkg, error) {
	all, err := list(dir, patterns)
	if err != nil {
		return module{}, nil, err
	}
	exports := map[string]string{}
	for _, l := range all {
		exports[l.ImportPath] = l.Export
	}
	var in module
	var loaded []pkg
	for _, l := range all {
		if l.DepOnly {
			continue
		}
		if l.Module == nil {
			return module{}, nil, fmt.Errorf("%s stands in no module", l.ImportPath)
		}
		in = module{l.Module.Path, l.Module.Dir}
		p, err := check(l, exports)
		if err != nil {
			return module{}, nil, err
		}
		loaded = append(loaded, p)
	}
	if len(loaded) == 0 {
		return module{}, nil, fmt.Errorf("no package is named by %s", strings.Join(patterns, " "))
	}
	return in, loaded, nil
}

func list(dir string, patterns []string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,TestImports,XTestImports,Module,DepOnly", "--"}, patterns...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("listing packages: %s", strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w", err)
	}
	var all []listed
	for in := json.NewDecoder(strings.NewReader(string(out))); ; {
		var l listed
		err := in.Decode(&l)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading the list of packages: %w", err)
		}
		all = append(all, l)
	}
}

// check reads a package and finds out the types of its expressions.
func check(l listed, exports map[string]string) (pkg, error) {
	p := pkg{path: l.ImportPath, dir: l.Dir, fset: token.NewFileSet(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}}
	for _, imported := range append(l.TestImports, l.XTestImports...) {
		p.rapid = p.rapid || imported == "pgregory.net/rapid"
	}
	var syntax []*ast.File
	for _, name := range l.GoFiles {
		name = filepath.Join(l.Dir, name)
		source, err := os.ReadFile(name)
		if err != nil {
			return pkg{}, fmt.Errorf("reading a file of %s: %w", l.ImportPath, err)
		}
		f, err := parser.ParseFile(p.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return pkg{}, fmt.Errorf("reading a file of %s: %w", l.ImportPath, err)
		}
		p.files = append(p.files, file{name, source, f})
		syntax = append(syntax, f)
	}
	config := types.Config{Importer: importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		name := exports[path]
		if name == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(name)
	})}
	var err error
	if p.types, err = config.Check(l.ImportPath, p.fset, syntax, p.info); err != nil {
		return pkg{}, fmt.Errorf("finding out the types of %s: %w", l.ImportPath, err)
	}
	return p, nil
}
