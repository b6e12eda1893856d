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
