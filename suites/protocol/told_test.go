package protocol

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

var update = flag.Bool("update", false, "rewrite testdata/told.golden")

// scenes are what the tests of this package had judged, by the name of the test:
// as the golden file has it, and as it came out this time. A test that has several
// recordings judged, in any order, has as many.
var scenes struct {
	sync.Mutex
	want map[string][]string
	got  map[string][]string
}

const goldenFile = "told.golden"

func TestMain(m *testing.M) {
	flag.Parse()
	scenes.want, scenes.got = map[string][]string{}, map[string][]string{}
	text, err := os.ReadFile(filepath.Join("testdata", goldenFile))
	if err != nil && !*update {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, scene := range strings.Split("\n"+string(text), "\n== ")[1:] {
		name, body, _ := strings.Cut(scene, "\n")
		scenes.want[name] = append(scenes.want[name], strings.TrimSpace(body))
	}
	code := m.Run()
	if code == 0 && *update {
		code = rewrite()
	}
	os.Exit(code)
}

func rewrite() int {
	var all bytes.Buffer
	names := make([]string, 0, len(scenes.got))
	for name := range scenes.got {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		slices.Sort(scenes.got[name])
		for _, scene := range slices.Compact(scenes.got[name]) {
			fmt.Fprintf(&all, "== %s\n%s\n\n", name, scene)
		}
	}
	if err := os.WriteFile(filepath.Join("testdata", goldenFile), all.Bytes(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// asTold compares all that the checks say of a recording with the golden file: what
// a developer has to work with.
func asTold(t *testing.T, looks map[string][]conform.Look, reasons map[string]string) {
	t.Helper()
	alike := map[string][]string{}
	for id, all := range looks {
		text := ""
		if len(all) == 0 {
			text = "no look"
		}
		for _, l := range all {
			text += inAll(l)
		}
		alike[text] = append(alike[text], id)
	}
	for id, reason := range reasons {
		text := "not applicable: " + reason
		alike[text] = append(alike[text], id)
	}
	var lines []string
	for text, ids := range alike {
		slices.Sort(ids)
		lines = append(lines, strings.Join(ids, " ")+": "+strings.TrimSuffix(text, "\n"))
	}
	slices.Sort(lines)
	got := strings.TrimSpace(strings.Join(lines, "\n"))

	name := t.Name()
	if strings.HasPrefix(name, "Fuzz") {
		return // nobody knows what it will judge
	}
	scenes.Lock()
	defer scenes.Unlock()
	scenes.got[name] = append(scenes.got[name], got)
	if want := scenes.want[name]; !slices.Contains(want, got) && !*update {
		t.Errorf("it is told otherwise than in testdata/%s (rewrite it with -update, and read what changed)\n got %s\nwant %s", goldenFile, got, strings.Join(want, "\n  or "))
	}
}

// inAll is a look on a few lines; what passes is told by its call alone.
func inAll(l conform.Look) string {
	var b strings.Builder
	call := ""
	if l.Call != nil {
		call = " " + l.Call.ID
	}
	fmt.Fprintf(&b, "%s%s", l.Verdict, call)
	if l.Verdict == conform.Pass {
		return b.String() + "\n"
	}
	if l.As != conform.None {
		fmt.Fprintf(&b, " as %s", l.As)
	}
	for _, part := range []struct{ name, text string }{{"because", l.Reason}, {"want", l.Want}, {"got", l.Got}, {"hint", l.Hint}} {
		if part.text != "" {
			fmt.Fprintf(&b, "\n  %s: %s", part.name, strings.ReplaceAll(part.text, "\n", `\n`))
		}
	}
	for _, e := range l.Evidence {
		offset := -1
		if e.Offset != nil {
			offset = *e.Offset
		}
		fmt.Fprintf(&b, "\n  shown: call %s #%d %s@%d %q %s", e.Call, e.Seq, e.Pointer, offset, e.Excerpt, e.Note)
	}
	return b.String() + "\n"
}
