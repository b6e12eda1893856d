package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// sampleOf is the transcript of a load.
func sampleOf(t *testing.T, file string) (conform.Header, map[conform.Kind]int) {
	t.Helper()
	header, observations, err := conform.ReadTranscript(bytes.NewReader([]byte(read(t, file))))
	if err != nil {
		t.Fatal(err)
	}
	if header.Sample == nil || header.Sample.Every != 1000 {
		t.Errorf("%+v", header.Sample)
	}
	kinds := map[conform.Kind]int{}
	for i, o := range observations {
		if o.Seq != int64(i+1) {
			t.Fatalf("observation %d has the number %d", i+1, o.Seq)
		}
		if strings.HasPrefix(o.Call, "load/") {
			kinds[o.Kind]++
		}
	}
	return header, kinds
}

// Every wrong call is in the transcript, and judge says of them what the load said; of
// the others there are few, and judge does not take them for a run.
func TestATranscriptOfALoad(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		words []string
		wrong bool
	}{
		"wrong over HTTP":  {[]string{"--fault", "RES-05/status-word@0.1"}, true},
		"wrong over pipes": {[]string{"--stdio", "--fault", "RES-05/status-word@0.1"}, true},
		"right":            {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "load.jsonl")
			words := []string{"--target", "builtin:fakebackend", "--transcript", file, "--max-calls", "400", "--duration", "20s", "--warm-up", "1ms"}
			if len(c.words) > 0 && c.words[0] == "--stdio" {
				words = append(append(words, "--", self, "fakebackend"), c.words...)
			} else {
				at, _ := startedAside(t, c.words...)
				words = append(words, "--url", at)
			}
			r := report(t, mcpconform(t, shortLoad(words...)...).out)
			wrong := 0
			for _, f := range r.Findings {
				wrong += f.Count
			}
			_, kinds := sampleOf(t, file)
			if kinds[conform.KindPlanned] < wrong || kinds[conform.KindPlanned] > wrong+4 || kinds[conform.KindSent] != kinds[conform.KindPlanned] || kinds[conform.KindReceived] < kinds[conform.KindPlanned] {
				t.Errorf("%d were wrong, and there are %v", wrong, kinds)
			}
			if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "the transcript is a sample of ") {
				t.Error(notes)
			}
			if !c.wrong {
				judged := mcpconform(t, "judge", file, "--format", "json").exits(t, 3)
				if again := report(t, judged.out); len(again.Findings) > 0 || !strings.Contains(again.VerdictLine, "incomplete: a sample of a load") {
					t.Errorf("%s, %+v", again.VerdictLine, again.Findings)
				}
				return
			}
			again := report(t, mcpconform(t, "judge", file, "--format", "json").exits(t, 1).out)
			if len(again.Findings) != 1 || again.Findings[0].ID != "RES-05" || again.Findings[0].Count < wrong || again.Findings[0].Count > wrong+1 || wrong == 0 {
				t.Errorf("%d were wrong; judged again: %s, %+v", wrong, again.VerdictLine, again.Findings)
			}
		})
	}
}

// A disk that is full ends the transcript, and nothing else.
func TestATranscriptOnAFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/full")
	}
	r := report(t, mcpconform(t, shortLoad("--transcript", "/dev/full")...).out)
	if len(r.Performance) != 1 || r.Performance[0].OK == 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "the transcript ends early: ") {
		t.Errorf("%+v, %q", r.Performance, r.Notes)
	}
}

func TestTranscriptFlagsThatCannotBe(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--transcript-max 1MiB":                                "without --transcript",
		"--transcript x --transcript-max much":                 "no size up to 100 MiB",
		"--transcript x --transcript-max 200MiB":               "no size up to 100 MiB",
		"--transcript " + t.TempDir() + "/is/not/there/x.json": "opening the transcript",
	} {
		got := mcpconform(t, append([]string{"load"}, strings.Fields(args)...)...).exits(t, 2)
		says(t, args, got.err, want)
	}
}
