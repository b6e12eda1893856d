package conform

import (
	"strings"
	"testing"
)

// watched makes a recording of looks and resets: "q:a=1,b=1" is a quiet look,
// "c:a=1" a look with canaries, "+" a reset that was acknowledged, "-" one that
// was not.
func watched(script ...string) *Recording {
	var list []Observation
	for i, word := range script {
		o := Observation{Seq: int64(i + 1)}
		switch word[0] {
		case '+', '-':
			o.Kind, o.PutBack = KindPutBack, &PutBack{What: "reset", Done: word == "+"}
		default:
			o.Kind, o.Effect = KindEffect, &Effect{Eyes: "the tool look", Phase: After}
			var states []State
			for _, pair := range strings.Split(word[2:], ",") {
				id, state, _ := strings.Cut(pair, "=")
				states = append(states, State{ID: id, Present: state != "", State: state})
			}
			if word[0] == 'q' {
				o.Effect.Phase, o.Effect.States = Quiet, states
			} else {
				o.Effect.Canaries = states
			}
		}
		list = append(list, o)
	}
	return NewRecording(Header{}, list)
}

func TestASharedTargetShows(t *testing.T) {
	for _, c := range []struct {
		name   string
		script []string
		shared string
	}{
		{"nothing seen", nil, ""},
		{"nothing moves", []string{"q:a=1", "q:a=1", "c:k=1", "+", "c:k=1", "c:k=1", "+", "c:k=1"}, ""},
		{"an item moves by itself", []string{"q:a=1,b=1", "q:a=1,b=2"}, "b moved from 1 to 2"},
		{"an item goes away by itself", []string{"q:a=1", "q:a="}, "a moved from 1 to absent"},
		{"a canary moves", []string{"c:k=1,l=1", "c:k=1,l=2"}, "l moved from 1 to 2"},
		{"the first reset changes a canary", []string{"c:k=2", "+", "c:k=1", "+", "c:k=1"}, ""},
		{"a canary is another after a later reset", []string{"c:k=2", "+", "c:k=1", "+", "c:k=2"}, "k moved from 1 to 2"},
		{"a reset that was refused", []string{"c:k=2", "-", "c:k=2", "+", "c:k=1", "+", "c:k=1"}, ""},
		{"between a reset and the next", []string{"+", "c:k=1", "c:k=2", "+"}, "k moved from 1 to 2"},
	} {
		if got := watched(c.script...).Shared(); (got == "") != (c.shared == "") || !strings.Contains(got, c.shared) {
			t.Errorf("%s: %q, wanted %q", c.name, got, c.shared)
		}
	}
}
