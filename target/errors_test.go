package target

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what was got as what is wanted")

func noEnvironment(string) (string, bool) { return "", false }

// Each file of testdata/errors is wrong, and the .want beside it says how.
func TestErrorsSayWhereAndHowToMend(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Parse(filepath.Base(file), src, noEnvironment)
			if err == nil {
				t.Fatal("the file was taken for right")
			}
			got := err.Error() + "\n"
			golden := strings.TrimSuffix(file, ".yaml") + ".want"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestErrorsAreTyped(t *testing.T) {
	_, err := Parse("acme.yaml", []byte("version: 1\nserver: {command: [x]}\n  \nauth: {}\n"), noEnvironment)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	if e.File != "acme.yaml" || e.Line != 4 || e.Column != 1 {
		t.Errorf("stands at %s:%d:%d", e.File, e.Line, e.Column)
	}
}

func TestNoMoreErrorsThanAPersonReads(t *testing.T) {
	var src strings.Builder
	src.WriteString("version: 1\nserver: {command: [x]}\n")
	for i := range 200 {
		src.WriteString("nonsense" + strings.Repeat("x", i) + ": 1\n")
	}
	_, err := Parse("acme.yaml", []byte(src.String()), noEnvironment)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != MaxErrors+1 || !strings.Contains(lines[MaxErrors], "150 more errors") {
		t.Errorf("%d lines, the last: %s", len(lines), lines[len(lines)-1])
	}
}

func TestNearestKey(t *testing.T) {
	known := []string{"validator", "workflow", "write_hosts", "headers", "count"}
	for wrong, want := range map[string]string{
		"validater": "validator", "Validator": "validator", "write-hosts": "write_hosts", "hosts": "write_hosts",
		"header": "headers", "cuont": "count", "zebra": "", "x": "", strings.Repeat("validator", 40): "",
	} {
		if got := nearest(wrong, known); got != want {
			t.Errorf("%s: %q, want %q", wrong, got, want)
		}
	}
}
