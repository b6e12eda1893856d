//go:build !linux

package proctree

func look(int) (process, error) { return process{}, ErrUnknown }

func everyone() ([]process, error) { return nil, ErrUnknown }
