package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// openTerminal gives a terminal to write to, of 80 columns and 24 lines, that nobody
// looks at; close ends it. It is no session of its own, as one under script(1) would be:
// Linux gives a session's processes a share of the processors of their own, and that is
// not what showing something costs.
func openTerminal() (terminal *os.File, end func(), err error) {
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	if err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err == nil {
		var number int
		if number, err = unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN); err == nil {
			terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
		}
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	if err != nil {
		screen.Close()
		return nil, nil, fmt.Errorf("opening a terminal: %w", err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(io.Discard, screen) // ends with an error once the terminal is closed
	}()
	return terminal, func() {
		terminal.Close()
		<-read
		screen.Close()
	}, nil
}
