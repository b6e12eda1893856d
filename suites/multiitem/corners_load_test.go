package multiitem_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCornersOfManyItemsAndCalls(t *testing.T) {
	const nameless = `{"success":true}`
	many, all := manyItems(25)
	corners(t, []corner{
		// LD: many items, many calls.
		{"a large batch that was never sent", "LD-02", nil, func(f *film) { f.plan("c1", good(many...)) }, conform.NotRun, []string{"no batch of 25 items"}},
		{"a large batch that became a job", "LD-02", nil, func(f *film) { f.structured("c1", `{"job_id":"j-1","status":"queued"}`, good(many...)) }, conform.NotRun, []string{"a job to poll"}},
		{"a large batch that became a job, and one that lost a row", "LD-02", nil, func(f *film) {
			f.structured("c1", `{"job_id":"j-1","status":"queued"}`, good(many...))
			f.call("c2", rowsOf(all[:24]...), good(many...))
		}, conform.Fail, []string{"24 rows, 1 items unanswered"}},
		{"a large batch to which nothing came", "LD-02", nil, func(f *film) { f.ask("c1", good(many...)) }, conform.Inconclusive, []string{"nothing was received"}},
		{"a large batch in order, without names", "LD-02", nil, func(f *film) {
			f.call("c1", strings.Repeat(nameless+",", 24)+nameless, good(many...))
		}, conform.Pass, nil},
		{"a large batch late in the run", "LD-02", nil, func(f *film) {
			f.at = time.Hour
			f.call("c1", rowsOf(all...), good(many...))
		}, conform.Pass, nil},
		{"a validator beside one call is no burst", "LD-01", nil, func(f *film) {
			f.structured("v1", `{"eligible":true}`, good("A-2"), together("b"), asValidator)
			f.call("c1", rowsOf("A-2+"), good("A-1"), together("b"))
		}, conform.NotRun, []string{"no calls with items of their own"}},
		{"a validator beside two calls is not judged", "LD-01", nil, func(f *film) {
			f.structured("v1", `{"eligible":true,"results":[{"id":"A-1"}]}`, good("A-3"), together("b"), asValidator)
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+"), good("A-2"), together("b"))
		}, conform.Pass, nil},
		{"an answer without any list", "LD-01", nil, func(f *film) {
			f.structured("c1", `{"ok":true}`, good("A-1"), together("b"))
			f.call("c2", rowsOf("A-1+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"which only the call c1 asked for"}},
		{"the other call's row in a shape of its own", "LD-01", func(op *conform.Operation) {
			op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
		}, func(f *film) {
			f.structured("c1", `{"results":[],"rows":[{"id":"A-2","done":true}]}`, good("A-1"), together("b"))
			f.structured("c2", `{"results":[],"rows":[{"id":"A-2","done":true}]}`, good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for A-2, which only the call c2 asked for"}},
		{"the other call's row in other letters", "LD-01", foldingCase, func(f *film) {
			f.call("c1", rowsOf("A-1+"), good("A-1"), together("b"))
			f.call("c2", rowsOf("A-2+", "a-1+"), good("A-2"), together("b"))
		}, conform.Fail, []string{"a row for a-1, which only the call c1 asked for"}},
	})
}
