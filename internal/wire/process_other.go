//go:build !unix

package wire

import "os/exec"

// ownGroup does nothing: there are no process groups to signal here.
func ownGroup(*exec.Cmd) {}

// endGroup ends the process itself. There is no gentle signal here, so closing
// its input was the only gentle way; what it started is not reached.
func endGroup(c *exec.Cmd, force bool) {
	if force {
		_ = c.Process.Kill()
	}
}
