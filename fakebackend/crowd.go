package fakebackend

import (
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// crowd tells calls that are in flight together of each other.
type crowd struct {
	mu  sync.Mutex
	in  map[*call]resolved // with an item of each
	met map[*call]resolved // an item of another call, which was in flight with it
}

// enter stays for the backend's window, so that calls that were sent together meet,
// however much longer than the others one of them took to be read.
func (w *crowd) enter(b *Backend, c *call, item resolved) {
	w.join(c, item)
	_ = wait(c.ctx, b.window) // who has given up is not waited for
}

// join adds a call.
func (w *crowd) join(c *call, item resolved) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.in == nil {
		w.in, w.met = map[*call]resolved{}, map[*call]resolved{}
	}
	for other, theirs := range w.in {
		w.met[c] = theirs
		if _, company := w.met[other]; !company {
			w.met[other] = item
		}
	}
	w.in[c] = item
}

// other gives the item of another call that is in flight with this one.
func (w *crowd) other(c *call) (resolved, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for call, item := range w.in {
		if call != c {
			return item, true
		}
	}
	return resolved{}, false
}

// company gives an item of a call that was in flight with this one, wherever it is now.
func (w *crowd) company(c *call) (resolved, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	item, ok := w.met[c]
	return item, ok
}

func (w *crowd) size() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.in)
}

func (w *crowd) leave(c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.in, c)
	delete(w.met, c)
}

// twins brings calls together that ask for the same.
type twins struct {
	mu sync.Mutex
	in map[*call]*twin
}

type twin struct {
	ids map[string]bool
	met chan struct{} // closed when another call asks for one of them; nil if one did
}

// meet waits for another call that asks for one of a job's things, and not longer than so
// long. It stays to be met until it leaves.
func (w *twins) meet(c *call, j *job, patience time.Duration) {
	one := &twin{ids: map[string]bool{}, met: make(chan struct{})}
	for _, item := range j.items {
		one.ids[item.entry.id] = true
	}
	w.mu.Lock()
	if w.in == nil {
		w.in = map[*call]*twin{}
	}
	met := false
	for _, other := range w.in {
		if !other.shares(one) {
			continue
		}
		met = true
		if other.met != nil {
			close(other.met)
			other.met = nil
		}
	}
	company := one.met
	if met {
		one.met = nil
	}
	w.in[c] = one
	w.mu.Unlock()
	if met {
		return
	}
	t := time.NewTimer(patience)
	defer t.Stop()
	select {
	case <-company:
	case <-t.C:
	case <-c.ctx.Done():
	}
}

func (t *twin) shares(other *twin) bool {
	for id := range t.ids {
		if id != "" && other.ids[id] {
			return true
		}
	}
	return false
}

func (w *twins) leave(c *call) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.in, c)
}

// pairs makes pairs of calls that end together.
type pairs struct {
	apart bool // only calls of two sessions make a pair
	mu    sync.Mutex
	left  *half // who waits for another; nil: nobody
}

type half struct {
	job  *job
	from *mcp.ServerSession
	met  chan struct{} // closed when the other half is there
}

// cross waits, as long as the backend's window, for another call, and has each told what
// became of the other's items.
func (p *pairs) cross(b *Backend, c *call, j *job) {
	p.mu.Lock()
	if other := p.left; other != nil && (!p.apart || other.from != c.asker.peer.session) {
		p.left = nil
		p.mu.Unlock()
		j.items, other.job.items = other.job.items, j.items
		j.outcomes, other.job.outcomes = other.job.outcomes, j.outcomes
		close(other.met)
		return
	}
	if p.left != nil {
		p.mu.Unlock() // one of this session waits already
		return
	}
	one := &half{j, c.asker.peer.session, make(chan struct{})}
	p.left = one
	p.mu.Unlock()
	t := time.NewTimer(b.window)
	defer t.Stop()
	select {
	case <-one.met:
		return
	case <-t.C:
	case <-c.ctx.Done():
	}
	p.mu.Lock()
	if p.left == one {
		p.left = nil
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	<-one.met // it comes this very moment
}

// deeds are what calls have done, and what of it somebody has looked at since.
type deeds struct {
	mu         sync.Mutex
	done, seen []*job
}

func (d *deeds) add(j *job) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = append(d.done, j)
}

func (d *deeds) see() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen, d.done = append(d.seen, d.done...), nil
}

func (d *deeds) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen, d.done = nil, nil
}

// undo makes all that was looked at as it was at the start, so far as it is still done.
func (d *deeds) undo() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, j := range d.seen {
		for _, item := range j.items {
			j.shelf.change(item.entry, func(now state) (state, bool) {
				return state{status: item.entry.status}, now.status == cancelled
			})
		}
	}
	d.seen = nil
}
