package target

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpconform/mcpconform/conform"
)

// fileWith reads a target file whose good items, or bad ones, are those of a file.
func fileWith(kind, style, name, content string) (*File, error) {
	src := "version: 1\noperations:\n  cancel:\n    tool: cancel\n    effect: write\n    input: {argument: items, style: " + style + "}\n    items: {" + kind + ": " + name + "}\n"
	files := fstest.MapFS{"items/list.csv": {Data: []byte(content)}, "items/list.jsonl": {Data: []byte(content)}}
	return parse("acme.yaml", []byte(src), "", noEnvironment, files, "")
}

func TestItemsOfAFile(t *testing.T) {
	for name, c := range map[string]struct {
		kind, style, file, content string
		want                       []string // given, means, because
	}{
		"a table": {"good", "array", "{file: items/list.csv}", "id,name\n1001,Product A\n1002,\"Cable, 2 m\"\n", []string{
			`{"id":"1001","name":"Product A"} |  |`, `{"id":"1002","name":"Cable, 2 m"} |  |`}},
		"an empty cell, a BOM, a quote and a line in a cell": {"good", "array", "{file: items/list.csv}", "\ufeffid,name\r\n7,\r\n8,\"a \"\"b\"\"\nc\"\r\n", []string{
			`{"id":"7"} |  |`, `{"id":"8","name":"a \"b\"\nc"} |  |`}},
		"texts": {"good", "scalar", "{file: items/list.csv}", "item\nCafé e Prosa\n\"Viaggi, Città\"\n", []string{`"Café e Prosa" |  |`, `"Viaggi, Città" |  |`}},
		"bad ones with a reason each": {"bad", "array", "{file: items/list.csv, because: not_found}", "item,because\nX-1,gone\nX-2,\n", []string{
			`"X-1" |  | gone`, `"X-2" |  | not_found`}},
		"JSON Lines": {"good", "array", "{file: items/list.jsonl}", "{\"id\": 9007199254740993}\n\n\"S-1\"\n{\"given\": \"one\", \"means\": {\"id\": 1}}\n17", []string{
			`{"id": 9007199254740993} |  |`, `"S-1" |  |`, `"one" | {"id": 1} |`, `17 |  |`}},
		"JSON Lines of bad ones":               {"bad", "array", "{file: items/list.jsonl, because: late}", "{\"item\": \"X-1\", \"because\": \"gone\"}\n\"X-2\"\n", []string{`"X-1" |  | gone`, `"X-2" |  | late`}},
		"an object that has more than an item": {"bad", "array", "{file: items/list.jsonl}", "{\"item\": \"X-1\", \"size\": 3}\n", []string{`{"item": "X-1", "size": 3} |  |`}},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := fileWith(c.kind, c.style, c.file, c.content)
			if err != nil {
				t.Fatal(err)
			}
			items := &f.Operations[0].Items
			supply := map[string]*Supply{"good": &items.Good, "bad": &items.Bad}[c.kind]
			var got []string
			for i := range supply.Len() {
				item := supply.Item(i, Run{})
				got = append(got, strings.TrimRight(string(item.Given)+" | "+string(item.Means)+" | "+item.Because, " "))
				if (item.Truth == conform.Bad) != (c.kind == "bad") {
					t.Errorf("%s is %v", item.Given, item.Truth)
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestAFileOfItemsThatIsWrongSaysTheLine(t *testing.T) {
	for name, c := range map[string]struct{ kind, style, file, content, want string }{
		"no such file":            {"good", "array", "{file: items/other.csv}", "", "acme.yaml:7:26: the file of items cannot be read"},
		"outside the folder":      {"good", "array", "{file: ../list.csv}", "", "acme.yaml:7:26: `file` is"},
		"another sort of file":    {"good", "array", "{file: items/list.xlsx}", "", "neither CSV nor JSON Lines"},
		"a key besides":           {"good", "array", "{file: items/list.csv, count: 3}", "id\n1\n", "unknown key `count`"},
		"nothing":                 {"good", "array", "{file: items/list.csv}", "", "items/list.csv:1:1: the file holds no item"},
		"a head alone":            {"good", "array", "{file: items/list.csv}", "id,name\n", "items/list.csv:1:1: the file holds no item"},
		"a cell too many":         {"good", "array", "{file: items/list.csv}", "id,name\n1,a\n2,b,c\n", "items/list.csv:3:1: this is no CSV: wrong number of fields"},
		"a quote that stays open": {"good", "array", "{file: items/list.csv}", "id\n\"1\n", "items/list.csv:2:1: this is no CSV"},
		"a column twice":          {"good", "array", "{file: items/list.csv}", "id,id\n1,2\n", `has "id" twice`},
		"a column without a name": {"good", "array", "{file: items/list.csv}", "id,\n1,2\n", "for a name"},
		"an empty line of cells":  {"good", "array", "{file: items/list.csv}", "id,name\n1,a\n,\n", "items/list.csv:3:1: an item is empty"},
		"objects for a text":      {"good", "scalar", "{file: items/list.csv}", "id,name\n1,a\n", "with `style: scalar` an item is a text"},
		"no UTF-8":                {"good", "array", "{file: items/list.csv}", "id\n\xff\n", "items/list.csv:2:1: byte 3 is not UTF-8"},
		"no JSON":                 {"good", "array", "{file: items/list.jsonl}", "\"a\"\n{\"id\": }\n", "items/list.jsonl:2:1: this is no JSON"},
		"null":                    {"good", "array", "{file: items/list.jsonl}", "null\n", "an item is JSON null"},
		"a number for a text":     {"good", "scalar", "{file: items/list.jsonl}", "7\n", "and this is a number"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fileWith(c.kind, c.style, c.file, c.content)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
	_, err := fileWith("good", "array", "{file: items/list.jsonl}", strings.Repeat("nonsense\n", 1000))
	if err == nil || strings.Count(err.Error(), "\n") > 2*mostFileErrors {
		t.Errorf("every line is told: %d", strings.Count(err.Error(), "\n"))
	}
}

func FuzzItemsFile(f *testing.F) {
	for _, seed := range []string{"id,name\n1,a\n", "item\nx\n", "\"a\"\n{\"given\":\"x\"}\n", "\ufeffid\n\"", "a,b\n1\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		for _, kind := range []string{"good", "bad"} {
			for _, name := range []string{"{file: items/list.csv}", "{file: items/list.jsonl}"} {
				file, err := fileWith(kind, "array", name, content)
				if err == nil && file.Operations[0].Items.Good.Len()+file.Operations[0].Items.Bad.Len() == 0 {
					t.Error("no item and no error")
				}
			}
		}
	})
}
