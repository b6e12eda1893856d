package pattern

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

var cancel = conform.Operation{Name: "cancel", Tool: "cancel", Write: true, Argument: "items"}

func asking(op conform.Operation, items ...string) Asked {
	a := Asked{Operation: &op}
	for _, item := range items {
		a.Items = append(a.Items, conform.Item{Given: json.RawMessage(item), Truth: conform.Good})
	}
	a.Names = NamesOf(a.Items, op.FoldCase)
	return a
}

// answer is a whole message for two items.
func answer(id int, one, two, first, second string) string {
	payload := fmt.Sprintf(`{"status":"SUCCESS","total":2,"took_ms":12,"results":[{"id":%q,"success":true,"protocol":%q,"note":"by us"},{"id":%q,"success":true,"protocol":%q,"note":"by us"}]}`,
		one, first, two, second)
	text, _ := json.Marshal(payload)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%s}],"structuredContent":%s}}`, id, text, payload)
}

func made(t *testing.T, message string, id uint64, asked Asked) *Pattern {
	t.Helper()
	p, err := Make([]byte(message), id, asked)
	if err != nil {
		t.Fatal(err)
	}
	var s Scratch
	if !p.Match([]byte(message), fmt.Append(nil, id), asked.Names, &s) {
		t.Fatal("a pattern does not match what it was made of")
	}
	return p
}

func TestWhatMayDiffer(t *testing.T) {
	asked := asking(cancel, `{"id":"A-1"}`, `{"id":"B-2"}`)
	good := answer(1000000001, "A-1", "B-2", "P-1", "P-2")
	p := made(t, good, 1000000001, asked)
	next := answer(1000000002, "A-1", "B-2", "P-3", "P-4")
	for name, c := range map[string]struct {
		message string
		match   bool
	}{
		"new protocols, new id":         {next, true},
		"longer texts":                  {answer(1000000002, "A-1", "B-2", "P-333333333333", "another one"), true},
		"another time":                  {strings.ReplaceAll(next, `took_ms":12`, `took_ms":1234`), false}, // the text still says 12
		"another time, in both":         {strings.NewReplacer(`took_ms":12`, `took_ms":7`, `took_ms\":12`, `took_ms\":7`).Replace(next), true},
		"the id of another call":        {good, false},
		"a protocol twice":              {answer(1000000002, "A-1", "B-2", "P-3", "P-3"), false},
		"no protocol":                   {answer(1000000002, "A-1", "B-2", "", "P-4"), false},
		"blanks for a protocol":         {answer(1000000002, "A-1", "B-2", "  ", "P-4"), false},
		"a flag":                        {strings.Replace(next, `"success":true`, `"success":false`, 1), false},
		"a flag as a text":              {strings.Replace(next, `"success":true`, `"success":"true"`, 1), false},
		"the text's flag":               {strings.Replace(next, `\"success\":true`, `\"success\":false`, 1), false},
		"rows the other way round":      {answer(1000000002, "B-2", "A-1", "P-3", "P-4"), false},
		"a row of another call":         {answer(1000000002, "A-1", "C-3", "P-3", "P-4"), false},
		"one row twice":                 {answer(1000000002, "A-1", "A-1", "P-3", "P-4"), false},
		"a total":                       {strings.ReplaceAll(next, `total":2`, `total":1`), false},
		"a status":                      {strings.ReplaceAll(next, `SUCCESS`, `FAILED`), false},
		"isError":                       {strings.Replace(next, `"result":{`, `"result":{"isError":true,`, 1), false},
		"a blank more":                  {strings.Replace(next, `"total":2`, `"total": 2`, 1), false},
		"an escape":                     {strings.Replace(next, `"note":"by us"`, `"note":"by \u0075s"`, 1), false},
		"a byte too many":               {next + " ", false},
		"a byte too few":                {next[:len(next)-1], false},
		"half of it":                    {next[:len(next)/2], false},
		"nothing":                       {"", false},
		"a text that the mirror denies": {strings.Replace(next, `"note":"by us"`, `"note":"by me"`, 1), false},
		"a name that ends in a quote":   {strings.Replace(next, `"note":"by us"`, `"note":"by us"" `, 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			var s Scratch
			if got := p.Match([]byte(c.message), []byte("1000000002"), asked.Names, &s); got != c.match {
				t.Errorf("match %v, wanted %v: %s", got, c.match, c.message)
			}
		})
	}
}

