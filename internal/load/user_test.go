package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/wire/lean"
)

// told is what a call came to, in short.
func told(c Call) string {
	s := c.Outcome.String() + " by " + c.How.String()
	if c.Class != lean.Answered {
		s += " (" + string(c.Class) + ")"
	}
	if c.Verdict != nil && len(c.Verdict.Rules) > 0 {
		s += " " + strings.Join(c.Verdict.Rules, ",")
	}
	return s
}

func TestGoodAnswersAreJudgedOnceAndThenRead(t *testing.T) {
	for operation, want := range map[string][]string{
		// A write's protocols differ, a read's answers need not.
		"cancel": {"ok by strict", "ok by pass", "ok by pass"},
		"query":  {"ok by strict", "ok by memory", "ok by memory"},
	} {
		s := openShop(t)
		d := s.desk(t)
		if operation == "query" {
			s.says(func(items []string) string {
				return result(items, func(_ int, id string) string {
					return fmt.Sprintf(`{"id":%q,"success":%t,"error":null,"reason":"none"}`, id, !strings.HasPrefix(id, "X"))
				})
			})
		}
		d.template(operation, "A-1", "X-9", "B-2")
		for i, w := range want {
			c := d.user.Call(7)
			if got := told(c); got != w {
				t.Fatalf("%s, call %d: %s (%+v), wanted %s", operation, i, got, c.Verdict, w)
			}
			if c.Intended != 7 || c.Begun == 0 || c.Sent < c.Begun || c.First < c.Sent || c.Done < c.First || c.In == 0 || c.Out == 0 || c.Form != lean.JSON {
				t.Errorf("%+v", c)
			}
		}
	}
}

// Whatever is wrong with an answer is a surprise, and told with its rule.
func TestWrongAnswersAreSeen(t *testing.T) {
	row := func(id string, yes bool) string {
		if yes {
			return fmt.Sprintf(`{"id":%q,"success":true,"protocol":"Q-%s"}`, id, id)
		}
		return fmt.Sprintf(`{"id":%q,"success":false,"error":"not_found"}`, id)
	}
	of := func(rows func(items []string) []string) func([]string) string {
		return func(items []string) string {
			all := rows(items)
			return result(all, func(i int, _ string) string { return all[i] })
		}
	}
	for name, c := range map[string]struct {
		answer func(items []string) string
		want   string
	}{
		"a row is missing": {of(func(items []string) []string { return []string{row(items[0], true), row(items[1], false)} }), "wrong by strict RES-02"},
		"a good item is told as failed": {of(func(items []string) []string {
			return []string{row(items[0], false), row(items[1], false), row(items[2], true)}
		}), "wrong by strict RES-12"},
		"a bad item is told as done": {of(func(items []string) []string {
			return []string{row(items[0], true), row(items[1], true), row(items[2], true)}
		}), "wrong by strict RES-12"},
		"a row of another call": {of(func(items []string) []string {
			return []string{row(items[0], true), row(items[1], false), row("C-3", true)}
		}), "wrong by strict RES-02"},
		"a refusal": {func([]string) string { return `{"isError":true,"content":[{"type":"text","text":"not now"}]}` }, "failed by strict PRO-01,RES-01"},
		"no results": {func([]string) string {
			return `{"content":[{"type":"text","text":"done"}],"structuredContent":{"done":3}}`
		}, "wrong by strict PRO-01,RES-01"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openShop(t)
			d := s.desk(t)
			d.template("cancel", "A-1", "X-9", "B-2")
			if got := told(d.user.Call(0)); got != "ok by strict" {
				t.Fatal(got)
			}
			s.says(c.answer)
			call := d.user.Call(0)
			if got := told(call); !strings.HasPrefix(got, strings.Fields(c.want)[0]) || !strings.Contains(got, "by strict") {
				t.Errorf("%s", got)
			}
			for _, rule := range strings.Split(c.want[strings.LastIndex(c.want, " ")+1:], ",") {
				if call.Verdict == nil || call.Outcome == Wrong && !slices.Contains(call.Verdict.Rules, rule) {
					t.Errorf("%s is not told: %+v", rule, call.Verdict)
				}
			}
			if examples := d.judge.Examples.All(); len(examples) == 0 || len(examples[0].Answer) == 0 || len(examples[0].Request) == 0 {
				t.Errorf("examples: %+v", examples)
			}
			s.says(s.good)
			if got := told(d.user.Call(0)); got != "ok by pass" {
				t.Errorf("a good answer after it: %s", got)
			}
		})
	}
}

// A protocol that the call before had too is looked at with all checks. Where both ask for
// the same items, it tells what was done once.
func TestARepeatedProtocolIsASurprise(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	d.template("cancel", "A-1", "B-2")
	d.user.Call(0)
	s.says(func(items []string) string {
		return result(items, func(i int, id string) string { return fmt.Sprintf(`{"id":%q,"success":true,"protocol":"R-%d"}`, id, i) })
	})
	for i, want := range []string{"ok by pass", "ok by strict"} {
		c := d.user.Call(0)
		if got := told(c); got != want {
			t.Errorf("call %d: %s", i, got)
		}
		if i == 1 && slices.Contains(c.Verdict.Warnings, "IDM-04") {
			t.Errorf("%+v", c.Verdict)
		}
	}
}

