package measure

// Performance is one row of a report's table: what was measured of one
// operation at one batch size and one concurrency. Times are milliseconds,
// rates are per second.
type Performance struct {
	Operation   string `json:"operation"`
	BatchSize   int    `json:"batch_size"` // requested items per call
	Concurrency int    `json:"concurrency"`
	Mode        string `json:"mode"`        // ModeSweep
	Protocol    string `json:"protocol"`    // the revision spoken
	AnswerForm  string `json:"answer_form"` // json | sse | stdio; FormMixed where calls differed; empty: nothing was answered

	Seconds float64 `json:"seconds"` // the time the rates are over; for a sweep, the sum of its calls' own times
	Calls   int     `json:"calls"`   // sent, whatever came back
	OK      int     `json:"ok"`      // answered with a result, and named by no failed MUST
	Failed  int     `json:"failed"`  // no answer, an HTTP or JSON-RPC error, or isError
	Wrong   int     `json:"wrong"`   // answered, and a failed MUST names the call
	Dropped int     `json:"dropped"` // planned and never sent
	Items   int     `json:"items"`   // requested items of the OK calls

	CallsPerSecond *float64 `json:"calls_per_second"` // of OK calls; nil where no time was measured
	ItemsPerSecond *float64 `json:"items_per_second"`

	Latency   Quantiles  `json:"latency_ms"`           // of OK calls: request sent to answer whole
	Service   *Quantiles `json:"service_ms,omitempty"` // of load runs: from the send, where latency is from the plan
	FailedMS  *Quantiles `json:"failed_ms,omitempty"`  // of Failed and Wrong calls that were answered; nil where there are none
	Generator *Generator `json:"generator,omitempty"`  // of load runs: how the harness itself kept up
	// Histogram is the latencies in microseconds as an HdrHistogram, V2
	// compressed encoding in base64; empty where there are none.
	Histogram string   `json:"histogram,omitempty"`
	Warnings  []string `json:"warnings"` // never nil
}

// Quantiles sums up times in milliseconds, exact to three significant digits.
// A quantile that too few calls support is nil, and so is everything where
// there was no call. See CallsForP50 and its kin.
type Quantiles struct {
	Min  *float64 `json:"min"`
	P50  *float64 `json:"p50"`
	P90  *float64 `json:"p90"`
	P95  *float64 `json:"p95"`
	P99  *float64 `json:"p99"`
	P999 *float64 `json:"p999"`
	Max  *float64 `json:"max"`
	Mean *float64 `json:"mean"`
}

// Generator is how the harness itself kept up with what it meant to send.
type Generator struct {
	LagP99MS    float64 `json:"lag_p99_ms"` // how late calls went out, 99th percentile
	CPUShare    float64 `json:"cpu_share"`  // of one core, 0 to 1 per core
	Connections int     `json:"connections"`
	Valid       bool    `json:"valid"` // false: the harness was the limit, the row says nothing about the server
}

// ModeSweep marks the rows of the short sweep of batch sizes: calls one after
// the other, on one session.
const ModeSweep = "sweep"

// The answer forms.
const (
	FormJSON  = "json"
	FormSSE   = "sse"
	FormStdio = "stdio"
	FormMixed = "mixed"
)
