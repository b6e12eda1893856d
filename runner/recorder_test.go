package runner

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func TestNothingIsRecordedAfterTheEnd(t *testing.T) {
	var out bytes.Buffer
	rec := newRecorder(conform.Header{Schema: conform.TranscriptSchema}, &out, newRedactor(nil, nil), nil, time.Now())
	rec.Record(conform.Observation{Kind: conform.KindSkipped, Skipped: &conform.Skipped{Scenario: "partial", Reason: "one"}})
	rec.Record(conform.Observation{Kind: conform.KindEnded, Ended: &conform.Ended{}})
	written := out.String()
	rec.Record(conform.Observation{Kind: conform.KindReceived, Received: &conform.Received{Channel: conform.ChannelStderr, Body: []byte("a late line")}})
	if out.String() != written || len(rec.observations()) != 2 {
		t.Errorf("%d observations, and the transcript\n%s", len(rec.observations()), out.String())
	}
}

func TestATranscriptReadsBackAsWhatIsJudged(t *testing.T) {
	var out bytes.Buffer
	rec := newRecorder(conform.Header{Schema: conform.TranscriptSchema}, &out, newRedactor(nil, nil), nil, time.Now())
	const each, writers = 50, 8
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range each {
				rec.Record(conform.Observation{At: rec.Now(), Kind: conform.KindReceived, Received: &conform.Received{Channel: conform.ChannelStdout, Body: []byte("\xff\x00 not text"), End: conform.Complete}})
			}
		})
	}
	all.Wait()
	_, read, err := conform.ReadTranscript(&out)
	if err != nil {
		t.Fatal(err)
	}
	kept := rec.observations()
	if len(read) != each*writers || len(kept) != len(read) {
		t.Fatalf("%d were kept and %d written", len(kept), len(read))
	}
	for i := range read {
		if read[i].Seq != int64(i+1) || kept[i].Seq != read[i].Seq || string(read[i].Received.Body) != "\xff\x00 not text" {
			t.Fatalf("line %d is observation %d with %q", i+1, read[i].Seq, read[i].Received.Body)
		}
	}
}

func TestSinceGivesWhatCameAfterAMark(t *testing.T) {
	rec := newRecorder(conform.Header{}, nil, newRedactor(nil, nil), nil, time.Now())
	note := func(reason string) {
		rec.Record(conform.Observation{Kind: conform.KindSkipped, Skipped: &conform.Skipped{Reason: reason}})
	}
	note("before")
	mark := rec.mark()
	note("after")
	if got := rec.since(mark); len(got) != 1 || got[0].Skipped.Reason != "after" {
		t.Errorf("%+v", got)
	}
}

type full struct{ taken int }

func (f *full) Write(p []byte) (int, error) {
	if f.taken += len(p); f.taken > 200 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

func TestADiskThatFillsUpIsTold(t *testing.T) {
	rec := newRecorder(conform.Header{}, &full{}, newRedactor(nil, nil), nil, time.Now())
	for range 10 {
		rec.Record(conform.Observation{Kind: conform.KindSkipped, Skipped: &conform.Skipped{Reason: strings.Repeat("x", 50)}})
	}
	if rec.writeErr == nil || len(rec.observations()) != 10 {
		t.Errorf("error %v, %d kept: the run goes on, and says so", rec.writeErr, len(rec.observations()))
	}
}

func TestSecretHeadersAreRedactedByName(t *testing.T) {
	r := newRedactor(nil, []string{"X-Shop-Key"})
	o := conform.Observation{Kind: conform.KindSent, Sent: &conform.Sent{Header: []conform.HeaderField{
		{Name: "authorization", Value: "x"}, {Name: "Proxy-Authorization", Value: "x"}, {Name: "COOKIE", Value: "x"}, {Name: "Set-Cookie", Value: "x"},
		{Name: "x-api-key", Value: "x"}, {Name: "x-shop-key", Value: "x"}, {Name: "Accept", Value: "x"},
	}}}
	given := o.Sent.Header
	rewrite(&o, r)
	for _, f := range o.Sent.Header {
		want := "[redacted " + f.Name + "]"
		if f.Name == "Accept" {
			want = "x"
		}
		if f.Value != want {
			t.Errorf("%s: %q, wanted %q", f.Name, f.Value, want)
		}
	}
	if given[0].Value != "x" {
		t.Error("what goes over the wire was changed")
	}
}

func TestASessionKeepsItsAlias(t *testing.T) {
	r := newRedactor(nil, nil)
	received := func(id string) string {
		o := conform.Observation{Kind: conform.KindReceived, Received: &conform.Received{
			Header: []conform.HeaderField{{Name: "Mcp-Session-Id", Value: id}}, Body: []byte(`{"session":"` + id + `"}`)}}
		rewrite(&o, r)
		return o.Received.Header[0].Value + " " + string(o.Received.Body)
	}
	for _, c := range []struct{ id, want string }{
		{"0123456789abcdef", `session-1 {"session":"session-1"}`},
		{"fedcba9876543210", `session-2 {"session":"session-2"}`},
		{"0123456789abcdef", `session-1 {"session":"session-1"}`},
		{"short", `session-3 {"session":"short"}`},
		{"a b", `a b {"session":"a b"}`},         // breaks the rule for session ids, which is judged
		{"caf\u00e9", `café {"session":"café"}`}, // so does this one
		{"", ` {"session":""}`},
	} {
		if got := received(c.id); got != c.want {
			t.Errorf("%q became %q, wanted %q", c.id, got, c.want)
		}
	}
}

// The run's clock counts on whatever becomes of the wall clock, also where the
// time of the start comes without a reading of the monotonic one.
func TestTheRunsClockIsNotSetByAnybody(t *testing.T) {
	wall := time.Now().Round(0) // without the monotonic reading
	for name, c := range map[string]struct {
		started     time.Time
		least, most time.Duration
	}{
		"begun now":                      {time.Now(), 0, 30 * time.Minute},
		"begun an hour ago":              {wall.Add(-time.Hour), time.Hour, 90 * time.Minute},
		"the clock was set back an hour": {wall.Add(time.Hour), 0, 30 * time.Minute},
	} {
		r := newRecorder(conform.Header{}, nil, newRedactor(nil, nil), nil, c.started)
		first := r.Now()
		if first < c.least || first > c.most {
			t.Errorf("%s: the clock begins at %s", name, first)
		}
		if again := r.Now(); again < first {
			t.Errorf("%s: the clock goes back from %s to %s", name, first, again)
		}
	}
}
