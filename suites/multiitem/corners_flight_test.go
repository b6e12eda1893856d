package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfRowsInFlight(t *testing.T) {
	// A burst in which the second call is answered with a row of the first.
	mixedUp := func(f *film, first, second []conform.Item, rows string) {
		f.call("c1", rowsOf("A-1+", "A-3+"), first, together("b"))
		f.call("c2", rows, second, together("b"))
	}
	corners(t, []corner{
		// Rows of another call in flight say nothing of this one's outcome.
		{"a stranger that no call in flight asked for", "AGG-01", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2-", "A-4+", "Z-1+"))
		}, conform.Fail, []string{"A-2"}},
		{"a stranger, and a row of another call in flight", "AGG-01", nil, func(f *film) {
			mixedUp(f, good("A-3", "A-1"), good("A-2", "A-4"), rowsOf("A-2-", "Z-1+", "A-1+"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of the third call in flight", "AGG-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-5+"), good("A-1", "A-3"), together("b"))
			f.call("c2", rowsOf("A-2+", "A-4+"), good("A-2", "A-4"), together("b"))
			f.call("c3", rowsOf("A-5+"), good("A-5"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row in other letters than another call's item", "AGG-01", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2-", "A-4+", "a-1+"))
		}, conform.Fail, []string{"A-2"}},
		{"a call that was not in flight with it", "AGG-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-3+"), good("A-1", "A-3"))
			f.call("c2", rowsOf("A-2-", "A-1+"), good("A-2", "A-4"))
		}, conform.Fail, []string{"A-2"}},
		{"a row of another call in flight", "RES-09", nil, func(f *film) { mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2+", "A-1+")) }, conform.NotRun, []string{"no batch of two items"}},
		{"a row of another call in flight", "AGG-01", nil, func(f *film) { mixedUp(f, good("A-1", "A-3"), good("A-2", "A-4"), rowsOf("A-2-", "A-1+")) }, conform.NotRun, []string{"see LD-01"}},
		{"rows of another call in flight, both ways", "AGG-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2-"), good("A-1", "A-3"), together("b"))
			f.call("c2", rowsOf("A-2-", "A-1+"), good("A-2", "A-4"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "AGG-02", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), join(good("A-2"), bad("X-1")), rowsOf("A-2-", "A-1-", "X-1-"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "AGG-03", nil, func(f *film) {
			mixedUp(f, good("A-1", "A-3"), bad("X-1", "X-2"), rowsOf("X-1+", "A-1+", "X-2+"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "RES-12", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1+"), good("A-1", "A-3"), together("b"))
			f.call("c2", rowsOf("X-1+", "A-1+"), bad("X-1", "X-2"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
		{"a row of another call in flight", "RES-13", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-1+", "A-2+"), good("A-2"), together("b"))
		}, conform.NotRun, []string{"see LD-01"}},
	})
}
