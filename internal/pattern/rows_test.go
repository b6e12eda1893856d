package pattern

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var query = conform.Operation{Name: "query", Tool: "query", Argument: "items"}

// orders is an answer with a row for each of A-1, B-2 and C-3, each with two words.
func orders(words ...string) string {
	var rows []string
	for i, id := range []string{"A-1", "B-2", "C-3"} {
		rows = append(rows, fmt.Sprintf(`{"id":%q,"success":true,"status":%q,"order":{"state":%q,"cents":%d}}`, id, words[2*i], words[2*i+1], 7*i))
	}
	payload := `{"total":3,"results":[` + strings.Join(rows, ",") + `]}`
	text, _ := json.Marshal(payload)
	return `{"jsonrpc":"2.0","id":1000000001,"result":{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + payload + `}}`
}

func TestRowsMaySayWhatOthersSaid(t *testing.T) {
	asked := asking(query, `{"id":"A-1"}`, `{"id":"B-2"}`, `{"id":"C-3"}`)
	asked.Items[2].Truth = conform.Bad
	good := orders("DONE", "PAID", "ACCEPTED", "SENT", "DONE", "PAID")
	swapped := orders("ACCEPTED", "SENT", "DONE", "PAID", "DONE", "PAID")
	matches := func(p *Pattern, message string) bool {
		var s Scratch
		return p.Match([]byte(message), []byte("1000000001"), asked.Names, &s)
	}
	p := made(t, good, 1000000001, asked)
	for name, c := range map[string]struct {
		message string
		match   bool
	}{
		"the words of another row":                  {swapped, true},
		"both rows say the same":                    {orders("DONE", "PAID", "DONE", "PAID", "DONE", "PAID"), true},
		"words of two rows in one":                  {orders("DONE", "SENT", "ACCEPTED", "SENT", "DONE", "PAID"), false},
		"a word that no row said":                   {orders("DONE", "LOST", "ACCEPTED", "SENT", "DONE", "PAID"), false},
		"no word":                                   {orders("DONE", "", "ACCEPTED", "SENT", "DONE", "PAID"), false},
		"the text says the words of another row":    {good[:strings.Index(good, `"structuredContent"`)] + swapped[strings.Index(swapped, `"structuredContent"`):], false},
		"an item that is bad says what a good does": {orders("DONE", "PAID", "ACCEPTED", "SENT", "ACCEPTED", "SENT"), false},
	} {
		if matches(p, c.message) != c.match {
			t.Errorf("%s: match is %t", name, !c.match)
		}
	}
	more := orders("DONE", "LOST", "ACCEPTED", "SENT", "DONE", "PAID")
	if !p.Absorb(made(t, more, 1000000001, asked)) || !matches(p, more) || !matches(p, orders("ACCEPTED", "SENT", "DONE", "LOST", "DONE", "PAID")) {
		t.Error("what another answer said is not taken over")
	}
	for name, other := range map[string]string{
		"another total":   strings.ReplaceAll(strings.ReplaceAll(good, `"total":3`, `"total":4`), `\"total\":3`, `\"total\":4`),
		"another bad row": orders("DONE", "PAID", "ACCEPTED", "SENT", "DONE", "LOST"),
	} {
		if p.Absorb(made(t, other, 1000000001, asked)) {
			t.Errorf("%s is taken over", name)
		}
	}
}

// A row that does not say by a flag that it succeeded, and a list of which the schema
// says what is not understood, are as they are.
func TestRowsThatMayNotDiffer(t *testing.T) {
	good := orders("DONE", "PAID", "ACCEPTED", "SENT", "DONE", "PAID")
	swapped := orders("ACCEPTED", "SENT", "DONE", "PAID", "DONE", "PAID")
	schema := func(list string) *rawjson.Node {
		n, err := rawjson.Parse([]byte(`{"properties":{"results":{` + list + `"items":{"properties":{"status":{"enum":["DONE","ACCEPTED"]}}}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	flagless := strings.NewReplacer(`"success":true,`, ``, `\"success\":true,`, ``)
	for name, c := range map[string]struct {
		good, other string
		schema      *rawjson.Node
		match       bool
	}{
		"an enumeration":  {good, swapped, schema(""), true},
		"unique entries":  {good, swapped, schema(`"uniqueItems":true,`), false},
		"no flag":         {flagless.Replace(good), flagless.Replace(swapped), nil, false},
		"they did not":    {strings.ReplaceAll(good, "true", "false"), strings.ReplaceAll(swapped, "true", "false"), nil, false},
		"the index alone": {strings.ReplaceAll(good, "-", "="), strings.ReplaceAll(swapped, "-", "="), nil, false},
	} {
		asked := asking(query, `{"id":"A-1"}`, `{"id":"B-2"}`, `{"id":"C-3"}`)
		asked.Schema = c.schema
		var s Scratch
		if got := made(t, c.good, 1000000001, asked).Match([]byte(c.other), []byte("1000000001"), asked.Names, &s); got != c.match {
			t.Errorf("%s: match is %t", name, got)
		}
	}
}
