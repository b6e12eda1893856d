package wire

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// names is a name service whose answers a test sets.
type names struct {
	mu    sync.Mutex
	now   time.Time
	says  map[string][]string
	asked int
}

func (n *names) lookUp(_ context.Context, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	var all []netip.Addr
	for _, text := range n.says[host] {
		all = append(all, netip.MustParseAddr(text))
	}
	if n.says[host] == nil {
		return nil, errors.New("no such host")
	}
	return all, nil
}

// pinsOf gives pins over these names, and what they dialled; an address that is
// in refusing does not answer.
func pinsOf(n *names, refusing ...string) (*pins, *[]string) {
	p := newPins(n.lookUp, &net.Dialer{})
	p.now = func() time.Time { return n.now }
	dialled := &[]string{}
	p.dial = func(_ context.Context, _, address string) (net.Conn, error) {
		*dialled = append(*dialled, address)
		if slices.Contains(refusing, address) {
			return nil, errors.New("refused")
		}
		here, there := net.Pipe()
		_ = there.Close()
		return here, nil
	}
	return p, dialled
}

func TestANameIsKeptToWhatItStoodForFirst(t *testing.T) {
	n := &names{now: time.Unix(0, 0), says: map[string][]string{"shop.example": {"192.0.2.1", "192.0.2.2"}}}
	p, dialled := pinsOf(n, "192.0.2.1:80")
	connect := func() {
		t.Helper()
		conn, err := p.connect(context.Background(), "tcp", "shop.example:80")
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
	}
	connect()
	connect()
	if want := []string{"192.0.2.1:80", "192.0.2.2:80", "192.0.2.2:80"}; !slices.Equal(*dialled, want) {
		t.Errorf("dialled %v, wanted %v: the one that answered comes first", *dialled, want)
	}
	n.says["shop.example"] = []string{"192.0.2.2", "192.0.2.9"}
	n.now = n.now.Add(lookAgain)
	connect()
	if len(p.moved) > 0 {
		t.Errorf("a name that kept one of its addresses is told as moved: %v", p.moved)
	}
	n.says["shop.example"] = []string{"127.0.0.1"}
	for range 3 {
		n.now = n.now.Add(lookAgain)
		connect()
	}
	if last := (*dialled)[len(*dialled)-1]; last != "192.0.2.2:80" {
		t.Errorf("the last connection went to %s", last)
	}
	if len(p.moved) != 1 || !strings.Contains(p.moved[0].String(), "127.0.0.1") || !strings.Contains(p.moved[0].String(), "shop.example") {
		t.Errorf("moved: %v", p.moved)
	}
	delete(n.says, "shop.example")
	n.now = n.now.Add(lookAgain)
	connect()
}

func TestAddressesAreDialledAsTheyAre(t *testing.T) {
	n := &names{now: time.Unix(0, 0)}
	p, dialled := pinsOf(n)
	for _, address := range []string{"127.0.0.1:80", "[::1]:80"} {
		conn, err := p.connect(context.Background(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
	}
	if n.asked > 0 || len(*dialled) != 2 {
		t.Errorf("%d look-ups, dialled %v", n.asked, *dialled)
	}
}

func TestWhatCannotBeDialled(t *testing.T) {
	n := &names{now: time.Unix(0, 0), says: map[string][]string{
		"localhost": {"127.0.0.1", "192.0.2.1"}, "LocalHost.": {"192.0.2.1"}, "nowhere.example": {}, "down.example": {"192.0.2.1", "192.0.2.2"},
	}}
	p, dialled := pinsOf(n, "192.0.2.1:80", "192.0.2.2:80")
	for host, says := range map[string]string{
		"localhost": "not this machine", "LocalHost.": "not this machine", "nowhere.example": "no address", "gone.example": "no such host", "down.example": "refused",
	} {
		if _, err := p.connect(context.Background(), "tcp", host+":80"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if len(*dialled) != 2 {
		t.Errorf("dialled %v", *dialled)
	}
}

func TestAClientKeepsToTheFirstAddress(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	n := &names{says: map[string][]string{"shop.example": {"127.0.0.1"}}}
	client, err := Dial(context.Background(), Config{URL: "http://shop.example:" + port + "/mcp", LookUp: n.lookUp, SeparateConnections: true})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close(context.Background())
	for _, name := range []string{"s1", "s2"} {
		n.mu.Lock()
		n.says["shop.example"] = map[string][]string{"s1": {"127.0.0.1"}, "s2": {"192.0.2.1"}}[name]
		n.mu.Unlock()
		// It is no MCP server; what counts is that it answered.
		var failed *Error
		if _, err := client.Open(context.Background(), name); !errors.As(err, &failed) || failed.Status != http.StatusNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n.asked != 1 || len(client.Moved()) > 0 {
		t.Errorf("%d look-ups, moved %v", n.asked, client.Moved())
	}
}
