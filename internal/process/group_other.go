//go:build !unix

package process

import "os/exec"

// OwnGroup does nothing: there are no process groups to signal here.
func OwnGroup(*exec.Cmd) {}

// EndGroup ends the process itself. There is no gentle signal here, so closing
// its input was the only gentle way; what it started is not reached.
func EndGroup(c *exec.Cmd, force bool) {
	if force {
		_ = c.Process.Kill()
	}
}
