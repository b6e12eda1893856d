package address_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/internal/address"
)

func TestAddressesAreReadAndWrittenBack(t *testing.T) {
	for _, c := range []struct {
		text, host, network, dialled, request, back string
	}{
		{"http://127.0.0.1:8080/mcp", "127.0.0.1:8080", "tcp", "127.0.0.1:8080", "http://127.0.0.1:8080/mcp", ""},
		{"https://acme.example/mcp?x=1#part", "acme.example", "tcp", "acme.example:443", "https://acme.example/mcp?x=1", "https://acme.example/mcp?x=1"},
		{"http://[::1]:8080/mcp", "[::1]:8080", "tcp", "[::1]:8080", "http://[::1]:8080/mcp", ""},
		{"http://[::1]/mcp", "[::1]", "tcp", "[::1]:80", "http://[::1]/mcp", ""},
		{"unix:/run/mcp.sock", "unix:/run/mcp.sock", "unix", "/run/mcp.sock", "http://localhost/", "unix:/run/mcp.sock:/"},
		{"unix:/run/mcp.sock:/mcp?x=1", "unix:/run/mcp.sock", "unix", "/run/mcp.sock", "http://localhost/mcp?x=1", ""},
		{"unix:///run/mcp.sock", "unix:/run/mcp.sock", "unix", "/run/mcp.sock", "http://localhost/", "unix:/run/mcp.sock:/"},
		{"http+unix://%2Frun%2Fmcp.sock/mcp", "unix:/run/mcp.sock", "unix", "/run/mcp.sock", "http://localhost/mcp", "unix:/run/mcp.sock:/mcp"},
	} {
		at, err := address.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if c.back == "" {
			c.back = c.text
		}
		network, dialled := at.Dial()
		if at.Host() != c.host || network != c.network || dialled != c.dialled || at.URL.String() != c.request || at.String() != c.back {
			t.Errorf("%s: host %s, dialled %s %s, request to %s, written %s", c.text, at.Host(), network, dialled, at.URL, at)
		}
		again, err := address.Parse(at.String())
		if err != nil || again.String() != at.String() {
			t.Errorf("%s: written %s, and read back as %s (%v)", c.text, at, again, err)
		}
	}
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	for _, text := range []string{"", "127.0.0.1:80/mcp", "ftp://x/", "http:///mcp", "http://:80/", "unix:", "unix:run/mcp.sock", "http+unix://%zz/mcp", "http+unix:///mcp"} {
		if at, err := address.Parse(text); err == nil {
			t.Errorf("%q was read as %s", text, at)
		}
	}
}

func TestAPathBesideTheServer(t *testing.T) {
	for text, want := range map[string]string{
		"https://u:p@acme.example/mcp": "https://acme.example/state?ids=1,2",
		"unix:/run/mcp.sock:/mcp":      "unix:/run/mcp.sock:/state?ids=1,2",
	} {
		at, err := address.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := at.Beside("/state?ids=1,2"); err != nil || got.String() != want {
			t.Errorf("beside %s: %s, %v", text, got, err)
		}
		for _, wrong := range []string{"state", "//other.example/state", "https://other.example/"} {
			if got, err := at.Beside(wrong); err == nil {
				t.Errorf("%q beside %s: %s", wrong, text, got)
			}
		}
	}
}
