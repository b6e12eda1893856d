// Package baseline keeps what a server is known to break, so that a CI job is red for
// what is new and for what is mended and still listed, and for nothing else.
//
// A baseline is a YAML file:
//
//	version: 1
//	failures:
//	  - check: CON-01
//	    operation: create-entities
//	    because: the file is written without a lock
//	    until: 2027-03-01
//	not_run:
//	  - check: VAL-05
//	    because: there is no probe for subscriptions
//
// An entry is for a check, or for a check on one operation, or of that in some
// scenarios only. It counts until the end of its day, or for ever. A rate makes its
// failure a flaky one: at most that share of what is looked at may fail, and none
// need.
package baseline
