package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/mcpconform/mcpconform/runner"
)

// serverFlags say how the server itself is looked at, beside its answers.
type serverFlags struct {
	pid int
}

func (f *serverFlags) declare(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.pid, "server-pid", 0, "the server's process, whose processor time, memory and threads are told (default: the server that load starts itself)")
}

func (f *serverFlags) into(o *runner.LoadOptions) error {
	switch {
	case f.pid < 0:
		return usage(fmt.Errorf("--server-pid %d is no process", f.pid), "`pgrep -f NAME` finds the id of a server")
	case f.pid == os.Getpid():
		return usage(fmt.Errorf("--server-pid %d is mcpconform itself", f.pid), "")
	}
	o.ServerPID = f.pid
	return nil
}
