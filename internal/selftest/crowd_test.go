package selftest

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// crowdTimes is the environment variable that says how often each server is played; by
// itself each is played twice. The proof that is told of in docs/proof.md is with 200.
const crowdTimes = "CROWD_TIMES"

// crowdFaults show only with calls in flight together.
var crowdFaults = []string{"IDM-05/race", "LD-01/shared-buffer", "LD-01/crossed-answers", "LD-01/session-mix-up", "CON-01/lost-update", "CON-02/check-then-act", "CON-03/never-answers",
	"CON-04/once-more", "CON-05/undoes-earlier"}

// A fault of calls in flight together shows every time and not by luck, and the good
// server is accused of nothing, ever.
func TestFaultsInACrowdShowEveryTime(t *testing.T) {
	t.Parallel()
	times := 2
	if said := os.Getenv(crowdTimes); said != "" {
		var err error
		if times, err = strconv.Atoi(said); err != nil || times < 1 {
			t.Fatalf("%s is %q, and it is a number above 0", crowdTimes, said)
		}
	}
	var told sync.Mutex
	count := map[string]int{}
	say := func(name, word string) {
		told.Lock()
		defer told.Unlock()
		count[name+": "+word]++
	}
	working, waiting := make(chan struct{}, 4), make(chan struct{}, 12)
	var all sync.WaitGroup
	once := func(name string, slots chan struct{}, s server, plays []string, word func(recorded) string) {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r, err := record(t.Context(), s, nil, plays)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			say(name, word(r))
		})
	}
	good := server{transport: fakebackend.HTTP, operations: []string{slowOperation}}
	for range times {
		for _, id := range crowdFaults {
			fault, err := fakebackend.ParseFault(id)
			if err != nil {
				t.Fatal(err)
			}
			p := play{fault, fakebackend.HTTP}
			s, plays, slots := p.server(), crowdPlays, working
			s.operations = good.operations
			if slow[id] != nil {
				if os.Getenv(crowdTimes) == "" { // it keeps a client waiting for half a minute, and every selftest plays it
					continue
				}
				plays, slots = SetupOf(fault).Scenarios, waiting
			}
			once(id, slots, s, plays, func(r recorded) string {
				b := assign(fault, r.report.Findings, nil)
				b.others = slices.DeleteFunc(b.others, func(a Accused) bool { return a.ID == "ENV-05" }) // the good server has that shape, too
				if b.word == Misattributed && len(b.others) == 0 {
					b.word = Caught
				}
				if b.word != Caught {
					return fmt.Sprint(b.word, " ", b.ownSays, " ", b.others)
				}
				return string(b.word)
			})
		}
		once("the good server", working, good, crowdPlays, func(r recorded) string {
			if wrong := alarms(r.report.Findings); len(wrong) > 0 {
				return fmt.Sprint("accused of ", wrong)
			}
			return "accused of nothing"
		})
	}
	begun := time.Now()
	all.Wait()
	for _, name := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%4d of %d  %s", count[name], times, name)
		if !strings.HasSuffix(name, ": "+string(Caught)) && !strings.HasSuffix(name, ": accused of nothing") {
			t.Errorf("%d of %d: %s", count[name], times, name)
		}
	}
	t.Logf("in %s", time.Since(begun).Round(time.Second))
}
