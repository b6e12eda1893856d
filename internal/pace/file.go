package pace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// mostArrivals bounds the instants of one file.
const mostArrivals = 10_000_000

// ReadArrivals reads the instants of a log: one a line, in the first field of a comma
// separated line, either seconds from any beginning (12.75) or a time (RFC 3339, or
// 2006-01-02 15:04:05.999), all of one sort, none earlier than the one before it. A
// first line that is neither is a heading; lines that are empty or begin with # are
// passed over. The first arrival is at 0. An error names the line.
func ReadArrivals(in io.Reader) ([]time.Duration, error) {
	var instants []time.Duration
	var begin time.Time
	dated, headed := false, false
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		field, _, _ := strings.Cut(lines.Text(), ",")
		field = strings.Trim(strings.TrimSpace(field), `"`)
		if field == "" || strings.HasPrefix(field, "#") {
			continue
		}
		at, date, err := instant(field)
		switch {
		case err != nil && len(instants) == 0 && !headed:
			headed = true
			continue
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", n, err)
		case len(instants) == mostArrivals:
			return nil, fmt.Errorf("line %d: there are more than %d arrivals", n, mostArrivals)
		case len(instants) == 0:
			begin, dated = date, !date.IsZero()
		case dated != !date.IsZero():
			return nil, fmt.Errorf("line %d: %q is no time of the sort of the first", n, field)
		}
		if dated {
			at = date.Sub(begin)
		}
		if len(instants) > 0 && at < instants[len(instants)-1] {
			return nil, fmt.Errorf("line %d: %q is earlier than the line before", n, field)
		}
		instants = append(instants, at)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(instants) == 0 {
		return nil, fmt.Errorf("there is no arrival: a line begins with seconds, like 12.75, or with a time, like 2026-12-01T10:00:00.250Z")
	}
	for i := len(instants) - 1; i >= 0; i-- {
		instants[i] -= instants[0]
	}
	return instants, nil
}

// instant reads seconds, or a time.
func instant(field string) (time.Duration, time.Time, error) {
	if s, err := strconv.ParseFloat(field, 64); err == nil {
		if !(s >= 0 && s <= 1e9) {
			return 0, time.Time{}, fmt.Errorf("%q is no number of seconds from 0 to 1e9", field)
		}
		return seconds(s), time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999"} {
		if date, err := time.Parse(layout, field); err == nil {
			return 0, date, nil
		}
	}
	return 0, time.Time{}, fmt.Errorf("%q is neither seconds nor a time", field)
}
