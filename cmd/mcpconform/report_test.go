package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/reports"
)

// TestAStoredReportIsWrittenInEveryFormat has each format say of a stored report what the
// run itself said in it.
func TestAStoredReportIsWrittenInEveryFormat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored := filepath.Join(dir, "load.json")
	args := []string{"load", "-q", "--operation", "query-orders", "--batch", "1", "--concurrency", "2", "--rounds", "1", "--duration", "200ms", "--format", "text", "--no-color"}
	for _, f := range reports.Formats() {
		args = append(args, "--output", f.Name+"="+filepath.Join(dir, "load."+f.Name))
	}
	first := mcpconform(t, args...)
	for _, f := range reports.Formats() {
		again := mcpconform(t, "report", stored, "--format", f.Name, "--no-color").exits(t, 0)
		if said := read(t, filepath.Join(dir, "load."+f.Name)); f.Name != "text" && again.out != said {
			t.Errorf("%s differs: %s", f.Name, firstDifference(said, again.out))
		}
	}
	if again := mcpconform(t, "report", stored, "--no-color").exits(t, 0); again.out != first.out {
		t.Errorf("the text differs: %s", firstDifference(first.out, again.out))
	}
}

func TestWhatIsNoStoredReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, says string }{
		"a transcript":   {`{"schema":"mcpconform.transcript/v1"}` + "\n{}\n", "line 2, column 1"},
		"another schema": {`{"schema":"acme/v7"}`, `schema "acme/v7", this version reads`},
		"no JSON":        {"verdict: fine\n", "line 1, column 1"},
		"edited":         {`{"schema":"mcpconform.report/v1","summary":{"pass":3}}`, "was the file edited?"},
	} {
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got := mcpconform(t, "report", file).exits(t, 2)
		says(t, name, got.err, file, c.says, "mcpconform judge")
	}
	says(t, "no file", mcpconform(t, "report").exits(t, 2).err, "needs one file")
	says(t, "a file that is not there", mcpconform(t, "report", filepath.Join(dir, "gone")).exits(t, 2).err, "gone")
	says(t, "an unknown format", mcpconform(t, "report", filepath.Join(dir, "gone"), "--format", "pdf").exits(t, 2).err, `"pdf" is not known`)
}
