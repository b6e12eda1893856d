package contract

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// nothingFound says what stands in the answer instead of rows, so that the mend
// fits: the shape families met in the field.
func (a *Answer) nothingFound(o Options) {
	data, _, _ := dataOf(a.Payload, o.Door)
	steps := listsIn(data.Get("output"))
	if o.Tool == "" && len(steps) > 0 { // one alone would have been taken
		a.problem(ToolUnknown, data.Get("output"), fmt.Sprintf(
			"output holds results of %d tools and it is not known which one was called", len(steps)))
		return
	}
	if o.Tool != "" && data.Get("output").Has(o.Tool) {
		a.problem(NoResults, data.At("output", o.Tool), fmt.Sprintf("output[%q] holds no results; those of other steps do not answer for it", o.Tool))
		return
	}
	a.problem(NoResults, a.Payload, a.family())
	if list := lostList(a.Payload); list != nil {
		pointer, _ := a.Where(list)
		a.problem(Misplaced, list, fmt.Sprintf("a list of %d rows stands at %s; %s", len(list.Items), pointer, placeWanted(o)))
	}
}

func placeWanted(o Options) string {
	switch o.Door {
	case REST:
		return "a REST client reads result.results and nothing else"
	case Gateway:
		return "the gateway hands on result.results, or a bare results without ok, error and result beside it"
	}
	return "clients look for results at the top level, under result, or under output[tool], and nowhere else"
}

// lostList finds the shallowest list that holds rows anywhere in the payload. It
// is only told, never read: a client does not search either.
func lostList(payload *rawjson.Node) *rawjson.Node {
	level := []*rawjson.Node{payload}
	for len(level) > 0 {
		var next []*rawjson.Node
		for _, n := range level {
			if holdsRows(n) {
				return n
			}
			for i := range n.Members {
				next = append(next, n.Members[i].Value)
			}
			next = append(next, n.Items...)
		}
		level = next
	}
	return nil
}

// holdsRows tells whether a value is a list in which some entry has a flag.
func holdsRows(n *rawjson.Node) bool {
	for _, entry := range n.Items {
		if entry.Get("success").Is(rawjson.Bool) || entry.Get("ok").Is(rawjson.Bool) {
			return true
		}
	}
	return false
}

// outcomes are the words that servers name their lists by, good ones and bad ones.
var outcomes = map[string]bool{
	"completed": true, "succeeded": true, "successful": true, "success": true, "successes": true, "done": true,
	"accepted": true, "processed": true, "created": true, "updated": true, "deleted": true, "added": true, "removed": true,
	"valid": true, "found": true, "ok": true, "passed": true,
	"failed": false, "failures": false, "failure": false, "errors": false, "rejected": false, "invalid": false,
	"skipped": false, "notfound": false, "missing": false, "unprocessed": false, "unprocesseditems": false, "errored": false, "conflicts": false,
}

// family describes the shape that stands where results[] should be.
func (a *Answer) family() string {
	holders := []*rawjson.Node{a.Payload}
	for _, name := range []string{"result", "data", "response"} {
		if inner := a.Payload.Get(name); inner.Is(rawjson.Object) {
			holders = append(holders, inner)
		}
	}
	for _, h := range holders {
		if words := familyOf(h); words != "" {
			return words
		}
	}
	if a.Has(StringInStructured) != nil {
		return "there is JSON in a string, and no results list that a client would find"
	}
	if a.Source == FromStructured && len(a.Texts) == 1 && len(mirrored(a.Texts[0].JSON, Options{})) > 0 {
		return "structuredContent has no results list; the text block has one, but a client that finds structuredContent does not look there"
	}
	if a.IsError || !a.Error.Empty() {
		return "the call was refused as a whole: no row says what became of any item"
	}
	return "no results list: the outcome of each item cannot be told"
}

func familyOf(h *rawjson.Node) string {
	good, bad, lists := "", "", []*rawjson.Member(nil)
	goodList, badList := (*rawjson.Node)(nil), (*rawjson.Node)(nil)
	for i := range h.Members {
		m := &h.Members[i]
		if !m.Value.Is(rawjson.Array) {
			continue
		}
		lists = append(lists, m)
		switch isGood, known := outcomes[plainName(m.Name)]; {
		case isGood && goodList == nil:
			good, goodList = m.Name, m.Value
		case known && !isGood && badList == nil:
			bad, badList = m.Name, m.Value
		}
	}
	switch {
	case goodList != nil && badList != nil:
		return twoLists(good, goodList, bad, badList)
	case len(lists) == 1:
		return oneList(lists[0].Name, lists[0].Value)
	case len(lists) > 0:
		return fmt.Sprintf("%d lists (%s) and none named results: no entry carries a flag", len(lists), memberNames(lists))
	}
	return mapOrCounts(h)
}

