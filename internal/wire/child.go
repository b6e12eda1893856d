package wire

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/process"
)

// child is a stdio server: one process, in a process group of its own, and its
// three pipes. One session speaks through it.
type child struct {
	command  *exec.Cmd
	stdin    *os.File
	stdout   *os.File
	stderr   *os.File
	recorder Recorder
	timeouts Timeouts
	bounds   Bounds

	session string // the harness's name
	queue   chan *line
	asks    chan *line
	book    book
	said    process.Said // on standard error
	hands   *hands
	half    int // bytes of a line on standard output that the process left without an end; read it after ended is closed

	ended chan struct{} // the process has ended, everything it wrote is recorded
	over  sync.WaitGroup
	how   ending

	mu      sync.Mutex
	running bool
	asked   string // how we asked it to end: "", "its input was closed", "SIGTERM", "SIGKILL"
}

// ending is how a child's process ended; read it after child.ended is closed.
type ending struct {
	code int
	text string // "exit status 3", "signal: killed"
}

// start starts a process. Nothing is read from it until run.
func start(c *Config) (*child, error) {
	k := &child{
		recorder: c.Recorder, timeouts: c.Timeouts, bounds: c.Bounds,
		hands: newHands(), queue: make(chan *line), asks: make(chan *line, c.Bounds.MaxAnswers), ended: make(chan struct{}),
	}
	k.book.limit = c.Bounds.MaxRemembered
	k.command = exec.Command(c.Command[0], c.Command[1:]...)
	k.command.Dir = c.Dir
	if len(c.Env) > 0 {
		k.command.Env = append(os.Environ(), c.Env...)
	}
	process.OwnGroup(k.command)
	// Pipes of our own: those of exec.Cmd are closed when the process ends, with
	// what is still in them.
	theirs, err := k.pipes()
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	if err == nil {
		err = k.command.Start()
	}
	if err != nil {
		k.closePipes()
		return nil, err
	}
	return k, nil
}

// pipes makes the three pipes, and gives the child's ends.
func (k *child) pipes() (theirs []*os.File, err error) {
	in, stdin, err := os.Pipe()
	if err != nil {
		return theirs, fmt.Errorf("making a pipe: %w", err)
	}
	k.command.Stdin, k.stdin, theirs = in, stdin, append(theirs, in)
	stdout, out, err := os.Pipe()
	if err != nil {
		return theirs, fmt.Errorf("making a pipe: %w", err)
	}
	k.command.Stdout, k.stdout, theirs = out, stdout, append(theirs, out)
	stderr, out2, err := os.Pipe()
	if err != nil {
		return theirs, fmt.Errorf("making a pipe: %w", err)
	}
	k.command.Stderr, k.stderr, theirs = out2, stderr, append(theirs, out2)
	return theirs, nil
}

func (k *child) closePipes() {
	for _, f := range []*os.File{k.stdin, k.stdout, k.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// run begins to read and write, for a session of that name.
func (k *child) run(session string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.running {
		return
	}
	k.running, k.session = true, session
	outDone, errDone := make(chan struct{}), make(chan struct{})
	k.over.Go(func() { defer close(outDone); k.readLines() })
	k.over.Go(func() { defer close(errDone); k.readStderr() })
	k.over.Go(k.writeLines)
	k.over.Go(k.answerAsked)
	k.over.Go(func() { k.reap(outDone, errDone) })
}

// drain bounds how long the pipes of an ended process are read on. Only a
// process that left the group can still hold them open.
const drain = 500 * time.Millisecond

// reap waits for the process, ends what it left behind in its group, and
// records its end as the last thing that came from it.
func (k *child) reap(outDone, errDone <-chan struct{}) {
	_ = k.command.Wait() // the state says all that its error does
	at := k.recorder.Now()
	process.EndGroup(k.command, true)
	for _, pipe := range []struct {
		done <-chan struct{}
		file *os.File
	}{{outDone, k.stdout}, {errDone, k.stderr}} {
		select {
		case <-pipe.done:
		case <-time.After(drain):
			pipe.file.Close()
			k.hands.release()
			<-pipe.done
		}
	}
	state := k.command.ProcessState
	k.how = ending{code: state.ExitCode(), text: state.String()}
	k.mu.Lock()
	asked := k.asked
	k.mu.Unlock()
	received := conform.Received{Channel: conform.ChannelExit, Exit: &k.how.code, Signal: signalIn(k.how.text)}
	switch asked {
	case "":
		received.End, received.Problem = conform.Cut, "the server process ended by itself ("+k.how.text+")"
		if text := k.said.String(); text != "" {
			received.Problem += "; on stderr: " + text
		}
	case askedEOF:
		received.End = conform.Complete
	default:
		received.End, received.Problem = conform.Stopped, "the server process did not end when its input was closed; ended by "+asked+" ("+k.how.text+")"
	}
	k.recorder.Record(conform.Observation{At: at, Kind: conform.KindReceived, Session: k.session, Received: &received})
	close(k.ended)
	k.closePipes()
}

const askedEOF = "end of input"

// signalIn reads a signal off the words for how a process ended; empty: it was none.
func signalIn(how string) string {
	signal, ok := strings.CutPrefix(how, "signal: ")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(signal, " (core dumped)")
}

// ask remembers how the process was asked to end.
func (k *child) ask(how string) {
	k.mu.Lock()
	k.asked = how
	k.mu.Unlock()
}

// impatient is how long each step of ending may take once the caller's context
// is over.
const impatient = 250 * time.Millisecond

// close ends the process as the specification has it: close its input, wait,
// SIGTERM, wait, SIGKILL, the signals to the whole group. Calls in flight end as
// the process does.
func (k *child) close(ctx context.Context) error {
	k.ask(askedEOF)
	k.stdin.Close()
	if k.waits(ctx) {
		return nil
	}
	k.ask("SIGTERM")
	process.EndGroup(k.command, false)
	if k.waits(ctx) {
		return nil
	}
	k.ask("SIGKILL")
	process.EndGroup(k.command, true)
	if k.waits(context.WithoutCancel(ctx)) {
		return nil
	}
	return errors.New("the server process did not end even when it was killed")
}

// waits tells whether the process ends within one step's time.
func (k *child) waits(ctx context.Context) bool {
	step := time.NewTimer(k.timeouts.Exit)
	defer step.Stop()
	hurry := ctx.Done()
	for {
		select {
		case <-k.ended:
			k.over.Wait()
			return true
		case <-step.C:
			return false
		case <-hurry:
			hurry = nil
			step.Reset(min(impatient, k.timeouts.Exit))
		}
	}
}

// died words the end of the process for a call that was in flight.
func (k *child) died(what string) string {
	text := "the server process ended (" + k.how.text + ") before " + what + " came"
	if said := k.said.String(); said != "" {
		text += "; on stderr: " + said
	}
	if k.half > 0 {
		text += fmt.Sprintf("; the last %d bytes that it wrote are a line without an end", k.half)
	}
	return text
}
