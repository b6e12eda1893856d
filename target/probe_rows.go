package target

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// TextRows reads the rows of a probe out of one flat text. Its fields are regular
// expressions in RE2 syntax.
type TextRows struct {
	Split string // what parts two rows
	ID    string // group 1 is the row's id; a part that it does not match is no row
	State string // group 1 is the row's state; empty: its state is "present"
}

// stateOfText is the member that bears the state in rows made of text. No item's id is
// called so.
const stateOfText = "(state)"

// textRows reads probe.rows. What stands in a row is said there alone.
func (r *reader) textRows(p *Probe, n *node) {
	t := &TextRows{}
	r.object("rows", n, fields{
		"split": func(name string, n *node) { t.Split = r.pattern(name, n) },
		"id":    func(name string, n *node) { t.ID = r.capture(name, n, "names the item") },
		"state": func(name string, n *node) { t.State = r.capture(name, n, "is the state") },
	}, nil)
	r.need(n, "rows", "split", "give the regular expression that parts two rows")
	r.need(n, "rows", "id", "give the regular expression whose group 1 is the row's id")
	p.Rows = t
}

// rowsFit looks at what stands beside probe.rows.
func (r *reader) rowsFit(p *Probe, n *node) {
	for _, name := range []string{"state", "count"} {
		if at := n.get(name); at != nil {
			r.fail(at, fmt.Sprintf("`%s` stands beside `rows`", name), "a text has no members: `rows.state` is the regular expression whose group 1 is the state")
		}
	}
	if strings.HasPrefix(p.ID, "$") { // there are no members to lead through
		r.fail(n.get("id"), "`id` is a JSONPath beside `rows`", "`rows.id` finds the id in a row; beside it `id` names the member of an item that is its id")
	}
	p.State = stateOfText
}

// parts makes rows of a text: objects that bear the id as the member id, and the
// state. A text that is not empty and has no row at all, or rows of which none has a
// state, is an error: the expressions do not fit it.
func (t *TextRows) parts(text, id string) ([]*rawjson.Node, error) {
	split, err1 := regexp.Compile(t.Split)
	name, err2 := regexp.Compile(t.ID)
	state, err3 := regexp.Compile(t.State)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	var rows []*rawjson.Node
	stateless := "" // the first row in which no state is found
	stated := t.State == ""
	for _, part := range split.Split(text, -1) {
		found := name.FindStringSubmatch(part)
		if found == nil {
			continue
		}
		row := appendString([]byte{'{'}, id)
		row = appendString(append(row, ':'), found[1])
		is := "present"
		if t.State != "" {
			is = "" // an expression that finds nothing: a state too, and not any other
			if told := state.FindStringSubmatch(part); told != nil {
				is, stated = told[1], true
			} else if stateless == "" {
				stateless = part
			}
		}
		row = appendString(append(appendString(append(row, ','), stateOfText), ':'), is)
		n, err := rawjson.Parse(append(row, '}'))
		if err != nil {
			return nil, err
		}
		rows = append(rows, n)
	}
	if len(rows) == 0 && strings.TrimSpace(text) != "" {
		return nil, fmt.Errorf("no row of the text fits `rows.id`; it begins with %s", printable(firstLine(text)))
	}
	if !stated && len(rows) > 0 {
		return nil, fmt.Errorf("no row of the text fits `rows.state`; one reads %q", printable(rawjson.Cut(stateless, 120)))
	}
	return rows, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
