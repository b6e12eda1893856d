package conform

// Rerun is what an earlier run left open, where a run plays nothing else.
type Rerun struct {
	Run  string `json:"run"`  // the id of the earlier run
	Open []Open `json:"open"` // in the order of its report
}

// Open is a finding that failed, or was inconclusive.
type Open struct {
	ID        string  `json:"id"`
	Operation string  `json:"operation,omitempty"` // empty: the server as a whole
	Verdict   Verdict `json:"verdict"`
	// Scenarios are those that showed a failure, as scenario/variant; empty: whatever
	// feeds the check.
	Scenarios []string `json:"scenarios,omitempty"`
	Count     int      `json:"count,omitempty"` // of a failure: how often it was seen
	Of        int      `json:"of,omitempty"`    // of how many looks
}
