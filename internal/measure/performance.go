package measure

// Performance is one row of a report's table: what was measured of one
// operation at one batch size and one concurrency. Times are milliseconds,
// rates are per second.
type Performance struct {
	Operation   string `json:"operation"`
	BatchSize   int    `json:"batch_size"` // requested items per call
	Concurrency int    `json:"concurrency"`
	Mode        string `json:"mode"`        // ModeSweep, ModeClosed, ModeOpen
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
	Histogram string `json:"histogram,omitempty"`
	// Loaded is what only a load run measures; nil for a sweep.
	Loaded   *LoadRow `json:"load,omitempty"`
	Warnings []string `json:"warnings"` // never nil
}

// LoadRow is what a load run measures of a row besides.
type LoadRow struct {
	Rounds    int       `json:"rounds"`             // the windows that the row is made of
	Unjudged  int       `json:"unjudged"`           // answered in a shape that nobody knows: neither OK nor wrong
	BadShare  float64   `json:"bad_share"`          // of the items, those that the operation must refuse
	Choice    string    `json:"choice"`             // how items were chosen; empty of a mix as a whole
	Mix       string    `json:"mix,omitempty"`      // the workload that it is measured in; empty: alone
	Intervals Intervals `json:"intervals"`          // over the rounds
	Offered   *float64  `json:"offered_per_second"` // calls that the plan wanted; nil in a closed loop
	// FirstByteMS is from the send to the answer's first byte, UnjudgedMS the latency of
	// calls that are Unjudged; LagMS is how late calls went out.
	FirstByteMS *Quantiles `json:"first_byte_ms,omitempty"`
	UnjudgedMS  *Quantiles `json:"unjudged_ms,omitempty"`
	LagMS       *Quantiles `json:"lag_ms,omitempty"`
	// PerItemUS is the median latency of a call, divided by its items: an amortised
	// cost in microseconds, and no latency.
	PerItemUS *float64 `json:"per_item_us"`
	// BytesOut and BytesIn are the mean sizes of a request and of an answer, headers
	// included.
	BytesOut *float64 `json:"bytes_out"`
	BytesIn  *float64 `json:"bytes_in"`
	// Tokens is a quarter of the answer\'s bytes: an estimate of what a model reads.
	Tokens *float64 `json:"tokens_estimate"`
	// Floor is what the harness reaches at this batch size and concurrency against a
	// server that does next to nothing; nil: it was not measured.
	Floor    *Floor    `json:"floor,omitempty"`
	Verified Verified  `json:"verified"`
	Failures []Failure `json:"failures,omitempty"`
	// ByRound are the rounds' own figures, in the order in which they were played: the
	// samples of whoever compares two runs.
	ByRound  []Round  `json:"by_round,omitempty"`
	Timeline []Second `json:"timeline,omitempty"`
	// Soak is how the figures of a soak moved; nil: it was none. Recovery is how latency
	// came back after a spike of the rate; nil: there was none, or it cannot be told.
	Soak     *Soak     `json:"soak,omitempty"`
	Recovery *Recovery `json:"recovery,omitempty"`
	// Server is what was seen of the server itself; nil where nothing was.
	Server *ServerSide `json:"server,omitempty"`
}

// Floor is what the harness and its machine take by themselves: no server is faster
// from here.
type Floor struct {
	P50MS          *float64 `json:"p50_ms"`
	CallsPerSecond float64  `json:"calls_per_second"`
}

// Intervals are those of a row's medians of rounds, [low, high]; nil where fewer than
// three rounds have the figure. Confidence is the least of them.
type Intervals struct {
	Confidence     float64     `json:"confidence"`
	CallsPerSecond *[2]float64 `json:"calls_per_second,omitempty"`
	ItemsPerSecond *[2]float64 `json:"items_per_second,omitempty"`
	P50            *[2]float64 `json:"p50_ms,omitempty"`
	P95            *[2]float64 `json:"p95_ms,omitempty"`
	P99            *[2]float64 `json:"p99_ms,omitempty"`
}

// Verified is how the outcomes of a row's calls were found, in calls.
type Verified struct {
	Memory   int `json:"memory"`   // the same bytes as an answer that was verified
	Pass     int `json:"pass"`     // every row read against what was asked
	Strict   int `json:"strict"`   // judged by the checks
	Envelope int `json:"envelope"` // only its envelope was looked at
}

// Failure is one way in which calls failed, and how many did.
type Failure struct {
	What  string `json:"what"`
	Calls int    `json:"calls"`
}

// Round is what one window of a row measured. A rate is nil where the window has no
// time, a quantile where too few calls support it.
type Round struct {
	Seconds        float64  `json:"seconds"`
	Calls          int      `json:"calls"`
	OK             int      `json:"ok"`
	CallsPerSecond *float64 `json:"calls_per_second"` // of OK calls
	ItemsPerSecond *float64 `json:"items_per_second"`
	P50            *float64 `json:"p50_ms"`
	P95            *float64 `json:"p95_ms"`
	P99            *float64 `json:"p99_ms"`
}

// Second is what happened in one second of a row's rounds, put one after the other.
type Second struct {
	OK     int     `json:"ok"`
	Failed int     `json:"failed"`
	Wrong  int     `json:"wrong"`
	Items  int     `json:"items"` // of the OK calls
	MeanMS float64 `json:"mean_ms"`
	MaxMS  float64 `json:"max_ms"`
}

// Quantiles sums up times in milliseconds, exact to three significant digits.
// A quantile that too few calls support is nil, and so is everything where
// there was no call. See Support.
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
// the other, on one session. The others are those of load: in a closed loop every
// user waits for its answer before it calls again; in an open one calls are made at
// the instants of a plan, whatever the server does.
const (
	ModeSweep  = "sweep"
	ModeClosed = "closed"
	ModeOpen   = "open"
)

// The answer forms.
const (
	FormJSON  = "json"
	FormSSE   = "sse"
	FormStdio = "stdio"
	FormMixed = "mixed"
)
