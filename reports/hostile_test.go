package reports

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpconform/mcpconform/conform"
)

// nasty is everything a hostile server might put into a text.
const nasty = "a\x1b[2J\x1b]0;owned\x07\r\nb\x00\x7f\u009b31m\u202egnp\u2066x\u200b\u2028\ufeff\xff\xfe ::error::x\n::error file=a::x ##[error]y ##vso[task.complete]z ##teamcity[buildStop] ]]> </testcase> <script> é\u0301\u0301\u0301\u0301\u0301\u0301 日本\u3164\U000e0041\ufffe"

// hostile is a report in which every text is nasty.
func hostile() Report { return saying(nasty) }

// saying is a report in which every text is the same.
func saying(nasty string) Report {
	f := func(id string, l conform.Level, v conform.Verdict) conform.Finding {
		return conform.Finding{
			ID: id + nasty, Level: l, Basis: conform.Basis(nasty), Group: conform.Group(nasty), Verdict: v, Title: nasty, Impact: nasty, Scenario: nasty, Operation: nasty, Count: 1, Of: 2,
			Common: nasty, Want: nasty, Got: nasty, Reason: nasty, Hint: nasty, Source: nasty, Reproduce: nasty,
			History: &conform.History{Item: nasty, Semantics: nasty, Known: nasty, Events: []conform.Happening{
				{Kind: conform.Looked, Call: nasty, Begun: 1, Over: 1, Seen: nasty},
				{Kind: conform.Write, Call: nasty, Session: nasty, Begun: 2, Over: 3, Said: conform.Acknowledged, Key: nasty, Protocol: nasty}}},
			Evidence: []conform.Evidence{{Call: nasty, Pointer: nasty, Excerpt: strings.Repeat(nasty, 20)}},
		}
	}
	r := Report{
		Tool: conform.Tool{Version: nasty}, Catalogue: conform.Catalogue{Set: nasty, Digest: nasty},
		Run:    Run{ID: nasty, Effort: nasty, Command: nasty, Labels: map[string]string{nasty: nasty}, Narrowed: []string{nasty}, Cause: nasty},
		Target: Target{Name: nasty, File: nasty, Host: nasty, Transport: nasty, Protocol: nasty, Server: Server{nasty, nasty}},
		Scope: Scope{
			Tools:  []ScopeTool{{Name: nasty, Operation: nasty}, {Name: nasty + "1", Ignored: true, Because: nasty}, {Name: nasty + "2", Unlisted: true, Because: nasty}},
			Absent: []conform.Group{conform.Group(nasty)},
		},
		NotApplicable: []conform.NotApplicable{{ID: nasty, Operation: nasty, Reason: nasty}},
		Performance:   []Performance{{Operation: nasty, Mode: nasty, Protocol: nasty, Warnings: []string{nasty}}},
		LeftBehind:    []LeftBehind{{Operation: nasty, Item: nasty, What: nasty}},
		Notes:         []string{nasty},
	}
	for _, l := range []conform.Level{conform.None, conform.May, conform.Should, conform.Must} {
		for _, v := range []conform.Verdict{conform.Pass, conform.Fail, conform.Inconclusive, conform.NotRun} {
			r.Findings = append(r.Findings, f(fmt.Sprintf("%s-%s", l, v), l, v))
		}
	}
	follows := f("FOLLOWS", conform.Must, conform.Fail)
	follows.ConsequenceOf = "MUST-fail" + nasty
	pending := f("PENDING", conform.Must, conform.Fail)
	pending.Pending = true
	r.Findings = append(r.Findings, follows, pending)
	return judgedReport(r, Nonconformant)
}

// hostileBytes names what must not be in an output; empty: it is harmless.
func hostileBytes(out string) string {
	for _, r := range out {
		if r != '\n' && hidden(r) {
			return fmt.Sprintf("%U raw", r)
		}
	}
	if !utf8.ValidString(out) {
		return "invalid UTF-8"
	}
	for _, c := range commands {
		if strings.Contains(out, c) {
			return "the CI command " + c
		}
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") {
			return "the CI command " + line
		}
	}
	return ""
}

