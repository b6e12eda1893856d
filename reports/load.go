package reports

import (
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/objective"
)

// Load is what a load run says besides its rows: how the server was loaded, and what
// the rows of several batch sizes or concurrencies say together.
type Load struct {
	Mode    string  `json:"mode"` // closed | open
	Rounds  int     `json:"rounds"`
	Window  float64 `json:"window_seconds"`    // measured, of each cell in each round
	Warm    float64 `json:"warm_seconds"`      // before each window, not measured
	Verify  string  `json:"verify"`            // full | memo | sample:K
	Way     string  `json:"way"`               // how calls travelled
	Session string  `json:"session,omitempty"` // over HTTP: none, or one that all users share
	// Arrivals are how calls came in an open loop.
	Arrivals string       `json:"arrivals,omitempty"`
	Curves   []Curve      `json:"curves"`
	Scaling  []ScalingRow `json:"scaling"`
	Units    []UnitRow    `json:"units,omitempty"`
	// Objectives are what was to be achieved, condition by condition and cell by cell.
	Objectives []Objective   `json:"objectives"`
	Searches   []RateSearch  `json:"searches,omitempty"`
	Skipped    []LoadSkipped `json:"skipped"`
	// Refusals are calls that were refused as a whole or got no answer, one example of
	// each kind.
	Refusals []Refusal `json:"refusals"`
}

// Curve is what the batch sizes of one operation say together, at one concurrency.
// Latency is fitted as A + B·items through the rounds' medians.
type Curve struct {
	Operation   string  `json:"operation"`
	Concurrency int     `json:"concurrency"`
	FixedMS     float64 `json:"fixed_ms"`    // A: what a call costs, however many items
	PerItemUS   float64 `json:"per_item_us"` // B: what each further item costs
	Error       float64 `json:"error"`       // the median distance of the points from the line, as a share
	BreakEven   float64 `json:"break_even"`  // the batch size at which both are equal; 0: there is none
	// Slope is that of log latency over log items in the last decade of sizes; above 1.1
	// a batch grows more than proportionally, and SuperLinear is set.
	Slope       float64 `json:"slope,omitempty"`
	SuperLinear bool    `json:"super_linear,omitempty"`
	Best        int     `json:"best_batch"`            // the size of the most items a second
	BestRate    float64 `json:"best_items_per_second"` // at that size
}

// UnitOf begins the name of a row that is about an operation's unit tool, of whose
// answers only the envelope is looked at.
const UnitOf = "unit:"

// UnitRow is one batch beside as many calls of the unit tool one after the other, both
// at their median.
type UnitRow struct {
	Operation   string  `json:"operation"`
	BatchSize   int     `json:"batch_size"`
	Concurrency int     `json:"concurrency"`
	BatchMS     float64 `json:"batch_ms"`
	SinglesMS   float64 `json:"singles_ms"`
	Ratio       float64 `json:"ratio"` // of SinglesMS to BatchMS
}

// ScalingRow is how one operation's throughput at one batch size grows with
// concurrency: the Universal Scalability Law, where it fits.
type ScalingRow struct {
	Operation string `json:"operation"`
	BatchSize int    `json:"batch_size"`
	measure.Scaling
}

// LoadSkipped is a cell that was not played, and why.
type LoadSkipped struct {
	Operation   string `json:"operation"`
	BatchSize   int    `json:"batch_size"`
	Concurrency int    `json:"concurrency"`
	Reason      string `json:"reason"`
}

// Refusal is an example of a call that failed without breaking a rule.
type Refusal struct {
	What      string `json:"what"`
	Operation string `json:"operation"`
	BatchSize int    `json:"batch_size"`
	Calls     int    `json:"calls"`
	Problem   string `json:"problem,omitempty"`
	Answer    string `json:"answer,omitempty"`
	Trace     string `json:"trace,omitempty"` // the id of its trace, where calls have one
}

// Objective is one condition on one cell, decided.
type Objective struct {
	Objective   string            `json:"objective"` // as it was written
	Condition   string            `json:"condition"`
	Operation   string            `json:"operation"`
	BatchSize   int               `json:"batch_size"`
	Concurrency int               `json:"concurrency"`
	Verdict     objective.Verdict `json:"verdict"` // holds | broken | cannot-tell
	Got         string            `json:"got"`
	Need        string            `json:"need,omitempty"` // what would tell
}

// LoadSearch is the mode of a run that searched the highest rates.
const LoadSearch = "search"

// RateSearch is the highest rate of a cell at which conditions hold.
type RateSearch struct {
	Operation  string       `json:"operation"`
	BatchSize  int          `json:"batch_size"`
	Conditions []string     `json:"conditions"`
	Rate       float64      `json:"calls_per_second"` // 0: not even the lowest rate held
	Limit      string       `json:"limit"`            // what sets it: server | harness | bound
	Steps      []SearchStep `json:"steps"`
}

// SearchStep is one rate that was tried.
type SearchStep struct {
	Rate       float64 `json:"calls_per_second"`
	Held       bool    `json:"held"`
	Confirming bool    `json:"confirming,omitempty"`
	Why        string  `json:"why,omitempty"` // it did not hold
}
