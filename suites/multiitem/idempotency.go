package multiitem

import (
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func idempotency() []conform.Check {
	return []conform.Check{{
		Requirement: conform.Requirement{
			ID: "IDM-01", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupIdempotency,
			Title:  "a repeated key has no second effect",
			Text:   "The same call again, with the same idempotency key and the same arguments, does nothing a second time.",
			Impact: "A retry after a lost answer cancels, orders or pays twice.",
			Source: "multi-item guide, idempotency; contract section 6",
			Needs:  []conform.Need{conform.NeedState},
			Good:   "the second answer carries the protocol of the first, and the state has not moved",
			Bad:    "the second answer carries a new protocol: the items were executed again",
			Mend:   "Store the answer under the key together with the effect, in one transaction, and give the stored answer back when the key comes again.",
			Since:  set,
			Raise:  map[string]conform.Level{"keys-declared": conform.Must},
		},
		Applies: keysDeclared,
		Judge:   repeats(noSecondEffect),
		Missing: "no call was repeated with the same key",
	}, {
		Requirement: conform.Requirement{
			ID: "IDM-02", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupIdempotency,
			Title:  "a replay says the same",
			Text:   "A repeated call is answered with the same flags and the same protocol ids.",
			Impact: "A retry reports failure for what succeeded, and somebody repairs what was never broken.",
			Source: "durable idempotency, feature document; contract section 6",
			Needs:  []conform.Need{conform.NeedItems},
			Good:   `first and second time {"id":"1001","success":true,"protocol":"P-77"}`,
			Bad:    `second time {"id":"1001","success":false,"error":"already cancelled"}`,
			Mend:   "Give the stored answer back as it was; do not run the operation's own \"already done\" test on a replay.",
			Since:  set,
		},
		Applies: keysDeclared,
		Judge:   repeats(sameAnswer),
		Missing: "no call was repeated with the same key",
	}, {
		Requirement: conform.Requirement{
			ID: "IDM-03", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupIdempotency,
			Title:  "a retry after a partial success keeps what succeeded",
			Text:   "When the items of a partly successful call are asked for again, those that had succeeded stay as they are.",
			Impact: "Retrying the one failed item does the others a second time.",
			Source: "multi-item guide, idempotency",
			Needs:  []conform.Need{conform.NeedItems, conform.NeedState},
			Good:   `{"id":"1001","success":false,"error":"already_cancelled"} or the first protocol again`,
			Bad:    `{"id":"1001","success":true,"protocol":"P-78"} where the first call had given P-77`,
			Mend:   "Before executing an item, look whether it is done already, and say so in its row.",
			Since:  set,
		},
		Applies: writesOnly,
		Judge:   retriesKeep,
		Missing: "no partly successful call was retried",
	}, {
		Requirement: conform.Requirement{
			ID: "IDM-04", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupIdempotency,
			Title:  "every success has a protocol id of its own",
			Text:   "Where operation or protocol ids are given, each successful row carries its own, and no two rows share one.",
			Impact: "When a customer complains about one item, nobody can find what was done for it.",
			Source: "multi-item guide, idempotency",
			Needs:  []conform.Need{conform.NeedItems},
			Good:   `[{"id":"1001","success":true,"protocol":"P-77"},{"id":"1002","success":true,"protocol":"P-78"}]`,
			Bad:    `[{"id":"1001","success":true,"protocol":"P-77"},{"id":"1002","success":true,"protocol":"P-77"}]`,
			Mend:   "Put the id that the backend gave for the item on the item's row, not one id on the whole answer.",
			Since:  set,
			If:     "where answers show protocol or operation ids",
		},
		Applies: showsProtocols,
		Judge:   ownProtocols,
		Missing: "no batch with two successful rows was answered",
	}, idm05}
}

func writesOnly(s *conform.Subject) string {
	if s.Operation != nil && !s.Operation.Write {
		return "the operation reads only (`effect: read`)"
	}
	return ""
}

func keysDeclared(s *conform.Subject) string {
	if reason := writesOnly(s); reason != "" {
		return reason
	}
	if s.Operation != nil && s.Operation.Idempotency == conform.Absent {
		return "the target file declares `idempotency: none`"
	}
	return ""
}

// repeats judges each pair of a call and its repetition to the byte.
func repeats(judge func(first, second *sight, seen eyes) conform.Look) func(*conform.Subject) []conform.Look {
	return pairs(func(p *conform.Planned) string { return p.Repeats }, judge)
}

func pairs(other func(*conform.Planned) string, judge func(first, second *sight, seen eyes) conform.Look) func(*conform.Subject) []conform.Look {
	return func(s *conform.Subject) []conform.Look {
		var looks []conform.Look
		for _, c := range s.Calls {
			if c.Sent == nil || c.Planned.Role != conform.RolePrimary {
				continue
			}
			first, second := s.Recording.Call(other(&c.Planned)), see(s.Operation, c)
			if first == nil || first.Sent == nil {
				continue
			}
			a := see(s.Operation, first)
			switch {
			case a.lost() != "":
				looks = append(looks, second.unclear("the first call: %s", a.lost()))
			case second.lost() != "":
				looks = append(looks, second.unclear("%s", second.lost()))
			default:
				looks = append(looks, judge(a, second, eyesOn(s.Recording, c.Planned.Instance)))
			}
		}
		return looks
	}
}

// rowFor gives the first readable row that answers an item.
func (v *sight) rowFor(item int) *contract.Row {
	if item >= len(v.Tie.Rows) {
		return nil
	}
	for _, row := range v.Tie.Rows[item] {
		if v.Answer.Rows[row].Readable() {
			return &v.Answer.Rows[row]
		}
	}
	return nil
}

// noSecondEffect wants positive evidence either way: a count or state that moved
// or stayed, a protocol that is new or the same, a refusal.
func noSecondEffect(first, second *sight, seen eyes) conform.Look {
	if !first.HasRows() || !second.HasRows() {
		return second.cannot(noRows)
	}
	if seen.shared != "" {
		return second.unclear("%s", seen.shared)
	}
	middle := read(seen.before(second.Sent.Seq), first.Op.FoldCase)
	after := read(seen.after(second.Received[len(second.Received)-1].Seq), first.Op.FoldCase)
	told := false
	for i, item := range first.Planned.Items {
		a, b := first.rowFor(i), second.rowFor(i)
		if a == nil || b == nil || a.Flag != contract.Succeeded {
			continue
		}
		names := first.seenAs(item)
		was, is := middle.of(names), after.of(names)
		if was != nil && is != nil {
			if why := torn(was, is); why != "" {
				return second.tornLook(why)
			}
		}
		if was != nil && is != nil && middle.Seq > first.Sent.Seq && is.Changed(*was) {
			look := second.fail(b.Node, "the state that the first call left", "%s moved from %s to %s at the second call", is.ID, say(was), say(is))
			look.Item = i + 1
			return look
		}
		counted := was != nil && is != nil && was.Count != nil && is.Count != nil && middle.Seq > first.Sent.Seq
		one, _ := protocolOf(a.Node)
		two, at := protocolOf(b.Node)
		switch {
		case counted, b.Flag == contract.Failed, one != "" && one == two:
			told = true
		case one != "" && two != "":
			look := second.fail(at, "the protocol of the first call, "+one, "a new one, %s: the item was executed again", two)
			look.Item = i + 1
			return look
		}
	}
	if !told {
		look := second.cannot("neither a count in the probe nor protocol ids in the rows tell whether the second call did anything")
		look.Hint = "name the member that counts executions as `probe.count`"
		return look
	}
	return second.pass()
}

func sameAnswer(first, second *sight, _ eyes) conform.Look {
	if !first.HasRows() || !second.HasRows() {
		return second.cannot(noRows)
	}
	compared := false
	for i := range first.Planned.Items {
		a, b := first.rowFor(i), second.rowFor(i)
		if a == nil {
			continue
		}
		if b == nil {
			look := second.fail(second.Answer.List, "the row of the first answer: "+a.Node.Excerpt(120), "no row for the item")
			look.Item = i + 1
			return look
		}
		compared = true
		one, _ := protocolOf(a.Node)
		two, _ := protocolOf(b.Node)
		if a.Flag != b.Flag || one != two {
			look := second.fail(b.Node, "the first answer again: "+a.Node.Excerpt(120), "%s", b.Node.Excerpt(120))
			look.Item = i + 1
			return look
		}
	}
	if !compared {
		return second.cannot("no row of the first answer could be read")
	}
	return second.pass()
}

// retriesKeep looks at items that had succeeded when they are asked for again
// under a new key or none.
func retriesKeep(s *conform.Subject) []conform.Look {
	return pairs(func(p *conform.Planned) string { return p.Retries }, func(first, second *sight, seen eyes) conform.Look {
		if !first.HasRows() || !second.HasRows() {
			return second.cannot(noRows)
		}
		if seen.shared != "" {
			return second.unclear("%s", seen.shared)
		}
		before := read(seen.before(first.Sent.Seq), first.Op.FoldCase)
		middle := read(seen.before(second.Sent.Seq), first.Op.FoldCase)
		after := read(seen.after(second.Received[len(second.Received)-1].Seq), first.Op.FoldCase)
		told := false
		for i, item := range first.Planned.Items {
			a, b := first.rowFor(i), second.rowFor(i)
			if a == nil || a.Flag != contract.Succeeded {
				continue
			}
			names := first.seenAs(item)
			was, is := middle.of(names), after.of(names)
			if unmoved(before.of(names), was) {
				continue // it had not succeeded, whatever was said (see EFF-01, CON-01)
			}
			if was != nil && is != nil && middle.Seq > first.Sent.Seq {
				if why := torn(was, is); why != "" {
					return second.tornLook(why)
				}
				if is.Changed(*was) {
					look := second.fail(rowNode(b), "what succeeded stays as it is", "%s moved from %s to %s when the batch was retried", is.ID, say(was), say(is))
					look.Item = i + 1
					return look
				}
				told = true
			}
			if b == nil {
				continue
			}
			one, _ := protocolOf(a.Node)
			two, at := protocolOf(b.Node)
			if b.Flag == contract.Succeeded && one != "" && two != "" && one != two {
				look := second.fail(at, "the protocol of the first call, or a refusal", "a new protocol, %s after %s: the item was executed again", two, one)
				look.Item = i + 1
				return look
			}
			told = told || b.Flag == contract.Failed || one != "" && one == two
		}
		if !told {
			return second.cannot("nothing tells whether an item that had succeeded was executed again")
		}
		return second.pass()
	})(s)
}

// unmoved tells whether a first call left an item as it was; false where nobody
// looked.
func unmoved(before, after *conform.State) bool {
	return before != nil && after != nil && !after.Changed(*before) && (after.Done == nil || !*after.Done)
}

func rowNode(r *contract.Row) *rawjson.Node {
	if r == nil {
		return nil
	}
	return r.Node
}

// showsProtocols says why IDM-04 has no meaning: the operation reads, or nothing
// shows that it gives such ids at all.
func showsProtocols(s *conform.Subject) string {
	if reason := writesOnly(s); reason != "" || s.Operation == nil {
		return reason
	}
	if s.Operation.ProtocolIDs {
		return ""
	}
	answered := false
	for _, c := range s.Calls {
		if c.Planned.Role != conform.RolePrimary {
			continue
		}
		v := see(s.Operation, c)
		if v.Answer == nil {
			continue
		}
		answered = true
		if id, _ := protocolOf(v.Answer.Payload); id != "" {
			return ""
		}
		for _, row := range v.Answer.Rows {
			if id, _ := protocolOf(row.Node); id != "" {
				return ""
			}
		}
	}
	if !answered {
		return ""
	}
	return "no answer shows a protocol or operation id"
}

func ownProtocols(s *conform.Subject) []conform.Look {
	type first struct{ item, row, call string }
	owner := map[string]first{} // protocol to the item that had it first, and where
	return eachRows(atLeast(2), func(v *sight) *conform.Look {
		if v.Planned.Repeats != "" || v.Planned.Retries != "" {
			return nil
		}
		succeeded := 0
		for i := range v.Answer.Rows {
			row := &v.Answer.Rows[i]
			if row.Flag != contract.Succeeded {
				continue
			}
			succeeded++
			id, at := protocolOf(row.Node)
			if id == "" {
				look := v.fail(row.Node, "a protocol or operation id on each successful row", "row %d has none", i)
				look.Item = v.Tie.Item[i] + 1
				return &look
			}
			who := first{row: fmt.Sprintf("%s#%d", v.ID, i), call: v.ID}
			if item := v.Tie.Item[i]; item >= 0 {
				who.item = v.called(item)
			}
			had, taken := owner[id]
			// What was done once for an item may be told in several calls.
			if taken && (had.item != who.item || who.item == "" || had.call == v.ID) {
				look := v.fail(at, "an id of its own for each item", "%s, which %s has already", id, had.row)
				look.Item = v.Tie.Item[i] + 1
				return &look
			}
			if !taken {
				owner[id] = who
			}
		}
		if succeeded < 2 {
			return nil
		}
		return some(v.pass())
	})(s)
}
