package measure

import "time"

// Sample is one call of a load run, as it is counted. Times are on the run's clock.
type Sample struct {
	Intended, Sent, First, Done time.Duration // First 0: no byte came; Sent 0: nothing went out
	Outcome                     Outcome
	Items                       int
	Out, In, Message            int // bytes; the message is what of the answer is read
	Verified                    How
	Failure                     string        // of a Failed one, in a word or two
	Served                      time.Duration // the server's own time, as it tells it; only where Timed
	Timed                       bool
	Form                        string // how the answer came: FormJSON, FormSSE, FormStdio; empty: none did
}

// Joined makes one sample of two calls that belong together. Its time is that of both,
// without the pause between them; its outcome is the worse one.
func Joined(first, second Sample, pause time.Duration) Sample {
	s := second
	s.Intended, s.Sent = first.Intended+pause, first.Sent+pause
	if first.First > 0 {
		s.First = first.First + pause
	}
	s.Out, s.In, s.Message = first.Out+second.Out, first.In+second.In, first.Message+second.Message
	s.Form = alike(first.Form, second.Form)
	if worse[first.Outcome] > worse[second.Outcome] {
		s.Outcome, s.Verified, s.Failure = first.Outcome, first.Verified, first.Failure
	}
	return s
}

// worse orders outcomes.
var worse = [4]int{OK: 0, Unjudged: 1, Wrong: 2, Failed: 3}

// Outcome says how a load run's call counts.
type Outcome uint8

// The outcomes.
const (
	Failed Outcome = iota
	OK
	Wrong
	Unjudged
)

// How says how an outcome was found.
type How uint8

// The ways; Unasked is of a call that had no answer to judge.
const (
	Unasked How = iota
	Memory
	Pass
	Strict
	Envelope
)

// Window is the time in which calls are measured.
type Window struct {
	From, To time.Duration
	// Parts is into how many parts of equal length its latencies are divided besides; 0:
	// they are not.
	Parts int
}

func (w Window) holds(at time.Duration) bool { return at >= w.From && at < w.To }

// Tally is what one virtual user measured in one window. The zero value with its
// Window is ready; it takes tens of kilobytes, whatever the number of calls. Not for
// use by several goroutines at once.
//
// Latencies are those of the calls that were meant to be sent in the window, however
// late their answers come. Rates count the answers that came in the window, whenever
// their calls were sent: so neither is cut short at the window's ends.
type Tally struct {
	Window   Window
	calls    [4]int // by Outcome
	items    int
	verified [5]int // by How
	out, in  int64
	message  int64
	form     string
	answered int
	came     [4]int // in the window, by Outcome
	goods    int    // items of the OK ones that came in the window

	latency, service, first, lag, bad, unjudged Times

	// Of OK calls whose answer tells the server's own time: that, and the rest of the
	// service time.
	served, apart Times

	failures map[string]int
	seconds  []second
	tick     time.Duration // that each of them is; 0: there is none
	parts    []Times       // of Window.Parts: the latencies of the calls meant in each
}

type second struct {
	came  [4]int
	items int
	sum   time.Duration
	max   time.Duration
}

// Add counts one call.
func (t *Tally) Add(s *Sample) {
	if t.Window.holds(s.Done) {
		t.came[s.Outcome]++
		t.inSecond(s)
		if s.Outcome == OK {
			t.goods += s.Items
		}
	}
	if !t.Window.holds(s.Intended) {
		return
	}
	t.calls[s.Outcome]++
	t.verified[s.Verified]++
	if s.Sent > 0 {
		t.lag.Add(s.Sent - s.Intended)
		t.out += int64(s.Out)
	}
	t.form = alike(t.form, s.Form)
	if s.First > 0 {
		t.answered++
		t.in += int64(s.In)
		t.message += int64(s.Message)
		t.first.Add(s.First - s.Sent)
	}
	took := s.Done - s.Intended
	switch s.Outcome {
	case OK:
		t.items += s.Items
		t.latency.Add(took)
		t.inPart(s.Intended, took)
		t.service.Add(s.Done - s.Sent)
		if s.Timed {
			t.served.Add(s.Served)
			t.apart.Add(s.Done - s.Sent - s.Served)
		}
	case Unjudged:
		t.unjudged.Add(took)
	case Failed:
		if t.failures == nil {
			t.failures = map[string]int{}
		}
		t.failures[s.Failure]++
		if s.First > 0 {
			t.bad.Add(took)
		}
	default:
		t.bad.Add(took)
	}
}

