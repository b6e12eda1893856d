package proctree

import (
	"errors"
	"fmt"
	"time"
)

// Usage is what the processes of a tree use together at one instant.
type Usage struct {
	// CPU is the processor time so far, of all threads. That of a child which has
	// ended is in it once its parent has waited for it.
	CPU time.Duration
	// Resident is the memory that is in use, in bytes. Pages that several processes
	// share count once for each.
	Resident  int64
	Threads   int
	Processes int
}

// ErrUnknown says that this system does not tell what other processes use.
var ErrUnknown = errors.New("what a process uses is known on Linux alone")

// ErrGone says that no process of the tree is left.
var ErrGone = errors.New("the processes have ended")

// Tree is some processes and all that they started. A process that it has once seen
// stays in it, also when its parent has ended. Not for use by several goroutines at
// once.
type Tree struct {
	members map[int]uint64 // when each was started, by id: an id may be used again
}

// Follow begins to follow processes. An error says which of them there is not.
func Follow(pids ...int) (*Tree, error) {
	t := &Tree{members: map[int]uint64{}}
	for _, pid := range pids {
		if err := t.Add(pid); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Add follows one more process.
func (t *Tree) Add(pid int) error {
	p, err := look(pid)
	if err != nil {
		return fmt.Errorf("process %d: %w", pid, err)
	}
	t.members[pid] = p.started
	return nil
}

// Usage looks for what the processes have started, and gives what all use. It looks
// at every process of the machine once.
func (t *Tree) Usage() (Usage, error) {
	if err := t.grow(); err != nil {
		return Usage{}, err
	}
	return t.Glance()
}

// Glance gives what the processes use that are known already: it reads one small file
// for each.
func (t *Tree) Glance() (Usage, error) {
	var all Usage
	for pid, started := range t.members {
		p, err := look(pid)
		if errors.Is(err, ErrUnknown) {
			return Usage{}, err
		}
		if err != nil || p.started != started {
			delete(t.members, pid)
			continue
		}
		all.CPU += p.cpu
		all.Resident += p.resident
		all.Threads += p.threads
		all.Processes++
	}
	if all.Processes == 0 {
		return Usage{}, ErrGone
	}
	return all, nil
}

// grow takes in what the members have started.
func (t *Tree) grow() error {
	all, err := everyone()
	if err != nil {
		return err
	}
	children := map[int][]process{}
	var queue []process
	for _, p := range all {
		children[p.parent] = append(children[p.parent], p)
		if started, known := t.members[p.pid]; known && started == p.started {
			queue = append(queue, p)
		}
	}
	for len(queue) > 0 {
		for _, p := range children[queue[0].pid] {
			if started, known := t.members[p.pid]; !known || started != p.started {
				t.members[p.pid] = p.started
				queue = append(queue, p)
			}
		}
		queue = queue[1:]
	}
	return nil
}

// process is what is told of one.
type process struct {
	pid, parent int
	started     uint64 // since the machine began, in the kernel's ticks
	cpu         time.Duration
	resident    int64
	threads     int
}
