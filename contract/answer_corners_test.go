package contract

import (
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

func TestDeriveCorners(t *testing.T) {
	const many = "the rows alone would mislead"
	for name, c := range map[string]struct {
		items, rows string
		status      Status
		why         string
	}{
		"another's name, one item missing": {`["a","b","c"]`, `[{"index":0,"id":"b","ok":true},{"index":1,"id":"b","ok":false}]`, StatusUnknown,
			many + "; 1 requested items without a row; 1 rows that contradict their item"},
		"another's name, one missing, one stranger": {`["a","b","c"]`, `[{"index":0,"id":"b","ok":true},{"index":1,"id":"b","ok":false},{"id":"zz","ok":true}]`, StatusUnknown,
			many + "; 1 requested items without a row; 1 rows for nothing that was asked for; 1 rows that contradict their item"},
		"another's name, one missing, one doubled": {`["a","b","c"]`, `[{"index":0,"id":"b","ok":true},{"index":1,"id":"b","ok":false},{"index":1,"id":"b","ok":false}]`, StatusUnknown,
			many + "; 1 requested items without a row; 1 items with several rows; 1 rows that contradict their item"},
		"two names swapped, one item missing": {`["a","b","c","d"]`, `[{"index":0,"id":"b","ok":true},{"index":1,"id":"a","ok":true},{"index":2,"id":"c","ok":false}]`, StatusUnknown,
			many + "; 1 requested items without a row; 2 rows that contradict their item"},
		"two names nobody asked for": {`[{"id":"a"},{"id":"b"},{"id":"c"}]`, `[{"index":0,"id":"y","ok":true},{"index":1,"id":"z","ok":true},{"index":2,"id":"c","ok":false}]`, StatusUnknown,
			many + "; 2 rows that contradict their item"},
		"a name nobody asked for among failures": {`[{"id":"a"},{"id":"b"}]`, `[{"index":0,"id":"z","ok":false},{"index":1,"id":"b","ok":false}]`, StatusUnknown,
			many + "; 1 rows that contradict their item"},
		"a name nobody asked for, and nothing else": {`[{"id":"a"},{"id":"b"}]`, `[{"index":0,"id":"z","ok":true},{"index":1,"id":"y","ok":true}]`, StatusUnknown,
			"no row can be tied to a requested item; 2 rows that contradict their item"},
		"a failed stranger among failures":         {`["a","b"]`, `[{"id":"a","ok":false},{"id":"b","ok":false},{"id":"z","ok":false}]`, AllFailed, ""},
		"a done stranger among failures":           {`["a","b"]`, `[{"id":"a","ok":false},{"id":"b","ok":false},{"id":"z","ok":true}]`, StatusUnknown, many + "; 1 rows for nothing that was asked for"},
		"a done and a failed stranger":             {`["a","b"]`, `[{"id":"a","ok":false},{"id":"b","ok":false},{"id":"z","ok":true},{"id":"y","ok":false}]`, StatusUnknown, many + "; 2 rows for nothing that was asked for"},
		"a failed and a done stranger":             {`["a","b"]`, `[{"id":"a","ok":true},{"id":"b","ok":true},{"id":"z","ok":false},{"id":"y","ok":true}]`, StatusUnknown, many + "; 2 rows for nothing that was asked for"},
		"a failed and a done stranger, all failed": {`["a","b"]`, `[{"id":"a","ok":false},{"id":"b","ok":false},{"id":"z","ok":false},{"id":"y","ok":true}]`, StatusUnknown, many + "; 2 rows for nothing that was asked for"},
		"a done and a failed stranger, all done":   {`["a","b"]`, `[{"id":"a","ok":true},{"id":"b","ok":true},{"id":"z","ok":true},{"id":"y","ok":false}]`, StatusUnknown, many + "; 2 rows for nothing that was asked for"},
		"told twice, first failed":                 {`["a","b"]`, `[{"id":"a","ok":false},{"id":"a","ok":true},{"id":"b","ok":true}]`, StatusUnknown, many + "; 1 items with several rows"},
		"told twice, the others failed":            {`["a","b"]`, `[{"id":"a","ok":true},{"id":"a","ok":false},{"id":"b","ok":false}]`, StatusUnknown, many + "; 1 items with several rows"},
		"an unnamed row tied, a stranger's id":     {`[{"id":"a"},{"id":"b"}]`, `[{"ok":true},{"index":1,"id":"z","ok":true}]`, StatusUnknown, many + "; 1 rows that contradict their item"},
		"unnamed, too many, mixed":                 {`["a"]`, `[{"ok":true},{"ok":false}]`, StatusUnknown, "no row can be tied to a requested item; 1 requested items without a row; 2 rows that name nothing"},
		"unnamed beside a stranger, right number":  {`["a","b"]`, `[{"id":"zz","ok":true},{"ok":true},{"ok":false}]`, Partial, ""},
		"an unnamed failure too many":              {`["a","b"]`, `[{"id":"a","ok":true},{"id":"b","ok":true},{"ok":false}]`, StatusUnknown, many + "; 1 rows that name nothing"},
		"an unnamed success too many":              {`["a","b"]`, `[{"id":"a","ok":false},{"id":"b","ok":false},{"ok":true}]`, StatusUnknown, many + "; 1 rows that name nothing"},
		"one more of the same, done":               {`["a","b"]`, `[{"id":"a","ok":true},{"id":"b","ok":true},{"ok":true}]`, Success, ""},
		"one more of the same, failed":             {`["a","b"]`, `[{"id":"a","ok":false},{"id":"b","ok":false},{"ok":false}]`, AllFailed, ""},
		"two unnamed too many, done first":         {`["a","b"]`, `[{"id":"a","ok":false},{"id":"b","ok":false},{"ok":true},{"ok":false}]`, StatusUnknown, many + "; 2 rows that name nothing"},
		"two unnamed too many, failed first":       {`["a","b"]`, `[{"id":"a","ok":true},{"id":"b","ok":true},{"ok":false},{"ok":true}]`, StatusUnknown, many + "; 2 rows that name nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(`{"results":`+c.rows+`}`), Options{})
			items := itemsOf(t, c.items)
			if status, why := a.Derive(items, a.Tie(items, Options{}, false)); status != c.status || why != c.why {
				t.Errorf("status %q because %q", status, why)
			}
		})
	}
}

