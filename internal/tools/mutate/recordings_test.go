package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/tools/mutate/switches"
)

const envActs = "MUTATE_ACTS"

// TestMain lets the test binary stand for the process that judges recordings.
func TestMain(m *testing.M) {
	if os.Getenv(envActs) == "" {
		os.Exit(m.Run())
	}
	fmt.Println("a line of somebody else")
	if os.Getenv(switches.EnvOn) == "7" {
		fmt.Println("=> 3 recordings, without RES-02: missed")
	} else {
		fmt.Println("=> 3 recordings, without ")
	}
	answers := map[string]string{"1": "same", "2": "unmet", "3": "RES-02 over http: missed"}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		answer, known := answers[in.Text()]
		if !known {
			os.Exit(switches.ExitSpent)
		}
		fmt.Println("=> " + answer)
	}
	os.Exit(0)
}

func TestWhatTheRecordingsSay(t *testing.T) {
	r := &recordings{usual: "3 recordings, without ", command: func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envActs+"=1")
		return cmd
	}}
	defer r.close()
	for _, c := range []struct {
		name string
		m    mutant
		how  string
		met  bool
	}{
		{"nothing comes out otherwise", mutant{id: 1}, "", true},
		{"no recording meets it", mutant{id: 2}, "", false},
		{"a fault is missed", mutant{id: 3}, "RES-02 over http: missed", true},
		{"it does not end", mutant{id: 4}, "does not come to an end", true},
		{"the next one is asked all the same", mutant{id: 1}, "", true},
		{"it acts at the start, and changes the table", mutant{id: 7, initial: true}, "RES-02: missed", true},
		{"it acts at the start, and changes nothing", mutant{id: 8, initial: true}, "", true},
	} {
		how, met, err := r.notices(c.m)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if (how == "") != (c.how == "") || !strings.Contains(how, c.how) || met != c.met {
			t.Errorf("%s: %q, met %t", c.name, how, met)
		}
	}
}

func TestAProcessThatSaysNothingIsAnError(t *testing.T) {
	r := &recordings{command: func() *exec.Cmd { return exec.Command("go", "version") }}
	if _, _, err := r.notices(mutant{id: 1}); err == nil || !strings.Contains(err.Error(), "before it said a word") {
		t.Errorf("%v", err)
	}
}

// The second witness stands behind a build tag, so that nothing else compiles it.
func TestTheSecondWitnessCompiles(t *testing.T) {
	cmd := exec.Command("go", "vet", "-tags", "mutate", "./internal/selftest")
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
