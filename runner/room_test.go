package runner

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func answerOf(body []byte) conform.Observation {
	return conform.Observation{Kind: conform.KindReceived, Received: &conform.Received{
		Channel: conform.ChannelHTTP, Status: 200, Body: body, End: conform.Complete,
	}}
}

func TestRunKeepsNoMoreThanItsRoom(t *testing.T) {
	for name, body := range map[string][]byte{
		"long answers":                  []byte(strings.Repeat("x", 8<<20)),
		"answers of very many values":   []byte("[" + strings.Repeat("0,", 1<<20) + "0]"),
		"more than one answer may hold": []byte(strings.Repeat("x", 32<<20)),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRecorder(conform.Header{}, nil, newRedactor(nil, nil), nil, time.Now())
			if r.full() {
				t.Fatal("full before anything came")
			}
			n := 0
			for ; !r.full() && n < 1000; n++ {
				r.Record(answerOf(body))
			}
			if n == 1000 {
				t.Fatal("never full")
			}
			r.Record(answerOf(body))
			r.Record(answerOf([]byte(`{"reset":true}`)))
			kept := r.observations()
			bytes := 0
			for _, o := range kept {
				bytes += len(o.Received.Body)
			}
			if most := mostBytes + len(body) + smallBody; bytes > most {
				t.Errorf("%d bytes kept, wanted at most %d", bytes, most)
			}
			cut, small := kept[n].Received, kept[n+1].Received
			if cut.Body != nil || cut.End != conform.TooLarge || !strings.Contains(cut.Problem, "not kept") {
				t.Errorf("the answer too many: %d bytes, %s, %q", len(cut.Body), cut.End, cut.Problem)
			}
			if string(small.Body) != `{"reset":true}` || small.End != conform.Complete {
				t.Errorf("the small answer after it: %q, %s", small.Body, small.End)
			}
		})
	}
}

func TestOrdinaryRunFitsTheRoom(t *testing.T) {
	var r room
	row := `{"id":"1001","name":"Product A","success":true,"protocol":"P-1","message":"done"}`
	body := []byte(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"results":[` + strings.Repeat(row+",", 99) + row + `]}}}`)
	for range 5000 { // far more than effort full plays
		r.take(answerOf(body).Received)
	}
	if r.full() {
		t.Errorf("5,000 answers of 100 rows fill the room: %+v", r)
	}
}
