package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfRequests(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	corners(t, []corner{
		// INP: forms of a request.
		{"names for objects, and an empty list comes", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", "", two, in(conform.FormStrings))
		}, conform.Fail, []string{"no rows in the answer"}},
		{"names of bad items", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("X-1-", "X-2-"), bad("X-1", "X-2"), in(conform.FormStrings))
		}, conform.Pass, nil},
		{"names, a mix rolled back, and the operation is atomic", "INP-03", atomically, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1-", "X-1-"), mixed, in(conform.FormStrings))
		}, conform.Pass, nil},
		{"names of good items denied, and the operation is atomic", "INP-03", atomically, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.call("c2", rowsOf("A-1-", "A-2-"), two, in(conform.FormStrings))
		}, conform.Fail, []string{"every good item is told as failed"}},
		{"names of good items denied, and objects too", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-2+"), two)
			f.call("c2", rowsOf("A-1-", "A-2-"), two, in(conform.FormStrings))
		}, conform.NotRun, []string{"in the ordinary form too"}},
		{"objects for names", "INP-03", nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-2+"), two, in(conform.FormObjects)) }, conform.Pass, nil},
		{"a bare name", "INP-04", nil, func(f *film) { f.call("c1", rowsOf("A-1+"), good("A-1"), in(conform.FormBareString)) }, conform.Pass, nil},
		{"objects for names are refused", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "items must be strings", two, in(conform.FormObjects))
		}, conform.Fail, []string{"refused: isError"}},
		{"a bare name is refused", "INP-04", nil, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.refuse("c2", "items must be a list", good("A-1"), in(conform.FormBareString))
		}, conform.Fail, []string{"refused: isError"}},
		{"further arguments and one item", "INP-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+"), good("A-1"), extra) }, conform.Pass, nil},
		{"further arguments and nothing asked", "INP-02", nil, func(f *film) { f.call("c1", rowsOf("A-1+"), nil, extra, in(conform.FormEmpty)) }, conform.NotRun, []string{"no call with unknown arguments"}},
		{"further arguments, and the validator says nothing", "INP-02", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, two, asValidator)
			f.structured("v2", `{"message":"hello"}`, two, asValidator, extra)
		}, conform.Fail, []string{"no `eligible` in the answer, with query"}},
		{"further arguments, and the validator refuses", "INP-02", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, two, asValidator)
			f.refuse("v2", "unexpected argument query", two, asValidator, extra)
		}, conform.Fail, []string{"refused: isError"}},
		{"further arguments or not, the validator says nothing", "INP-02", nil, func(f *film) {
			f.structured("v1", `{"message":"hello"}`, two, asValidator)
			f.structured("v2", `{"message":"hello"}`, two, asValidator, extra)
		}, conform.NotRun, []string{"see VAL-01"}},
		{"nothing asked, success: false", "INP-05", nil, func(f *film) { f.structured("c1", `{"success":false}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, an error inside result", "INP-05", nil, func(f *film) { f.structured("c1", `{"result":{"error":"nothing given"}}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, errors", "INP-05", nil, func(f *film) { f.structured("c1", `{"errors":["nothing given"]}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, and the status refuses", "INP-05", nil, func(f *film) { f.structured("c1", `{"status":"rejected"}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"nothing asked, and no word of it", "INP-05", nil, func(f *film) {
			f.structured("c1", `{"status":"done","success":true,"errors":[]}`, nil, in(conform.FormEmpty))
		}, conform.Fail, []string{"no sign of a refusal"}},

		// RO-01: a query still answers the good.
		{"the good one's row cannot be read", "RO-01", reading, func(f *film) { f.call("c1", `{"id":"A-1"},`+rowsOf("X-1-"), mixed) }, conform.NotRun, []string{"see RES-05"}},
		{"the whole query raises", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.raise("c2", mixed)
		}, conform.NotRun, []string{"see ENV-06"}},
		{"a query without rows", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), two)
			f.structured("c2", `{"message":"X-1 was not found"}`, mixed)
		}, conform.Fail, []string{"no results in the answer"}},
	})
}
