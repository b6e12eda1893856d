package selftest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
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
	// For the children: else each takes a second to end, with the race detector.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
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
		if rows, paged := strings.CutPrefix(args[i], "--pages="); paged {
			if _, err := fmt.Sscan(rows, &o.PageRows); err != nil {
				return err
			}
			continue
		}
		switch args[i] {
		case "--shape":
			o.Shape = fakebackend.Shape(value())
		case "--unit":
			o.Downstream = fakebackend.Unit
		case "--confirm=1", "--confirm=2":
			o.ConfirmRounds = int(args[i][len(args[i])-1] - '0')
		case "--slow-writes":
			d, err := time.ParseDuration(value())
			if err != nil {
				return err
			}
			o.SlowWrites = d
		case "--slow-every":
			if _, err := fmt.Sscan(value(), &o.SlowEvery); err != nil {
				return err
			}
		case "--undo":
			o.Undo = true
		case "--stock":
			o.Stock = true
		case "--dry-run":
			o.DryRuns = true
		case "--idle-undo":
			o.IdleUndo = true
		case "--no-reset":
			o.NoReset = true
		case "--tasks":
			o.Tasks = fakebackend.TaskRequired
		case "--jobs":
			o.Jobs = true
		case "--takes":
			takes, err := time.ParseDuration(value())
			if err != nil {
				return err
			}
			o.Takes = takes
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

// TestOddServersAreOdd plays one batch on every odd server and on the good one:
// an oddity that leaves no mark on the wire would prove nothing. That none is
// accused is a part of the whole selftest.
func TestOddServersAreOdd(t *testing.T) {
	for _, n := range oddServers() {
		t.Run(n.name, func(t *testing.T) {
			t.Parallel()
			if n.server.options.PerCallDelay > 0 {
				t.Skip("what is odd about it is its time")
			}
			good := n.server
			good.oddity, good.front = "", nil
			once := heard(t, good)
			if !bytes.Equal(once, heard(t, good)) {
				t.Fatal("the good server does not say the same twice: nothing can be compared")
			}
			if bytes.Equal(once, heard(t, n.server)) {
				t.Error("it says what the good server says, to the byte")
			}
		})
	}
}

// heard gives all that a server said in one short run.
func heard(t *testing.T, s server) []byte {
	t.Helper()
	r, err := record(t.Context(), s, self(), []string{"partial/bad-first"})
	if err != nil {
		t.Fatal(err)
	}
	_, observations, err := conform.ReadTranscript(bytes.NewReader(r.transcript))
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	for _, o := range observations {
		if in := o.Received; in != nil && in.Channel != conform.ChannelStderr {
			fmt.Fprintf(&said, "%s %d %s %s\n", o.Call, in.Status, conform.Field(in.Header, "Content-Type"), in.Body)
		}
	}
	if said.Len() == 0 {
		t.Fatal("nothing was heard")
	}
	return drawnCursor.ReplaceAll(said.Bytes(), []byte("CURSOR"))
}

// drawnCursor is a cursor of the fake backend's, which it draws anew each time.
var drawnCursor = regexp.MustCompile(`\b[A-Z2-7]{26}\b`)

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
