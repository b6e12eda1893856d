package specs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/onsi/ginkgo/v2"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
	"github.com/mcpconform/mcpconform/suites/specs"
	"github.com/mcpconform/mcpconform/target"
)

// A suite of one's own. The file conformance_test.go beside a target file is all
// that is needed.
func ExampleRegister() {
	_ = func(t *testing.T) { // func TestConformance(t *testing.T) {
		file, err := target.Load("testdata/accounts.yaml", os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		if err := specs.Register(specs.Options{Target: file}); err != nil {
			t.Fatal(err)
		}
		ginkgo.RunSpecs(t, "accounts")
	}
}

// A server that the suite starts itself: where it is, is said when the first spec
// is about to run.
func ExampleOptions_server() {
	var start func(context.Context) (address string, stop func(), err error) // yours

	_ = func(t *testing.T) {
		file, err := target.Load("testdata/accounts.yaml", os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		err = specs.Register(specs.Options{
			Target: file,
			Server: func(ctx context.Context) (target.Server, error) {
				address, stop, err := start(ctx)
				if err != nil {
					return target.Server{}, err
				}
				ginkgo.DeferCleanup(stop)
				return target.ServerAt(address, nil)
			},
			Run: runner.Options{Strict: true, Skip: []string{"CON-*"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ginkgo.RunSpecs(t, "accounts")
	}
}

// Without Ginkgo: the run returns its report, and the report is data. What is
// wrong is a matter of the target here, so the example needs no server.
func Example_withoutGinkgo() {
	file, err := target.FromURL("http://127.0.0.1:1/mcp", nil) // nothing listens there
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := runner.Run(context.Background(), file, runner.Options{Seed: 7, Checks: []string{"RES-*"}})
	var wrong *runner.UsageError
	if errors.As(err, &wrong) {
		fmt.Println("the options are wrong:", wrong)
		return
	}
	for _, f := range report.Findings {
		if reports.ClassOf(f) == reports.ClassFail {
			fmt.Println(f.ID, f.Operation, reports.FindingText(f))
		}
	}
	fmt.Println(report.Verdict, report.Run.Ended, report.ExitCode())
	// Output: incomplete unreachable 4
}
