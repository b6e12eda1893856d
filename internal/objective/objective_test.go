package objective

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

func TestObjectivesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"cancel-products batch=100 p95<=800ms wrong=0":       "cancel-products 100 0 [p95<=800ms wrong=0]",
		"  query-*   concurrency=8 items/s>=5000  p99.9=2s ": "query-* 0 8 [items/s>=5000 p99.9<=2s]",
		"* errors<=0.1% calls/s=50 p50<10ms wrong<=0.02":     "* 0 0 [errors<=0.1% calls/s>=50 p50<=10ms wrong<=2%]",
	} {
		o, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var conditions []string
		for _, c := range o.Conditions {
			conditions = append(conditions, c.String())
		}
		if got := strings.Join([]string{o.Operation, strconv.Itoa(o.Batch), strconv.Itoa(o.Concurrency), "[" + strings.Join(conditions, " ") + "]"}, " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                      "empty",
		"p95<=800ms":            "must begin with an operation",
		"[ p95<=800ms":          "no glob",
		"query":                 "sets no bound",
		"query batch=0 wrong=0": "a whole number above 0",
		"query p95":             "it has no bound",
		"query p95>=1s":         "p95 is at most some time",
		"query p95<=800":        "p95 is at most some time",
		"query calls/s<=5":      "at least some number",
		"query calls/s>=-5":     "at least some number",
		"query errors<=200%":    "at most some share",
		"query wrong>0":         "at most some share",
		"query latency<=5ms":    "there are p50, p90",
		"query =5":              "there is no figure",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if c, err := ParseConditions("p99=200ms,errors=0.1%,wrong=0"); err != nil || len(c) != 3 {
		t.Errorf("%v, %v", c, err)
	}
	for _, text := range []string{"", "p99", ","} {
		if _, err := ParseConditions(text); err == nil {
			t.Errorf("%q is no conditions", text)
		}
	}
}

func TestAnObjectiveNamesItsCells(t *testing.T) {
	o, err := Parse("query-* batch=10 wrong=0")
	if err != nil {
		t.Fatal(err)
	}
	if !o.Names("query-orders", 10, 8) || o.Names("query-orders", 1, 8) || o.Names("cancel", 10, 8) {
		t.Error("the cells")
	}
}

// rounds are calls of these latencies, some failed and some wrong, in as many rounds.
func rounds(n int, each func(round, i int) (time.Duration, measure.Outcome)) *measure.Rounds {
	var r measure.Rounds
	for round := range 6 {
		from := time.Duration(round) * time.Hour
		t := &measure.Tally{Window: measure.Window{From: from, To: from + time.Second}}
		for i := range n / 6 {
			took, outcome := each(round, i)
			at := from + time.Duration(i)*time.Microsecond
			t.Add(&measure.Sample{Intended: at, Sent: at, First: at + took, Done: at + took, Outcome: outcome, Items: 10})
		}
		r.Add(t)
	}
	return &r
}

func decide(t *testing.T, text string, r *measure.Rounds) Decision {
	t.Helper()
	c, err := ParseConditions(text)
	if err != nil {
		t.Fatal(err)
	}
	return c[0].Decide(r)
}

func TestConditionsAreDecidedByTheirBounds(t *testing.T) {
	tenth := func(bad measure.Outcome, slow time.Duration) func(int, int) (time.Duration, measure.Outcome) {
		return func(_, i int) (time.Duration, measure.Outcome) {
			if i%10 == 0 {
				return slow, bad
			}
			return 10 * time.Millisecond, measure.OK
		}
	}
	slow := rounds(600, tenth(measure.OK, 100*time.Millisecond))
	failing := rounds(600, tenth(measure.Failed, time.Millisecond))
	wrong := rounds(600, tenth(measure.Wrong, time.Millisecond))
	good := rounds(60, tenth(measure.OK, 10*time.Millisecond))
	for _, c := range []struct {
		text string
		r    *measure.Rounds
		want Verdict
		need string
	}{
		{"p50<=20ms", slow, Holds, ""},
		{"p95<=20ms", slow, Broken, ""},
		{"p90<=20ms", slow, CannotTell, "lies at the bound"},
		{"p95<=200ms", slow, Holds, ""},
		{"p95<=20ms", good, CannotTell, "about 7"}, // sixty calls leave up to 5.96 %
		{"p99<=20ms", good, CannotTell, "calls"},
		{"errors<=20%", failing, Holds, ""},
		{"errors<=5%", failing, Broken, ""},
		{"errors<=9%", failing, CannotTell, "about"},
		{"errors=0", failing, Broken, ""},
		{"errors=0", slow, Holds, ""},
		{"wrong=0", wrong, Broken, ""},
		{"wrong=0", good, Holds, ""},
		{"wrong<=1%", good, CannotTell, "about"},
		{"calls/s>=50", slow, Holds, ""},
		{"calls/s>=200", slow, Broken, ""},
		{"items/s>=500", slow, Holds, ""},
		{"p50<=20ms", &measure.Rounds{}, CannotTell, "succeed"},
		{"wrong=0", &measure.Rounds{}, CannotTell, "answered"},
		{"calls/s>=5", &measure.Rounds{}, CannotTell, "rounds"},
	} {
		d := decide(t, c.text, c.r)
		if d.Verdict != c.want || !strings.Contains(d.Need, c.need) || (d.Need == "") != (d.Verdict != CannotTell) || d.Got == "" {
			t.Errorf("%s: %+v, want %s", c.text, d, c.want)
		}
	}
	uneven := rounds(600, func(round, i int) (time.Duration, measure.Outcome) {
		if round%2 == 0 && i > 50 {
			return time.Minute, measure.OK // comes after its window
		}
		return time.Millisecond, measure.OK
	})
	if d := decide(t, "calls/s>=80", uneven); d.Verdict != CannotTell {
		t.Errorf("%+v", d)
	}
}
