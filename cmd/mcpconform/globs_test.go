package main

import (
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

func TestFiltersFromFiles(t *testing.T) {
	t.Parallel()
	good := backend(t, fakebackend.Options{})
	run := func(more ...string) []string {
		return append([]string{"run", "-q", "--effort", "quick"}, onBackend(good.URL, append([]string{"--scenario", "partial/*"}, more...)...)...)
	}
	checks := write(t, "checks.txt", "\ufeff# ours\r\nRES-0[12]   # two\r\n\r\nAGG-01\r\n")
	operations := write(t, "operations.txt", "cancel-products\n")
	got := mcpconform(t, run("--checks", "@"+checks+",ENV-01", "--operation", "@"+operations, "--level", "must")...).exits(t, 0)
	says(t, "the report", got.out, "of a narrowed run: checks RES-0[12], AGG-01, ENV-01;", "scenarios partial/*; operations cancel-products; level MUST;", "narrowed run holds")

	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"a line that matches nothing": {[]string{"--checks", "@" + write(t, "wrong.txt", "RES-01\n# x\nRSE-*\n")}, []string{"wrong.txt:3: --checks \"RSE-*\" matches nothing: did you mean RES-*?", "mcpconform list"}},
		"an operation":                {[]string{"--operation", "@" + write(t, "op.txt", "cancel-product\n")}, []string{"op.txt:1: --operation \"cancel-product\" matches nothing: did you mean cancel-products?"}},
		"a variant":                   {[]string{"--scenario", "partial/bad-frist"}, []string{"did you mean partial/bad-first?"}},
		"a check on the line":         {[]string{"--skip", "RES-O2"}, []string{"--skip \"RES-O2\" matches nothing: did you mean RES-0"}},
		"no file":                     {[]string{"--checks", "@none.txt"}, []string{"--checks", "none.txt"}},
		"an empty file":               {[]string{"--checks", "@" + write(t, "empty.txt", "# nothing\n")}, []string{"empty.txt names nothing"}},
		"two on a line":               {[]string{"--scenario", "@" + write(t, "two.txt", "partial\nsweep repeat\n")}, []string{"two.txt:2", "one a line"}},
		"an empty word":               {[]string{"--checks", ""}, []string{"an empty name"}},
		"a level":                     {[]string{"--level", "SHULD"}, []string{"--level \"SHULD\" matches nothing: did you mean SHOULD?"}},
		"no check of that level":      {[]string{"--level", "MAY", "--checks", "RES-02"}, []string{"--level leaves no check over"}},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, "stderr", mcpconform(t, run(c.args...)...).exits(t, 2).err, c.says...)
		})
	}
	t.Run("a run without a MUST rule says so", func(t *testing.T) {
		got := mcpconform(t, run("--level", "SHOULD", "--operation", "query-orders")...).exits(t, 3)
		says(t, "the report", got.out, "no MUST rule was among what was judged", "level SHOULD")
	})
}
