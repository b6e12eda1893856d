package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// expression puts in the switches that change what is computed.
func (w *walker) expression(e ast.Expr) {
	if literal, ok := e.(*ast.CompositeLit); ok {
		w.fields(literal)
	}
	if w.isPlace(e) {
		return
	}
	if w.isCondition(e) {
		w.condition(e, true, !w.endsLoop(e))
	}
	for _, around := range w.planned[e] {
		w.round(e, around.before, around.after)
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		w.binary(e)
	case *ast.BasicLit:
		w.literal(e)
	case *ast.Ident:
		switch of := w.info.Uses[e]; {
		case of != nil && of.Parent() == types.Universe && (e.Name == "true" || e.Name == "false") && !w.isCompared(e):
			w.call(e, "Not", map[string]string{"true": "false", "false": "true"}[e.Name])
		default:
			w.enumerated(e)
		}
	case *ast.SelectorExpr:
		w.enumerated(e)
	}
}

// isPlace tells whether an expression names something to write to or a type, or
// stands where only a constant may.
func (w *walker) isPlace(e ast.Expr) bool {
	if tv, known := w.info.Types[e]; !known || !tv.IsValue() {
		return true
	}
	switch parent := w.up(1).(type) {
	case *ast.AssignStmt:
		for _, left := range parent.Lhs {
			if left == e {
				return true
			}
		}
	case *ast.RangeStmt:
		return e == parent.Key || e == parent.Value
	case *ast.SelectorExpr:
		return e == parent.Sel
	case *ast.KeyValueExpr:
		return e == parent.Key
	case *ast.UnaryExpr:
		return parent.Op == token.AND
	case *ast.CallExpr:
		return e == parent.Fun
	case *ast.IncDecStmt, *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return true
	}
	return false
}

// isCondition tells whether an expression is a whole condition: true or false,
// not known before, and not a part of another.
func (w *walker) isCondition(e ast.Expr) bool {
	return !w.part[e] && basic(w.info.TypeOf(e))&types.IsBoolean != 0 && !w.isConstant(e)
}

// endsLoop tells whether a condition keeps a loop going. Always true, it would
// only ever be found by waiting.
func (w *walker) endsLoop(e ast.Expr) bool {
	loop, ok := w.up(1).(*ast.ForStmt)
	return ok && loop.Cond == e
}

// condition has a condition be always false and always true, and the same of its
// parts as far as that is not the same or found by the same: a && b is false
// where either is, and a && b that is always true is found by whatever finds a
// that is always true.
func (w *walker) condition(e ast.Expr, mayFalse, mayTrue bool) {
	w.part[e] = true
	switch inner := e.(type) {
	case *ast.ParenExpr:
		w.condition(inner.X, mayFalse, mayTrue)
		return
	case *ast.UnaryExpr:
		if inner.Op == token.NOT {
			if isLogical(inner.X) {
				w.condition(inner.X, mayTrue, mayFalse)
				return
			}
			w.part[inner.X] = true // always true is the same as its denial always false
		}
	case *ast.BinaryExpr:
		switch inner.Op {
		case token.LAND:
			w.force(e, mayFalse, false)
			w.operands(inner, token.LAND, func(o ast.Expr) { w.condition(o, false, true) })
			return
		case token.LOR:
			w.force(e, false, mayTrue)
			w.operands(inner, token.LOR, func(o ast.Expr) { w.condition(o, true, false) })
			return
		case token.EQL, token.NEQ:
			w.part[inner.X], w.part[inner.Y] = true, true // two conditions compared are one
		}
	}
	w.force(e, mayFalse, mayTrue)
}

func isLogical(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.LAND || b.Op == token.LOR)
}

// operands goes through the operands of a chain.
func (w *walker) operands(b *ast.BinaryExpr, op token.Token, do func(ast.Expr)) {
	for _, side := range []ast.Expr{b.X, b.Y} {
		if inner, ok := side.(*ast.BinaryExpr); ok && inner.Op == op {
			w.part[side] = true
			w.operands(inner, op, do)
			continue
		}
		do(side)
	}
}

func (w *walker) force(e ast.Expr, mayFalse, mayTrue bool) {
	if mayFalse {
		w.planned[e] = append(w.planned[e], wrap{fmt.Sprintf("%s.False(%d, ", called, w.mutant(e, "always false")), ")"})
	}
	if mayTrue {
		w.planned[e] = append(w.planned[e], wrap{fmt.Sprintf("%s.True(%d, ", called, w.mutant(e, "always true")), ")"})
	}
}

