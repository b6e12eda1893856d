package multiitem

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
	"github.com/mcpconform/mcpconform/internal/rawpath"
)

// word is what an answer says of one requested item.
type word uint8

const (
	silent  word = iota // nothing that can be read
	claimed             // it was done
	denied              // it was not done
)

// words gives what the answer says of each requested item, for the checks of
// effect and concurrency: by the contract's rows where there are any, else by
// the target file's mapping for a server of another shape. It never feeds a
// check of shape.
func (v *sight) words() []word {
	return v.Memo(wordsKey{}, func() any { return v.readWords() }).([]word)
}

type wordsKey struct{}

func (v *sight) readWords() []word {
	said := make([]word, v.N())
	if v.Answer == nil {
		return said
	}
	if len(v.Answer.Rows) > 0 && v.Op.Results.Path == "" {
		torn := map[int]bool{} // items whose rows contradict one another
		for row, item := range v.tieOfEffects().Item {
			if item < 0 {
				continue
			}
			before := said[item]
			switch v.Answer.Rows[row].Flag {
			case contract.Succeeded:
				said[item] = claimed
			case contract.Failed:
				said[item] = denied
			}
			torn[item] = torn[item] || before != silent && before != said[item]
		}
		for item, is := range torn {
			if is {
				said[item] = silent
			}
		}
		return said
	}
	r := v.Op.Results
	switch {
	case len(r.Success) == 1 && r.Success[0] == "call":
		for i := range said {
			said[i] = claimed
			if v.Answer.IsError {
				said[i] = denied
			}
		}
	case r.Split != "":
		v.flatText(said)
	case r.Path != "":
		v.elsewhere(said)
	}
	return said
}

// elsewhere reads rows that stand at results.path. An answer without data that is no
// error says nothing of any item.
func (v *sight) elsewhere(said []word) {
	if v.mappedData() == nil && !v.Answer.IsError {
		return
	}
	rows := map[string]*rawjson.Node{} // by every name a row has
	for _, n := range v.mappedRows() {
		for _, name := range v.rowNames(n) {
			if rows[name] == nil {
				rows[name] = n
			}
		}
	}
	present := len(v.Op.Results.Success) == 1 && v.Op.Results.Success[0] == "present"
	for i, item := range v.Planned.Items {
		var row *rawjson.Node
		for _, identity := range contract.Identities(item, v.options()) {
			if row = rows[contract.Key(identity.Value, v.Op.FoldCase)]; row != nil {
				break
			}
		}
		switch {
		case present && row == nil:
			said[i] = denied
		case present:
			said[i] = claimed
		default:
			said[i] = v.flagged(row)
		}
	}
}

// flagged reads the flags that results.success names.
func (v *sight) flagged(row *rawjson.Node) word {
	for _, flag := range v.Op.Results.Success {
		if yes, ok := row.Get(flag).Bool(); ok {
			if yes {
				return claimed
			}
			return denied
		}
	}
	return silent
}

// rowNames gives the names of a row at results.path: the members of results.id,
// or the row itself where it is a text or a number.
func (v *sight) rowNames(n *rawjson.Node) []string {
	members := v.Op.Results.ID
	if len(members) == 0 {
		members = []string{"id", "name", "subject", "key"}
	}
	var names []string
	add := func(value *rawjson.Node) {
		if text, ok := scalar(value); ok {
			names = append(names, contract.Key(text, v.Op.FoldCase))
		}
	}
	add(n)
	for _, member := range members {
		add(n.Get(member))
	}
	return names
}

// named tells whether a value names an item: by being one of the item's names,
// or by one of the contract's members that holds one.
func named(n *rawjson.Node, item conform.Item, o contract.Options, fold bool) bool {
	same := func(value *rawjson.Node) bool {
		text, ok := scalar(value)
		if !ok {
			return false
		}
		for _, identity := range contract.Identities(item, o) {
			if contract.SameValue(identity.Value, text, fold) {
				return true
			}
		}
		return false
	}
	if same(n) {
		return true
	}
	return slices.ContainsFunc([]string{"id", "name", "subject", "key"}, func(member string) bool { return same(n.Get(member)) })
}

// scalar gives a string's value or a number's exact text.
func scalar(n *rawjson.Node) (string, bool) {
	if text, ok := n.Str(); ok {
		return text, true
	}
	return n.Literal()
}

// mappedRows are the nodes at results.path in the payload.
func (v *sight) mappedRows() []*rawjson.Node {
	if v.Answer == nil {
		return nil
	}
	nodes, _ := rawpath.Select(v.Op.Results.Path, v.mappedData()) // none of a path that does not read
	if len(nodes) == 1 && nodes[0].Is(rawjson.Array) {
		return nodes[0].Items
	}
	return nodes
}

// mappedData is what results.path begins at: the payload, or a bare array, which the
// contract does not take for one; nil: the answer has no data.
func (v *sight) mappedData() *rawjson.Node {
	switch a := v.Answer; {
	case a.Payload != nil:
		return a.Payload
	case a.Structured.Is(rawjson.Array):
		return a.Structured
	case a.Structured == nil && len(a.Texts) == 1 && a.Texts[0].JSON.Is(rawjson.Array):
		return a.Texts[0].JSON
	}
	return nil
}

// flatText reads rows that stand one after another in one text.
func (v *sight) flatText(said []word) {
	r := v.Op.Results
	split, err1 := regexp.Compile(r.Split)
	id, err2 := regexp.Compile(r.RowID)
	failed, err3 := regexp.Compile(r.RowFailed)
	if err1 != nil || err2 != nil || err3 != nil {
		return // the target file was refused for it
	}
	asked := map[string][]int{} // requested items by name
	for i, item := range v.Planned.Items {
		for _, identity := range contract.Identities(item, v.options()) {
			key := contract.Key(identity.Value, v.Op.FoldCase)
			asked[key] = append(asked[key], i)
		}
	}
	for _, text := range v.Answer.Texts {
		whole, _ := text.Node.Str()
		for _, part := range split.Split(whole, -1) {
			match := id.FindStringSubmatch(part)
			if match == nil {
				continue
			}
			word := claimed
			if r.RowFailed != "" && failed.MatchString(part) {
				word = denied
			}
			for _, i := range asked[contract.Key(strings.TrimSpace(match[len(match)-1]), v.Op.FoldCase)] {
				said[i] = word
			}
		}
	}
}
