package contract

import (
	"slices"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	for name, c := range map[string]struct {
		row   string
		flag  Flag
		codes []Code
	}{
		"success true":                {`{"success":true}`, Succeeded, nil},
		"success false":               {`{"success":false}`, Failed, nil},
		"ok true":                     {`{"ok":true}`, Succeeded, nil},
		"ok false":                    {`{"ok":false}`, Failed, nil},
		"both, equal":                 {`{"success":true,"ok":true}`, Succeeded, nil},
		"both, different":             {`{"success":true,"ok":false}`, Torn, []Code{FlagsDiffer}},
		"a text":                      {`{"success":"true"}`, Unreadable, []Code{FlagNotBoolean}},
		"a number":                    {`{"success":1}`, Unreadable, []Code{FlagNotBoolean}},
		"null":                        {`{"ok":null}`, Unreadable, []Code{FlagNotBoolean}},
		"one boolean, one text":       {`{"success":"yes","ok":false}`, Failed, []Code{SecondFlagOdd}},
		"one boolean, one null":       {`{"success":true,"ok":null}`, Succeeded, []Code{SecondFlagOdd}},
		"neither boolean":             {`{"success":1,"ok":"x"}`, Unreadable, []Code{FlagNotBoolean}},
		"none":                        {`{"id":"a","status":"done"}`, NoFlag, []Code{RowNoFlag}},
		"other letter case":           {`{"Success":true}`, NoFlag, []Code{RowNoFlag}},
		"a string":                    {`"a"`, NoFlag, []Code{RowNotObject}},
		"an object in a string":       {`"{\"success\":true}"`, NoFlag, []Code{RowNotObject}},
		"a null entry":                {`null`, NoFlag, []Code{RowNotObject}},
		"a list":                      {`[true]`, NoFlag, []Code{RowNotObject}},
		"flag sent twice, alike":      {`{"success":true,"success":true}`, Unreadable, nil},
		"flag sent twice, torn":       {`{"success":true,"success":false}`, Unreadable, nil},
		"twice, beside the other":     {`{"success":true,"success":false,"ok":true}`, Unreadable, nil},
		"twice, the first one a text": {`{"success":"x","success":true}`, Unreadable, []Code{FlagNotBoolean}},
		"an id sent twice":            {`{"id":"a","id":"b","success":true}`, Succeeded, nil},
		"error on success":            {`{"success":true,"error":"late"}`, Succeeded, []Code{ErrorOnSuccess}},
		"error object on success":     {`{"success":true,"error":{"code":1}}`, Succeeded, []Code{ErrorOnSuccess}},
		"empty errors on success":     {`{"success":true,"error":"","message":"ok"}`, Succeeded, nil},
		"error null, {} , []":         {`{"success":true,"error":{}}`, Succeeded, nil},
		"error false on success":      {`{"success":true,"error":false}`, Succeeded, nil},
		"error 0 on success":          {`{"success":true,"error":0}`, Succeeded, nil},
		"error on failure":            {`{"success":false,"error":"gone"}`, Failed, nil},
		"id beyond a double":          {`{"id":9007199254740993,"success":true}`, Succeeded, []Code{BigNumberID}},
		"id at the last exact one":    {`{"id":9007199254740991,"success":true}`, Succeeded, nil},
		"negative id beyond":          {`{"id":-9007199254740992,"success":true}`, Succeeded, []Code{BigNumberID}},
		"big id as text":              {`{"id":"9007199254740993","success":true}`, Succeeded, nil},
		"big amount is no id":         {`{"id":"a","amount":9007199254740993,"success":true}`, Succeeded, nil},
		"id in exponent form":         {`{"id":1e30,"success":true}`, Succeeded, []Code{BigNumberID}},
		"id beyond every double":      {`{"id":1e999,"success":true}`, Succeeded, []Code{BigNumberID}},
		"big id inside item":          {`{"item":{"id":9007199254740993},"success":true}`, Succeeded, []Code{BigNumberID}},
		"big id of the file's own":    {`{"sku":9007199254740993,"success":true}`, Succeeded, []Code{BigNumberID}},
	} {
		t.Run(name, func(t *testing.T) {
			a := read(t, structured(`{"results":[`+c.row+`]}`), Options{ID: []string{"sku"}})
			if a.Rows[0].Flag != c.flag || !slices.Equal(codes(a), c.codes) {
				t.Errorf("row %s, problems %+v", a.Rows[0].Flag, a.Problems)
			}
			if a.Rows[0].Readable() != (c.flag == Succeeded || c.flag == Failed) {
				t.Error("only a boolean that nothing contradicts is readable")
			}
		})
	}
}

func TestCount(t *testing.T) {
	a := read(t, structured(`{"results":[{"ok":true},{"ok":true},{"ok":false},{"ok":1},7]}`), Options{})
	if readable, good, bad := a.Count(); readable != 3 || good != 2 || bad != 1 {
		t.Errorf("%d readable, %d succeeded, %d failed", readable, good, bad)
	}
}

