package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// caseLine is a line of `judge --format json` on an answer case.
type caseLine struct {
	File     string
	Verdict  string
	Status   *string
	Findings []conform.Finding
}

func TestRecordedAnswersAreJudgedAsTheirFilesSay(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../fixtures/answers/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d answers, %v: wanted all of them", len(files), err)
	}
	accused := 0
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var want struct {
				Verdict string  `json:"expected_verdict"`
				Status  *string `json:"expected_status"`
			}
			if err := json.Unmarshal([]byte(read(t, file)), &want); err != nil || want.Verdict == "" {
				t.Fatalf("the case says no verdict: %v", err)
			}
			code := 0
			if want.Verdict == "nonconformant" {
				code = 1
			}
			got := mcpconform(t, "judge", "--format", "json", file).exits(t, code)
			if strings.Count(got.out, "\n") != 1 || got.err != "" {
				t.Fatalf("wanted one line and a silent stderr, got\n%s%s", got.out, got.err)
			}
			var line caseLine
			if err := json.Unmarshal([]byte(got.out), &line); err != nil {
				t.Fatal(err)
			}
			if line.File != file || line.Verdict != want.Verdict || word(line.Status) != word(want.Status) {
				t.Errorf("%s, status %s; wanted %s, status %s\n%s", line.Verdict, word(line.Status), want.Verdict, word(want.Status), got.out)
			}
			if (line.Verdict == "conformant") != (worst(line.Findings) < conform.Should) {
				t.Errorf("verdict %s over findings whose worst is a failed %s", line.Verdict, worst(line.Findings))
			}
			for _, f := range line.Findings {
				if f.Verdict == conform.NotRun && f.Reason != "" && line.Verdict == "warning" {
					continue // the answer is not the one its call ends with
				}
				accused++
				if f.Verdict != conform.Fail || f.Got == "" || f.Title == "" {
					t.Errorf("%s: verdict %s, title %q, got %q", f.ID, f.Verdict, f.Title, f.Got)
				}
			}
		})
	}
	if accused == 0 {
		t.Error("nobody was accused of anything")
	}
}

func word(status *string) string {
	if status == nil {
		return "null"
	}
	return *status
}

func worst(findings []conform.Finding) conform.Level {
	level := conform.None
	for _, f := range findings {
		level = max(level, f.Level)
	}
	return level
}

func TestSeveralAnswersAtOnceGetALineEach(t *testing.T) {
	t.Parallel()
	files := []string{"../../fixtures/answers/101-bare-results-mixed.json", "../../fixtures/answers/012-items-silently-dropped.json"}
	got := mcpconform(t, append([]string{"judge", "--format", "json"}, files...)...).exits(t, 1)
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines for two answers:\n%s", len(lines), got.out)
	}
	for i, line := range lines {
		var c caseLine
		if err := json.Unmarshal([]byte(line), &c); err != nil || c.File != files[i] {
			t.Errorf("line %d is of %q, %v; wanted %s", i+1, c.File, err, files[i])
		}
	}
	text := mcpconform(t, append([]string{"judge"}, files...)...).exits(t, 1)
	says(t, "the text", text.out, files[0]+": conformant", files[1]+": nonconformant", "MUST RES-02", "wanted", "got", "mend")
}

func TestWhatCannotBeJudgedIsAUsageError(t *testing.T) {
	t.Parallel()
	good := "../../fixtures/answers/101-bare-results-mixed.json"
	header := `{"schema":"mcpconform.transcript/v1"}` + "\n"
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"no file named":                   {nil, []string{"needs a file"}},
		"a file that is not there":        {[]string{"nowhere.json"}, []string{"nowhere.json", "no such file"}},
		"broken JSON":                     {[]string{write(t, "broken.json", "{\n  \"tool_result\": {,}\n}")}, []string{"broken.json", "line 2, column"}},
		"a list where an object belongs":  {[]string{write(t, "list.json", `[1]`)}, []string{"list.json", "line 1"}},
		"an empty file":                   {[]string{write(t, "empty.json", "")}, []string{"empty.json"}},
		"a case without an answer":        {[]string{write(t, "no.json", `{"request_items":[]}`)}, []string{"tool_result"}},
		"a case without items":            {[]string{write(t, "no.json", `{"tool_result":{}}`)}, []string{"request_items"}},
		"a transcript of another version": {[]string{write(t, "old.jsonl", `{"schema":"mcpconform.transcript/v9"}`+"\n")}, []string{"mcpconform.transcript/v9", "mcpconform.transcript/v1"}},
		"a transcript with a bad line":    {[]string{write(t, "bad.jsonl", header+"nonsense\n")}, []string{"bad.jsonl", "line 2"}},
		"a transcript among answers":      {[]string{good, write(t, "t.jsonl", header)}, []string{"one at a time"}},
		"a format of reports on a case":   {[]string{"--format", "junit", good}, []string{"text or json"}},
		"a format nobody knows":           {[]string{"--format", "pdf", write(t, "t.jsonl", header)}, []string{"pdf"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := mcpconform(t, append([]string{"judge"}, c.args...)...).exits(t, 2)
			says(t, "stderr", got.err, c.says...)
			if got.out != "" {
				t.Errorf("stdout is not empty: %s", got.out)
			}
		})
	}
}

// A killed run leaves a transcript whose last line may be torn.
func TestATornTranscriptIsJudgedAsPartial(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole.jsonl")
	mcpconform(t, "run", "-q", "--scenario", "partial", "--operation", "query-orders", "--transcript", whole)
	text := read(t, whole)
	torn := write(t, "torn.jsonl", text[:len(text)*2/3])

	r := report(t, mcpconform(t, "judge", "--format", "json", torn).exits(t, 3).out)
	if !r.Run.Partial || r.Run.Cause == "" {
		t.Errorf("partial %v, cause %q", r.Run.Partial, r.Run.Cause)
	}
	if len(failing(r)) > 0 {
		t.Errorf("a good server is accused for a torn recording: %v", failing(r))
	}
}
