package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// inspector is the MCP Inspector, whose command line calls one tool in a loop. It looks
// at isError, and at nothing else of an answer.
const inspector = "MCP Inspector --load"

// inspectorPackage is what of the npm registry it is.
const inspectorPackage = "@modelcontextprotocol/inspector@2.12.0"

// theInspector installs it into a folder.
func (p *peers) theInspector(ctx context.Context) *peer {
	found := &peer{name: inspector, version: "npm " + inspectorPackage}
	npm, err := exec.LookPath("npm")
	if err != nil {
		found.missing = "npm is not installed"
		return found
	}
	install := exec.CommandContext(ctx, npm, "install", "--prefix", p.dir, "--no-audit", "--no-fund", "--ignore-scripts", inspectorPackage)
	if out, err := install.CombinedOutput(); err != nil {
		found.missing = fmt.Sprintf("it could not be installed: %v: %.300s", err, strings.TrimSpace(string(out)))
		return found
	}
	program := filepath.Join(p.dir, "node_modules", ".bin", "mcp-inspector")
	found.shoot = func(ctx context.Context, s shot) (figures, error) {
		m, err := execute(ctx, program, "--cli", s.url, "--transport", "http", "--method", "tools/call", "--tool-name", "query",
			"--tool-args-json", string(planned(items(s.batch)).Arguments), "--load", "--load-concurrency", strconv.Itoa(s.users),
			"--load-duration", strings.TrimSuffix(seconds(s.for_), "s"), "--format", "json", "--quiet")
		if err != nil {
			return figures{}, err
		}
		return summarised(m)
	}
	return found
}

// summarised reads what the Inspector prints. Its processor time has its start in it,
// which takes longer than a short loop: it is not told.
func summarised(m measured) (figures, error) {
	var told struct {
		Result struct {
			OK         float64
			ToolErrors float64
			Errors     float64
			Throughput float64
		}
	}
	if err := json.Unmarshal(m.out, &told); err != nil {
		return figures{}, fmt.Errorf("%w: %.300s", err, m.out)
	}
	r := told.Result
	if r.ToolErrors+r.Errors > 0 {
		return figures{}, fmt.Errorf("it had errors: %.300s", m.out)
	}
	if r.OK == 0 || r.Throughput == 0 {
		return figures{}, fmt.Errorf("it made no calls: %.300s", m.out)
	}
	return figures{Calls: r.OK, Rate: r.Throughput, CPU: math.NaN()}, nil
}
