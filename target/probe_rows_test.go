package target

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestStatesInAFlatText(t *testing.T) {
	text := func(s string) string { return `{"content":[{"type":"text","text":` + s + `}]}` }
	lines := &Probe{Means: Means{Tool: "read"}, ID: "line", State: stateOfText, Rows: &TextRows{Split: `\n`, ID: `^- (.+?)(?:: .*)?$`}}
	told := *lines
	told.Rows = &TextRows{Split: `\n`, ID: lines.Rows.ID, State: `: (.*)$`}
	gone := *lines
	gone.Done = &Done{Presence: conform.Absent}
	called := *lines
	called.ID = "state"
	inside := told
	inside.Path = "$.file"
	for _, c := range []struct {
		name   string
		probe  *Probe
		answer string
		ids    []string
		want   string
	}{
		{"to be there is the state", lines, text(`"ledger\n- a\n- b: done\n"`), []string{"b", "c"},
			`[{"id":"b","present":true,"state":"\"present\""},{"id":"c","present":false}]`},
		{"the state stands in the row", &told, text(`"- a\n- b: done"`), []string{"a", "b"},
			`[{"id":"a","present":true,"state":"\"\""},{"id":"b","present":true,"state":"\"done\""}]`},
		{"done when gone", &gone, text(`"- a"`), []string{"a", "b"},
			`[{"id":"a","present":true,"state":"\"present\"","done":false},{"id":"b","present":false,"done":true}]`},
		{"composed and decomposed are one id", lines, text(`"- Caf\u00e9"`), []string{"Cafe\u0301"}, "[{\"id\":\"Cafe\u0301\",\"present\":true,\"state\":\"\\\"present\\\"\"}]"},
		{"several texts", lines, `{"content":[{"type":"text","text":"- a"},{"type":"text","text":"- b"}],"structuredContent":{"file":"- c"}}`, []string{"a", "b", "c"},
			`[{"id":"a","present":true,"state":"\"present\""},{"id":"b","present":true,"state":"\"present\""},{"id":"c","present":false}]`},
		{"a text in the data", &inside, `{"content":[],"structuredContent":{"file":"- c: x"}}`, []string{"c"}, `[{"id":"c","present":true,"state":"\"x\""}]`},
		{"an id that is called as a state is", &called, text(`"- a"`), []string{"a"}, `[{"id":"a","present":true,"state":"\"present\""}]`},
		{"an empty text", lines, text(`" \n"`), []string{"a"}, `[{"id":"a","present":false}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := statesOf(t, c.probe, c.answer, c.ids...); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	for name, c := range map[string]struct {
		probe        *Probe
		answer, want string
	}{
		"no row fits":         {lines, text(`"a\nb"`), "no row of the text fits `rows.id`; it begins with a"},
		"no row has a state":  {&told, text(`"- a\r\n- b\r\n"`), "no row of the text fits `rows.state`; one reads"},
		"an error":            {lines, `{"isError":true,"content":[{"type":"text","text":"- a"}]}`, "answered with an error: - a"},
		"no text":             {lines, `{"content":[],"structuredContent":{"file":"- a"}}`, "it has no text"},
		"a list for a text":   {&inside, `{"content":[],"structuredContent":{"file":[]}}`, "$.file leads to 0 values"},
		"a number for a text": {&inside, `{"content":[],"structuredContent":{"file":1}}`, "$.file is a number, and no text"},
		"no such member":      {&inside, `{"content":[],"structuredContent":{"files":1}}`, "nothing stands at $.file"},
	} {
		t.Run(name, func(t *testing.T) {
			if states, err := c.probe.Read(parsed(t, c.answer), []string{"a"}); err == nil || states != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v: want %q", states, err, c.want)
			}
		})
	}
}
