package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON writes a report in its own format, indented, the same bytes for the same
// report. Lists are never null and HTML is left as it is. What is not printable
// is escaped, so that the JSON is harmless on a terminal and in a CI log, and
// still reads back to the same text.
func JSON(w io.Writer, r Report) error { return EncodeJSON(w, r.complete(), "  ") }

// EncodeJSON writes any value as JSON in the manner of a report; without an indent
// in one line.
func EncodeJSON(w io.Writer, value any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(value); err != nil {
		return fmt.Errorf("encoding JSON: %w", err)
	}
	if _, err := w.Write(printable(b.Bytes())); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// printable escapes within JSON text what Safe would: such characters stand in
// strings only, so the value stays the same.
func printable(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '#' && command(string(text[i:min(len(text), i+16)])):
			out = append(out, `\u0023`...)
		case r == utf8.RuneError: // written one way, whether it was escaped or not
			out = append(out, `\ufffd`...)
		case r != '\n' && hidden(r):
			if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
				out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
		default:
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return out
}

// MaxReport bounds a stored report that Read takes.
const MaxReport = 256 << 20

// ErrNoReport is returned for a file that is not a report at all.
var ErrNoReport = errors.New("not a report")

// Read reads a stored report. Members it does not know are passed over: a later
// version may have added them. Errors say line and column where they can.
func Read(in io.Reader) (Report, error) {
	text, err := io.ReadAll(io.LimitReader(in, MaxReport+1))
	if err != nil {
		return Report{}, fmt.Errorf("reading a report: %w", err)
	}
	if len(text) > MaxReport {
		return Report{}, fmt.Errorf("%w: longer than %d bytes", ErrNoReport, MaxReport)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return Report{}, fmt.Errorf("%w: %w", ErrNoReport, located(text, err))
	}
	switch head.Schema {
	case SchemaName:
	case "":
		return Report{}, fmt.Errorf("%w: it names no schema; a report says \"schema\": %q", ErrNoReport, SchemaName)
	default:
		return Report{}, fmt.Errorf("schema %q, this version reads %q", head.Schema, SchemaName)
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return Report{}, fmt.Errorf("reading a report: %w", located(text, err))
	}
	if counted := Summarise(r.Findings); counted != r.Summary {
		return Report{}, fmt.Errorf("the summary does not count the findings: it says %+v, they are %+v; was the file edited?", r.Summary, counted)
	}
	return r, nil
}

// located adds line and column to an error of encoding/json.
func located(text []byte, err error) error {
	var offset int64
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	default:
		return err
	}
	// Offset is after the byte that was wrong.
	before := text[:max(0, min(offset-1, int64(len(text))))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}
