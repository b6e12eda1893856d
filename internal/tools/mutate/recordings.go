package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/internal/tools/mutate/switches"
)

// recordings are the second witness: what a selftest plays, written down once,
// and judged again with each mutant that the tests let pass.
type recordings struct {
	command func() *exec.Cmd // judges again; numbers on stdin, a line each on stdout
	env     []string
	usual   string // what it says first when no mutant is on

	running *judging
}

// judging is a process that judges again.
type judging struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	first string
}

const envRecordings = "MUTANT_RECORDINGS"

// record compiles the selftest with the mutants and writes down what it plays;
// what already stands in dir is used again.
func record(ctx context.Context, w *workshop, dir string) (*recordings, error) {
	binary, err := w.compile(w.in.path+"/internal/selftest", "-tags", "mutate")
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("finding the folder of the recordings: %w", err)
	}
	run := func(ctx context.Context, test string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, binary, "-test.timeout=0", "-test.run", "^"+test+"$")
		cmd.Dir = filepath.Join(w.in.dir, "internal", "selftest")
		cmd.Env = append(os.Environ(), envRecordings+"="+dir)
		return cmd
	}
	if _, err := os.Stat(filepath.Join(dir, "list.json")); err != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("making a folder for the recordings: %w", err)
		}
		if out, err := run(ctx, "TestRecordEverything").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("recording what a selftest plays: %w\n%s", err, out)
		}
	}
	r := &recordings{
		command: func() *exec.Cmd { return run(context.Background(), "TestJudgeAgain") },
		// All recordings are held in memory and never let go: collecting it often is
		// time lost.
		env: []string{switches.EnvBudget + "=" + strconv.Itoa(budget), "GOGC=400"},
	}
	if r.running, err = r.start(nil); err != nil {
		return nil, err
	}
	r.usual = r.running.first
	return r, nil
}

// patience is how long judging everything again may take with a mutant on.
const patience = 5 * time.Minute

// start starts a process and waits until it has judged everything once.
func (r *recordings) start(env []string) (*judging, error) {
	cmd := r.command()
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(append(cmd.Env, r.env...), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("judging the recordings: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("judging the recordings: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("judging the recordings: %w", err)
	}
	j := &judging{cmd: cmd, in: in, lines: make(chan string)}
	go func() {
		defer close(j.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if said, ours := strings.CutPrefix(lines.Text(), "=> "); ours {
				j.lines <- said
			}
		}
	}()
	first, alive := j.next()
	if !alive {
		j.end()
		if len(env) == 0 {
			return nil, errors.New("the recordings cannot be judged: the process ended before it said a word")
		}
		first = "it does not come to an end"
	}
	j.first = first
	return j, nil
}

func (j *judging) next() (string, bool) {
	select {
	case said, open := <-j.lines:
		return said, open
	case <-time.After(patience):
		return "", false
	}
}

func (j *judging) end() {
	_ = j.in.Close()
	_ = j.cmd.Process.Kill() // it may have ended
	for range j.lines {      // until it has let go of its output
	}
	_ = j.cmd.Wait()
}

// close ends the process.
func (r *recordings) close() {
	if r.running != nil {
		r.running.end()
		r.running = nil
	}
}

// notices tells whether a selftest's table comes out otherwise with the mutant,
// and how; and whether any recording meets the mutant.
func (r *recordings) notices(m mutant) (how string, met bool, err error) {
	if m.initial {
		j, err := r.start([]string{switches.EnvOn + "=" + strconv.Itoa(m.id)})
		if err != nil {
			return "", false, err
		}
		j.end()
		if j.first != r.usual {
			return j.first, true, nil
		}
		return "", true, nil
	}
	if r.running == nil {
		if r.running, err = r.start(nil); err != nil {
			return "", false, err
		}
	}
	said, alive := "", true
	if _, err := fmt.Fprintln(r.running.in, m.id); err == nil {
		said, alive = r.running.next()
	} else {
		alive = false
	}
	switch {
	case !alive:
		r.close()
		return "it does not come to an end", true, nil
	case said == "unmet":
		return "", false, nil
	case said == "same":
		return "", true, nil
	}
	return said, true, nil
}
