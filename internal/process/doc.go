// Package process starts and ends children together with what they start
// themselves: a server is often a script that starts the real one. It keeps what
// they said of why they ended.
package process