// Which list is meant depends on the reader wherever a name on the way to it
// comes twice.
func TestNoStatusWhereANameOnTheWayComesTwice(t *testing.T) {
	const rows = `"results":[{"id":"a","ok":true},{"id":"b","ok":true}]`
	items := itemsOf(t, `["a","b"]`)
	for name, c := range map[string]struct {
		src, tool string
		status    Status
	}{
		"a workflow's inner result, once":       {structured(`{"result":{"status":"COMPLETED","result":{` + rows + `}}}`), "t", Success},
		"a failed workflow's inner result":      {structured(`{"result":{"status":"FAILED","result":{` + rows + `}}}`), "t", Success},
		"a paused workflow's inner result":      {structured(`{"result":{"status":"PAUSED","result":{` + rows + `}}}`), "t", Success},
		"the inner result has the status":       {structured(`{"result":{"result":{"status":"COMPLETED",` + rows + `}}}`), "t", Success},
		"the inner result comes twice":          {structured(`{"result":{"status":"COMPLETED","result":{` + rows + `},"result":{}}}`), "t", StatusUnknown},
		"the outer result comes twice":          {structured(`{"result":{"status":"COMPLETED","result":{` + rows + `}},"result":{}}`), "t", StatusUnknown},
		"a step of a result that comes twice":   {structured(`{"result":{"output":{"t":{` + rows + `}}},"result":{}}`), "t", StatusUnknown},
		"output comes twice":                    {structured(`{"output":{"t":{` + rows + `}},"output":{}}`), "t", StatusUnknown},
		"the step comes twice":                  {structured(`{"output":{"t":{` + rows + `},"t":{}}}`), "t", StatusUnknown},
		"the step's results come twice":         {structured(`{"output":{"t":{` + rows + `,"results":[]}}}`), "t", StatusUnknown},
		"the one step of an unknown tool":       {structured(`{"output":{"t":{` + rows + `}}}`), "", Success},
		"its output comes twice":                {structured(`{"output":{"t":{` + rows + `}},"output":{}}`), "", StatusUnknown},
		"its result comes twice":                {structured(`{"result":{"output":{"t":{` + rows + `}}},"result":{}}`), "", StatusUnknown},
		"the text of the one block comes twice": {`{"content":[{"type":"text","text":"{\"results\":[{\"id\":\"a\",\"ok\":true},{\"id\":\"b\",\"ok\":true}]}","text":"x"}]}`, "t", StatusUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Tool: c.tool}
			a := read(t, c.src, o)
			status, why := a.Derive(items, a.Tie(items, o, false))
			if status != c.status || strings.Contains(why, "twice") != (status == StatusUnknown) {
				t.Errorf("status %q because %q; problems %+v", status, why, a.Problems)
			}
		})
	}
}

