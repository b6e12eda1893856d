package rawpath

import (
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func TestSelectKeepsExactTextAndTheOrderOfTheBytes(t *testing.T) {
	root, err := rawjson.Parse([]byte(`{"b":{"n":[{"id":9007199254740993},{"id":"x"}]},"a":{"n":[]},"b":{"n":[{"id":"again"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"$.b.n[*].id":        {"9007199254740993", `"x"`}, // of two members with one name the first counts
		"$.a.n[*]":           nil,
		"$.a.n":              {"[]"},
		"$..id":              {"9007199254740993", `"x"`},
		"$.b.n[?@.id=='x']":  {`{"id":"x"}`},
		"$.nothing[*].there": nil,
	} {
		nodes, err := Select(path, root)
		if err != nil || len(nodes) != len(want) {
			t.Errorf("%s: %d nodes, wanted %d: %v", path, len(nodes), len(want), err)
			continue
		}
		for i, n := range nodes {
			if string(n.Raw) != want[i] {
				t.Errorf("%s: node %d is %s, wanted %s", path, i, n.Raw, want[i])
			}
		}
	}
	if _, err := Select("$.[", root); err == nil {
		t.Error("a path that does not read is taken")
	}
}
