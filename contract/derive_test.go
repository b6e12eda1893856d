package contract

import (
	"strings"
	"testing"
)

func TestDerive(t *testing.T) {
	for name, c := range map[string]struct {
		items, payload string
		status         Status
		why            string
	}{
		"all succeeded": {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]}`, Success, ""},
		"one failed":    {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":false}]}`, Partial, ""},
		"all failed":    {`["a","b"]`, `{"results":[{"id":"a","ok":false},{"id":"b","ok":false}]}`, AllFailed, ""},
		"the wrapper's word does not count": {`["a","b"]`, `{"ok":false,"error":"x","result":{"status":"FAILED","output":{"t":{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]}}}}`,
			Success, ""},
		"success and ok mixed":              {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","success":false}]}`, Partial, ""},
		"one true, one item unanswered":     {`["a","b","c"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]}`, StatusUnknown, "1 requested items without a row"},
		"one false, one item unanswered":    {`["a","b","c"]`, `{"results":[{"id":"a","ok":false},{"id":"b","ok":false}]}`, StatusUnknown, "1 requested items"},
		"true, false, one unanswered":       {`["a","b","c"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":false}]}`, Partial, ""},
		"true, false, unnamed, too few":     {`["a","b","c"]`, `{"results":[{"ok":true},{"ok":false}]}`, Partial, ""},
		"all true, unnamed, too few":        {`["a","b","c"]`, `{"results":[{"ok":true},{"ok":true}]}`, StatusUnknown, "without a row"},
		"all true, unnamed, too many":       {`["a"]`, `{"results":[{"ok":true},{"ok":true}]}`, StatusUnknown, "rows that name nothing"},
		"unnamed, right number":             {`["a","b"]`, `{"results":[{"ok":true},{"ok":true}]}`, Success, ""},
		"a surplus row that changes it":     {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true},{"id":"z","ok":false}]}`, StatusUnknown, "nothing that was asked"},
		"a surplus row that cannot":         {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":false},{"id":"z","ok":true}]}`, Partial, ""},
		"rows of another call":              {`["a","b"]`, `{"results":[{"id":"x","ok":true},{"id":"y","ok":false}]}`, StatusUnknown, "tied"},
		"one item told twice, alike":        {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"a","ok":true},{"id":"b","ok":false}]}`, Partial, ""},
		"one item told twice, otherwise":    {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"a","ok":false},{"id":"b","ok":true}]}`, StatusUnknown, "1 items with several rows"},
		"equal items share a row":           {`["a","a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]}`, Success, ""},
		"two names swapped":                 {`["a","b"]`, `{"results":[{"index":0,"id":"b","ok":true},{"index":1,"id":"a","ok":true}]}`, Success, ""},
		"a name nobody asked for":           {`[{"id":"a"},{"id":"b"}]`, `{"results":[{"index":0,"id":"z","ok":true},{"index":1,"id":"b","ok":true}]}`, StatusUnknown, "contradict"},
		"an id sent twice":                  {`["a","b"]`, `{"results":[{"id":"a","id":"z","ok":true},{"id":"b","ok":true}]}`, StatusUnknown, "contradict"},
		"a flag that is a text":             {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":"true"}]}`, StatusUnknown, "row 1 has an unreadable flag"},
		"a row without flag among both":     {`["a","b","c"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":false},{"id":"c"}]}`, StatusUnknown, "row 2"},
		"torn flags":                        {`["a","b"]`, `{"results":[{"id":"a","ok":true,"success":false},{"id":"b","ok":true}]}`, StatusUnknown, "row 0"},
		"a flag sent twice":                 {`["a","b"]`, `{"results":[{"id":"a","ok":true,"ok":true},{"id":"b","ok":true}]}`, StatusUnknown, "row 0"},
		"a null entry":                      {`["a","b"]`, `{"results":[{"id":"a","ok":true},null]}`, StatusUnknown, "row 1"},
		"one entry":                         {`["a"]`, `{"results":[{"id":"a","ok":true}]}`, StatusUnknown, "fewer than two"},
		"no entry":                          {`["a","b"]`, `{"results":[]}`, StatusUnknown, "fewer than two"},
		"nothing asked":                     {`[]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]}`, StatusUnknown, "nothing was asked for"},
		"no list":                           {`["a","b"]`, `{"status":"SUCCESS"}`, StatusUnknown, "no results list"},
		"another tool's rows":               {`["a","b"]`, `{"output":{"other":{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]}}}`, StatusUnknown, "no results list"},
		"results sent twice":                {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}],"results":[]}`, StatusUnknown, "comes twice"},
		"result sent twice":                 {`["a","b"]`, `{"result":{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]},"result":{}}`, StatusUnknown, "comes twice"},
		"two places that contradict":        {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}],"output":{"t":{"results":[{"id":"a","ok":false},{"id":"b","ok":true}]}}}`, StatusUnknown, "two lawful places"},
		"rows hidden by a sibling are read": {`["a","b"]`, `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}],"result":"done"}`, Success, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Tool: "t"}
			a := read(t, structured(c.payload), o)
			items := itemsOf(t, c.items)
			status, why := a.Derive(items, a.Tie(items, o, false))
			if status != c.status || !strings.Contains(why, c.why) || (why == "") != (status != StatusUnknown) {
				t.Errorf("status %q because %q", status, why)
			}
		})
	}
}

func TestNoStatusWhereStructuredContentComesTwice(t *testing.T) {
	payload := `{"results":[{"id":"a","ok":true},{"id":"b","ok":true}]}`
	for name, src := range map[string]string{
		"structuredContent": `{"structuredContent":` + payload + `,"structuredContent":{}}`,
		"content":           inText(payload)[:len(inText(payload))-1] + `,"content":[]}`,
	} {
		a := read(t, src, Options{})
		items := itemsOf(t, `["a","b"]`)
		if status, why := a.Derive(items, a.Tie(items, Options{}, false)); status != StatusUnknown || !strings.Contains(why, "twice") {
			t.Errorf("%s: status %q because %q", name, status, why)
		}
	}
}