func TestItemsAndKeysAreRenewed(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	next := uint64(10_000)
	template := d.make(Source{Digits: 5, Next: func() (uint64, bool) {
		next += 2
		return next - 2, next <= 10_008
	}, Make: func(first uint64) conform.Planned {
		p := asks("cancel", fmt.Sprintf("B%d", first), fmt.Sprintf("B%d", first+1))
		p.Key = fmt.Sprintf("key-%d", first)
		p.Arguments = []byte(strings.Replace(string(p.Arguments), `{`, fmt.Sprintf(`{"key":%q,`, p.Key), 1))
		return p
	}})
	length := len(template.request.Bytes)
	for i, want := range []string{"ok by strict", "ok by pass", "ok by pass", "ok by pass"} {
		c := d.user.Call(0)
		if got := told(c); got != want {
			t.Fatalf("call %d: %s %+v", i, got, c.Verdict)
		}
		body := string(template.body())
		first := 10_000 + 2*i
		if wanted := fmt.Sprintf(`"arguments":{"key":"key-%d","items":[{"id":"B%d"},{"id":"B%d"}]}`, first, first, first+1); !strings.Contains(body, wanted) || len(template.request.Bytes) != length {
			t.Errorf("sent %s", body)
		}
	}
	if c := d.user.Call(0); !c.UsedUp || s.calls.Load() != 4 {
		t.Errorf("%+v after %d calls", c, s.calls.Load())
	}
}

func TestAPatternIsSharedByTemplatesThatAskAlike(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	first, second, mixed := d.template("cancel", "A-1", "B-2"), d.template("cancel", "C-33", "D-4"), d.template("cancel", "E-5", "X-9")
	if name, overlap := Overlap(d.user.Templates); overlap {
		t.Errorf("both ask for %s", name)
	}
	if got := told(d.user.Do(first, 0)); got != "ok by strict" {
		t.Fatal(got)
	}
	if got := told(d.user.Do(second, 0)); got != "ok by pass" {
		t.Error(got)
	}
	if got := told(d.user.Do(mixed, 0)); got != "ok by strict" {
		t.Errorf("one with a bad item: %s", got)
	}
	if name, overlap := Overlap(append(d.user.Templates, d.template("cancel", "Z", "B-2"))); !overlap || name != `{"id":"B-2"}` {
		t.Errorf("%q, %v", name, overlap)
	}
}

func TestHowMuchIsVerified(t *testing.T) {
	s := openShop(t)
	s.says(func(items []string) string {
		return result(items, func(_ int, id string) string { return fmt.Sprintf(`{"id":%q,"success":true}`, id) })
	})
	for name, c := range map[string]struct {
		mode Mode
		want string
	}{
		"all, with memory":    {Mode{}, "strict memory memory memory memory memory"},
		"all, without memory": {Mode{Full: true}, "strict pass pass pass pass pass"},
		"every third":         {Mode{Every: 3}, "envelope envelope strict envelope envelope memory"},
	} {
		d := s.desk(t)
		d.user.Mode = c.mode
		d.template("query", "A-1", "B-2")
		var got []string
		for range 6 {
			call := d.user.Call(0)
			if call.Outcome != OK {
				t.Errorf("%s: %s", name, told(call))
			}
			got = append(got, call.How.String())
		}
		if words := strings.Join(got, " "); words != c.want {
			t.Errorf("%s: %s, wanted %s", name, words, c.want)
		}
	}
	d := s.desk(t)
	d.user.Mode.Every = 1000
	d.template("query", "A-1", "B-2")
	s.says(func([]string) string { return `{"isError":true,"content":[{"type":"text","text":"no"}]}` })
	if got := told(d.user.Call(0)); got != "failed by strict PRO-01,RES-01" && !strings.HasPrefix(got, "failed by strict") {
		t.Errorf("an error in an envelope: %s", got)
	}
}

func TestAnUnknownShapeIsUnjudged(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	s.says(func([]string) string { return `{"content":[{"type":"text","text":"all done"}]}` })
	d.template("query", "A-1", "B-2")
	for _, want := range []string{"unjudged by strict", "unjudged by envelope"} {
		if got := told(d.user.Call(0)); !strings.HasPrefix(got, want) {
			t.Errorf("%s, wanted %s", got, want)
		}
	}
	if examples := d.judge.Examples.All(); len(examples) != 0 {
		t.Errorf("%+v", examples)
	}
}

