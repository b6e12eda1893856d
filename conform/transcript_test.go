package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestTranscriptReadsBackAsItWasWritten(t *testing.T) {
	header := Header{Schema: TranscriptSchema, Run: Run{Seed: 7, Effort: "standard"}, Target: Target{Name: "shop", Transport: "stdio"}}
	exit := 3
	written := []Observation{
		{Seq: 1, Kind: KindPlanned, Call: "a", Planned: &Planned{Role: RolePrimary, Items: []Item{{Given: json.RawMessage(`"<é & 9007199254740993>"`), Truth: Good}}}},
		{Seq: 2, Kind: KindSent, Call: "a", Sent: &Sent{Channel: ChannelStdin, Body: Bytes("{\"id\":1}")}},
		{Seq: 3, Kind: KindReceived, Received: &Received{Channel: ChannelStdout, Body: Bytes("\xff\xfe\x00 raw"), End: Complete}},
		{Seq: 4, Kind: KindReceived, Received: &Received{Channel: ChannelExit, Exit: &exit, End: Complete}},
		{Seq: 5, Kind: KindEnded, Ended: &Ended{}},
	}
	var file bytes.Buffer
	if err := WriteLine(&file, header); err != nil {
		t.Fatal(err)
	}
	for _, o := range written {
		if err := WriteLine(&file, o); err != nil {
			t.Fatal(err)
		}
	}
	gotHeader, got, err := ReadTranscript(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := json.Marshal(header); string(want) != string(mustJSON(t, gotHeader)) {
		t.Errorf("header came back as %s", mustJSON(t, gotHeader))
	}
	if a, b := mustJSON(t, written), mustJSON(t, got); string(a) != string(b) {
		t.Errorf("wrote %s\nread  %s", a, b)
	}
	if string(got[2].Received.Body) != "\xff\xfe\x00 raw" {
		t.Errorf("bytes came back as %q", got[2].Received.Body)
	}

	t.Run("a killed run leaves a readable file", func(t *testing.T) {
		cut := file.Bytes()[:file.Len()-5]
		_, some, err := ReadTranscript(bytes.NewReader(cut))
		if err != nil || len(some) != len(written)-1 {
			t.Errorf("%d observations, %v", len(some), err)
		}
	})
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWhatIsNoTranscript(t *testing.T) {
	for name, c := range map[string]struct {
		text, problem string
		not           bool
	}{
		"nothing":          {"", "not a transcript", true},
		"prose":            {"hello\n", "line 1", true},
		"another format":   {`{"schema":"other/v1"}` + "\n", `schema "other/v1"`, false},
		"a broken line":    {`{"schema":"` + TranscriptSchema + `"}` + "\n{\"seq\":\n", "line 2", false},
		"a wrong type":     {`{"schema":"` + TranscriptSchema + `"}` + "\n{\"seq\":\"x\"}\n", "line 2", false},
		"only half a line": {`{"schema":"` + TranscriptSchema + `"}`, "not a transcript", true},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := ReadTranscript(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.problem) || errors.Is(err, ErrNoTranscript) != c.not {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzReadTranscript(f *testing.F) {
	f.Add([]byte(`{"schema":"` + TranscriptSchema + `"}` + "\n" + `{"seq":1,"kind":"received","call":"a","received":{"channel":"http","header":[{"name":"Content-Type","value":"text/event-stream"}],"body":"data: {}\n\n"}}` + "\n"))
	f.Add([]byte(`{"schema":"` + TranscriptSchema + `"}` + "\n" + `{"kind":"planned","call":"a","planned":{"role":"list","method":"tools/list"}}` + "\n" + `{"kind":"sent","call":"a","sent":{"body":"{\"id\":1}"}}` + "\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		header, observations, err := ReadTranscript(bytes.NewReader(file))
		if err != nil {
			return
		}
		rec := NewRecording(header, observations)
		rec.Revision()
		rec.ServerInfo()
		for _, c := range rec.Calls {
			if rec.Call(c.ID) != c {
				t.Fatalf("call %q is not found by its id", c.ID)
			}
		}
	})
}
