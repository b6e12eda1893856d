package fakebackend

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func payload(result map[string]any) map[string]any {
	p, _ := result["structuredContent"].(map[string]any)
	return p
}

var everyRevision = []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

func TestAJobIsDoneAfterItsCall(t *testing.T) {
	eachWay(t, everyRevision, func(t *testing.T, over, revision string) {
		r := meet(t, over, Options{Jobs: true, Takes: takes}, revision, `{}`)
		begun := payload(r.call(cancelAsJob, threeOf))
		if got := quote(begun); got != `{"job_id":"J-000001","message":"3 products to cancel; get_job tells how far it is.","status":"accepted"}` {
			t.Fatalf("begun with %s", got)
		}
		ask := func() map[string]any { return r.call(getJob, `{"job_id":"J-000001"}`) }
		r.clock.advance(takes - time.Millisecond)
		if got := quote(payload(ask())); got != `{"job_id":"J-000001","message":"Not done yet.","status":"running"}` {
			t.Errorf("running, it is %s", got)
		}
		r.wantEffects()
		r.clock.advance(time.Millisecond)
		done := ask()
		r.wantRows(done, "1001 done", "9999 not_found", "1002 done")
		if p := payload(done); p["status"] != "done" || p["total"] != 3.0 || p["succeeded"] != 2.0 || p["failed"] != 1.0 || done["isError"] == true {
			t.Errorf("done, it is %s", quote(done))
		}
		r.wantEffects("product-cancelled 1001", "product-cancelled 1002")
		r.call(cancelAsJob, `{"items":["2001"]}`)
		r.clock.advance(takes)
		if got := r.call(getJob, `{"job_id":"J-000002"}`); got["isError"] != true {
			t.Errorf("a job of bad items is %s", quote(got))
		}
		if got := r.call(getJob, `{"job_id":"J-9"}`); got["isError"] != true || payload(got)["error"] != "no_such_job" {
			t.Errorf("no job is %s", quote(got))
		}
	})
}

func TestAJobUnderAKeyIsDoneOnce(t *testing.T) {
	r := meet(t, "http", Options{Jobs: true}, "2025-11-25", `{}`)
	for range 2 {
		r.call(cancelAsJob, `{"items":["1001"],"idempotency_key":"k"}`)
	}
	r.clock.advance(DefaultTakes)
	for _, id := range []string{"J-000001", "J-000002"} {
		r.wantRows(r.call(getJob, `{"job_id":"`+id+`"}`), "1001 done")
	}
	r.wantEffects("product-cancelled 1001")
}

func TestAJobTellsItsRowsInEveryShape(t *testing.T) {
	for _, shape := range []Shape{Default, Bare, Wrapped, NoSummary} {
		r := meet(t, "stdio", Options{Jobs: true, Shape: shape}, "2025-11-25", `{}`)
		r.call(cancelAsJob, threeOf)
		r.clock.advance(DefaultTakes)
		got := r.call(getJob, `{"job_id":"J-000001"}`)
		r.wantRows(got, "1001 done", "9999 not_found", "1002 done")
		if payload(got)["results"] == nil {
			t.Errorf("%s: %s", shape, quote(got))
		}
	}
}

// pages reads all the pages of a call.
func (r *raw) pages(arguments string, most int) (pages [][]string) {
	r.t.Helper()
	for len(pages) < most {
		got := r.call(cancelPaged, arguments)
		pages = append(pages, rowsTold(got))
		p := payload(got)
		if inner, ok := p["result"].(map[string]any); ok {
			p = inner
		}
		cursor, more := p["next_cursor"]
		if !more {
			return pages
		}
		arguments = `{"cursor":` + quote(cursor) + `}`
	}
	return pages
}

const fiveOf = `{"items":["1001","1002","9999","1003","1004"]}`

func TestRowsComeInPages(t *testing.T) {
	want := [][]string{{"1001 done", "1002 done"}, {"9999 not_found", "1003 done"}, {"1004 done"}}
	eachWay(t, everyRevision, func(t *testing.T, over, revision string) {
		for _, shape := range []Shape{Default, Bare, Wrapped, NoSummary} {
			r := meet(t, over, Options{PageRows: 2, Shape: shape}, revision, `{}`)
			if got := r.pages(fiveOf, 9); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: pages %q", shape, got)
			}
			r.wantEffects("product-cancelled 1001", "product-cancelled 1002", "product-cancelled 1003", "product-cancelled 1004")
		}
	})
}

