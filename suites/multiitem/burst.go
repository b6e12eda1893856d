package multiitem

import (
	"sync"

	"github.com/mcpconform/mcpconform/conform"
)

// burst is calls that were in flight together.
type burst struct {
	name string
	all  []*sight // of every operation
	own  []*sight // of the operation that is judged, validators too
	// behind is the call that follows, to see whether the server still works; nil:
	// there is none.
	behind *sight

	once   sync.Once
	owners map[string]string
}

type burstsKey struct{ operation string }

// bursts gives the bursts that an operation has calls in, in order.
func bursts(s *conform.Subject) []*burst {
	name := ""
	if s.Operation != nil {
		name = s.Operation.Name
	}
	return s.Recording.Memo(burstsKey{name}, func() any {
		var order []*burst
		byName := map[string]*burst{}
		for _, c := range s.Calls {
			if c.Planned.Burst == "" || c.Sent == nil {
				continue
			}
			b := byName[c.Planned.Burst]
			if b == nil {
				b = &burst{name: c.Planned.Burst}
				byName[b.name] = b
				order = append(order, b)
			}
			b.own = append(b.own, see(s.Operation, c))
		}
		for _, c := range s.Recording.Calls {
			if b := byName[c.Planned.Burst]; b != nil && c.Sent != nil {
				b.all = append(b.all, seenBy(s, c))
			}
			if b := byName[c.Planned.After]; b != nil && b.behind == nil {
				b.behind = seenBy(s, c)
			}
		}
		return order
	}).([]*burst)
}

// seenBy reads a call of any operation.
func seenBy(s *conform.Subject, c *conform.Call) *sight {
	if s.Operation != nil && c.Planned.Operation == s.Operation.Name {
		return see(s.Operation, c)
	}
	return see(s.Recording.Operation(c.Planned.Operation), c)
}

// owner gives by every name of every item the call that asked for it.
func (b *burst) owner() map[string]string {
	b.once.Do(func() {
		b.owners = map[string]string{}
		for _, v := range b.all {
			for _, name := range v.requested() {
				b.owners[name] = v.ID
			}
		}
	})
	return b.owners
}

type playsKey struct{}

// playsOf gives the calls of each playing of a scenario.
func playsOf(rec *conform.Recording) map[string][]*conform.Call {
	return rec.Memo(playsKey{}, func() any {
		by := map[string][]*conform.Call{}
		for _, c := range rec.Calls {
			by[c.Planned.Instance] = append(by[c.Planned.Instance], c)
		}
		return by
	}).(map[string][]*conform.Call)
}