func (t *Tally) inPart(intended, took time.Duration) {
	w := t.Window
	if w.Parts == 0 {
		return
	}
	if t.parts == nil {
		t.parts = make([]Times, w.Parts)
	}
	t.parts[w.Part(intended)].Add(took)
}

// tick is the length of an entry of the window's time line: a second, and more where
// there would be more than mostSeconds.
func (w Window) tick() time.Duration {
	return max(time.Second, (w.To-w.From+mostSeconds*time.Second-1)/(mostSeconds*time.Second)*time.Second)
}

// Part gives the number of the part in which an instant of the window lies.
func (w Window) Part(at time.Duration) int {
	return min(w.Parts-1, max(0, int(float64(at-w.From)/float64(w.To-w.From)*float64(w.Parts))))
}

func (t *Tally) inSecond(s *Sample) {
	if t.tick == 0 {
		t.tick = t.Window.tick()
	}
	n := int((s.Done - t.Window.From) / t.tick)
	for len(t.seconds) <= n {
		t.seconds = append(t.seconds, second{})
	}
	at := &t.seconds[n]
	at.came[s.Outcome]++
	if s.Outcome == OK {
		took := s.Done - s.Intended
		at.items += s.Items
		at.sum += took
		at.max = max(at.max, took)
	}
}

// Merge adds what another user measured in the same window.
func (t *Tally) Merge(other *Tally) {
	for i := range t.calls {
		t.calls[i] += other.calls[i]
		t.came[i] += other.came[i]
	}
	for i := range t.verified {
		t.verified[i] += other.verified[i]
	}
	t.items += other.items
	t.goods += other.goods
	t.out += other.out
	t.in += other.in
	t.message += other.message
	t.answered += other.answered
	t.form = alike(t.form, other.form)
	t.latency.Merge(&other.latency)
	t.service.Merge(&other.service)
	t.first.Merge(&other.first)
	t.lag.Merge(&other.lag)
	t.bad.Merge(&other.bad)
	t.unjudged.Merge(&other.unjudged)
	t.served.Merge(&other.served)
	t.apart.Merge(&other.apart)
	for what, n := range other.failures {
		if t.failures == nil {
			t.failures = map[string]int{}
		}
		t.failures[what] += n
	}
	if t.parts == nil && other.parts != nil {
		t.parts = make([]Times, len(other.parts))
	}
	for i := range other.parts {
		t.parts[i].Merge(&other.parts[i])
	}
	t.tick = max(t.tick, other.tick)
	for i, s := range other.seconds {
		if i == len(t.seconds) {
			t.seconds = append(t.seconds, second{})
		}
		at := &t.seconds[i]
		for k := range at.came {
			at.came[k] += s.came[k]
		}
		at.items += s.items
		at.sum += s.sum
		at.max = max(at.max, s.max)
	}
}

// Calls gives how many calls were meant to be sent in the window, by outcome.
func (t *Tally) Calls() (ok, failed, wrong, unjudged int) {
	return t.calls[OK], t.calls[Failed], t.calls[Wrong], t.calls[Unjudged]
}

// Came gives how many calls came to an end in the window, whatever came of them.
func (t *Tally) Came() int { return t.came[OK] + t.came[Failed] + t.came[Wrong] + t.came[Unjudged] }

// Rate gives the OK answers a second; 0 of an empty window.
func (t *Tally) Rate() float64 { return t.perSecond(t.came[OK]) }

// ItemRate gives the items of the OK answers a second.
func (t *Tally) ItemRate() float64 { return t.perSecond(t.goods) }

func (t *Tally) perSecond(n int) float64 {
	if t.Window.To <= t.Window.From {
		return 0
	}
	return float64(n) / (t.Window.To - t.Window.From).Seconds()
}

// Latency gives the latencies of the OK calls, from when they were meant to be sent.
func (t *Tally) Latency() *Times { return &t.latency }

// Service gives their service times, from when they were sent.
func (t *Tally) Service() *Times { return &t.service }

// Lag gives how late calls went out.
func (t *Tally) Lag() *Times { return &t.lag }
