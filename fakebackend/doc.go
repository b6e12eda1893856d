// Package fakebackend is a real MCP server, on the official Go SDK, over a small
// store of products, subscriptions and orders kept in memory. It serves the
// multi-item results[] contract as a good server would: one call for the whole
// set, one row for every requested item, and an effect log that says what really
// happened. It has known items, known delays, known limits and a known capacity,
// so that a harness can be tried against it.
//
// With Options.Faults it is bent in exactly the ways named there, and is a good
// server in every other respect.
//
// It knows nothing of who calls it, and imports nothing else of this module but an
// alarm clock.
package fakebackend
