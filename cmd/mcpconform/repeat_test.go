package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// bodies gives what was sent for each call, and the order of those that were
// not in flight together.
func bodies(rec *conform.Recording) (sent map[string][]byte, order []string) {
	sent = map[string][]byte{}
	for _, c := range rec.Calls {
		order = append(order, c.ID)
		if c.Sent != nil {
			sent[c.ID] = c.Sent.Sent.Body
		}
	}
	return sent, order
}

// withoutPlaces gives findings as JSON without the numbers of observations,
// which move where calls are in flight together.
func withoutPlaces(t *testing.T, r reports.Report) string {
	t.Helper()
	list := slices.Clone(r.Findings)
	for i := range list {
		list[i].Reproduce = "" // it names the server's port
		list[i].Evidence = slices.Clone(list[i].Evidence)
		for j := range list[i].Evidence {
			list[i].Evidence[j].Seq = 0
		}
	}
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Of the large batches the smallest will do; the sweep sends nothing else.
const repeated = "all-succeed,partial,all-fail,one-item,*-eligibility,validator-twice,canonicalization,scalar-expression,workflow,replay,retry,duplicates,input-forms,concurrent,large-batches/25,sweep/1"

func TestASeedRepeatsARun(t *testing.T) {
	t.Parallel()
	play := func(seed string) (*conform.Recording, reports.Report, string, string) {
		// Each on a server of its own: the first would have left its keys behind.
		server := backend(t, noOptions, "RES-02/drops-failed", "VAL-08/drops-rejected")
		file := filepath.Join(t.TempDir(), "t.jsonl")
		r, got := run(t, onBackend(server.URL, "--seed", seed, "--transcript", file, "--scenario", repeated)...)
		return transcript(t, file), r, got.exits(t, 1).out, file
	}
	first, one, json1, file := play("42")
	second, two, _, _ := play("42")

	t.Run("the same plan and the same bytes", func(t *testing.T) {
		sent, order := bodies(first)
		again, orderAgain := bodies(second)
		if !slices.Equal(order, orderAgain) {
			t.Errorf("the plans differ: %d calls, %d calls", len(order), len(orderAgain))
		}
		if len(sent) < 200 {
			t.Errorf("only %d calls were sent", len(sent))
		}
		for _, id := range slices.Sorted(maps.Keys(sent)) {
			if !bytes.Equal(sent[id], again[id]) {
				t.Errorf("%s was sent as\n%s\nand as\n%s", id, sent[id], again[id])
			}
		}
	})
	t.Run("the same findings", func(t *testing.T) {
		if a, b := withoutPlaces(t, one), withoutPlaces(t, two); a != b {
			t.Errorf("the findings differ: %s", firstDifference(a, b))
		}
		if !slices.Contains(failing(one)["query-orders"], "RES-02") {
			t.Errorf("RES-02 was not found: %v", failing(one))
		}
	})
	t.Run("judge gives the report of the run, to the byte", func(t *testing.T) {
		again := mcpconform(t, "judge", "--format", "json", file).exits(t, 1)
		if again.out != json1 {
			t.Errorf("the reports differ: %s", firstDifference(json1, again.out))
		}
	})
	t.Run("no item is used as good again", func(t *testing.T) {
		if writes := usedOnce(t, file); writes < 50 {
			t.Errorf("only %d writes were looked at", writes)
		}
	})
	t.Run("another seed asks for other items", func(t *testing.T) {
		other := filepath.Join(t.TempDir(), "t.jsonl")
		run(t, "--seed", "43", "--scenario", "partial", "--transcript", other)
		sent, _ := bodies(first)
		again, _ := bodies(transcript(t, other))
		differ := 0
		for id, body := range again {
			if sent[id] != nil && first.Call(id).Planned.Role == conform.RolePrimary && !bytes.Equal(sent[id], body) {
				differ++
			}
		}
		if differ == 0 {
			t.Error("seeds 42 and 43 ask for the same")
		}
	})
}
