//go:build !linux

package alarm

func newTimer() timer { return newPlainTimer() }
