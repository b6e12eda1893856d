package reports

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}

func written(t *testing.T, write func(io.Writer, Report) error, r Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTextLooksAsItShould(t *testing.T) {
	golden(t, "full.txt", written(t, Text, sample()))
	golden(t, "clean.txt", written(t, Text, clean()))
	golden(t, "full-narrow-colour.txt", written(t, TextWriter(TextOptions{Colour: true, Width: 72}), sample()))
}

func TestJUnitLooksAsItShould(t *testing.T) {
	golden(t, "full.xml", written(t, JUnit, sample()))
	golden(t, "clean.xml", written(t, JUnit, clean()))
}

func TestJSONLooksAsItShould(t *testing.T) {
	golden(t, "full.json", written(t, JSON, sample()))
}
