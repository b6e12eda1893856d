package contract

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func parse(t testing.TB, src string) *rawjson.Node {
	t.Helper()
	n, err := rawjson.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return n
}

func read(t testing.TB, src string, o Options) *Answer {
	t.Helper()
	return Read(parse(t, src), o)
}

// structured is a tool result with that payload as structuredContent.
func structured(payload string) string {
	return `{"content":[{"type":"text","text":"done"}],"structuredContent":` + payload + `}`
}

// inText is a tool result with those texts as its blocks.
func inText(texts ...string) string {
	var blocks []string
	for _, text := range texts {
		quoted, _ := json.Marshal(text)
		blocks = append(blocks, `{"type":"text","text":`+string(quoted)+`}`)
	}
	return `{"content":[` + strings.Join(blocks, ",") + `]}`
}

func codes(a *Answer) []Code {
	found := []Code{}
	for _, p := range a.Problems {
		found = append(found, p.Code)
	}
	return found
}

const (
	rowsTF = `[{"id":"a","success":true},{"id":"b","success":false,"reason":"gone"}]`
	rowsTT = `[{"id":"a","success":true},{"id":"b","success":true}]`
)

func TestPayload(t *testing.T) {
	good := `{"results":` + rowsTF + `}`
	for name, c := range map[string]struct {
		src    string
		source Source
		base   string
		codes  []Code
	}{
		"structuredContent":                  {structured(good), FromStructured, "/structuredContent", nil},
		"one text block":                     {inText(" \n" + good), FromText, "/content/0/text", nil},
		"empty structured object, text":      {`{"structuredContent":{},` + inText(good)[1:], FromText, "/content/0/text", nil},
		"structured null, text":              {`{"structuredContent":null,` + inText(good)[1:], FromText, "/content/0/text", nil},
		"two text blocks with JSON":          {inText(good, good), FromNothing, "", []Code{TwoBlocks}},
		"prose and JSON in two blocks":       {inText("done", good), FromNothing, "", []Code{TwoBlocks}},
		"two blocks of prose":                {inText("a: done", "b: gone"), FromNothing, "", []Code{NoObject}},
		"text and image":                     {`{"content":[{"type":"text","text":"{\"results\":[]}"},{"type":"image","data":"","mimeType":"image/png"}]}`, FromNothing, "", []Code{TwoBlocks}},
		"two blocks beside structured":       {`{"structuredContent":` + good + `,` + inText("x", "y")[1:], FromStructured, "/structuredContent", nil},
		"prose":                              {inText("all done"), FromNothing, "", []Code{NoObject}},
		"prose with JSON inside":             {inText("Result: " + good + " ok"), FromNothing, "", []Code{NoObject}},
		"cut JSON":                           {inText(`{"results":[`), FromNothing, "", []Code{NoObject}},
		"array in the text":                  {inText(rowsTT), FromNothing, "", []Code{NoObject}},
		"array as structuredContent":         {`{"structuredContent":` + rowsTT + `,` + inText(good)[1:], FromNothing, "", []Code{NoObject}},
		"string as structuredContent":        {`{"structuredContent":"{\"results\":[]}","content":[]}`, FromNothing, "", []Code{NoObject, StringInStructured}},
		"number as structuredContent":        {`{"structuredContent":7,"content":[]}`, FromNothing, "", []Code{NoObject}},
		"no content at all":                  {`{}`, FromNothing, "", []Code{NoObject}},
		"content of no list":                 {`{"content":"x"}`, FromNothing, "", []Code{NoObject}},
		"empty content":                      {`{"content":[]}`, FromNothing, "", []Code{NoObject}},
		"empty text":                         {inText(""), FromNothing, "", []Code{NoObject}},
		"a result that is no object":         {`[1]`, FromNothing, "", []Code{NoObject}},
		"block that lost its type":           {`{"content":[{"text":"{\"results\":[]}"}]}`, FromText, "/content/0/text", nil},
		"text of a resource is no text":      {`{"content":[{"type":"resource","text":"{\"results\":[]}"}]}`, FromNothing, "", []Code{NoObject}},
		"JSON in a string, rows in the text": {`{"structuredContent":{"result":"{\"results\":[]}"},` + inText(good)[1:], FromText, "/content/0/text", []Code{StringInStructured, TextDisagrees}},
		"wrapped JSON in a string":           {`{"structuredContent":{"ok":true,"result":"{\"results\":[]}"},"content":[]}`, FromStructured, "/structuredContent", []Code{StringInStructured, NoResults}},
		"results in a string":                {`{"structuredContent":{"results":"[]"},"content":[]}`, FromStructured, "/structuredContent", []Code{StringInStructured, NotAList}},
		"a string of the domain beside rows": {structured(`{"raw":"{\"a\":1}","results":` + rowsTT + `}`), FromStructured, "/structuredContent", nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, c.src, Options{})
			if a.Source != c.source || a.Base != c.base || !slices.Equal(codes(a), c.codes) {
				t.Errorf("source %d at %q, problems %+v", a.Source, a.Base, a.Problems)
			}
			if (a.Payload == nil) != (c.source == FromNothing) {
				t.Errorf("payload %v", a.Payload)
			}
		})
	}
}

