package reports

import (
	"fmt"
	"strings"
)

// LeftLine is what one operation left behind for one reason.
type LeftLine struct{ Operation, What string }

// LeftLines sums up what was left behind: "3 items (1001 is CANCELLED, …): why".
func LeftLines(list []LeftBehind) []LeftLine {
	items := map[LeftLine][]string{}
	var order []LeftLine
	for _, l := range list {
		line := LeftLine{l.Operation, l.What}
		if items[line] == nil {
			order, items[line] = append(order, line), []string{}
		}
		if l.Item != "" && l.State != "" {
			items[line] = append(items[line], name(l.Item)+" is "+name(l.State))
		} else if l.Item != "" {
			items[line] = append(items[line], name(l.Item))
		}
	}
	lines := make([]LeftLine, len(order))
	for i, line := range order {
		lines[i] = line
		if some := items[line]; len(some) > 0 {
			lines[i].What = fmt.Sprintf("%s (%s): %s", Amount(len(some), "item", "items"), firstOf(some), line.What)
		}
	}
	return lines
}

// firstOf names the first few of many.
func firstOf(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
