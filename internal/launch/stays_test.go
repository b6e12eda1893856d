package launch

import (
	"os/exec"
	"strings"
	"testing"
)

// A port that was free a moment ago may be somebody else's by now: what answers
// there is not the server that was started.
func TestSomebodyElsesPortIsNotTheServers(t *testing.T) {
	s := &Server{command: &exec.Cmd{}, ended: make(chan struct{})}
	if err := s.stays("http://127.0.0.1:1"); err != nil {
		t.Errorf("it has not ended: %v", err)
	}
	s.words.Add([]byte("address already in use\n"))
	close(s.ended)
	if err := s.stays("http://127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "something else answers at http://127.0.0.1:1; it wrote: \"address already in use\"") {
		t.Errorf("%v", err)
	}
}
