// Package process starts and ends children together with what they start
// themselves: a server is often a script that starts the real one.
package process
