package main

import (
	"context"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"time"

	"github.com/mcpconform/mcpconform/internal/launch"
)

// upFor is how long a server may take until it listens.
const upFor = 30 * time.Second

// startProcess starts a server and waits until it listens on the address.
func (t *tools) startProcess(ctx context.Context, address string, env []string, program string, args ...string) (stop func(), err error) {
	server, err := launch.Start(ctx, launch.Spec{
		Command: append([]string{program}, args...), Base: t.env, Env: env, URL: "http://" + address, Port: true, Timeout: upFor,
	})
	if err != nil {
		return nil, fmt.Errorf("starting %s on %s: %w", filepath.Base(program), address, err)
	}
	return server.Stop, nil
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
