package specs_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/target"
)

// counted serves a good backend and counts how often its tools are listed.
func counted(t *testing.T) (address string, lists *atomic.Int64) {
	t.Helper()
	backend, err := fakebackend.New(fakebackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lists = new(atomic.Int64)
	handler := backend.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client went away
		}
		if strings.Contains(string(body), `"tools/list"`) {
			lists.Add(1)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, lists
}

// However many processes Ginkgo starts, a server is run once: another run would
// use up its items a second time.
func TestManyProcessesRunAServerOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the ginkgo command")
	}
	once(t)
	address, lists := counted(t)
	file, err := target.FromURL(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runner.Run(t.Context(), file, runner.Options{Seed: 7}); err != nil {
		t.Fatal(err)
	}
	alone := lists.Swap(0)
	out, failed := goCommand(t, ".", []string{"MCPCONFORM_URL=" + address, "MCPCONFORM_SEED=7"},
		"run", "github.com/onsi/ginkgo/v2/ginkgo", "--procs=3", "--no-color", "--label-filter=must", ".")
	if !failed {
		t.Errorf("green, although no target file names an operation:\n%s", out)
	}
	for _, want := range []string{`Running in parallel across 3 processes`, `\[FAIL\] mcpconform 127\.0\.0\.1:\d+ \[It\] verdict`, ` 1 Failed`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%q does not match the output:\n%s", want, out)
		}
	}
	if got := lists.Load(); alone == 0 || got != alone {
		t.Errorf("the tools were listed %d times, in one run they are %d times", got, alone)
	}
}

// A filter that leaves the verdict out must not make rules green that nobody verified.
func TestAFilterDoesNotHideWhatWasNotRun(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test")
	}
	once(t)
	address, _ := counted(t)
	out, failed := goCommand(t, ".", []string{"MCPCONFORM_URL=" + address},
		"test", "-count=1", "-short", "-run=TestConformance", ".", "-ginkgo.label-filter=RES-02", "-ginkgo.no-color")
	if !failed || !strings.Contains(out, "could not be verified: not run: no target file names the server's multi-item operations") {
		t.Errorf("failed: %v\n%s", failed, out)
	}
}
