package suites

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// reproduce is the one command line that plays just what decided a finding
// again. Passes need none.
func reproduce(h conform.Header, f conform.Finding) string {
	if f.Verdict != conform.Fail && f.Verdict != conform.Inconclusive {
		return ""
	}
	t := h.Target
	if strings.HasPrefix(t.Selector, "judge ") {
		return "mcpconform " + t.Selector
	}
	words := []string{"mcpconform", "run"}
	named, command := t.Selector, "" // a command stands last, behind --
	if at := strings.Index(" "+t.Selector, " -- "); at >= 0 {
		named, command = strings.TrimSpace(t.Selector[:at]), t.Selector[at:]
	}
	if named != "" {
		words = append(words, named)
	}
	batch, made := strings.CutPrefix(f.Scenario, conform.Generated+"/")
	switch {
	case made:
		words = append(words, "--replay", conform.ShellWord("case:"+f.Operation+": "+batch))
	case f.Scenario != "":
		words = append(words, "--scenario", conform.ShellWord(f.Scenario))
	default:
		words = append(words, "--effort quick") // it showed while connecting, which every run does
	}
	if f.Operation != "" && !made {
		words = append(words, "--operation", conform.ShellWord(f.Operation))
	}
	if h.Catalogue.Set != "" && h.Catalogue.Set != Default().Name {
		words = append(words, "--catalogue", conform.ShellWord(h.Catalogue.Set))
	}
	if h.Run.Sessions > 0 {
		words = append(words, fmt.Sprintf("--sessions %d", h.Run.Sessions))
	}
	if h.Run.InFlight > 0 {
		words = append(words, fmt.Sprintf("--in-flight %d", h.Run.InFlight))
	}
	words = append(words, "--checks", f.ID, fmt.Sprintf("--seed %d", h.Run.Seed))
	if command != "" {
		words = append(words, command)
	}
	return strings.Join(words, " ")
}
