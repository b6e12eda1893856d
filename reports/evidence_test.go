package reports

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpconform/mcpconform/conform"
)

func evidenced(e Evidence) Report {
	offset := 7
	r := Report{Verdict: Nonconformant, Evidence: e, Findings: []conform.Finding{{
		ID: "RES-02", Level: conform.Must, Verdict: conform.Fail, Title: "one row for every item", Count: 1, Of: 1,
		Want: `2 rows, also for "Anna Schmidt"`, Got: `1 row: no row for "Anna Schmidt"`,
		Evidence: []conform.Evidence{{Call: "c", Seq: 38, Pointer: "/results", Offset: &offset, Excerpt: `[{"name":"Ben Meier"}]`, Note: "Ben Meier"}},
	}, {
		ID: "RES-03", Level: conform.Must, Verdict: conform.NotRun, Title: "t", Reason: `the tool asked "Cancel for Anna Schmidt?" and {"a":"Ben Meier"}`,
	}, {
		ID: "RES-04", Level: conform.Must, Verdict: conform.Pass, Title: "t", Count: 1, Of: 1, Evidence: []conform.Evidence{{Seq: 38, Excerpt: `"Ben Meier"`}},
	}}}
	r.Findings = Quote(r.Findings, e, func(seq int64) []byte {
		if seq != 38 {
			return nil
		}
		return []byte(`{"results":[{"name":"Ben Meier"}],"also":"Carla Lopez"}`)
	})
	r.Summary = Summarise(r.Findings)
	return r
}

// Each word of --evidence lets as much of the server's words into every format.
func TestEvidenceIsQuotedAsFarAsAskedFor(t *testing.T) {
	schema := compiled(t)
	for e, c := range map[Evidence]struct{ said, unsaid []string }{
		EvidenceNone: {[]string{"RES-02", "/results", "observation 38", "2 rows"}, []string{"Anna", "Ben", "Carla"}},
		EvidenceRows: {[]string{"RES-02", "/results", "Anna Schmidt", "Ben Meier"}, []string{"Carla"}},
		"":           {[]string{"Anna Schmidt", "Ben Meier"}, []string{"Carla"}},
		EvidenceFull: {[]string{"RES-02", "/results", "Anna Schmidt", "Ben Meier", "Carla Lopez"}, nil},
	} {
		for _, format := range Formats() {
			t.Run(string(e)+" as "+format.Name, func(t *testing.T) {
				var out bytes.Buffer
				if err := format.Write(&out, evidenced(e)); err != nil {
					t.Fatal(err)
				}
				said := c.said
				if format.Part {
					said = nil
				}
				for _, word := range said {
					if word == "/results" && format.Name == "json" {
						word = `"pointer": "/results"`
					}
					if !strings.Contains(out.String(), word) {
						t.Errorf("%q is missing:\n%s", word, out.String())
					}
				}
				for _, word := range c.unsaid {
					if strings.Contains(out.String(), word) {
						t.Errorf("%q is there:\n%s", word, out.String())
					}
				}
				if format.Name == "json" {
					doc, err := jsonschema.UnmarshalJSON(&out)
					if err == nil {
						err = schema.Validate(doc)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// Only what somebody has to act on is kept whole.
func TestPassedAnswersAreNotKeptWhole(t *testing.T) {
	for _, f := range evidenced(EvidenceFull).Findings {
		for _, e := range f.Evidence {
			if (e.Body != "") != (f.Verdict == conform.Fail) {
				t.Errorf("%s, %s: body %q", f.ID, f.Verdict, e.Body)
			}
		}
	}
}

func TestEvidenceWords(t *testing.T) {
	for _, word := range []string{"full", "rows", "none"} {
		if e, err := ParseEvidence(word); err != nil || string(e) != word {
			t.Errorf("%s: %q, %v", word, e, err)
		}
	}
	for _, word := range []string{"", "all", "NONE"} {
		if _, err := ParseEvidence(word); err == nil {
			t.Errorf("%q was taken", word)
		}
	}
}
