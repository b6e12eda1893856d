package process

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Said keeps the lines by which a process tells why it ended: its first, the first
// that speaks of an error, and its last. The last alone is often a hint, and the
// first a place in a program. The zero value is ready; it is safe for concurrent
// use.
type Said struct {
	mu                  sync.Mutex
	current             []byte
	first, fault, final string
}

// longestSaid bounds a line, in bytes.
const longestSaid = 300

// ofError finds lines that name an error, as runtimes write them: "TypeError:",
// "panic:", "Exception in thread", "fatal error".
var ofError = regexp.MustCompile(`(?i)\b\w*(error|exception|panic|fatal)\b`)

// Add takes the next bytes that were written.
func (s *Said) Add(piece []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		part, rest, ended := bytes.Cut(piece, []byte("\n"))
		s.current = append(s.current, part[:min(len(part), longestSaid-len(s.current))]...)
		if !ended {
			return
		}
		s.first, s.fault, s.final = s.with()
		s.current, piece = s.current[:0], rest
	}
}

// with gives what is kept once the line under way is one.
func (s *Said) with() (first, fault, final string) {
	first, fault, final = s.first, s.fault, s.final
	text := strings.TrimSpace(string(s.current))
	if text == "" {
		return first, fault, final
	}
	if first == "" {
		first = text
	}
	if fault == "" && ofError.MatchString(text) {
		fault = text
	}
	return first, fault, text
}

// String quotes the lines in their order, each once; empty: there was none.
func (s *Said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, fault, final := s.with()
	var quoted []string
	for _, line := range []string{first, fault, final} {
		if text := strconv.Quote(line); line != "" && !slices.Contains(quoted, text) {
			quoted = append(quoted, text)
		}
	}
	return strings.Join(quoted, " … ")
}
