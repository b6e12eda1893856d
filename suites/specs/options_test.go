package specs

import (
	"context"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// Nothing is registered where the options are wrong, so this needs no suite.
func TestRegisterRefuses(t *testing.T) {
	file := load(t, "fakebackend") // says no server
	somewhere := func(context.Context) (target.Server, error) { return target.Server{}, nil }
	for _, tc := range []struct {
		name string
		Options
		want string
	}{
		{"no target", Options{}, "Options.Target is nil"},
		{"a target nobody knows the server of", Options{Target: file}, "no `server`"},
		{"a pattern that no check matches", Options{Target: file, Server: somewhere, Run: runner.Options{Checks: []string{"REX-*"}}}, `"REX-*"`},
		{"a folder of scenarios that is not there", Options{Target: file, Server: somewhere, Run: runner.Options{ScenarioDir: "nowhere"}}, "nowhere"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := Register(tc.Options)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one that names %s", err, tc.want)
			}
		})
	}
}

func TestSelector(t *testing.T) {
	server := func(address string) target.Server {
		s, err := target.ServerAt(address, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	file := load(t, "fakebackend")
	command := &target.File{Server: target.Server{Command: []string{"node", "my server.js"}}}
	for _, tc := range []struct {
		name      string
		file      *target.File
		elsewhere bool
		want      string
	}{
		{"a file", file, false, "--target builtin:fakebackend"},
		{"a file, on a server of the suite's own", file.WithServer(server("http://127.0.0.1:80/mcp")), true, "--target builtin:fakebackend --url http://127.0.0.1:80/mcp"},
		{"a URL alone", &target.File{Server: server("http://127.0.0.1:80/mcp?a=1&b=2")}, false, "--url 'http://127.0.0.1:80/mcp?a=1&b=2'"},
		{"a URL with a password", &target.File{Server: target.Server{URL: "http://u:geheim@127.0.0.1/mcp"}}, false, "--url http://redacted@127.0.0.1/mcp"},
		{"a command alone", command, false, "-- node 'my server.js'"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := selector(tc.file, tc.elsewhere); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}
