package protocol

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// What a value is said to cost decides what is validated at all.
func TestMeasure(t *testing.T) {
	long := strings.Repeat("9", maxDigits+1)
	for text, want := range map[string]measured{
		`null`:                                 {values: 1},
		`{"a":[1,true]}`:                       {values: 4, objects: 1, depth: 2},
		`{"a/b":[{},{}],"c":{}}`:               {values: 5, objects: 4, depth: 2, pointers: len("/a~1b/0") + len("/a~1b/1") + len("/c")},
		`["` + strings.Repeat("x", 126) + `"]`: {values: 4, depth: 1}, // the quotes count
		`["` + strings.Repeat("x", 125) + `"]`: {values: 3, depth: 1},
		`[1,1e401,` + long + `]`:               {values: 4, depth: 1, number: "1e401"},
		`[1E-401]`:                             {values: 2, depth: 1, number: "1E-401"},
		`[1e400,1e-400,-1E+3]`:                 {values: 4, depth: 1},
		long:                                   {values: 1, number: rawjson.Cut(long, 40)},
		long[1:]:                               {values: 1},
		`1e99999999999999999999`:               {values: 1, number: "1e99999999999999999999"},
	} {
		if got := measure(parsed(t, text)); got != want {
			t.Errorf("%s: %+v, wanted %+v", rawjson.Cut(text, 60), got, want)
		}
	}
}

// A step is what one subschema asks of one value; what is large costs more.
func TestMeterCountsTheWorkOfValidating(t *testing.T) {
	for name, c := range map[string]struct {
		schema, instance string
		steps            int
	}{
		"nothing asked":           {`{"title":"x"}`, `{}`, 1},
		"of a list":               {`{"title":"x"}`, `[1,2,3]`, 1 + 3},
		"of an object":            {`{"title":"x"}`, `{"a":1,"b":2}`, 1 + 2},
		"of a long text":          {`{"title":"x"}`, `"` + strings.Repeat("x", 200) + `"`, 1 + 3},
		"a list of names":         {`{"required":["a","b"]}`, `{"a":1,"b":2}`, 1 + 2 + 2},
		"members":                 {`{"x":{"a":1,"b":2,"c":3},"y":[1],"z":1}`, `1`, 1 + 3 + 1},
		"every member":            {`{"properties":{"a":{"title":"x"}}}`, `{"a":1}`, 1 + 1 + 1 + 1},
		"unique items":            {`{"uniqueItems":true}`, `[1,[2,3],{"a":4,"b":5}]`, 1 + 3 + (1 + 3) + 1 + (1 + 2 + 1 + 1) + (1 + 2 + 1 + 1)},
		"items that need not be":  {`{"uniqueItems":false}`, `[1,[2,3]]`, 1 + 2},
		"a pattern":               {`{"pattern":"^a*$"}`, `"` + strings.Repeat("a", 48) + `"`, 1 + 1 + 3},
		"a long one, a long text": {`{"pattern":"` + strings.Repeat("a*", 16) + `"}`, `"` + strings.Repeat("a", 160) + `"`, 1 + 2 + 1 + 160*3/16},
	} {
		s := compile(parsed(t, c.schema))
		instance := parsed(t, c.instance)
		if got, reason := s.judge(instance); got != nil || reason != "" {
			t.Errorf("%s: %+v, %s", name, got, reason)
		}
		if spent := baseWork + workPerValue*measure(instance).values - s.meter.left; spent != c.steps {
			t.Errorf("%s: %d steps, wanted %d", name, spent, c.steps)
		}
	}
}

func TestMeterEndsWithTheLastStep(t *testing.T) {
	m := &meter{left: 3}
	if err := guarded(func() error { m.spend(3); return nil }); err != nil {
		t.Errorf("the last step: %v", err)
	}
	if err := guarded(func() error { m.spend(1); return nil }); err == nil {
		t.Error("one more than there are was not refused")
	}
}

// What was given up once is not begun again: every further answer would cost as much.
func TestValidatingIsGivenUpForTheWholeTool(t *testing.T) {
	s := compile(parsed(t, strings.Replace(doubling(40, "anyOf"), `{"$ref":"#/$defs/s0"`, `{"items":{"$ref":"#/$defs/s0"}`, 1)))
	_, first := s.judge(parsed(t, `[1]`))
	if mismatch, again := s.judge(parsed(t, `[]`)); first == "" || mismatch != nil || again != first {
		t.Errorf("first %q, then %+v, %q", first, mismatch, again)
	}
}

func TestBoundsOnSchemaAndAnswer(t *testing.T) {
	sized := func(n int) *rawjson.Node { return &rawjson.Node{Kind: rawjson.Object, Raw: make([]byte, n)} }
	objects := func(n int) *rawjson.Node {
		return parsed(t, `{"anyOf":[`+strings.Repeat(`{},`, n-2)+`{}]}`)
	}
	// pointers is a schema whose pointers are that many bytes together.
	pointers := func(n int) *rawjson.Node {
		const children = 31
		long := (n-3*children)/(children+1) - 1
		rest := n - (children+1)*(1+long) - 2*(children-1)
		var b strings.Builder
		b.WriteString(`{"` + strings.Repeat("x", long) + `":{`)
		for i := range children - 1 {
			b.WriteString(`"` + string(rune('a'+i%26)) + `":{},`)
		}
		b.WriteString(`"` + strings.Repeat("y", rest-1) + `":{}}}`)
		return parsed(t, b.String())
	}
	for name, c := range map[string]struct {
		schema *rawjson.Node
		usable bool
	}{
		"as many bytes as may be":     {sized(maxSchemaBytes), true},
		"one more byte":               {sized(maxSchemaBytes + 1), false},
		"as many objects as may be":   {objects(maxSchemaObjects), true},
		"one more object":             {objects(maxSchemaObjects + 1), false},
		"as long pointers as may be":  {pointers(maxPointerBytes), true},
		"pointers longer by one byte": {pointers(maxPointerBytes + 1), false},
	} {
		if s := compile(c.schema); (s.problem == "") != c.usable {
			t.Errorf("%s: %q", name, rawjson.Cut(s.problem, 80))
		}
	}

	lists := func(depth int) *rawjson.Node {
		return parsed(t, strings.Repeat("[", depth)+`1`+strings.Repeat("]", depth))
	}
	for name, c := range map[string]struct {
		schema, instance *rawjson.Node
		judged           bool
	}{
		"as many bytes as may be":    {parsed(t, `{}`), sized(maxInstanceBytes), true},
		"one more byte":              {parsed(t, `{}`), sized(maxInstanceBytes + 1), false},
		"nested as deep as may be":   {objects(maxNesting/250 - 1), lists(249), true},
		"one level more":             {objects(maxNesting/250 - 1), lists(250), false},
		"one subschema more":         {objects(maxNesting / 250), lists(249), false},
		"as much work as any may be": {parsed(t, `{}`), &rawjson.Node{Kind: rawjson.String, Raw: make([]byte, maxInstanceBytes)}, true},
	} {
		s := compile(c.schema)
		if got, reason := s.judge(c.instance); got != nil || (reason == "") != c.judged {
			t.Errorf("%s: %+v, %q", name, got, reason)
		}
		if s.meter.left > maxWork {
			t.Errorf("%s: %d steps are left", name, s.meter.left)
		}
	}
}
