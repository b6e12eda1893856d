package agentplatform

import (
	"fmt"
	"strings"
)

// View is what the platform makes of one answer.
type View struct {
	Transport  Transport `json:"transport"`
	Recognised bool      `json:"recognised"`
	// Why says why nothing was recognised, or what was lost on the way.
	Why        string `json:"why,omitempty"`
	Place      string `json:"place,omitempty"` // of the rows, from the envelope
	OK         bool   `json:"ok"`
	OriginalOK *bool  `json:"original_ok,omitempty"` // the answer's own word, where the rows outranked it
	// SecondaryError is the answer's error, where items succeeded all the same.
	SecondaryError any       `json:"secondary_error,omitempty"`
	Status         string    `json:"multi_item_status,omitempty"` // SUCCESS | PARTIAL_SUCCESS | FAILED
	Partial        *bool     `json:"partial_success,omitempty"`
	Counted        *Counters `json:"multi_item,omitempty"`
	// Unseen says what of it the model is not shown.
	Unseen []string `json:"unseen,omitempty"`
}

// Counters are the five members that the platform keeps of a batch.
type Counters struct {
	Status    string `json:"status"`
	Items     int    `json:"items_count"`
	Succeeded int    `json:"items_succeeded_count"`
	Failed    int    `json:"items_failed_count"`
	Primary   string `json:"primary_tool"`
}

// least is how many rows make a batch.
const least = 2

// Normalize gives what the platform makes of an envelope. Where it recognises no
// batch, the envelope stays as it was.
func Normalize(t Transport, tool string, e Envelope) View {
	v := View{Transport: t, OK: e.OK}
	var rows []any
	for _, place := range places(tool) {
		found, has := at(e.Result, place.path)
		if !has {
			continue
		}
		list, why := batch(found)
		if why != "" {
			if v.Why == "" {
				v.Why = place.name + ": " + why
			}
			continue
		}
		rows, v.Place, v.Why = list, place.name, ""
		break
	}
	if rows == nil {
		if e.Why != "" {
			v.Why = e.Why
		}
		if v.Why == "" {
			v.Why = "no results[] at a place where the platform looks" + hint(tool, e)
		}
		return v
	}
	n := &Counters{Items: len(rows), Primary: tool}
	for _, row := range rows {
		if done, _ := flag(row); done {
			n.Succeeded++
		}
	}
	n.Failed = n.Items - n.Succeeded
	switch {
	case n.Failed == 0:
		n.Status = "SUCCESS"
	case n.Succeeded == 0:
		n.Status = "FAILED"
	default:
		n.Status = "PARTIAL_SUCCESS"
	}
	partial := n.Status == "PARTIAL_SUCCESS"
	v.Recognised, v.Status, v.Partial, v.Counted = true, n.Status, &partial, n
	if n.Succeeded > 0 && !e.OK {
		was := false
		v.OK, v.OriginalOK = true, &was
		if truthy(e.Error) {
			v.SecondaryError = e.Error
		}
	}
	v.Unseen = unseen(e.Result, rows, v.Place)
	return v
}

type place struct {
	name string
	path []string
}

// places are where the platform looks for rows, in its order.
func places(tool string) []place {
	return []place{
		{"result.output[" + tool + "].results", []string{"output", tool, "results"}},
		{"result.results", []string{"results"}},
		{"result.result.output[" + tool + "].results", []string{"result", "output", tool, "results"}},
		{"result.result.results", []string{"result", "results"}},
	}
}

func at(v any, path []string) (any, bool) {
	for _, name := range path {
		object, is := v.(map[string]any)
		if !is {
			return nil, false
		}
		if v, is = object[name]; !is {
			return nil, false
		}
	}
	return v, true
}

// batch gives the rows of a list that the platform recognises, or says why it does not.
func batch(v any) (rows []any, why string) {
	rows, is := v.([]any)
	switch {
	case !is:
		return nil, "it is no list (a list of one arrives as its one entry)"
	case len(rows) < least:
		return nil, fmt.Sprintf("%d entries; two or more make a batch", len(rows))
	}
	for i, row := range rows {
		if _, ok := flag(row); !ok {
			return nil, fmt.Sprintf("entry %d has no boolean `success` or `ok`", i)
		}
	}
	return rows, ""
}

// flag reads a row's flag: success, and ok where that is no boolean.
func flag(row any) (done, ok bool) {
	object, _ := row.(map[string]any)
	if done, ok = object["success"].(bool); ok {
		return done, true
	}
	done, ok = object["ok"].(bool)
	return done, ok
}

// hint says where rows are that the platform does not look for.
func hint(tool string, e Envelope) string {
	if object, is := e.body.(map[string]any); is {
		if _, has := object["results"]; has {
			return "; it stands beside " + strings.Join(keysOf(e.body), ", ")
		}
	}
	if output, has := at(e.Result, []string{"output"}); has {
		return fmt.Sprintf("; output has %s, and the tool is %s", strings.Join(keysOf(output), ", "), tool)
	}
	return ""
}

// What the model is shown of an answer at most.
const (
	shownEntries    = 24
	shownCharacters = 18_000
)

// unseen says what the platform's limits keep from its model. It never changes what is counted.
func unseen(result any, rows []any, place string) (all []string) {
	if n := len(rows); n > shownEntries {
		all = append(all, fmt.Sprintf("%d of %d rows: lists are cut at %d", n-shownEntries, n, shownEntries))
	}
	if n := len([]rune(dump(result))); n > shownCharacters {
		all = append(all, fmt.Sprintf("what is beyond %d of %d characters", shownCharacters, n))
	}
	if strings.Contains(place, "output[") {
		all = append(all, "the rows of a workflow, which stand at the depth where it is cut (the version that was read)")
	}
	return all
}