func TestPayloadCorners(t *testing.T) {
	good := `{"results":` + rowsTF + `}`
	quoted := `"{\"results\":[{\"id\":\"a\",\"success\":true},{\"id\":\"b\",\"success\":false,\"reason\":\"gone\"}]}"`
	for name, c := range map[string]struct {
		src    string
		source Source
		texts  int
		codes  []Code
		detail string
	}{
		"a list for a result":                  {`[1]`, FromNothing, 0, []Code{NoObject}, "a tool result is an object, this is a array"},
		"no content":                           {`{}`, FromNothing, 0, []Code{NoObject}, "neither structuredContent nor content"},
		"content is a text":                    {`{"content":"x"}`, FromNothing, 0, []Code{NoObject}, "content is a string"},
		"content is empty":                     {`{"content":[]}`, FromNothing, 0, []Code{NoObject}, "content is empty"},
		"an image beside the text":             {`{"structuredContent":` + good + `,"content":[{"type":"image","data":"","mimeType":"image/png"},{"type":"text","text":"x"},{"type":"text","text":7}]}`, FromStructured, 1, []Code{}, ""},
		"an empty text":                        {inText(" "), FromNothing, 1, []Code{NoObject}, "the text block is empty"},
		"braces the wrong way round":           {inText("so } and {"), FromNothing, 1, []Code{NoObject}, "the text block is prose"},
		"a closing brace":                      {inText("done}"), FromNothing, 1, []Code{NoObject}, "the text block is prose"},
		"braces that are no JSON":              {inText("use {name} here"), FromNothing, 1, []Code{NoObject}, "the text block is prose"},
		"JSON in a string, the text says less": {`{"structuredContent":{"result":` + quoted + `},` + inText(`{"message":"ok"}`)[1:], FromStructured, 1, []Code{StringInStructured, NoResults}, ""},
		"JSON in a string, the text the same":  {`{"structuredContent":{"result":` + quoted + `},` + inText(good)[1:], FromText, 1, []Code{StringInStructured}, ""},
		"JSON in a string one level down":      {`{"structuredContent":{"ok":true,"result":{"data":` + quoted + `}},"content":[]}`, FromStructured, 0, []Code{StringInStructured, NoResults}, ""},
		"a result that is a list":              {`{"structuredContent":{"ok":true,"result":[` + quoted + `]},"content":[]}`, FromStructured, 0, []Code{NoResults}, ""},
		"JSON in a string beside rows":         {`{"structuredContent":{"result":{"results":"[]"},"results":` + rowsTF + `},"content":[]}`, FromStructured, 0, []Code{SiblingResult}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, c.src, Options{})
			if a.Source != c.source || len(a.Texts) != c.texts || !slices.Equal(codes(a), c.codes) {
				t.Errorf("source %d, %d texts, problems %+v", a.Source, len(a.Texts), a.Problems)
			}
			if c.detail != "" && !strings.HasPrefix(a.Problems[0].Detail, c.detail) {
				t.Errorf("%q does not begin with %q", a.Problems[0].Detail, c.detail)
			}
		})
	}
	if a := read(t, good, Options{Door: Gateway}); a.Source != FromBody {
		t.Errorf("a body's source is %d", a.Source)
	}
	if a := Read(nil, Options{}); a.Has(NoObject) == nil || !strings.Contains(a.Problems[0].Detail, "a nothing") {
		t.Errorf("nothing was read as %+v", a.Problems)
	}
}

func TestWhatMakesAnEnvelope(t *testing.T) {
	for payload, want := range map[string][]Code{
		`{"ok":true,"metadata":[1],"results":` + rowsTF + `}`:    {MetadataShape},
		`{"error":null,"metadata":[1],"results":` + rowsTF + `}`: {MetadataShape},
		`{"result":{"results":` + rowsTF + `},"metadata":[1]}`:   {MetadataShape},
		`{"ok":true,"metadata":{},"results":` + rowsTF + `}`:     {},
		`{"metadata":[1],"results":` + rowsTF + `}`:              {},
	} {
		if a := read(t, structured(payload), Options{}); !slices.Equal(codes(a), want) {
			t.Errorf("%s: %v", payload, codes(a))
		}
	}
}

