package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/internal/load"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/proctree"
	"github.com/mcpconform/mcpconform/internal/wire"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// Bench is what the cells of a campaign share: one server, reached.
type Bench struct {
	Session *wire.Session // of the conformance client
	Tape    *load.Tape    // its recorder, and the campaign's clock
	Judge   *load.Judge
	Mode    load.Mode
	Way     load.Way
	// Unguarded has figures stand although this process was busy: where the server is
	// in the same process, what it does cannot be told from what the harness does.
	Unguarded bool
	// Connect gives so many further virtual users their connections. Over stdio it
	// is called after the session has made its last call.
	Connect func(ctx context.Context, users int) ([]lean.Conn, error)
	// Parts is into how many parts each window is divided, to see what moves in its
	// course; 0: it is not.
	Parts int
	// Around is told of each window before its first call; what it gives is told of its
	// end, with how many calls were made, those of the warm-up among them, and gives what
	// was read of the server's own metrics around it. Nil: nobody is told.
	Around func(ctx context.Context, c *Cell, round int) (after func(calls int) measure.Readings)
	// Processes are those of the server; nil: they are not known.
	Processes *proctree.Tree

	// Live is told what the users do; nil: nobody looks on.
	Live *Live

	silence silence
	ids     *load.IDs
	conns   []lean.Conn
}

// around tells of a window that is about to begin; after is called once.
func (b *Bench) around(ctx context.Context, c *Cell, round int) (after func(*window)) {
	if b.Around == nil {
		return func(*window) {}
	}
	told := b.Around(ctx, c, round)
	return func(w *window) {
		if w == nil {
			told(0)
			return
		}
		w.read = told(int(w.came()))
	}
}

func (b *Bench) now() time.Duration { return b.Tape.Now() }

// perUser is how many templates a user takes in turn: with two, no two calls in
// flight ask for the same items although one may still be on its way back.
const perUser = 2

// Prepare encodes every cell's calls, and sends one of each kind through the
// conformance client, whose verdict and the lean road's must agree. A cell that
// cannot be played says why. Cells have fewer users where there are not items enough
// for so many.
func (b *Bench) Prepare(ctx context.Context, cells []*Cell) error {
	b.begin()
	for _, c := range cells {
		for _, kind := range c.kinds() {
			if err := b.prepare(ctx, kind); err != nil {
				return err
			}
		}
		c.agree()
	}
	return nil
}

func (b *Bench) begin() {
	if b.ids == nil {
		b.ids = load.NewIDs()
	}
}

// Try makes one call by the conformance client, before the load, and gives the checks'
// verdict on its answer.
func (b *Bench) Try(ctx context.Context, source load.Source) (*load.Verdict, error) {
	b.begin()
	t, err := load.NewTemplate(b.Session, b.Way, b.Judge, source)
	if err != nil {
		return nil, err
	}
	u := &load.User{Judge: b.Judge, IDs: b.ids, Mode: b.Mode}
	v, _, err := u.Prime(ctx, b.Session, b.Tape, t, false)
	return v, err
}

// agree has a mix have as many users as each of its kinds, and leaves kinds out that
// cannot be played.
func (c *Cell) agree() {
	if len(c.Mix) == 0 {
		return
	}
	var kept []*Cell
	for _, kind := range c.Mix {
		if kind.Skipped != "" {
			c.doubt(fmt.Sprintf("%s with %d items is not in it: %s", kind.Operation, kind.Batch, kind.Skipped))
			continue
		}
		c.Concurrency = min(c.Concurrency, kind.Concurrency)
		kept = append(kept, kind)
	}
	if c.Mix = kept; len(kept) == 0 {
		c.Skipped = "none of its calls can be made"
	}
}

