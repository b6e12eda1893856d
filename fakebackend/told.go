package fakebackend

import (
	"regexp"
	"strconv"
)

// told is what an answer says, open to be changed: its data, which goes out
// structured and as text alike, and isError.
type told struct {
	payload *object
	holder  *object // the object that holds results; nil if none does
	rows    []any
	isError bool
}

// tell reads a tools/call result; nil if it has no data.
func tell(x *exchange, result *object) *told {
	payload := result.child("structuredContent")
	if payload == nil {
		return nil
	}
	t := &told{payload: payload, isError: result.get("isError") == true}
	for _, top := range []*object{payload, payload.child("result")} {
		for _, at := range []*object{top, top.child("output").child(x.tool)} {
			if rows, ok := at.get("results").([]any); ok && t.holder == nil {
				t.holder, t.rows = at, rows
			}
		}
	}
	return t
}

// put writes the answer back into the result.
func (t *told) put(result *object) {
	if t.holder.has("results") {
		t.holder.set("results", t.rows)
	}
	result.set("structuredContent", t.payload)
	if content, ok := result.get("content").([]any); ok && len(content) == 1 {
		if block, ok := content[0].(*object); ok && block.has("text") {
			block.set("text", string(encode(t.payload)))
		}
	}
	result.drop("isError")
	if t.isError {
		result.add("isError", true)
	}
}

// objects gives the rows that are objects.
func (t *told) objects() []*object {
	var rows []*object
	for _, row := range t.rows {
		if row, ok := row.(*object); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

func succeeded(row *object) bool { return row.get("success") == true }

// with gives the rows that say success, or those that do not.
func (t *told) with(success bool) []*object {
	var rows []*object
	for _, row := range t.objects() {
		if succeeded(row) == success {
			rows = append(rows, row)
		}
	}
	return rows
}

func (t *told) n() int      { return len(t.rows) }
func (t *told) mixed() bool { return len(t.with(true)) > 0 && len(t.with(false)) > 0 }

// repeats tells whether two rows are about one thing.
func (t *told) repeats() bool {
	known := map[string]bool{}
	for _, row := range t.objects() {
		id := canon(row.text("id"))
		if id != "" && known[id] {
			return true
		}
		known[id] = true
	}
	return false
}

func (t *told) allFailed() bool {
	return t.n() > 0 && len(t.with(true)) == 0
}

var leadingCounts = regexp.MustCompile(`^\d+ of \d+`)

// settle makes counts, status, message and isError say again what the rows say,
// so that a changed row breaks no further rule.
func (t *told) settle() {
	status, done := tally(t.rows)
	for _, at := range []*object{t.payload, t.payload.child("result"), t.holder} {
		for name, value := range map[string]any{"total": len(t.rows), "succeeded": done, "failed": len(t.rows) - done, "status": status} {
			if at.has(name) {
				at.set(name, value)
			}
		}
		if message := at.text("message"); message != "" {
			at.set("message", leadingCounts.ReplaceAllString(message, strconv.Itoa(done)+" of "+strconv.Itoa(len(t.rows))))
		}
	}
	if t.payload.has("ok") {
		t.payload.set("ok", done > 0)
	}
	t.isError = done == 0
}

// replace puts another object in the place of the whole answer.
func (t *told) replace(payload *object, isError bool) bool {
	t.payload, t.holder, t.isError = payload, nil, isError
	return true
}

// each changes every row that is an object and tells whether there were any.
func (t *told) each(change func(row *object)) bool {
	rows := t.objects()
	for _, row := range rows {
		change(row)
	}
	return len(rows) > 0
}
