package runner

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// UsageError is a wrong word of the user's: a filter that matches nothing, a
// file that does not read.
type UsageError struct {
	Err  error
	Hint string
}

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }

// Judged is what a file held: a transcript's report, or an answer case's verdict.
type Judged struct {
	Report *reports.Report
	Case   *CaseVerdict

	observations []conform.Observation
	source       []byte // of a case
}

// MaxFile bounds what is read to be judged.
const MaxFile = 1 << 30

// JudgeFile judges a transcript or an answer case, whichever the file holds, by
// a set of the catalogue. Without one a transcript is judged by the set of the
// run that wrote it, and an answer case by the default.
func JudgeFile(in io.Reader, name, catalogue string) (*Judged, error) {
	src, err := io.ReadAll(io.LimitReader(in, MaxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	if len(src) > MaxFile {
		return nil, fmt.Errorf("larger than %d bytes", MaxFile)
	}
	if isTranscript(src) {
		header, observations, err := conform.ReadTranscript(bytes.NewReader(src))
		if err != nil {
			return nil, err
		}
		header.Catalogue.Set = cmp.Or(catalogue, header.Catalogue.Set)
		report, err := Judge(header, observations)
		if err != nil {
			return nil, err
		}
		return &Judged{Report: &report, observations: observations}, nil
	}
	verdict, err := judgeCase(src, name, catalogue)
	if err != nil {
		return nil, err
	}
	return &Judged{Case: verdict, source: src}, nil
}

// isTranscript tells a transcript by its first line.
func isTranscript(src []byte) bool {
	line, _, _ := bytes.Cut(src, []byte("\n"))
	var first struct {
		Schema string `json:"schema"`
	}
	return json.Unmarshal(line, &first) == nil && first.Schema != ""
}

// describe says where a JSON text is wrong, in lines and columns.
func describe(src []byte, err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	offset := int64(-1)
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &wrongType):
		offset = wrongType.Offset
		err = fmt.Errorf("%q is a %s where a %s is wanted", wrongType.Field, wrongType.Value, wrongType.Type.Kind())
	}
	if offset < 0 || offset > int64(len(src)) {
		return err
	}
	before := src[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}
