package exposition

import (
	"slices"
	"strings"
	"testing"
)

const page = `# HELP http_requests_total What came.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="}\"\\,400"}    3
# a remark
metric_without_type 12.47
jobs_total 7
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes{} 4.5e+07
# TYPE odd_total gauge
odd_total -1
# TYPE took_seconds histogram
took_seconds_bucket{le="+Inf"} 144320
took_seconds_sum 53423
took_seconds_count 144320
took_seconds_created 1.6e9
# TYPE size summary
size{quantile="0.5"} NaN
size_count 2693
# TYPE calls counter
calls_total 5 # {trace_id="a b # c"} 0.67 1520879607.789
calls_created 1520872607.123
# EOF
`

func TestAPageIsRead(t *testing.T) {
	all, err := Parse(strings.ReplaceAll(page, "\n", "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	var counters, gauges []string
	for _, s := range all {
		if s.Counter {
			counters = append(counters, s.Series())
		} else {
			gauges = append(gauges, s.Series())
		}
	}
	if want := []string{
		`http_requests_total{method="post",code="200"}`, `http_requests_total{method="post",code="}\"\\,400"}`, "jobs_total",
		`took_seconds_bucket{le="+Inf"}`, "took_seconds_sum", "took_seconds_count", "size_count", "calls_total",
	}; !slices.Equal(counters, want) {
		t.Errorf("counters %q", counters)
	}
	if want := []string{"metric_without_type", "process_resident_memory_bytes", "odd_total", "took_seconds_created", `size{quantile="0.5"}`, "calls_created"}; !slices.Equal(gauges, want) {
		t.Errorf("gauges %q", gauges)
	}
	for at, want := range map[int]float64{0: 1027, 1: 3, 2: 12.47, 4: 4.5e7, 5: -1} {
		if all[at].Value != want {
			t.Errorf("%s is %v", all[at].Series(), all[at].Value)
		}
	}
}

// What is no such page is told with its line, and does not pass for an empty one.
func TestWhatIsNoPage(t *testing.T) {
	for text, want := range map[string]string{
		"<!doctype html>":       "line 1: it does not begin with the name of a metric",
		"a 1\n{\"error\":true}": "line 2: it does not begin with the name of a metric",
		"a":                     "line 1: a has no value",
		"a 1 2 3":               "line 1: a has no value, or several",
		"a one":                 "line 1: the value of a is no number",
		"a{b=\"c 1\n":           "line 1: the labels of a do not end",
		"a{b=\"c}\" 1":          "the labels of a do not end",
		"9a 1":                  "it does not begin",
	} {
		if all, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v", text, all, err)
		}
	}
	if all, err := Parse("\n# nothing yet\n"); err != nil || len(all) != 0 {
		t.Errorf("an empty page: %v, %v", all, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(page)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Parse(text)
		if err != nil && all != nil {
			t.Error("samples of a page that does not read")
		}
		for _, s := range all {
			if s.Name == "" || strings.ContainsAny(s.Name, " \n{") || strings.Contains(s.Series(), "\n") {
				t.Errorf("%q", s.Series())
			}
		}
	})
}
