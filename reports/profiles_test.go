package reports_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

func someProfiles() reports.Profiles {
	hostile := "\x1b[2J\u202e<img src=x>|`##[error]"
	return reports.Profiles{Schema: reports.ProfilesSchema, Target: hostile, Data: "sha256:1", Verified: "2026-12-01",
		Profiles: []conform.Profile{{
			Platform: "acme", Title: "Acme",
			Tools: []conform.ProfileTool{{Name: hostile, Works: conform.WorksNot, Rules: []string{"AC-NAME"}}, {Name: "b", Works: conform.WorksWhole}},
			Findings: []conform.ProfileFinding{
				{ID: "AC-NAME", Verdict: conform.Fail, Severity: conform.Error, Stated: conform.Error, Tool: hostile, Got: hostile, Text: "Names are short.", Source: "ours", Verified: "2026-11-30"},
				{ID: "AC-SOFT", Verdict: conform.Fail, Severity: conform.Info, Stated: conform.Error, Lowered: "its basis is inferred", Got: "x", Text: "A guess.", Source: "ours", Verified: "2026-11-30"},
				{ID: "AC-LATE", Verdict: conform.NotRun, Severity: conform.Error, Stated: conform.Error, Reason: "no answer was recorded"},
				{ID: "AC-GOOD", Verdict: conform.Pass, Severity: conform.Error, Stated: conform.Error},
			},
		}},
	}
}

func TestProfilesAreToldInEveryFormatAndHarmlessly(t *testing.T) {
	one := someProfiles()
	two := someProfiles()
	two.Profiles = append(two.Profiles, conform.Profile{Platform: "other", Title: "Other", Tools: []conform.ProfileTool{{Name: "b", Works: conform.NotJudged}}})
	for name, c := range map[string]struct {
		write func(io.Writer, reports.Profiles) error
		of    reports.Profiles
		want  []string
	}{
		"one as text":  {reports.ProfilesText(reports.TextOptions{}), one, []string{"1 tool works, 1 tool does not work", "1 rule not judged", "an error by itself, info because its basis is inferred", "AC-LATE: no answer was recorded", "AC-GOOD"}},
		"many as text": {reports.ProfilesText(reports.TextOptions{}), two, []string{": does not work (AC-NAME)", "Other: 1 tool not judged", "Names are short."}},
		"markdown":     {reports.ProfilesMarkdown, two, []string{"| b | works | not judged |", "| *rules not judged* | 1 | 0 |", "AC-NAME"}},
		"html":         {reports.ProfilesHTML, two, []string{"<td class=\"unknown\">not judged</td>", "AC-NAME", "Content-Security-Policy"}},
		"json":         {reports.ProfilesJSON, two, []string{`"works": "not judged"`}},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.write(&b, c.of); err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%q is not in\n%s", want, b.String())
				}
			}
			if strings.ContainsAny(b.String(), "\x1b\u202e") {
				t.Error("a control character of the server's is printed")
			}
			if (name == "html" || name == "markdown") && strings.Contains(b.String(), "<img") {
				t.Error("the server's words are markup")
			}
			if name == "json" && !json.Valid(b.Bytes()) {
				t.Error("not JSON")
			}
		})
	}
}
