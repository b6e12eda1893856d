package runner

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A server that tells its own time of a call has it in the report, beside the rest; the
// calls that were made before it told any are not among them.
func TestTheServersOwnTimeIsTold(t *testing.T) {
	_, file := breakable(t, func(w http.ResponseWriter) bool {
		w.Header().Add("Server-Timing", "db;dur=0.25")
		w.Header().Add("Server-Timing", `total;desc="all, of it";dur=0.5`)
		return false
	})
	o := briefly()
	o.Batches, o.Rounds, o.Duration, o.Warm, o.MaxCalls = []int{2}, 1, 20*time.Second, -1, 200
	r := loaded(t, file, o)
	row := r.Performance[0]
	s := row.Loaded.Server
	if s == nil || s.TimingMS == nil || s.ApartMS == nil {
		t.Fatalf("%+v", row.Loaded)
	}
	if *s.TimingMS.Min != 0.5 || *s.TimingMS.Max != 0.5 || *s.TimingMS.P50 != 0.5 || *s.ApartMS.Max > *row.Service.Max {
		t.Errorf("own time from %v to %v ms, the rest up to %v", *s.TimingMS.Min, *s.TimingMS.Max, *s.ApartMS.Max)
	}
	if s.TimingMS.P95 == nil || s.TimingMS.P99 != nil {
		t.Error("a quantile of too few calls is told, or one of enough is not")
	}
	if text := pageOf(t, r); !strings.Contains(text, "own p50") || !strings.Contains(text, "Server-Timing") {
		t.Error(text)
	}
}
