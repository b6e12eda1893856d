package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/runner"
)

// liveView puts what was seen of a load into words. It is told of each sight, and knows
// no clock but the run's.
type liveView struct {
	sight runner.LoadSight
	step  runner.LoadStep
	done  int64 // of the whole, in parts
	parts int64
	left  time.Duration // until the end; below 0: not known
	ago   []countedAt   // the right answers of the cell being played, over the last second
}

type countedAt struct {
	at   time.Duration
	cell runner.LoadCell
	ok   int64
}

// partsOfWindow is how finely the bar of the whole moves.
const partsOfWindow = 100

// take takes one sight, and the step that the load is at.
func (v *liveView) take(s runner.LoadSight, step runner.LoadStep) {
	v.sight, v.step = s, step
	v.parts, v.done, v.left = int64(max(1, step.Total))*partsOfWindow, int64(step.Done)*partsOfWindow, -1
	if s.Cell == nil {
		return
	}
	length := s.To - s.Began
	gone := min(max(0, s.At-s.Began), length)
	if length > 0 {
		v.done += int64(gone * partsOfWindow / length)
	}
	v.parts = max(v.parts, v.done)
	if step.Note == "" { // of a search nobody knows how many windows it takes
		v.left = length - gone + time.Duration(max(0, step.Total-step.Done-1))*length
	}
	ok := int64(0)
	for i := range s.Cells {
		if s.Cells[i].Of == s.Cell {
			warm, measured := s.Cells[i].Right()
			ok += warm + measured
		}
	}
	if n := len(v.ago); n > 0 && v.ago[n-1].cell != s.Cell {
		v.ago = v.ago[:0]
	}
	v.ago = append(v.ago, countedAt{s.At, s.Cell, ok})
	for len(v.ago) > 2 && s.At-v.ago[1].at >= time.Second {
		v.ago = v.ago[1:]
	}
}

// whole says how far the load is.
func (v *liveView) whole() string {
	s := v.step
	parts := []string{fmt.Sprintf("round %d of %d, window %d of %d", s.Round, s.Rounds, min(s.Done+1, s.Total), s.Total)}
	if s.Note != "" {
		parts = []string{fmt.Sprintf("cell %d of %d, %s", min(s.Done+1, s.Total), s.Total, s.Note)}
	}
	if v.sight.At < v.sight.From {
		parts = append(parts, "warming up")
	}
	if v.left >= 0 {
		parts = append(parts, "about "+timeLeft(v.left)+" left")
	}
	return strings.Join(parts, ", ")
}

func timeLeft(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	if d < time.Hour {
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// line says all of it in a line, for a stream that is no terminal; empty: nothing is
// played yet.
func (v *liveView) line() string {
	c := v.sight.Cell
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s: %s: %s", v.whole(), strings.Join(strings.Fields(v.name(c)), " "), strings.Join(v.said(c), ", "))
}

// stepName names the cell of a step, and where in the load it is.
func stepName(s runner.LoadStep) string {
	if s.Cell == nil {
		return ""
	}
	what := fmt.Sprintf("%s, %d items", s.Cell.Operation, s.Cell.Batch)
	if s.Cell.Batch == 0 {
		what = s.Cell.Operation + ", a mix"
	}
	if s.Note != "" {
		return what + ", " + s.Note
	}
	return fmt.Sprintf("%s, %d users, round %d of %d", what, s.Cell.Concurrency, s.Round, s.Rounds)
}

// name names a cell in few columns: operation, items of a call, users.
func (v *liveView) name(c runner.LoadCell) string {
	items := strconv.Itoa(c.Batch)
	if c.Batch == 0 {
		items = "mix"
	}
	operation := []rune(reports.Safe(c.Operation))
	if len(operation) > mostName {
		operation = append(operation[:mostName-1], '…')
	}
	return fmt.Sprintf("%-*s %5s × %-4d", mostName, string(operation), items, c.Concurrency)
}

// mostName is how many columns an operation's name takes.
const mostName = 18

// figures are a cell's, in columns.
func (v *liveView) figures(c runner.LoadCell) string {
	said := v.said(c)
	return fmt.Sprintf("%10s %11s %s", said[0], said[1], strings.Join(said[2:], " "))
}

// said gives a cell's figures so far: calls a second, of the cell that is played over
// the last second; the 99th percentile, where there are calls enough; and what is amiss.
func (v *liveView) said(c runner.LoadCell) []string {
	all := v.sum(c)
	_, right := all.Right()
	rate := 0.0
	if first, last := v.ago[0], v.ago[len(v.ago)-1]; c == v.sight.Cell && last.at > first.at {
		rate = float64(last.ok-first.ok) / (last.at - first.at).Seconds()
	} else if all.Measured > 0 {
		rate = float64(right) / all.Measured.Seconds()
	}
	p99 := "p99 -"
	if at, known := all.P99(); known {
		p99 = "p99 " + brieflyTaken(at)
	}
	wrong, failed := all.Amiss()
	return []string{fmt.Sprintf("%.0f/s", rate), p99, fmt.Sprintf("%d wrong", wrong), fmt.Sprintf("%d failed", failed)}
}

// brieflyTaken writes a time that is known to a tenth.
func brieflyTaken(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.2g ms", float64(d)/1e6)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// of gives how long a cell was measured, and how long it will be.
func (v *liveView) of(c runner.LoadCell) (total, done int64) {
	for i := range v.sight.Cells {
		if seen := &v.sight.Cells[i]; seen.Of == c {
			done = seen.Measured.Milliseconds()
			break
		}
	}
	length := (v.sight.To - v.sight.From).Milliseconds()
	return max(1, done, length*int64(max(1, v.step.Rounds))), done
}

// sum puts the kinds of a cell together.
func (v *liveView) sum(c runner.LoadCell) (all runner.LoadCellSight) {
	for i := range v.sight.Cells {
		if seen := &v.sight.Cells[i]; seen.Of == c {
			all.Merge(&seen.Pulses)
			all.Measured = seen.Measured
		}
	}
	return all
}
