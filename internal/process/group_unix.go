//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts a command into a process group of its own, so that what it
// starts can be ended with it, and a terminal's interrupt does not reach it.
func OwnGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// EndGroup signals the group: SIGKILL when forced, else SIGTERM. That nobody is
// left in it is no error.
func EndGroup(c *exec.Cmd, force bool) {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-c.Process.Pid, signal)
}
