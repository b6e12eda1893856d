package reports

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/mcpconform/mcpconform/conform"
)

// Evidence says how much of what a server sent a report quotes. The empty word is
// EvidenceRows.
type Evidence string

// The words.
const (
	EvidenceRows Evidence = "rows" // the place, and the bytes there, shortened: the rows that a finding needs
	EvidenceFull Evidence = "full" // besides, of what failed or could not be told, the whole message
	EvidenceNone Evidence = "none" // the place alone
)

// ParseEvidence reads one of the words.
func ParseEvidence(word string) (Evidence, error) {
	switch e := Evidence(word); e {
	case EvidenceRows, EvidenceFull, EvidenceNone:
		return e, nil
	}
	return "", fmt.Errorf("%q is none of full, rows, none", word)
}

// mostBody bounds the bytes of one message in a report.
const mostBody = 256 << 10

// Quote gives findings with as much of the server's words as is asked for. body
// gives what was received, by the number of its observation.
func Quote(findings []conform.Finding, e Evidence, body func(seq int64) []byte) []conform.Finding {
	if e != EvidenceFull && e != EvidenceNone {
		return findings
	}
	quoted := make([]conform.Finding, len(findings))
	for i, f := range findings {
		f.Evidence = append([]conform.Evidence(nil), f.Evidence...)
		if e == EvidenceNone {
			f = unquoted(f)
		} else if f.Verdict == conform.Fail || f.Verdict == conform.Inconclusive {
			for j := range f.Evidence {
				f.Evidence[j].Body = middle(string(body(f.Evidence[j].Seq)), mostBody)
			}
		}
		quoted[i] = f
	}
	return quoted
}

// unquoted takes the server's words out of a finding. What came is put into words
// that mix ours with its, so that all of it goes.
func unquoted(f conform.Finding) conform.Finding {
	if f.Got != "" {
		f.Got = "not quoted (--evidence none)"
		for _, e := range f.Evidence {
			if e.Seq > 0 {
				f.Got = fmt.Sprintf("not quoted (--evidence none): observation %d of the transcript", e.Seq)
				break
			}
		}
	}
	if f.History != nil {
		told := *f.History
		told.Item, told.Events = "(not quoted)", slices.Clone(told.Events)
		for j := range told.Events {
			told.Events[j].Seen, told.Events[j].Protocol = "(not quoted)", ""
		}
		f.History = &told
	}
	f.Want, f.Reason = Unquoted(f.Want), Unquoted(f.Reason)
	for j := range f.Evidence {
		f.Evidence[j].Excerpt, f.Evidence[j].Note = "", ""
	}
	return f
}

// quotation is a text in quotes, or JSON.
var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{.*\}|\[.*\]`)

// Unquoted takes out of a sentence of ours what it quotes.
func Unquoted(sentence string) string { return quotation.ReplaceAllString(sentence, "…") }
