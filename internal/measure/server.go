package measure

import "time"

// ServerSide is what a load run saw of the server itself, beside its answers; nil and
// empty is what nobody knows.
type ServerSide struct {
	// Process is of the processes of the server, where they are known.
	Process *Process `json:"process,omitempty"`
	// TimingMS is the server's own time of the OK calls whose answer has one in
	// Server-Timing; ApartMS is their service time less that: the way, and what stands on it.
	TimingMS *Quantiles `json:"timing_ms,omitempty"`
	ApartMS  *Quantiles `json:"apart_ms,omitempty"`
	// Series are some of the server's own metrics.
	Series []Series `json:"series,omitempty"`
}

// Process is what the server's processes used while a row was measured, all rounds
// together, without their warm-up. Memory is what is resident, in bytes; a page that
// several of them share counts for each.
type Process struct {
	CPUSeconds   float64  `json:"cpu_seconds"`
	CPUShare     float64  `json:"cpu_share"` // of one core, 0 to 1 per core
	CPUPerCallUS *float64 `json:"cpu_per_call_us"`
	CPUPerItemUS *float64 `json:"cpu_per_item_us"`
	// OwnPart is the processor time of mcpconform, as a part of what both used; nil
	// where neither is known to have used any.
	OwnPart       *float64 `json:"own_part"`
	ResidentStart int64    `json:"resident_start"` // of the first round
	ResidentEnd   int64    `json:"resident_end"`   // of the last
	ResidentPeak  int64    `json:"resident_peak"`  // of what was seen, ten times a second
	Threads       int      `json:"threads"`        // the most
	Processes     int      `json:"processes"`      // the most
}

// Use is what the server's processes and mcpconform used in one window.
type Use struct {
	Took             time.Duration
	Server, Own      time.Duration // of processors
	Start, End, Peak int64         // resident
	Threads          int
	Processes        int
	Calls, Items     int // sent in that time, whatever came back
	// Resident is what was resident when it was looked, by the window's parts; nil where it
	// has none.
	Resident [][]float64
}

// Uses are those of a cell's windows, in their order. The zero value is ready.
type Uses struct{ each []Use }

// Add takes a window that has ended.
func (u *Uses) Add(one Use) { u.each = append(u.each, one) }

// Resident is that of the last window; nil where nothing was seen by parts.
func (u *Uses) Resident() [][]float64 {
	if len(u.each) == 0 {
		return nil
	}
	return u.each[len(u.each)-1].Resident
}

// Process sums the windows up; nil where there is none.
func (u *Uses) Process() *Process {
	if len(u.each) == 0 {
		return nil
	}
	var sum Use
	for _, one := range u.each {
		sum.Took += one.Took
		sum.Server += max(0, one.Server)
		sum.Own += one.Own
		sum.Calls += one.Calls
		sum.Items += one.Items
		sum.Peak = max(sum.Peak, one.Start, one.End, one.Peak)
		sum.Threads, sum.Processes = max(sum.Threads, one.Threads), max(sum.Processes, one.Processes)
	}
	p := &Process{
		CPUSeconds: *significant(sum.Server.Seconds()), ResidentStart: u.each[0].Start, ResidentEnd: u.each[len(u.each)-1].End, ResidentPeak: sum.Peak,
		Threads: sum.Threads, Processes: sum.Processes,
		CPUPerCallUS: microseconds(sum.Server, sum.Calls), CPUPerItemUS: microseconds(sum.Server, sum.Items),
	}
	if sum.Took > 0 {
		p.CPUShare = *significant(sum.Server.Seconds() / sum.Took.Seconds())
	}
	if both := sum.Own + sum.Server; both > 0 {
		p.OwnPart = significant(sum.Own.Seconds() / both.Seconds())
	}
	return p
}

func microseconds(of time.Duration, n int) *float64 {
	if n == 0 {
		return nil
	}
	return significant(of.Seconds() * 1e6 / float64(n))
}

// Seen gives what was seen of the server, to add to.
func (l *LoadRow) Seen() *ServerSide {
	if l.Server == nil {
		l.Server = &ServerSide{}
	}
	return l.Server
}
