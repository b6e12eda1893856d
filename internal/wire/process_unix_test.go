//go:build unix

package wire_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func TestGrandchildrenEndToo(t *testing.T) {
	client, s, tape := dial(t, started("grandchild"))
	s.Do(t.Context(), call("c1"))
	var pid int
	tape.await(t, "the grandchild's pid", func(list []conform.Observation) bool {
		for _, o := range list {
			if o.Received != nil && o.Received.Channel == conform.ChannelStderr {
				if text, ok := strings.CutPrefix(string(o.Received.Body), "grandchild "); ok {
					pid, _ = strconv.Atoi(strings.TrimSpace(text))
				}
			}
		}
		return pid > 0
	})
	if err := client.Close(context.Background()); err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		if !running(pid) {
			return
		}
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("grandchild %d outlived Close", pid)
		}
	}
}

// running tells whether a process lives: a zombie that nobody reaps does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}
