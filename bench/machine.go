package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// machine says in a few words what this was measured on.
func machine() string {
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease") // elsewhere there is none
	return fmt.Sprintf("%d cores of %s, %s/%s, kernel %s, %s", runtime.NumCPU(), cmp.Or(processor(), "a processor that does not tell its name"), runtime.GOOS, runtime.GOARCH,
		cmp.Or(strings.TrimSpace(string(kernel)), "not known"), runtime.Version())
}

func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// busy is the load average of the last minute; below 0 where it is not known.
func busy() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	average := -1.0
	if err == nil {
		_, _ = fmt.Sscan(string(text), &average) // else it stays unknown
	}
	return average
}

// commit is what is measured, as git names it.
func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=12").Output()
	if err != nil {
		return "not known"
	}
	return strings.TrimSpace(string(out))
}
