package runner

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// onlyLost says what would settle the MUST rules that passed wherever an answer came,
// and that cannot be told for a call that was lost on the way; none where there are
// none.
func onlyLost(rec *conform.Recording, findings []conform.Finding) []string {
	var rules []string
	play := ""
	for _, f := range findings {
		if f.Level != conform.Must || f.Verdict != conform.Inconclusive || f.Count >= f.Of || f.Narrowed || f.Pending || !lostIn(rec, f) {
			continue
		}
		on, alone := f.ID, ""
		if f.Scenario != "" {
			alone = " --scenario " + conform.ShellWord(f.Scenario)
		}
		if f.Operation != "" {
			on += " on " + f.Operation
			alone += " --operation " + conform.ShellWord(f.Operation)
		}
		rules = append(rules, on)
		if play == "" && f.Scenario != "" {
			play = alone
		}
	}
	if len(rules) == 0 {
		return nil
	}
	note := fmt.Sprintf("%s passed wherever an answer came, and what was lost on the way leaves open (%s): run again for the whole verdict",
		reports.Amount(len(rules), "MUST rule", "MUST rules"), strings.Join(rules, ", "))
	if play != "" {
		note += "; `" + strings.TrimSpace(play) + "` plays the first of them alone"
	}
	return []string{note}
}

// lostIn tells whether a call of the finding's scenario and operation was lost on the
// way, or answered by an intermediary in the server's place.
func lostIn(rec *conform.Recording, f conform.Finding) bool {
	for _, c := range rec.Calls {
		in := c.Last()
		name := strings.Trim(c.Planned.Scenario+"/"+c.Planned.Variant, "/")
		if c.Sent == nil || in == nil || c.Response != nil || rec.MadeAgain(c) || name != f.Scenario || f.Operation != "" && c.Planned.Operation != f.Operation {
			continue
		}
		if in.End == conform.Cut || in.End == conform.Refused || conform.FromIntermediary(in.Status, conform.MediaType(in.Header)) {
			return true
		}
	}
	return false
}