func TestAPageTellsTheCountsOfAllAndCanBeAskedForAgain(t *testing.T) {
	r := meet(t, "http", Options{PageRows: 2}, "2025-11-25", `{}`)
	first := payload(r.call(cancelPaged, fiveOf))
	if first["total"] != 5.0 || first["succeeded"] != 4.0 || first["status"] != "PARTIAL_SUCCESS" {
		t.Errorf("the first page is %s", quote(first))
	}
	next := `{"cursor":` + quote(first["next_cursor"]) + `}`
	for range 2 {
		r.wantRows(r.call(cancelPaged, next), "9999 not_found", "1003 done")
	}
	if got := r.call(cancelPaged, `{"cursor":"elsewhere"}`); got["isError"] != true {
		t.Errorf("a cursor of nobody's gives %s", quote(got))
	}
	if got := r.pages(`{"items":["B1","B2"]}`, 9); len(got) != 1 {
		t.Errorf("two rows are on %d pages", len(got))
	}
}

func TestProductsAreRestored(t *testing.T) {
	eachWay(t, everyRevision, func(t *testing.T, over, revision string) {
		r := meet(t, over, Options{Undo: true, MaxItems: 4}, revision, `{}`)
		r.call(cancelProducts, `{"items":["1001","B7"]}`)
		r.wantRows(r.call(cancelProducts, `{"items":["1001"]}`), "1001 already_cancelled")
		got := r.call(restoreProducts, `{"items":["1001",{"id":"B7"},"1002","9999"]}`)
		r.wantRows(got, "1001 done", "B7 done", "1002 not_cancelled", "9999 not_found")
		if p := payload(got); p["message"] != "2 of 4 products restored." {
			t.Errorf("says %s", quote(p))
		}
		if r.state("1001") != "ACTIVE" {
			t.Error("it is not restored")
		}
		r.wantRows(r.call(cancelProducts, `{"items":["1001"]}`), "1001 done")
		r.wantRows(r.call(restoreProducts, `{"items":["B1","B2","B3","B4","B5"]}`), "B1 too_many_items", "B2 too_many_items", "B3 too_many_items", "B4 too_many_items", "B5 too_many_items")
		r.wantEffects("product-cancelled 1001", "product-cancelled B7", "product-restored 1001", "product-restored B7", "product-cancelled 1001")
	})
}

func TestBulkThingsOfARunOfTheirOwn(t *testing.T) {
	r := meet(t, "stdio", Options{}, "2025-11-25", `{}`)
	r.wantRows(r.call(cancelProducts, `{"items":[{"id":"Bk7x-1","name":"Bulk k7x-1"},"Bulk k7x-2","B1","Bk7x-0","Bk-7-1","B-1"]}`),
		"Bk7x-1 done", "Bk7x-2 done", "B1 done", "Bk7x-0 not_found", "Bk-7-1 not_found", "B-1 not_found")
	r.wantRows(r.call(queryOrders, `{"order_ids":["OBk7x-7","OBk7x-100001"]}`), "OBk7x-7 done", "OBk7x-100001 not_found")
	r.wantRows(r.call(cancelSubscriptions, `{"subject":"SBk7x-7 and Bulk subscription k7x-8"}`), "SBk7x-7 done", "SBk7x-8 done")
}