// The table of contract 1.1: what each door makes of the same server body.
func TestDoors(t *testing.T) {
	type door struct {
		found bool
		codes []Code
	}
	found, lost := door{found: true}, door{codes: []Code{NoResults, Misplaced}}
	for name, c := range map[string]struct {
		body               string
		mcp, rest, gateway door
	}{
		"bare":                   {`{"results":` + rowsTF + `}`, found, lost, found},
		"wrapped":                {`{"ok":true,"result":{"results":` + rowsTF + `}}`, found, found, found},
		"results beside ok":      {`{"ok":true,"results":` + rowsTF + `}`, found, lost, lost},
		"results beside error":   {`{"results":` + rowsTF + `,"error":null}`, found, lost, lost},
		"results beside result":  {`{"results":` + rowsTF + `,"result":"done"}`, door{true, []Code{SiblingResult}}, lost, lost},
		"results beside null":    {`{"results":` + rowsTF + `,"result":null}`, door{true, []Code{SiblingResult}}, lost, lost},
		"array":                  {rowsTF, door{codes: []Code{NoObject}}, door{codes: []Code{NoObject}}, door{codes: []Code{NoObject}}},
		"the gateway's own form": {`{"tool_name":"t","ok":true,"data":{"results":` + rowsTF + `},"error":null}`, lost, lost, found},
		"only result is kept":    {`{"results":` + rowsTT + `,"result":{"results":` + rowsTF + `}}`, door{true, []Code{SiblingResult, PlacesDisagree}}, found, found},
	} {
		for d, want := range map[Door]door{MCP: c.mcp, REST: c.rest, Gateway: c.gateway} {
			t.Run(name+" by door "+[...]string{"mcp", "rest", "gateway"}[d], func(t *testing.T) {
				src := c.body
				if d == MCP {
					src = structured(c.body)
				}
				a := read(t, src, Options{Door: d})
				if (len(a.Rows) == 2) != want.found || (a.Place != Nowhere) != want.found || !slices.Equal(codes(a), want.codes) {
					t.Errorf("%d rows at place %d, problems %+v", len(a.Rows), a.Place, a.Problems)
				}
			})
		}
	}
}

