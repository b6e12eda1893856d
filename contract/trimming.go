package contract

import "strings"

// trimmable are the kinds of names that a server may give back without their
// outer white space: what a person typed, never an id.
var trimmable = map[string]bool{"": true, "name": true, "subject": true}

// byTrimming ties rows left over to items left over whose name they give back
// without its outer white space: canonical, and still the item's own (decision 2).
func (k *knot) byTrimming() {
	trimmed := map[string]int{}
	for item, names := range k.own {
		if len(k.Tying.Rows[item]) > 0 {
			continue
		}
		for _, name := range names {
			text := strings.TrimSpace(name.Value)
			if _, taken := trimmed[text]; !taken && text != name.Value && trimmable[name.Member] {
				trimmed[text] = item
			}
		}
	}
	for row := range k.rows {
		if k.Item[row] >= 0 {
			continue
		}
		for _, c := range k.claims[row].names {
			if item, ok := trimmed[c.value]; ok && len(k.Tying.Rows[item]) == 0 {
				k.tie(row, item)
				break
			}
		}
	}
}