// A pattern serves other items of the same sort, and asks for their names.
func TestAPatternServesOtherItems(t *testing.T) {
	one := asking(cancel, `{"id":"A-1"}`, `{"id":"B-2"}`)
	p := made(t, answer(1000000001, "A-1", "B-2", "P-1", "P-2"), 1000000001, one)
	var s Scratch
	id := []byte("1000000002")
	for name, c := range map[string]struct {
		items []string
		one   string
		two   string
		fits  bool
		match bool
	}{
		"others":            {[]string{`{"id":"C-30"}`, `{"id":"D-4"}`}, "C-30", "D-4", true, true},
		"others, and ours":  {[]string{`{"id":"C-30"}`, `{"id":"D-4"}`}, "A-1", "B-2", true, false},
		"one more member":   {[]string{`{"id":"C-30","name":"c"}`, `{"id":"D-4","name":"d"}`}, "C-30", "D-4", false, false},
		"one more item":     {[]string{`{"id":"C"}`, `{"id":"D"}`, `{"id":"E"}`}, "C", "D", false, false},
		"equal ones":        {[]string{`{"id":"C"}`, `{"id":"C"}`}, "C", "C", false, false},
		"one with a quote":  {[]string{`{"id":"C\""}`, `{"id":"D"}`}, `C"`, "D", true, false},
		"another member":    {[]string{`{"key":"C"}`, `{"key":"D"}`}, "C", "D", false, false},
		"plain strings too": {[]string{`"C"`, `"D"`}, "C", "D", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			other := asking(cancel, c.items...)
			if fits := p.Fits(other.Names); fits != c.fits {
				t.Fatalf("fits: %v", fits)
			} else if !fits {
				return
			}
			if got := p.Match([]byte(answer(1000000002, c.one, c.two, "P-3", "P-4")), id, other.Names, &s); got != c.match {
				t.Errorf("match %v", got)
			}
		})
	}
	if !p.Match([]byte(answer(1000000002, "A-1", "B-2", "P-3", "P-4")), id, one.Names, &s) || !p.Protocols() || len(s.Hashes()) != 2 {
		t.Errorf("%d protocol ids", len(s.Hashes()))
	}
}

func TestWhatTheOperationSaysBindsThePattern(t *testing.T) {
	read := conform.Operation{Name: "query", Tool: "query"}
	row := func(note, protocol string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"result":{"structuredContent":{"results":[{"id":"A","success":true,"note":%q,"protocol":%q},{"id":"B","success":true,"note":"x","protocol":"P-2"}]}}}`, note, protocol)
	}
	for name, c := range map[string]struct {
		change func(*Asked)
		note   bool // another note matches
		same   bool // the same protocol twice matches
		other  bool // another protocol matches
	}{
		"a write":           {func(a *Asked) { a.Operation.Write = true }, true, false, true},
		"a write repeated":  {func(a *Asked) { a.Operation.Write, a.Repeats = true, true }, true, false, false},
		"a read":            {func(*Asked) {}, true, true, true},
		"an atomic one":     {func(a *Asked) { a.Operation.Atomic = true }, false, false, false},
		"a mapped one":      {func(a *Asked) { a.Operation.Results.Path = "$.results[*]" }, false, false, false},
		"note is an id":     {func(a *Asked) { a.Operation.Results.ID = []string{"Note"} }, false, true, true},
		"note is a total":   {func(a *Asked) { a.Operation.Results.Add = []string{"note"} }, false, true, true},
		"note is the items": {func(a *Asked) { *a = asking(*a.Operation, `{"note":"A"}`, `{"note":"B"}`) }, false, true, true},
		"the schema bounds it": {func(a *Asked) {
			a.Schema = schema(`{"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{"note":{"enum":["a","x"]},"protocol":{"type":"string"}}}}}}`)
		}, false, true, true},
		"the schema is not understood": {func(a *Asked) { a.Schema = schema(`{"type":"object","not":{"required":["x"]}}`) }, false, false, false},
		"the schema refers": {func(a *Asked) {
			a.Schema = schema(`{"$defs":{"Row":{"type":"object","properties":{"note":{"anyOf":[{"type":"string"},{"type":"null"}]},"protocol":{"type":"string","pattern":"^P"}}}},"type":"object","properties":{"results":{"type":"array","items":{"$ref":"#/$defs/Row"}}}}`)
		}, true, false, false},
		"the schema refers elsewhere": {func(a *Asked) { a.Schema = schema(`{"$ref":"https://example.com/x"}`) }, false, false, false},
		"the schema goes round":       {func(a *Asked) { a.Schema = schema(`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`) }, false, false, false},
		"additional members": {func(a *Asked) {
			a.Schema = schema(`{"additionalProperties":{"items":{"additionalProperties":{"const":"a"}}}}`)
		}, false, false, false},
		"anything goes": {func(a *Asked) { a.Schema = schema(`true`) }, true, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			asked := asking(read, `{"id":"A"}`, `{"id":"B"}`)
			c.change(&asked)
			p := made(t, row("a", "P-1"), 7, asked)
			var s Scratch
			for _, try := range []struct {
				what    string
				message string
				want    bool
			}{{"another note", row("b", "P-1"), c.note}, {"the same protocol twice", row("a", "P-2"), c.same}, {"another protocol", row("a", "P-9"), c.other}} {
				if got := p.Match([]byte(try.message), []byte("7"), asked.Names, &s); got != try.want {
					t.Errorf("%s: %v", try.what, got)
				}
			}
		})
	}
}