func (b *Bench) prepare(ctx context.Context, c *Cell) error {
	c.restock(ctx) // calls of another operation may have used up the same items
	var ahead, sources []load.Source
	var err error
	if c.Journey {
		ahead, sources, err = c.Supply.Journeys(c.Concurrency * perUser)
	} else {
		sources, err = c.Supply.Sources(c.Concurrency * perUser)
	}
	if err != nil {
		c.Skipped = err.Error()
		return nil
	}
	if users := len(sources) / perUser; users < c.Concurrency {
		if users == 0 {
			c.Skipped = fmt.Sprintf("there are not items enough for two calls of %d that do not ask for the same", c.Batch)
			return nil
		}
		c.doubt(fmt.Sprintf("%d virtual users instead of %d: there are no more items that no two of them ask for at a time", users, c.Concurrency))
		c.Concurrency = users
	}
	if c.Journey {
		if c.ahead, err = b.hire(c, ahead); err == nil {
			err = b.prime(ctx, c, c.ahead[0])
		}
		if err != nil || c.Skipped != "" {
			return err
		}
	}
	if c.crew, err = b.hire(c, sources); err != nil {
		return err
	}
	if c.Plain {
		return nil
	}
	return b.prime(ctx, c, c.crew[0])
}

// hire makes a cell's users, and deals the sources out to them.
func (b *Bench) hire(c *Cell, sources []load.Source) ([]*load.User, error) {
	users := make([]*load.User, c.Concurrency)
	for i := range users {
		users[i] = &load.User{Judge: b.Judge, IDs: b.ids, Mode: b.Mode, Credentials: b.Session.Credentials()}
	}
	for i, source := range sources {
		t, err := load.NewTemplate(b.Session, b.Way, b.Judge, source)
		if err != nil {
			return nil, fmt.Errorf("encoding the calls of %s with %d items: %w", c.Operation, c.Batch, err)
		}
		u := users[i%c.Concurrency]
		u.Templates = append(u.Templates, t)
	}
	return users, nil
}

// expired words that the server accepts the credentials no longer, from a time on.
func (b *Bench) expired(at time.Duration) string {
	words := fmt.Sprintf("credentials expired after %s: the server answers with 401 or 403", at.Round(10*time.Millisecond))
	if c := b.Session.Credentials(); c != nil {
		if _, err := c.Authorization(context.Background()); err != nil { // it keeps in mind why there are no others
			words += ", and there are no others: " + err.Error()
		}
	}
	return words
}

// prime sends the first of a user's calls by both roads.
func (b *Bench) prime(ctx context.Context, c *Cell, u *load.User) error {
	again := false
	if conns, err := b.first(ctx); err != nil {
		return err
	} else if conns != nil {
		// Of a journey each call is made once: the two belong together.
		u.Conn, again = conns, !c.Supply.Spends() && !c.Journey
	}
	_, difference, err := u.Prime(ctx, b.Session, b.Tape, u.Templates[0], again)
	u.Conn = nil
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		c.Skipped = err.Error()
		return nil
	case difference != "":
		c.doubt("a fault of mcpconform's own, please report it: " + difference)
	}
	return nil
}

// first gives a connection to prime with; nil over stdio, where the session has the
// pipes.
func (b *Bench) first(ctx context.Context) (lean.Conn, error) {
	if _, lines := b.Way.(load.Lines); lines {
		return nil, nil
	}
	conns, err := b.connections(ctx, 1)
	if err != nil {
		return nil, err
	}
	return conns[0], nil
}

// connections gives the connections of so many users. They are kept from cell to
// cell; one that was interrupted is not used again.
func (b *Bench) connections(ctx context.Context, users int) ([]lean.Conn, error) {
	if more := users - len(b.conns); more > 0 {
		further, err := b.Connect(ctx, more)
		if err != nil {
			return nil, err
		}
		if len(further) < more {
			return nil, errors.New("the server's pipes are shared by fewer users than the campaign has")
		}
		b.conns = append(b.conns, further...)
	}
	return b.conns[:users], nil
}

// Close closes all connections. No call may be in flight.
func (b *Bench) Close() {
	for _, c := range b.conns {
		c.Close()
	}
	b.conns = nil
}
