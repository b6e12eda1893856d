package wire

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Moved is a name that began to stand for other addresses while a client was in
// use.
type Moved struct {
	Host     string
	From, To []netip.Addr
}

// lookAgain is how often a name is looked up again, to see whether it has moved;
// lookFor is how long that may take.
const (
	lookAgain = 15 * time.Second
	lookFor   = 2 * time.Second
	// notLast bounds the wait for an address that others follow: one that
	// swallows everything (IPv6 on many networks) must not use up the time.
	notLast = 3 * time.Second
)

// pins keeps a client to the addresses that a name stood for when it was first
// dialled. Who consented to writes on a host meant the one that was there; a
// name that is pointed elsewhere during a run must not take the writes along.
// Addresses as such are dialled as they are. Behind a proxy of the environment
// it is the proxy's name that is pinned: the proxy resolves the server's.
type pins struct {
	lookUp func(ctx context.Context, host string) ([]netip.Addr, error)
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	now    func() time.Time

	mu    sync.Mutex
	held  map[string]*pinned
	moved []Moved
}

type pinned struct {
	addresses []netip.Addr // the one that answered last comes first
	looked    time.Time
	told      bool
}

func newPins(lookUp func(context.Context, string) ([]netip.Addr, error), dialer *net.Dialer) *pins {
	if lookUp == nil {
		lookUp = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	return &pins{lookUp: lookUp, dial: dialer.DialContext, now: time.Now, held: map[string]*pinned{}}
}

// connect dials an address, by what its host stood for the first time.
func (p *pins) connect(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return p.dial(ctx, network, address)
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return p.dial(ctx, network, address)
	}
	addresses, err := p.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	var failed error
	for i, at := range addresses {
		conn, err := p.try(ctx, network, net.JoinHostPort(at.String(), port), len(addresses)-i)
		if err == nil {
			p.prefer(host, at)
			return conn, nil
		}
		if failed == nil {
			failed = err
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

// try dials one address, and leaves time for those that are still to come.
func (p *pins) try(ctx context.Context, network, address string, left int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok && left > 1 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, min(time.Until(deadline)/time.Duration(left), notLast))
		defer cancel()
	}
	return p.dial(ctx, network, address)
}

// addresses gives what a name is pinned to, and pins it the first time.
func (p *pins) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	p.mu.Lock()
	pin := p.held[host]
	look := pin == nil || p.now().Sub(pin.looked) >= lookAgain
	if pin != nil && look {
		pin.looked = p.now() // others need not look as well
	}
	p.mu.Unlock()
	if pin == nil {
		return p.pin(ctx, host)
	}
	if look {
		p.watch(ctx, host, pin)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(pin.addresses), nil
}

func (p *pins) pin(ctx context.Context, host string) ([]netip.Addr, error) {
	found, err := p.lookUp(ctx, host)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("looking up %s: it has no address", host)
	}
	for i := range found {
		found[i] = found[i].Unmap()
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		for _, at := range found {
			if !at.IsLoopback() {
				return nil, fmt.Errorf("localhost stands for %s, which is not this machine: not connected", at)
			}
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[host] == nil {
		p.held[host] = &pinned{addresses: found, looked: p.now()}
	}
	return slices.Clone(p.held[host].addresses), nil
}

// watch looks a pinned name up again. A name that has none of its addresses left
// has moved, which is told once; the pin stays.
func (p *pins) watch(ctx context.Context, host string, pin *pinned) {
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()
	found, err := p.lookUp(ctx, host)
	if err != nil || len(found) == 0 {
		return // the pin is as good as ever
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range found {
		found[i] = found[i].Unmap()
		if slices.Contains(pin.addresses, found[i]) {
			return
		}
	}
	if !pin.told {
		pin.told = true
		p.moved = append(p.moved, Moved{Host: host, From: slices.Clone(pin.addresses), To: found})
	}
}

// prefer puts an address that answered first.
func (p *pins) prefer(host string, at netip.Addr) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.held[host].addresses
	if i := slices.Index(all, at); i > 0 {
		all = slices.Delete(all, i, i+1)
		p.held[host].addresses = slices.Insert(all, 0, at)
	}
}

func (m Moved) String() string {
	join := func(all []netip.Addr) string {
		var words []string
		for _, at := range all {
			words = append(words, at.String())
		}
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("the name %s stood for %s at first and for %s later: every connection was made to the first", m.Host, join(m.From), join(m.To))
}

// Moved tells of names that began to stand for other addresses; connections kept
// to the first ones.
func (c *Client) Moved() []Moved {
	if c.pins == nil {
		return nil
	}
	c.pins.mu.Lock()
	defer c.pins.mu.Unlock()
	return slices.Clone(c.pins.moved)
}
