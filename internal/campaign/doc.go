// Package campaign plays a load campaign: cells of operation, batch size and
// concurrency, in rounds, each round in an order of its own, so that a machine that
// grows slower is slower for all of them. What a call is and how its answer is judged
// is package load's; when calls are due is package pace's; what came of them goes
// into package measure's tallies.
//
//	bench := &campaign.Bench{…}                       // one server, reached
//	cells := []*campaign.Cell{{Operation: …}, …}
//	err := bench.Prepare(ctx, cells)                   // templates, each sent once
//	result := campaign.Play(ctx, bench, cells, plan)
//
// A window is one cell's time in one round: a warm-up that is not measured, the time
// that is, and the end of the calls that are still out.
package campaign