func TestEffectsShowAfterATime(t *testing.T) {
	const lag = 1500 * time.Millisecond
	eachWay(t, []string{"2025-11-25", "2026-07-28"}, func(t *testing.T, over, revision string) {
		r := meet(t, over, Options{VisibleAfter: lag, Undo: true}, revision, `{}`)
		r.call(cancelProducts, `{"items":["1001"]}`)
		r.wantRows(r.call(cancelProducts, `{"items":["1001"]}`), "1001 already_cancelled")
		r.clock.advance(lag - time.Millisecond)
		if got := r.state("1001"); got != "ACTIVE" {
			t.Errorf("before its time it is %s", got)
		}
		r.clock.advance(time.Millisecond)
		if got := r.state("1001"); got != "CANCELLED" {
			t.Errorf("at its time it is %s", got)
		}
		r.call(restoreProducts, `{"items":["1001"]}`)
		r.clock.advance(lag / 2)
		r.call(cancelProducts, `{"items":["1001"]}`)
		if got := r.state("1001"); got != "CANCELLED" {
			t.Errorf("before it shows as restored it is %s", got)
		}
		r.clock.advance(lag / 2)
		if got := r.state("1001"); got != "ACTIVE" {
			t.Errorf("restored, it is %s", got)
		}
		r.clock.advance(lag / 2)
		if got := r.state("1001"); got != "CANCELLED" {
			t.Errorf("cancelled again, it is %s", got)
		}
		r.call(resetTool, `{}`)
		if got := r.state("1001"); got != "ACTIVE" {
			t.Errorf("after a reset it is %s", got)
		}
	})
}

func TestEffectsThatNeverShow(t *testing.T) {
	f, err := ParseFault("EFF-01/never-shows")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{VisibleAfter: Never}, {Faults: []Fault{f}}} {
		r := meet(t, "http", o, "2025-11-25", `{}`)
		r.wantRows(r.call(cancelProducts, `{"items":["1001"]}`), "1001 done")
		r.clock.advance(time.Hour)
		if got := r.state("1001"); got != "ACTIVE" {
			t.Errorf("it is %s", got)
		}
		r.wantRows(r.call(cancelProducts, `{"items":["1001"]}`), "1001 already_cancelled")
	}
}

func TestWhatIsSeenIsKeptAndNoMore(t *testing.T) {
	for _, lag := range []time.Duration{0, time.Second, Never} {
		clock := newHandClock()
		s := newShelf("product", productBulk, productEntries())
		s.now, s.lag = clock.Now, lag
		e, _ := s.withID("1001")
		for range 100 {
			clock.advance(600 * time.Millisecond)
			s.change(e, func(now state) (state, bool) {
				return state{status: cancelled, cancellations: now.cancellations + 1}, true
			})
		}
		if got := len(*s.state["1001"]); got > 3 {
			t.Errorf("with a lag of %v %d states are kept", lag, got)
		}
		if s.look(e).cancellations != 100 {
			t.Errorf("with a lag of %v it is %+v", lag, s.look(e))
		}
	}
}

func TestASecondWriterByCalls(t *testing.T) {
	eachWay(t, []string{"2025-11-25", "2026-07-28"}, func(t *testing.T, over, revision string) {
		r := meet(t, over, Options{SecondWriter: SecondWriter{EveryCalls: 3}}, revision, `{}`)
		for range 2 {
			if got := r.state("1001"); got != "ACTIVE" {
				t.Errorf("it is %s", got)
			}
		}
		if got := r.state("1001"); got != "CANCELLED" {
			t.Errorf("at the third call it is %s", got)
		}
		for range 3 {
			r.state("1002")
		}
		r.wantEffects("product-cancelled 1001", "subscription-cancelled S-01", "product-cancelled 1002", "subscription-cancelled S-02")
		if by := r.backend.Effects()[0].Tool; by != anotherUser {
			t.Errorf("it was %s", by)
		}
	})
}

func TestASecondWriterThatFollows(t *testing.T) {
	r := meet(t, "http", Options{SecondWriter: SecondWriter{EveryCalls: 2, Follows: true}}, "2025-11-25", `{}`)
	for range 4 {
		r.state("1001") // there is nothing to follow
	}
	r.wantEffects()
	r.call("cancel_products", `{"items":["1002","1003"]}`)
	for _, want := range []string{"ACTIVE", "ACTIVE", "CANCELLED", "CANCELLED", "ACTIVE"} {
		if got := r.state("1003"); got != want {
			t.Errorf("it is %s, wanted %s", got, want)
		}
	}
	if got := r.state("1002"); got != "CANCELLED" {
		t.Errorf("the other is %s", got)
	}
}

