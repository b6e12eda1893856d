package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// statement puts in the switches that change what is done.
func (w *walker) statement(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE && w.inList() && !allBlank(n.Lhs) {
			w.leaveOut(n)
		}
	case *ast.IncDecStmt:
		if w.inList() {
			w.leaveOut(n)
		}
	case *ast.ExprStmt:
		if w.inList() && !w.endsByPanic(n) {
			w.leaveOut(n)
		}
	case *ast.RangeStmt:
		first := w.mutant(&header{n, n.Body.Lbrace}, "stops after the first")
		w.later(func() { w.open(n.Body.Rbrace, fmt.Sprintf("; if %s.On(%d) { break };", called, first)) })
	case *ast.BranchStmt:
		w.branch(n)
	case *ast.SwitchStmt:
		if n.Tag != nil {
			w.cases(n)
		}
	case *ast.ReturnStmt:
		w.returns(n)
	}
}

// header is a statement up to its body.
type header struct {
	ast.Stmt
	end token.Pos
}

func (h *header) End() token.Pos { return h.end }

// inList tells whether the statement stands in a list of statements, and not in
// the head of another.
func (w *walker) inList() bool {
	switch w.up(1).(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// endsByPanic tells the panic at the end of a list of statements: without it a
// function that gives something would lack its return.
func (w *walker) endsByPanic(n *ast.ExprStmt) bool {
	call, ok := n.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	if !ok || name.Name != "panic" {
		return false
	}
	block, ok := w.up(1).(*ast.BlockStmt)
	if !ok || block.List[len(block.List)-1] != ast.Stmt(n) {
		return false
	}
	switch w.up(2).(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		return true
	}
	return false
}

func allBlank(left []ast.Expr) bool {
	for _, e := range left {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

func (w *walker) leaveOut(n ast.Stmt) {
	w.round(n, fmt.Sprintf("if !%s.On(%d) { ", called, w.mutant(n, "left out")), " }")
}

// branch turns break into continue, and the other way round, where both mean the
// same loop. A loop without a condition is left alone: with a break it could end,
// and what follows it would be missing.
func (w *walker) branch(n *ast.BranchStmt) {
	if n.Label != nil {
		return
	}
	for i := len(w.stack) - 2; i >= 0; i-- {
		switch outer := w.stack[i].(type) {
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.FuncLit:
			return
		case *ast.ForStmt:
			if outer.Cond != nil {
				w.swap(n)
			}
			return
		case *ast.RangeStmt:
			w.swap(n)
			return
		}
	}
}

func (w *walker) swap(n *ast.BranchStmt) {
	other := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]
	if other != "" {
		w.open(n.Pos(), fmt.Sprintf("if %s.On(%d) { %s }; ", called, w.mutant(n, other), other))
	}
}

// cases lets a switch miss its cases, one at a time.
func (w *walker) cases(n *ast.SwitchStmt) {
	for _, clause := range n.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			t := w.info.TypeOf(e)
			function := ""
			switch info := basic(t); {
			case info&types.IsString != 0:
				function = "CaseWord"
			case info&types.IsInteger != 0:
				function = "CaseNumber"
			default:
				continue
			}
			spelled, can := w.spelled(t)
			if !can {
				continue
			}
			w.part[e] = true
			w.planned[e] = append(w.planned[e], wrap{fmt.Sprintf("%s.%s[%s](%d, ", called, function, spelled, w.mutant(e, "is no case")), ")"})
		}
	}
}

// returns gives back the zero value in place of each result.
func (w *walker) returns(n *ast.ReturnStmt) {
	wanted := w.results[len(w.results)-1]
	if len(n.Results) != wanted.Len() {
		return
	}
	for i, e := range n.Results {
		t := w.info.TypeOf(e)
		if !types.Identical(t, wanted.At(i).Type()) || w.isZero(e) || basic(t)&types.IsBoolean != 0 || w.isEnumerated(e) || isWhole(e) {
			continue
		}
		w.zero(e, "returned as zero")
	}
}

// zero has an expression be its type's zero value.
func (w *walker) zero(e ast.Expr, change string) {
	spelled := ""
	if w.isConstant(e) {
		name, can := w.spelled(w.info.TypeOf(e))
		if !can {
			return
		}
		spelled = "[" + name + "]"
	}
	w.planned[e] = append(w.planned[e], wrap{fmt.Sprintf("%s.Zero%s(%d, ", called, spelled, w.mutant(e, change)), ")"})
}

func isWhole(e ast.Expr) bool {
	literal, ok := e.(*ast.BasicLit)
	return ok && literal.Kind == token.INT
}
