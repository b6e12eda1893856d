package target

import (
	"strings"
	"testing"
)

func consenting(t *testing.T, server, listed string) *File {
	t.Helper()
	text := "version: 1\nname: shop\n" + server
	if listed != "" {
		text += "safety: {write_hosts: " + listed + "}\n"
	}
	f, err := Parse("t.yaml", []byte(text), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestConsentIsGivenByName(t *testing.T) {
	const (
		staging = "server: {url: \"https://Shop.Example/mcp\"}\n"
		here    = "server: {url: \"http://localhost:8080/mcp\"}\n"
		child   = "server: {command: [shop]}\n"
	)
	for _, c := range []struct {
		name, server, listed string
		may, not             []string
	}{
		{"no server at all", "", "",
			[]string{"", "localhost", "LOCALHOST:80", "localhost.", "127.0.0.1", "127.9.9.9:80", "::1", "[::1]:8080", "[::ffff:127.0.0.1]:80"},
			[]string{"shop.example", "localhost.shop.example", "app.localhost", "notlocalhost", "127.0.0.1.shop.example", "10.0.0.1", "0.0.0.0", "[2001:db8::1]:443", "128.0.0.1", "127.1", "0x7f.0.0.1"}},
		{"a command", child, "", []string{"", "127.0.0.1:8080", "localhost"}, []string{"shop.example"}},
		{"its own host", staging, "", []string{"", "shop.example", "SHOP.example.:8443"}, []string{"127.0.0.1", "localhost:8080", "::1", "www.shop.example", "shop.example.evil"}},
		{"its own host is this machine", here, "", []string{"localhost:9090", "LocalHost."}, []string{"127.0.0.1:8080", "[::1]:8080", "shop.example"}},
		{"nobody has consented", here, "none", nil, []string{"localhost:8080", "127.0.0.1", "shop.example"}},
		{"a list", here, "[127.0.0.1, Other.Example, \"::1\"]", []string{"localhost", "127.0.0.1:1", "other.example:443", "[::1]:1"}, []string{"127.0.0.2", "shop.example"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := consenting(t, c.server, c.listed)
			for _, host := range c.may {
				if may, why := f.MayWrite(host); !may || why != "" {
					t.Errorf("%q is refused: %s", host, why)
				}
			}
			for _, host := range c.not {
				may, why := f.MayWrite(host)
				if may || !strings.Contains(why, HostName(host)) || !strings.Contains(why, "write_hosts") || !strings.Contains(why, "--allow-write "+HostName(host)) {
					t.Errorf("%q: %v, and the reason says %q", host, may, why)
				}
				allowed, err := f.AllowWrite(HostName(host))
				if err != nil {
					t.Fatal(err)
				}
				if may, why := allowed.MayWrite(host); !may {
					t.Errorf("%q is refused although it is allowed: %s", host, why)
				}
			}
		})
	}
}

func TestConsentDoesNotFollowTheServer(t *testing.T) {
	f := consenting(t, "server: {url: \"https://shop.example/mcp\"}\n", "")
	server, err := ServerAt("http://127.0.0.1:8080/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	moved := f.WithServer(server)
	if may, why := moved.MayWrite(moved.Host()); may || !strings.Contains(why, "shop.example") {
		t.Errorf("%v: %q", may, why)
	}
	if may, why := moved.MayWrite("shop.example"); !may {
		t.Errorf("the file's own host lost its consent: %s", why)
	}
	child, err := ServerOf([]string{"shop"})
	if err != nil {
		t.Fatal(err)
	}
	if may, why := f.WithServer(child).MayWrite(""); !may {
		t.Errorf("a command that we start is refused: %s", why)
	}
}

func TestACommandIsNotWrittenToWhereTheFileSaysSo(t *testing.T) {
	f := consenting(t, "server: {command: [shop]}\n", "none")
	if may, why := f.MayWrite(""); may || !strings.Contains(why, "write_hosts: none") {
		t.Errorf("%v: %q", may, why)
	}
}

func TestWhatIsNoHostIsNotAllowed(t *testing.T) {
	f := consenting(t, "", "")
	for _, host := range []string{"", " ", "https://shop.example", "shop.example/mcp", "shop.example:443", "user@shop.example", "*.shop.example"} {
		if _, err := f.AllowWrite(host); err == nil {
			t.Errorf("%q was taken", host)
		}
	}
	if may, _ := f.MayWrite("shop.example"); may {
		t.Error("allowing on a copy changed the file itself")
	}
}
