package runner

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/theory/jsonpath"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/target"
)

func maskedFile(paths ...string) *target.File {
	p := &target.Privacy{Headers: []string{"X-Customer"}}
	for _, path := range paths {
		p.Paths = append(p.Paths, target.MaskPath{Written: path, Path: jsonpath.MustParse(path)})
	}
	return &target.File{Privacy: p, Operations: []*target.Operation{{Operation: conform.Operation{
		Name: "cancel", Tool: "cancel_orders", Argument: "orders", Style: conform.StyleArray, Fixed: json.RawMessage(`{"customer":"Anna Schmidt"}`),
	}}}}
}

// everyKind is one observation of each sort, with the same person in each.
func everyKind() []conform.Observation {
	say := "of Anna Schmidt, order 47110815"
	return []conform.Observation{
		{Kind: conform.KindReceived, Received: &conform.Received{Channel: conform.ChannelStderr, Body: []byte("starting for 47110815\n")}}, // before anything is known of it
		{Kind: conform.KindPlanned, Planned: &conform.Planned{Operation: "cancel", Arguments: json.RawMessage(`{"orders":[{"id":"47110815"}],"customer":"Anna Schmidt"}`),
			Items: []conform.Item{{Given: json.RawMessage(`{"id":"47110815"}`), Because: say}}, Key: "key-47110815"}},
		{Kind: conform.KindSent, Sent: &conform.Sent{URL: "http://Anna.example/47110815?who=Anna+Schmidt", Header: []conform.HeaderField{{Name: "X-Customer", Value: "C-5"}, {Name: "X-Trace", Value: say}}, Body: []byte(`{"orders":["47110815"]}`)}},
		{Kind: conform.KindReceived, Received: &conform.Received{Channel: conform.ChannelHTTP, Body: []byte(say), Problem: say, Header: []conform.HeaderField{{Name: "x-customer", Value: "C-5"}}}},
		{Kind: conform.KindEffect, Effect: &conform.Effect{Problem: say, Eyes: "GET /47110815", States: []conform.State{{ID: "47110815", State: `{"of":"Anna Schmidt"}`}}, Canaries: []conform.State{{ID: "47110815"}}}},
		{Kind: conform.KindPutBack, PutBack: &conform.PutBack{Hands: "POST /47110815", Problem: say}},
		{Kind: conform.KindPlay, Play: &conform.Play{Smaller: say}},
		{Kind: conform.KindSkipped, Skipped: &conform.Skipped{Reason: say}},
		{Kind: conform.KindEnded, Ended: &conform.Ended{Cause: say, Notes: []string{say}, Left: []conform.Left{{What: say}}}},
	}
}

