package selftest

// unseen are the rules that compare what calls acknowledge with the state.
var unseen = []string{"EFF-01", "CON-01"}

// oddEyes are oddities of what shows the state: the server does what it says, and
// its eyes cannot tell. Nobody may be accused by them, and nothing may pass.
func oddEyes() []oddity {
	return []oddity{
		{name: "all-is-done-to-its-eyes", sentence: "What shows the state calls everything cancelled, before the first call as after the last.", over: both, unclear: unseen,
			seen: states(func(rows []any) []any {
				for _, row := range rows {
					if row, ok := row.(object); ok {
						row["status"], row["cancellations"] = "CANCELLED", 1
					}
				}
				return rows
			})},
		{name: "two-rows-an-item-to-its-eyes", sentence: "What shows the state has two rows for each item: as it is, and as it was at the start.", over: both, unclear: unseen,
			seen: states(func(rows []any) []any {
				var all []any
				for _, row := range rows {
					was := object{}
					if row, ok := row.(object); ok {
						for name, value := range row {
							was[name] = value
						}
						was["status"], was["cancellations"] = "ACTIVE", 0
					}
					all = append(all, row, was)
				}
				return all
			})},
	}
}

// states changes the rows of a look at the state, structured and as text alike.
func states(change func([]any) []any) func(asked, result object) {
	return func(_, result object) {
		payload := child(result, "structuredContent")
		for _, kind := range []string{"products", "subscriptions"} {
			if rows, ok := payload[kind].([]any); ok {
				payload[kind] = change(rows)
				result["content"] = []any{object{"type": "text", "text": string(encode(payload))}}
			}
		}
	}
}
