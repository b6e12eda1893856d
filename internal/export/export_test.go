package export

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/internal/campaign"
	"github.com/mcpconform/mcpconform/internal/measure"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}

// sight is a load with a cell alone, and one in a mix that has not called yet.
func sight() campaign.Sight {
	var p measure.Pulse
	for i := range 100 {
		p.End(&measure.Sample{Done: time.Duration(i+1) * time.Millisecond, Outcome: measure.OK, Items: 10}, true, true)
	}
	p.End(&measure.Sample{Done: time.Hour, Outcome: measure.OK, Items: 10}, true, true)
	p.End(&measure.Sample{Outcome: measure.Wrong}, true, true)
	p.End(&measure.Sample{Outcome: measure.Failed}, true, false)
	p.Begin()
	one := campaign.CellSight{Cell: &campaign.Cell{Operation: "query\"orders\"\n\\\xff", Batch: 10, Concurrency: 8}, Dropped: 3}
	one.Take(&p)
	two := campaign.CellSight{Cell: &campaign.Cell{Operation: "cancel", Batch: 1, Concurrency: 2, In: "evening"}}
	return campaign.Sight{Cells: []campaign.CellSight{one, two}}
}

func TestPrometheusText(t *testing.T) {
	var b bytes.Buffer
	if err := Prometheus(&b, "1.2.3", sight()); err != nil {
		t.Fatal(err)
	}
	golden(t, "metrics.txt", b.Bytes())
	// A histogram's counts never fall, and end with all calls.
	for _, want := range []string{`le="0.0078125"} 7`, `le="+Inf"} 101`, `outcome="wrong"} 1`, `mix="evening"`, `operation="query\"orders\"\n\\�"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// Two parts of a workload with the same labels are one series.
func TestNoSeriesStandsThereTwice(t *testing.T) {
	s := sight()
	s.Cells = append(s.Cells, s.Cells...)
	var b bytes.Buffer
	if err := Prometheus(&b, "1", s); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(b.String()) {
		name := line[:strings.LastIndex(line, " ")]
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
	if !strings.Contains(b.String(), `outcome="ok"} 202`) {
		t.Error("they are not added up")
	}
}

func TestOTLPMessage(t *testing.T) {
	o := &OTLP{Version: "1.2.3", Began: time.Unix(1000, 0), Now: func() time.Time { return time.Unix(1010, 5) }}
	text, err := json.MarshalIndent(o.metrics(sight()), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "otlp.json", append(text, '\n'))
	if text, _ := json.Marshal(o.metrics(campaign.Sight{})); !strings.Contains(string(text), `"metrics":[]`) {
		t.Errorf("before the first call: %s", text)
	}
}

func TestMetricsAreServedUntilTheEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stop := Serve(listener, "1.2.3", &campaign.Live{})
	at := "http://" + listener.Addr().String()
	for path, want := range map[string]int{"/metrics": 200, "/": 404} {
		r, err := http.Get(at + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode != want || want == 200 && (!strings.Contains(string(body), `mcpconform_build_info{version="1.2.3"} 1`) || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain; version=0.0.4")) {
			t.Errorf("%s: %d %s", path, r.StatusCode, body)
		}
	}
	stop()
	if _, err := http.Get(at + "/metrics"); err == nil {
		t.Error("it is served after the end")
	}
}

// The last push is made at the end, however long the time between pushes is; what the
// collector did not take is told once, with the first reason.
func TestACollectorGetsTheEnd(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		answer string
		want   string
	}{
		"takes it":          {200, `{"partialSuccess":{}}`, ""},
		"says nothing":      {200, ``, ""},
		"takes all":         {200, `{"partialSuccess":{"rejectedDataPoints":"0"}}`, ""},
		"refuses":           {500, ``, "1 of 1 pushes of metrics to 127.0.0.1"},
		"sends elsewhere":   {307, ``, "the collector answered 307"},
		"takes a part":      {200, `{"partialSuccess":{"rejectedDataPoints":"7","errorMessage":"x"}}`, `refused "7" points`},
		"has a key in path": {403, ``, "answered 403"},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var bodies []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				mu.Lock()
				bodies = append(bodies, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type")+" "+string(body))
				mu.Unlock()
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.answer)
			}))
			defer server.Close()
			at, err := OTLPURL(server.URL + "/?key=hidden")
			if err != nil {
				t.Fatal(err)
			}
			o := &OTLP{URL: at, Every: time.Hour, Live: &campaign.Live{}, Now: time.Now}
			got := o.Start()()
			if c.want == "" && got != "" || !strings.Contains(got, c.want) || strings.Contains(got, "hidden") {
				t.Errorf("%q, want %q", got, c.want)
			}
			if len(bodies) != 1 || !strings.HasPrefix(bodies[0], `POST /v1/metrics application/json {"resourceMetrics":[`) {
				t.Errorf("%q", bodies)
			}
		})
	}
	gone := &OTLP{URL: "http://127.0.0.1:1/v1/metrics", Every: time.Hour, Live: &campaign.Live{}, Now: time.Now}
	if got := gone.Start()(); !strings.Contains(got, "1 of 1 pushes of metrics to 127.0.0.1:1 failed") {
		t.Error(got)
	}
}

func TestOTLPURLs(t *testing.T) {
	for text, want := range map[string]string{
		"http://127.0.0.1:4318":           "http://127.0.0.1:4318/v1/metrics",
		"https://otel.example/x/v1/m?a=b": "https://otel.example/x/v1/m?a=b",
		"127.0.0.1:4318":                  "", "ftp://x": "", "http://": "", "http://a:b@127.0.0.1": "", "http://[": "",
	} {
		if got, err := OTLPURL(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", text, got, err)
		}
	}
}
