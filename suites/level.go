package suites

import "github.com/mcpconform/mcpconform/conform"

// LevelOn gives the level that a check will be judged at on an operation (nil:
// on the server as a whole), as far as it is known before anything was asked.
// A finding may come out lower, for what its answers showed.
func LevelOn(check conform.Check, h conform.Header, op *conform.Operation) conform.Level {
	return level(check, &conform.Subject{Recording: &conform.Recording{Header: h}, Operation: op})
}
