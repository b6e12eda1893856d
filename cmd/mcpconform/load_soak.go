package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/mcpconform/mcpconform/runner"
)

// longestSoak bounds --soak.
const longestSoak = 7 * 24 * time.Hour

// soaking reads --soak.
func (f *loadFlags) soaking(o *runner.LoadOptions) error {
	switch {
	case f.soak == 0:
		return nil
	case f.soak < 0 || f.soak > longestSoak:
		return usage(fmt.Errorf("--soak %s is not between 0 and %s", f.soak, longestSoak), "write it like 10m or 2h")
	case f.duration > 0 || f.rounds > 0 || f.slo != "":
		return usage(errors.New("--soak is one long window of each cell: leave out --duration, --rounds and --slo"), "")
	case o.Arrivals.Varies():
		return usage(errors.New("--soak looks for what drifts while the load stays the same, and the rate does not"), "give one rate: --rate 100")
	}
	o.Soak, o.Rounds, o.Duration = true, 1, f.soak
	return nil
}
