package main

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
)

// What must be seen: the baseline's outcomes, each with its exit status.
func TestABaselineFromTheFirstRunToTheMending(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	report, file, junit := filepath.Join(folder, "report.json"), filepath.Join(folder, "known.yaml"), filepath.Join(folder, "junit.xml")
	broken, good := backend(t, fakebackend.Options{}, "RES-04/null-rows"), backend(t, fakebackend.Options{})
	on := func(url string, more ...string) []string {
		return append([]string{"run", "-q"}, onBackend(url, more...)...)
	}
	narrow := func(url string, more ...string) []string {
		return on(url, append([]string{"--scenario", "partial/*", "--operation", "cancel-products"}, more...)...)
	}

	mcpconform(t, narrow(broken.URL, "--output", "json="+report)...).exits(t, 1)
	wrote := mcpconform(t, "baseline", "write", report, "--file", file).exits(t, 0)
	says(t, "baseline write", wrote.out, "2 added, 0 removed", "+ RES-04 on cancel-products", "+ AGG-02 on cancel-products")
	says(t, "the baseline", read(t, file), "failures:\n  - check: RES-04", "not_run:\n  - check: AGG-02", "operation: 'cancel-products'", "say why it is not mended")

	t.Run("what is known is not red", func(t *testing.T) {
		got := mcpconform(t, narrow(broken.URL, "--baseline", file, "--output", "junit="+junit, "--output", "json="+report)...).exits(t, 0)
		says(t, "the report", got.out, "nonconformant", "AGAINST THE BASELINE", "~ RES-04", "known: known since", "exit 0: the baseline holds: 2 findings are as it says")
		silent(t, "the report", got.out, "FAILED: ")
		r := reportOf(t, report)
		says(t, "the verdict", r.VerdictLine, "nonconformant: 1 MUST rule failed", "; all as "+file+" says")
		if f := findings(r, "RES-04", "cancel-products"); len(f) != 1 || f[0].Known == nil || f[0].Verdict != conform.Fail || !strings.HasPrefix(f[0].Known.At, file+":") {
			t.Errorf("%+v", f)
		}
		var suites struct {
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
		}
		if err := xml.Unmarshal([]byte(read(t, junit)), &suites); err != nil || suites.Failures+suites.Errors != 0 {
			t.Errorf("JUnit is red: %+v %v", suites, err)
		}
	})
	t.Run("a recording is held against it as the run is", func(t *testing.T) {
		transcript := filepath.Join(folder, "run.jsonl")
		mcpconform(t, narrow(broken.URL, "--transcript", transcript)...).exits(t, 1)
		got := mcpconform(t, "judge", transcript, "--baseline", file).exits(t, 0)
		says(t, "the report", got.out, "AGAINST THE BASELINE", "~ RES-04", "exit 0: the baseline holds")
		mcpconform(t, "judge", "../../fixtures/answers/001-error-text-no-boolean.json", "--baseline", file).exits(t, 2)
	})
	t.Run("an entry whose day is over stays, and is told", func(t *testing.T) {
		old := write(t, "old.yaml", "version: 1\nfailures:\n  - check: RES-04\n    operation: cancel-products\n    because: old\n    until: 2020-01-01\n")
		mcpconform(t, narrow(broken.URL, "--output", "json="+report)...).exits(t, 1)
		got := mcpconform(t, "baseline", "write", report, "--file", old).exits(t, 0)
		says(t, "baseline write", got.out, "1 entry kept", "! "+old+":3: RES-04 on cancel-products ended on 2020-01-01, and counts no more")
	})
	t.Run("a check that is none, and one that is near", func(t *testing.T) {
		wrong := write(t, "wrong.yaml", "version: 1\nfailures:\n  - {check: RSE-04, because: old}\n")
		says(t, "stderr", mcpconform(t, narrow(broken.URL, "--baseline", wrong)...).exits(t, 2).err, "wrong.yaml:3", "RSE-04", "RES-04")
	})
	t.Run("what is new is", func(t *testing.T) {
		other := backend(t, fakebackend.Options{}, "RES-02/drops-failed")
		got := mcpconform(t, narrow(other.URL, "--baseline", file)...).exits(t, 1)
		says(t, "the report", got.out, "not in the baseline:", "FAILED: ")
	})
	t.Run("what is mended and still listed is, with the line", func(t *testing.T) {
		got := mcpconform(t, on(good.URL, "--baseline", file)...).exits(t, 1)
		says(t, "the report", got.out, "no longer fails: delete the entry in line 6 of", "can be verified now: delete the entry in line 10", "conformant", "2 entries of the baseline hold no more")
		// Half of a run shows nothing of that.
		mcpconform(t, narrow(good.URL, "--baseline", file)...).exits(t, 0)
	})
	t.Run("a check that there is none of is a mistake", func(t *testing.T) {
		wrong := write(t, "wrong.yaml", "version: 1\nfailures:\n  - {check: AGG-77, because: x}\n")
		got := mcpconform(t, narrow(good.URL, "--baseline", wrong)...).exits(t, 2)
		says(t, "stderr", got.err, wrong+":3:13", `there is no check "AGG-77"`)
	})
	t.Run("it needs a target, and a file", func(t *testing.T) {
		says(t, "stderr", mcpconform(t, "run", "--baseline", file).exits(t, 2).err, "--baseline is given without a target")
		says(t, "stderr", mcpconform(t, narrow(good.URL, "--baseline", filepath.Join(folder, "none.yaml"))...).exits(t, 2).err, "none.yaml", "baseline write")
		says(t, "stderr", mcpconform(t, "baseline", "write", file).exits(t, 2).err, "is no report")
		says(t, "stderr", mcpconform(t, "baseline", "write").exits(t, 2).err, "needs one report")
		says(t, "stderr", mcpconform(t, "baseline").exits(t, 2).err, "baseline needs a word")
	})
}

func reportOf(t *testing.T, path string) reports.Report {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := reports.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
