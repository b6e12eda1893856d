package runner

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire"
)

func unanswered(sent, done int) *wire.Reply {
	return &wire.Reply{End: conform.TimedOut, Sent: time.Duration(sent), Done: time.Duration(done), Problem: "no answer"}
}

func TestSilenceStopsCallsOneAfterTheOther(t *testing.T) {
	var s silence
	for i := range mostSilence {
		why := s.note("a", unanswered(10*i+1, 10*i+10))
		if last := i == mostSilence-1; last != (why != "") {
			t.Fatalf("call %d: %q", i+1, why)
		}
	}
}

func TestSilenceCountsABurstOnce(t *testing.T) {
	var s silence
	for range 20 {
		if why := s.note("a", unanswered(1, 10)); why != "" {
			t.Fatal(why)
		}
	}
	if why := s.note("a", unanswered(11, 20)); why != "" {
		t.Errorf("after a burst and one call: %q", why)
	}
}

func TestSilenceOfOneToolStopsThatTool(t *testing.T) {
	var s silence
	for i := range mostSilence {
		if why := s.note("mute", unanswered(10*i+1, 10*i+5)); why != "" {
			t.Fatal(why)
		}
		if why := s.note("well", &wire.Reply{End: conform.Complete, Sent: time.Duration(10*i + 6), Done: time.Duration(10*i + 7)}); why != "" {
			t.Fatal(why)
		}
	}
	if why := s.of("mute"); !strings.Contains(why, "mute") {
		t.Errorf("the mute tool: %q", why)
	}
	if why := s.of("well"); why != "" {
		t.Errorf("the other tool: %q", why)
	}
}

func TestAnswerEndsSilence(t *testing.T) {
	var s silence
	for i := range 3 * mostSilence {
		reply := unanswered(10*i+1, 10*i+10)
		if i%mostSilence == mostSilence-1 {
			reply.End = conform.Complete
		}
		if why := s.note("a", reply); why != "" {
			t.Fatalf("call %d: %q", i+1, why)
		}
	}
}
