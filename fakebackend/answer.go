package fakebackend

// Shape is the form of the multi-item tools' answers.
type Shape string

// The shapes.
const (
	Default   Shape = "default"    // {status, total, succeeded, failed, message, results}
	Bare      Shape = "bare"       // {results}
	Wrapped   Shape = "wrapped"    // {ok, result: {status, …, results}}
	NoSummary Shape = "no-summary" // {message, results}
)

// answer is what a tool says. It is not changed once it was made: answers are
// kept for idempotency keys.
type answer struct {
	payload *object
	failed  bool // isError
}

// result is the tools/call result that says it.
func (a *answer) result() *object {
	payload := encode(a.payload)
	body := of("content", []any{of("type", "text", "text", string(payload))}, "structuredContent", payload)
	if a.failed {
		body.add("isError", true)
	}
	return body
}

// tally counts the rows and gives the word for them.
func tally(rows []any) (status string, succeeded int) {
	for _, row := range rows {
		if row, ok := row.(*object); ok && row.get("success") == true {
			succeeded++
		}
	}
	switch {
	case succeeded == 0:
		return "FAILED", 0
	case succeeded < len(rows):
		return "PARTIAL_SUCCESS", succeeded
	}
	return "SUCCESS", succeeded
}

// batch makes the answer of a multi-item tool from its rows.
func (s Shape) batch(rows []any, message string) *answer {
	status, succeeded := tally(rows)
	var payload *object
	switch s {
	case Bare:
		payload = of("results", rows)
	case NoSummary:
		payload = of("message", message, "results", rows)
	default:
		payload = of("status", status, "total", len(rows), "succeeded", succeeded, "failed", len(rows)-succeeded,
			"message", message, "results", rows)
	}
	return s.wrap(payload, succeeded > 0)
}

// step is one step of a workflow, by the name of its tool.
type step struct {
	tool   string
	output *object
}

// workflow makes the answer of a workflow: the rows of the primary step under
// output[tool], the other steps beside it.
func (s Shape) workflow(tool string, rows []any, message string, others ...step) *answer {
	status, succeeded := tally(rows)
	primary := of("results", rows)
	if s == Default || s == Wrapped {
		primary = of("total", len(rows), "succeeded", succeeded, "failed", len(rows)-succeeded, "results", rows)
	}
	output := of(tool, primary)
	for _, other := range others {
		output.add(other.tool, other.output)
	}
	payload := of("status", status, "message", message, "output", output)
	switch s {
	case Bare:
		payload = of("output", output)
	case NoSummary:
		payload = of("message", message, "output", output)
	}
	return s.wrap(payload, succeeded > 0)
}

func (s Shape) wrap(payload *object, ok bool) *answer {
	if s == Wrapped {
		payload = of("ok", ok, "result", payload)
	}
	return &answer{payload: payload, failed: !ok}
}