func TestASecondWriterByTime(t *testing.T) {
	r := meet(t, "http", Options{SecondWriter: SecondWriter{Every: time.Minute}}, "2025-11-25", `{}`)
	turns := 0
	for _, e := range r.backend.products.order {
		if e.refusal == "" {
			turns++
		}
	}
	r.clock.advance(time.Duration(turns) * time.Minute)
	if got := r.state("1001"); got != "CANCELLED" {
		t.Errorf("after a round it is %s", got)
	}
	r.clock.advance(time.Minute)
	if got := r.state("1001"); got != "ACTIVE" {
		t.Errorf("after a round and one it is %s", got)
	}
}

func TestToolsThatAreLeftOut(t *testing.T) {
	names := func(o Options) []string {
		var names []string
		for _, tool := range toolList(o) {
			names = append(names, tool.name)
		}
		return names
	}
	plain := names(Options{})
	if got := names(Options{NoProbe: true, NoReset: true}); len(got) != len(plain)-3 || slices.Contains(got, getProducts) || slices.Contains(got, getSubscriptions) || slices.Contains(got, resetTool) {
		t.Errorf("left are %q", got)
	}
	more := names(Options{ConfirmRounds: 1, Tasks: TaskOptional, Jobs: true, PageRows: 1, DryRuns: true, Undo: true, Stock: true})
	if want := append(plain, cancelConfirmed, cancelAsTask, cancelAsJob, getJob, cancelPaged, cancelRehearsed, restoreProducts, restoreSubscriptions, addProducts, removeProducts); !slices.Equal(more, want) {
		t.Errorf("with all there are %q", more)
	}
}

func TestTheStateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	read := func(ids ...string) string {
		t.Helper()
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		states, err := ReadState(file, ids)
		if err != nil {
			t.Fatal(err)
		}
		return quote(states)
	}
	r := meet(t, "stdio", Options{StateFile: path, NoProbe: true, Jobs: true, VisibleAfter: time.Second}, "2025-11-25", `{}`)
	ids := []string{"B7", "1001", "9999", "S-01", "B8", "SB9"}
	const fresh = `[{"id":"B7","status":"ACTIVE","cancellations":0},{"id":"1001","status":"ACTIVE","cancellations":0},{"id":"S-01","status":"ACTIVE","cancellations":0},` +
		`{"id":"B8","status":"ACTIVE","cancellations":0},{"id":"SB9","status":"ACTIVE","cancellations":0}]`
	if got := read(ids...); got != fresh {
		t.Errorf("at first %s", got)
	}
	r.call(cancelProducts, `{"items":["1001","B7"]}`)
	r.call(cancelAsJob, `{"items":["B8"]}`)
	if got := read(ids...); got != fresh {
		t.Errorf("before it shows %s", got)
	}
	r.clock.advance(time.Second)
	if got := read("1001", "B7", "B8"); got != `[{"id":"1001","status":"CANCELLED","cancellations":1},{"id":"B7","status":"CANCELLED","cancellations":1},{"id":"B8","status":"ACTIVE","cancellations":0}]` {
		t.Errorf("when it shows %s", got)
	}
	r.clock.advance(time.Second)
	if got := read("B8"); !strings.Contains(got, "CANCELLED") {
		t.Errorf("when the job's work shows %s", got)
	}
	r.call(resetTool, `{}`)
	if got := read(ids...); got != fresh {
		t.Errorf("after a reset %s", got)
	}
	if _, err := ReadState([]byte("{"), nil); err == nil {
		t.Error("half a file reads")
	}
	beside, err := filepath.Glob(path + ".*")
	if err != nil || len(beside) > 0 {
		t.Errorf("left beside it: %q, %v", beside, err)
	}
}

func TestAStateFileThatCannotBeWritten(t *testing.T) {
	if _, err := New(Options{StateFile: filepath.Join(t.TempDir(), "nowhere", "state.json")}); err == nil {
		t.Error("no error")
	}
}

