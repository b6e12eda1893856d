package selftest

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// TestMain lets the test binary stand for the program where a selftest starts
// itself as a server on stdio.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "fakebackend" || os.Args[1] == "selftest") {
		if err := serve(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve understands what server.command writes.
func serve(args []string) error {
	if args[0] == "selftest" {
		return ServeOddity(context.Background(), args[2], os.Stdin, os.Stdout)
	}
	var o fakebackend.Options
	for i := 2; i < len(args); i++ {
		value := func() string { i++; return args[i] }
		switch args[i] {
		case "--shape":
			o.Shape = fakebackend.Shape(value())
		case "--unit":
			o.Downstream = fakebackend.Unit
		case "--fan-out":
			if _, err := fmt.Sscan(value(), &o.FanOut); err != nil {
				return err
			}
		case "--revisions":
			o.Revisions = append(o.Revisions, value())
		case "--fault":
			f, err := fakebackend.ParseFault(value())
			if err != nil {
				return err
			}
			o.Faults = append(o.Faults, f)
		default:
			return fmt.Errorf("%q is not understood", args[i])
		}
	}
	backend, err := fakebackend.New(o)
	if err != nil {
		return err
	}
	return backend.ServeStdio(context.Background(), os.Stdin, os.Stdout)
}

func self() []string { return []string{os.Args[0]} }

// TestOddServersAreAccusedOfNothing plays every odd server.
func TestOddServersAreAccusedOfNothing(t *testing.T) {
	scenarios, err := plays()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range oddServers() {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			l, err := innocent(t.Context(), n, Options{Self: self()}, scenarios)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range l.Alarms {
				t.Errorf("accused of %s on %s in %s: %s", a.ID, a.Operation, a.Scenario, a.Got)
			}
			if l.Trouble != "" {
				t.Error(l.Trouble)
			}
		})
	}
}

func TestOddAnswersAreAccusedOfNothing(t *testing.T) {
	answers, err := oddAnswers()
	if err != nil {
		t.Fatal(err)
	}
	if servers := oddServers(); len(answers)+len(servers) < 40 || len(answers) < 40 {
		t.Errorf("%d answers and %d servers: too few", len(answers), len(servers))
	}
	names := map[string]bool{}
	for _, l := range answers {
		if names[l.Name] {
			t.Errorf("%s is there twice", l.Name)
		}
		names[l.Name] = true
		for _, a := range l.Alarms {
			t.Errorf("%s is accused of %s: %s", l.Name, a.ID, a.Got)
		}
	}
}
