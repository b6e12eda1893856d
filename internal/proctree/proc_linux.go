package proctree

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of the times in /proc/PID/stat: USER_HZ is 100 wherever Go runs.
const tick = 10 * time.Millisecond

var errNone = errors.New("there is none with this id")

// look reads what is told of one process.
func look(pid int) (process, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, errNone
	}
	p, ok := parse(text)
	if !ok || p.pid != pid {
		return process{}, errNone
	}
	if own, ok := precise(pid); ok {
		p.cpu += own - p.own
	}
	return p.process, nil
}

// everyone reads what is told of every process of the machine that we may see.
func everyone() ([]process, error) {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil, ErrUnknown
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, ErrUnknown
	}
	var all []process
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		text, err := os.ReadFile("/proc/" + name + "/stat")
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has ended meanwhile
		}
		if p, ok := parse(text); err == nil && ok {
			all = append(all, p.process)
		}
	}
	return all, nil
}

// told is what a stat file says.
type told struct {
	process
	own time.Duration // of cpu, what its ended children did not use
}

// Places in /proc/PID/stat (proc_pid_stat(5)), counted from behind the name, which
// may hold anything.
const (
	atParent   = 1
	atUser     = 11
	atChildren = 13 // user, and system behind it: of children that were waited for
	atThreads  = 17
	atStarted  = 19
	atResident = 21 // in pages
)

// parse reads a stat file. The dead that nobody has waited for yet still tell what
// they used.
func parse(text []byte) (told, bool) {
	open, shut := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return told{}, false
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(text[:open])))
	fields := bytes.Fields(text[shut+1:])
	if err != nil || len(fields) <= atResident {
		return told{}, false
	}
	number := func(at int) int64 {
		n, wrong := strconv.ParseInt(string(fields[at]), 10, 64)
		if wrong != nil {
			err = wrong
		}
		return n
	}
	own := time.Duration(number(atUser)+number(atUser+1)) * tick
	children := time.Duration(number(atChildren)+number(atChildren+1)) * tick
	p := told{own: own, process: process{
		pid: pid, parent: int(number(atParent)), started: uint64(number(atStarted)), cpu: own + children,
		resident: number(atResident) * int64(os.Getpagesize()), threads: int(number(atThreads)),
	}}
	return p, err == nil
}

// precise gives a process's own processor time to the nanosecond, where the system
// tells it: the clock of another process, as clock_getcpuclockid(3) makes its id.
func precise(pid int) (time.Duration, bool) {
	const ofProcess = 2 // CPUCLOCK_SCHED, of all threads
	var at unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|ofProcess), &at) != nil {
		return 0, false
	}
	return time.Duration(at.Nano()), true
}