// The detail is what a hint is made of: it must name the shape that was met.
func TestShapesAreRecognised(t *testing.T) {
	for name, c := range map[string]struct {
		src   string
		code  Code
		words []string
	}{
		"two lists":            {structured(`{"completed":["a"],"failures":[{"item":"b","error":"gone"}]}`), NoResults, []string{"two lists", "completed (1)", "failures (1)", "carry ids"}},
		"two lists, no ids":    {structured(`{"Successful":[{"x":1}],"Failed":[]}`), NoResults, []string{"two lists", "Not every entry"}},
		"two lists under data": {structured(`{"data":{"succeeded":["a"],"failed":[]}}`), NoResults, []string{"two lists", "succeeded (1)"}},
		"filtered list":        {structured(`{"created_ids":["x"]}`), NoResults, []string{"filtered list", "created_ids"}},
		"list without flags":   {structured(`{"entities":[{"name":"a"}]}`), NoResults, []string{"entities (1)", "no flag"}},
		"keyed by action":      {structured(`{"took":3,"items":[{"index":{"_id":"a","status":201}}]}`), NoResults, []string{"keyed by action"}},
		"empty other list":     {structured(`{"items":[]}`), NoResults, []string{"items (0)"}},
		"several lists":        {structured(`{"a":[1],"b":[2]}`), NoResults, []string{"2 lists", "a, b"}},
		"keyed by item":        {structured(`{"a":{"success":true},"b":{"success":false}}`), NoResults, []string{"keyed by item"}},
		"counts":               {structured(`{"created":2,"failed":1}`), NoResults, []string{"only counts"}},
		"refused":              {structured(`{"error":"no permission"}`), NoResults, []string{"refused as a whole"}},
		"rows only in the text": {`{"structuredContent":{"message":"ok"},"content":[{"type":"text","text":"{\"results\":[{\"success\":true}]}"}]}`,
			NoResults, []string{"text block has one"}},
		"another step":      {structured(`{"output":{"t":{}}}`), NoResults, []string{`output["t"]`}},
		"nothing":           {structured(`{"message":"ok"}`), NoResults, []string{"cannot be told"}},
		"one row":           {structured(`{"results":{"id":"a","success":true}}`), NotAList, []string{"one row"}},
		"a map":             {structured(`{"results":{"a":{},"b":{}}}`), NotAList, []string{"keyed by item"}},
		"a text for a list": {structured(`{"results":"[1]"}`), NotAList, []string{"written as a string"}},
		"a number":          {structured(`{"results":3}`), NotAList, []string{"a number"}},
		"flag one level down": {structured(`{"results":[{"itemMetadata":{"id":"v","success":true}}]}`), RowNoFlag,
			[]string{"/itemMetadata/success"}},
		"status for a flag":    {structured(`{"results":[{"id":"v","status":"done"}]}`), RowNoFlag, []string{"guessed from status"}},
		"near miss":            {structured(`{"results":[{"id":"v","Succeeded":true}]}`), RowNoFlag, []string{"guessed from Succeeded"}},
		"keyed row":            {structured(`{"results":[{"index":{"_id":"v"}}]}`), RowNoFlag, []string{"keyed by index"}},
		"row in a string":      {structured(`{"results":["{\"success\":true}"]}`), RowNotObject, []string{"serialised"}},
		"prose":                {inText("done"), NoObject, []string{"prose"}},
		"prose around JSON":    {inText("Here you are: {\"results\":[]}."), NoObject, []string{"around its JSON"}},
		"code fence":           {inText("```json\n{\"results\":[]}\n```"), NoObject, []string{"around its JSON"}},
		"serialised twice":     {inText(`"{\"results\":[]}"`), NoObject, []string{"twice"}},
		"cut JSON":             {inText(`{"results":[`), NoObject, []string{"begins like JSON", "byte 12"}},
		"an array":             {inText(`[]`), NoObject, []string{"bare array"}},
		"misplaced, by REST":   {`{"results":[{"success":true}]}`, Misplaced, []string{"/results", "REST"}},
		"misplaced, elsewhere": {structured(`{"response":{"results":[{"success":true}]}}`), Misplaced, []string{"/structuredContent/response/results", "1 rows"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Tool: "t"}
			if strings.Contains(name, "REST") {
				o.Door = REST
			}
			a := read(t, c.src, o)
			p := a.Has(c.code)
			if p == nil {
				t.Fatalf("no %s in %+v", c.code, a.Problems)
			}
			for _, words := range c.words {
				if !strings.Contains(p.Detail, words) {
					t.Errorf("%q does not say %q", p.Detail, words)
				}
			}
		})
	}
}

func TestMirror(t *testing.T) {
	payload := `{"results":[{"id":"a","success":true},{"id":"b","success":false}]}`
	for name, c := range map[string]struct {
		text  string
		agree bool
	}{
		"prose":                   {"1 of 2 done", true},
		"JSON without rows":       {`{"message":"ok"}`, true},
		"a list that has no rows": {`["a","b"]`, true},
		"the same":                {payload, true},
		"the same, pretty":        {"{\n \"results\": [ {\"success\": true, \"id\": \"a\"}, {\"id\":\"b\",\"ok\":false} ] }", true},
		"the same, wrapped":       {`{"ok":true,"result":` + payload + `}`, true},
		"the same, as a list":     {`[{"id":"a","success":true},{"id":"b","success":false}]`, true},
		"another order":           {`{"results":[{"id":"b","success":false},{"id":"a","success":true}]}`, true},
		"no ids, same order":      {`{"results":[{"success":true},{"success":false}]}`, true},
		"no ids, other order":     {`{"results":[{"success":false},{"success":true}]}`, false},
		"other flag":              {`{"results":[{"id":"a","success":true},{"id":"b","success":true}]}`, false},
		"one row less":            {`{"results":[{"id":"a","success":true}]}`, false},
		"no rows":                 {`{"results":[]}`, false},
		"another id":              {`{"results":[{"id":"a","success":true},{"id":"c","success":false}]}`, false},
		"no flags":                {`{"results":[{"id":"a"},{"id":"b","success":false}]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			src := inText(c.text)
			a := read(t, src[:len(src)-1]+`,"structuredContent":`+payload+`}`, Options{})
			if (a.Has(TextDisagrees) == nil) != c.agree || len(a.Rows) != 2 {
				t.Errorf("problems %+v", a.Problems)
			}
		})
	}
}