func twoLists(good string, goodList *rawjson.Node, bad string, badList *rawjson.Node) string {
	words := fmt.Sprintf("two lists, %s (%d) and %s (%d), instead of results[]: the outcome is told by the list an entry stands in, and the order of the request is lost. ",
		good, len(goodList.Items), bad, len(badList.Items))
	if named(goodList) && named(badList) {
		return words + "The entries carry ids, so that nothing else is lost: make each entry a row, success true for " + good + ", false for " + bad
	}
	return words + "Not every entry says which item it is about: give each one its id, then make it a row with success true or false"
}

// named tells whether every entry of a list says which item it is about.
func named(list *rawjson.Node) bool {
	for _, entry := range list.Items {
		switch kindOf(entry) {
		case rawjson.String, rawjson.Number:
		case rawjson.Object:
			if !hasName(entry) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func hasName(entry *rawjson.Node) bool {
	for i := range entry.Members {
		if name := entry.Members[i].Name; isItem(name) || isIndex(name) || (Options{}).names(name) || strings.HasSuffix(strings.ToLower(name), "id") {
			return true
		}
	}
	return false
}

func oneList(name string, list *rawjson.Node) string {
	if len(list.Items) > 0 {
		keyed, objects := true, true
		for _, entry := range list.Items {
			objects = objects && entry.Is(rawjson.Object)
			keyed = keyed && len(entry.Members) == 1 && entry.Members[0].Value.Is(rawjson.Object)
		}
		if keyed {
			return fmt.Sprintf("the list %s (%d) holds entries keyed by action, with a status of their own: make each one a row of results[] with its id and success true or false", name, len(list.Items))
		}
		if objects && !holdsRows(list) {
			return fmt.Sprintf("one list, %s (%d), not named results, whose entries carry no flag: items that failed are either left out or not told apart", name, len(list.Items))
		}
		if !objects {
			return fmt.Sprintf("one filtered list, %s (%d): it names what was done and leaves out the rest, so that a missing item has no reason and no row", name, len(list.Items))
		}
	}
	return fmt.Sprintf("a list named %s (%d) stands where results is looked for", name, len(list.Items))
}

// mapOrCounts recognises rows keyed by item, and answers that hold numbers only.
func mapOrCounts(h *rawjson.Node) string {
	objects, flagged, numbers := 0, 0, 0
	for i := range h.Members {
		v := h.Members[i].Value
		switch kindOf(v) {
		case rawjson.Object:
			objects++
			if v.Get("success").Is(rawjson.Bool) || v.Get("ok").Is(rawjson.Bool) {
				flagged++
			}
		case rawjson.Number:
			numbers++
		}
	}
	switch {
	case flagged > 0 && flagged == objects:
		return fmt.Sprintf("%d rows keyed by item instead of a list: make the key a member of the row and put the rows in results[]", flagged)
	case numbers > 0 && objects == 0:
		return "only counts: they say how many, not which"
	}
	return ""
}

func notAListDetail(n *rawjson.Node) string {
	switch {
	case n.Get("success").Is(rawjson.Bool) || n.Get("ok").Is(rawjson.Bool):
		return "results is one row, not a list of rows"
	case n.Is(rawjson.Object):
		return fmt.Sprintf("results is an object with %d members: rows keyed by item belong in a list, with the key as a member of the row", len(n.Members))
	case stringHolds(n) != nil:
		return "results is a list written as a string: it was serialised before it was returned"
	}
	return "results is a " + kind(n) + ", not a list"
}

func plainName(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "_", ""), "-", "")
}

func memberNames(members []*rawjson.Member) string {
	const most = 6
	var words []string
	for i, m := range members {
		if i == most {
			words = append(words, "…")
			break
		}
		words = append(words, rawjson.Cut(m.Name, 40))
	}
	return strings.Join(words, ", ")
}
