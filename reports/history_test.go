package reports

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

// undone is a history of an item that was done, and is not any more.
func undone() *conform.History {
	ms := func(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
	return &conform.History{Item: "1010", Semantics: "once", Known: "the target file says so", Events: []conform.Happening{
		{Kind: conform.Looked, Call: "kept/x/cancel#1/probe-before", Begun: 8, Over: 8, From: ms(3), To: ms(3), Seen: "ACTIVE"},
		{Kind: conform.Write, Call: "kept/x/cancel#1/first", Session: "s1", Begun: 9, Over: 12, From: ms(4), To: ms(6.25), Said: conform.Acknowledged, Protocol: "P-1"},
		{Kind: conform.Write, Call: "kept/x/cancel#1/parallel.2", Session: "s2", Begun: 10, From: ms(4.5), Said: conform.Unanswered},
		{Kind: conform.Looked, Call: "kept/x/cancel#1/probe-after", Begun: 12, Over: 15, From: ms(6.25), To: ms(2000), Seen: "ACTIVE"},
	}}
}

func TestAHistoryIsATimeLine(t *testing.T) {
	p := &page{width: 100}
	p.history(undone())
	want := `  history    of 1010, once (the target file says so); milliseconds from the first look
             │               0.0  │          look: ACTIVE
             │         1.0 … 3.2    ├───┤    first on s1: acknowledged, P-1
             │             1.5 …      ├───▸  parallel.2 on s2: unanswered
             │      3.2 … 1997.0        ├─┤  look: ACTIVE
`
	if got := p.String(); got != want {
		t.Errorf("drawn:\n%s\nwant:\n%s", got, want)
	}
}

func TestALongHistoryIsCutInItsMiddle(t *testing.T) {
	h := undone()
	for range 40 {
		h.Events = append(h.Events, h.Events[2])
	}
	p := &page{width: 100}
	p.history(h)
	if got := p.String(); strings.Count(got, "\n") != mostHappenings+2 || !strings.Contains(got, "│ … 32 more …\n") {
		t.Errorf("drawn:\n%s", got)
	}
}

func TestHistoriesAreDrawnForPorcupine(t *testing.T) {
	var page strings.Builder
	r := Report{Findings: []conform.Finding{{ID: "CON-05", History: undone()}}}
	if err := History(&page, r); err != nil || !strings.Contains(page.String(), "acknowledged, P-1") {
		t.Errorf("%v: %d bytes", err, page.Len())
	}
	page.Reset()
	if err := History(&page, Report{}); err != nil || !strings.Contains(page.String(), "nothing to draw") {
		t.Errorf("%v: %s", err, page.String())
	}
}

func TestAHistoryIsNotQuotedWhereNothingIs(t *testing.T) {
	before := undone()
	quoted := Quote([]conform.Finding{{History: before}}, EvidenceNone, nil)
	for _, e := range quoted[0].History.Events {
		if strings.Contains(e.Seen+e.Protocol, "ACTIVE") || strings.Contains(e.Protocol, "P-1") {
			t.Errorf("quoted all the same: %+v", e)
		}
	}
	if before.Events[0].Seen != "ACTIVE" {
		t.Error("the finding itself was changed")
	}
}
