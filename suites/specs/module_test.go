package specs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
)

// once skips a test of ours where the ginkgo command has started the test binary
// several times over: its processes share the specs, and would each run this.
func once(t *testing.T) {
	t.Helper()
	if suite, _ := ginkgo.GinkgoConfiguration(); suite.ParallelTotal > 1 {
		t.Skip("go test runs it; the processes of ginkgo -p share the specs")
	}
}

// otherModule writes a module of somebody else's that tests its server with
// these specs, and gives its folder.
func otherModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// Its requirements are ours, so that the same versions are tested.
	ours := read("go.mod")
	_, requirements, _ := strings.Cut(ours, "\nrequire (")
	version := regexp.MustCompile(`(?m)^go (.*)$`).FindString(ours)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": fmt.Sprintf("module vendor.example/accounts\n\n%s\n\nrequire github.com/mcpconform/mcpconform v0.0.0\n\nreplace github.com/mcpconform/mcpconform => %q\n\nrequire (%s",
			version, root, requirements),
		"go.sum":              read("go.sum"),
		"target.yaml":         read("fixtures/targets/fakebackend.yaml"),
		"conformance_test.go": read("suites/specs/testdata/conformance_test.go.txt"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// goCommand runs the go command in a folder, cut off from what this test itself
// was told. It may fetch modules: what only another module's tests need (Gomega
// and its own requirements) is not there on a fresh machine.
func goCommand(t *testing.T, dir string, more []string, args ...string) (output string, failed bool) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "MCPCONFORM_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod", "GOWORK=off", "GINKGO_NO_COLOR=1")
	cmd.Env = append(cmd.Env, more...)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return string(out), err != nil
}

func TestFromAnotherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a module of its own")
	}
	once(t)
	dir := otherModule(t)

	t.Run("a good server passes", func(t *testing.T) {
		out, failed := goCommand(t, dir, nil, "test", "-v", "./...")
		if failed {
			t.Fatalf("the good server fails:\n%s", out)
		}
		for _, want := range []string{"--- PASS: TestConformance", "--- PASS: TestReport", "conformant:"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in the output:\n%s", want, out)
			}
		}
	})

	t.Run("a server that drops rows fails, and the rule is named", func(t *testing.T) {
		out, failed := goCommand(t, dir, []string{"FAULT=RES-02"}, "test", "./...")
		if !failed {
			t.Fatalf("the faulty server passes:\n%s", out)
		}
		for _, want := range []string{
			`\[FAIL\] mcpconform fakebackend \[It\] verdict`,
			`\[FAIL\] mcpconform fakebackend query-orders \[It\] RES-02`,
			`scenarios/builtin/[a-z-]+\.yaml:\d+`,
			`nonconformant`,
			`--- FAIL: TestReport`,
			`RES-02 on query-orders`,
			`wanted `, `got `, `harm `, `mend `, `reproduce +mcpconform run --target target.yaml --url http://127\.0\.0\.1:\d+/mcp .*--checks RES-02 --seed 7`,
		} {
			if !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("%q does not match the output:\n%s", want, out)
			}
		}
		if strings.Contains(out, "panic") {
			t.Errorf("something panicked:\n%s", out)
		}
	})
}