// Where several places hold something named results, the first whose rows can
// all be read is taken; else the first list, else the first of all.
func TestPlaceAmongSeveral(t *testing.T) {
	const bad = `[{"id":"a","success":true},{"id":"b","success":"no"}]`
	for name, c := range map[string]struct {
		payload string
		place   Place
		list    string // its pointer
		others  int
		codes   []Code
	}{
		"no list at all":                       {`{"result":{"results":7},"results":8}`, Wrapped, "/structuredContent/result/results", 0, []Code{NotAList}},
		"a number and a list":                  {`{"result":{"results":7},"results":` + bad + `}`, Direct, "/structuredContent/results", 0, []Code{SiblingResult, FlagNotBoolean}},
		"two lists that cannot be read":        {`{"result":{"results":` + bad + `},"results":` + bad + `}`, Wrapped, "/structuredContent/result/results", 1, []Code{SiblingResult, FlagNotBoolean}},
		"the second list can be read":          {`{"result":{"results":` + bad + `},"results":` + rowsTF + `}`, Direct, "/structuredContent/results", 1, []Code{SiblingResult}},
		"the first list is empty":              {`{"result":{"results":[]},"results":` + rowsTF + `}`, Direct, "/structuredContent/results", 1, []Code{SiblingResult}},
		"three places that agree":              {`{"result":{"output":{"t":{"results":` + rowsTF + `}},"results":` + rowsTF + `},"results":` + rowsTF + `}`, Workflow, "/structuredContent/result/output/t/results", 2, []Code{SiblingResult}},
		"the third differs, behind an odd one": {`{"result":{"output":{"t":{"results":` + rowsTF + `}},"results":` + bad + `},"results":` + rowsTT + `}`, Workflow, "/structuredContent/result/output/t/results", 2, []Code{SiblingResult, PlacesDisagree}},
		"two hidden places":                    {`{"result":"done","output":{"t":{"results":` + rowsTF + `}},"results":` + rowsTF + `}`, Workflow, "/structuredContent/output/t/results", 1, []Code{SiblingResult}},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(c.payload), Options{Tool: "t"})
			pointer, _ := a.Where(a.List)
			if a.Place != c.place || pointer != c.list || len(a.Others) != c.others || !slices.Equal(codes(a), c.codes) {
				t.Errorf("place %d at %s, %d others, problems %+v", a.Place, pointer, len(a.Others), a.Problems)
			}
		})
	}
}

func TestWhichStepAnswersForATool(t *testing.T) {
	for name, c := range map[string]struct {
		tool, payload string
		codes         []Code
	}{
		"two steps and no tool":               {"", `{"output":{"x":{"results":` + rowsTF + `},"y":{"results":` + rowsTF + `}}}`, []Code{ToolUnknown}},
		"two steps and no tool, one nameless": {"", `{"output":{"":{"results":` + rowsTF + `},"y":{"results":` + rowsTF + `}}}`, []Code{ToolUnknown}},
		"two steps, none the tool's":          {"t", `{"output":{"x":{"results":` + rowsTF + `},"y":{"results":` + rowsTF + `}}}`, []Code{NoResults, Misplaced}},
		"a nameless step and no tool":         {"", `{"output":{"":{"x":1}}}`, []Code{NoResults}},
		"output is a text":                    {"t", `{"output":"done"}`, []Code{NoResults}},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(c.payload), Options{Tool: c.tool})
			if !slices.Equal(codes(a), c.codes) || strings.Contains(a.Problems[0].Detail, `output[""]`) {
				t.Errorf("problems %+v", a.Problems)
			}
		})
	}
}

