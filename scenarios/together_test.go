package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/target"
)

// keyed is plain with idempotency keys and a validator, and a list of two bad items.
func keyed(good int) *Operation {
	o := plain(good, 2)
	o.Idempotency, o.KeyArgument = conform.Present, "key"
	o.Validator, o.ValidatorTool = conform.Present, "check"
	return o
}

// reading only reads.
func reading(good int) *Operation {
	o := plain(good, 1)
	o.Name, o.Tool, o.Write, o.Consumes = "look", "look", false, false
	o.Good = numbered(`"R%d"`, good)
	return o
}

// said writes a play's calls: name, session, role, the items with their truth.
func said(b conform.BoundPlay) string {
	var lines []string
	for _, c := range b.Calls() {
		line := fmt.Sprintf("%s %s %s:", strings.TrimPrefix(c.ID, b.Instance+"/"), c.Session, c.Planned.Role)
		for _, item := range c.Planned.Items {
			line += fmt.Sprintf(" %s%s", strings.Trim(string(item.Given), `"`), map[conform.Truth]string{conform.Good: "+", conform.Bad: "-", conform.Unknown: "?"}[item.Truth])
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func bindOnly(t *testing.T, p *Plan) conform.BoundPlay {
	t.Helper()
	if len(p.Plays) != 1 {
		t.Fatalf("%d plays; skipped: %+v", len(p.Plays), p.Skipped)
	}
	b, skip := p.Bind(p.Plays[0], NewSupply(3))
	if skip != nil {
		t.Fatal(skip.Reason)
	}
	return b
}

func TestWhatCallsInFlightTogetherAskFor(t *testing.T) {
	const steps = "steps: [{parallel: batch, %s}]\nvariants:\n  v: {batch: %s}"
	for name, c := range map[string]struct {
		with, batch string
		want        map[int]int // how many items are asked for by so many calls
	}{
		"items of their own": {"calls: 3", "[good x 2]", map[int]int{1: 6}},
		"the same":           {"calls: 3, items: same", "[good x 2]", map[int]int{3: 2}},
		"overlapping":        {"calls: 3, items: overlapping", "[good x 4]", map[int]int{3: 2, 1: 6}},
		"overlapping by one": {"calls: 2, items: overlapping", "[good, good, good]", map[int]int{2: 1, 1: 4}},
		"beside a large one": {"calls: 3, beside: [many x 5]", "[good]", map[int]int{1: 7}},
	} {
		t.Run(name, func(t *testing.T) {
			b := bindOnly(t, planOf(t, keyed(20), fmt.Sprintf(steps, c.with, c.batch), Options{}))
			asked, good := map[string]int{}, map[string]bool{}
			for _, call := range b.Calls() {
				for _, item := range call.Planned.Items {
					asked[string(item.Given)]++
					good[string(item.Given)] = item.Truth == conform.Good
				}
			}
			counts := map[int]int{}
			for item, n := range asked {
				if counts[n]++; good[item] != (n == 1) {
					t.Errorf("%s is asked for by %d calls, and known to be good: %v", item, n, good[item])
				}
			}
			if fmt.Sprint(counts) != fmt.Sprint(c.want) {
				t.Errorf("asked for %v, wanted %v:\n%s", counts, c.want, said(b))
			}
		})
	}
}

func TestEverySecondCallAsksTheOtherWayRound(t *testing.T) {
	b := bindOnly(t, planOf(t, plain(20, 0), "steps: [{parallel: batch, calls: 2, items: overlapping}]\nvariants:\n  v: {batch: [good x 4]}", Options{}))
	one, two := b.Calls()[0].Planned.Items, b.Calls()[1].Planned.Items
	if string(one[0].Given) != string(two[3].Given) || string(one[1].Given) != string(two[2].Given) {
		t.Errorf("the shared items stand in the same order:\n%s", said(b))
	}
}

func TestTheKeysOfCallsInFlightTogether(t *testing.T) {
	for with, want := range map[string]int{"key: same, items: same": 1, "key: own, items: same": 4, "key: own": 4, "items: same": 0} {
		b := bindOnly(t, planOf(t, keyed(20), "steps: [{parallel: [good], calls: 4, "+with+"}]\nvariants:\n  v: {}", Options{}))
		keys := map[string]bool{}
		for _, call := range b.Calls() {
			if call.Planned.Key != "" {
				keys[call.Planned.Key] = true
			}
		}
		if len(keys) != want {
			t.Errorf("%s: %d keys, wanted %d", with, len(keys), want)
		}
	}
}

// An operation whose items stay good may be asked for them at once, but not under
// one key: a server may have the others wait.
func TestWhatIsKnownOfItemsThatStayGood(t *testing.T) {
	for with, want := range map[string]conform.Truth{"items: same": conform.Good, "items: same, key: same": conform.Unknown} {
		o := keyed(5)
		o.Semantics = "idempotent"
		b := bindOnly(t, planOf(t, o, "steps: [{parallel: [good], calls: 2, "+with+"}]\nvariants:\n  v: {}", Options{}))
		if got := b.Calls()[1].Planned.Items[0].Truth; got != want {
			t.Errorf("%s: %q, wanted %q", with, got, want)
		}
	}
}

func TestCallsOfOtherKindsTakeTurns(t *testing.T) {
	p, err := compile([]*Operation{keyed(20), reading(3)}, nil, Options{Scenarios: []*Scenario{script(t,
		"for: {effect: write}\nsteps: [{parallel: batch, calls: 5, among: [validate, read]}, {execute: [good], as: afterwards}]\nvariants:\n  v: {batch: [good, bad]}")}})
	if err != nil {
		t.Fatal(err)
	}
	b := bindOnly(t, p)
	var roles []string
	for _, c := range b.Calls() {
		roles = append(roles, c.Planned.Operation+" "+string(c.Planned.Role)+" "+c.Planned.Tool)
	}
	want := "op primary t, op validator check, look primary look, op primary t, op validator check, op primary t"
	if got := strings.Join(roles, ", "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := fmt.Sprint(p.Plays[0].Mixed()); got != "[check look]" {
		t.Errorf("mixed with %s", got)
	}
	if reads := b.Calls()[2]; reads.Write || reads.Planned.Burst != b.Calls()[0].Planned.Burst || len(reads.Planned.Items) != 1 {
		t.Errorf("the call that reads: %+v", reads)
	}
}

func TestNothingToMixWith(t *testing.T) {
	const mixed = "steps: [{parallel: batch, calls: 4, among: [validate, read]}]\nvariants:\n  v: {batch: [good]}"
	for name, c := range map[string]struct {
		validator conform.Presence
		want, key string
	}{
		"declared absent": {conform.Absent, "neither a validator nor an operation that only reads", ""},
		"not said":        {conform.Unsaid, "the target file says nothing of a validator", "operations.op.validator"},
	} {
		o := plain(9, 0)
		o.Validator = c.validator
		p := planOf(t, o, mixed, Options{})
		if len(p.Plays) != 0 || !strings.Contains(p.Skipped[0].Reason, c.want) || p.Skipped[0].Key != c.key {
			t.Errorf("%s: %+v", name, p.Skipped)
		}
	}
	o := plain(9, 0)
	o.Validator, o.ValidatorTool = conform.Present, "check"
	if p := planOf(t, o, mixed, Options{}, conform.Tooling{Name: "t"}); len(p.Plays) != 0 {
		t.Error("a validator that the server does not list is called")
	}
}

func TestHowManyAreInFlight(t *testing.T) {
	const several = "steps: [{parallel: batch}]\nvariants:\n  v: {sessions: several, batch: [good]}"
	const one = "steps: [{parallel: batch}]\nvariants:\n  v: {batch: [good]}"
	for name, c := range map[string]struct {
		text     string
		options  Options
		limit    int
		calls    int
		sessions int
		smaller  string
	}{
		"several sessions":               {several, Options{}, 0, 64, 8, ""},
		"one session":                    {one, Options{}, 0, 8, 1, ""},
		"as the run says":                {several, Options{Sessions: 3, InFlight: 4}, 0, 12, 3, ""},
		"one session, as the run says":   {one, Options{Sessions: 3, InFlight: 4}, 0, 4, 1, ""},
		"never below two":                {one, Options{InFlight: 1}, 0, 2, 1, ""},
		"within what the target allows":  {several, Options{}, 10, 10, 8, "10 calls at once in place of 64: `limits.in_flight` in the target file allows no more"},
		"a number of the scenario's own": {"steps: [{parallel: batch, calls: 5}]\nvariants:\n  v: {sessions: 2, batch: [good]}", Options{Sessions: 9, InFlight: 9}, 0, 5, 2, ""},
	} {
		o := plain(100, 0)
		o.Limits = target.Limits{InFlight: c.limit}
		b := bindOnly(t, planOf(t, o, c.text, c.options))
		sessions := map[string]bool{}
		for _, call := range b.Calls() {
			sessions[call.Session] = true
		}
		if len(b.Calls()) != c.calls || len(sessions) != c.sessions || b.Smaller != c.smaller {
			t.Errorf("%s: %d calls on %d sessions, %q", name, len(b.Calls()), len(sessions), b.Smaller)
		}
	}
}

func TestWhereCallsCannotMeet(t *testing.T) {
	const several = "steps: [{parallel: batch}]\nvariants:\n  v: {sessions: several, batch: [good]}"
	o := plain(100, 0)
	o.Limits.InFlight = 1
	if p := planOf(t, o, several, Options{}); len(p.Plays) != 0 || p.Skipped[0].Key != "limits.in_flight" {
		t.Errorf("one call at a time: %+v", p.Skipped)
	}
	if p := planOf(t, plain(100, 0), several, Options{Sessions: 1}); len(p.Plays) != 0 || !p.Skipped[0].Narrowed {
		t.Errorf("--sessions 1: %+v", p.Skipped)
	}
	o = plain(100, 0)
	o.Alone = true
	for name, text := range map[string]string{"several sessions": several, "another session": "steps: [{execute: batch, session: other}]\nvariants:\n  v: {batch: [good]}"} {
		if p := planOf(t, o, text, Options{}); len(p.Plays) != 0 || !p.Skipped[0].NotApplicable {
			t.Errorf("%s over stdio: %+v", name, p.Skipped)
		}
	}
}

func TestAKeyThatStandsForOtherItems(t *testing.T) {
	b := bindOnly(t, planOf(t, keyed(9), "steps: [{execute: batch, key: true, as: first}, {execute: [good], key_of: first, session: other, as: second}]\nvariants:\n  v: {batch: [good]}", Options{}))
	first, second := b.Calls()[0], b.Calls()[1]
	if second.Planned.Key != first.Planned.Key || second.Planned.KeyOf != first.ID || second.Planned.Role != conform.RoleConflict || second.Session != "s2" || !second.Write {
		t.Errorf("%+v", second)
	}
	if string(second.Planned.Items[0].Given) == string(first.Planned.Items[0].Given) {
		t.Error("it asks for the same")
	}
}

// What is played together is enlarged and cut down like any play: the calls first.
func TestFewItemsMakeFewerCallsTogether(t *testing.T) {
	for name, c := range map[string]struct {
		with  string
		good  int
		calls int
		items int // of the largest call
	}{
		"the same":           {"calls: 8, items: same", 2, 8, 2},
		"overlapping":        {"calls: 8, items: overlapping", 5, 4, 2},
		"beside a large one": {"calls: 8, beside: [many x 6]", 9, 2, 6},
	} {
		b := bindOnly(t, planOf(t, plain(c.good, 0), "steps: [{parallel: batch, "+c.with+"}]\nvariants:\n  v: {batch: [good x 2]}", Options{}))
		largest := 0
		for _, call := range b.Calls() {
			largest = max(largest, len(call.Planned.Items))
		}
		if len(b.Calls()) != c.calls || largest != c.items {
			t.Errorf("%s: %d calls, the largest of %d:\n%s", name, len(b.Calls()), largest, said(b))
		}
	}
}
