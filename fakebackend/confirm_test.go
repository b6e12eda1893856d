package fakebackend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// asking are the revisions in which the server asks during the call.
var asking = []string{"2025-06-18", "2025-11-25"}

const (
	forms   = `{"elicitation":{}}`
	threeOf = `{"items":["1001","9999","1002"]}`
	agreed  = `"result":{"action":"accept","content":{"confirm":true}}`
)

func TestTheUserIsAskedDuringTheCall(t *testing.T) {
	for name, c := range map[string]struct {
		user    string
		rows    []string
		effects []string
	}{
		"accept":               {agreed, []string{"1001 done", "9999 not_found", "1002 done"}, []string{"product-cancelled 1001", "product-cancelled 1002"}},
		"decline":              {`"result":{"action":"decline"}`, []string{"1001 declined", "9999 not_found", "1002 declined"}, nil},
		"cancel":               {`"result":{"action":"cancel"}`, []string{"1001 declined", "9999 not_found", "1002 declined"}, nil},
		"accept and say no":    {`"result":{"action":"accept","content":{"confirm":false}}`, []string{"1001 declined", "9999 not_found", "1002 declined"}, nil},
		"accept without a yes": {`"result":{"action":"accept"}`, []string{"1001 declined", "9999 not_found", "1002 declined"}, nil},
		"no such form":         {`"result":{"action":"accept","content":{"confirm":"yes"}}`, []string{"1001 confirmation_failed", "9999 not_found", "1002 confirmation_failed"}, nil},
		"an error":             {`"error":{"code":-1,"message":"no user"}`, []string{"1001 confirmation_failed", "9999 not_found", "1002 confirmation_failed"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			eachWay(t, asking, func(t *testing.T, over, revision string) {
				r := meet(t, over, Options{ConfirmRounds: 1}, revision, forms)
				r.user = func(map[string]any) string { return c.user }
				got := r.call(cancelConfirmed, threeOf)
				r.wantRows(got, c.rows...)
				r.wantEffects(c.effects...)
				if len(r.asked) != 1 {
					t.Fatalf("asked %d times", len(r.asked))
				}
				form, _ := r.asked[0]["requestedSchema"].(map[string]any)
				if message := fmt.Sprint(r.asked[0]["message"]); !strings.Contains(message, "Product A; Product B") || form["type"] != "object" {
					t.Errorf("asked %s", quote(r.asked[0]))
				}
				if failed := got["isError"] == true; failed != (c.effects == nil) {
					t.Errorf("isError %v", got["isError"])
				}
			})
		})
	}
}

func TestTwoQuestionsDuringTheCall(t *testing.T) {
	eachWay(t, asking, func(t *testing.T, over, revision string) {
		r := meet(t, over, Options{ConfirmRounds: 2}, revision, forms)
		answers := []string{agreed, `"result":{"action":"accept","content":{"reason":"moved"}}`, agreed, `"result":{"action":"cancel"}`}
		r.user = func(map[string]any) string { return answers[len(r.asked)-1] }
		r.wantRows(r.call(cancelConfirmed, `{"items":["1001"]}`), "1001 done")
		r.wantRows(r.call(cancelConfirmed, `{"items":["1002"]}`), "1002 declined")
		r.wantEffects("product-cancelled 1001")
		if len(r.asked) != 4 {
			t.Errorf("asked %d times", len(r.asked))
		}
	})
}

func TestAClientThatCannotAskIsRefusedItemByItem(t *testing.T) {
	for _, capabilities := range []string{`{}`, `{"elicitation":{"url":{}}}`} {
		eachWay(t, []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}, func(t *testing.T, over, revision string) {
			r := meet(t, over, Options{ConfirmRounds: 1}, revision, capabilities)
			r.wantRows(r.call(cancelConfirmed, threeOf), "1001 confirmation_impossible", "9999 not_found", "1002 confirmation_impossible")
			r.wantEffects()
		})
	}
	t.Run("before elicitation", func(t *testing.T) {
		r := meet(t, "http", Options{ConfirmRounds: 1}, "2025-03-26", forms)
		r.wantRows(r.call(cancelConfirmed, `{"items":["1001"]}`), "1001 confirmation_impossible")
	})
}

