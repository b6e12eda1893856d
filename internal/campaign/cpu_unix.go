//go:build unix

package campaign

import (
	"syscall"
	"time"
)

// processorTime is what this process has used, in all its threads.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
