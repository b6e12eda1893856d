package main

import (
	"strings"
	"testing"
)

// What somebody types first, and wrong, is answered with what to type instead.
func TestFirstWordsThatAreWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		words []string
		says  []string
	}{
		"an address without a scheme": {[]string{"run", "--url", "127.0.0.1:8080/mcp"}, []string{"--url", `"127.0.0.1:8080/mcp"`, "begin with http://"}},
		"a name without a scheme":     {[]string{"plan", "--url", "localhost:8080/mcp"}, []string{"--url", `"localhost:8080/mcp"`, "begin with http://"}},
		"a file that is not there":    {[]string{"run", "--target", "no-such.yaml"}, []string{"no-such.yaml", "hint: --target takes a path"}},
		"a check that is not there":   {[]string{"explain", "NOPE"}, []string{`"NOPE"`, "hint: `mcpconform list` shows them all"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := mcpconform(t, c.words...).exits(t, 2)
			says(t, "stderr", got.err, c.says...)
			if strings.Count(got.err, "shows them all") > 1 {
				t.Errorf("one hint twice: %s", got.err)
			}
		})
	}
	got := mcpconform(t, "run", "--url", "user:secret@127.0.0.1:8080/mcp").exits(t, 2)
	silent(t, "stderr", got.err, "secret")
}

func TestVersionIsAFlagToo(t *testing.T) {
	t.Parallel()
	if flag, word := mcpconform(t, "--version").exits(t, 0).out, mcpconform(t, "version").exits(t, 0).out; flag != word || !strings.HasPrefix(flag, "mcpconform ") {
		t.Errorf("%q and %q", flag, word)
	}
}