func TestNothingIsAskedWhereThereIsNothingToCancel(t *testing.T) {
	eachWay(t, []string{"2025-11-25", "2026-07-28"}, func(t *testing.T, over, revision string) {
		r := meet(t, over, Options{ConfirmRounds: 1, MaxItems: 2}, revision, forms)
		r.wantRows(r.call(cancelConfirmed, `{"items":["9999","2001"]}`), "9999 not_found", "2001 already_shipped")
		r.wantRows(r.call(cancelConfirmed, `{"items":["1001","1002","1003"]}`), "1001 too_many_items", "1002 too_many_items", "1003 too_many_items")
		r.wantRows(r.call(cancelConfirmed, `{"items":[]}`))
		r.wantEffects()
	})
}

func TestARepeatUnderAKeyIsNotAskedAgain(t *testing.T) {
	r := meet(t, "http", Options{ConfirmRounds: 1}, "2025-11-25", forms)
	r.user = func(map[string]any) string { return agreed }
	for range 2 {
		r.wantRows(r.call(cancelConfirmed, `{"items":["1001"],"idempotency_key":"k"}`), "1001 done")
	}
	if len(r.asked) != 1 {
		t.Errorf("asked %d times", len(r.asked))
	}
}

// retry calls again with what the user answered.
func (r *raw) retry(arguments string, question map[string]any, responses string) map[string]any {
	return r.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s,"requestState":%s,"inputResponses":%s}`,
		cancelConfirmed, arguments, quote(question["requestState"]), responses))
}

func TestTheUserIsAskedInRounds(t *testing.T) {
	eachWay(t, []string{"2026-07-28"}, func(t *testing.T, over, revision string) {
		r := meet(t, over, Options{ConfirmRounds: 2}, revision, forms)
		first := r.call(cancelConfirmed, threeOf)
		if names := slices.Sorted(maps.Keys(first)); !slices.Equal(names, []string{"_meta", "inputRequests", "requestState", "resultType"}) || first["resultType"] != "input_required" {
			t.Fatalf("the first round is %s", quote(first))
		}
		const question = `{"confirm":{"method":"elicitation/create","params":{"message":"Cancel 2 products: Product A; Product B? Not possible: 9999 (not_found).","mode":"form",` +
			`"requestedSchema":{"properties":{"confirm":{"description":"A cancellation is final.","title":"Cancel","type":"boolean"}},"required":["confirm"],"type":"object"}}}}`
		if got := quote(first["inputRequests"]); got != question {
			t.Errorf("asked\n%s\nwant\n%s", got, question)
		}
		r.wantEffects()
		second := r.retry(threeOf, first, `{"confirm":{"action":"accept","content":{"confirm":true}}}`)["result"].(map[string]any)
		if requests, _ := second["inputRequests"].(map[string]any); requests["reason"] == nil {
			t.Fatalf("the second round is %s", quote(second))
		}
		again := r.retry(threeOf, second, `{"reason":{"action":"accept","content":{"reason":" "}}}`)["result"].(map[string]any)
		if requests, _ := again["inputRequests"].(map[string]any); requests["reason"] == nil {
			t.Fatalf("an empty answer gives %s", quote(again))
		}
		last := r.retry(threeOf, again, `{"reason":{"action":"accept","content":{"reason":"moved"}}}`)["result"].(map[string]any)
		r.wantRows(last, "1001 done", "9999 not_found", "1002 done")
		r.wantEffects("product-cancelled 1001", "product-cancelled 1002")
		if last["resultType"] != "complete" {
			t.Errorf("resultType %v", last["resultType"])
		}
	})
}

func TestWhatTheUserDeclinesInARoundIsLeftAlone(t *testing.T) {
	eachWay(t, []string{"2026-07-28"}, func(t *testing.T, over, revision string) {
		for _, answer := range []string{`{"action":"decline"}`, `{"action":"cancel"}`, `{"action":"accept","content":{"confirm":false}}`} {
			r := meet(t, over, Options{ConfirmRounds: 1}, revision, forms)
			got := r.retry(threeOf, r.call(cancelConfirmed, threeOf), `{"confirm":`+answer+`}`)["result"].(map[string]any)
			r.wantRows(got, "1001 declined", "9999 not_found", "1002 declined")
			r.wantEffects()
		}
	})
}

func TestAnAnswerThatIsMissingIsAskedForAgain(t *testing.T) {
	r := meet(t, "http", Options{ConfirmRounds: 1}, "2026-07-28", forms)
	first := r.call(cancelConfirmed, threeOf)
	for _, responses := range []string{`{}`, `{"other":{"action":"accept"}}`, `{"confirm":{"action":"accept","content":{"confirm":"yes"}}}`, `{"confirm":{"action":"accept"}}`} {
		got := r.retry(threeOf, first, responses)["result"].(map[string]any)
		if got["resultType"] != "input_required" {
			t.Errorf("%s gives %s", responses, quote(got))
		}
	}
	r.wantEffects()
}

func TestARequestStateIsGoodForItsOwnCallOnce(t *testing.T) {
	const yes = `{"confirm":{"action":"accept","content":{"confirm":true}}}`
	for name, use := range map[string]func(r *raw, first map[string]any) map[string]any{
		"another call": func(r *raw, first map[string]any) map[string]any {
			return r.retry(`{"items":["1003"]}`, first, yes)
		},
		"forged": func(r *raw, first map[string]any) map[string]any {
			state := first["requestState"].(string)
			first["requestState"] = "A" + state[1:]
			if state[0] == 'A' {
				first["requestState"] = "B" + state[1:]
			}
			return r.retry(threeOf, first, yes)
		},
		"nonsense": func(r *raw, first map[string]any) map[string]any {
			first["requestState"] = "nonsense"
			return r.retry(threeOf, first, yes)
		},
		"too late": func(r *raw, first map[string]any) map[string]any {
			r.clock.advance(roundsLast + time.Second)
			return r.retry(threeOf, first, yes)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := meet(t, "http", Options{ConfirmRounds: 1}, "2026-07-28", forms)
			got := use(r, r.call(cancelConfirmed, threeOf))
			if broken, _ := got["error"].(map[string]any); broken["code"] != float64(-32602) {
				t.Errorf("gives %s", quote(got))
			}
			r.wantEffects()
		})
	}
	t.Run("twice", func(t *testing.T) {
		r := meet(t, "stdio", Options{ConfirmRounds: 1}, "2026-07-28", forms)
		first := r.call(cancelConfirmed, threeOf)
		r.wantRows(r.retry(threeOf, first, yes)["result"].(map[string]any), "1001 done", "9999 not_found", "1002 done")
		r.call(resetTool, `{}`)
		if broken, _ := r.retry(threeOf, first, yes)["error"].(map[string]any); broken["code"] != float64(-32602) {
			t.Errorf("a second use gives %v", broken)
		}
	})
}

func TestAFaultOnTheWireLetsQuestionsThrough(t *testing.T) {
	f, err := ParseFault("PRO-10") // keeps replies back
	if err != nil {
		t.Fatal(err)
	}
	r := meet(t, "http", Options{ConfirmRounds: 1, Faults: []Fault{f}}, "2025-11-25", forms)
	r.user = func(map[string]any) string { return agreed }
	r.wantRows(r.call(cancelConfirmed, `{"items":["1001"]}`), "1001 done")
}

func TestFaultsOfTheConfirmingTool(t *testing.T) {
	for id, want := range map[string]struct{ rows, effects []string }{
		"EFF-02/cancels-what-was-declined": {[]string{"1001 declined", "9999 not_found", "1002 declined"}, []string{"product-cancelled 1001", "product-cancelled 1002"}},
		"RES-01/declined-without-rows":     {},
		"RES-02/declined-loses-a-row":      {rows: []string{"1001 declined", "9999 not_found"}},
		"RES-12/declined-as-done":          {rows: []string{"1001 done", "9999 not_found", "1002 done"}},
	} {
		f, err := ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(id, func(t *testing.T) {
			eachWay(t, []string{"2025-06-18", "2025-11-25", "2026-07-28"}, func(t *testing.T, over, revision string) {
				o := Options{Faults: []Fault{f}}.With(f.Needs...)
				r := meet(t, over, o, revision, forms)
				r.user = func(map[string]any) string { return `"result":{"action":"decline"}` }
				got := r.call(cancelConfirmed, threeOf)
				if revision >= sessionless {
					got = r.retry(threeOf, got, `{"confirm":{"action":"decline"}}`)["result"].(map[string]any)
				}
				r.wantRows(got, want.rows...)
				r.wantEffects(want.effects...)
				// Where the user agrees it is a good server.
				r = meet(t, over, o, revision, forms)
				r.user = func(map[string]any) string { return agreed }
				got = r.call(cancelConfirmed, threeOf)
				if revision >= sessionless {
					got = r.retry(threeOf, got, `{"confirm":{"action":"accept","content":{"confirm":true}}}`)["result"].(map[string]any)
				}
				r.wantRows(got, "1001 done", "9999 not_found", "1002 done")
			})
		})
	}
}
