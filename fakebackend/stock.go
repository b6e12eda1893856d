package fakebackend

import (
	"fmt"
	"slices"
	"strings"
)

// stockTools add products to the shop, and take those away again.
func stockTools(o Options) []tool {
	row := row{{"id", kind("string")}, {"name", kind("string")}, {"success", kind("boolean")},
		{"error", text("Why it failed, as a code.")}, {"message", text("The same for a person.")}}
	return []tool{
		{
			name: addProducts, title: "Add products",
			description: "Adds several products to the shop, each with an id and a name that no other has. One row in results[] for each.",
			input:       schema([]string{"items"}, prop("items", collection("The products: objects with id and name.", o.MaxItems))),
			output:      o.Shape.batchSchema(row),
			run: func(b *Backend, c *call) *answer {
				rows := b.eachProduct(c, "product-added", c.args.refs("items"), b.addOne)
				_, done := tally(rows)
				return o.Shape.batch(rows, fmt.Sprintf("%d of %d %s added.", done, len(rows), plural(len(rows), "product")))
			},
		},
		{
			name: removeProducts, title: "Remove products",
			description: "Takes several products out of the shop that add_products put there. One row in results[] for each.",
			input:       schema([]string{"ids"}, prop("ids", collection("The products, by id.", o.MaxItems))),
			output:      o.Shape.batchSchema(row), idempotent: true,
			run: func(b *Backend, c *call) *answer {
				rows := b.eachProduct(c, "product-removed", c.args.refs("ids"), b.removeOne)
				_, done := tally(rows)
				return o.Shape.batch(rows, fmt.Sprintf("%d of %d %s removed.", done, len(rows), plural(len(rows), "product")))
			},
		},
	}
}

// eachProduct does something to each product on its own, and logs what was done.
func (b *Backend) eachProduct(c *call, what string, refs []ref, do func(ref) (id string, o outcome)) []any {
	rows := make([]any, len(refs))
	most, tooMany := b.tooMany(refs)
	for i, r := range refs {
		id, o := "", most
		if !tooMany {
			id, o = do(r)
		}
		row := r.orderRow()
		if o.problem != "" {
			rows[i] = row.add("success", false).add("error", o.problem).add("message", o.detail)
			continue
		}
		b.effects.add(Effect{Tool: c.tool, Item: id, Kind: what})
		rows[i] = row.add("success", true)
	}
	return rows
}

func (b *Backend) addOne(r ref) (string, outcome) {
	id, name := strings.TrimSpace(r.id), strings.TrimSpace(r.name)
	switch {
	case r.invalid != "":
		return "", outcome{problem: "invalid_item", detail: r.invalid}
	case id == "" || name == "":
		return "", refused("incomplete")
	case !b.products.put(entry{id: id, name: name}):
		return "", refused("exists")
	}
	return id, outcome{}
}

func (b *Backend) removeOne(r ref) (string, outcome) {
	id := r.orderID()
	if b.products.take(id) {
		return id, outcome{}
	}
	if _, there := b.products.withID(id); there {
		return "", refused("not_removable")
	}
	return "", outcome{problem: "not_found", detail: "no product has this id"}
}

// put adds a thing; false: its id or its name is taken.
func (s *shelf) put(e entry) bool {
	s.adding.Lock()
	defer s.adding.Unlock()
	if _, taken := s.withID(e.id); taken {
		return false
	}
	if _, taken := s.named(e.name); taken {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e.status = active
	s.added.byID[e.id], s.added.byName[canon(e.name)] = e, e
	s.added.order = append(s.added.order, e.id)
	return true
}

// take takes a thing away that was added, with all that was done to it; false:
// none was.
func (s *shelf) take(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, there := s.added.byID[id]
	if there {
		delete(s.added.byID, id)
		delete(s.added.byName, canon(e.name))
		s.added.order = slices.DeleteFunc(s.added.order, func(other string) bool { return other == id })
		delete(s.state, id)
	}
	return there
}

// addition is what was added to a shelf.
type addition struct {
	byID   map[string]entry
	byName map[string]entry // canon of names
	order  []string         // ids
}

func nothingAdded() addition {
	return addition{byID: map[string]entry{}, byName: map[string]entry{}}
}

// addedWithID and addedNamed find what was added.
func (s *shelf) addedWithID(id string) (entry, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e, ok := s.added.byID[id]
	return e, ok
}

func (s *shelf) addedNamed(name string) (entry, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e, ok := s.added.byName[name]
	return e, ok
}
