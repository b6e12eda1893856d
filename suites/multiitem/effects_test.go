package multiitem_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// Items may have no name of the usual ones: the probe's is enough for effects, and
// for nothing else.
func TestEffectsOfItemsThatOnlyTheProbeNames(t *testing.T) {
	item := func(sku string, truth conform.Truth) conform.Item {
		return conform.Item{Given: json.RawMessage(`{"sku":"` + sku + `","title":"a thing"}`), Truth: truth}
	}
	items := []conform.Item{item("S-1", conform.Good), item("S-2", conform.Good), item("S-3", conform.Bad)}
	const inOrder = `{"sku":"S-1","success":true},{"sku":"S-2","success":true},{"sku":"S-3","success":false,"error":"unknown"}`
	const turned = `{"sku":"S-3","success":false,"error":"unknown"},{"sku":"S-1","success":true},{"sku":"S-2","success":true}`
	const unnamed = `{"success":true},{"success":true},{"success":false,"error":"unknown"}`
	for name, c := range map[string]struct {
		rows, after string
		probeID     string
		want        map[string]string // per rule: the verdict, and what is said
	}{
		"all as told":                    {inOrder, "S-1=DONE S-2=DONE S-3=ACTIVE", "sku", map[string]string{"EFF-01": "pass", "EFF-02": "pass"}},
		"as told, in another order":      {turned, "S-1=DONE S-2=DONE S-3=ACTIVE", "sku", map[string]string{"EFF-01": "pass", "EFF-02": "pass"}},
		"one not done, in another order": {turned, "S-1=DONE S-2=ACTIVE S-3=ACTIVE", "sku", map[string]string{"EFF-01": "fail 1 of 2 acknowledged items did not change, by the eyes of the tool get_products: S-2 is", "EFF-02": "pass"}},
		"done and refused":               {turned, "S-1=DONE S-2=DONE S-3=DONE", "sku", map[string]string{"EFF-01": "pass", "EFF-02": "fail 1 of 1 refused items changed"}},
		"no row has a name":              {unnamed, "S-1=DONE S-2=DONE S-3=ACTIVE", "sku", map[string]string{"EFF-01": "pass", "EFF-02": "not-run no row says by a known member which item it is about"}},
		"the probe's name is not theirs": {inOrder, "S-1=DONE S-2=DONE S-3=ACTIVE", "code", map[string]string{"EFF-01": "not-run the probe knows none of the acknowledged items"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{}
			f.look(conform.Before, "S-1=ACTIVE", "S-2=ACTIVE", "S-3=ACTIVE")
			f.call("c1", c.rows, items)
			f.look(conform.After, strings.Fields(c.after)...)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			op := operations[0]
			op.ProbeID = c.probeID
			rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: []conform.Operation{op}}}, f.seen)
			said := map[string]string{}
			for _, finding := range suites.Judge(rec, multiitem.Checks()).Findings {
				said[finding.ID] = strings.TrimSpace(finding.Verdict.String() + " " + finding.Got + finding.Reason)
				if finding.Verdict == conform.NotRun && strings.HasPrefix(finding.ID, "EFF-0") && c.want[finding.ID] != "" && !strings.Contains(finding.Hint, "operations.cancel.") {
					t.Errorf("%s: no key is named: %q", finding.ID, finding.Hint)
				}
			}
			for id, want := range c.want {
				if !strings.HasPrefix(said[id], want) {
					t.Errorf("%s: %q, wanted %q", id, said[id], want)
				}
			}
		})
	}
}
