package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"path"
	"path/filepath"
	"sync"
	"time"
)

const (
	// upFor is how long a server may take until it listens.
	upFor = 30 * time.Second
	// every is the pause between two looks at its port.
	every = 50 * time.Millisecond
)

// startProcess starts a server and waits until it listens on the address. A
// process that ends instead is an error, with what it wrote.
func (t *tools) startProcess(ctx context.Context, address string, env []string, program string, args ...string) (stop func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	var said tail
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(append([]string{}, t.env...), env...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, fmt.Errorf("starting %s: %w", program, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stop = func() {
		cancel()
		<-ended
	}
	if err := listens(ctx, address, ended); err != nil {
		cancel()
		return nil, fmt.Errorf("waiting for %s on %s: %w\n%s", filepath.Base(program), address, err, said.text())
	}
	return stop, nil
}

// listens waits until somebody listens on the address and the process is alive.
func listens(ctx context.Context, address string, ended <-chan error) error {
	deadline := time.After(upFor)
	for {
		if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
			_ = c.Close()
			select {
			case err := <-ended: // it was somebody else who listens
				return errors.Join(errors.New("the process ended"), err)
			case <-time.After(every):
				return nil
			}
		}
		select {
		case err := <-ended:
			return errors.Join(errors.New("the process ended"), err)
		case <-deadline:
			return fmt.Errorf("nobody listened within %v", upFor)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}

// build builds a program of a package of this module's build list, once.
func (t *tools) build(ctx context.Context, pkg string) (string, error) {
	t.building.Lock()
	defer t.building.Unlock()
	if program := t.built[pkg]; program != "" {
		return program, nil
	}
	program := filepath.Join(t.scratch, fmt.Sprintf("%s-%d", path.Base(pkg), len(t.built)))
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", pkg, err, out)
	}
	t.built[pkg] = program
	return program, nil
}

// tail keeps the last bytes that a process wrote.
type tail struct {
	mu   sync.Mutex
	last bytes.Buffer
}

const tailBytes = 4 << 10

// Write keeps the end of what was written.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last.Write(b)
	if over := t.last.Len() - tailBytes; over > 0 {
		t.last.Next(over)
	}
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last.String()
}