func schema(text string) *rawjson.Node {
	n, err := rawjson.Parse([]byte(text))
	if err != nil {
		panic(err)
	}
	return n
}

func TestProseMayDifferWhereItIsNoPayload(t *testing.T) {
	message := func(text, structured string) string {
		return fmt.Sprintf(`{"result":{"content":[{"type":"text","text":%s}]%s},"jsonrpc":"2.0","id":7}`, text, structured)
	}
	const rows = `,"structuredContent":{"results":[{"id":"A","success":true}]}`
	asked := asking(cancel, `{"id":"A"}`)
	for name, c := range map[string]struct {
		made, then string
		match      bool
	}{
		"prose":                {message(`"Done in 3 ms"`, rows), message(`"Done in 4 ms"`, rows), true},
		"JSON in its place":    {message(`"Done in 3 ms"`, rows), message(`"[1]"`, rows), false},
		"prose without rows":   {message(`"Done in 3 ms"`, ""), message(`"Done in 4 ms"`, ""), false},
		"prose with an escape": {message(`"Done\nin 3 ms"`, rows), message(`"Done\nin 4 ms"`, rows), false},
	} {
		p := made(t, c.made, 7, asked)
		var s Scratch
		if got := p.Match([]byte(c.then), []byte("7"), asked.Names, &s); got != c.match {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Where the text is the payload, whatever it is escaped with, its rows are read.
func TestRowsInATextAreRead(t *testing.T) {
	message := func(id, flag, note string) string {
		payload := fmt.Sprintf(`{"x":"é😀\n","results":[{"id":%q,"success":%s,"note":%q}]}`, id, flag, note)
		text := strings.NewReplacer("é", `\u00e9`, "😀", `\ud83d\ude00`, `\`, `\\`, `"`, `\"`).Replace(payload)
		return `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
	}
	asked := asking(cancel, `{"id":"A"}`)
	p := made(t, message("A", "true", "n"), 7, asked)
	var s Scratch
	for _, c := range []struct {
		message string
		match   bool
	}{{message("A", "true", "another"), true}, {message("A", "false", "n"), false}, {message("B", "true", "n"), false}, {message("A", "true", ""), false}} {
		if got := p.Match([]byte(c.message), []byte("7"), asked.Names, &s); got != c.match {
			t.Errorf("%v for %s", got, c.message)
		}
	}
}

func TestNumbersThatNameItems(t *testing.T) {
	message := func(id string) string {
		return `{"jsonrpc":"2.0","id":7,"result":{"structuredContent":{"results":[{"id":` + id + `,"success":true}]}}}`
	}
	asked := asking(cancel, `{"id":88}`)
	p := made(t, message("88"), 7, asked)
	for item, match := range map[string]bool{"99": true, "007": false, "9007199254740993": false, `"x"`: false} {
		other := asking(cancel, `{"id":"`+strings.Trim(item, `"`)+`"}`)
		var s Scratch
		if got := p.Fits(other.Names) && p.Match([]byte(message(item)), []byte("7"), other.Names, &s); got != match {
			t.Errorf("%s: %v", item, got)
		}
	}
}

func TestWhatNoPatternIsMadeOf(t *testing.T) {
	asked := asking(cancel, `{"id":"A"}`)
	for name, message := range map[string]string{
		"no JSON": `{`, "another id": `{"id":8,"result":{}}`, "an error": `{"id":7,"error":{}}`, "a member twice": `{"id":7,"result":{"a":1,"a":2}}`,
		"an id as text": `{"id":"7","result":{}}`,
	} {
		if p, err := Make([]byte(message), 7, asked); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestMatchingAllocatesNothing(t *testing.T) {
	asked := asking(cancel, `{"id":"A-1"}`, `{"id":"B-2"}`)
	p := made(t, answer(1000000001, "A-1", "B-2", "P-1", "P-2"), 1000000001, asked)
	message, id := []byte(answer(1000000002, "A-1", "B-2", "P-3", "P-4")), []byte("1000000002")
	var s Scratch
	if n := testing.AllocsPerRun(100, func() {
		if !p.Match(message, id, asked.Names, &s) {
			t.Fatal("no match")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
