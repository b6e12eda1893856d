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
		{"further arguments, and without them the validator's answer is lost", "INP-02", nil, func(f *film) {
			f.lose("v1", conform.Cut, two, asValidator)
			f.structured("v2", `{"message":"hello"}`, two, asValidator, extra)
		}, conform.Inconclusive, []string{"without the further arguments: nothing came: cut"}},
		{"further arguments, and without them one answer is lost and one says nothing", "INP-02", nil, func(f *film) {
			f.lose("v1", conform.Cut, two, asValidator)
			f.structured("v2", `{"message":"hello"}`, two, asValidator)
			f.structured("v3", `{"message":"hello"}`, two, asValidator, extra)
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

		{"texts, of which all good ones are told as failed", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "X-1-"), mixed, in(conform.FormStrings))
		}, conform.Fail, []string{"every good item is told as failed"}},
		{"texts, rolled back, and the operation is atomic", "INP-03", atomically, func(f *film) {
			f.call("c1", rowsOf("A-1-", "X-1-"), mixed, in(conform.FormStrings))
		}, conform.Pass, nil},
		{"texts are refused, where other good items are told as failed", "INP-03", nil, func(f *film) {
			f.call("c1", rowsOf("A-1-", "A-2+"), good("A-1", "A-2"))
			f.refuse("c2", "objects only", good("A-1", "A-2"), in(conform.FormStrings))
		}, conform.Fail, []string{"objects only"}},
		{"a validator's further arguments, and none of its answers decides", "INP-02", nil, func(f *film) {
			f.decides("v1", `{}`, good("A-1", "A-2"), extra)
			f.decides("v2", `{}`, good("A-1", "A-2"))
		}, conform.NotRun, []string{"see VAL-01"}},
		{"a validator's further arguments, and the second of its answers decides", "INP-02", nil, func(f *film) {
			f.decides("v1", `{}`, good("A-1", "A-2"), extra)
			f.decides("v2", `{}`, good("A-1", "A-2"))
			f.structured("c1", `{}`, good("A-1", "A-2"))
			f.decides("v3", `{"eligible":true}`, good("A-1", "A-2"))
		}, conform.Fail, []string{"no `eligible` in the answer"}},
		{"a validator's further arguments, and only the tool decides", "INP-02", nil, func(f *film) {
			f.decides("v1", `{}`, good("A-1", "A-2"), extra)
			f.structured("c1", `{"eligible":true}`, good("A-1", "A-2"))
		}, conform.NotRun, []string{"see VAL-01"}},
		{"a validator's further arguments, and only further arguments decide", "INP-02", nil, func(f *film) {
			f.decides("v1", `{}`, good("A-1", "A-2"), extra)
			f.decides("v2", `{"eligible":true}`, good("A-1", "A-2"), extra)
		}, conform.Pass, nil},
		{"a validator's empty request moves something", "INP-05", nil, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.look(conform.Before, "A-1=DONE")
			f.decides("v1", `{"eligible":false}`, nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=GONE")
		}, conform.NotRun, nil},
		{"an empty request is told as done", "INP-05", nil, func(f *film) { f.structured("c1", `{"ok":true}`, nil, in(conform.FormEmpty)) }, conform.Fail, []string{"ok: true\n"}},
		{"an empty request gets an empty list", "INP-05", nil, func(f *film) { f.structured("c1", `{"results":[]}`, nil, in(conform.FormEmpty)) }, conform.Fail, []string{"an empty list of rows"}},
		{"an empty request gets an error", "INP-05", nil, func(f *film) { f.structured("c1", `{"error":"nothing asked"}`, nil, in(conform.FormEmpty)) }, conform.Pass, nil},
		{"an empty request gets a status of its own", "INP-05", nil, func(f *film) { f.structured("c1", `{"status":"IDLE"}`, nil, in(conform.FormEmpty)) }, conform.Fail, []string{"no sign of a refusal"}},

		// RO-01.
		{"with further arguments", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.refuse("c2", "no", mixed, extra)
		}, conform.NotRun, []string{"no query with good and bad items"}},
		{"an empty query moves something", "RO-01", reading, func(f *film) {
			f.call("c0", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.look(conform.Before, "A-1=DONE")
			f.refuse("c1", "nothing asked", nil, in(conform.FormEmpty))
			f.look(conform.After, "A-1=GONE")
		}, conform.NotRun, nil},
		{"a query of one moves it", "RO-01", reading, func(f *film) {
			f.look(conform.Before, "A-1=DONE")
			f.call("c0", rowsOf("A-1+"), good("A-1"))
			f.look(conform.After, "A-1=GONE")
		}, conform.Fail, nil},
		{"a validator moves something", "RO-01", reading, func(f *film) {
			f.look(conform.Before, "A-1=DONE")
			f.decides("v1", `{"eligible":true}`, good("A-1"))
			f.look(conform.After, "A-1=GONE")
		}, conform.NotRun, nil},
		{"a row that cannot be read", "RO-01", reading, func(f *film) { f.call("c1", `{"id":"A-1"},`+rowsOf("X-1-"), mixed) }, conform.NotRun, []string{"see RES-05"}},
		{"an item without a row", "RO-01", reading, func(f *film) { f.call("c1", rowsOf("X-1-"), mixed) }, conform.NotRun, []string{"see RES-02"}},
		{"all are told as failed", "RO-01", reading, func(f *film) { f.call("c1", rowsOf("A-1-", "X-1-"), mixed) }, conform.NotRun, []string{"see AGG-02"}},
		{"every query is an error", "RO-01", reading, func(f *film) { f.raise("c1", good("A-1", "A-2")); f.raise("c2", mixed) }, conform.NotRun, []string{"no results[] to read (see RES-01)"}},
		{"a mixed query is an error", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.raise("c2", mixed)
		}, conform.NotRun, []string{"see ENV-06"}},
		{"a mixed query is refused for want of a role", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.refuse("c2", "permission denied", mixed)
		}, conform.Fail, []string{"the whole query was refused", "permission problem"}},
		{"a mixed query gets no rows", "RO-01", reading, func(f *film) {
			f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"))
			f.structured("c2", `{"orders":"none"}`, mixed)
		}, conform.Fail, []string{"no results in the answer"}},

		{"texts get an empty list and a refusal", "INP-03", nil, func(f *film) {
			f.call("c0", rowsOf("B-1+", "B-2+"), good("B-1", "B-2"))
			f.ask("c1", good("A-1", "A-2"), in(conform.FormStrings))
			f.answer("c1", `{"isError":true,"content":[{"type":"text","text":"objects only"}],"structuredContent":{"results":[]}}`)
		}, conform.Fail, []string{"refused: isError"}},
	})
}
