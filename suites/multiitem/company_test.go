package multiitem_test

import (
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// regroups asks for items of the call c1 once more, from places.
func regroups(places ...int) func(*conform.Planned) {
	return func(p *conform.Planned) { p.Regroups, p.Places = "c1", places }
}

func TestAnItemInOtherCompany(t *testing.T) {
	odd := func(id string) []conform.Item { return kind(conform.Unknown, []string{id}) }
	three := join(odd("U-1"), good("A-1"), bad("X-1"))
	corners(t, []corner{
		{"told the same", "RO-02", reading, func(f *film) {
			f.call("c1", rowsOf("U-1-", "A-1+", "X-1-"), three)
			f.call("c2", rowsOf("X-1-", "U-1-"), join(bad("X-1"), odd("U-1")), regroups(3, 1))
		}, conform.Pass, nil},
		{"found alone", "RO-02", reading, func(f *film) {
			f.call("c1", rowsOf("U-1-", "A-1+", "X-1-"), three)
			f.call("c2", rowsOf("U-1+"), odd("U-1"), regroups(1))
		}, conform.Fail, []string{"failure, as in the earlier call, where it stood at place 1 of 3", "success, at place 1 of 1"}},
		{"what is known to be good is another rule's", "RO-02", reading, func(f *film) {
			f.call("c1", rowsOf("U-1-", "A-1+", "X-1-"), three)
			f.call("c2", rowsOf("A-1-"), good("A-1"), regroups(2))
		}, conform.NotRun, []string{"no items of which nothing is known were asked for twice"}},
		{"a double is the server's to settle", "RO-02", reading, func(f *film) {
			f.call("c1", rowsOf("U-1-", "U-1+"), join(odd("U-1"), odd("U-1")))
			f.call("c2", rowsOf("U-1+"), odd("U-1"), regroups(1))
		}, conform.NotRun, nil},
		{"rows without a name", "RO-02", reading, func(f *film) {
			f.call("c1", `{"success":true},{"success":false}`, join(odd("U-1"), bad("X-1")))
			f.call("c2", rowsOf("U-1-"), odd("U-1"), regroups(1))
		}, conform.NotRun, []string{"see RES-09"}},
		{"a row that cannot be read", "RO-02", reading, func(f *film) {
			f.call("c1", `{"id":"U-1"},`+rowsOf("A-1+", "X-1-"), three)
			f.call("c2", rowsOf("U-1+"), odd("U-1"), regroups(1))
		}, conform.NotRun, []string{"cannot be read in both calls (see RES-02)"}},
	})
}
