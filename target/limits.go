package target

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// rateForm is a number of calls and the time that they are counted over.
var rateForm = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)\s*/\s*(s|sec|second|min|minute|h|hour)$`)

// perSecond is what a count over each time comes to, a second.
var perSecond = map[string]float64{"s": 1, "min": 1. / 60, "h": 1. / 3600}

// mostRate is a rate beyond any that a test could reach.
const mostRate = 1e6

// MaxPayload bounds limits.payload.
const MaxPayload = 1 << 30

func (r *reader) limits(l *Limits, n *node) {
	r.object("limits", n, fields{
		"rate":      func(name string, n *node) { l.Rate = r.rate(name, n) },
		"in_flight": func(name string, n *node) { l.InFlight = r.whole(name, n, 1, 1<<16) },
		"batch":     func(name string, n *node) { l.Batch = r.whole(name, n, 1, MaxItems) },
		"payload":   func(name string, n *node) { l.Payload = r.bytes(name, n) },
	}, nil)
}

// rate reads calls over a time, and gives them a second.
func (r *reader) rate(name string, n *node) float64 {
	if n.kind == plain || n.kind == quoted {
		if form := rateForm.FindStringSubmatch(r.expand(n)); form != nil {
			unit := map[byte]string{'s': "s", 'm': "min", 'h': "h"}[form[2][0]]
			count, err := strconv.ParseFloat(form[1], 64)
			if perSecond := count * perSecond[unit]; err == nil && count > 0 && perSecond <= mostRate {
				return perSecond
			}
		}
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be a number of calls over a time, above 0", name, shown(n)), "write it like 60/min, 10/s or 1000/h")
	return 0
}

// sizes are the units of a number of bytes.
var sizes = []struct {
	unit  string
	bytes int
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"kB", 1000}, {"KB", 1000}, {"MB", 1_000_000}, {"B", 1}, {"", 1}}

// Size reads a number of bytes like 64KiB or 1MB, from 1 to MaxPayload.
func Size(text string) (bytes int, ok bool) {
	for _, s := range sizes {
		count, found := strings.CutSuffix(text, s.unit)
		if !found {
			continue
		}
		size, err := strconv.ParseFloat(strings.TrimSpace(count), 64)
		all := size * float64(s.bytes)
		return int(all), err == nil && all >= 1 && all <= MaxPayload
	}
	return 0, false
}

// bytes reads a size.
func (r *reader) bytes(name string, n *node) int {
	if n.kind == plain || n.kind == quoted {
		if size, ok := Size(r.expand(n)); ok {
			return size
		}
	}
	r.fail(n, fmt.Sprintf("`%s` is %s, and must be a size from 1B to 1024MiB", name, shown(n)), "write it like 64KiB or 1MB")
	return 0
}
