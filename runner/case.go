package runner

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/contract"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites"
	"github.com/mcpconform/mcpconform/suites/multiitem"
)

// CaseVerdict is one recorded answer, judged.
type CaseVerdict struct {
	File    string `json:"file"`
	Verdict string `json:"verdict"` // conformant | warning | nonconformant
	// Status is derived from the rows; null wherever rows alone would mislead.
	Status   *string           `json:"status"`
	Findings []conform.Finding `json:"findings"`
}

// answerCase is the file format of an answer case; further keys are ignored.
type answerCase struct {
	RequestItems    []json.RawMessage `json:"request_items"`
	ToolResult      json.RawMessage   `json:"tool_result"`
	OutputSchema    json.RawMessage   `json:"output_schema"`
	ProtocolVersion string            `json:"protocol_version"`
	Tool            string            `json:"tool"`
}

// judgeCase judges one recorded answer by the rules that an answer alone can
// show.
func judgeCase(src []byte, name, catalogue string) (*CaseVerdict, error) {
	_, checks, err := checksOf(catalogue, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	var c answerCase
	if err := json.Unmarshal(src, &c); err != nil {
		return nil, fmt.Errorf("neither a transcript nor an answer case: %w", describe(src, err))
	}
	if c.ToolResult == nil {
		return nil, errors.New("an answer case needs tool_result: the answer to judge")
	}
	if c.RequestItems == nil {
		return nil, errors.New("an answer case needs request_items: the items that were asked for ([] for none)")
	}
	rec := multiitem.Case(c.Tool, c.RequestItems, c.ToolResult, c.OutputSchema, c.ProtocolVersion)
	rec.Header.Target.Selector = "judge " + name
	v := &CaseVerdict{File: name, Verdict: "conformant", Findings: []conform.Finding{}}
	pending := multiitem.PendingCase(rec)
	for _, f := range suites.Judge(rec, checks).Findings {
		switch reports.ClassOf(f) {
		case reports.ClassFail:
			v.Verdict = "nonconformant"
		case reports.ClassWarning:
			if v.Verdict == "conformant" {
				v.Verdict = "warning"
			}
		case reports.ClassAdvice:
		case reports.ClassNotRun:
			// An answer that is not the one its call ends with is told once, and is no
			// failure: nothing was refused, and nothing is known yet.
			if pending == "" || f.Reason != pending {
				continue
			}
			pending = ""
			if v.Verdict == "conformant" {
				v.Verdict = "warning"
			}
		default:
			continue
		}
		v.Findings = append(v.Findings, f)
	}
	if status, _ := multiitem.CaseStatus(rec); status != contract.StatusUnknown {
		word := string(status)
		v.Status = &word
	}
	return v, nil
}
