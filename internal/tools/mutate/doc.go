// Command mutate tries the checks out: it changes contract and suites in
// thousands of small ways, one at a time, and requires that somebody notices.
//
//	go run ./internal/tools/mutate [-packages LIST] [-files PATTERNS] [-sample N -seed S] [-o docs/mutation.md]
//
// Two witnesses are asked. The first are the tests of the mutated packages. What
// they let pass is put to the second: the runs of a selftest, written down once
// and judged again, where a mutant is noticed if the selftest's table would come
// out otherwise.
//
// A package is compiled once, with all its mutants in it, each behind a switch
// (package switches). A first run of every test tells which mutants would have
// changed anything that it computes; only those tests are played for a mutant.
//
// docs/mutation.md says what is mutated, what is not, and what survives.
package main
