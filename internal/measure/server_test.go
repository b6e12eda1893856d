package measure

import (
	"testing"
	"time"
)

// What a server used is summed over the windows, and shared out among all that was
// asked of it.
func TestWhatAServerUsedIsSharedOut(t *testing.T) {
	var u Uses
	if u.Process() != nil {
		t.Error("nothing was seen, and something is told")
	}
	u.Add(Use{Took: time.Second, Server: 600 * ms, Own: 50 * ms, Start: 100, End: 120, Peak: 110, Threads: 5, Processes: 2, Calls: 100, Items: 1000})
	u.Add(Use{Took: time.Second, Server: 200 * ms, Own: 150 * ms, Start: 120, End: 115, Peak: 180, Threads: 4, Processes: 3, Calls: 100, Items: 1000})
	p := u.Process()
	if p.CPUSeconds != 0.8 || p.CPUShare != 0.4 || *p.CPUPerCallUS != 4000 || *p.CPUPerItemUS != 400 || *p.OwnPart != 0.2 {
		t.Errorf("%+v: %v a call, %v an item, ours %v", p, *p.CPUPerCallUS, *p.CPUPerItemUS, *p.OwnPart)
	}
	if p.ResidentStart != 100 || p.ResidentEnd != 115 || p.ResidentPeak != 180 || p.Threads != 5 || p.Processes != 3 {
		t.Errorf("%+v", p)
	}
}

// Where no call was made nothing is divided by their number; and processor time that
// seems to run backwards, as that of children whom nobody waited for, is none.
func TestAServerThatDidNothing(t *testing.T) {
	var u Uses
	u.Add(Use{Server: -20 * ms})
	if p := u.Process(); p.CPUSeconds != 0 || p.CPUPerCallUS != nil || p.CPUPerItemUS != nil || p.OwnPart != nil || p.CPUShare != 0 {
		t.Errorf("%+v", p)
	}
}

// The server's own time of a call, where its answer tells it, stands beside the rest of
// the time since it was sent; what failed or does not tell it is in neither.
func TestTheServersOwnTimeStandsBesideTheRest(t *testing.T) {
	var a, b Tally
	a.Window, b.Window = Window{To: time.Second}, Window{To: time.Second}
	for i := range 6 {
		s := ok(time.Duration(i)*ms, 2*ms, 50*ms)
		s.Served, s.Timed = 40*ms, i != 5
		a.Add(s)
		failed := *s
		failed.Outcome, failed.Served = Failed, 900*ms
		a.Add(&failed)
	}
	b.Add(&Sample{Sent: ms, First: ms, Done: 2 * ms, Outcome: OK, Served: 30 * ms, Timed: true}) // its clock says more than ours
	a.Merge(&b)
	var rounds Rounds
	rounds.Add(&a)
	l := rounds.Row(10).Loaded
	if l.Server == nil || l.Server.Process != nil {
		t.Fatalf("%+v", l.Server)
	}
	own, apart := l.Server.TimingMS, l.Server.ApartMS
	if *own.Max != 40 || *own.Min != 30 || *own.P50 != 40 || *apart.Max != 10 || *apart.Min != 0 || *apart.P50 != 10 {
		t.Errorf("own %v to %v, apart %v to %v", *own.Min, *own.Max, *apart.Min, *apart.Max)
	}
	var untold Rounds
	untold.Add(&Tally{Window: Window{To: time.Second}})
	if l := untold.Row(10).Loaded; l.Server != nil {
		t.Errorf("%+v", l.Server)
	}
}
