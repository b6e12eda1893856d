package multiitem_test

import (
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfEffects(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	many, all := manyItems(25)
	corners(t, []corner{
		// EFF-01: what is acknowledged is there.
		{"an item that is not shown afterwards", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE")
		}, conform.Pass, nil},
		{"five that did not change", "EFF-01", nil, func(f *film) {
			before := []string{"B-0=ACTIVE", "B-1=ACTIVE", "B-2=ACTIVE", "B-3=ACTIVE", "B-4=ACTIVE"}
			f.look(conform.Before, before...)
			f.call("c1", rowsOf(all[:5]...), good(many[:5]...))
			f.look(conform.After, before...)
		}, conform.Fail, []string{`B-4 is "ACTIVE"`, "!more"}},

		{"calls in flight together are another matter", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.NotRun, []string{"no item that an answer calls done"}},
		{"it was waited for", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
			f.seen[len(f.seen)-1].Effect.Waited = 3 * time.Second
		}, conform.Fail, []string{"up to 3s were waited for it"}},
		{"it was not waited for", "EFF-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Fail, []string{"!waited"}},
		{"somebody else writes there", "EFF-01", nil, func(f *film) {
			f.othersWrite()
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Inconclusive, []string{"shared target"}},
		{"somebody else writes there", "IDM-01", nil, func(f *film) {
			f.othersWrite()
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Inconclusive, []string{"shared target"}},
		{"somebody else writes there", "IDM-03", nil, func(f *film) {
			f.othersWrite()
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, retrying("c1"))
		}, conform.Inconclusive, []string{"shared target"}},

		// EFF-02: what is refused is not there.
		{"the refused one stays", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.Pass, nil},
		{"the refused one is done", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=DONE")
		}, conform.Fail, []string{`1 of 1 refused items changed, by the eyes of the tool get_products: X-1 was "ACTIVE" and is "DONE"`}},
		{"of three refused the last two are done", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "X-1=ACTIVE", "X-2=ACTIVE", "X-3=ACTIVE")
			f.call("c1", rowsOf("X-1-", "X-2-", "X-3-"), bad("X-1", "X-2", "X-3"))
			f.look(conform.After, "X-1=ACTIVE", "X-2=DONE", "X-3=DONE")
		}, conform.Fail, []string{"2 of 3 refused items", "X-2 was", "X-3 was"}},
		{"the refused one is not shown afterwards", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, nil},
		{"the refused one was not shown before", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.NotRun, nil},
		{"another call has done the refused one", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1-", "A-2-"), two)
			f.call("c2", rowsOf("A-1+"), good("A-1"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Pass, nil},
		{"another call has done the refused one, in other letters", "EFF-02", foldingCase, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1-", "A-2-"), two)
			f.call("c2", rowsOf("a-1+"), good("a-1"))
			f.look(conform.After, "A-1=DONE", "A-2=ACTIVE")
		}, conform.Pass, nil},
		{"the state follows late, and the refused one is done", "EFF-02", func(op *conform.Operation) { op.Eventual = true }, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=DONE")
		}, conform.Inconclusive, []string{"consistency: eventual"}},
		{"the state follows late, and the refused one stays", "EFF-02", func(op *conform.Operation) { op.Eventual = true }, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=ACTIVE")
		}, conform.Pass, nil},
		{"somebody else writes there", "EFF-02", nil, func(f *film) {
			f.othersWrite()
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.After, "A-1=DONE", "X-1=DONE")
		}, conform.Inconclusive, []string{"shared target"}},
		{"the eyes were blind afterwards", "EFF-02", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "X-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.blind(conform.After)
		}, conform.NotRun, nil},
	})
}
