package main

import (
	"strings"
	"testing"
)

func TestStatusesOfTheSuite(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want Verdict
	}{
		"a success":                       {`{"id":"a","status":"SUCCESS"}`, Pass},
		"a failure":                       {`{"id":"a","status":"FAILURE","errorMessage":"Expected 404, got 400"}`, Fail},
		"a SHOULD that is not kept":       {`{"id":"a","status":"WARNING","errorMessage":"1 tool name"}`, Fail},
		"a skip":                          {`{"id":"a","status":"SKIPPED"}`, Unverified},
		"not testable, by its message":    {`{"id":"a","status":"FAILURE","errorMessage":"Not testable: no such tool"}`, Unverified},
		"not testable, by its details":    {`{"id":"a","status":"WARNING","details":{"untestable":true}}`, Unverified},
		"testable, says the details":      {`{"id":"a","status":"FAILURE","details":{"untestable":false}}`, Fail},
		"details of another form":         {`{"id":"a","status":"FAILURE","details":["x"]}`, Fail},
		"no meaning for the server":       {`{"id":"a","status":"INFO"}`, Inapplicable},
		"a success is never untestable":   {`{"id":"a","status":"SUCCESS","details":{"n":3}}`, Pass},
		"members that nobody asked about": {`{"id":"a","status":"SUCCESS","timestamp":"x","specReferences":[{"id":"y"}]}`, Pass},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := readChecks(strings.NewReader("[" + c.text + "]"))
			if err != nil || len(all) != 1 {
				t.Fatalf("%v, %v", all, err)
			}
			if got, err := all[0].verdict(); got != c.want || err != nil {
				t.Errorf("%s, %v; wanted %s", got, err, c.want)
			}
		})
	}
}

func TestChecksThatCannotBeReadSayNothing(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"nothing":               {``, "reading"},
		"cut off":               {`[{"id":"a"`, "reading"},
		"an object":             {`{"id":"a","status":"SUCCESS"}`, "reading"},
		"no id":                 {`[{"status":"SUCCESS"}]`, "has no id"},
		"no status":             {`[{"id":"a"}]`, "none of the suite's"},
		"a status of tomorrow":  {`[{"id":"a","status":"PASSED"}]`, "PASSED"},
		"more than can be read": {`["` + strings.Repeat("x", maxChecks) + `"]`, "more than"},
	} {
		t.Run(name, func(t *testing.T) {
			if all, err := readChecks(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%d checks, %v; wanted an error that says %q", len(all), err, c.says)
			}
		})
	}
}

func FuzzReadChecks(f *testing.F) {
	f.Add(`[{"id":"ping","status":"SUCCESS"},{"id":"wire-schema-valid","status":"SUCCESS"}]`)
	f.Add(`[{"id":"a","status":"FAILURE","errorMessage":"Not testable: x","details":{"untestable":true}}]`)
	f.Add(`[null,{"id":1}]`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		all, err := readChecks(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, c := range all {
			if v, err := c.verdict(); err != nil || c.ID == "" || v == "" {
				t.Errorf("%+v was read, and its verdict is %q, %v", c, v, err)
			}
		}
	})
}

func TestAVerdictOverSeveralChecks(t *testing.T) {
	for name, c := range map[string]struct {
		parts []Verdict
		want  Verdict
	}{
		"all pass":                  {[]Verdict{Pass, Pass}, Pass},
		"one fails":                 {[]Verdict{Pass, Unverified, Fail}, Fail},
		"one was not verified":      {[]Verdict{Pass, Unverified}, Unverified},
		"one has no meaning":        {[]Verdict{Inapplicable, Pass}, Pass},
		"none has":                  {[]Verdict{Inapplicable}, Inapplicable},
		"not verified after a pass": {[]Verdict{Unverified, Pass, Inapplicable}, Unverified},
	} {
		if got := whole(c.parts); got != c.want {
			t.Errorf("%s: %s, wanted %s", name, got, c.want)
		}
	}
}
