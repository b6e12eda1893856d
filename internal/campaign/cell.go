package campaign

import (
	"context"
	"time"

	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/wire"
)

// Cell is one place of a campaign's table.
type Cell struct {
	Operation   string
	Batch       int // items of a call
	Concurrency int // virtual users; in an open loop the most calls in flight
	Supply      Supply
	Arrivals    Arrivals      // of an open loop
	Think       time.Duration // of a closed loop: between an answer and the next call
	// Gates hold each call of a closed loop back to what the server takes, in this
	// order; what is waited there is no latency.
	Gates []wire.Gate

	// Mix are the kinds of calls that are made in one window together, by weight; empty:
	// the cell's own. A cell with a mix has no batch size and no supply, and its rounds
	// are those of all of them.
	Mix    []*Cell
	Weight float64 // of a cell in a mix
	In     string  // the name of the mix that it is in

	// Journey has a call of the validator before each call, for the same items, and Pause
	// between the two: both are one unit, whose time is that of both calls, and not of
	// the pause.
	Journey bool
	// Plain has only the envelope of answers looked at: they have no rows.
	Plain bool
	Pause time.Duration

	Rounds  measure.Rounds
	Uses    measure.Uses    // what the server's processes used in them
	Counted measure.Counted // the server's own metrics around them
	Health  Health          // of all its windows together
	Doubts  []string        // what its figures do not support, or were hindered by; each once
	Skipped string          // why it was not played; empty: it was

	crew      []*load.User // without connections
	ahead     []*load.User // of a journey: who calls the validator
	unguarded bool
}

// kinds are the cells whose calls a window makes.
func (c *Cell) kinds() []*Cell {
	if len(c.Mix) > 0 {
		return c.Mix
	}
	return []*Cell{c}
}

// doubt notes a reason to mistrust the cell's figures, once.
func (c *Cell) doubt(what string) {
	for _, d := range c.Doubts {
		if d == what {
			return
		}
	}
	c.Doubts = append(c.Doubts, what)
}

// Supply is where a cell's items come from.
type Supply interface {
	// Sources gives sources of calls, no two of which ask for the same items at a
	// time: fewer than asked for where there are not items enough, and more where each
	// can be used once only.
	Sources(n int) ([]load.Source, error)
	// Journeys gives, for each of so many sources, one that calls the validator for the
	// same items first.
	Journeys(n int) (ahead, then []load.Source, err error)
	// Spends tells that a call uses its items up.
	Spends() bool
	// Restock makes the items good again that were used up; an error says why not.
	Restock(ctx context.Context) error
	// Choice says in a word how items are chosen.
	Choice() string
}