func TestMirrorCorners(t *testing.T) {
	const ids, names = `{"results":[{"id":"a","success":true},{"id":"b","success":false}]}`, `{"results":[{"name":"a","success":true},{"name":"b","success":false}]}`
	for name, c := range map[string]struct {
		payload string
		texts   []string
		agree   bool
	}{
		"a bare list that says otherwise":         {ids, []string{rowsTT}, false},
		"a bare list with ok that says otherwise": {ids, []string{`[{"id":"a","ok":true},{"id":"b","ok":true}]`}, false},
		"the second block says otherwise":         {ids, []string{"done", `{"message":"x"}`, `{"results":` + rowsTT + `}`}, false},
		"the third block says otherwise":          {ids, []string{`{"results":` + rowsTF + `}`, `{"results":` + rowsTF + `}`, `{"results":` + rowsTT + `}`}, false},
		"results is a sentence in the text":       {ids, []string{`{"results":"two of two"}`}, true},
		"results in the text is a list of names":  {ids, []string{`{"results":[{"id":"a"},{"id":"b"}]}`}, true},
		"no ids, the second differs":              {ids, []string{`[{"success":true},{"success":true}]`}, false},
		"another id, and no flag on it":           {ids, []string{`[{"id":"a","success":true},{"id":"c"}]`}, false},
		"by name, in another order":               {names, []string{`[{"name":"b","success":false},{"name":"a","success":true}]`}, true},
		"by name, ids only in the text":           {names, []string{`[{"id":"1","name":"b","success":false},{"id":"2","name":"a","success":true}]`}, true},
		"one row, an id only in one":              {`{"results":[{"id":"a","success":true}]}`, []string{`[{"success":true}]`}, true},
		"nothing structured to compare with":      {`{"results":7}`, []string{`{"results":` + rowsTT + `}`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			src := inText(c.texts...)
			a := read(t, src[:len(src)-1]+`,"structuredContent":`+c.payload+`}`, Options{})
			if (a.Has(TextDisagrees) == nil) != c.agree {
				t.Errorf("problems %+v", a.Problems)
			}
		})
	}
}

func TestWhereInAText(t *testing.T) {
	other := ` {"results":` + rowsTT + `}`
	src := inText("done", other)
	a := read(t, src[:len(src)-1]+`,"structuredContent":{"results":`+rowsTF+`}}`, Options{})
	p := a.Has(TextDisagrees)
	if p == nil || p.Pointer != "/content/1/text#/results" || !strings.HasPrefix(other[p.Offset:], rowsTT) {
		t.Errorf("%+v", p)
	}
	if p := read(t, inText(` {"message":"x"}`), Options{}).Has(NoResults); p == nil || p.Pointer != "/content/0/text#" || p.Offset != 1 {
		t.Errorf("the payload itself: %+v", p)
	}
	// Nodes of other documents, shorter, longer and of the same length.
	root := parse(t, `{"results":[]}`)
	a = Read(root, Options{})
	foreign := parse(t, `[1,[2,3],"............",4,5]`)
	for _, n := range append(foreign.Items, foreign, parse(t, strings.Repeat(" ", len(root.Raw))+"7"), &rawjson.Node{}) {
		if pointer, offset := a.Where(n); pointer != "" || offset != 0 {
			t.Errorf("a foreign node at %d is at %q, %d", n.Offset, pointer, offset)
		}
	}
}

// A hostile list of a million wrong entries costs no more than a bound.
func TestTheProblemsOfOneKindAreBounded(t *testing.T) {
	a := read(t, structured(`{"results":[1`+strings.Repeat(",1", maxProblems+10)+`]}`), Options{})
	if n := len(a.All(RowNotObject)); n != maxProblems {
		t.Errorf("%d problems are kept", n)
	}
}