func TestTheStateOverHTTP(t *testing.T) {
	running, err := Start(Options{NoProbe: true, Sessions: Stateless, JSONAnswers: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = running.Close() }()
	at := strings.TrimSuffix(running.URL, "/mcp")
	post(t, running.URL, callTool)
	for path, want := range map[string]string{
		"/state?ids=1001,9999&ids=S-01": `{"products":[{"id":"1001","name":"Product A","status":"CANCELLED","cancellations":1}],"subscriptions":[{"id":"S-01","name":"Boletim da Manhã","status":"ACTIVE","cancellations":0}],"missing":["9999"]}`,
		"/state?ids=":                   `{"products":[],"subscriptions":[],"missing":[]}`,
	} {
		if status, _, body := get(t, at+path); status != http.StatusOK || body != want {
			t.Errorf("%s gives %d %s", path, status, body)
		}
	}
	if _, _, body := get(t, at+"/state"); strings.Count(body, `"id"`) != len(productEntries())+len(subscriptionEntries()) {
		t.Errorf("all of it is %s", body)
	}
	if _, _, body := get(t, at+"/effects"); !strings.Contains(body, `"tool":"cancel_products","item":"1001","kind":"product-cancelled"`) {
		t.Errorf("the effects are %s", body)
	}
}

func TestFaultsOfJobs(t *testing.T) {
	for id, want := range map[string]struct{ rows, effects []string }{
		"RES-02/job-loses-a-row":  {[]string{"1001 done", "9999 not_found"}, []string{"product-cancelled 1001", "product-cancelled 1002"}},
		"EFF-01/job-only-says-so": {rows: []string{"1001 done", "9999 not_found", "1002 done"}},
		"LD-02/job-never-ends":    {},
	} {
		f, err := ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(id, func(t *testing.T) {
			eachWay(t, everyRevision, func(t *testing.T, over, revision string) {
				r := meet(t, over, Options{Faults: []Fault{f}}.With(f.Needs...), revision, `{}`)
				r.call(cancelAsJob, threeOf)
				r.clock.advance(time.Minute)
				r.wantRows(r.call(getJob, `{"job_id":"J-000001"}`), want.rows...)
				r.wantEffects(want.effects...)
			})
		})
	}
	t.Run("LD-01/rows-of-another-job", func(t *testing.T) {
		f, err := ParseFault("LD-01/rows-of-another-job")
		if err != nil {
			t.Fatal(err)
		}
		r := meet(t, "http", Options{Faults: []Fault{f}}.With(f.Needs...), "2026-07-28", `{}`)
		r.call(cancelAsJob, `{"items":["1001"]}`)
		r.call(cancelAsJob, `{"items":["1002"]}`)
		r.clock.advance(time.Minute)
		r.wantRows(r.call(getJob, `{"job_id":"J-000001"}`), "1001 done")
		r.wantRows(r.call(getJob, `{"job_id":"J-000002"}`), "1001 done")
	})
}

func TestFaultsOfPages(t *testing.T) {
	for id, want := range map[string][][]string{
		"RES-02/page-repeats-a-row": {{"1001 done", "1002 done"}, {"1002 done", "9999 not_found", "1003 done"}, {"1003 done", "1004 done"}},
		"RES-02/page-loses-a-row":   {{"1001 done", "1002 done"}, {"1003 done", "1004 done"}},
		"RES-02/pages-without-end":  {{"1001 done", "1002 done"}, {"9999 not_found", "1003 done"}, {"1004 done"}, {"1004 done"}, {"1004 done"}},
	} {
		f, err := ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(id, func(t *testing.T) {
			eachWay(t, everyRevision, func(t *testing.T, over, revision string) {
				r := meet(t, over, Options{Faults: []Fault{f}, PageRows: 2}, revision, `{}`)
				if got := r.pages(fiveOf, 5); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("pages %q, want %q", got, want)
				}
			})
		})
	}
}

// A slow write is done although its client went away; where some are slow only, the
// others end with their client.
func TestASlowWriteGoesOnWithoutItsClient(t *testing.T) {
	b, err := New(Options{SlowWrites: time.Millisecond, SlowEvery: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, id := range []string{"1001", "1002"} {
		c := &call{ctx: gone, tool: cancelProducts, args: arguments{"items": []byte(`["` + id + `"]`)}}
		b.write(c, b.cancelling(c))
	}
	if done := b.Effects(); len(done) != 1 || done[0].Item != "1002" {
		t.Errorf("done: %v", done)
	}
	for _, o := range []Options{{SlowWrites: -1}, {SlowEvery: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
