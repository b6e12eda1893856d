package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// signalled is the cause of a context that a signal ended.
type signalled struct{ sig os.Signal }

func (s signalled) Error() string {
	if s.sig == syscall.SIGTERM {
		return "interrupted by SIGTERM"
	}
	return "interrupted by SIGINT"
}

// code is the exit status that shells give a process ended by the signal.
func (s signalled) code() int {
	if s.sig == syscall.SIGTERM {
		return 143
	}
	return 130
}

// catchSignals ends the context at the first SIGINT or SIGTERM; the second ends
// the process at once.
func catchSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	caught := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case sig := <-caught:
			cancel(signalled{sig})
		case <-done:
			return
		}
		select {
		case sig := <-caught:
			os.Exit(signalled{sig}.code())
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(caught)
		close(done)
		cancel(nil)
	}
}
