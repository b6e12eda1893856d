package main

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
)

// excused are the mutants that may survive, with the reason of each. A file of
// them has keys, a line each, and below them the indented reason that they
// share; # begins a remark. A key that ends in ": *" stands for every mutant of a
// function.
type excused struct {
	reasons map[string]string
	order   []string
}

func readExcused(name string, text []byte) (*excused, error) {
	e := &excused{reasons: map[string]string{}}
	var keys []string
	reason := ""
	settle := func(line int) error {
		if len(keys) > 0 && reason == "" {
			return fmt.Errorf("%s:%d: %q has no reason: write it below, indented", name, line, keys[0])
		}
		for _, k := range keys {
			e.reasons[k] = reason
		}
		keys, reason = nil, ""
		return nil
	}
	number := 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		number++
		line := lines.Text()
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t':
			if len(keys) == 0 {
				return nil, fmt.Errorf("%s:%d: a reason without a mutant above it", name, number)
			}
			reason = strings.TrimSpace(reason + " " + trimmed)
		default:
			if reason != "" {
				if err := settle(number); err != nil {
					return nil, err
				}
			}
			for _, known := range e.order {
				if known == trimmed {
					return nil, fmt.Errorf("%s:%d: %q is there twice", name, number, trimmed)
				}
			}
			keys, e.order = append(keys, trimmed), append(e.order, trimmed)
		}
	}
	return e, settle(number)
}

// of gives the entry that excuses a mutant; "" if none does.
func (e *excused) of(m mutant) string {
	for _, entry := range []string{m.key(), fmt.Sprintf("%s: %s: *", m.pkg, m.function)} {
		if _, listed := e.reasons[entry]; listed {
			return entry
		}
	}
	return ""
}
