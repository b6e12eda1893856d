// Package drive plays a play whose items are chosen: it sends the calls in their
// order, those of a burst together, follows what a validator resolved, and stops
// where the target is gone. It knows no transport and judges nothing; what it
// cannot ask it records as skipped, with the reason.
//
// Everything that is sent is settled before any of it goes out, except what a
// validator's answer decides. So the bytes of a call never depend on scheduling.
package drive
