package house

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/mcpconform/mcpconform"

// may says which of our folders a folder may import. Data flows one way: left of
// the transcript what touches the world, right of it pure functions. A folder
// that is not named here fails the test, so that nobody adds one unnoticed.
var may = map[string][]string{
	"internal/rawjson":     {},
	"internal/frame":       {"internal/rawjson"},
	"internal/rawpath":     {"internal/rawjson"},
	"internal/mask":        {"internal/rawjson", "internal/rawpath"},
	"conform":              {"internal/rawjson", "internal/frame"},
	"contract":             {"conform", "internal/rawjson"},
	"internal/address":     {},
	"internal/wire":        {"internal/address", "internal/process", "conform", "internal/rawjson", "internal/frame"},
	"internal/wire/lean":   {"internal/wire", "conform", "internal/frame"},
	"internal/process":     {},
	"internal/proctree":    {},
	"internal/exposition":  {},
	"internal/launch":      {"internal/address", "internal/process"},
	"internal/pieces":      {"conform", "contract", "internal/rawjson", "internal/rawpath"},
	"fixtures/targets":     {},
	"fixtures/answers":     {},
	"fixtures/lawful":      {},
	"fixtures/calibration": {},
	"target":               {"internal/near", "internal/address", "internal/objective", "internal/rawpath", "internal/wire", "conform", "contract", "internal/rawjson", "fixtures/targets", "internal/credentials"},
	"internal/near":        {},
	"internal/filter":      {"internal/near"},
	"scenarios":            {"internal/near", "internal/filter", "target", "conform", "internal/rawjson"},
	"internal/generate":    {"scenarios", "conform"},
	"internal/credentials": {"internal/address", "internal/wire", "conform"},
	"internal/drive":       {"conform", "internal/rawjson"},
	"internal/measure":     {"conform", "internal/rawjson"},
	"internal/history":     {"conform"},
	// What a listing shows: the checks of scope and init judge by it alike.
	"internal/discover":         {"conform", "internal/rawjson"},
	"suites/multiitem":          {"internal/discover", "internal/history", "internal/pieces", "internal/rawpath", "contract", "conform", "internal/rawjson", "internal/frame"},
	"suites/protocol":           {"contract", "conform", "internal/rawjson", "internal/frame"},
	"suites":                    {"internal/near", "internal/filter", "suites/multiitem", "suites/protocol", "contract", "conform", "internal/rawjson"},
	"suites/platforms":          {"internal/discover", "contract", "conform", "internal/rawjson", "suites/agentplatform", "internal/yamlfile"},
	"internal/yamlfile":         {"internal/rawjson"},
	"suites/agentplatform":      {"internal/yamlfile", "conform", "internal/rawjson"},
	"internal/pattern":          {"suites/multiitem", "contract", "conform", "internal/rawjson"},
	"internal/pace":             {},
	"internal/load":             {"internal/wire", "internal/wire/lean", "internal/pattern", "suites", "suites/multiitem", "conform", "internal/rawjson"},
	"internal/objective":        {"internal/measure"},
	"internal/export":           {"internal/campaign", "internal/measure"},
	"internal/campaign":         {"internal/objective", "internal/proctree", "internal/load", "internal/pace", "internal/measure", "internal/wire", "internal/wire/lean", "conform", "internal/rawjson"},
	"suites/specs":              {"runner", "suites", "scenarios", "reports", "target", "conform", "fakebackend"},
	"reports":                   {"internal/history", "internal/objective", "internal/measure", "conform"},
	"reports/schema":            {},
	"runner":                    {"internal/filter", "internal/generate", "internal/discover", "internal/exposition", "internal/process", "internal/proctree", "internal/objective", "internal/campaign", "internal/load", "internal/wire/lean", "internal/mask", "internal/launch", "internal/pieces", "target", "scenarios", "internal/drive", "suites", "suites/multiitem", "internal/measure", "reports", "internal/wire", "contract", "conform", "internal/rawjson", "internal/frame", "internal/credentials", "suites/platforms"},
	"internal/alarm":            {},
	"fakebackend":               {"internal/alarm"},
	"internal/selftest":         {"internal/rawjson", "runner", "suites", "scenarios", "reports", "target", "fakebackend", "conform", "fixtures/answers", "fixtures/lawful"},
	"internal/tools/calibrate":  {"internal/launch", "runner", "suites", "target", "reports", "fakebackend", "fixtures/calibration", "conform"},
	"internal/house":            {},
	"internal/tools/faulttable": {"internal/selftest", "suites", "reports", "fakebackend", "conform"},
	// It compiles the packages that it mutates, and imports none of them.
	"internal/tools/freeze":          {"suites"},
	"internal/tools/mutate":          {"internal/tools/mutate/switches"},
	"internal/tools/mutate/switches": {},
	// It measures the hot path of load beside other tools, and so looks into it.
	"bench":             {"bench/bare", "bench/sdkloop", "internal/load", "internal/wire", "internal/wire/lean", "internal/measure", "runner", "reports", "target", "suites", "fakebackend", "conform"},
	"bench/bare":        {"internal/measure"},
	"bench/sdkloop":     {},
	"internal/schemas":  {"reports"},
	"internal/baseline": {"suites", "reports", "conform", "internal/rawjson", "internal/yamlfile"},
	"cmd/mcpconform":    {"internal/near", "internal/schemas", "internal/baseline", "internal/filter", "internal/generate", "internal/discover", "internal/export", "runner", "suites", "scenarios", "reports", "target", "fakebackend", "internal/selftest", "internal/wire", "conform", "internal/credentials", "suites/platforms", "suites/agentplatform"},
}

