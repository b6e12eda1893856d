package generate

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var words = Words{Operation: "query-orders", Items: []string{"good", "bad", "good with emoji"}, Again: []string{"again", "with outer space"}, Most: 100, Regroup: true}

func drawn(t *rapid.T) Case {
	return words.Draw(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)))
}

func TestACaseReadsAsItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn(t)
		got, err := Parse(c.String())
		if err != nil || got.Operation != c.Operation || !equal(got, c) {
			t.Fatalf("%s reads as %s: %v", c, got, err)
		}
		if _, err := c.Scenario(false); err != nil {
			t.Fatal(err)
		}
	})
}

func TestACaseIsShort(t *testing.T) {
	c := Case{"query-orders", append(slices.Repeat([]string{"good"}, 16), "16 with outer space", "bad"), []int{18, 1}}
	if got, want := c.String(), "case:query-orders: good x 16, 16 with outer space, bad; places 18 1"; got != want {
		t.Errorf("%s", got)
	}
}

func TestWordsThatAreNoCase(t *testing.T) {
	for text, says := range map[string]string{
		"":                                   "is no case",
		"query-orders: good":                 "is no case",
		"case:good":                          "is no case",
		"case:q: golden":                     `"golden" is no item`,
		"case:q: 1 again":                    "there is no item 1 before it",
		"case:q: good; places":               "numbers from 1 to 1",
		"case:q: good; places 2":             "2 is no place of the 1 items",
		"case:q: good x 2; places 1 1":       "stands twice",
		"case:q: good, 1 with emoji":         "an item comes again as it was",
		"case:q: good x 99999, good x 99999": "at most 100000 items",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Whatever it is that fails, the smallest case has it and nothing else.
func TestWhatFailsIsMadeSmall(t *testing.T) {
	for _, c := range []struct {
		name  string
		fails func(Case) bool
		want  string
	}{
		{"the seventeenth item", func(c Case) bool { return len(c.Items) >= 17 }, "good x 17"},
		{"an odd form", func(c Case) bool { return slices.Contains(c.Items, "good with emoji") }, "good with emoji"},
		{"a bad item behind a good one", func(c Case) bool {
			good := slices.Index(c.Items, "good")
			return good >= 0 && slices.Contains(c.Items[good:], "bad")
		}, "good, bad"},
		{"an item again", func(c Case) bool {
			return slices.ContainsFunc(c.Items, func(word string) bool { return strings.HasSuffix(word, " with outer space") })
		}, "good, 1 with outer space"},
		{"another order", func(c Case) bool { return len(c.Places) > 1 && !slices.IsSorted(c.Places) }, "good x 2; places 2 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			random, found := rand.New(rand.NewPCG(1, 2)), 0
			for range 400 {
				drawn := words.Draw(random)
				if !c.fails(drawn) {
					continue
				}
				found++
				played := 0
				small := Shrink(drawn, "good", func(smaller Case) bool {
					if _, err := Parse(smaller.String()); err != nil {
						t.Fatal(err)
					}
					played++
					return c.fails(smaller)
				})
				if got := strings.TrimPrefix(small.String(), "case:query-orders: "); got != c.want || played > 1000 {
					t.Fatalf("%s\nmade %s after %d plays", drawn, got, played)
				}
			}
			if found == 0 {
				t.Error("no case of 400 fails")
			}
		})
	}
}

func TestWhatASmallCaseExplains(t *testing.T) {
	for _, c := range []struct {
		small, larger string
		want          bool
	}{
		{"good x 17", "good x 16, bad", true},
		{"good x 17", "good x 15, bad", false},
		{"good with emoji", "good, good with emoji", true},
		{"good with emoji", "good x 40", false},
		{"good, 1 again", "bad, good x 3, 4 again", true},
		{"good, 1 again", "bad, good x 3, 4 with outer space", false},
		{"good x 2; places 2 1", "good x 3", false},
		{"good x 2; places 2 1", "good x 3; places 3 1 2", true},
	} {
		small, err := Parse("case:q: " + c.small)
		larger, other := Parse("case:q: " + c.larger)
		if err != nil || other != nil || small.Explains(larger, "good") != c.want {
			t.Errorf("%s explains %s: not %v (%v, %v)", c.small, c.larger, c.want, err, other)
		}
	}
}
