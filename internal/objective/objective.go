package objective

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"
)

// Objective is what the cells that it names are to achieve.
type Objective struct {
	Text        string // as it was written
	Operation   string // a glob
	Batch       int    // 0: every batch size
	Concurrency int    // 0: every concurrency
	Conditions  []Condition
}

// Condition is one figure and its bound.
type Condition struct {
	Figure Figure
	Bound  float64 // seconds of a quantile, calls or items a second, or a share
}

// Figure is what is measured.
type Figure string

// The figures. Quantiles are of latency, from when a call was due; shares are of all
// calls, wrong ones of those that were judged.
const (
	P50    Figure = "p50"
	P90    Figure = "p90"
	P95    Figure = "p95"
	P99    Figure = "p99"
	P999   Figure = "p99.9"
	Calls  Figure = "calls/s"
	Items  Figure = "items/s"
	Errors Figure = "errors"
	Wrong  Figure = "wrong"
)

// quantiles are the shares of calls that a quantile is about.
var quantiles = map[Figure]float64{P50: 0.5, P90: 0.9, P95: 0.95, P99: 0.99, P999: 0.999}

// order is how figures are listed in errors.
var order = []string{"p50", "p90", "p95", "p99", "p99.9", "calls/s", "items/s", "errors", "wrong"}

// Parse reads an objective. Words stand apart by spaces: first the operation, then
// batch=N and concurrency=N as wanted, then one condition at least.
func Parse(text string) (Objective, error) {
	o := Objective{Text: strings.Join(strings.Fields(text), " ")}
	words := strings.Fields(text)
	if len(words) == 0 {
		return o, errors.New("it is empty")
	}
	if strings.ContainsAny(words[0], "<>=") {
		return o, fmt.Errorf("it begins with %q, and must begin with an operation (or *)", words[0])
	}
	if _, err := path.Match(words[0], ""); err != nil {
		return o, fmt.Errorf("%q is no glob of an operation", words[0])
	}
	o.Operation = words[0]
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "batch":
			o.Batch, err = whole(value)
		case "concurrency":
			o.Concurrency, err = whole(value)
		default:
			var c Condition
			if c, err = condition(word); err == nil {
				o.Conditions = append(o.Conditions, c)
			}
		}
		if err != nil {
			return o, fmt.Errorf("%q: %w", word, err)
		}
	}
	if len(o.Conditions) == 0 {
		return o, errors.New("it sets no bound: add p95<=800ms, wrong=0, or the like")
	}
	return o, nil
}

// ParseConditions reads conditions alone, apart by commas or spaces.
func ParseConditions(text string) ([]Condition, error) {
	var all []Condition
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		c, err := condition(word)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", word, err)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New("it sets no bound")
	}
	return all, nil
}

func whole(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, errors.New("it takes a whole number above 0")
	}
	return n, nil
}

// condition reads one bound. An equals sign stands for the direction that the figure
// has: at most for latencies and shares, at least for rates.
func condition(word string) (Condition, error) {
	at := strings.IndexAny(word, "<>=")
	if at < 0 {
		return Condition{}, errors.New("it has no bound: write it like p95<=800ms, items/s>=5000, errors<=0.1% or wrong=0")
	}
	c := Condition{Figure: Figure(word[:at])}
	sign := word[at:min(len(word), at+1)]
	value := strings.TrimPrefix(strings.TrimLeft(word[at:], "<>"), "=")
	_, isQuantile := quantiles[c.Figure]
	switch {
	case isQuantile:
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 || sign == ">" {
			return c, fmt.Errorf("%s is at most some time: %s<=800ms", c.Figure, c.Figure)
		}
		c.Bound = d.Seconds()
	case c.Figure == Calls || c.Figure == Items:
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !(n > 0) || n > 1e12 || sign == "<" {
			return c, fmt.Errorf("%s is at least some number: %s>=500", c.Figure, c.Figure)
		}
		c.Bound = n
	case c.Figure == Errors || c.Figure == Wrong:
		share, err := share(value)
		if err != nil || sign == ">" {
			return c, fmt.Errorf("%s is at most some share: %s<=0.1%% or %s=0", c.Figure, c.Figure, c.Figure)
		}
		c.Bound = share
	default:
		return c, fmt.Errorf("there is no figure %q; there are %s", c.Figure, strings.Join(order, ", "))
	}
	return c, nil
}

func share(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return 0, errors.New("no share")
	}
	return v, nil
}

// String writes a condition as it would be typed.
func (c Condition) String() string {
	switch {
	case quantiles[c.Figure] > 0:
		return fmt.Sprintf("%s<=%s", c.Figure, time.Duration(c.Bound*float64(time.Second)))
	case c.Figure == Calls || c.Figure == Items:
		return fmt.Sprintf("%s>=%g", c.Figure, c.Bound)
	case c.Bound == 0:
		return string(c.Figure) + "=0"
	}
	return fmt.Sprintf("%s<=%.4g%%", c.Figure, 100*c.Bound)
}

// Names tells whether the objective is about a cell.
func (o Objective) Names(operation string, batch, concurrency int) bool {
	ok, _ := path.Match(o.Operation, operation) // Parse saw that it is a glob
	return ok && (o.Batch == 0 || o.Batch == batch) && (o.Concurrency == 0 || o.Concurrency == concurrency)
}
