package wire

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func TestProgressGivesACallItsTimeAnewAndNoMoreThanMost(t *testing.T) {
	for _, c := range []struct {
		name  string
		most  time.Duration
		stirs []time.Duration // when progress is told, from the beginning
		over  time.Duration
		says  string
		late  time.Duration // given on top
	}{
		{"no progress", 100 * time.Second, nil, 10 * time.Second, "no answer to tools/call echo within 10s", 0},
		{"none counts", 0, []time.Duration{9 * time.Second}, 10 * time.Second, "no answer to tools/call echo within 10s", 0},
		{"once", 100 * time.Second, []time.Duration{9 * time.Second}, 19 * time.Second, "no answer to tools/call echo within 10s after the last progress that it told of", 0},
		{"again and again", 25 * time.Second, []time.Duration{9 * time.Second, 18 * time.Second, 24 * time.Second}, 25 * time.Second,
			"no answer to tools/call echo within 25s, although it told of progress", 0},
		{"time on top", 0, nil, 14 * time.Second, "no answer to tools/call echo within 10s, nor in 4s more", 4 * time.Second},
		{"time on top of progress", 100 * time.Second, []time.Duration{9 * time.Second}, 23 * time.Second, "no answer to tools/call echo within 10s, nor in 4s more after the last progress that it told of", 4 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPatience(&outgoing{what: "tools/call echo", key: "2", timeout: 10 * time.Second, overtime: c.late, most: c.most})
				defer p.stop()
				began := time.Now()
				go func() {
					for _, at := range c.stirs {
						time.Sleep(at - time.Since(began))
						p.stir()
					}
				}()
				for waiting := true; waiting; {
					select {
					case <-p.stirred:
						p.extend()
					case <-p.over:
						waiting = false
					}
				}
				if took := time.Since(began); took != c.over {
					t.Errorf("over after %s, want %s", took, c.over)
				}
				if got := p.noAnswer(); got != c.says {
					t.Errorf("says %q", got)
				}
				synctest.Wait()
			})
		})
	}
}

// lines keeps what is recorded.
type lines struct{ all []conform.Observation }

func (l *lines) Record(o conform.Observation) { l.all = append(l.all, o) }
func (l *lines) Now() time.Duration           { return time.Duration(len(l.all) + 1) }

func TestProgressOnStandardOutputIsTheCalls(t *testing.T) {
	const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1}}`
	for _, most := range []time.Duration{0, time.Minute} {
		record := &lines{}
		k := &child{recorder: record, bounds: Bounds{MaxLine: 1 << 10, MaxStray: 1 << 10}, book: book{limit: 2}}
		waits := newPatience(&outgoing{key: "7", timeout: time.Minute, most: most})
		defer waits.stop()
		if _, ok := k.book.enter("7", "c1", nil, waits); !ok {
			t.Fatal("not entered")
		}
		stray := 1 << 10
		k.arrived(&stdout{body: []byte(progress)}, 0, true, &stray)
		k.arrived(&stdout{body: bytes.Replace([]byte(progress), []byte("7"), []byte(`"7"`), 1)}, 0, true, &stray)
		want := map[time.Duration]string{0: "", time.Minute: "c1"}[most]
		if got := record.all[0].Call; got != want || len(waits.stirred) != len(want)/2 {
			t.Errorf("most %s: recorded under %q, %d stirred", most, got, len(waits.stirred))
		}
		if got := record.all[1].Call; got != "" || len(record.all) != 2 {
			t.Errorf("most %s: another token is recorded under %q", most, got)
		}
	}
}

func TestAProgressTokenStandsInMeta(t *testing.T) {
	for params, want := range map[string]string{
		`{"name":"x","arguments":{"a":1.0}}`:           `{"_meta":{"progressToken":7},"name":"x","arguments":{"a":1.0}}`,
		`{"name":"x","_meta":{"k":1},"task":{}}`:       `{"_meta":{"progressToken":7,"k":1},"name":"x","task":{}}`,
		`{"name":"x","_meta":{"progressToken":"own"}}`: `{"name":"x","_meta":{"progressToken":"own"}}`,
		`{}`: `{"_meta":{"progressToken":7}}`,
		`[]`: `[]`,
	} {
		if got := withProgress(json.RawMessage(params), "7"); string(got) != want {
			t.Errorf("%s became %s, want %s", params, got, want)
		}
	}
}
