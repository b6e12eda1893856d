package pace

import (
	"syscall"
	"time"
)

// nap sleeps in the system, not in the runtime. It may end early, by a signal.
func nap(d time.Duration) {
	wait := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&wait, nil) // who sleeps looks at the clock again
}

// setTimerSlack is PR_SET_TIMERSLACK of prctl(2): how much later than asked for the
// kernel may wake a thread, by default 50 µs. 0 is the default again.
const setTimerSlack = 29

// sharpen asks for the least slack for this thread; a kernel that refuses is slower
// to wake, and nothing else.
func sharpen() (restore func()) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
	return func() { _, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 0, 0) }
}
