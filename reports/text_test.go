package reports

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func lines(text []byte) []string { return strings.Split(strings.TrimRight(string(text), "\n"), "\n") }

func TestVerdictIsFirstAndLast(t *testing.T) {
	for name, c := range map[string]struct {
		r           Report
		first, last string
	}{
		"nothing in it": {Report{}, "? incomplete", "? incomplete, exit 3: nothing failed, but something that matters could not be verified"},
		"broken":        {sample(), "✗ nonconformant: 2 MUST rules failed", "✗ nonconformant, exit 1: a MUST rule is broken"},
		"strict": {
			Report{Verdict: Nonconformant, Run: Run{Strict: true}, Summary: Summary{Warning: 1}}, "✗ nonconformant",
			"✗ nonconformant, exit 1: a SHOULD rule is broken, and --strict counts it",
		},
		"narrowed":    {Report{Verdict: Conformant, Run: Run{Narrowed: []string{"effort quick"}}}, "✓ conformant", "✓ conformant, exit 0: every MUST rule in this narrowed run holds"},
		"unreachable": {Report{Run: Run{Ended: conform.EndUnreachable}}, "? incomplete", "? incomplete, exit 4: the target could not be reached, is no MCP server, or died before its first answer"},
		"refused":     {Report{Run: Run{Ended: conform.EndUnauthorized}}, "? incomplete", "? incomplete, exit 4: the target refused the credentials; give them with --header 'Authorization: Bearer ${NAME}' or --token-env NAME"},
		"demonstration": {
			clean(), "✓ conformant: the built-in demonstration backend, not your server",
			"Yours: mcpconform run --url URL | -- CMD | --target FILE",
		},
	} {
		t.Run(name, func(t *testing.T) {
			text := lines(written(t, Text, c.r))
			if !strings.HasPrefix(text[0], c.first) {
				t.Errorf("first line %q, want %q", text[0], c.first)
			}
			if last := text[len(text)-1]; last != c.last {
				t.Errorf("last line %q, want %q", last, c.last)
			}
		})
	}
}

// TestLinesFit holds every line to the width, but those that must be copied in
// one piece.
func TestLinesFit(t *testing.T) {
	for _, width := range []int{72, 100, 160} {
		for _, r := range []Report{sample(), hostile(), clean(), {}} {
			for _, l := range lines(written(t, TextWriter(TextOptions{Width: width}), r)) {
				copied := strings.HasPrefix(l, "  reproduce") || strings.HasPrefix(l, "This was") || strings.Contains(l, ", exit ")
				muted := strings.Contains(l, `\u003a`) // which adds five columns to a line that is full
				if columns(l) > width && !copied && !muted {
					t.Errorf("width %d: %d columns: %s", width, columns(l), l)
				}
			}
		}
	}
}

func TestNoTrailingSpacesAndNoColourUnlessAsked(t *testing.T) {
	for _, l := range lines(written(t, Text, sample())) {
		if strings.HasSuffix(l, " ") || strings.Contains(l, "\x1b") {
			t.Errorf("%q", l)
		}
	}
	if !bytes.Contains(written(t, TextWriter(TextOptions{Colour: true}), sample()), []byte("\x1b[31;1m✗ RES-02\x1b[0m")) {
		t.Error("no colour where it was asked for")
	}
}

