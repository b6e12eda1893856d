package reports

import (
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/measure"
)

func at[T any](v T) *T { return &v }

// sample is a report with every kind of thing in it.
func sample() Report {
	r := Begin(conform.Header{
		Schema:    conform.TranscriptSchema,
		Tool:      conform.Tool{Version: "0.1.0"},
		Catalogue: conform.Catalogue{Set: "2026-12-draft", Digest: "sha256:6f1ed002ab5595859014ebf0951522d9"},
		Run: conform.Run{
			ID: "r7k2", Started: time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC), Seed: 42, Effort: "standard",
			Command: "mcpconform run --target accounts.yaml", Labels: map[string]string{"branch": "main"},
		},
		Environment: conform.Environment{OS: "linux", Arch: "amd64", CPU: "a processor", Cores: 2, Memory: 8 << 30, Go: "go1.26.0"},
		Target: conform.Target{
			Name: "Acme accounts", File: "accounts.yaml", Host: "127.0.0.1:8080", Transport: "streamable-http", HasFile: true,
		},
	})
	r.Run.Seconds = 12.43
	r.Target.Protocol = "2025-11-25"
	r.Target.Server = Server{Name: "acme-mcp", Version: "1.4.2"}
	r.Scope = Scope{
		Tools: []ScopeTool{
			{Name: "cancel_products", Operation: "cancel-products"},
			{Name: "get_orders", Operation: "query-orders"},
			{Name: "legacy_bulk", Ignored: true, Because: "goes away in May"},
			{Name: "tag_products", Unlisted: true, Because: "its argument tags is an array"},
		},
		Absent: []conform.Group{conform.GroupWorkflow},
	}
	r.Findings = []conform.Finding{
		{
			ID: "RES-02", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupCore, Verdict: conform.Fail,
			Title:    "One row for every requested item",
			Impact:   "A user is told that everything was done, and never hears of the item that was left out.",
			Scenario: "partial/bad-last", Operation: "cancel-products", Count: 2, Of: 20, Interval: []float64{0.0279, 0.301},
			Common: "batches of more than 10 items; the bad item last",
			Want:   "a row for each of 12 items", Got: `11 rows: none for item 12, {"name":"Product X","id":"9999"}`,
			Evidence: []conform.Evidence{
				{Call: "c17", Seq: 58, Pointer: "/structuredContent/results", Offset: at(118), Excerpt: `[{"id":"1001","name":"Product A","success":true,"protocol":"P-1"},{"id":"1002","name":"Product B","success":true,"protocol":"P-2"},{"id":"1003","name":"Product C","success":true,"protocol":"P-3"}]`},
				{Call: "c23", Seq: 71, Pointer: "/structuredContent/results", Offset: at(118)},
			},
			Hint:      "Add a row with success false and a reason for items that were refused, instead of leaving them out.",
			Source:    "multi-item guide, partial validation, step 3",
			Reproduce: "mcpconform run --target accounts.yaml --seed 42 --scenario partial/bad-last --operation cancel-products --checks RES-02",
		},
		{
			ID: "AGG-02", Level: conform.Must, Basis: conform.Tested, Group: conform.GroupCore, Verdict: conform.Fail, Title: "Mixed outcomes give PARTIAL_SUCCESS",
			Impact: "The status shown is wrong.", Scenario: "partial/bad-last", Operation: "cancel-products", Count: 2, Of: 20,
			Want: "11 succeeded, 1 failed", Got: "11 succeeded, 0 failed", ConsequenceOf: "RES-02", Source: "status table",
			Evidence: []conform.Evidence{{Call: "c17", Seq: 58}},
		},
		{
			ID: "RES-06", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore, Verdict: conform.Fail, Title: "The flag is true or false",
			Impact: `A flag "false" in quotes counts as true, and failures look like successes.`, Scenario: "all-good", Operation: "cancel-products",
			Count: 20, Of: 20, Want: "success: true or false", Got: `success: "true"`, Source: "recognition rule", Hint: "Send JSON booleans.",
			Evidence:  []conform.Evidence{{Call: "c3", Seq: 12, Pointer: "/structuredContent/results/0/success", Offset: at(44), Excerpt: `"true"`}},
			Reproduce: "mcpconform run --target accounts.yaml --seed 42 --scenario all-good --operation cancel-products --checks RES-06",
		},
		{
			ID: "RES-06", Level: conform.Must, Basis: conform.Seed, Group: conform.GroupCore, Verdict: conform.Fail, Title: "The flag is true or false",
			Impact: `A flag "false" in quotes counts as true, and failures look like successes.`, Scenario: "read/all-good", Operation: "query-orders",
			Count: 1, Of: 1, Want: "success: true or false", Got: `success: 1`, Source: "recognition rule", Hint: "Send JSON booleans.",
			Evidence: []conform.Evidence{{Call: "c40", Seq: 130, Pointer: "/structuredContent/results/0/success", Offset: at(51), Excerpt: `1`}},
		},
		{
			ID: "PRO-12", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupProtocol, Verdict: conform.Pass, Title: "Only messages on stdout",
			Impact: "A client loses its place.", Count: 41, Of: 41, Source: "MCP, transports",
		},
		{
			ID: "RES-11", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupCore, Verdict: conform.Fail, Title: "A failed row says why",
			Impact: "Nobody can tell the user what to do.", Scenario: "partial/bad-first", Operation: "cancel-products", Count: 3, Of: 3,
			Want: "a reason, error, message or code", Got: `{"id":"9999","success":false}`, Source: "guide, examples", Hint: "Add a reason.",
			Evidence: []conform.Evidence{{Call: "c9", Seq: 30, Pointer: "/structuredContent/results/0", Offset: at(40), Excerpt: `{"id":"9999","success":false}`}},
		},
		{
			ID: "INP-03", Level: conform.May, Basis: conform.Code, Group: conform.GroupCore, Verdict: conform.Fail, Title: "Items may be strings or objects",
			Impact: "Some callers send names.", Operation: "query-orders", Count: 1, Of: 1, Got: "a list of strings was refused: items[0] is no object",
			Hint: "Take names as well as objects.", Source: "coercion code",
		},
		{ID: "ENV-01", Level: conform.Must, Basis: conform.Code, Group: conform.GroupCore, Verdict: conform.Pass, Title: "One JSON object", Operation: "cancel-products", Count: 20, Of: 20, Source: "client"},
		{ID: "ENV-01", Level: conform.Must, Basis: conform.Code, Group: conform.GroupCore, Verdict: conform.Pass, Title: "One JSON object", Operation: "query-orders", Count: 9, Of: 9, Source: "client"},
		{ID: "ENV-02", Level: conform.Must, Basis: conform.Documented, Group: conform.GroupCore, Verdict: conform.Pass, Title: "Rows where clients look", Operation: "query-orders", Count: 9, Of: 9, Source: "guide"},
		{ID: "VAL-01", Level: conform.Must, Basis: conform.Code, Group: conform.GroupValidator, Verdict: conform.NotRun, Title: "eligible is there", Operation: "query-orders", Reason: "the target file does not say whether there is a validator", Hint: "operations.query-orders.validator: {tool: …} or none", Source: "guide"},
		{ID: "VAL-02", Level: conform.Must, Basis: conform.Code, Group: conform.GroupValidator, Verdict: conform.NotRun, Title: "eligible when all are", Operation: "query-orders", Reason: "the target file does not say whether there is a validator", Hint: "operations.query-orders.validator: {tool: …} or none", Source: "guide"},
		{ID: "VAL-04", Level: conform.Should, Basis: conform.Documented, Group: conform.GroupValidator, Verdict: conform.NotRun, Title: "not eligible when none is", Operation: "query-orders", Reason: "the target file does not say whether there is a validator", Hint: "operations.query-orders.validator: {tool: …} or none", Source: "guide"},
		{ID: "LD-02", Level: conform.Should, Basis: conform.Inferred, Group: conform.GroupConcurrency, Verdict: conform.Inconclusive, Title: "Large batches are answered in full", Operation: "cancel-products", Count: 1, Of: 3, Reason: "call c55 (500 items): no answer within 30 s", Source: "client timeout"},
		{ID: "EFF-01", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupEffects, Verdict: conform.Inconclusive, Title: "Acknowledged is done", Operation: "cancel-products", Count: 1, Of: 1, Reason: "the probe get_products answered with an error", Source: "purpose"},
		{ID: "SCOPE-01", Group: conform.GroupScope, Basis: conform.Inferred, Verdict: conform.Fail, Title: "Every multi-item tool is listed or ignored", Count: 1, Of: 4, Got: "tag_products looks multi-item, and the target file does not speak of it", Hint: "list it under operations:, or under ignore: with a reason", Source: "design"},
		{ID: "NEW-01", Level: conform.Must, Basis: conform.Inferred, Group: conform.GroupCore, Verdict: conform.Fail, Title: "A rule of the next set", Operation: "cancel-products", Pending: true, Source: "next set"},
	}
	r.NotApplicable = []conform.NotApplicable{
		{ID: "WF-01", Operation: "cancel-products", Reason: "the target file declares workflow absent"},
		{ID: "WF-02", Operation: "cancel-products", Reason: "the target file declares workflow absent"},
		{ID: "ENV-04", Reason: "a rule about the legacy REST form; this is streamable-http"},
	}
	r.Performance = []Performance{
		{
			Operation: "cancel-products", BatchSize: 1, Concurrency: 1, Mode: measure.ModeSweep, Protocol: "2025-11-25", AnswerForm: measure.FormJSON,
			Seconds: 0.0132, Calls: 10, OK: 10, Items: 10, CallsPerSecond: at(758.0), ItemsPerSecond: at(758.0),
			Latency:  measure.Quantiles{Min: at(0.912), P50: at(1.24), P90: at(2.08), Max: at(2.11), Mean: at(1.32)},
			Warnings: []string{"short sample: 10 calls", "too few calls: p95 needs 20, p99 needs 100, p99.9 needs 1000"},
		},
		{
			Operation: "cancel-products", BatchSize: 100, Concurrency: 1, Mode: measure.ModeSweep, Protocol: "2025-11-25", AnswerForm: measure.FormJSON,
			Seconds: 0.0488, Calls: 3, OK: 2, Wrong: 1, Items: 200, CallsPerSecond: at(41.0), ItemsPerSecond: at(4100.0),
			Latency:  measure.Quantiles{Min: at(15.1), P50: at(15.1), Max: at(17.0), Mean: at(16.0)},
			FailedMS: &measure.Quantiles{Min: at(16.7), Max: at(16.7), Mean: at(16.7)}, Histogram: "HISTFAAAAC",
			Warnings: []string{"short sample: 2 calls", "too few calls: p90 needs 10, p95 needs 20, p99 needs 100, p99.9 needs 1000"},
		},
	}
	r.LeftBehind = []LeftBehind{{Operation: "cancel-products", Item: "1001", What: "is cancelled; the reset was refused"}}
	r.Notes = []string{"the reset reset_products was refused (403 Forbidden): scenarios that need fresh items were not played"}
	return judgedReport(r, Nonconformant)
}

