package generate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/scenarios"
)

// Case is one batch, asked of one operation.
type Case struct {
	Operation string
	Items     []string // the words of the batch, one for each item: "good", "1 with outer space"
	// Places are those of the items that a second call asks for, from 1, in its order;
	// nil: there is none.
	Places []int
}

// prefix begins a case as it is written.
const prefix = "case:"

// String writes the case on one line: "case:query-orders: good x 16, bad; places 2 1".
func (c Case) String() string { return prefix + c.Operation + ": " + c.words() }

// words writes what is asked of the operation.
func (c Case) words() string {
	var b strings.Builder
	for i := 0; i < len(c.Items); {
		n := 1
		for i+n < len(c.Items) && c.Items[i+n] == c.Items[i] && plain(c.Items[i]) {
			n++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.Items[i])
		if n > 1 {
			fmt.Fprintf(&b, " x %d", n)
		}
		i += n
	}
	if len(c.Places) > 0 {
		b.WriteString("; places")
		for _, place := range c.Places {
			fmt.Fprintf(&b, " %d", place)
		}
	}
	return b.String()
}

// plain tells words that may be counted: not those that name an item of the batch.
func plain(word string) bool { return word[0] < '0' || word[0] > '9' }

var counted = regexp.MustCompile(`^(.*\S) x ([1-9][0-9]{0,5})$`)

// Parse reads a case as String writes it.
func Parse(text string) (Case, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), prefix)
	operation, words, some := strings.Cut(rest, ":")
	c := Case{Operation: strings.TrimSpace(operation)}
	if !ok || !some || c.Operation == "" {
		return c, fmt.Errorf("%q is no case: write case:OPERATION: ITEMS, as in case:query-orders: good x 16, bad; places 2 1", text)
	}
	words, places, regrouped := strings.Cut(words, ";")
	if _, err := scenarios.ParseBatch(words); err != nil {
		return c, fmt.Errorf("%q: %w", text, err)
	}
	for word := range strings.SplitSeq(words, ",") {
		word, n := strings.Join(strings.Fields(word), " "), 1
		if m := counted.FindStringSubmatch(word); m != nil {
			word = m[1]
			n, _ = strconv.Atoi(m[2])
		}
		c.Items = append(c.Items, slices.Repeat([]string{word}, n)...)
	}
	if !regrouped {
		return c, nil
	}
	list := strings.Fields(places)
	if len(list) < 2 || list[0] != "places" {
		return c, fmt.Errorf("%q: behind ; stands places, and numbers from 1 to %d", text, len(c.Items))
	}
	for _, word := range list[1:] {
		place, err := strconv.Atoi(word)
		if err != nil || place < 1 || place > len(c.Items) || slices.Contains(c.Places, place) {
			return c, fmt.Errorf("%q: %s is no place of the %d items, or stands twice", text, word, len(c.Items))
		}
		c.Places = append(c.Places, place)
	}
	return c, nil
}

// Scenario gives the case as a scenario with one variant, which is named by its words.
func (c Case) Scenario(write bool) (*scenarios.Scenario, error) {
	batch, err := scenarios.ParseBatch(strings.Join(c.Items, ", "))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c, err)
	}
	s := &scenarios.Scenario{
		Name: conform.Generated, Title: "A batch that was generated", Order: 100,
		Checks: []string{"RES-02", "RES-03", "RES-12", "RES-14"}, StateChecks: []string{"EFF-01"},
		Steps:    []scenarios.Step{{Name: "execute", Act: scenarios.Execute, Times: 1}},
		Variants: []scenarios.Variant{{Name: c.words(), Batch: batch}},
	}
	if write {
		before := scenarios.Step{Name: "probe-before", Act: scenarios.Probe, Phase: "before"}
		after := scenarios.Step{Name: "probe-after", Act: scenarios.Probe, Phase: "after"}
		s.Steps = []scenarios.Step{before, s.Steps[0], after}
		return s, nil
	}
	if len(c.Places) > 0 {
		s.Checks = append(s.Checks, "RO-02")
		s.Steps = append(s.Steps, scenarios.Step{Name: "regroup", Act: scenarios.Regroup, Of: "execute", Places: c.Places})
	}
	return s, nil
}
