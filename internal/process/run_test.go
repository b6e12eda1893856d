//go:build unix

package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const aWhile = 10 * time.Second

func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   string // in the error; empty: there is none
	}{
		"it ends well":        {`exit 0`, ""},
		"it is told":          {`test "$MCPCONFORM_CELL" = find`, ""},
		"it fails":            {`exit 3`, "exit status 3"},
		"it fails with words": {`echo begun; echo no such cell >&2; exit 1`, `exit status 1; it wrote: "begun" … "no such cell"`},
	} {
		t.Run(name, func(t *testing.T) {
			err := Run(context.Background(), []string{"/bin/sh", "-c", c.script}, []string{"MCPCONFORM_CELL=find"}, aWhile)
			if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if err := Run(context.Background(), []string{"/nonexistent/program"}, nil, aWhile); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// What a program starts in the background is neither waited for nor ended, although it
// has the program's output.
func TestWhatARunLeavesInTheBackgroundGoesOn(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	script := `mkfifo "$1" && { read word < "$1"; echo "$word" > "$1.heard"; } &
while ! test -p "$1"; do :; done`
	if err := Run(context.Background(), []string{"/bin/sh", "-c", script, "sh", pipe}, nil, aWhile); err != nil {
		t.Fatal(err)
	}
	// The write waits until somebody reads: it is there still.
	if err := os.WriteFile(pipe, []byte("hello\n"), 0); err != nil {
		t.Fatal(err)
	}
	until := time.Now().Add(aWhile)
	for {
		text, err := os.ReadFile(pipe + ".heard")
		if err == nil && string(text) == "hello\n" {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%q, %v", text, err)
		}
		time.Sleep(time.Millisecond)
	}
}

// A program that does not end is ended, with what it started.
func TestARunIsBounded(t *testing.T) {
	err := Run(context.Background(), []string{"/bin/sh", "-c", "sleep 600 & wait"}, nil, 20*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "it had not ended after 20ms") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("interrupted"))
	if err := Run(ctx, []string{"/bin/sh", "-c", "sleep 600"}, nil, aWhile); err == nil || err.Error() != "interrupted" {
		t.Error(err)
	}
}
