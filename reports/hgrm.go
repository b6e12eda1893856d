package reports

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/mcpconform/mcpconform/internal/measure"
)

// Hgrm writes the latencies of each row as the percentile text of HdrHistogram, in
// milliseconds, a section for each row with a comment before it.
func Hgrm(w io.Writer, r Report) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s, run %s: latency in ms of calls that were right\n", Safe(r.Target.Name), Safe(r.Run.ID))
	for _, row := range r.Performance {
		fmt.Fprintf(&b, "\n# %s\n", rowName(row))
		if row.Histogram == "" {
			b.WriteString("# there is no latency\n")
			continue
		}
		steps, mean, deviation, err := measure.Percentiles(row.Histogram)
		if err != nil {
			fmt.Fprintf(&b, "# %s\n", Safe(err.Error()))
			continue
		}
		percentiles(&b, steps, mean, deviation)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing percentiles: %w", err)
	}
	return nil
}

func rowName(p Performance) string {
	name := fmt.Sprintf("%s items=%d users=%d %s", Safe(p.Operation), p.BatchSize, p.Concurrency, Safe(p.Mode))
	if p.Loaded != nil && p.Loaded.Mix != "" {
		name += " in " + Safe(p.Loaded.Mix)
	}
	return name
}

// percentiles writes one section as HdrHistogram's own writers do.
func percentiles(w io.Writer, steps []measure.Percentile, mean, deviation time.Duration) {
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 }
	fmt.Fprintf(w, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount", "1/(1-Percentile)")
	most, count := time.Duration(0), int64(0)
	for _, s := range steps {
		most, count = s.Time, s.Count
		if rest := 1 - s.Share; rest > 0 {
			fmt.Fprintf(w, "%12.3f %2.12f %10d %14.2f\n", ms(s.Time), s.Share, s.Count, 1/rest)
		} else {
			fmt.Fprintf(w, "%12.3f %2.12f %10d\n", ms(s.Time), s.Share, s.Count)
		}
	}
	fmt.Fprintf(w, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", ms(mean), ms(deviation))
	fmt.Fprintf(w, "#[Max     = %12.3f, Total count    = %12d]\n", ms(most), count)
}
