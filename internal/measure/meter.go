package measure

import (
	"cmp"
	"slices"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// Meter collects calls into rows, one for each operation and batch size. The
// zero value is ready. Not for use by several goroutines at once.
type Meter struct {
	rows map[key]*row
}

type key struct {
	operation string
	size      int
}

type row struct {
	calls, ok, failed, wrong, dropped, items, untimed int
	busy                                              time.Duration
	good, bad                                         Times
	form                                              string
}

// Add counts one call. wrong says that a failed MUST names it: an answer that
// came and was wrong is no success, whatever it says of itself.
func (m *Meter) Add(call *conform.Call, wrong bool) {
	k := key{call.Planned.Operation, len(call.Planned.Items)}
	if m.rows == nil {
		m.rows = map[key]*row{}
	}
	r := m.rows[k]
	if r == nil {
		r = &row{}
		m.rows[k] = r
	}
	r.add(call, wrong)
}

func (r *row) add(call *conform.Call, wrong bool) {
	if call.Sent == nil {
		r.dropped++
		return
	}
	r.calls++
	r.form = alike(r.form, form(call))
	took, timed := elapsed(call)
	if timed {
		r.busy += took
	} else {
		r.untimed++
	}
	switch {
	case call.Response != nil && wrong:
		r.wrong++
	case !succeeded(call) || !timed:
		r.failed++
	default:
		r.ok++
		r.items += len(call.Planned.Items)
		r.good.Add(took)
		return
	}
	if timed && call.Response != nil {
		r.bad.Add(took)
	}
}

// alike gives one form of two; empty is none yet.
func alike(a, b string) string {
	switch {
	case b == "" || a == b:
		return a
	case a == "":
		return b
	}
	return FormMixed
}

// Rows gives what was collected, by operation, then batch size. protocol is the
// revision spoken.
func (m *Meter) Rows(protocol string) []Performance {
	rows := make([]Performance, 0, len(m.rows))
	for k, r := range m.rows {
		rows = append(rows, r.performance(k, protocol))
	}
	slices.SortFunc(rows, func(a, b Performance) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.BatchSize, b.BatchSize))
	})
	return rows
}

func (r *row) performance(k key, protocol string) Performance {
	p := Performance{
		Operation: k.operation, BatchSize: k.size, Concurrency: 1, Mode: ModeSweep, Protocol: protocol, AnswerForm: r.form,
		Seconds: *significant(r.busy.Seconds()),
		Calls:   r.calls, OK: r.ok, Failed: r.failed, Wrong: r.wrong, Dropped: r.dropped, Items: r.items,
		Latency: r.good.Quantiles(Sampled), Histogram: r.good.Encoded(), Warnings: r.good.warnings(Sampled),
	}
	if r.busy > 0 {
		p.CallsPerSecond = significant(float64(r.ok) / r.busy.Seconds())
		p.ItemsPerSecond = significant(float64(r.items) / r.busy.Seconds())
	}
	if r.bad.count > 0 {
		failed := r.bad.Quantiles(Sampled)
		p.FailedMS = &failed
	}
	if r.untimed > 0 {
		p.Warnings = append(p.Warnings, calls(r.untimed)+" without an end: their time is in no figure")
	}
	return p
}

// Sweep measures the calls of a recording that were planned for the sweep of
// batch sizes. wrong tells by its id whether a failed MUST names a call; nil:
// none was.
func Sweep(recording *conform.Recording, protocol string, wrong func(call string) bool) []Performance {
	var m Meter
	for _, call := range recording.Calls {
		if call.Planned.Sweep && call.Planned.Role == conform.RolePrimary {
			m.Add(call, wrong != nil && wrong(call.ID))
		}
	}
	return m.Rows(protocol)
}
