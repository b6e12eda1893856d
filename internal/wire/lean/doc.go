// Package lean sends tools/calls that were encoded ahead of time, as fast as one
// goroutine can, and gives back what came: the bytes, the times, and of what sort
// a failure was. It judges no answer and repeats nothing.
//
// A session is opened by the wire client, which settles revision, header fields
// and address; what it settled is frozen (wire.Frozen), and lean goes on from
// there with a connection and buffers of its own for each virtual user:
//
//	way, err := lean.Plan(ctx, frozen, lean.Options{Now: clock})
//	conn, err := way.Open()            // one for each virtual user
//	conn.Do(&request, &answer)         // as often as one likes; no allocation
//	conn.Interrupt()                   // from anywhere: ends the call in flight
//	conn.Close()
//
// There are four ways. HTTP/1.1 is spoken by the package itself, plain or through
// crypto/tls, over one connection that is kept or opened anew for each call. What
// goes through a proxy, or to a server that prefers HTTP/2, goes through net/http:
// slower, and named so that a report can say it. A stdio server is one process for
// each virtual user, or one pipe that several share, with several calls in flight.
package lean
