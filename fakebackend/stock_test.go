package fakebackend

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

func TestProductsAreAddedAndRemoved(t *testing.T) {
	r := meet(t, "stdio", Options{Stock: true, Undo: true, MaxItems: 5}, "2025-11-25", `{}`)
	r.wantRows(r.call(addProducts, `{"items":[{"id":"n1","name":"New 1"},{"id":"1001","name":"New 2"},{"id":"n3","name":"PRODUCT A"},{"id":"n4"},{"id":"n1","name":"New 5"}]}`),
		"n1 done", "1001 exists", "n3 exists", "n4 incomplete", "n1 exists")
	r.wantRows(r.call(addProducts, `{"items":[1,2,3,4,5,6]}`), "1 too_many_items", "2 too_many_items", "3 too_many_items", "4 too_many_items", "5 too_many_items", "6 too_many_items")
	r.wantRows(r.call(cancelProducts, `{"items":["new 1","n3"]}`), "n1 done", "n3 not_found")
	if got := r.state("n1"); got != "CANCELLED" {
		t.Errorf("it is %s", got)
	}
	r.wantRows(r.call(restoreProducts, `{"items":["n1"]}`), "n1 done")
	r.wantRows(r.call(cancelProducts, `{"items":["n1"]}`), "n1 done")
	r.wantRows(r.call(removeProducts, `{"ids":["n1","1001","n3"]}`), "n1 done", "1001 not_removable", "n3 not_found")
	if whole := quote(r.call(getProducts, `{}`)); strings.Contains(whole, "n1") {
		t.Errorf("it is there still: %s", whole)
	}
	r.wantRows(r.call(addProducts, `{"items":[{"id":"n1","name":"New 1"}]}`), "n1 done")
	if got := r.state("n1"); got != "ACTIVE" {
		t.Errorf("added again it is %s", got)
	}
	r.call(resetTool, `{}`)
	r.wantRows(r.call(cancelProducts, `{"items":["n1"]}`), "n1 not_found")
	r.wantEffects("product-added n1", "product-cancelled n1", "product-restored n1", "product-cancelled n1", "product-removed n1", "product-added n1", "store-reset ")
}

func TestSubscriptionsAreRestored(t *testing.T) {
	r := meet(t, "stdio", Options{Undo: true}, "2025-11-25", `{}`)
	r.call(cancelSubscriptions, `{"subject":"Video Basic, SBk7x-1"}`)
	r.wantRows(r.call(restoreSubscriptions, `{"items":["S-12","SBk7x-1","S-11","nothing"]}`), "S-12 done", "SBk7x-1 done", "S-11 not_cancelled", "nothing not_found")
	r.wantRows(r.call(cancelSubscriptions, `{"subject":"Video Basic"}`), "S-12 done")
}

func TestAnIdleUndoOnlySaysSo(t *testing.T) {
	r := meet(t, "stdio", Options{Undo: true, IdleUndo: true}, "2025-11-25", `{}`)
	r.call(cancelProducts, `{"items":["1001"]}`)
	r.wantRows(r.call(restoreProducts, `{"items":["1001","1002"]}`), "1001 done", "1002 not_cancelled")
	if got := r.state("1001"); got != "CANCELLED" {
		t.Errorf("it is %s", got)
	}
	r.wantEffects("product-cancelled 1001")
	for _, o := range []Options{{IdleUndo: true}, {Resume: true}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

func TestABackendResumesItsState(t *testing.T) {
	o := Options{StateFile: filepath.Join(t.TempDir(), "state.json"), Resume: true, Stock: true, Undo: true}
	r := meet(t, "stdio", o, "2025-11-25", `{}`)
	r.call(addProducts, `{"items":[{"id":"n1","name":"New 1"},{"id":"n2","name":"New 2"}]}`)
	r.call(cancelProducts, `{"items":["1001","n1","Bk7x-1"]}`)
	r.call(cancelSubscriptions, `{"subject":"Video Basic"}`)

	r = meet(t, "stdio", o, "2025-11-25", `{}`)
	r.wantRows(r.call(cancelProducts, `{"items":["1001","n1","Bk7x-1","n2","1002"]}`),
		"1001 already_cancelled", "n1 already_cancelled", "Bk7x-1 already_cancelled", "n2 done", "1002 done")
	r.wantRows(r.call(restoreSubscriptions, `{"items":["S-12"]}`), "S-12 done")
	r.wantRows(r.call(removeProducts, `{"ids":["n1","n2"]}`), "n1 done", "n2 done")

	r = meet(t, "stdio", o, "2025-11-25", `{}`)
	r.wantRows(r.call(cancelProducts, `{"items":["n1","1002"]}`), "n1 not_found", "1002 already_cancelled")
}

func TestCancellationsAreTakenBackOverHTTP(t *testing.T) {
	running, err := Start(Options{Undo: true})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	for _, s := range []*shelf{running.Backend.products, running.Backend.subscriptions} {
		for _, id := range []string{"B7", "S-12"} {
			if e, ok := s.withID(id); ok {
				s.change(e, func(state) (state, bool) { return state{status: cancelled, cancellations: 1}, true })
			}
		}
	}
	at := strings.TrimSuffix(running.URL, "/mcp") + "/restore?ids="
	for _, c := range []struct {
		ids    string
		status int
	}{{"B7,S-12", 200}, {"B7", 409}, {"nothing", 409}, {"", 200}} {
		answer, err := http.Post(at+c.ids, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.status {
			t.Errorf("%q: status %d, want %d", c.ids, answer.StatusCode, c.status)
		}
	}
}
