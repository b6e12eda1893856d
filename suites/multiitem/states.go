package multiitem

import (
	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
)

// eyes are the readings of one instance's state, in order.
type eyes struct {
	all []*conform.Observation
}

// eyesOn gives what the eyes saw around one playing of a scenario.
func eyesOn(rec *conform.Recording, instance string) eyes {
	var e eyes
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

// stateOf finds an item in a reading; nil if the reading does not show it.
func stateOf(o *conform.Observation, item conform.Item, fold bool) *conform.State {
	if o == nil || o.Effect.Problem != "" {
		return nil
	}
	for i := range o.Effect.States {
		s := &o.Effect.States[i]
		for _, identity := range contract.Identities(item, contract.Options{}) {
			if contract.SameValue(identity.Value, s.ID, fold) {
				return s
			}
		}
	}
	return nil
}

// changed tells whether two states of one item differ.
func changed(a, b *conform.State) bool {
	if a.Present != b.Present || a.State != b.State {
		return true
	}
	return a.Count != nil && b.Count != nil && *a.Count != *b.Count
}

// say puts a state into words.
func say(s *conform.State) string {
	if !s.Present {
		return "absent"
	}
	if s.State == "" {
		return "present"
	}
	return s.State
}
