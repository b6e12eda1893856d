package contract

import "testing"

func TestOuterWhiteSpaceMayGo(t *testing.T) {
	for name, c := range map[string]struct {
		items, rows string
		want        []int // per row
	}{
		"texts":               {`[" Ana ","Bo"]`, `[{"name":"Ana","success":true},{"name":"Bo","success":true}]`, []int{0, 1}},
		"names":               {`[{"name":"Ana\t"},{"name":"Bo"}]`, `[{"name":"Bo","success":true},{"name":"Ana","success":true}]`, []int{1, 0}},
		"never an id":         {`[{"id":" 7"},{"id":"8"}]`, `[{"id":"7","success":true},{"id":"8","success":true}]`, []int{-1, 1}},
		"the exact one first": {`[" Ana","Ana"]`, `[{"name":"Ana","success":true},{"name":" Ana","success":true}]`, []int{1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			a, items := read(t, structured(`{"results":`+c.rows+`}`), Options{}), itemsOf(t, c.items)
			tying := a.Tie(items, Options{}, false)
			for row, want := range c.want {
				if tying.Item[row] != want {
					t.Errorf("row %d is tied to %d, wanted %d", row, tying.Item[row], want)
				}
			}
		})
	}
}
