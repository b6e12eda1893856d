package target

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestItemsAreWhatTheFileSays(t *testing.T) {
	f := whole(t)
	cancel, scalar := f.Operation("cancel-products").Items, f.Operation("cancel-subscriptions").Items
	run := Run{ID: "r7", Seed: 42}
	for _, c := range []struct {
		name   string
		supply *Supply
		at     int
		want   string
	}{
		{"a mapping", &cancel.Good, 0, `{"given":{"name":"Product A","id":"1001"},"truth":"good"}`},
		{"a number stays one", &cancel.Good, 1, `{"given":{"name":"Product B","id":1002},"truth":"good"}`},
		{"a text", &cancel.Good, 2, `{"given":"Product C","truth":"good"}`},
		{"bad, with a reason", &cancel.Bad, 0, `{"given":{"name":"Product X","id":"9999"},"truth":"bad","because":"not_found"}`},
		{"bad, bare", &cancel.Bad, 1, `{"given":"Product Y","truth":"bad"}`},
		{"informal", &cancel.Informal, 0, `{"given":"produto a","means":{"name":"Product A","id":"1001"},"truth":"good"}`},
		{"the first of many", &cancel.Many, 0, `{"given":{"name":"Bulk 1","id":"B1-r7-42","deep":[{"x":"1"}]},"truth":"good"}`},
		{"the last of many", &cancel.Many, 99999, `{"given":{"name":"Bulk 100000","id":"B100000-r7-42","deep":[{"x":"100000"}]},"truth":"good"}`},
		{"a template with a meaning", &scalar.Good, 2, `{"given":"plan 3","means":{"id":"P3"},"truth":"good"}`},
		{"a bad template", &scalar.Bad, 1, `{"given":"plan X2","truth":"bad","because":"unknown"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := json.Marshal(c.supply.Item(c.at, run))
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	for supply, want := range map[*Supply]int{&cancel.Good: 3, &cancel.Bad: 2, &cancel.Informal: 1, &cancel.Many: 100000, &scalar.Good: 3, &scalar.Many: 0} {
		if supply.Len() != want {
			t.Errorf("%d items, want %d", supply.Len(), want)
		}
	}
}

func TestAnItemIsTheCallersOwn(t *testing.T) {
	f := whole(t)
	good := &f.Operation("cancel-products").Items.Good
	copy(good.Item(2, Run{}).Given, `"spoiled "`)
	if got := string(good.Item(2, Run{}).Given); got != `"Product C"` {
		t.Errorf("the supply was changed: %s", got)
	}
}

func TestARunsNameCannotBreakOutOfItsString(t *testing.T) {
	f := whole(t)
	item := f.Operation("cancel-products").Items.Many.Item(0, Run{ID: `x","id":"y` + "\n"})
	var read struct{ ID string }
	if err := json.Unmarshal(item.Given, &read); err != nil || read.ID != `B1-x","id":"y`+"\n-0" {
		t.Errorf("%s: %v", item.Given, err)
	}
}

// dataOf reads one value of YAML as the arguments of an operation.
func dataOf(t *testing.T, yaml string) string {
	t.Helper()
	f, err := Parse("data.yaml", []byte("version: 1\noperations:\n  a:\n    tool: a\n    effect: read\n    input: {argument: x}\n    arguments:\n      v: "+yaml+"\n"),
		environment("NUMBER", "8080", "QUOTED", `say "a"`))
	if err != nil {
		t.Fatal(err)
	}
	text := string(f.Operations[0].Fixed)
	return strings.TrimSuffix(strings.TrimPrefix(text, `{"v":`), "}")
}

func TestValuesBecomeExactJSON(t *testing.T) {
	for yaml, want := range map[string]string{
		`1001`:                           `1001`,
		`"1001"`:                         `"1001"`,
		`'1001'`:                         `"1001"`,
		`9007199254740993`:               `9007199254740993`,
		`123456789012345678901234567890`: `123456789012345678901234567890`,
		`1.0`:                            `1.0`,
		`1.10`:                           `1.10`,
		`1e3`:                            `1e3`,
		`-0`:                             `-0`,
		`2026-12-01`:                     `"2026-12-01"`,
		`12:30`:                          `"12:30"`,
		`yes`:                            `"yes"`,
		`No`:                             `"No"`,
		`true`:                           `true`,
		`"true"`:                         `"true"`,
		`null`:                           `null`,
		`~`:                              `null`,
		`"null"`:                         `"null"`,
		`{b: 1, a: 2}`:                   `{"b":1,"a":2}`,
		`{1: one, true: x}`:              `{"1":"one","true":"x"}`,
		`[]`:                             `[]`,
		`{}`:                             `{}`,
		`"<&>é\u0301"`:                   `"<&>é` + "\u0301" + `"`,
		`"a\tb\nc\\"`:                    `"a\tb\nc\\"`,
		`${NUMBER}`:                      `"8080"`,
		`a ${NUMBER} b`:                  `"a 8080 b"`,
		`"${QUOTED}"`:                    `"say \"a\""`,
		`"$${NUMBER} $NUMBER $"`:         `"${NUMBER} $NUMBER $"`,
		`"$$${NUMBER}"`:                  `"$${NUMBER}"`,
		`{x-free: data}`:                 `{"x-free":"data"}`,
		"|\n        two\n        lines":  `"two\nlines\n"`,
		">-\n        one\n        line":  `"one line"`,
		"two words":                      `"two words"`,
	} {
		t.Run(yaml, func(t *testing.T) {
			if got := dataOf(t, yaml); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestNumbersAreJSONNumbersOnly(t *testing.T) {
	for text, want := range map[string]bool{"0": true, "-1": true, "10": true, "0.5": true, "1e9": true, "1E+9": true, "-0.0e-1": true,
		"": false, "-": false, "01": false, "1.": false, ".5": false, "1e": false, "+1": false, "1_0": false, "0x1": false, "NaN": false} {
		if isNumber(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
		if want != json.Valid([]byte(text)) {
			t.Errorf("%q: JSON itself says otherwise", text)
		}
	}
}
