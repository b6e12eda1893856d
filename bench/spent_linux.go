package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processorTime is what processes have used so far, in seconds, by process id.
type processorTime map[int]float64

// ticks is how many of the kernel's ticks are a second: USER_HZ, the same on all of Go's
// Linux ports (proc_pid_stat(5)).
const ticks = 100

// spent gives the processor time of a process, or, where pid is 0, of our children.
func spent(pid int) processorTime {
	used := processorTime{}
	files := []string{fmt.Sprintf("/proc/%d/stat", pid)}
	if pid == 0 {
		files, _ = filepath.Glob("/proc/[0-9]*/stat") // the pattern is a good one
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The name of the program, in brackets, may hold anything.
		id, _, _ := strings.Cut(string(text), " ")
		fields := strings.Fields(string(text)[strings.LastIndexByte(string(text), ')')+1:])
		if len(fields) < 13 || pid == 0 && fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		user, _ := strconv.ParseFloat(fields[11], 64) // the kernel writes numbers
		system, _ := strconv.ParseFloat(fields[12], 64)
		n, _ := strconv.Atoi(id)
		used[n] = (user + system) / ticks
	}
	return used
}