func TestFlagCorners(t *testing.T) {
	for name, c := range map[string]struct {
		row    string
		flag   Flag
		codes  []Code
		detail string
	}{
		"ok twice, then success":         {`{"ok":true,"ok":true,"success":true}`, Unreadable, []Code{}, ""},
		"success twice, then ok":         {`{"success":true,"success":true,"ok":true}`, Unreadable, []Code{}, ""},
		"ok twice, the first a text":     {`{"ok":"x","ok":true}`, Unreadable, []Code{FlagNotBoolean}, ""},
		"a plain text":                   {`"plain"`, NoFlag, []Code{RowNotObject}, "this row is a string"},
		"one member that is no object":   {`{"x":1}`, NoFlag, []Code{RowNoFlag}, "neither success nor ok"},
		"the flag in the second member":  {`{"id":"v","meta":{"success":true}}`, NoFlag, []Code{RowNoFlag}, "the flag stands one level too deep, at /meta/success"},
		"ok one level down":              {`{"meta":{"ok":true}}`, NoFlag, []Code{RowNoFlag}, "the flag stands one level too deep, at /meta/ok"},
		"a list of errors on success":    {`{"success":true,"error":["late"]}`, Succeeded, []Code{ErrorOnSuccess}, ""},
		"the big id comes second":        {`{"success":true,"id":9007199254740993}`, Succeeded, []Code{BigNumberID}, ""},
		"a big number named item":        {`{"item":9007199254740993,"success":true}`, Succeeded, []Code{BigNumberID}, ""},
		"a big id of another thing":      {`{"meta":{"id":9007199254740993},"success":true}`, Succeeded, []Code{}, ""},
		"a big id second inside item":    {`{"item":{"qty":1,"id":9007199254740993},"success":true}`, Succeeded, []Code{BigNumberID}, ""},
		"a big amount inside item":       {`{"item":{"amount":9007199254740993},"success":true}`, Succeeded, []Code{}, ""},
		"a big id as text inside item":   {`{"item":{"id":"9007199254740993"},"success":true}`, Succeeded, []Code{}, ""},
		"the first integer that is lost": {`{"id":9007199254740992,"success":true}`, Succeeded, []Code{BigNumberID}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(`{"results":[`+c.row+`]}`), Options{})
			if a.Rows[0].Flag != c.flag || !slices.Equal(codes(a), c.codes) {
				t.Errorf("row %s, problems %+v", a.Rows[0].Flag, a.Problems)
			}
			if c.detail != "" && !strings.HasPrefix(a.Problems[0].Detail, c.detail) {
				t.Errorf("%q does not begin with %q", a.Problems[0].Detail, c.detail)
			}
			if c.detail == "neither success nor ok" && a.Problems[0].Detail != c.detail {
				t.Errorf("%q guesses", a.Problems[0].Detail)
			}
		})
	}
}

