package multiitem

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/theory/jsonpath"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/internal/rawjson"
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
	said := make([]word, v.N())
	if v.Answer == nil {
		return said
	}
	if v.HasRows() && len(v.Answer.Rows) > 0 && v.Op.Results.Path == "" {
		for row, item := range v.Tie.Item {
			if item < 0 {
				continue
			}
			switch v.Answer.Rows[row].Flag {
			case contract.Succeeded:
				said[item] = claimed
			case contract.Failed:
				said[item] = denied
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

// elsewhere reads rows that stand at results.path.
func (v *sight) elsewhere(said []word) {
	nodes := v.mappedRows()
	names := append([]string{}, v.Op.Results.ID...)
	present := len(v.Op.Results.Success) == 1 && v.Op.Results.Success[0] == "present"
	for i, item := range v.Planned.Items {
		if present {
			said[i] = denied
		}
		for _, n := range nodes {
			if !named(n, item, names, v.options(), v.Op.FoldCase) {
				continue
			}
			if present {
				said[i] = claimed
				break
			}
			for _, flag := range v.Op.Results.Success {
				if yes, ok := n.Get(flag).Bool(); ok {
					said[i] = denied
					if yes {
						said[i] = claimed
					}
				}
			}
		}
	}
}

// named tells whether a row names an item, by a member of results.id or by
// being the identity itself.
func named(n *rawjson.Node, item conform.Item, names []string, o contract.Options, fold bool) bool {
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
	if len(names) == 0 {
		names = []string{"id", "name", "subject", "key"}
	}
	for _, name := range names {
		if same(n.Get(name)) {
			return true
		}
	}
	return false
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
	if v.Answer == nil || v.Answer.Payload == nil || v.Op.Results.Path == "" {
		return nil
	}
	path, err := jsonpath.Parse(v.Op.Results.Path)
	if err != nil {
		return nil // the target file was refused for it
	}
	var payload any
	dec := json.NewDecoder(bytes.NewReader(v.Answer.Payload.Raw))
	dec.UseNumber()
	if dec.Decode(&payload) != nil {
		return nil
	}
	found := map[string]bool{}
	for _, located := range path.SelectLocated(payload) {
		found[v.Answer.Payload.Pointer+located.Path.Pointer()] = true
	}
	var nodes []*rawjson.Node
	v.Answer.Payload.Walk(func(n *rawjson.Node) bool {
		if found[n.Pointer] {
			nodes = append(nodes, n)
		}
		return true
	})
	if len(nodes) == 1 && nodes[0].Is(rawjson.Array) {
		return nodes[0].Items
	}
	return nodes
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
	for _, text := range v.Answer.Texts {
		whole, _ := text.Node.Str()
		for _, part := range split.Split(whole, -1) {
			match := id.FindStringSubmatch(part)
			if match == nil {
				continue
			}
			name := strings.TrimSpace(match[len(match)-1])
			for i, item := range v.Planned.Items {
				for _, identity := range contract.Identities(item, v.options()) {
					if !contract.SameValue(identity.Value, name, v.Op.FoldCase) {
						continue
					}
					said[i] = claimed
					if r.RowFailed != "" && failed.MatchString(part) {
						said[i] = denied
					}
				}
			}
		}
	}
}
