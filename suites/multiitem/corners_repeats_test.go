package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfRepeats(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	corners(t, []corner{
		// IDM: repeats and retries.
		{"the repeat asks for fewer items", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1"), good("A-1"), repeating("c1"))
		}, conform.Pass, nil},
		{"a count that moves, read in other letters", "IDM-01", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "a-1=DONE*1", "a-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "a-1=DONE*1", "a-2=DONE*11")
		}, conform.Fail, []string{`moved from "DONE"`, "(counted 2)"}},
		{"an item that is not shown afterwards", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "Z-1=DONE*1")
		}, conform.NotRun, []string{"neither a count", "probe.count"}},
		{"an item that is not shown between", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "Z-1=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*1")
		}, conform.NotRun, []string{"neither a count"}},
		{"a count that is not shown afterwards", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE", "A-2=DONE")
		}, conform.NotRun, []string{"neither a count"}},
		{"a count that was not shown between", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE", "A-2=DONE")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*1")
		}, conform.NotRun, []string{"neither a count"}},
		{"a count read before the first call tells nothing", "IDM-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=DONE*1", "A-2=DONE*1")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*1", "A-2=DONE*1")
		}, conform.NotRun, []string{"neither a count"}},
		{"the first call moved what was read before it", "IDM-01", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE*1")
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, repeating("c1"))
			f.look(conform.After, "A-1=DONE*11")
		}, conform.Pass, nil},
		{"the second answer has no protocol", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
		}, conform.NotRun, []string{"neither a count"}},
		{"a row of the first cannot be read, and the other is done again", "IDM-01", nil, func(f *film) {
			f.call("c1", `{"id":"A-1"},`+rowsOf("A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, repeating("c1"))
		}, conform.Fail, []string{"P3"}},
		{"a row of the second cannot be read, and the other is done again", "IDM-01", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", `{"id":"A-1"},`+rowsOf("A-2+P3"), two, repeating("c1"))
		}, conform.Fail, []string{"P3"}},
		{"the first answer has no rows", "IDM-03", nil, func(f *film) {
			f.structured("c1", `{"ok":true}`, two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
		}, conform.NotRun, []string{"no results[]"}},
		{"the second answer has no rows", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE")
			f.structured("c2", `{"ok":true}`, two, retrying("c1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, []string{"no results[]"}},
		{"the first answer has no rows", "IDM-02", nil, func(f *film) {
			f.structured("c1", `{"ok":true}`, two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, repeating("c1"))
		}, conform.NotRun, []string{"no results[]"}},
		{"the second answer has no rows", "IDM-02", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.structured("c2", `{"ok":true}`, two, repeating("c1"))
		}, conform.NotRun, []string{"no results[]"}},
		{"the state moves, read in other letters", "IDM-03", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+", "X-1-"), mixed)
			f.look(conform.Middle, "a-1=DONE")
			f.call("c2", rowsOf("A-1+", "X-1-"), mixed, retrying("c1"))
			f.look(conform.After, "a-1=UNDONE")
		}, conform.Fail, []string{"a-1 moved"}},
		{"a first row that cannot be read, and the other is done again", "IDM-03", nil, func(f *film) {
			f.call("c1", `{"id":"A-1"},`+rowsOf("A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, retrying("c1"))
		}, conform.Fail, []string{"P3 after P2"}},
		{"no second row for the first item, and the other is done again", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-2+P3"), two, retrying("c1"))
		}, conform.Fail, []string{"P3 after P2"}},
		{"the retry shows no protocol any more", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+P1", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
		}, conform.NotRun, []string{"nothing tells"}},
		{"only the retry shows protocols", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P2"), two, retrying("c1"))
		}, conform.NotRun, []string{"nothing tells"}},
		{"the retry does not show the item", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.look(conform.Middle, "A-1=DONE")
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
			f.look(conform.After, "Z-1=DONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"the first call moved what was read before it", "IDM-03", nil, func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1+", "A-2+"), two, retrying("c1"))
			f.look(conform.After, "A-1=DONE")
		}, conform.NotRun, []string{"nothing tells"}},
		{"the first item failed, and the second is done again", "IDM-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-2+P2"), two)
			f.call("c2", rowsOf("A-1+P1", "A-2+P3"), two, retrying("c1"))
		}, conform.Fail, []string{"P3 after P2"}},
		{"the file says that there are protocols, and no answer has one", "IDM-04", func(op *conform.Operation) { op.ProtocolIDs = true }, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
		}, conform.Fail, []string{"row 0 has none"}},
		{"one protocol for the whole answer", "IDM-04", nil, func(f *film) {
			f.structured("c1", `{"protocol":"P1","results":[`+rowsOf("A-1+", "A-2+")+`]}`, two)
		}, conform.Fail, []string{"row 0 has none"}},
		{"a protocol that is empty is none", "IDM-04", nil, func(f *film) {
			f.call("c1", `{"id":"A-1","success":true,"protocol":" "},{"id":"A-2","success":true,"protocol":{"no":1}}`, two)
		}, conform.NotRun, []string{"no answer shows a protocol"}},
		{"of two such members the second has it", "IDM-04", nil, func(f *film) {
			f.call("c1", `{"id":"A-1","success":true,"receipt":null,"operation_id":"P1"},{"id":"A-2","success":true,"receipt":null,"operation_id":"P1"}`, two)
		}, conform.Fail, []string{"P1, which c1#0 has already"}},
		{"only a validator's answer has one", "IDM-04", nil, func(f *film) {
			f.structured("v1", `{"eligible":true,"protocol":"P1"}`, two, asValidator)
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
		}, conform.NotRun, []string{"no answer shows a protocol"}},
	})
}
