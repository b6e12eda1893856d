package reports

import (
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// FindingText is one finding in full, as the JUnit report shows it, for those
// who report finding by finding: the rule's word and source, the harm, what was
// wanted and got, the place and the bytes, the mend, the line that plays it
// again. It is safe to print whatever the server sent.
func FindingText(f conform.Finding) string {
	return strings.Trim(prose(f, f.ConsequenceOf), "\n")
}
