package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// What a collector is told last is what the report says.
func TestALoadIsSentToACollector(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var last []byte
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		last = body
	}))
	defer collector.Close()
	got := mcpconform(t, shortLoad("--otlp", collector.URL, "--metrics", "127.0.0.1:0")...)
	r := report(t, got.out)
	calls := 0
	for _, row := range r.Performance {
		calls += row.Calls
	}
	var message struct {
		ResourceMetrics []struct {
			ScopeMetrics []struct {
				Metrics []struct {
					Name string
					Sum  struct {
						DataPoints []struct {
							AsInt      string
							Attributes []struct {
								Key   string
								Value struct{ StringValue string }
							}
						}
					}
				}
			}
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if err := json.Unmarshal(last, &message); err != nil {
		t.Fatalf("%v in %s", err, last)
	}
	measured := 0
	for _, m := range message.ResourceMetrics[0].ScopeMetrics[0].Metrics {
		for _, p := range m.Sum.DataPoints {
			for _, a := range p.Attributes {
				if m.Name == "mcpconform.calls" && a.Key == "mcpconform.phase" && a.Value.StringValue == "measured" {
					n, err := strconv.Atoi(p.AsInt)
					if err != nil {
						t.Error(err)
					}
					measured += n
				}
			}
		}
	}
	if calls == 0 || measured != calls {
		t.Errorf("%d calls were told, and the report has %d", measured, calls)
	}
}

// A collector that is not there changes nothing but a note.
func TestACollectorThatIsNotThere(t *testing.T) {
	t.Parallel()
	r := report(t, mcpconform(t, shortLoad("--otlp", "http://127.0.0.1:1")...).out)
	if len(r.Performance) == 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "1 of 1 pushes of metrics to 127.0.0.1:1 failed") {
		t.Errorf("%q", r.Notes)
	}
}

func TestExportsThatCannotBe(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for args, want := range map[string]string{
		"--metrics " + taken.Addr().String():             "address already in use",
		"--metrics 9100":                                 "is no address",
		"--metrics 127.0.0.1:http":                       "is no address",
		"--metrics 192.0.2.1:9100":                       "--metrics 192.0.2.1:9100",
		"--otlp 127.0.0.1:4318":                          "--otlp: it is no URL",
		"--otlp http://collector.acme.example":           "give --confirm collector.acme.example",
		"--otlp http://name:word@127.0.0.1:4318/v1/data": "credentials",
	} {
		got := mcpconform(t, append([]string{"load"}, strings.Fields(args)...)...).exits(t, 2)
		says(t, args, got.err, want)
	}
}
