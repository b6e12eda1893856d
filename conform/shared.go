package conform

import "fmt"

// Shared tells a target that others write to as well, by the words of a finding;
// empty: nothing shows it. It shows where an item changes between two looks with
// nothing of ours between them, or where a canary, an item that the run never
// asks for, is not what it was. What a run then sees of effects may be anybody's.
func (r *Recording) Shared() string {
	return r.Memo(sharedKey{}, func() any { return r.shared() }).(string)
}

type sharedKey struct{}

func (r *Recording) shared() string {
	type place struct{ eyes, id string }
	quiet := map[place]State{}
	since := map[place]map[int]State{} // by how many resets came before
	fresh := map[place]State{}         // as an acknowledged reset leaves it
	for _, o := range r.Effects {
		e := o.Effect
		if e.Problem != "" {
			continue
		}
		if e.Phase == Quiet {
			for _, s := range e.States {
				at := place{e.Instance + " " + e.Eyes, s.ID}
				if was, ok := quiet[at]; ok && s.Changed(was) {
					return Moved(was, s, "between two looks with no call of the run's between them")
				}
				quiet[at] = s
			}
		}
		resets, done := r.resetsBefore(o.Seq)
		for _, s := range e.Canaries {
			at := place{e.Eyes, s.ID}
			was, ok := since[at][resets]
			if !ok && done {
				was, ok = fresh[at]
			}
			if ok && s.Changed(was) {
				return Moved(was, s, "although the run never asks for it")
			}
			if _, known := fresh[at]; done && !known {
				fresh[at] = s
			}
			if since[at] == nil {
				since[at] = map[int]State{}
			}
			since[at][resets] = s
		}
	}
	return ""
}

// Word puts a state into words.
func (s State) Word() string {
	switch {
	case !s.Present:
		return "absent"
	case s.State == "":
		return "present"
	}
	return s.State
}

// resetsBefore counts the resets that were asked for before an observation, and
// tells whether the last of them was acknowledged.
func (r *Recording) resetsBefore(seq int64) (n int, done bool) {
	for _, reset := range r.resets {
		if reset.seq > seq {
			break
		}
		n, done = n+1, reset.put != nil && reset.put.Done
		if c := reset.call; c != nil && c.Result != nil {
			failed, _ := c.Result.Get("isError").Bool()
			done = !failed
		}
	}
	return n, done
}

// ResetBetween tells whether a reset was asked for between two observations, and
// the last one was acknowledged.
func (r *Recording) ResetBetween(from, to int64) bool {
	before, _ := r.resetsBefore(from)
	n, done := r.resetsBefore(to)
	return n > before && done
}

// Moved says how somebody else's change of an item shows, by the words of a finding.
func Moved(was, is State, how string) string {
	return fmt.Sprintf("shared target: %s moved from %s to %s %s: somebody else writes there too, so that effects cannot be told from theirs",
		was.ID, was.Word(), is.Word(), how)
}

// asking is one reset: a call of a tool, or what other hands were asked for.
type asking struct {
	seq  int64
	call *Call
	put  *PutBack
}
