package multiitem_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// What an answer comes to, for those who measure: refused, without rows, or by the
// target file's mapping and how many items it is untrue of.
func TestGlance(t *testing.T) {
	two, mixed := good("A-1", "A-2"), join(good("A-1"), bad("X-1"))
	mapped := func(op *conform.Operation) {
		op.Results = conform.Results{Path: "$.rows[*]", Success: []string{"done"}}
	}
	for name, c := range map[string]struct {
		op   func(*conform.Operation)
		film func(*film)
		want string // refused or not, unknown, mapped, untrue
	}{
		"rows":                         {nil, func(f *film) { f.call("c1", rowsOf("A-1+", "A-2-"), two) }, "false false false 0"},
		"nothing came":                 {nil, func(f *film) { f.lose("c1", conform.TimedOut, two) }, "true false false 0"},
		"refused":                      {nil, func(f *film) { f.refuse("c1", "no", two) }, "true false false 0"},
		"a mix refused":                {nil, func(f *film) { f.refuse("c1", "no", mixed) }, "true false false 0"},
		"bad ones refused":             {nil, func(f *film) { f.refuse("c1", "no", bad("X-1", "X-2")) }, "false false false 0"},
		"bad ones refused by an error": {nil, func(f *film) { f.raise("c1", bad("X-1", "X-2")) }, "true false false 0"},
		"no rows":                      {nil, func(f *film) { f.structured("c1", `{"message":"hm"}`, two) }, "false true false 0"},
		"a validator decides": {nil, func(f *film) {
			f.structured("c1", `{"eligible":true}`, two, func(p *conform.Planned) { p.Role = conform.RoleValidator })
		}, "false false false 0"},
		"a validator says nothing": {nil, func(f *film) {
			f.structured("c1", `{"message":"hm"}`, two, func(p *conform.Planned) { p.Role = conform.RoleValidator })
		}, "false true false 0"},
		"mapped": {mapped, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-1","done":true},{"id":"X-1","done":false}]}`, mixed)
		}, "false false true 0"},
		"mapped, and untrue of both": {mapped, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-1","done":false},{"id":"X-1","done":true}]}`, mixed)
		}, "false false true 2"},
		"mapped, and silent of one": {mapped, func(f *film) {
			f.structured("c1", `{"rows":[{"id":"A-1","done":true}]}`, []conform.Item{{Given: quote("A-1")}, {Given: quote("U-1")}})
		}, "false false true 1"},
	} {
		f := &film{}
		c.film(f)
		op := operations[0]
		if c.op != nil {
			c.op(&op)
		}
		rec := conform.NewRecording(conform.Header{Target: conform.Target{Operations: []conform.Operation{op}}}, f.seen)
		w := multiitem.Glance(rec, &op, rec.Call("c1"))
		if said := fmt.Sprint(w.Refused != "", w.Unknown, w.Mapped, w.Untrue); said != c.want {
			t.Errorf("%s: %s, want %s", name, said, c.want)
		}
	}
}

// Names that some rule reads may not be passed over.
func TestReads(t *testing.T) {
	op := &conform.Operation{Results: conform.Results{ID: []string{"sku"}, Success: []string{"done"}, Add: []string{"size"}}}
	for _, name := range []string{
		"results", "result", "output", "data", "success", "OK", "id", "Name", "subject", "key", "index", "item", "isError", "structuredContent", "content", "type", "_meta", "resultType",
		"multi_item_status", "partial_success", "original_ok", "secondary_error", "terminal", "items_succeeded_count", "items_failed_count", "primary_tool", "metadata",
		"status", "state", "eligible", "requestState", "inputRequests", "task", "total", "failed_count", "protocol", "Receipt-ID", "next_cursor", "job_id", "SKU", "Done", "Size",
	} {
		if !multiitem.Reads(op, name) {
			t.Errorf("%s is passed over", name)
		}
	}
	for _, name := range []string{"note", "", "ids", "resultant"} {
		if multiitem.Reads(op, name) {
			t.Errorf("%q is read", name)
		}
	}
	if !multiitem.NamesProtocol("Operation-Id") || multiitem.NamesProtocol("id") {
		t.Error("a protocol's name is not told from another")
	}
}

func TestCornersOfDryRuns(t *testing.T) {
	two := good("A-1", "A-2")
	dry := func(p *conform.Planned) { p.DryRun = true }
	knows := func(op *conform.Operation) { op.DryRun = json.RawMessage(`{"dry_run":true}`) }
	run := func(change func(*conform.Planned), after string) func(*film) {
		return func(f *film) {
			f.look(conform.Before, "A-1=ACTIVE", "A-2=ACTIVE")
			f.call("c1", rowsOf("A-1+", "A-2+"), two, change)
			f.look(conform.After, "A-1="+after, "A-2="+after)
		}
	}
	nothing := func(*conform.Planned) {}
	corners(t, []corner{
		{"nothing is done", "EFF-04", knows, run(dry, "ACTIVE"), conform.Pass, nil},
		{"it is done", "EFF-04", knows, run(dry, "DONE"), conform.Fail, []string{"Product A-1"}},
		{"a call in earnest", "EFF-04", knows, run(nothing, "DONE"), conform.NotRun, []string{"no dry run was bracketed"}},
		{"the file knows none", "EFF-04", nil, run(dry, "DONE"), conform.NotRun, []string{"names no arguments of a dry run"}},
		{"the file knows none, and it reads only", "EFF-04", reading, run(dry, "DONE"), conform.NotRun, []string{"reads only"}},
		{"what is only tried acknowledges nothing", "EFF-01", knows, run(dry, "ACTIVE"), conform.NotRun, nil},
	})
}