// A masked value is in no line of the transcript and in nothing that is judged,
// whether the transcript is a file that can be written again or not.
func TestMaskedValuesAreInNoLine(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) (interface{ Write([]byte) (int, error) }, func() string){
		"a file": func(t *testing.T) (interface{ Write([]byte) (int, error) }, func() string) {
			file, err := os.Create(filepath.Join(t.TempDir(), "t.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { file.Close() })
			return file, func() string {
				text, err := os.ReadFile(file.Name())
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
		},
		"a stream": func(*testing.T) (interface{ Write([]byte) (int, error) }, func() string) {
			var out bytes.Buffer
			return &out, out.String
		},
	} {
		t.Run(name, func(t *testing.T) {
			out, written := open(t)
			file := maskedFile("$..id", "$.customer")
			header := conform.Header{Schema: conform.TranscriptSchema, Target: file.Conform(), Masked: masked(file),
				Run: conform.Run{Command: "mcpconform run --label of='Anna Schmidt'", Labels: map[string]string{"of": "Anna Schmidt", "order": "47110815"}}}
			rec := newRecorder(header, out, newRedactor(nil, nil), newMasker(file), time.Now())
			for _, o := range everyKind() {
				rec.Record(o)
			}
			judgedHeader, judged := rec.finish(header)
			text := written()
			for _, word := range []string{"47110815", "Schmidt", "C-5"} {
				if strings.Contains(text, word) {
					t.Errorf("%s is left in\n%s", word, text)
				}
			}
			for _, kept := range []string{`"masked":["$..id"`, "http://Anna.example/", "cancel_orders", "customer"} {
				if !strings.Contains(text, kept) {
					t.Errorf("%s is gone from\n%s", kept, text)
				}
			}
			readHeader, read, err := conform.ReadTranscript(strings.NewReader(text))
			if err != nil || len(read) != len(everyKind()) {
				t.Fatalf("%d lines: %v", len(read), err)
			}
			same := func(a, b any) bool {
				one, err1 := json.Marshal(a)
				other, err2 := json.Marshal(b)
				return err1 == nil && err2 == nil && bytes.Equal(one, other)
			}
			if !same(readHeader, judgedHeader) || !same(read, judged) {
				t.Error("what is judged is not what is written")
			}
			if kept := rec.observations()[1].Planned.Arguments; !strings.Contains(string(kept), "47110815") {
				t.Errorf("the run itself has only %s", kept)
			}
		})
	}
}

// A value that is known from the plan is masked in the first line already that
// speaks of it: a run that is killed leaves no other.
func TestPlannedValuesAreMaskedFromTheFirstLine(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "t.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rec := newRecorder(conform.Header{Schema: conform.TranscriptSchema}, file, newRedactor(nil, nil), newMasker(maskedFile("$.orders[*]")), time.Now())
	rec.learn([]conform.BoundCall{{Planned: conform.Planned{Operation: "cancel", Arguments: json.RawMessage(`{"orders":["order 47"]}`),
		Items: []conform.Item{{Given: json.RawMessage(`"order 47"`), Means: json.RawMessage(`"47110815"`)}}}}})
	rec.Record(everyKind()[0])
	text, err := os.ReadFile(file.Name())
	if err != nil || !strings.Contains(string(text), "starting for") || strings.Contains(string(text), "47110815") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// Names within one text that is masked are masked where they stand alone.
func TestNamesWithinAMaskedText(t *testing.T) {
	file := maskedFile("$.orders")
	file.Operations[0].Style = conform.StyleScalar
	header, list := Mask(file, conform.Header{Target: file.Conform()}, []conform.Observation{
		{Kind: conform.KindReceived, Received: &conform.Received{Body: []byte(`{"results":[{"subject":"Daily News","success":true}]}`)}},
		{Kind: conform.KindPlanned, Planned: &conform.Planned{Operation: "cancel", Arguments: json.RawMessage(`{"orders":"Daily News and Evening Star"}`),
			Items: []conform.Item{{Given: json.RawMessage(`"Daily News"`)}, {Given: json.RawMessage(`"Evening Star"`)}}}},
	})
	body := string(list[0].Received.Body)
	if strings.Contains(body, "Daily") || len(header.Masked) != 2 {
		t.Errorf("%q: %s", header.Masked, body)
	}
	var answer struct {
		Results []struct{ Subject string }
	}
	if err := json.Unmarshal([]byte(body), &answer); err != nil || !strings.Contains(string(list[1].Planned.Arguments), answer.Results[0].Subject) {
		t.Errorf("%q is not in %s", answer.Results[0].Subject, list[1].Planned.Arguments)
	}
}

// Eyes that are no tool of the server are not recorded, and what they see is.
func TestWhatEyesSawIsMasked(t *testing.T) {
	var out bytes.Buffer
	header := conform.Header{Schema: conform.TranscriptSchema}
	rec := newRecorder(header, &out, newRedactor(nil, nil), newMasker(maskedFile("$.products[*].owner")), time.Now())
	payload, err := rawjson.Parse([]byte(`{"products":[{"id":"1","owner":"Anna Schmidt"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	rec.learnFrom(payload)
	rec.Record(conform.Observation{Kind: conform.KindEffect, Effect: &conform.Effect{States: []conform.State{{ID: "1", Present: true, State: `{"id":"1","owner":"Anna Schmidt"}`}}}})
	_, judged := rec.finish(header)
	if strings.Contains(out.String(), "Anna") || strings.Contains(judged[0].Effect.States[0].State, "Anna") || judged[0].Effect.States[0].ID != "1" {
		t.Errorf("%+v\n%s", judged[0].Effect, out.String())
	}
}

// After an interruption lines follow those that are judged: they stand behind them
// in the file, masked as well, and what is left behind is told by pseudonyms.
func TestLinesAfterTheEndAreMasked(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "t.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	header := conform.Header{Schema: conform.TranscriptSchema}
	rec := newRecorder(header, file, newRedactor(nil, nil), newMasker(maskedFile("$..id")), time.Now())
	for _, o := range everyKind() { // the first line is written before its value is learnt
		rec.Record(o)
	}
	rec.finish(header)
	rec.goOn()
	rec.Record(conform.Observation{Kind: conform.KindPutBack, PutBack: &conform.PutBack{What: conform.DoUndo, Items: []json.RawMessage{json.RawMessage(`{"id":"47110815"}`)}}})
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	_, read, err := conform.ReadTranscript(bytes.NewReader(text))
	if err != nil || len(read) != len(everyKind())+1 || strings.Contains(string(text), "47110815") {
		t.Errorf("%d lines, %v:\n%s", len(read), err, text)
	}
	told := rec.told([]conform.Left{{Item: `{"id":"47110815"}`, State: "gone", What: "47110815 is gone"}})
	if strings.Contains(told[0].Item+told[0].What, "47110815") || told[0].State != "gone" {
		t.Errorf("%+v", told)
	}
}
