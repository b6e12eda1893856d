package fakebackend

import (
	"strings"
	"testing"
)

const dryThree = `{"items":["1001","9999","1002"],"dry_run":true,"idempotency_key":"k"}`

func TestADryRunSaysWhatItWouldDoAndDoesNothing(t *testing.T) {
	eachWay(t, everyRevision, func(t *testing.T, over, revision string) {
		for _, shape := range []Shape{Default, Bare, Wrapped, NoSummary} {
			r := meet(t, over, Options{DryRuns: true, Shape: shape}, revision, `{}`)
			r.wantRows(r.call(cancelRehearsed, dryThree), "1001 done", "9999 not_found", "1002 done")
			r.wantEffects()
			// The key is as good as new, and without dry_run it is done.
			r.wantRows(r.call(cancelRehearsed, strings.Replace(dryThree, "true", "false", 1)), "1001 done", "9999 not_found", "1002 done")
			r.wantEffects("product-cancelled 1001", "product-cancelled 1002")
			r.wantRows(r.call(cancelRehearsed, dryThree), "1001 already_cancelled", "9999 not_found", "1002 already_cancelled")
		}
	})
}

func TestADryRunOfTooManyItems(t *testing.T) {
	r := meet(t, "http", Options{DryRuns: true, MaxItems: 2}, "2025-11-25", `{}`)
	r.wantRows(r.call(cancelRehearsed, dryThree), "1001 too_many_items", "9999 too_many_items", "1002 too_many_items")
}

func TestFaultsOfDryRuns(t *testing.T) {
	for id, effects := range map[string][]string{
		"EFF-04/dry-run-does-it":       {"product-cancelled 1001", "product-cancelled 1002"},
		"EFF-04/dry-run-does-the-last": {"product-cancelled 1002"},
	} {
		f, err := ParseFault(id)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(id, func(t *testing.T) {
			eachWay(t, everyRevision, func(t *testing.T, over, revision string) {
				r := meet(t, over, Options{Faults: []Fault{f}}.With(f.Needs...), revision, `{}`)
				r.wantRows(r.call(cancelRehearsed, dryThree), "1001 done", "9999 not_found", "1002 done")
				r.wantEffects(effects...)
			})
		})
	}
}
