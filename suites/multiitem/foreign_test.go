package multiitem_test

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// bystand looks at items of a play, and at bystanders behind "|".
func (f *film) bystand(instance string, phase conform.Phase, states string) {
	own, others, _ := strings.Cut(states, "|")
	f.lookIn(instance, phase, strings.Fields(own)...)
	with := &film{}
	with.lookIn(instance, phase, strings.Fields(others)...)
	f.seen[len(f.seen)-1].Effect.Bystanders = with.seen[0].Effect.States
}

func (f *film) resets(done bool) {
	f.add(conform.Observation{Kind: conform.KindPutBack, PutBack: &conform.PutBack{What: conform.DoReset, Done: done}})
}

// A second writer shows by items that an earlier play changed; a server that is
// merely late, or does not put back what it says, does not look like one.
func TestASecondWriterAtTheRunsOwnItems(t *testing.T) {
	in := func(instance string) func(*conform.Planned) {
		return func(p *conform.Planned) { p.Instance = instance }
	}
	first := func(f *film) {
		f.bystand("one", conform.Before, "A-1=ACTIVE A-2=ACTIVE")
		f.call("c1", rowsOf("A-1+", "A-2+"), good("A-1", "A-2"), in("one"))
		f.bystand("one", conform.After, "A-1=DONE A-2=DONE")
	}
	second := func(f *film, before, after string) {
		f.bystand("two", conform.Before, "B-1=ACTIVE|"+before)
		f.call("c2", rowsOf("B-1+"), good("B-1"), in("two"))
		f.bystand("two", conform.After, "B-1=DONE|"+after)
	}
	for name, c := range map[string]struct {
		film   func(*film)
		shared string
	}{
		"all were put back":              {func(f *film) { first(f); f.resets(true); second(f, "A-1=ACTIVE A-2=ACTIVE", "A-1=ACTIVE A-2=ACTIVE") }, ""},
		"nothing was put back":           {func(f *film) { first(f); second(f, "A-1=DONE A-2=DONE", "A-1=DONE A-2=DONE") }, ""},
		"one moves during another play":  {func(f *film) { first(f); f.resets(true); second(f, "A-1=ACTIVE A-2=ACTIVE", "A-1=ACTIVE A-2=DONE") }, "A-2 moved from ACTIVE to DONE although no call"},
		"one is undone by somebody":      {func(f *film) { first(f); second(f, "A-1=DONE A-2=DONE", "A-1=DONE A-2=ACTIVE") }, "A-2 moved from DONE to ACTIVE although no call"},
		"one alone is not put back":      {func(f *film) { first(f); f.resets(true); second(f, "A-1=ACTIVE A-2=DONE", "A-1=ACTIVE A-2=DONE") }, "A-2 moved from ACTIVE to DONE although it was reset, and A-1 went back"},
		"the reset puts nothing back":    {func(f *film) { first(f); f.resets(true); second(f, "A-1=DONE A-2=DONE", "A-1=DONE A-2=DONE") }, ""},
		"one alone, and no reset":        {func(f *film) { first(f); second(f, "A-1=ACTIVE A-2=DONE", "A-1=ACTIVE A-2=DONE") }, ""},
		"the reset was refused":          {func(f *film) { first(f); f.resets(false); second(f, "A-1=ACTIVE A-2=DONE", "A-1=ACTIVE A-2=DONE") }, ""},
		"one comes back late":            {func(f *film) { first(f); f.resets(true); second(f, "A-1=PENDING A-2=ACTIVE", "A-1=ACTIVE A-2=ACTIVE") }, ""},
		"nobody knows how it was":        {func(f *film) { second(f, "A-9=ACTIVE", "A-9=DONE") }, ""},
		"the eyes contradict themselves": {func(f *film) { first(f); f.resets(true); second(f, "A-1=ACTIVE A-2=ACTIVE", "A-1=ACTIVE A-2=BOTH~") }, ""},
		"a call that asks for nothing is applied to everything": {func(f *film) {
			first(f)
			f.resets(true)
			f.bystand("two", conform.Before, "B-1=ACTIVE|A-1=ACTIVE A-2=ACTIVE")
			f.structured("c2", `{"ok":true,"results":[]}`, nil, in("two"), func(p *conform.Planned) { p.Form = conform.FormEmpty })
			f.bystand("two", conform.After, "B-1=DONE|A-1=DONE A-2=DONE")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := &film{}
			c.film(f)
			f.add(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
			rec := conform.NewRecording(conform.Header{Target: conform.Target{HasFile: true, Operations: operations[:1]}}, f.seen)
			verdict, said := saidBy(rec, "EFF-01")
			if (verdict == conform.Inconclusive) != (c.shared != "") || !strings.Contains(strings.ReplaceAll(said, `"`, ""), c.shared) {
				t.Errorf("%s: %s", verdict, said)
			}
		})
	}
}
