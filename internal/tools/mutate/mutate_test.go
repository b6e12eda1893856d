package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shop is a module of its own, small enough to know all its mutants.
const shop = "testdata/shop"

func TestTheMutantsOfAPackage(t *testing.T) {
	in, packages, err := load(shop, []string{"./stock"})
	if err != nil {
		t.Fatal(err)
	}
	_, mutants := instrument(in, packages[0], nil)
	var keys []string
	for i, m := range mutants {
		if m.id != i+1 {
			t.Errorf("%s has the number %d", m.key(), m.id)
		}
		keys = append(keys, m.key())
	}
	want := strings.Split(strings.TrimSpace(`
stock: var rates: 7: one more
stock: var rates: 19: one more
stock: Enough: wanted > 0 && have >= wanted: always false
stock: Enough: wanted > 0: always true
stock: Enough: wanted > 0: >=
stock: Enough: have >= wanted: always true
stock: Enough: have >= wanted: >
stock: Sum: 0: one more
stock: Sum: sum: returned as zero
stock: Sum: for _, price := range prices: stops after the first
stock: Sum: price < 0: always false
stock: Sum: price < 0: always true
stock: Sum: price < 0: <=
stock: Sum: break: continue
stock: Sum: sum += price: left out
stock: KindOf: "book": is no case
stock: KindOf: Book: the type's zero value
stock: KindOf: "mug": is no case
stock: KindOf: Mug: the type's zero value
stock: KindOf: Unknown: the value after the zero value
stock: KindOf: fmt.Errorf("%q is no kind", name): returned as zero
stock: Rate: rates[k]: returned as zero
stock: Untested: n > 1: always false
stock: Untested: n > 1: always true
stock: Untested: n > 1: >=
stock: Positive: n == 0: always false
stock: Positive: n == 0: always true
stock: Positive: 0: one more
stock: Positive: 0: one more (2)
stock: Positive: max(n, 0): returned as zero
stock: Forever: 0: one more
stock: Forever: steps: returned as zero
stock: Forever: n > 0: always false
stock: Forever: n > 0: >=
stock: Forever: steps++: left out
stock: Forever: n--: left out
`), "\n")
	slices.Sort(keys)
	slices.Sort(want)
	if !slices.Equal(keys, want) {
		t.Errorf("\n got %s\nwant %s", strings.Join(keys, "\n     "), strings.Join(want, "\n     "))
	}
}

// tried runs the tool on the example and gives what it printed.
func tried(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out, told bytes.Buffer
	code := run(context.Background(), append([]string{"-dir", shop, "-packages", "./stock", "-witness", "tests"}, args...), &out, &told)
	if code == 2 {
		t.Fatal(told.String())
	}
	return code, out.String()
}

func TestSurvivorsAreNamed(t *testing.T) {
	code, out := tried(t)
	want := `not reached	stock.go:52	stock: Untested: n > 1: always false
not reached	stock.go:52	stock: Untested: n > 1: always true
not reached	stock.go:52	stock: Untested: n > 1: >=
survived	stock.go:56	stock: Positive: n == 0: always false
36 mutants, 32 killed by tests, 0 killed by recordings, 3 not reached, 1 survived (0 of both listed as equivalent)
`
	if code != 1 || out != want {
		t.Errorf("exit code %d\n got %s\nwant %s", code, out, want)
	}
}

