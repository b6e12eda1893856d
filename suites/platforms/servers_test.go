package platforms

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// What real servers get: their names and schemas were recorded from
// @modelcontextprotocol/server-memory 2026.8.31 and server-filesystem. docs/profiles.md
// has the reason for each verdict that is not "works".
func TestRecordedServersGetTheVerdictsThatWereCheckedByHand(t *testing.T) {
	d := builtinData(t)
	for _, name := range []string{"memory", "filesystem"} {
		text, err := os.ReadFile("testdata/servers/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		s := listing(t, string(text))
		var b strings.Builder
		for _, p := range d.Platforms {
			pr := d.Judge(p, s, Options{Now: today})
			for _, tool := range pr.Tools {
				if tool.Works != conform.WorksWhole && tool.Works != conform.NotJudged {
					fmt.Fprintf(&b, "%s: %s %s: %s\n", p.Name, tool.Name, tool.Works, strings.Join(tool.Rules, ", "))
				}
			}
			for _, f := range pr.Findings {
				if f.Source == "" || f.Verified == "" || f.Basis == "" {
					t.Errorf("%s has no source", f.ID)
				}
				if f.Verdict == conform.Fail && f.Severity == conform.Info {
					fmt.Fprintf(&b, "%s: info %s on %s: %s\n", p.Name, f.ID, f.Tool, f.Got)
				}
			}
		}
		golden := "testdata/servers/" + name + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s differs from %s; -update rewrites it\n%s", name, golden, b.String())
		}
	}
}
