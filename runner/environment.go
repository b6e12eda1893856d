package runner

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// environment describes the machine. What the system does not tell is left
// empty or 0, never guessed.
func environment() conform.Environment {
	return conform.Environment{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version(),
		CPU: procField("/proc/cpuinfo", "model name"), Memory: memory(),
	}
}

func memory() int64 {
	kilobytes, _, _ := strings.Cut(procField("/proc/meminfo", "MemTotal"), " ")
	n, err := strconv.ParseInt(kilobytes, 10, 64)
	if err != nil {
		return 0
	}
	return n * 1024
}

// procField reads one field of a Linux proc file; empty elsewhere.
func procField(path, name string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, value, found := strings.Cut(lines.Text(), ":")
		if found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