func TestNothingHostileIsPrintedRaw(t *testing.T) {
	writers := map[string]Writer{"narrow text": TextWriter(TextOptions{Width: 72}), "wide text": TextWriter(TextOptions{Width: 400})}
	for _, f := range Formats() {
		writers[f.Name] = f.Write
	}
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			out := written(t, write, hostile())
			if problem := hostileBytes(string(out)); problem != "" {
				t.Errorf("%s\n%s", problem, out)
			}
			if !bytes.Contains(out, []byte("owned")) {
				t.Error("the server's text was dropped instead of escaped")
			}
		})
	}
}

// A name of 200,000 characters is told with its length, and not in full.
func TestNothingIsPrintedWithoutABound(t *testing.T) {
	const long = 200_000
	report := saying(strings.Repeat("n", long))
	report.Target.Host, report.Target.Transport = "acme.example", "stdio" // no words of a server's
	for i := range report.Findings {
		report.Findings[i].Reproduce = ""
	}
	for name, write := range map[string]Writer{"text": Text, "junit": JUnit} {
		out := string(written(t, write, report))
		if len(out) > 4*long { // and every one of some hundred texts has as many
			t.Errorf("%s: %d bytes", name, len(out))
		}
		if !strings.Contains(out, " bytes left") {
			t.Errorf("%s does not say how much is left out", name)
		}
	}
	for name, text := range map[string]string{"the tools": scopeLine(report.Scope), "the server": serverLine(report.Target)} {
		if len(text) > 10*mostName+4*mostShown {
			t.Errorf("%s take %d bytes", name, len(text))
		}
	}
}

func TestOnlyOurOwnColoursReachATerminal(t *testing.T) {
	out := string(written(t, TextWriter(TextOptions{Colour: true}), hostile()))
	for _, look := range []paint{bold, dim, red, green, yellow, cyan, "0"} {
		out = strings.ReplaceAll(out, "\x1b["+string(look)+"m", "")
	}
	if problem := hostileBytes(out); problem != "" {
		t.Error(problem)
	}
}

func TestJUnitIsXMLWhateverTheServerSaid(t *testing.T) {
	d := xml.NewDecoder(bytes.NewReader(written(t, JUnit, hostile())))
	cases := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "testcase" {
			cases++
		}
	}
	if want := len(hostile().Findings) + 1; cases != want {
		t.Errorf("%d cases, want %d", cases, want)
	}
}

func TestSafe(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain text":             {"a plain (text) #1", "a plain (text) #1"},
		"other scripts":          {"日本 Ελλάδα עברית é ß", "日本 Ελλάδα עברית é ß"},
		"decomposed letters":     {"cafe\u0301", "cafe\u0301"},
		"line ends and tabs":     {"a\r\nb\tc", `a\r\nb\tc`},
		"a terminal's sequences": {"\x1b[31mred\u009b0m", `\u001b[31mred\u009b0m`},
		"turned text":            {"\u202eexe.txt", `\u202eexe.txt`},
		"hidden characters":      {"a\u200bb\u00adc\u00a0d\u3164", `a\u200bb\u00adc\u00a0d\u3164`},
		"tags":                   {"\U000e0041", `\U000e0041`},
		"no UTF-8":               {"a\xffb", `a\xffb`},
		"a true U+FFFD":          {"\ufffd", "\ufffd"},
		"a mark with no letter":  {"\u0338x", `\u0338x`},
		"a mark after an escape": {"\n\u0338x", `\n\u0338x`},
		"a tower of marks":       {"e\u0301\u0301\u0301\u0301\u0301\u0301", "e\u0301\u0301\u0301\u0301" + `\u0301\u0301`},
		"commands of CI logs":    {"##[group] ##vso[x] ##teamcity[y] ## heading", `\u0023#[group] \u0023#vso[x] \u0023#teamcity[y] ## heading`},
		"three number signs":     {"###[x", `#\u0023#[x`},
		"a backslash":            {`a\nb`, `a\nb`},
	} {
		t.Run(name, func(t *testing.T) {
			got := Safe(c.in)
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if again := Safe(got); again != got {
				t.Errorf("made safe twice: %q", again)
			}
		})
	}
}

func FuzzSafe(f *testing.F) {
	f.Add(nasty)
	f.Add("e\u0301\u0301 \xed\xa0\x80")
	f.Fuzz(func(t *testing.T, s string) {
		safe := Safe(s)
		if problem := hostileBytes(mute(safe)); problem != "" {
			t.Errorf("%q prints %s", s, problem)
		}
		if Safe(safe) != safe {
			t.Errorf("%q made safe twice differs", s)
		}
	})
}