func TestPlaces(t *testing.T) {
	const tool = "cancel"
	for name, c := range map[string]struct {
		payload string
		place   Place
		first   string // id of the first row
		others  int
		codes   []Code
	}{
		"direct":                       {`{"results":[{"id":"d","ok":true}]}`, Direct, "d", 0, nil},
		"wrapped":                      {`{"ok":true,"result":{"results":[{"id":"w","ok":true}]}}`, Wrapped, "w", 0, nil},
		"workflow":                     {`{"output":{"cancel":{"results":[{"id":"f","ok":true}]},"notify":{"success":false}}}`, Workflow, "f", 0, nil},
		"workflow under result":        {`{"ok":false,"error":"mail","result":{"status":"FAILED","output":{"cancel":{"results":[{"id":"f","ok":true}]}}}}`, Workflow, "f", 0, nil},
		"one layer more, by status":    {`{"result":{"result":{"status":"COMPLETED","results":[{"id":"x","ok":true}]}}}`, Wrapped, "x", 0, nil},
		"one layer more, outer status": {`{"result":{"status":"PAUSED","result":{"output":{"cancel":{"results":[{"id":"x","ok":true}]}}}}}`, Workflow, "x", 0, nil},
		"one layer more, no status":    {`{"result":{"result":{"results":[{"id":"x","ok":true}]}}}`, Nowhere, "", 0, []Code{NoResults, Misplaced}},
		"another tool's rows":          {`{"output":{"step1":{"results":[{"id":"f","ok":true}]}}}`, Nowhere, "", 0, []Code{NoResults, Misplaced}},
		"another step does not help":   {`{"output":{"cancel":{"error":"x"},"notify":{"results":[{"id":"f","ok":true}]}}}`, Nowhere, "", 0, []Code{NoResults}},
		"workflow before direct":       {`{"results":[{"id":"d","ok":true}],"output":{"cancel":{"results":[{"id":"d","ok":false}]}}}`, Workflow, "d", 1, []Code{PlacesDisagree}},
		"two places that agree":        {`{"results":[{"id":"d","ok":true}],"output":{"cancel":{"results":[{"id":"d","success":true}]}}}`, Workflow, "d", 1, nil},
		"first valid one":              {`{"results":[{"id":"d","ok":true}],"output":{"cancel":{"results":[{"id":"f"}]}}}`, Direct, "d", 1, nil},
		"list before object":           {`{"results":[{"id":"d"}],"output":{"cancel":{"results":{"id":"f"}}}}`, Direct, "d", 0, []Code{RowNoFlag}},
		"an object":                    {`{"results":{"a":{"success":true}}}`, Direct, "", 0, []Code{NotAList}},
		"null":                         {`{"results":null}`, Direct, "", 0, []Code{NotAList}},
		"a count named results":        {`{"results":2,"result":{"results":[{"id":"w","ok":true}]}}`, Wrapped, "w", 0, nil},
		"too deep":                     {`{"data":{"items":[{"id":"x","success":true}]}}`, Nowhere, "", 0, []Code{NoResults, Misplaced}},
		"other name":                   {`{"items":[{"id":"x","success":true}]}`, Nowhere, "", 0, []Code{NoResults, Misplaced}},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(c.payload), Options{Tool: tool})
			first := ""
			if len(a.Rows) > 0 {
				first, _ = a.Rows[0].Node.Get("id").Str()
			}
			if a.Place != c.place || first != c.first || len(a.Others) != c.others || !slices.Equal(codes(a), c.codes) {
				t.Errorf("place %d, first %q, others %d, problems %+v", a.Place, first, len(a.Others), a.Problems)
			}
		})
	}
}

func TestAToolWithoutNameIsNoAccusation(t *testing.T) {
	one := `{"output":{"cancel":{"results":` + rowsTF + `},"notify":{"success":false}}}`
	if a := read(t, structured(one), Options{}); a.Place != Workflow || len(a.Rows) != 2 || len(a.Problems) != 0 {
		t.Errorf("one list: place %d, problems %+v", a.Place, a.Problems)
	}
	two := `{"output":{"cancel":{"results":` + rowsTF + `},"notify":{"results":` + rowsTT + `}}}`
	if a := read(t, structured(two), Options{}); a.Place != Nowhere || !slices.Equal(codes(a), []Code{ToolUnknown}) {
		t.Errorf("two lists: place %d, problems %+v", a.Place, a.Problems)
	}
	both := `{"results":` + rowsTT + `,"output":{"x":{"results":` + rowsTF + `}}}`
	if a := read(t, structured(both), Options{}); a.Place != Direct || len(a.Problems) != 0 {
		t.Errorf("direct rows win over a guess: place %d, problems %+v", a.Place, a.Problems)
	}
}