func TestThirtyChecksOfOneReasonAreOneEntry(t *testing.T) {
	var r Report
	for i := range 30 {
		r.Findings = append(r.Findings, conform.Finding{
			ID: fmt.Sprintf("RES-%02d", i), Level: conform.Must, Verdict: conform.NotRun, Operation: "cancel", Reason: "no reset", Hint: "operations.cancel.reset",
		})
	}
	text := string(written(t, Text, judgedReport(r, Incomplete)))
	if n := strings.Count(text, "no reset"); n != 1 {
		t.Errorf("the reason stands there %d times:\n%s", n, text)
	}
	for _, want := range []string{"NOT VERIFIED: 30 checks, 30 of them MUST", "RES-29 on cancel", "to verify  operations.cancel.reset"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

func TestConsequenceIsOneLineBeneathItsRootAndNoCardOfItsOwn(t *testing.T) {
	text := string(written(t, Text, sample()))
	if !strings.Contains(text, "↳ follows  AGG-02 MUST") || strings.Contains(text, "✗ AGG-02") {
		t.Errorf("%s", text)
	}
}

func TestFiveHundredFindings(t *testing.T) {
	var r Report
	for i := range 500 {
		long := 1
		if i%25 == 0 {
			long = 50_000
		}
		r.Findings = append(r.Findings, conform.Finding{
			ID: fmt.Sprintf("RES-%03d", i), Level: conform.Level(1 + i%3), Verdict: conform.Verdict(i % 4), Operation: fmt.Sprintf("op-%d", i%7), Group: conform.GroupCore,
			Title: "a rule", Got: strings.Repeat("x", long), Reason: fmt.Sprintf("reason %d", i%11),
			Evidence: []conform.Evidence{{Call: "c1", Excerpt: strings.Repeat("é", long)}},
		})
	}
	r = judgedReport(r, Nonconformant)
	for _, f := range Formats() {
		out := written(t, f.Write, r)
		for _, finding := range r.Findings {
			if f.Part {
				break
			}
			number := strings.TrimPrefix(finding.ID, "RES-") // those that passed share one "RES"
			if !bytes.Contains(out, []byte(number)) {
				t.Errorf("%s: %s is missing", f.Name, finding.ID)
			}
		}
		if f.Name != "json" && len(out) > 600_000 {
			t.Errorf("%s: %d bytes; long texts are to be cut", f.Name, len(out))
		}
	}
}

func TestTheSameReportGivesTheSameBytes(t *testing.T) {
	for _, f := range Formats() {
		for _, r := range []func() Report{sample, hostile, clean} {
			first := written(t, f.Write, r())
			for range 5 {
				if !bytes.Equal(first, written(t, f.Write, r())) {
					t.Errorf("%s differs from one time to the next", f.Name)
				}
			}
		}
	}
}

func TestLongTextIsCutInTheMiddle(t *testing.T) {
	got := middle("0123456789"+strings.Repeat("é", 1000)+"END", 30)
	if !strings.HasPrefix(got, "0123456789ééééé [… 1,98") || !strings.HasSuffix(got, "left out …] éééEND") {
		t.Errorf("%q", got)
	}
	if middle("short", 30) != "short" {
		t.Error("a short text was cut")
	}
}

func TestWrapping(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":               {"", []string{""}},
		"words":                 {"one two three four", []string{"one two", "three four"}},
		"a word that is longer": {"abcdefghijklmnop", []string{"abcdefghij", "klmnop"}},
		"spaces that matter":    {`"a  b" c`, []string{`"a  b" c`}},
		"wide letters":          {"日本語日本語日本語", []string{"日本語日本", "語日本語"}},
		"marks take no room":    {"e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301", []string{"e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := wrap(c.text, 10); strings.Join(got, "|") != strings.Join(c.want, "|") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		if got, err := FormatNamed(f.Name); err != nil || got.Name != f.Name {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	for name, want := range map[string]string{
		"html":  `format "html" is not served by this version yet; it serves text, json, junit, history, csv, hgrm and benchstat`,
		"sarif": `not served by this version yet`,
		"JSON":  `did you mean "json"?`,
		"yaml":  `format "yaml" is not known; there are text, json, junit, history, csv, hgrm and benchstat`,
		"":      "not known",
	} {
		if _, err := FormatNamed(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
	}
}

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestAWriterThatFailsIsTold(t *testing.T) {
	for _, f := range Formats() {
		if err := f.Write(full{}, sample()); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// What was judged before the credentials ended was asked.
func TestNothingWasAskedIsSaidWhereNothingWas(t *testing.T) {
	shut := clean()
	shut.Run.Ended = conform.EndUnauthorized
	never := shut
	never.Findings = []conform.Finding{{ID: "RES-01", Level: conform.Must, Verdict: conform.NotRun, Reason: "HTTP status 401"}}
	const nothing = "Nothing was asked, so nothing is known: 1 check was not run."
	if text := string(written(t, Text, judgedReport(never, Incomplete))); !strings.Contains(text, nothing) {
		t.Errorf("it is not said:\n%s", text)
	}
	shut.Findings = append(shut.Findings, never.Findings...)
	if text := string(written(t, Text, judgedReport(shut, Incomplete))); strings.Contains(text, "Nothing was asked") || !strings.Contains(text, "NOT VERIFIED: 1 check") {
		t.Errorf("six rules passed:\n%s", text)
	}
}
