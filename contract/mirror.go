package contract

import (
	"fmt"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// compareMirrors compares structuredContent's rows with those of each text block
// that carries rows too (ENV-08). Rows are compared, not shapes: a text that is
// prose, or JSON without rows, is no mirror.
func (a *Answer) compareMirrors(o Options) {
	if !a.List.Is(rawjson.Array) {
		return
	}
	for i := range a.Texts {
		text := &a.Texts[i]
		list := mirrorList(text.JSON, o)
		if list == nil {
			continue
		}
		if why := rowsDiffer(a.Rows, rowsOf(list), o); why != "" {
			a.problem(TextDisagrees, list, "structuredContent and this text carry different rows: "+why)
			return
		}
	}
}

// mirrored gives the rows that a decoded text carries.
func mirrored(n *rawjson.Node, o Options) []Row { return rowsOf(mirrorList(n, o)) }

// mirrorList gives the list of rows in a decoded text: at a lawful place, or the
// text itself where it is a list of rows.
func mirrorList(n *rawjson.Node, o Options) *rawjson.Node {
	if n.Is(rawjson.Array) {
		if flagged(n) {
			return n
		}
		return nil
	}
	found := spots(n, o)
	if i := choose(found); i >= 0 && found[i].list.Is(rawjson.Array) && (len(found[i].list.Items) == 0 || flagged(found[i].list)) {
		return found[i].list
	}
	return nil
}

// flagged tells whether some entry of a list has a member success or ok.
func flagged(list *rawjson.Node) bool {
	for _, entry := range list.Items {
		if entry.Has("success") || entry.Has("ok") {
			return true
		}
	}
	return false
}

// rowsDiffer compares two lists of rows: per identity where every row of both has
// one of the same kind, else in order. It says the first difference; empty if
// there is none.
func rowsDiffer(one, other []Row, o Options) string {
	if len(one) != len(other) {
		return fmt.Sprintf("%d rows and %d rows", len(one), len(other))
	}
	member, flags := keyed(one, other, o)
	if member == "" {
		for i := range one {
			if one[i].Flag != other[i].Flag {
				return fmt.Sprintf("row %d %s in one and %s in the other", i, one[i].Flag, other[i].Flag)
			}
		}
		return ""
	}
	for i := range other {
		value, _ := rowValue(&other[i], member)
		flag, known := flags[value]
		switch {
		case !known:
			return fmt.Sprintf("%s %q stands in one only", member, rawjson.Cut(value, 60))
		case flag != other[i].Flag:
			return fmt.Sprintf("%s %q %s in one and %s in the other", member, rawjson.Cut(value, 60), flag, other[i].Flag)
		}
	}
	return ""
}

// keyed finds the first identity member that every row of both lists has, with
// values that tell the rows apart, and the first list's flags by it.
func keyed(one, other []Row, o Options) (member string, flags map[string]Flag) {
	for _, name := range append(append([]string{}, o.ID...), "id", "key", "name", "subject", "item", "index") {
		if flags := flagsBy(one, name); flags != nil && flagsBy(other, name) != nil {
			return name, flags
		}
	}
	return "", nil
}

func flagsBy(rows []Row, member string) map[string]Flag {
	flags := make(map[string]Flag, len(rows))
	for i := range rows {
		value, ok := rowValue(&rows[i], member)
		if _, again := flags[value]; again || !ok {
			return nil
		}
		flags[value] = rows[i].Flag
	}
	return flags
}

func rowValue(row *Row, member string) (string, bool) { return scalar(row.Node.Get(member)) }
