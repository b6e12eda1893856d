package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// maskedFile is the fake backend's target file with a `privacy`.
func maskedFile(t *testing.T, privacy string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "masked.yaml")
	text := strings.Replace(read(t, "../../fixtures/targets/fakebackend.yaml"), "version: 1", "version: 1\nprivacy: "+privacy, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// comesTo is what the findings of a report are, their words aside.
func comesTo(r reports.Report) string {
	var all strings.Builder
	for _, f := range r.Findings {
		all.WriteString(strings.Join([]string{f.ID, f.Operation, f.Verdict.String(), f.Scenario, f.ConsequenceOf}, " ") + "\n")
	}
	return all.String()
}

// A masked run finds what an unmasked one finds, and neither its transcript nor
// its report shows the names, over a good server and a faulty one.
func TestAMaskedRunIsJudgedAlike(t *testing.T) {
	t.Parallel()
	names := []string{"Product ", "Café", "Snowflake", "9007199254740993", "Inexistente", "日本茶"}
	for _, fault := range []string{"", "RES-02/drops-failed", "RES-05", "EFF-01"} {
		t.Run("fault "+fault, func(t *testing.T) {
			t.Parallel()
			var faults []string
			if fault != "" {
				faults = append(faults, fault)
			}
			args := func(target string) []string {
				return []string{"--target", target, "--url", backend(t, noOptions, faults...).URL, "--seed", "4711", "--scenario", "partial", "--scenario", "all-*", "--scenario", "canonicalization",
					"--operation", "cancel-products"}
			}
			plain, _ := run(t, args("builtin:fakebackend")...)
			record := filepath.Join(t.TempDir(), "t.jsonl")
			masked, _ := run(t, append(args(maskedFile(t, `{mask: ["$..id", "$..name", "$.items[*]", "$.ids[*]"]}`)), "--transcript", record)...)
			if one, other := comesTo(plain), comesTo(masked); one != other {
				t.Errorf("unmasked:\n%s\nmasked:\n%s", one, other)
			}
			again := report(t, mcpconform(t, "judge", record, "--format", "json").out)
			if one, other := comesTo(masked), comesTo(again); one != other || again.VerdictLine != masked.VerdictLine {
				t.Errorf("the run:\n%s\njudged again:\n%s", one, other)
			}
			text := mcpconform(t, "judge", record).out
			for where, said := range map[string]string{"the transcript": strings.ReplaceAll(read(t, record), "Products, subscriptions and orders", ""), "the report": text} {
				for _, name := range names {
					if strings.Contains(said, name) {
						t.Errorf("%s holds %q", where, name)
					}
				}
			}
			says(t, "the report", text, "masked", "pseudonyms")
			if len(masked.Masked) != 4 {
				t.Errorf("masked %q", masked.Masked)
			}
		})
	}
}

// A mask that led to nothing is told, with what may have been meant: else a slip
// would leave in the open what its owner believes hidden.
func TestMasksThatLedToNothingAreTold(t *testing.T) {
	t.Parallel()
	target := maskedFile(t, `{mask: [name, "$..name", "$..emial", X-Customer, Content-Language, "$..success", "$..subject"], keep: ["$..subject"]}`)
	record := filepath.Join(t.TempDir(), "t.jsonl")
	args := append([]string{"--scenario", "all-succeed", "--operation", "cancel-products", "--seed", "4711", "--header", "X-Customer: somebody", "--transcript", record},
		"--target", target, "--url", backend(t, noOptions).URL)
	r, got := run(t, args...)
	var unmet []string
	for _, u := range r.Unmasked {
		unmet = append(unmet, u.Mask+" "+u.Else)
	}
	if want := "$..emial ,$..success ,$..subject ,name $..name,Content-Language "; strings.Join(unmet, ",") != want {
		t.Errorf("unmasked %q, want %q", unmet, want)
	}
	if strings.Join(r.Masked, ",") != "$..name,X-Customer" {
		t.Errorf("masked %q", r.Masked)
	}
	says(t, "stderr", got.err, "warning: the mask $..emial of `privacy` led to no value", "did you mean `$..name`?")
	silent(t, "stderr", got.err, "mask X-Customer", "mask $..name of")
	says(t, "the notes", strings.Join(r.Notes, "\n"), "the mask $..emial of `privacy` led to no value", "did you mean `$..name`?")
	again := mcpconform(t, "judge", record).out
	says(t, "judged again", strings.Join(strings.Fields(again), " "), "masked $..name, X-Customer: the values they lead to are pseudonyms; $..emial, $..success, $..subject, name, Content-Language: led to no value")
	r, _ = run(t, "--target", target, "--url", "http://127.0.0.1:1/mcp")
	if len(r.Unmasked) > 0 {
		t.Errorf("of a server that said nothing: %v", r.Unmasked)
	}
}

// Where pseudonyms do not fit the server's own schema, the report says that the
// rule is not to be believed.
func TestWhereMaskingChangesAFindingItIsTold(t *testing.T) {
	t.Parallel()
	server := serve(t, script{
		tools: `[{"name":"find","inputSchema":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}}}},` +
			`"outputSchema":{"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^Kunde-"}}}}}}}]`,
		call: func(string, json.RawMessage) (string, string) {
			const answer = `{"results":[{"id":"Kunde-17","success":true},{"id":"Kunde-18","success":true},{"id":"Kunde-19","success":true}]}`
			quoted, _ := json.Marshal(answer) // a string always encodes
			return "result", fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":%s,"isError":false}`, quoted, answer)
		},
	})
	for path, told := range map[string]bool{"$.results[*].id": true, "$.results[*].other": false} {
		file := filepath.Join(t.TempDir(), "acme.yaml")
		text := `{version: 1, privacy: {mask: ["` + path + `"]}, operations: {find: {tool: find, effect: read, input: {argument: ids}, items: {good: [Kunde-17, Kunde-18, Kunde-19]}}}}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, _ := run(t, "--target", file, "--url", server.URL, "--scenario", "all-succeed", "--seed", "1")
		says := strings.Contains(strings.Join(r.Notes, "\n"), "because values are masked")
		if says != told {
			t.Errorf("%s: told is %v: %q", path, says, r.Notes)
		}
	}
}

// What a run left behind that was masked is put back all the same: a reset needs no
// ids.
func TestCleanupOfAMaskedTranscript(t *testing.T) {
	t.Parallel()
	server := backend(t, noOptions)
	target := maskedFile(t, `{mask: ["$..id", "$..name"]}`)
	record := filepath.Join(t.TempDir(), "t.jsonl")
	mcpconform(t, "run", "-q", "--target", target, "--url", server.URL, "--transcript", record, "--scenario", "all-succeed", "--operation", "cancel-products", "--seed", "1")
	// As if it had been killed: the lines from its last write on are not there.
	header, observations, err := conform.ReadTranscript(strings.NewReader(read(t, record)))
	if err != nil {
		t.Fatal(err)
	}
	var cut strings.Builder
	if err := conform.WriteLine(&cut, header); err != nil {
		t.Fatal(err)
	}
	for _, o := range observations {
		if err := conform.WriteLine(&cut, o); err != nil {
			t.Fatal(err)
		}
		if o.Received != nil && strings.Contains(o.Call, "/execute") {
			break
		}
	}
	if err := os.WriteFile(record, []byte(cut.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mcpconform(t, "cleanup", record, "--target", target, "--url", server.URL).exits(t, 0)
	says(t, "stdout", got.out, "cancel-products: put back")
}

func TestEvidenceOfARun(t *testing.T) {
	t.Parallel()
	server := backend(t, noOptions, "RES-02/drops-failed")
	folder := t.TempDir()
	args := append([]string{"--scenario", "partial/bad-first", "--operation", "cancel-products", "--checks", "RES-02", "--seed", "4711", "--transcript", folder + "/t.jsonl"}, onBackend(server.URL)...)
	for _, word := range []string{"full", "rows", "none"} {
		r, _ := run(t, append(args, "--evidence", word, "--output", "junit="+folder+"/r.xml", "--output", "text="+folder+"/r.txt")...)
		f := r.Findings[0]
		if string(r.Evidence) != word || f.Verdict != conform.Fail || len(f.Evidence) == 0 || f.Evidence[0].Pointer == "" || r.Quotes != "" {
			t.Fatalf("%s: %+v", word, r)
		}
		if quoted, whole := f.Evidence[0].Excerpt != "", f.Evidence[0].Body != ""; quoted != (word != "none") || whole != (word == "full") {
			t.Errorf("%s: excerpt %q, body %q", word, f.Evidence[0].Excerpt, f.Evidence[0].Body)
		}
		for _, name := range []string{"r.xml", "r.txt"} {
			if has := strings.Contains(read(t, filepath.Join(folder, name)), `"success"`); has != (word != "none") {
				t.Errorf("%s: rows in %s: %v", word, name, has)
			}
		}
		again := mcpconform(t, "judge", folder+"/t.jsonl", "--format", "json", "--evidence", word).out
		if judged := report(t, again); judged.Evidence != r.Evidence || judged.Findings[0].Got != f.Got || judged.Findings[0].Evidence[0].Body != f.Evidence[0].Body ||
			judged.Findings[0].Evidence[0].Excerpt != f.Evidence[0].Excerpt {
			t.Errorf("%s: judged again it is %+v", word, judged.Findings[0])
		}
	}
	mcpconform(t, append([]string{"run", "--evidence", "all"}, onBackend(server.URL)...)...).exits(t, 2)
	got := mcpconform(t, "judge", "--evidence", "none", "--format", "json", "../../fixtures/answers/002-buckets-instead-of-results.json")
	silent(t, "an answer case", got.out, "excerpt")
}
