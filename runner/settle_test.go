package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// late is a shop in which a cancelled item shows as cancelled only from the nth
// look on; never where n is 0.
type late struct {
	mu    sync.Mutex
	n     int
	looks map[string]int // of cancelled items
}

func (l *late) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const tools = `[{"name":"cancel_all",` + takesItems + `},{"name":"query_all",` + takesItems + `},{"name":"look","inputSchema":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"}}}}}]`
	small(w, r, "late", tools, func(tool string, arguments json.RawMessage) string {
		var asked struct{ Items, IDs []string }
		_ = json.Unmarshal(arguments, &asked) // what does not read asks for nothing
		data := l.cancel(asked.Items)
		if tool == "look" {
			data = l.look(asked.IDs)
		}
		return data
	})
}

func (l *late) cancel(items []string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rows []string
	for _, id := range items {
		l.looks[id] = 0
		rows = append(rows, fmt.Sprintf(`{"id":%q,"success":true}`, id))
	}
	return `{"results":[` + strings.Join(rows, ",") + `]}`
}

func (l *late) look(ids []string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var items []string
	for _, id := range ids {
		state := "ACTIVE"
		if looks, cancelled := l.looks[id]; cancelled {
			l.looks[id]++
			if l.n > 0 && looks+1 >= l.n {
				state = "CANCELLED"
			}
		}
		items = append(items, fmt.Sprintf(`{"id":%q,"state":%q}`, id, state))
	}
	return `{"items":[` + strings.Join(items, ",") + `]}`
}

func TestAnEffectMayShowAMomentLater(t *testing.T) {
	for name, c := range map[string]struct {
		shows   int // from which look on
		settle  string
		verdict conform.Verdict
		looks   int // after the write; 0: more than one
	}{
		"at once":               {1, "5s", conform.Pass, 1},
		"at the second look":    {2, "5s", conform.Pass, 2},
		"at the third look":     {3, "5s", conform.Pass, 3},
		"never":                 {0, "200ms", conform.Fail, 0},
		"after the settle time": {100, "60ms", conform.Fail, 3}, // after 25 ms, and at the end
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(&late{n: c.shows, looks: map[string]int{}})
			defer server.Close()
			var transcript bytes.Buffer
			report, err := Run(context.Background(), shopAt(t, server.URL+"/mcp", c.settle), Options{
				Scenarios: []string{"all-succeed/three"}, Operations: []string{"cancel"}, Transcript: &transcript,
			})
			if err != nil {
				t.Fatal(err)
			}
			var got *conform.Finding
			for i := range report.Findings {
				if f := &report.Findings[i]; f.ID == "EFF-01" && f.Operation == "cancel" {
					got = f
				}
			}
			if got == nil || got.Verdict != c.verdict {
				t.Fatalf("EFF-01: %+v, wanted %s", got, c.verdict)
			}
			if c.verdict == conform.Fail && !strings.Contains(got.Got, "up to "+c.settle+" were waited") {
				t.Errorf("the time waited is not told: %s", got.Got)
			}
			header, observations, err := conform.ReadTranscript(&transcript)
			if err != nil {
				t.Fatal(err)
			}
			looks := 0
			for _, o := range conform.NewRecording(header, observations).Effects {
				if o.Effect.Phase == conform.After {
					looks++
				}
			}
			if c.looks > 0 && looks != c.looks || c.looks == 0 && looks < 2 {
				t.Errorf("%d looks after the write, wanted %d", looks, c.looks)
			}
		})
	}
}

// What has not shown three times will not show by waiting.
func TestNobodyWaitsForeverForWhatNeverShows(t *testing.T) {
	server := httptest.NewServer(&late{looks: map[string]int{}})
	defer server.Close()
	var transcript bytes.Buffer
	if _, err := Run(context.Background(), shopAt(t, server.URL+"/mcp", "60ms"), Options{
		Scenarios: []string{"all-succeed", "partial", "one-item"}, Operations: []string{"cancel"}, Transcript: &transcript,
	}); err != nil {
		t.Fatal(err)
	}
	header, observations, err := conform.ReadTranscript(&transcript)
	if err != nil {
		t.Fatal(err)
	}
	patient, looks := 0, map[string]int{}
	for _, o := range conform.NewRecording(header, observations).Effects {
		if o.Effect.Phase != conform.After {
			continue
		}
		if looks[o.Effect.Instance]++; looks[o.Effect.Instance] == 2 {
			patient++
		}
	}
	if len(looks) <= mostSettles || patient != mostSettles {
		t.Errorf("%d of %d plays waited, wanted %d", patient, len(looks), mostSettles)
	}
}

func TestAReadHasNoEffectToWaitFor(t *testing.T) {
	server := httptest.NewServer(&late{looks: map[string]int{}})
	defer server.Close()
	file := shopAt(t, server.URL+"/mcp", "5s")
	var transcript bytes.Buffer
	if _, err := Run(context.Background(), file, Options{Scenarios: []string{"all-succeed/three"}, Operations: []string{"query"}, Transcript: &transcript}); err != nil {
		t.Fatal(err)
	}
	header, observations, err := conform.ReadTranscript(&transcript)
	if err != nil {
		t.Fatal(err)
	}
	var phases []conform.Phase
	for _, o := range conform.NewRecording(header, observations).Effects {
		phases = append(phases, o.Effect.Phase)
	}
	if len(phases) != 2 || phases[0] != conform.Before || phases[1] != conform.After {
		t.Errorf("looks %v, wanted one before and one after", phases)
	}
}
