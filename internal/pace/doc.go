// Package pace says when the calls of an open load are to be sent, and wakes up
// for them. Schedules are pure functions of a call's number: the same schedule and
// seed give the same instants on every machine, and N senders that each take every
// N-th number send the same stream as one. Only Pacer knows a clock.
//
//	schedule := pace.Constant(500)                 // calls a second
//	pacer := pace.NewPacer(now)                    // locks its goroutine to a thread
//	defer pacer.Release()
//	for n := 0; ; n++ {
//		at, ok := schedule.At(n)
//		if !ok { break }
//		late := pacer.Until(at)                    // send now; latency counts from at
//	}
//
// A ticket that is late is sent all the same, and its lateness kept.
package pace
