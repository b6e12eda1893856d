package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
)

// shared says by what it shows that others write to the target too; empty: nothing
// shows it. What a run then sees of effects may be anybody's.
func shared(rec *conform.Recording) string {
	if seen := rec.Shared(); seen != "" {
		return seen
	}
	return rec.Memo(sharedKey{}, func() any { return foreign(rec) }).(string)
}

type sharedKey struct{}

// foreign tells a second writer by bystanders: items that an earlier play changed,
// as it was told, and that nobody asks for any more. They stay as that play left
// them, or go back to what they were before it, if something was put back between.
// One that moves between two looks of a play that does not ask for it was moved by
// somebody else. So was one that alone stands as the earlier play left it, behind
// a reset that has put others back.
func foreign(rec *conform.Recording) string {
	type place struct{ eyes, id string }
	first := map[place]conform.State{} // as the play saw it that asked for it last, before its call
	last := map[place]conform.State{}  // and behind it
	until := map[place]int64{}         // when that was
	opened := map[place]string{}       // which play that was
	type stand struct {
		instance string
		place
	}
	standing := map[stand]conform.State{} // as the first look of a play has a bystander, if that is where it belongs
	sweeping := sweeps(rec)
	for _, o := range rec.Effects {
		e := o.Effect
		if e.Problem != "" {
			continue
		}
		var back, astray []conform.State
		for _, s := range e.Bystanders {
			at := place{e.Eyes, s.ID}
			was, known := first[at]
			if !known || s.Torn {
				continue
			}
			key := stand{e.Instance, at}
			if stood, looked := standing[key]; looked {
				if s.Changed(stood) && !sweeping[e.Instance] {
					return conform.Moved(stood, s, "although no call of that time asks for it")
				}
				continue
			}
			switch {
			case !s.Changed(was):
				back = append(back, s)
				standing[key] = s
			case !s.Changed(last[at]):
				astray = append(astray, s)
				standing[key] = s
			}
		}
		// Where all stand alike, nothing tells one hand from another.
		if e.Phase == conform.Before && len(back) > 0 && len(astray) > 0 {
			if at := (place{e.Eyes, astray[0].ID}); rec.ResetBetween(until[at], o.Seq) {
				return conform.Moved(first[at], astray[0], fmt.Sprintf("although it was reset, and %s went back", back[0].ID))
			}
		}
		if e.Phase != conform.Before && e.Phase != conform.Middle && e.Phase != conform.After {
			continue
		}
		for _, s := range e.States {
			at := place{e.Eyes, s.ID}
			if opened[at] != e.Instance {
				opened[at], first[at] = e.Instance, s
			}
			last[at], until[at] = s, o.Seq
		}
	}
	return ""
}

// sweeps gives the plays with a call that asks for nothing: a server that is wrong
// there may apply it to everything.
func sweeps(rec *conform.Recording) map[string]bool {
	found := map[string]bool{}
	for _, c := range rec.Calls {
		if c.Planned.Role == conform.RolePrimary && c.Sent != nil && len(c.Planned.Items) == 0 {
			found[c.Planned.Instance] = true
		}
	}
	return found
}
