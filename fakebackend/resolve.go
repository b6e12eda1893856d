package fakebackend

import (
	"strings"
)

// resolved is a requested item and what it turned out to be.
type resolved struct {
	ref
	entry   entry // zero if nothing was found
	found   bool
	problem string // error code; empty: the item stands for entry
	detail  string // the same for a person
}

// resolve finds what an item stands for. Names are compared in canonical form;
// guess lets informal names count too, as a validator does.
func (s *shelf) resolve(r ref, guess bool) resolved {
	out := resolved{ref: r}
	if r.invalid != "" {
		out.problem, out.detail = "invalid_item", r.invalid
		return out
	}
	if r.loose {
		if e, ok := s.withID(strings.TrimSpace(r.name)); ok {
			out.entry, out.found = e, true
			return out
		}
		return s.byNameOf(out, guess)
	}
	if strings.TrimSpace(r.id) == "" {
		return s.byNameOf(out, guess)
	}
	e, ok := s.withID(strings.TrimSpace(r.id))
	if !ok {
		out.problem, out.detail = "not_found", "no "+s.kind+" has this id"
		return out
	}
	out.entry, out.found = e, true
	// An id beside the name of something else is a slip, and a cancellation
	// cannot be taken back.
	if strings.TrimSpace(r.name) != "" && canon(r.name) != canon(e.name) && !s.means1(r.name, e.id) {
		out.problem, out.detail = "name_mismatch", "the "+s.kind+" with this id has another name"
	}
	return out
}

// means1 tells whether an informal name means just the one thing of an id.
func (s *shelf) means1(name, id string) bool {
	meant := s.meant(name)
	return len(meant) == 1 && meant[0].id == id
}

func (s *shelf) byNameOf(out resolved, guess bool) resolved {
	if e, ok := s.named(out.name); ok {
		out.entry, out.found = e, true
		return out
	}
	if guess {
		switch meant := s.meant(out.name); len(meant) {
		case 0:
		case 1:
			out.entry, out.found = *meant[0], true
			return out
		default:
			names := make([]string, len(meant))
			for i, e := range meant {
				names[i] = e.name
			}
			out.problem, out.detail = "ambiguous", "could be "+strings.Join(names, " or ")
			return out
		}
	}
	out.problem, out.detail = "not_found", "no "+s.kind+" has this id or name"
	return out
}

// identity begins a row: what the caller gave is said back as it was given, so
// that rows can be tied to items; what was left out is filled in where known.
func (r resolved) identity() *object {
	row := &object{}
	id, name := r.id, r.name
	if r.loose && r.found && r.name == r.entry.id {
		id, name = r.name, ""
	}
	if id == "" && r.found {
		id = r.entry.id
	}
	if name == "" && r.found {
		name = r.entry.name
	}
	if id != "" {
		row.add("id", id)
	}
	if name != "" {
		row.add("name", name)
	}
	return row
}
