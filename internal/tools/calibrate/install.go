package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/mcpconform/mcpconform/fixtures/calibration"
)

// tools are what the comparison runs with.
type tools struct {
	node       string // a Node that the suite runs on
	suite      string // the suite's program
	everything string // the program of server-everything
	env        []string
	scratch    string // a folder for everything that is written

	building sync.Mutex
	built    map[string]string // program, by package
}

// missing is why the comparison cannot be made on this machine.
type missing struct{ what error }

func (m *missing) Error() string { return "the comparison needs " + m.what.Error() }
func (m *missing) Unwrap() error { return m.what }

// leastNode is the first Node that the suite runs on; it says so nowhere.
const leastNode = 22

// install installs what package-lock.json says into folder, unless the very same
// is there. scratch is an empty folder of the caller's.
func install(ctx context.Context, folder, scratch string) (*tools, error) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return nil, &missing{fmt.Errorf("npm, to install the official suite: %w", err)}
	}
	digest := fmt.Sprintf("%x\n", sha256.Sum256(append(bytes.Clone(calibration.Package), calibration.Lock...)))
	done := filepath.Join(folder, "installed")
	if was, err := os.ReadFile(done); err != nil || string(was) != digest {
		if err := fetch(ctx, npm, folder); err != nil {
			return nil, err
		}
		if err := os.WriteFile(done, []byte(digest), 0o644); err != nil {
			return nil, fmt.Errorf("noting what was installed: %w", err)
		}
	}
	modules := filepath.Join(folder, "node_modules")
	t := &tools{
		suite:      filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
		everything: filepath.Join(modules, "@modelcontextprotocol", "server-everything", "dist", "index.js"),
		env:        quiet(os.Environ()),
		scratch:    scratch,
		built:      map[string]string{},
	}
	for _, program := range []string{t.suite, t.everything} {
		if _, err := os.Stat(program); err != nil {
			return nil, fmt.Errorf("after the installation: %w", err)
		}
	}
	t.node, err = findNode(ctx, modules)
	return t, err
}

// fetch lets npm install into the folder. No script of a package is run.
func fetch(ctx context.Context, npm, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("making the folder to install into: %w", err)
	}
	for name, text := range map[string][]byte{"package.json": calibration.Package, "package-lock.json": calibration.Lock} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	err = fmt.Errorf("installing the official suite with npm: %w\n%s", err, bytes.TrimSpace(out))
	if offline.Match(out) {
		return &missing{err}
	}
	return err
}

// offline matches what npm says where it reaches no registry.
var offline = regexp.MustCompile(`\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b`)

// findNode gives the installed Node, else that of the machine if it is new enough.
func findNode(ctx context.Context, modules string) (string, error) {
	machine := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	tried := []string{filepath.Join(modules, "node-"+runtime.GOOS+"-"+machine, "bin", "node")}
	if own, err := exec.LookPath("node"); err == nil {
		tried = append(tried, own)
	}
	var errs []error
	for _, node := range tried {
		out, err := exec.CommandContext(ctx, node, "--version").Output()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", node, err))
			continue
		}
		major, err := majorOf(string(out))
		if err == nil && major >= leastNode {
			return node, nil
		}
		errs = append(errs, fmt.Errorf("%s is Node %s", node, strings.TrimSpace(string(out))))
	}
	return "", &missing{fmt.Errorf("a Node of version %d or newer: %w", leastNode, errors.Join(errs...))}
}

func majorOf(version string) (int, error) {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(version), "v"), ".")
	return strconv.Atoi(first)
}

// quiet leaves out of the environment what would send traffic to this machine's own
// ports through a proxy, or change how Node runs.
func quiet(environment []string) []string {
	var kept []string
	for _, pair := range environment {
		switch name, _, _ := strings.Cut(pair, "="); strings.ToUpper(name) {
		case "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NODE_OPTIONS", "NODE_USE_ENV_PROXY":
		default:
			kept = append(kept, pair)
		}
	}
	return kept
}
