package protocol

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// A program that cannot start was not ended by a call: exit 4 says so, and no rule.
func TestProcessThatEndsBeforeItsFirstAnswerFailsNoRule(t *testing.T) {
	exit := 3
	died := conform.Received{Channel: conform.ChannelExit, Exit: &exit, End: conform.Complete}
	before := newTape(stdio)
	before.ask("connect/s1/initialize", "s1", initialize, askInit)
	before.receive("", "s1", died)
	after := newTape(stdio)
	after.ask("connect/s1/initialize", "s1", initialize, askInit)
	after.get("connect/s1/initialize", "s1", goodInit)
	after.ask("c", "s1", cancel, askCancel)
	after.receive("", "s1", died)
	for name, c := range map[string]struct {
		tape *tape
		want conform.Verdict
	}{"before": {before, conform.Inconclusive}, "after": {after, conform.Fail}} {
		looks := exits(subject(c.tape))
		if len(looks) != 1 || looks[0].Verdict != c.want {
			t.Errorf("%s its first answer: %+v, wanted one look, %s", name, looks, c.want)
		}
	}
}
