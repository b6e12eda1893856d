package contract

import (
	"strings"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Flag is what a row says of its item.
type Flag uint8

// The flags. NoFlag: neither success nor ok. Unreadable: there, but not JSON
// true or false, or sent twice. Torn: both are boolean and differ.
const (
	NoFlag Flag = iota
	Unreadable
	Torn
	Succeeded
	Failed
)

// String is a verb phrase: "row 3 succeeded", "row 3 has no flag".
func (f Flag) String() string {
	return [...]string{"has no flag", "has an unreadable flag", "has two flags that differ", "succeeded", "failed"}[f]
}

// Row is one entry of results[].
type Row struct {
	Index   int
	Node    *rawjson.Node
	Flag    Flag
	Success *rawjson.Node // the two flag members; nil if absent
	Ok      *rawjson.Node
	// Doubled is set where the row sends a flag's name twice: readers differ on
	// which one counts, so that Flag is Unreadable. PRO-14 judges it, not RES-06.
	Doubled bool
}

// Readable tells whether the row is an object with a boolean flag that nothing
// contradicts.
func (r Row) Readable() bool { return r.Flag == Succeeded || r.Flag == Failed }

// rowsOf reads the rows of a list; nil if it is none.
func rowsOf(list *rawjson.Node) []Row {
	if !list.Is(rawjson.Array) {
		return nil
	}
	rows := make([]Row, len(list.Items))
	for i, entry := range list.Items {
		rows[i] = rowOf(i, entry)
	}
	return rows
}

func rowOf(index int, entry *rawjson.Node) Row {
	row := Row{Index: index, Node: entry}
	for i := range entry.Members {
		m := &entry.Members[i]
		switch m.Name {
		case "success":
			row.Doubled = row.Doubled || m.Again
			if !m.Again {
				row.Success = m.Value
			}
		case "ok":
			row.Doubled = row.Doubled || m.Again
			if !m.Again {
				row.Ok = m.Value
			}
		}
	}
	row.Flag = flagOf(row)
	return row
}

func flagOf(row Row) Flag {
	success, hasSuccess := row.Success.Bool()
	ok, hasOK := row.Ok.Bool()
	switch {
	case row.Success == nil && row.Ok == nil:
		return NoFlag
	case row.Doubled, !hasSuccess && !hasOK:
		return Unreadable
	case hasSuccess && hasOK && success != ok:
		return Torn
	case success, ok:
		return Succeeded
	}
	return Failed
}

func (a *Answer) readRows(o Options) {
	a.Rows = rowsOf(a.List)
	for i := range a.Rows {
		a.judgeFlag(&a.Rows[i])
		a.judgeError(&a.Rows[i])
		a.judgeNumbers(&a.Rows[i], o)
	}
}

func (a *Answer) judgeFlag(row *Row) {
	if !row.Node.Is(rawjson.Object) {
		detail := "this row is a " + kind(row.Node) + ": it cannot carry success and an identity"
		if stringHolds(row.Node) != nil {
			detail = "this row is an object written as a string: it was serialised before it was put in the list"
		}
		a.problem(RowNotObject, row.Node, detail)
		return
	}
	odd := oddFlag(row)
	switch {
	case row.Flag == NoFlag:
		a.problem(RowNoFlag, row.Node, noFlagDetail(row.Node))
	case row.Flag == Torn:
		a.problem(FlagsDiffer, row.Ok, "success is "+row.Success.Excerpt(8)+" and ok is "+row.Ok.Excerpt(8))
	case odd != nil && (row.Success.Is(rawjson.Bool) || row.Ok.Is(rawjson.Bool)):
		a.problem(SecondFlagOdd, odd, "the other flag is boolean, this one is the "+kind(odd)+" "+odd.Excerpt(40))
	case odd != nil:
		a.problem(FlagNotBoolean, odd, "the flag is the "+kind(odd)+" "+odd.Excerpt(40)+", not JSON true or false")
	}
}

// oddFlag gives the first flag that is there and not boolean.
func oddFlag(row *Row) *rawjson.Node {
	for _, flag := range []*rawjson.Node{row.Success, row.Ok} {
		if flag != nil && !flag.Is(rawjson.Bool) {
			return flag
		}
	}
	return nil
}

// flagLike are names that servers use where the contract has success or ok.
var flagLike = []string{"succeeded", "successful", "is_success", "issuccess", "success", "ok", "done", "completed",
	"status", "state", "result", "outcome", "code", "status_code", "statuscode", "error", "errors"}

// noFlagDetail says what the row has in place of a flag.
func noFlagDetail(row *rawjson.Node) string {
	if path := nestedFlag(row); path != "" {
		return "the flag stands one level too deep, at " + path + " inside the row: lift it to the row itself"
	}
	for _, name := range flagLike {
		for i := range row.Members {
			if strings.EqualFold(row.Members[i].Name, name) {
				return "neither success nor ok; the outcome must be guessed from " + row.Members[i].Name
			}
		}
	}
	if len(row.Members) == 1 && row.Members[0].Value.Is(rawjson.Object) {
		return "neither success nor ok; the row is keyed by " + row.Members[0].Name
	}
	return "neither success nor ok"
}

// nestedFlag gives the pointer, from the row, of a boolean flag in one of the
// objects the row holds.
func nestedFlag(row *rawjson.Node) string {
	for i := range row.Members {
		inner := row.Members[i].Value
		for _, name := range []string{"success", "ok"} {
			if flag := inner.Get(name); flag.Is(rawjson.Bool) {
				return strings.TrimPrefix(flag.Pointer(), row.Pointer())
			}
		}
	}
	return ""
}

// judgeError looks for an error on a row that succeeded. Only what says
// something counts: a text, an object, a list; null, false and 0 deny it.
func (a *Answer) judgeError(row *Row) {
	if row.Flag != Succeeded {
		return
	}
	switch e := row.Node.Get("error"); kindOf(e) {
	case rawjson.String, rawjson.Object, rawjson.Array:
		if !e.Empty() {
			a.problem(ErrorOnSuccess, e, "the row succeeded and carries an error: "+e.Excerpt(80))
		}
	}
}

func kindOf(n *rawjson.Node) rawjson.Kind {
	if n == nil {
		return rawjson.Invalid
	}
	return n.Kind
}

func (a *Answer) judgeNumbers(row *Row, o Options) {
	for i := range row.Node.Members {
		m := &row.Node.Members[i]
		inner := m.Value
		switch {
		case inner.Is(rawjson.Number) && (isItem(m.Name) || o.names(m.Name)):
			a.judgeNumber(inner)
		case isItem(m.Name):
			for j := range inner.Members {
				if o.names(inner.Members[j].Name) {
					a.judgeNumber(inner.Members[j].Value)
				}
			}
		}
	}
}

// judgeNumber judges what names an item; a text is always exact.
func (a *Answer) judgeNumber(n *rawjson.Node) {
	if literal, _ := n.Literal(); beyondDouble(literal) {
		a.problem(BigNumberID, n, literal+" is beyond 2^53-1: readers that use doubles get another id; send it as a string")
	}
}