// The shape that stands in place of results[] is what a hint is made of.
func TestShapeCorners(t *testing.T) {
	for name, c := range map[string]struct {
		payload, want string
		not           string
	}{
		"bad list first":                    {`{"failures":["b"],"completed":["a"]}`, "two lists, completed (1) and failures (1)", ""},
		"two good lists and a bad one":      {`{"completed":["a"],"done":["b","c"],"failed":[]}`, "two lists, completed (1) and failed (0)", ""},
		"a good list and two bad ones":      {`{"done":["a"],"failed":["b"],"errors":["c","d"]}`, "two lists, done (1) and failed (1)", ""},
		"a good list and another":           {`{"completed":["a"],"things":["x"]}`, "2 lists (completed, things)", ""},
		"two good lists":                    {`{"completed":["a"],"done":["x"]}`, "2 lists (completed, done)", ""},
		"a bad list and another":            {`{"failed":["a"],"things":["x"]}`, "2 lists (failed, things)", ""},
		"eight lists":                       {`{"a":[1],"b":[1],"c":[1],"d":[1],"e":[1],"f":[1],"g":[1],"h":[1]}`, "8 lists (a, b, c, d, e, f, …)", ""},
		"bad entries without a name":        {`{"completed":["a"],"failures":[{"x":1}]}`, "Not every entry", ""},
		"the second entry has no name":      {`{"completed":["a",{"x":1}],"failures":[]}`, "Not every entry", ""},
		"a null among the entries":          {`{"completed":[null],"failures":[]}`, "Not every entry", ""},
		"numbers are names":                 {`{"completed":[7],"failures":["a"]}`, "carry ids", ""},
		"an id behind another member":       {`{"completed":[{"at":1,"id":"a"}],"failures":[]}`, "carry ids", ""},
		"a name":                            {`{"completed":[{"name":"a"}],"failures":[]}`, "carry ids", ""},
		"an index":                          {`{"completed":[{"index":0}],"failures":[]}`, "carry ids", ""},
		"an id of the domain's own":         {`{"completed":[{"orderId":"a"}],"failures":[]}`, "carry ids", ""},
		"an empty list":                     {`{"items":[]}`, "a list named items (0) stands where results is looked for", ""},
		"keyed by action, but not all":      {`{"items":[{"index":{"_id":"a"}},{"id":"b"}]}`, "whose entries carry no flag", ""},
		"keyed by action, but not first":    {`{"items":[{"id":"b"},{"index":{"_id":"a"}}]}`, "whose entries carry no flag", ""},
		"keyed, and another member":         {`{"items":[{"index":{"_id":"a"},"more":1}]}`, "whose entries carry no flag", ""},
		"objects, then a text":              {`{"items":[{"id":"a"},"b"]}`, "one filtered list", ""},
		"a text, then objects":              {`{"items":["b",{"id":"a"}]}`, "one filtered list", ""},
		"rows under another name":           {`{"entries":[{"id":"a","success":true}]}`, "a list named entries (1) stands", ""},
		"the second entry is a row":         {`{"entries":[{"id":"b"},{"id":"a","ok":true}]}`, "a list named entries (2) stands", ""},
		"keyed by item, with ok":            {`{"a":{"ok":true},"b":{"ok":false}}`, "2 rows keyed by item", ""},
		"one object has a flag":             {`{"a":{"success":true},"meta":{"x":1}}`, "cannot be told", ""},
		"a count and an object":             {`{"n":3,"meta":{}}`, "cannot be told", "only counts"},
		"JSON in a string":                  {`{"raw":"{\"a\":1}"}`, "there is JSON in a string", ""},
		"one row with ok":                   {`{"results":{"id":"a","ok":true}}`, "one row, not a list", ""},
		"rows nested below the second list": {`{"first":{"x":1},"second":{"rows":[{"success":true}]}}`, "stands at /structuredContent/second/rows; clients look for results", ""},
		"rows inside a list of pages":       {`{"pages":[{"no":1},{"rows":[{"success":true}]}]}`, "stands at /structuredContent/pages/1/rows", ""},
		"rows that begin with a summary":    {`{"response":{"list":[{"id":"a"},{"success":true}]}}`, "stands at /structuredContent/response/list", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(c.payload), Options{Tool: "t"})
			said := ""
			for _, p := range a.Problems {
				said += p.Detail + "\n"
			}
			if !strings.Contains(said, c.want) || c.not != "" && strings.Contains(said, c.not) {
				t.Errorf("it says: %s", said)
			}
		})
	}
	refused := read(t, `{"isError":true,"structuredContent":{"message":"no"},"content":[]}`, Options{})
	if p := refused.Has(NoResults); p == nil || !strings.Contains(p.Detail, "refused as a whole") {
		t.Errorf("%+v", p)
	}
	other := read(t, inText(`{"output":{"x":{"results":`+rowsTF+`}}}`), Options{Tool: "t"})
	if p := other.Has(NoResults); p == nil || strings.Contains(p.Detail, "structuredContent has no results") {
		t.Errorf("%+v", p)
	}
	silent := read(t, `{"structuredContent":{"message":"ok"},"content":[]}`, Options{})
	if p := silent.Has(NoResults); p == nil || !strings.Contains(p.Detail, "cannot be told") {
		t.Errorf("%+v", p)
	}
	gateway := read(t, `{"list":[{"success":true}]}`, Options{Door: Gateway})
	if p := gateway.Has(Misplaced); p == nil || !strings.Contains(p.Detail, "the gateway hands on") {
		t.Errorf("%+v", p)
	}
}

// Servers name the two lists by many words, in any spelling.
func TestTheTwoListsByTheirWords(t *testing.T) {
	for _, good := range strings.Fields("completed succeeded Successful success successes done accepted processed created updated deleted added removed valid found ok passed") {
		a := read(t, structured(`{"`+good+`":["a"],"failed":["b"]}`), Options{})
		if p := a.Has(NoResults); p == nil || !strings.Contains(p.Detail, "two lists, "+good+" (1) and failed (1)") {
			t.Errorf("%s: %+v", good, p)
		}
	}
	for _, bad := range strings.Fields("failed failures failure errors rejected invalid skipped not_found notFound missing unprocessed UnprocessedItems errored conflicts") {
		a := read(t, structured(`{"done":["a"],"`+bad+`":["b"]}`), Options{})
		if p := a.Has(NoResults); p == nil || !strings.Contains(p.Detail, "two lists, done (1) and "+bad+" (1)") {
			t.Errorf("%s: %+v", bad, p)
		}
	}
}

func TestTyingIsToldInWords(t *testing.T) {
	for by, want := range map[By]string{ByNothing: "nothing", ByOrder: "order", ByIdentity: "identity"} {
		if by.String() != want {
			t.Errorf("%q, want %q", by, want)
		}
	}
}
