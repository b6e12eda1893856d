package target

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Error is one thing wrong with a target file. Line and Column count from 1;
// both are 0 where the file as a whole is meant.
type Error struct {
	File   string
	Line   int
	Column int
	What   string // what is wrong
	Mend   string // what to write instead
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Mend == "" {
		return where + ": " + e.What
	}
	return where + ": " + e.What + "; " + e.Mend
}

// unjoined takes errors of a file apart that join put together.
func unjoined(err error) (all []*Error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range many.Unwrap() {
			all = append(all, unjoined(one)...)
		}
		return all
	}
	var one *Error
	if errors.As(err, &one) {
		all = append(all, one)
	}
	return all
}

// MaxErrors bounds how many errors of one file are told.
const MaxErrors = 50

// join gives the errors in the order of the file, as one.
func join(found []*Error) error {
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	found = slices.CompactFunc(found, func(a, b *Error) bool { return *a == *b })
	var all []error
	for i, e := range found {
		if i == MaxErrors {
			all = append(all, &Error{File: e.File, What: fmt.Sprintf("%d more errors", len(found)-i), Mend: "mend these first"})
			break
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}
