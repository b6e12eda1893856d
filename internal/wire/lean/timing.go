package lean

import (
	"bytes"
	"time"
)

// timing is what the Server-Timing fields of a head say of the server's own time
// (W3C Server Timing, section 3.1): that of the metric `total`, else that of the only
// metric that has a time. Several others do not tell what they are parts of.
type timing struct {
	took  time.Duration
	times int  // metrics with a time
	total bool // took is that of `total`
}

// served gives the server's own time, where it is told.
func (t *timing) served() (took time.Duration, told bool) {
	if !t.total && t.times != 1 {
		return 0, false
	}
	return t.took, true
}

// field reads one field's value: metrics with commas between, each a name and
// parameters, of which `dur` is a time in milliseconds.
func (t *timing) field(value []byte) {
	for len(value) > 0 {
		var metric []byte
		metric, value = cutOutside(value, ',')
		name, parameters := cutOutside(metric, ';')
		for len(parameters) > 0 {
			var parameter []byte
			parameter, parameters = cutOutside(parameters, ';')
			key, text, _ := bytes.Cut(parameter, equals)
			if !fold(trim(key), "dur") {
				continue
			}
			if took, ok := fromMilliseconds(bytes.Trim(trim(text), `"`)); ok {
				t.note(trim(name), took)
			}
			break // the first counts
		}
	}
}

var equals = []byte("=")

func (t *timing) note(name []byte, took time.Duration) {
	t.times++
	if !t.total {
		t.took, t.total = took, fold(name, "total")
	}
}

// cutOutside cuts at the first mark that is not within a quoted string.
func cutOutside(b []byte, mark byte) (before, after []byte) {
	quoted := false
	for i := 0; i < len(b); i++ {
		switch {
		case quoted && b[i] == '\\':
			i++
		case b[i] == '"':
			quoted = !quoted
		case b[i] == mark && !quoted:
			return b[:i], b[i+1:]
		}
	}
	return b, nil
}

// mostDigits bounds the digits of a time before its point: more is no time that a
// call took.
const mostDigits = 9

// fromMilliseconds reads a decimal number, to the nanosecond.
func fromMilliseconds(b []byte) (time.Duration, bool) {
	whole, fraction, _ := bytes.Cut(b, point)
	if len(whole) > mostDigits || len(whole)+len(fraction) == 0 {
		return 0, false
	}
	took := time.Duration(0)
	for _, c := range whole {
		if c < '0' || c > '9' {
			return 0, false
		}
		took = took*10 + time.Duration(c-'0')*time.Millisecond
	}
	unit := time.Millisecond
	for _, c := range fraction {
		if c < '0' || c > '9' {
			return 0, false
		}
		unit /= 10
		took += time.Duration(c-'0') * unit
	}
	return took, true
}

var point = []byte(".")
