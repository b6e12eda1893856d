package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// maxChecks bounds the bytes of one checks.json. The suite writes whole answers of
// the server into it.
const maxChecks = 32 << 20

// check is one result in a checks.json of the official suite.
type check struct {
	ID      string          `json:"id"`
	Status  string          `json:"status"`
	Message string          `json:"errorMessage"`
	Details json.RawMessage `json:"details"`
}

// readChecks reads a checks.json. An id or a status that is missing is an error:
// what cannot be read says nothing.
func readChecks(r io.Reader) ([]check, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxChecks+1))
	if err != nil {
		return nil, fmt.Errorf("reading the checks: %w", err)
	}
	if len(text) > maxChecks {
		return nil, fmt.Errorf("the checks are more than %d bytes", maxChecks)
	}
	var all []check
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("reading the checks: %w", err)
	}
	for i, c := range all {
		if c.ID == "" {
			return nil, fmt.Errorf("check %d has no id", i+1)
		}
		if _, err := c.verdict(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// untestable begins the message of a check that the suite calls a failure though
// it could not ask: the server lacks a tool of the suite's fixture.
const untestable = "Not testable"

// verdict translates a status. A WARNING is the suite's word for a SHOULD that is
// not kept, an INFO for a check that has no meaning for the server.
func (c check) verdict() (Verdict, error) {
	switch c.Status {
	case "SUCCESS":
		return Pass, nil
	case "FAILURE", "WARNING":
		if c.untestable() {
			return Unverified, nil
		}
		return Fail, nil
	case "SKIPPED":
		return Unverified, nil
	case "INFO":
		return Inapplicable, nil
	}
	return "", fmt.Errorf("check %s has the status %q, which is none of the suite's", c.ID, c.Status)
}

func (c check) untestable() bool {
	var details struct {
		Untestable bool `json:"untestable"`
	}
	// Details of another form say nothing of it.
	_ = json.Unmarshal(c.Details, &details)
	return details.Untestable || strings.HasPrefix(c.Message, untestable)
}