// only says which folders may know a foreign module. Tests may know any.
var only = map[string][]string{
	// bench/sdkloop is what our own client is compared with. Credentials are got with its
	// help, where it reads challenges and registers clients; no message of MCP is.
	"github.com/modelcontextprotocol/go-sdk": {"fakebackend", "bench/sdkloop", "internal/credentials"},
	"github.com/onsi/ginkgo/v2":              {"suites/specs"},
	"github.com/onsi/gomega":                 {"suites/specs"},
	"github.com/vbauerster/mpb/v8":           {"cmd/mcpconform"},
	"github.com/spf13/cobra":                 {"cmd/mcpconform"},
	"github.com/anishathalye/porcupine":      {"internal/history"},
}

type listed struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

func list(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var all []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
}

func TestImportsPointOneWay(t *testing.T) {
	for _, l := range list(t, "./...") {
		folder := strings.TrimPrefix(l.ImportPath, module+"/")
		allowed, known := may[folder]
		if !known {
			t.Errorf("%s is a new folder: say in this table what it may import", folder)
			continue
		}
		for _, imported := range l.Imports {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			if isOurs && !has(allowed, ours) {
				t.Errorf("%s imports %s, which the table does not allow", folder, ours)
			}
			for foreign, who := range only {
				if (imported == foreign || strings.HasPrefix(imported, foreign+"/")) && !has(who, folder) {
					t.Errorf("%s imports %s, which only %v may", folder, imported, who)
				}
			}
		}
	}
}

// The binary is for people who test servers, not Go code.
func TestBinaryLinksNoTestFramework(t *testing.T) {
	for _, l := range list(t, "./cmd/mcpconform") {
		for _, dep := range l.Deps {
			for _, unwanted := range []string{"github.com/onsi/", "testing"} {
				if dep == unwanted || strings.HasSuffix(unwanted, "/") && strings.HasPrefix(dep, unwanted) {
					t.Errorf("the binary links %s", dep)
				}
			}
		}
	}
}

func has(list []string, want string) bool {
	for _, s := range list {
		if s == want {
			return true
		}
	}
	return false
}