var switchOf = map[token.Token]struct{ function, change string }{
	token.LSS: {"Less", "<="}, token.LEQ: {"AtMost", "<"}, token.GTR: {"More", ">="}, token.GEQ: {"AtLeast", ">"},
	token.ADD: {"Plus", "-"}, token.SUB: {"Minus", "+"}, token.MUL: {"Times", "/"}, token.QUO: {"Over", "*"}, token.REM: {"Rest", "*"},
}

// binary moves a boundary by one, and reckons the other way.
func (w *walker) binary(e *ast.BinaryExpr) {
	of, known := switchOf[e.Op]
	if !known || w.isConstant(e) {
		return
	}
	info := basic(w.info.TypeOf(e.X))
	switch e.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if info&types.IsOrdered == 0 || w.neverNegative(e) {
			return
		}
	case token.REM:
		if info&types.IsInteger == 0 {
			return
		}
	default:
		if info&(types.IsInteger|types.IsFloat) == 0 {
			return
		}
	}
	id := w.mutant(e, of.change)
	w.round(e, fmt.Sprintf("%s.%s(%d, ", called, of.function, id), ")")
	at := w.offset(e.OpPos)
	w.edits.replace(at, at+len(e.Op.String()), ",")
}

// neverNegative tells that a length is compared with 0, so that the moved
// boundary would make the condition always true or false, which is a mutant of
// its own.
func (w *walker) neverNegative(e *ast.BinaryExpr) bool {
	length := func(e ast.Expr) bool {
		call, ok := e.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "len"
	}
	return length(e.X) && w.isZero(e.Y) || length(e.Y) && w.isZero(e.X)
}

// literal has a whole number be the next one. Operands are left to the mutants
// of their operation.
func (w *walker) literal(e *ast.BasicLit) {
	t := w.info.TypeOf(e)
	if e.Kind != token.INT || basic(t)&types.IsInteger == 0 {
		return
	}
	switch parent := w.up(1).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.CaseClause, *ast.ParenExpr:
		return
	case *ast.CallExpr:
		if id, ok := parent.Fun.(*ast.Ident); ok && id.Name == "make" || w.info.Types[parent.Fun].IsType() {
			return
		}
	}
	if spelled, can := w.spelled(t); can {
		w.call(e, "Next["+spelled+"]", "one more")
	}
}

// isEnumerated tells whether an expression is one of a type's named values.
func (w *walker) isEnumerated(e ast.Expr) bool {
	var id *ast.Ident
	switch e := e.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return false
	}
	c, ok := w.info.Uses[id].(*types.Const)
	if !ok {
		return false
	}
	named, ok := types.Unalias(c.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == "time" {
		return false
	}
	return c.Val().Kind() == constant.String || c.Val().Kind() == constant.Int
}

// enumerated has a named value be another of its type.
func (w *walker) enumerated(e ast.Expr) {
	if w.part[e] || !w.isEnumerated(e) || w.isCompared(e) {
		return
	}
	switch parent := w.up(1).(type) {
	case *ast.CaseClause:
		return
	case *ast.CallExpr:
		if w.info.Types[parent.Fun].IsType() {
			return
		}
	}
	switch {
	case basic(w.info.TypeOf(e))&types.IsString != 0:
		if !w.isZero(e) {
			w.call(e, "OtherWord", "no word")
		}
	case basic(w.info.TypeOf(e))&types.IsInteger != 0:
		change := "the type's zero value"
		if w.isZero(e) {
			change = "the value after the zero value"
		}
		w.call(e, "OtherNumber", change)
	}
}

// isCompared tells whether an expression is an operand: of a comparison, which
// has mutants of its own, or of an operation on constants.
func (w *walker) isCompared(ast.Expr) bool {
	_, operand := w.up(1).(*ast.BinaryExpr)
	return operand
}

// fields leaves functions and pointers out of the structs that are put together.
func (w *walker) fields(e *ast.CompositeLit) {
	if _, ok := w.info.TypeOf(e).Underlying().(*types.Struct); !ok {
		return
	}
	for _, element := range e.Elts {
		field, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		switch t := w.info.TypeOf(field.Value).(type) {
		case *types.Pointer:
			w.zero(field.Value, "left out")
		case *types.Signature:
			if t.TypeParams().Len() == 0 {
				w.zero(field.Value, "left out")
			}
		}
	}
}
