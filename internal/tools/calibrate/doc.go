// Command calibrate compares our protocol checks with the official conformance
// suite of MCP, on the same servers, and lists where they differ.
//
//	go run ./internal/tools/calibrate -check
//	go run ./internal/tools/calibrate -o docs/calibration.md
//
// It installs the suite, the Node that the suite needs and a server to try both
// on from npm, into the folder given with -install or one that it removes again.
// It starts every server on a port of the loopback address, lets both judge it,
// and compares what they say of each rule that both speak of. Where only one of
// them accuses the server, the table fixtures/calibration/triage.yaml must say
// who is right and why.
//
// Exit code 1: a difference is not in the table, an entry of the table is no
// difference any more, a server that is good was accused or a faulty one was not,
// a port that nobody listens on passed, or, with -check, docs/calibration.md is
// not what the comparison gives. Exit code 2: it could not be made. Exit code 3:
// this machine lacks npm, a registry that answers, or a Node of version 22.
//
// The suite is a witness, not a judge: nothing of it is a part of the product,
// and mcpconform does not need it.
package main
