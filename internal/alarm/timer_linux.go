package alarm

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// newTimer gives a timer that is a file: the runtime is woken by the file, not by
// the end of a wait that it rounds up to milliseconds.
func newTimer() timer {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return newPlainTimer()
	}
	return &fileTimer{fd: fd, file: os.NewFile(uintptr(fd), "timer")}
}

type fileTimer struct {
	fd   int
	file *os.File
}

func (t *fileTimer) set(d time.Duration) {
	// 0 would switch it off.
	at := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(max(d, 1)))}
	_ = unix.TimerfdSettime(t.fd, 0, &at, nil) // it cannot fail for a time that is not negative
}

func (t *fileTimer) wait() {
	var rings [8]byte
	_, _ = t.file.Read(rings[:]) // who waits looks at the clock again
}
