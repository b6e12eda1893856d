package main

import (
	"net"
	"os"

	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/target"
)

// backend starts the built-in backend in this process; or says how a run starts it
// in one of its own.
func (f *targetFlags) backend() (url string, start *target.Start, stop func(), err error) {
	if !f.apart {
		running, err := fakebackend.Start(fakebackend.Options{})
		if err != nil {
			return "", nil, nil, err
		}
		return running.URL, nil, func() { _ = running.Close() }, nil // the process ends anyway
	}
	url, start, err = ownBackend()
	return url, start, func() {}, err
}

// ownBackend says how a run starts the fake backend in a process of its own.
func ownBackend(flags ...string) (url string, start *target.Start, err error) {
	own, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		return "", nil, err
	}
	command := append([]string{own, "fakebackend", "--http", address}, flags...)
	return "http://" + address + "/mcp", &target.Start{Command: command, Timeout: target.DefaultStart}, nil
}

// builtin is the target file of the fake backend, pointed at one.
func builtin(url string, start *target.Start) (*target.File, error) {
	file, err := target.Load("builtin:fakebackend", func(string) (string, bool) { return "", false })
	if err != nil {
		return nil, err
	}
	server, err := target.ServerAt(url, nil)
	if err != nil {
		return nil, err
	}
	server.Start = start
	return file.WithServer(server), nil
}

// floor is the fake backend in its fast mode: the run starts it and ends it.
func floor() (*target.File, func(), error) {
	url, start, err := ownBackend("--fast", "--json")
	if err != nil {
		return nil, nil, err
	}
	file, err := builtin(url, start)
	return file, func() {}, err
}