func TestAListedSurvivorIsAllowedAndAStaleEntryIsNot(t *testing.T) {
	code, out := tried(t, "-list", "testdata/excused.txt", "-workers", "2")
	for _, line := range []string{
		"stale\tstock: Positive: 0: one more: it is noticed\n",
		"stale\tstock: Gone: n == 0: always false: there is no such mutant\n",
		"3 not reached, 1 survived (1 of both listed as equivalent)\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("%q is not in\n%s", line, out)
		}
	}
	if code != 1 || strings.Contains(out, "survived\tstock.go") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func TestOnlyTheNamedMutantsAreTried(t *testing.T) {
	only := filepath.Join(t.TempDir(), "only")
	if err := os.WriteFile(only, []byte("killed\tanywhere.go:1\tstock: Forever: n--: left out\nstock: Sum: break: continue\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out := tried(t, "-only", only)
	if want := "2 mutants, 2 killed by tests, 0 killed by recordings, 0 not reached, 0 survived (0 of both listed as equivalent)\n"; code != 0 || out != want {
		t.Errorf("exit code %d, %s", code, out)
	}
}

func TestOnlyTheMutantsOfTheNamedFilesAreTried(t *testing.T) {
	all := []mutant{{was: "a", place: "results.go:1"}, {was: "b", place: "results_items.go:12"}, {was: "c", place: "load.go:3"}}
	for patterns, want := range map[string]string{"results*.go": "a b", "results.go": "a", "load.go,results_*.go": "b c", "*": "a b c"} {
		chosen, err := choose(all, options{files: strings.Split(patterns, ",")})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range chosen {
			names = append(names, m.was)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", patterns, got, want)
		}
	}
	if code, out := tried(t, "-files", "nothing.go,stock.go"); code != 1 || !strings.HasPrefix(out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:], "36 mutants") {
		t.Errorf("exit code %d, %s", code, out)
	}
}

func TestTheResultGoesBetweenItsMarks(t *testing.T) {
	document := filepath.Join(t.TempDir(), "mutation.md")
	begin, end := marks("./stock")
	before := "# Title\n" + begin + "\nold\n" + end + "\nbelow\n"
	if err := os.WriteFile(document, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	tried(t, "-o", document, "-list", "testdata/excused.txt")
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"# Title\n" + begin, "| 36 | 36 | 32 | 0 | 3 | 1 | 1 |", "| stock Untested | `n > 1` | >= | not reached |",
		"| `stock: Positive: n == 0: always false` | The maximum of 0 and 0 is 0 as well. |", end + "\nbelow\n"} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if strings.Contains(string(text), "old") {
		t.Error("the result before is still there")
	}
	if err := put(result{list: &excused{}}, filepath.Join(shop, "go.mod")); err == nil {
		t.Error("a file without marks is written to")
	}
}

func TestASampleIsTheSameEveryTime(t *testing.T) {
	var all []mutant
	for _, was := range strings.Fields("a b c d e f g h i j k l m n o p") {
		all = append(all, mutant{pkg: "p", function: "f", was: was, change: "left out"})
	}
	keys := func(mutants []mutant, o options) []string {
		chosen, err := choose(mutants, o)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, m := range chosen {
			keys = append(keys, m.key())
		}
		slices.Sort(keys)
		return keys
	}
	five := keys(all, options{sample: 5, seed: "1"})
	if len(five) != 5 || !slices.Equal(five, keys(all, options{sample: 5, seed: "1"})) {
		t.Errorf("%q", five)
	}
	if slices.Equal(five, keys(all, options{sample: 5, seed: "2"})) {
		t.Error("another seed draws the same")
	}
	// A mutant that is new pushes one of the old ones out at most.
	kept := 0
	for _, key := range keys(append(all, mutant{pkg: "p", function: "f", was: "new", change: "left out"}), options{sample: 5, seed: "1"}) {
		if slices.Contains(five, key) {
			kept++
		}
	}
	if kept < 4 {
		t.Errorf("%d of 5 stayed", kept)
	}
}

func TestTheListIsReadStrictly(t *testing.T) {
	list, err := readExcused("list", []byte("# remark\na: f: x: left out\nb: g: *\n\tNothing reads\n  it.\n\nc: h: y: left out\n\tOther.\n"))
	if err != nil {
		t.Fatal(err)
	}
	if list.reasons["a: f: x: left out"] != "Nothing reads it." || list.reasons["b: g: *"] != "Nothing reads it." || list.reasons["c: h: y: left out"] != "Other." {
		t.Errorf("%q", list.reasons)
	}
	if list.of(mutant{pkg: "b", function: "g", was: "z", change: "left out"}) != "b: g: *" || list.of(mutant{pkg: "a", function: "f", was: "z", change: "left out"}) != "" {
		t.Error("the wrong mutants are excused")
	}
	for text, want := range map[string]string{
		"a: f: x: left out\n": "has no reason",
		"\tA reason.\n":       "without a mutant",
		"a: f: x: y\n\tOne.\na: f: x: y\n\tAnother\n": "is there twice",
		"a: f: x: y\n\tOne.\nb: f: x: y\n":            "has no reason",
	} {
		if _, err := readExcused("list", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "list:") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestWhatCannotBeTriedIsAnError(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no such package":              {[]string{"-dir", shop, "-packages", "./nothing"}, "listing packages"},
		"no such list":                 {[]string{"-dir", shop, "-packages", "./stock", "-list", "testdata/nothing"}, "may survive"},
		"an argument":                  {[]string{"contract"}, "flags only"},
		"no witness":                   {[]string{"-witness", "nobody"}, "a witness that it knows"},
		"no worker":                    {[]string{"-workers", "0"}, "at least one worker"},
		"an unknown flag":              {[]string{"-fast"}, "-fast"},
		"a pattern that does not read": {[]string{"-files", "results[.go"}, "syntax error in pattern"},
		"no such file":                 {[]string{"-dir", shop, "-packages", "./stock", "-files", "other.go", "-list", "testdata/excused.txt"}, "no mutant to try"},
		"a list that does not read":    {[]string{"-dir", shop, "-packages", "./stock", "-list", "testdata/shop/go.mod"}, "has no reason"},
		"none of the keys":             {[]string{"-dir", shop, "-packages", "./stock", "-only", "testdata/shop/go.mod", "-list", "testdata/excused.txt"}, "no mutant to try"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, told bytes.Buffer
			if code := run(context.Background(), c.args, &out, &told); code != 2 || !strings.Contains(told.String(), c.want) || out.Len() > 0 {
				t.Errorf("exit code %d, %s%s", code, out.String(), told.String())
			}
		})
	}
}

func TestEditsNest(t *testing.T) {
	var e edits
	e.open(0, "outer(")
	e.open(0, "inner(")
	e.replace(2, 3, ",")
	e.close(5, ")inner")
	e.close(5, ")outer")
	e.open(5, "; next")
	if got := string(e.apply([]byte("a < b."))); got != "outer(inner(a , b)inner)outer; next." {
		t.Error(got)
	}
}
