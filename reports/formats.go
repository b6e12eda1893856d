package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Writer writes a report in one format.
type Writer func(io.Writer, Report) error

// Format is a format that reports are written in.
type Format struct {
	Name  string
	Write Writer
	// Part says that it does not have the findings: the rows of figures alone, or the
	// histories.
	Part bool
}

// Formats lists the formats that this version serves, the default first.
func Formats() []Format {
	return []Format{
		{Name: "text", Write: Text}, {Name: "json", Write: JSON}, {Name: "junit", Write: JUnit},
		{"history", History, true},
		{"csv", CSV, true}, {"hgrm", Hgrm, true}, {"benchstat", Benchstat, true},
	}
}

// known are formats that have their name already and are not served yet.
var known = []string{"html", "markdown", "sarif"}

// FormatNamed gives the format of a name. Another name is an error that says
// which there are.
func FormatNamed(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	if slices.Contains(known, name) {
		return Format{}, fmt.Errorf("format %q is not served by this version yet; it serves %s", name, list(names))
	}
	hint := ""
	if lower := strings.ToLower(strings.TrimSpace(name)); lower != name && slices.Contains(names, lower) {
		hint = fmt.Sprintf("; did you mean %q?", lower)
	}
	return Format{}, fmt.Errorf("format %q is not known; there are %s%s", name, list(names), hint)
}
