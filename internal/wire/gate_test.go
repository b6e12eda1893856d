package wire

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// passage is a gate that writes down who came through.
type passage struct {
	name string
	log  *[]string
	shut error
}

func (p passage) Enter(context.Context) (func(), error) {
	if p.shut != nil {
		return nil, p.shut
	}
	*p.log = append(*p.log, "in "+p.name)
	return func() { *p.log = append(*p.log, "out "+p.name) }, nil
}

// wall is a link that writes down what reached it.
type wall struct{ log *[]string }

func (w wall) exchange(_ context.Context, out outgoing) *Reply {
	*w.log = append(*w.log, out.what)
	return &Reply{}
}

func (wall) close(context.Context) error { return nil }

func TestAMessageGoesThroughItsOwnGateAndThenTheClients(t *testing.T) {
	shut := errors.New("shut")
	for name, c := range map[string]struct {
		own, clients bool
		shut         error // of the client's gate
		want         []string
	}{
		"none":              {false, false, nil, []string{"call"}},
		"the client's":      {false, true, nil, []string{"in client", "call", "out client"}},
		"its own":           {true, false, nil, []string{"in own", "call", "out own"}},
		"both":              {true, true, nil, []string{"in own", "in client", "call", "out client", "out own"}},
		"kept back by one":  {true, true, shut, []string{"in own", "out own"}},
		"kept back, no own": {false, true, shut, nil},
	} {
		var log []string
		g := gated{link: wall{&log}}
		out := outgoing{what: "call"}
		if c.own {
			out.gate = passage{"own", &log, nil}
		}
		if c.clients {
			g.gate = passage{"client", &log, c.shut}
		}
		if reply := g.exchange(context.Background(), out); (reply.Class == Interrupted) != (c.shut != nil) {
			t.Errorf("%s: class %v", name, reply.Class)
		}
		if !slices.Equal(log, c.want) {
			t.Errorf("%s: %q", name, log)
		}
	}
}
