package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Run runs a program and its arguments, without a shell, until it ends. What it has
// started by then goes on: a profiler is begun in the background. When the time is
// over, it and all that it started are ended. The error of a program that fails has
// the lines of its output that tell most. environment is NAME=value, beside our own.
func Run(ctx context.Context, command, environment []string, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	// A file and no pipe: what goes on in the background holds it open, and is not
	// waited for.
	output, err := os.CreateTemp("", "mcpconform-output-*")
	if err != nil {
		return fmt.Errorf("making a file for its output: %w", err)
	}
	defer output.Close()
	defer os.Remove(output.Name())
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Env = append(os.Environ(), environment...)
	c.Stdout, c.Stderr = output, output
	OwnGroup(c)
	c.Cancel = func() error {
		EndGroup(c, true)
		return nil
	}
	err = c.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("it had not ended after %s", timeout)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	if said := saidIn(output); said != "" {
		return fmt.Errorf("%w; it wrote: %s", err, said)
	}
	return err
}

// mostRead bounds how much of an output is looked at, in bytes.
const mostRead = 64 << 10

func saidIn(output *os.File) string {
	text := make([]byte, mostRead)
	n, err := output.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	var words Said
	words.Add(bytes.TrimSpace(text[:n]))
	return words.String()
}
