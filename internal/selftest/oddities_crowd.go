package selftest

import (
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/fakebackend"
)

// crowdPlays ask for the same again, one call after the other and together.
var crowdPlays = []string{"all-succeed/three", "duplicates/identical", "replay", "retry", "kept", "concurrent/one-session", "concurrent/several-sessions", "concurrent-same", "concurrent-key"}

// oddCrowds are oddities of what calls for the same are told.
func oddCrowds() []oddity {
	return []oddity{
		{name: "a-second-caller-is-told-the-first-protocol", sentence: "Who asks for what is cancelled already, alone or in flight with who cancels it, is told success under the protocol of the one cancellation.",
			over: both, options: fakebackend.Options{Shape: fakebackend.NoSummary}, plays: crowdPlays, listing: undeclared, answer: func(asked, result object) {
				rewrite(asked, result, func(rows []any) []any {
					for _, r := range rows {
						row, _ := r.(object)
						told, _ := row["message"].(string)
						if _, protocol, known := strings.Cut(told, "under protocol "); known && row["error"] == "already_cancelled" {
							delete(row, "error")
							row["success"], row["protocol"], row["message"] = true, protocol, "It is cancelled."
						}
					}
					if slices.ContainsFunc(rows, func(r any) bool { row, _ := r.(object); return row["success"] == true }) {
						delete(result, "isError")
					}
					return rows
				})
			}},
	}
}
