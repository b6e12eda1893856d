package scenarios

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/target"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// shop is a target with one operation of each sort.
func shop(t testing.TB) *target.File {
	t.Helper()
	f, err := target.Load(filepath.Join("testdata", "shop.yaml"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for i := range g {
			if i >= len(w) || g[i] != w[i] {
				t.Fatalf("%s differs in line %d (rewrite with -update):\n got %s\nwant %s", name, i+1, g[i], append(w, make([]string, len(g))...)[i])
			}
		}
		t.Fatalf("%s is shorter than the golden file (rewrite with -update)", name)
	}
}

// tool is a listed tool with an input schema.
func tool(t testing.TB, name, schema string) conform.Tooling {
	t.Helper()
	n, err := rawjson.Parse([]byte(`{"name":"` + name + `","inputSchema":` + schema + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return conform.Tooling{Name: name, Node: n, InputSchema: n.Get("inputSchema")}
}

// playAll binds every play as a run would whose calls are all answered and whose
// resets are all acknowledged.
func playAll(t testing.TB, p *Plan, s *Supply, each func(*Play, conform.BoundPlay)) []conform.Skipped {
	t.Helper()
	var skipped []conform.Skipped
	for _, play := range p.Plays {
		if play.Reset {
			s.Restored(play.Operation)
		}
		bound, skip := p.Bind(play, s)
		if skip != nil {
			skipped = append(skipped, *skip)
			continue
		}
		if each != nil {
			each(play, bound)
		}
		var sent []string
		for _, c := range bound.Calls() {
			sent = append(sent, c.ID)
		}
		s.Spent(play.Operation, bound, conform.Played{Sent: sent})
	}
	return skipped
}

func TestThePlanOfAShop(t *testing.T) {
	p, err := Compile(shop(t), nil, Options{Seed: 7, Run: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Text(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "shop.plan", b.Bytes())
	if n := p.Calls(); n > 900 {
		t.Errorf("a standard run of four operations makes %d calls", n)
	}
}

func TestTheCallsOfAShop(t *testing.T) {
	p, err := Compile(shop(t), nil, Options{Seed: 7, Run: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	skipped := playAll(t, p, NewSupply(7), func(_ *Play, bound conform.BoundPlay) {
		if bound.Smaller != "" {
			b.WriteString(bound.Instance + " smaller: " + bound.Smaller + "\n")
		}
		for _, step := range bound.Steps {
			if len(step.Calls) == 0 {
				b.WriteString(bound.Instance + "/" + step.Name + " [" + string(step.Act) + "]\n")
			}
			for _, c := range step.Calls {
				planned, err := json.Marshal(c.Planned)
				if err != nil {
					t.Fatal(err)
				}
				if len(planned) > 2000 {
					planned = append(planned[:2000:2000], "…"...)
				}
				b.WriteString(c.ID + " on " + c.Session + " " + string(planned) + "\n")
			}
		}
	})
	for _, s := range skipped {
		b.WriteString(s.Scenario + "/" + s.Variant + " on " + s.Operation + ": " + s.Reason + "\n")
	}
	golden(t, "shop.calls", b.Bytes())
}
