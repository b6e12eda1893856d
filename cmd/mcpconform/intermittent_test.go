package main

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// TestIntermittentFaults plays servers that are wrong in one call of ten, twenty
// times. The finding must be that rule's alone, and say how often and in which
// calls, with an interval that the truth can lie in.
func TestIntermittentFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault, check, scenarios string
	}{
		"rows that are missing now and then": {"RES-02/drops-failed@0.1", "RES-02", "partial"},
		"all or nothing now and then":        {"AGG-02/all-or-nothing@0.1", "AGG-02", "partial"},
		"bytes that are wrong now and then":  {"PRO-03/content-object@0.1", "PRO-03", "all-succeed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := backend(t, noOptions, c.fault)
			r, got := run(t, onBackend(server.URL, "--seed", "5", "--repeat", "20", "--scenario", c.scenarios)...)
			got.exits(t, 1)
			text := new(strings.Builder)
			if err := reports.Text(text, r); err != nil {
				t.Fatal(err)
			}
			count, of := 0, 0
			for _, f := range r.Findings {
				if f.Verdict != conform.Fail || f.Level != conform.Must {
					continue
				}
				if f.ID != c.check {
					t.Errorf("%s is accused: %s", f.ID, f.Got)
					continue
				}
				count, of = count+f.Count, of+f.Of
				if f.Count < f.Of && len(f.Interval) != 2 {
					t.Errorf("%s: %d of %d, without an interval", f.Operation, f.Count, f.Of)
				}
				for _, e := range f.Evidence {
					if e.Call == "" {
						t.Errorf("%s: evidence that names no call", f.Operation)
					}
				}
				if len(f.Evidence) == 0 || !strings.Contains(f.Evidence[0].Call, "#") {
					t.Errorf("%s: it does not say in which repeat", f.Operation)
				}
			}
			// The faults draw for every call of a multi-item tool. The rule about bytes
			// looks at all the other calls as well.
			if of < 100 || count*100 < of || count*4 > of {
				t.Errorf("%d of %d calls are found wrong", count, of)
			}
			if !strings.Contains(text.String(), "how often") {
				t.Errorf("the text does not say how often:\n%s", text)
			}
		})
	}
}