func TestAMappedShapeIsJudgedByItsMapping(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	op := d.judge.operation("query")
	op.Results = conform.Results{Path: "$.found[*]", Success: []string{"present"}, ID: []string{"code"}}
	d.template("query", "A-1", "X-9")
	payload := func(ids ...string) func([]string) string {
		return func([]string) string {
			return `{"content":[],"structuredContent":{"found":[{"code":"` + strings.Join(ids, `"},{"code":"`) + `"}]}}`
		}
	}
	s.says(payload("A-1"))
	for _, want := range []string{"ok by strict", "ok by memory"} {
		if got := told(d.user.Call(0)); !strings.HasPrefix(got, want) {
			t.Errorf("%s, wanted %s", got, want)
		}
	}
	s.says(payload("A-1", "X-9"))
	if got := told(d.user.Call(0)); !strings.HasPrefix(got, "wrong by strict") || !strings.Contains(got, mapping) {
		t.Error(got)
	}
}

func TestOddFramingIsLookedAt(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	d.template("query", "A-1", "B-2")
	s.says(func(items []string) string {
		return result(items, func(_ int, id string) string { return fmt.Sprintf(`{"id":%q,"success":true}`, id) })
	})
	twice := func(w http.ResponseWriter, message string) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+message+"\n\ndata: "+message+"\n\n")
	}
	d.user.Call(0)
	s.whole.Store(&twice)
	for range 2 {
		c := d.user.Call(0)
		if got := told(c); !strings.HasPrefix(got, "wrong by strict") || !strings.Contains(got, "PRO-04") {
			t.Errorf("two responses: %s", got)
		}
	}
}

func TestPrimingComparesTheTwoRoads(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	template := d.template("cancel", "A-1", "X-9")
	v, difference, err := d.user.Prime(context.Background(), d.session, d.tape, template, true)
	if err != nil || difference != "" || v == nil || v.Outcome != OK {
		t.Fatalf("%+v, %q, %v", v, difference, err)
	}
	if got := told(d.user.Call(0)); got != "ok by pass" {
		t.Errorf("after priming: %s", got)
	}
	// A server that answers the two clients differently.
	odd := s.calls.Load()
	s.says(func(items []string) string {
		if (s.calls.Load()-odd)%2 == 1 {
			return s.good(items)
		}
		return s.good(items[:1])
	})
	if _, difference, err = d.user.Prime(context.Background(), d.session, d.tape, template, true); err != nil || !strings.Contains(difference, "judge two answers differently") {
		t.Errorf("%q, %v", difference, err)
	}
	s.Close()
	if v, _, err = d.user.Prime(context.Background(), d.session, d.tape, template, true); err == nil || v != nil {
		t.Errorf("%+v, %v from a server that is gone", v, err)
	}
	if c := d.user.Call(0); c.Outcome != Failed || c.Class != lean.Cut && c.Class != lean.Unconnected {
		t.Errorf("%s", told(c))
	}
}

func TestExamplesAreBounded(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	d.template("query", "A-1", "B-2")
	s.says(func(items []string) string {
		return result(items[:1], func(_ int, id string) string {
			return fmt.Sprintf(`{"id":%q,"success":true,"pad":%q}`, id, strings.Repeat("x", MostBytes)+fmt.Sprint(s.calls.Load()))
		})
	})
	for range MostExamples + 5 {
		d.user.Call(0)
	}
	kept := map[string]int{}
	for _, x := range d.judge.Examples.All() {
		kept[x.Rule]++
		if len(x.Answer) > MostBytes || !x.Cut {
			t.Errorf("%d bytes, cut %v", len(x.Answer), x.Cut)
		}
	}
	if _, count := d.judge.Examples.Rules(); kept["RES-02"] != MostExamples || count["RES-02"] != MostExamples+5 {
		t.Errorf("%v of %v", kept, count)
	}
}

func TestTemplatesThatCannotBePatchedAreRefused(t *testing.T) {
	s := openShop(t)
	d := s.desk(t)
	next := func() (uint64, bool) { return 1000, true }
	for name, c := range map[string]struct {
		source Source
		want   string
	}{
		"no such operation":       {Source{Make: func(uint64) conform.Planned { return asks("steal", "A") }}, "no operation"},
		"nobody gives numbers":    {Source{Digits: 4, Make: func(n uint64) conform.Planned { return asks("cancel", fmt.Sprint(n)) }}, "somebody who gives them"},
		"numbers of any width":    {Source{Digits: 4, Next: next, Make: func(n uint64) conform.Planned { return asks("cancel", fmt.Sprint(n%1111)) }}, "no number"},
		"numbers that are others": {Source{Digits: 4, Next: next, Make: func(n uint64) conform.Planned { return asks("cancel", fmt.Sprint(n*3)) }}, "none of them"},
		"a width that grows":      {Source{Digits: 4, Next: next, Make: func(n uint64) conform.Planned { return asks("cancel", strings.Repeat("x", int(n%7))) }}, "fixed width"},
	} {
		c.source.Timeout = 1
		if _, err := NewTemplate(d.session, d.way, d.judge, c.source); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
