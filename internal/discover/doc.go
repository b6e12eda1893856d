// Package discover guesses, from what a server lists, which of its tools take
// several items, what stands beside them (validator, eyes, reset), and which items
// they may be asked for; and writes the guess as a target file. Structure comes
// first, words second: what a schema shows outweighs what a name suggests. Every
// guess carries its evidence, and every gap says what is missing.
//
// It does no I/O. What has to be asked of the server is asked through a function
// that the caller gives (Learn), and nothing is asked but tools that only read.
package discover
