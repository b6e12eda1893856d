package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"
)

// called is the name by which mutated source calls the switches.
const called = "_mutant"

// instrumented is a file with its switches.
type instrumented struct {
	name string
	text []byte
}

// instrument puts the switches into a package. Numbers go on from the mutants
// that there are.
func instrument(in module, p pkg, mutants []mutant) ([]instrumented, []mutant) {
	folder := strings.TrimPrefix(strings.TrimPrefix(p.path, in.path), "/")
	if folder == "" {
		folder = "."
	}
	var files []instrumented
	ordinals := map[string]int{}
	for _, f := range p.files {
		w := &walker{pkg: p, file: f, folder: folder, mutants: mutants, ordinals: ordinals, planned: map[ast.Expr][]wrap{}, part: map[ast.Expr]bool{}}
		w.walk()
		before := len(mutants)
		if mutants = w.mutants; len(mutants) == before {
			continue
		}
		w.open(f.syntax.Name.End(), fmt.Sprintf("; import %s %q", called, in.path+switchesFolder))
		files = append(files, instrumented{f.name, w.edits.apply(f.source)})
	}
	return files, mutants
}

// switchesFolder is where the switches stand in the module under test.
const switchesFolder = "/internal/tools/mutate/switches"

// wrap is what is put round an expression.
type wrap struct{ before, after string }

// walker goes through a file and puts its switches in.
type walker struct {
	pkg
	file     file
	folder   string
	edits    edits
	mutants  []mutant
	ordinals map[string]int

	stack   []ast.Node
	closers [][]func()          // what each node of the stack has to close
	planned map[ast.Expr][]wrap // what goes round an expression, from outside in
	part    map[ast.Expr]bool   // it stands in a condition that was planned
	results []*types.Tuple      // of the functions that one is in
	named   string              // the function or variable that one is in
	initial bool                // that is a variable
	texts   int                 // how many calls one is in that only make words
}

func (w *walker) walk() {
	for _, d := range w.file.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			w.named, w.initial = nameOf(d), false
			ast.Inspect(d, w.visit)
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			for _, s := range d.Specs {
				v := s.(*ast.ValueSpec)
				w.named, w.initial = "var "+v.Names[0].Name, true
				for _, value := range v.Values {
					ast.Inspect(value, w.visit)
				}
			}
		}
	}
}

func nameOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if i, ok := t.(*ast.IndexExpr); ok {
		t = i.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

func (w *walker) visit(n ast.Node) bool {
	if n == nil {
		last := len(w.stack) - 1
		for i := len(w.closers[last]) - 1; i >= 0; i-- {
			w.closers[last][i]()
		}
		w.stack, w.closers = w.stack[:last], w.closers[:last]
		return false
	}
	switch n := n.(type) {
	case *ast.ArrayType, *ast.StructType, *ast.InterfaceType, *ast.MapType, *ast.FuncType, *ast.ChanType:
		return false
	case *ast.GenDecl:
		if n.Tok != token.VAR {
			return false
		}
	}
	w.closers = append(w.closers, nil)
	w.stack = append(w.stack, n)
	w.enter(n)
	return true
}

// later has something done when the node that was just entered is left.
func (w *walker) later(do func()) {
	last := len(w.closers) - 1
	w.closers[last] = append(w.closers[last], do)
}

// up gives the node so many levels above the one just entered.
func (w *walker) up(levels int) ast.Node {
	if i := len(w.stack) - 1 - levels; i >= 0 {
		return w.stack[i]
	}
	return nil
}

func (w *walker) enter(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		w.inside(w.info.Defs[n.Name].Type().(*types.Signature))
	case *ast.FuncLit:
		w.inside(w.info.TypeOf(n).(*types.Signature))
	}
	if w.texts > 0 {
		return
	}
	switch n := n.(type) {
	case ast.Stmt:
		w.statement(n)
	case ast.Expr:
		w.expression(n)
	}
	if call, ok := n.(*ast.CallExpr); ok && w.makesWords(call) {
		w.texts++
		w.later(func() { w.texts-- })
	}
}

func (w *walker) inside(s *types.Signature) {
	w.results = append(w.results, s.Results())
	w.later(func() { w.results = w.results[:len(w.results)-1] })
}

// makesWords tells whether a call only puts a text together for people.
func (w *walker) makesWords(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of := w.info.Uses[selector.Sel]
	return of != nil && of.Pkg() != nil && (of.Pkg().Path() == "fmt" || of.Name() == "Excerpt" || of.Name() == "Cut")
}

// mutant adds one and gives its number.
func (w *walker) mutant(at ast.Node, change string) int {
	begin, end := w.offset(at.Pos()), w.offset(at.End())
	m := mutant{
		id: len(w.mutants) + 1, pkg: w.folder, function: w.named, was: oneLine(string(w.file.source[begin:end])), change: change, initial: w.initial,
		place: fmt.Sprintf("%s:%d", filepath.Base(w.file.name), w.fset.Position(at.Pos()).Line),
	}
	w.ordinals[m.key()]++
	m.ordinal = w.ordinals[m.key()]
	w.mutants = append(w.mutants, m)
	return m.id
}

func (w *walker) offset(p token.Pos) int { return w.fset.Position(p).Offset }

func (w *walker) open(at token.Pos, text string)  { w.edits.open(w.offset(at), text) }
func (w *walker) close(at token.Pos, text string) { w.edits.close(w.offset(at), text) }

// round puts something round a node.
func (w *walker) round(n ast.Node, before, after string) {
	w.open(n.Pos(), before)
	w.later(func() { w.close(n.End(), after) })
}

// call puts a call of a switch round an expression.
func (w *walker) call(e ast.Expr, function, change string) {
	w.round(e, fmt.Sprintf("%s.%s(%d, ", called, function, w.mutant(e, change)), ")")
}

// spelled gives a type as this file can write it; false if it cannot.
func (w *walker) spelled(t types.Type) (string, bool) {
	can := true
	name := types.TypeString(t, func(p *types.Package) string {
		if p == w.types {
			return ""
		}
		for _, i := range w.file.syntax.Imports {
			if path, _ := strconv.Unquote(i.Path.Value); path == p.Path() {
				if i.Name != nil {
					return i.Name.Name
				}
				return p.Name()
			}
		}
		can = false
		return ""
	})
	return name, can && !strings.Contains(name, "untyped")
}

func (w *walker) isConstant(e ast.Expr) bool { return w.info.Types[e].Value != nil }

func (w *walker) isZero(e ast.Expr) bool {
	tv := w.info.Types[e]
	if tv.IsNil() {
		return true
	}
	if tv.Value == nil {
		literal, ok := e.(*ast.CompositeLit)
		return ok && len(literal.Elts) == 0
	}
	switch tv.Value.Kind() {
	case constant.String:
		return constant.StringVal(tv.Value) == ""
	case constant.Bool:
		return !constant.BoolVal(tv.Value)
	case constant.Int, constant.Float:
		return constant.Sign(tv.Value) == 0
	}
	return false
}

func basic(t types.Type) types.BasicInfo {
	if t == nil {
		return 0
	}
	if _, parameter := types.Unalias(t).(*types.TypeParam); parameter {
		return 0
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}
