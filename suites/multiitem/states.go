package multiitem

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// eyes are the readings of one instance's state, in order.
type eyes struct {
	all []*conform.Observation
	// shared says that others write to the target too, so that what was seen may
	// be theirs; empty: nothing shows it.
	shared string
}

// eyesOn gives what the eyes saw around one playing of a scenario.
func eyesOn(rec *conform.Recording, instance string) eyes {
	e := eyes{shared: shared(rec)}
	for _, o := range rec.Effects {
		if o.Effect.Instance == instance {
			e.all = append(e.all, o)
		}
	}
	return e
}

// before is the last reading ahead of an observation; after the first reading
// behind it, or the last if last is set (the settled one). Nil if there is none.
func (e eyes) before(seq int64) *conform.Observation {
	var found *conform.Observation
	for _, o := range e.all {
		if o.Seq < seq {
			found = o
		}
	}
	return found
}

// after gives the reading that ends the stretch beginning at seq: the last one
// of the phase that follows, since an effect may take a while to show.
func (e eyes) after(seq int64) *conform.Observation {
	var found *conform.Observation
	for _, o := range e.all {
		if o.Seq <= seq || found != nil && o.Effect.Phase != found.Effect.Phase {
			continue
		}
		found = o
	}
	return found
}

// reading is one look of the eyes, ready to be asked for items.
type reading struct {
	*conform.Observation
	byKey map[string]*conform.State
	fold  bool
}

// read prepares an observation; nil stays nil.
func read(o *conform.Observation, fold bool) *reading {
	if o == nil {
		return nil
	}
	r := &reading{Observation: o, fold: fold, byKey: make(map[string]*conform.State, len(o.Effect.States))}
	if o.Effect.Problem != "" {
		return r
	}
	for i := range o.Effect.States {
		s := &o.Effect.States[i]
		r.byKey[contract.Key(s.ID, fold)] = s
	}
	return r
}

// seenAs gives the names by which the eyes may know an item: what names it in
// answers, and the member that the probe goes by.
func (v *sight) seenAs(item conform.Item) []contract.Identity {
	return contract.Identities(item, v.effectOptions())
}

func (v *sight) effectOptions() contract.Options {
	o := v.options()
	if id := v.Op.ProbeID; id != "" && !slices.Contains(o.ID, id) {
		o.ID = append(slices.Clip(o.ID), id)
	}
	return o
}

// tieOfEffects ties rows to items for the rules on effects. Where the rows name
// their items by the probe's member alone, that will do: it says what a row speaks
// of, and turns no rule about rows green.
func (v *sight) tieOfEffects() contract.Tying {
	if v.Answer == nil || v.Tie.By == contract.ByIdentity {
		return v.Tie
	}
	o := v.effectOptions()
	return v.Answer.Tie(v.Planned.Items, o, v.Op.FoldCase)
}

// unnamed is the look of a rule on effects at rows that do not say which item
// they are about.
func (v *sight) unnamed() conform.Look {
	look := v.cannot("no row says by a known member which item it is about (see RES-09), so that effects are not judged item by item")
	look.Hint = "name the member of a row that names its item under `operations." + v.Op.Name + ".results.id` in the target file"
	return look
}

// of gives the state of an item, by any of its names; nil if the reading does
// not show it.
func (r *reading) of(names []contract.Identity) *conform.State {
	if r == nil {
		return nil
	}
	for _, name := range names {
		if s := r.byKey[contract.Key(name.Value, r.fold)]; s != nil {
			return s
		}
	}
	return nil
}

// say puts a state into words.
func say(s *conform.State) string {
	said := s.State
	switch {
	case !s.Present:
		return "absent"
	case said == "":
		said = "present"
	}
	if s.Count != nil {
		// Two readings may differ in this alone.
		said += fmt.Sprintf(" (counted %d)", *s.Count)
	}
	return said
}

// torn says that the eyes contradict themselves about an item in one of two
// readings, so that nothing can be told of it; empty: they do not.
func torn(was, is *conform.State) string {
	for _, s := range []*conform.State{is, was} {
		if s.Torn {
			return fmt.Sprintf("the probe has several rows for %s, and they contradict one another: %s", s.ID, s.State)
		}
	}
	return ""
}

// oneRow is how eyes are mended that contradict themselves.
func (v *sight) oneRow() string {
	return "correct `operations." + v.Op.Name + ".probe.path` in the target file so that it leaves one row for each id, or correct what the probe asks"
}

// tornLook is the look of a rule on effects at an item that the eyes contradict
// themselves about.
func (v *sight) tornLook(why string) conform.Look {
	look := v.unclear("%s", why)
	look.Hint = v.oneRow()
	return look
}

// patience is the longest time that was waited for an effect of an operation.
func patience(rec *conform.Recording, operation string) time.Duration {
	longest := time.Duration(0)
	for _, o := range rec.Effects {
		if o.Effect.Operation == operation {
			longest = max(longest, o.Effect.Waited)
		}
	}
	return longest
}