// clean is a run of the demonstration backend in which everything held.
func clean() Report {
	r := Begin(conform.Header{
		Tool: conform.Tool{Version: "0.1.0"}, Catalogue: conform.Catalogue{Set: "2026-12-draft"},
		Run:    conform.Run{ID: "r1", Seed: 1, Effort: "standard", Command: "mcpconform run"},
		Target: conform.Target{Name: "demonstration backend", Transport: "streamable-http", Host: "127.0.0.1:40001", Builtin: true},
	})
	r.Run.Seconds = 3.1
	r.Target.Protocol, r.Target.Server = "2025-11-25", Server{"fakebackend", "0.1.0"}
	r.Scope.Tools = []ScopeTool{{Name: "cancel_products", Operation: "cancel-products"}}
	for _, id := range []string{"ENV-01", "ENV-02", "RES-01", "RES-02", "RES-06", "AGG-02"} {
		r.Findings = append(r.Findings, conform.Finding{
			ID: id, Level: conform.Must, Basis: conform.Documented, Group: conform.GroupCore, Verdict: conform.Pass, Title: "Holds",
			Operation: "cancel-products", Count: 4, Of: 4, Source: "guide",
		})
	}
	return judgedReport(r, Conformant)
}

func judgedReport(r Report, v Verdict) Report {
	r.Verdict, r.Summary = v, Summarise(r.Findings)
	r.VerdictLine = VerdictLine(VerdictInput{
		Verdict: v, Builtin: r.Target.Builtin, Earned: []conform.Group{conform.GroupCore}, Scope: r.Scope, Findings: r.Findings,
		Narrowed: r.Run.Narrowed, Strict: r.Run.Strict, Ended: r.Run.Ended, Cause: r.Run.Cause,
	})
	return r
}
