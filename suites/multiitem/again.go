package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/history"
)

// again is an item that was asked for once more, under another key or none, when a call
// had acknowledged it and no call with it was out.
type again struct {
	first, second *sight
	item          int    // of second
	said          word   // of second: claimed or denied
	replayed      bool   // acknowledged under the protocol of the first
	more          *int64 // by how much its count grew; nil: nobody counted
}

type againKey struct{ operation string }

// askedAgain gives what calls one after the other show of items that were done already.
func askedAgain(s *conform.Subject) []again {
	return s.Recording.Memo(againKey{operationOf(s).Name}, func() any { return findAgain(s) }).([]again)
}

func findAgain(s *conform.Subject) []again {
	var all []again
	type place struct{ instance, item string }
	done := map[place]*sight{} // the last call that acknowledged it
	out := map[place]int64{}   // until when a call with it may have been out
	for _, c := range s.Calls {
		if c.Planned.Role != conform.RolePrimary || c.Planned.DryRun || c.Sent == nil || c.Planned.KeyOf != "" {
			continue
		}
		v := see(s.Operation, c)
		said := v.words()
		for i, item := range v.Planned.Items {
			at := place{c.Planned.Instance, v.called(i)}
			first := done[at]
			if first != nil && item.Truth != conform.Bad && c.Planned.Burst == "" && said[i] != silent && out[at] < c.Sent.Seq &&
				(c.Planned.Key == "" || c.Planned.Key != first.Planned.Key) && !s.Recording.ResetBetween(first.Sent.Seq, c.Sent.Seq) {
				all = append(all, seenAgain(s, first, v, i))
			}
		}
		for i := range v.Planned.Items {
			at := place{c.Planned.Instance, v.called(i)}
			if said[i] == claimed {
				done[at] = v
			}
			out[at] = max(out[at], v.over())
		}
	}
	return all
}

// forever is later than any observation.
const forever = 1<<63 - 1

// over is when the last was received for a call; forever where it has no answer.
func (v *sight) over() int64 {
	if v.lost() != "" || len(v.Received) == 0 {
		return forever
	}
	return v.Received[len(v.Received)-1].Seq
}

// seenAgain tells of one item that was asked for again.
func seenAgain(s *conform.Subject, first, second *sight, item int) again {
	a := again{first: first, second: second, item: item, said: second.words()[item]}
	if second.Answer != nil {
		if row := second.rowFor(item); row != nil {
			two, _ := protocolOf(row.Node)
			for i := range first.Planned.Items {
				if one := first.rowFor(i); one != nil && first.called(i) == second.called(item) {
					protocol, _ := protocolOf(one.Node)
					a.replayed = a.said == claimed && two != "" && two == protocol
				}
			}
		}
	}
	seen := eyesOn(s.Recording, second.Planned.Instance)
	was := read(seen.before(second.Sent.Seq), operationOf(s).FoldCase)
	is := read(seen.after(second.over()), operationOf(s).FoldCase)
	if was == nil || is == nil || was.Seq < first.over() {
		return a
	}
	names := second.seenAs(second.Planned.Items[item])
	before, after := was.of(names), is.of(names)
	if before != nil && after != nil && before.Count != nil && after.Count != nil && torn(before, after) == "" {
		more := *after.Count - *before.Count
		a.more = &more
	}
	return a
}

// semanticsOf gives what the operation does with an item that is asked for again, and on
// whose word: the target file's, or else what the server did when it was asked again and
// no other call was out. Where nothing says it, each call may succeed.
func semanticsOf(s *conform.Subject) (semantics, known string) {
	if operationOf(s).Semantics != "" {
		return operationOf(s).Semantics, "the target file says so"
	}
	if semantics, known = learned(s); semantics != "" {
		return semantics, known
	}
	return history.Idempotent, "nothing says what a second call does, so that each may succeed"
}

// operationOf gives the operation that is judged; a bare one where none is known.
func operationOf(s *conform.Subject) *conform.Operation {
	if s.Operation == nil {
		return &conform.Operation{}
	}
	return s.Operation
}

// learned gives what the server does with an item that is asked for again, one call after
// the other, and by which call it shows; empty where it was not asked, where nothing
// tells, and where it does not always do the same.
func learned(s *conform.Subject) (semantics, known string) {
	if shared(s.Recording) != "" {
		return "", ""
	}
	for _, a := range askedAgain(s) {
		kind, how := a.shows()
		switch {
		case kind == "":
		case semantics == "":
			semantics = kind
			known = fmt.Sprintf("learned: asked for again when it was done, one call after the other, %s was %s (%s)", a.second.name(a.item), how, a.second.ID)
		case semantics != kind:
			return "", ""
		}
	}
	return semantics, known
}

// shows gives the semantics that one repeat shows, and what became of it.
func (a again) shows() (semantics, how string) {
	switch {
	case a.said == denied:
		return history.Once, "refused"
	case a.replayed:
		return history.Once, "acknowledged under the protocol it had"
	case a.more == nil:
		return "", ""
	case *a.more == 0:
		return history.Idempotent, "acknowledged, and not done once more"
	case *a.more == 1:
		return history.Append, "acknowledged, and done once more"
	}
	return "", ""
}
