package specs

import (
	"cmp"
	"path"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites"
)

// subject is one check on one operation: what one spec is about.
type subject struct {
	conform.Check
	operation string // empty: the server as a whole
	level     conform.Level
	place     place // zero: no scenario feeds it
}

// labels are what --label-filter sees of a spec.
func (s subject) labels() []string {
	var all []string
	for _, l := range []string{strings.ToLower(s.level.String()), string(s.Group), string(s.Basis), s.ID} {
		if l != "" {
			all = append(all, l)
		}
	}
	return all
}

// subjects gives what there will be findings about, the server's rules last. It
// goes by the target file alone, as suites.Judge goes by the header of the
// recording, and must come to the same list.
func (o Options) subjects() ([]subject, error) {
	set, err := suites.FindSet(cmp.Or(o.Run.Catalogue, o.Target.Catalogue))
	if err != nil {
		return nil, err
	}
	checks, err := suites.Select(set.Of(suites.All()), o.Run.Checks, o.Run.Skip)
	if err == nil {
		checks, err = suites.OfLevels(checks, o.Run.Levels)
	}
	if err != nil {
		return nil, err
	}
	places, err := findPlaces(o.Run.ScenarioDir)
	if err != nil {
		return nil, err
	}
	header := conform.Header{Target: o.Target.Conform(), Run: conform.Run{Bases: o.Run.Bases}}
	operations := header.Target.Operations
	var all []subject
	for i := range operations {
		op := &operations[i]
		if !chosen(o.Run.Operations, op.Name) {
			continue
		}
		for _, c := range checks {
			if !c.PerServer {
				all = append(all, subject{c, op.Name, suites.LevelOn(c, header, op), places.of(c.ID, op)})
			}
		}
	}
	for _, c := range checks {
		if c.PerServer || len(operations) == 0 {
			all = append(all, subject{c, "", suites.LevelOn(c, header, nil), places.of(c.ID, nil)})
		}
	}
	return all, nil
}

// chosen tells whether Options.Run.Operations leaves an operation in. A pattern
// that matches none is the run's to refuse.
func chosen(globs []string, name string) bool {
	for _, glob := range globs {
		if ok, _ := path.Match(strings.ToUpper(glob), strings.ToUpper(name)); ok {
			return true
		}
	}
	return len(globs) == 0
}
