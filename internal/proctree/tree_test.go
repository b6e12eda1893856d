//go:build linux

package proctree

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What the test starts is itself, by this variable in another part.
const part = "PROCTREE_PART"

func TestMain(m *testing.M) {
	switch os.Getenv(part) {
	case "parent":
		parent()
	case "worker":
		worker()
	default:
		os.Exit(m.Run())
	}
}

const (
	work   = 60 * time.Millisecond // of processor time
	memory = 48 << 20
)

// parent starts a worker, hands on what it is told and what that says, and waits for
// it.
func parent() {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), part+"=worker")
	c.Stdin, c.Stdout = os.Stdin, os.Stdout
	if err := c.Run(); err != nil {
		fmt.Println(err)
	}
	fmt.Println("waited")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// worker takes memory and works, for as much processor time as it is asked for, and
// ends when it is told so.
func worker() {
	held := make([]byte, memory)
	for i := range held {
		held[i] = byte(i)
	}
	fmt.Println("ready")
	// Line by line, byte by byte: what follows is the parent's to read.
	for b := [1]byte{}; ; {
		if _, err := os.Stdin.Read(b[:]); err != nil || b[0] == 'e' {
			break
		}
		from := used()
		for n := 0; used()-from < work; n++ {
			held[n%memory]++
		}
		fmt.Println("worked")
	}
	fmt.Println("ending", len(held))
}

func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// family is a parent with its worker.
type family struct {
	t     *testing.T
	pid   int
	in    io.WriteCloser
	lines *bufio.Scanner
}

func start(t *testing.T) *family {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), part+"=parent")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	f := &family{t: t, pid: c.Process.Pid, in: in, lines: bufio.NewScanner(out)}
	t.Cleanup(func() {
		_ = in.Close()
		_ = c.Wait()
	})
	f.says("ready")
	return f
}

func (f *family) tell(word string) {
	f.t.Helper()
	if _, err := io.WriteString(f.in, word); err != nil {
		f.t.Fatal(err)
	}
}

func (f *family) says(word string) {
	f.t.Helper()
	if !f.lines.Scan() || !strings.HasPrefix(f.lines.Text(), word) {
		f.t.Fatalf("%q, want %q", f.lines.Text(), word)
	}
}

func of(t *testing.T, what func() (Usage, error)) Usage {
	t.Helper()
	u, err := what()
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A tree is a process and what it started; what an ended child used is not lost.
func TestATreeIsAProcessAndWhatItStarted(t *testing.T) {
	f := start(t)
	tree, err := Follow(f.pid)
	if err != nil {
		t.Fatal(err)
	}
	if alone := of(t, tree.Glance); alone.Processes != 1 || alone.Resident >= memory {
		t.Errorf("before it was looked for its children: %+v", alone)
	}
	before := of(t, tree.Usage)
	if before.Processes != 2 || before.Resident < memory || before.Threads < 2 || before.CPU <= 0 {
		t.Errorf("parent and worker: %+v", before)
	}
	f.tell("w")
	f.says("worked")
	after := of(t, tree.Glance)
	if after.CPU-before.CPU < work {
		t.Errorf("the worker used %s, and %s are told", work, after.CPU-before.CPU)
	}
	f.tell("e")
	f.says("ending")
	f.says("waited")
	ended := of(t, tree.Usage)
	// What ended children used is told in ticks, user and system apart.
	if ended.Processes != 1 || ended.CPU < after.CPU-2*tick || ended.Resident >= memory {
		t.Errorf("after the worker ended: %+v; before %+v", ended, after)
	}
}

// Processes of which nothing is left, and ids that nobody has, are told as such.
func TestProcessesThatAreNotThere(t *testing.T) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), part+"=parent") // with an empty input it ends by itself
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	tree, err := Follow(c.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	_ = c.Wait()
	if u, err := tree.Glance(); !errors.Is(err, ErrGone) {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := Follow(c.Process.Pid); err == nil || !strings.Contains(err.Error(), "there is none with this id") {
		t.Error(err)
	}
}

func TestStatFilesAreRead(t *testing.T) {
	const rest = " S 7 42 42 0 -1 4194304 99 0 0 0 3 4 5 6 20 0 9 0 1438751 3133440 363 18446744073709551615"
	for name, c := range map[string]struct {
		text string
		want told
		ok   bool
	}{
		"plain": {"42 (node)" + rest, told{own: 7 * tick, process: process{pid: 42, parent: 7, started: 1438751, cpu: 18 * tick,
			resident: 363 * int64(os.Getpagesize()), threads: 9}}, true},
		"a name with a parenthesis": {"42 (a) S 1 (b)" + rest, told{own: 7 * tick, process: process{pid: 42, parent: 7, started: 1438751, cpu: 18 * tick,
			resident: 363 * int64(os.Getpagesize()), threads: 9}}, true},
		"empty":        {"", told{}, false},
		"no name":      {"42 S 7", told{}, false},
		"cut short":    {"42 (node) S 7 42", told{}, false},
		"no numbers":   {strings.ReplaceAll("42 (node)"+rest, " 4 5 ", " 4 x "), told{}, false},
		"reversed":     {"42 )node(" + rest, told{}, false},
		"no id":        {"x (node)" + rest, told{}, false},
		"numbers only": {"1 2 3", told{}, false},
	} {
		got, ok := parse([]byte(c.text))
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %+v, %t", name, got, ok)
		}
	}
}
