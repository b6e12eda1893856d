package reports

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// overTime tells what moved in the course of a soak, and how latency came back after a
// spike of the rate.
func (p *page) overTime(r Report) {
	var rows []Performance
	for _, row := range loadRows(r) {
		if row.Loaded.Soak != nil || row.Loaded.Recovery != nil {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	p.heading(bold, "OVER TIME")
	for _, row := range rows {
		cell := fmt.Sprintf("%s, %s, %s: ", row.Operation, Amount(row.Concurrency, "user", "users"), whatCall(row))
		if s := row.Loaded.Soak; s != nil {
			look := bold
			if s.Drifts() {
				look = yellow
			}
			p.item(look, "•", cell+soakLine(s))
		}
		if s := row.Loaded.Recovery; s != nil {
			look := bold
			if s.Seconds == nil {
				look = yellow
			}
			p.item(look, "•", cell+recoveryLine(s))
		}
	}
}

// soakLine tells of the figures of a soak: first those that drift, and of the others
// how far they moved.
func soakLine(s *measure.Soak) string {
	var drifting, steady []string
	for _, f := range []struct {
		name  string
		trend *measure.Trend
		show  func(float64) string
	}{
		{"p50", s.P50MS, func(v float64) string { return decimal(&v) + " ms" }},
		{"p99", s.P99MS, func(v float64) string { return decimal(&v) + " ms" }},
		{"memory", s.Resident, func(v float64) string { return megabytes(int64(v)) + " MB" }},
	} {
		switch t := f.trend; {
		case t == nil:
		case t.Drifts:
			line := fmt.Sprintf("%s drifts from %s to %s (%s; 99 %% interval %s to %s)", f.name, f.show(t.From), f.show(t.To), signed(t.Growth), signed(t.Interval[0]), signed(t.Interval[1]))
			if f.trend == s.Resident && s.ResidentPer1000 != nil {
				kb := *s.ResidentPer1000 / 1000
				line += fmt.Sprintf(", %s kB for each thousand calls", decimal(&kb))
			}
			drifting = append(drifting, line)
		default:
			steady = append(steady, fmt.Sprintf("%s %s (%s to %s)", f.name, signed(t.Growth), signed(t.Interval[0]), signed(t.Interval[1])))
		}
	}
	if len(drifting)+len(steady) == 0 {
		return "too few calls, or too short a time, to tell what drifts"
	}
	if len(steady) > 0 {
		drifting = append(drifting, "no drift is seen of "+strings.Join(steady, ", "))
	}
	return strings.Join(drifting, "; ")
}

// signed writes a growth.
func signed(of float64) string {
	if of > 0 {
		return "+" + share(of)
	}
	return share(of)
}

func recoveryLine(s *measure.Recovery) string {
	before, worst, from, to := s.BeforeMS, s.WorstMS, s.From, s.To
	line := fmt.Sprintf("the spike from %s s to %s s took latency from %s ms to %s ms in its slowest second; ", decimal(&from), decimal(&to), decimal(&before), decimal(&worst))
	if s.Seconds == nil {
		return line + fmt.Sprintf("%s later, when the window ended, it was not as before", Amount(s.Watched, "second", "seconds"))
	}
	return line + fmt.Sprintf("it was as before within %s of its end", Amount(*s.Seconds, "second", "seconds"))
}
