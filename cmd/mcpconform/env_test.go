package main

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// An environment says where the server is, and every command goes there.
func TestAnEnvironmentOfTheTargetFile(t *testing.T) {
	t.Parallel()
	here, there := backend(t, fakebackend.Options{}), backend(t, fakebackend.Options{})
	file := ownTarget(t, here.URL, "environments:\n  staging: {server: {url: \""+there.URL+"\"}, timeouts: {call: 9s}}\n")
	r, got := run(t, append([]string{"--target", file, "--env", "staging"}, small...)...)
	if len(here.Backend.Effects()) > 0 || len(there.Backend.Effects()) == 0 || r.Target.Name != "fakebackend (staging)" {
		t.Errorf("%d effects here, %d there, target %q", len(here.Backend.Effects()), len(there.Backend.Effects()), r.Target.Name)
	}
	for _, f := range r.Findings {
		if f.Reproduce != "" && !strings.Contains(f.Reproduce, "--env staging") {
			t.Errorf("%s is reproduced by %s", f.ID, f.Reproduce)
		}
	}
	silent(t, "stderr", got.err, "error")
	mcpconform(t, "plan", "--target", file, "--env", "staging").exits(t, 0)
	says(t, "stderr", mcpconform(t, "plan", "--target", file, "--env", "stagin").exits(t, 2).err, "no environment stagin", "did you mean `staging`?")
	says(t, "stderr", mcpconform(t, "run", "--env", "staging").exits(t, 2).err, "--env staging is given without --target")
}
