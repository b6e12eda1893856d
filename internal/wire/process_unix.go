//go:build unix

package wire

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a process group of its own, so that what it
// starts can be ended with it, and a terminal's interrupt does not reach it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup signals the group: SIGKILL when forced, else SIGTERM. That nobody is
// left in it is no error.
func endGroup(c *exec.Cmd, force bool) {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-c.Process.Pid, signal)
}
