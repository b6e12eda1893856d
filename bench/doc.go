// Command bench sets our load beside the tools that people use for it, on the same
// server, in one run, in turn, and writes what came of it as a page of the documents:
//
//	go run ./bench -o docs/performance.md     about eight minutes, on Linux
//	go run ./bench -quick                     about two, to standard output
//	go run ./bench -only bare                 one part: bare, sdk-server, inside, time, view
//	go run ./bench profile -batch 100 -o cpu.prof
//
// Every figure is a median of rounds; what is compared is measured within one round, one
// after the other, and the ratio is taken there. So a machine that grows slower grows
// slower for both. The table of goals is filled in by what was measured, and by nothing
// else; where wrk is run twice against itself, its ratio says what ratios are worth here.
//
// It needs Go, and for the peers wrk (a package of Debian). The other peers are Go
// modules that tools.mod pins; they are compiled first. A peer that is not there is
// said to be missing, and its rows are empty. All of it stays on this machine's loopback
// and is bounded in time.
//
// The servers and clients are processes of their own: this program, started again with
// the word child.
package main