func TestEnvelopeMembers(t *testing.T) {
	for name, c := range map[string]struct {
		payload string
		codes   []Code
	}{
		"ok as text":                    {`{"ok":"false","result":{"results":` + rowsTF + `}}`, []Code{OKNotBoolean}},
		"ok as null":                    {`{"ok":null,"results":` + rowsTF + `}`, []Code{OKNotBoolean}},
		"error object":                  {`{"error":{"code":7},"results":` + rowsTF + `}`, []Code{ErrorShape}},
		"error text":                    {`{"error":"mail failed","results":` + rowsTF + `}`, nil},
		"error null":                    {`{"error":null,"results":` + rowsTF + `}`, nil},
		"metadata list in an envelope":  {`{"ok":true,"metadata":[1],"result":{"results":` + rowsTF + `}}`, []Code{MetadataShape}},
		"metadata null":                 {`{"ok":true,"metadata":null,"result":{"results":` + rowsTF + `}}`, nil},
		"metadata of the domain's own":  {`{"metadata":"x","results":` + rowsTF + `}`, nil},
		"ok inside result is no matter": {`{"result":{"ok":"x","results":` + rowsTF + `}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if a := read(t, structured(c.payload), Options{}); !slices.Equal(codes(a), c.codes) {
				t.Errorf("problems %+v", a.Problems)
			}
		})
	}
}

func TestProblemsPointAtTheirBytes(t *testing.T) {
	src := ` {"structuredContent" : {"results":[{"id":"a","success":"yes"}]},"content":[]}`
	root := parse(t, src)
	p := Read(root, Options{}).Has(FlagNotBoolean)
	if p == nil || p.Pointer != "/structuredContent/results/0/success" || !strings.HasPrefix(string(root.Raw[p.Offset:]), `"yes"`) {
		t.Fatalf("problem %+v", p)
	}

	// A result inside its message: pointers and offsets still count from the result.
	message := parse(t, `{"jsonrpc":"2.0","id":1,"result":`+strings.TrimSpace(src)+`}`)
	result := message.Get("result")
	p = Read(result, Options{}).Has(FlagNotBoolean)
	if p == nil || p.Pointer != "/structuredContent/results/0/success" || !strings.HasPrefix(string(result.Raw[p.Offset:]), `"yes"`) {
		t.Fatalf("inside a message: %+v", p)
	}

	text := `  {"results":[{"id":"a","success":1}]}`
	p = read(t, inText(text), Options{}).Has(FlagNotBoolean)
	if p == nil || p.Pointer != "/content/0/text#/results/0/success" || text[p.Offset:p.Offset+1] != "1" {
		t.Fatalf("inside a text: %+v", p)
	}
	a := read(t, inText(text), Options{})
	if pointer, offset := a.Where(nil); pointer != "" || offset != 0 {
		t.Errorf("nothing is at %q, %d", pointer, offset)
	}
	if pointer, _ := a.Where(parse(t, `{"foreign":1}`)); pointer != "" {
		t.Errorf("a foreign node is at %q", pointer)
	}
}

func TestAllAndHas(t *testing.T) {
	a := read(t, structured(`{"results":[1,2]}`), Options{})
	if len(a.All(RowNotObject)) != 2 || a.Has(RowNotObject) != &a.Problems[0] || a.Has(NoObject) != nil || a.All(NoObject) != nil {
		t.Errorf("problems %+v", a.Problems)
	}
}
