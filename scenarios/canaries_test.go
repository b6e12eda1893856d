package scenarios

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestCanariesAreKnownByTheTargetFilesOwnNames(t *testing.T) {
	for name, c := range map[string]struct {
		set      func(*Operation)
		canaries int
		note     string // part of the one note; empty: there is none
	}{
		"named by id": {func(o *Operation) { o.Good = numbered(`{"id":"P-%d"}`, 12) }, 2, ""},
		"named by what the file names": {func(o *Operation) {
			o.Members, o.Good = []string{"sku"}, numbered(`{"sku":"P-%d"}`, 12)
		}, 2, ""},
		"named by nothing": {func(o *Operation) {
			o.Members, o.Good = []string{"product"}, numbered(`{"sku":"P-%d"}`, 12)
		}, 0, "of 12 good items, none has a member that names it (product, id, key, name, subject): say which does, as operations.op.probe.id"},
		"so many that they are drawn in order": {func(o *Operation) { o.Good = numbered(`"P-%d"`, manyGood+1) }, 2, ""},
		"informal names stand for all": {func(o *Operation) {
			o.Good, o.Informal = numbered(`"P-%d"`, 12), numbered(`"P-%d"`, 12)
		}, 0, "of 12 good items, the informal names stand for all of them"},
		"too few":            {func(o *Operation) { o.Good = numbered(`"P-%d"`, 11) }, 0, ""},
		"nobody looks":       {func(o *Operation) { o.Probe = conform.Absent; o.Good = numbered(`"P-%d"`, 12) }, 0, ""},
		"nothing is written": {func(o *Operation) { o.Write = false; o.Good = numbered(`"P-%d"`, 12) }, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := plain(0, 0)
			o.Probe = conform.Present
			c.set(o)
			o.settle()
			p := planOf(t, o, execute+"{batch: [good x 3]}", Options{})
			if got := p.Canaries(o); len(got) != c.canaries {
				t.Errorf("canaries %v", got)
			}
			if notes := strings.Join(p.Unwatched, "\n"); (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("noted: %s", notes)
			}
			for _, play := range p.Plays {
				bound, _ := p.Bind(play, NewSupply(1))
				for _, item := range bound.Needs {
					for _, canary := range p.Canaries(o) {
						if string(item.Given) == string(canary.Given) {
							t.Errorf("the canary %s is asked for", item.Given)
						}
					}
				}
			}
		})
	}
}

func TestWhereTheSchemaForbidsTheItemsThereIsNoCanary(t *testing.T) {
	o := plain(12, 0)
	o.Probe = conform.Present
	tool := tooling(t, `{"type":"object","properties":{"items":{"type":"array","items":{"type":"string","pattern":"^G1"}}}}`)
	p := planOf(t, o, execute+"{batch: [good x 1]}", Options{}, tool)
	const want = "no item of op is held back to show whether others write to the target: of 12 good items, " +
		"the tool's own input schema allows 4 (inputSchema/properties/items/items/pattern), and 12 are needed"
	if got := strings.Join(p.Unwatched, "\n"); got != want || p.Canaries(o) != nil {
		t.Errorf("noted: %s", got)
	}
}
