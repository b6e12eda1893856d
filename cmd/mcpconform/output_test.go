package main

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/reports"
)

// junitFile is a JUnit file as a CI server reads it.
type junitFile struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Suites   []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func TestJUnitAgreesWithTheExitCode(t *testing.T) {
	t.Parallel()
	narrow := []string{"--scenario", "partial/bad-first", "--operation", "query-orders"}
	for name, c := range map[string]struct {
		args []string
		code int
	}{
		"a good server":          {append(onBackend(backend(t, noOptions).URL, "--checks", "RES-0*"), narrow...), 0},
		"a server with a fault":  {append(onBackend(backend(t, noOptions, "RES-02").URL), narrow...), 1},
		"a server not reached":   {onBackend(closedPort(t)), 4},
		"a server without tools": {[]string{"--url", serve(t, script{tools: unitTool, call: outOfOrder}).URL + "/mcp"}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			got := mcpconform(t, append([]string{"run", "--format", "junit", "--output", "json=" + folder + "/r.json", "--output", "junit=" + folder + "/r.xml"}, c.args...)...).exits(t, c.code)
			if file := read(t, folder+"/r.xml"); file != got.out {
				t.Errorf("the file is not what stdout got: %s", firstDifference(got.out, file))
			}
			r := report(t, read(t, folder+"/r.json"))
			if r.ExitCode() != c.code {
				t.Errorf("the report in JSON asks for exit %d", r.ExitCode())
			}
			var junit junitFile
			if err := xml.Unmarshal([]byte(got.out), &junit); err != nil {
				t.Fatalf("%v\n%s", err, got.out)
			}
			cases, failures, errors, skipped, verdictRed := 0, 0, 0, 0, false
			for _, s := range junit.Suites {
				for _, one := range s.Cases {
					cases++
					switch {
					case one.Failure != nil:
						failures++
					case one.Error != nil:
						errors++
					case one.Skipped != nil:
						skipped++
					}
					if s.Name == "verdict" && one.Name == "verdict" {
						verdictRed = one.Failure != nil || one.Error != nil
					}
				}
			}
			if verdictRed != (c.code != 0) {
				t.Errorf("the case verdict is red: %v, exit %d", verdictRed, c.code)
			}
			if cases != junit.Tests || failures != junit.Failures || errors != junit.Errors || skipped != junit.Skipped || cases != len(r.Findings)+1 {
				t.Errorf("%d cases, %d failures, %d errors, %d skipped; the file says %+v", cases, failures, errors, skipped, junit)
			}
			if musts := r.Summary.Fail; c.code == 1 && failures != musts+1 {
				t.Errorf("%d failures for %d failed MUSTs and the verdict", failures, musts)
			}
		})
	}
}

func TestStdoutIsTheResultAndNothingElse(t *testing.T) {
	t.Parallel()
	words := []string{"--scenario", "partial", "--operation", "query-orders", "--seed", "5"}
	for _, flag := range []string{"-q", "-v", "--no-color"} {
		t.Run(flag, func(t *testing.T) {
			got := mcpconform(t, append([]string{"run", "--format", "json", flag}, words...)...)
			report(t, got.out)
			if !strings.HasPrefix(got.out, "{\n") || !strings.HasSuffix(got.out, "}\n") {
				t.Errorf("stdout is not one JSON object:\n%s", shortened(got.out))
			}
			switch flag {
			case "-v":
				says(t, "stderr", got.err, "partial/bad-first on query-orders", "/")
			case "-q":
				if got.err != "" {
					t.Errorf("stderr is not empty: %s", got.err)
				}
			}
			silent(t, "stderr", got.err, "\x1b", "\r")
		})
	}
}

func TestTextOutsideATerminalIsPlain(t *testing.T) {
	t.Parallel()
	got := mcpconform(t, "run", "--scenario", "partial", "--operation", "query-orders")
	silent(t, "stdout", got.out, "\x1b", "\r")
	silent(t, "stderr", got.err, "\x1b", "\r")
}

func TestColourAndTheBarAreForTerminalsThatWantThem(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("skipped: needs a pseudo terminal: %v", err)
	}
	defer terminal.Close()
	for name, c := range map[string]struct {
		env  map[string]string
		off  bool
		want bool
	}{
		"a terminal":      {nil, false, true},
		"NO_COLOR":        {map[string]string{"NO_COLOR": "1"}, false, false},
		"an empty one":    {map[string]string{"NO_COLOR": ""}, false, true},
		"CI":              {map[string]string{"CI": "true"}, false, false},
		"TERM=dumb":       {map[string]string{"TERM": "dumb"}, false, false},
		"TERM=xterm":      {map[string]string{"TERM": "xterm"}, false, true},
		"with --no-color": {nil, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := quiet()
			w.getenv, w.out, w.err = variables(c.env), terminal, terminal
			flags := outputFlags{noColor: c.off}
			if got := flags.colour(w); got != c.want {
				t.Errorf("colour %v, wanted %v", got, c.want)
			}
			if !c.off && plainTerminal(w, w.err) != c.want {
				t.Errorf("a bar %v, wanted %v", !c.want, c.want)
			}
			w.out = &bytes.Buffer{}
			if flags.colour(w) {
				t.Error("colour in what is no terminal")
			}
		})
	}
}

func TestOutputFilesAreWholeOrNotThere(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "r.json")
	mcpconform(t, "run", "-q", "--output", "json="+file, "--scenario", "partial/bad-first", "--operation", "query-orders")
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v: wanted the report alone", left, err)
	}
	if r := report(t, read(t, file)); r.Schema != reports.SchemaName {
		t.Errorf("schema %q", r.Schema)
	}
}

// Credentials are in no file and on no stream, wherever they came from.
func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	const token, literal = "s3cret-token-0123456789", "literal-key-abcdefgh"
	server := backend(t, noOptions)
	folder := t.TempDir()
	w := quiet()
	w.getenv = variables(map[string]string{"TOKEN": token})
	got := mcpconformIn(t, w, append([]string{"run", "--format", "json", "--transcript", folder + "/t.jsonl", "--header", "X-Shop-Key: " + literal,
		"--header=X-Other: ${TOKEN}", "--token-env", "TOKEN", "--scenario", "partial/bad-first", "--operation", "query-orders"}, onBackend(server.URL)...)...)
	recorded := read(t, folder+"/t.jsonl")
	for where, text := range map[string]string{"stdout": got.out, "stderr": got.err, "the transcript": recorded} {
		silent(t, where, text, token, literal)
	}
	says(t, "stderr", got.err, "warning", "X-Shop-Key", "--token-env")
	says(t, "the transcript", recorded, "[redacted X-Shop-Key]", "[redacted Authorization]", "[redacted X-Other]")
	r := report(t, got.out)
	says(t, "the command of the report", r.Run.Command, "X-Shop-Key: [redacted]", "X-Other: [redacted]")
}

func TestAPasswordInAURLIsNotShown(t *testing.T) {
	t.Parallel()
	url := strings.Replace(closedPort(t), "http://", "http://me:hunter2hunter2@", 1)
	folder := t.TempDir()
	got := mcpconform(t, "run", "--url", url, "--output", "json="+folder+"/r.json", "--transcript", folder+"/t.jsonl")
	if got.code != 4 && got.code != 2 {
		t.Errorf("exit %d", got.code)
	}
	silent(t, "the output", got.out+got.err, "hunter2hunter2")
	for _, name := range []string{"r.json", "t.jsonl"} {
		if content, err := os.ReadFile(filepath.Join(folder, name)); err == nil {
			silent(t, name, string(content), "hunter2hunter2")
		}
	}
}
