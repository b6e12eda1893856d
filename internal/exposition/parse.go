package exposition

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Sample is one series and its value.
type Sample struct {
	Name    string // of the metric
	Labels  string // as they were written, in braces; empty: none
	Counter bool   // it only grows, until the server begins anew
	Value   float64
}

// Series names the series: the metric with its labels.
func (s Sample) Series() string { return s.Name + s.Labels }

// Parse reads a page. The error names the line that does not read as one of the
// format: what is not such a page at all is told, and not taken for an empty one.
func Parse(page string) ([]Sample, error) {
	var all []Sample
	types := map[string]string{}
	n := 0
	for line := range strings.SplitSeq(page, "\n") {
		n++
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "":
		case line[0] == '#':
			if words := strings.Fields(line); len(words) >= 4 && words[1] == "TYPE" {
				types[words[2]] = words[3]
			}
		default:
			s, err := sample(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			s.Counter = counts(s.Name, types)
			all = append(all, s)
		}
	}
	return all, nil
}

// sample reads one line: a name, labels, a value, and perhaps a time.
func sample(line string) (s Sample, err error) {
	end := 0
	for end < len(line) && ofName(line[end], end == 0) {
		end++
	}
	if end == 0 {
		return s, errors.New("it does not begin with the name of a metric")
	}
	s.Name = line[:end]
	rest := line[end:]
	if strings.HasPrefix(rest, "{") {
		if end = labels(rest); end < 0 {
			return s, errors.New("the labels of " + s.Name + " do not end")
		}
		if s.Labels, rest = rest[:end], rest[end:]; s.Labels == "{}" {
			s.Labels = ""
		}
	}
	rest, _, _ = strings.Cut(rest, " # ") // an exemplar
	words := strings.Fields(rest)
	if len(words) < 1 || len(words) > 2 {
		return s, errors.New(s.Name + " has no value, or several")
	}
	if s.Value, err = strconv.ParseFloat(words[0], 64); err != nil {
		return s, fmt.Errorf("the value of %s is no number", s.Name)
	}
	return s, nil
}

func ofName(c byte, first bool) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || !first && c >= '0' && c <= '9'
}

// labels finds where labels end, behind their brace; -1: they do not.
func labels(text string) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '}' && !quoted:
			return i + 1
		}
	}
	return -1
}

// counting are the ends of names of series that only grow, by the format's rules for
// histograms and summaries, and by the habit of naming counters.
var counting = []string{"_total", "_count", "_sum", "_bucket", "_created"}

// counts tells a series that only grows: by the type of its metric, or by its name
// where the page does not say of what type it is.
func counts(name string, types map[string]string) bool {
	for _, end := range counting {
		base, ok := strings.CutSuffix(name, end)
		if !ok {
			continue
		}
		switch types[base] {
		case "counter":
			return end == "_total"
		case "histogram", "summary":
			return end != "_created" && end != "_total"
		}
		if types[name] == "" {
			return end != "_created"
		}
	}
	return types[name] == "counter"
}
