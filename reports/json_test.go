package reports

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/measure"
	"github.com/mcpconform/mcpconform/internal/objective"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("report.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// filled sets every field of a value, however deep, so that no member of the
// model can be missing from the schema.
func filled(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem())
	case reflect.Slice:
		n := 1
		if v.Type() == reflect.TypeFor[[]float64]() {
			n = 2 // the interval
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			filled(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), reflect.ValueOf("value"))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				filled(v.Field(i))
			}
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	}
}

func everyField() Report {
	var r Report
	filled(reflect.ValueOf(&r).Elem())
	r.Run.Ended = conform.EndGone
	r.Performance[0].AnswerForm = measure.FormSSE
	r.Load.Objectives[0].Verdict = objective.Broken
	r.Rerun.Outcomes[0].Outcome, r.Rerun.Outcomes[0].Before = Mended, "fail"
	history := r.Findings[0].History
	history.Semantics, history.Events[0].Kind, history.Events[0].Said = "once", conform.Write, conform.Acknowledged
	r.Summary = Summarise(r.Findings)
	return r
}

func TestReportsKeepTheirSchema(t *testing.T) {
	schema := compiled(t)
	for name, r := range map[string]Report{
		"full": sample(), "demonstration": clean(), "nothing in it": {}, "every field": everyField(),
		"nil evidence and warnings": {Findings: []conform.Finding{{ID: "RES-01"}}, Performance: []Performance{{}}, Summary: Summary{Inconclusive: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(written(t, JSON, r)))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSchemaRefusesWhatTheModelHasNot(t *testing.T) {
	schema := compiled(t)
	for name, change := range map[string][2]string{
		"an unknown member":  {`"verdict_line":`, `"verdict_text": "", "verdict_line":`},
		"an unknown verdict": {`"verdict": "incomplete"`, `"verdict": "fine"`},
		"null for findings":  {`"findings": []`, `"findings": null`},
	} {
		t.Run(name, func(t *testing.T) {
			text := string(written(t, JSON, Report{}))
			changed := strings.Replace(text, change[0], change[1], 1)
			if changed == text {
				t.Fatalf("nothing to change: no %s in the report", change[0])
			}
			doc, err := jsonschema.UnmarshalJSON(strings.NewReader(changed))
			if err != nil {
				t.Fatal(err)
			}
			if schema.Validate(doc) == nil {
				t.Error("the schema takes it")
			}
		})
	}
}

func TestStoredReportReadsBack(t *testing.T) {
	for name, r := range map[string]Report{"full": sample(), "demonstration": clean(), "hostile": hostile()} {
		t.Run(name, func(t *testing.T) {
			first := written(t, JSON, r)
			read, err := Read(bytes.NewReader(first))
			if err != nil {
				t.Fatal(err)
			}
			if again := written(t, JSON, read); !bytes.Equal(first, again) {
				t.Errorf("written again it differs:\n%s", again)
			}
			if read.ExitCode() != r.ExitCode() {
				t.Errorf("exit code %d, was %d", read.ExitCode(), r.ExitCode())
			}
		})
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":           {"", "not a report"},
		"no JSON":           {"{\n  \"schema\": oops}", "line 2, column 13"},
		"another file":      {`{"findings": []}`, "names no schema"},
		"another version":   {`{"schema": "mcpconform.report/v9"}`, `this version reads "mcpconform.report/v1"`},
		"a wrong type":      {"{\"schema\": \"mcpconform.report/v1\",\n\"findings\": 3}", "line 2"},
		"a wrong verdict":   {`{"schema": "mcpconform.report/v1", "verdict": "fine"}`, "none of conformant"},
		"counts that lie":   {`{"schema": "mcpconform.report/v1", "summary": {"pass": 9}}`, "does not count the findings"},
		"a list, not a map": {`[]`, "not a report"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	if _, err := Read(strings.NewReader("x")); !errors.Is(err, ErrNoReport) {
		t.Errorf("%v is not ErrNoReport", err)
	}
}

func TestWritingDoesNotChangeTheReport(t *testing.T) {
	r := Report{Findings: []conform.Finding{{ID: "RES-01"}}, Performance: []Performance{{}}}
	written(t, JSON, r)
	if r.Findings[0].Evidence != nil || r.Performance[0].Warnings != nil {
		t.Error("the caller's report was changed")
	}
}

func TestHTMLIsNotEscaped(t *testing.T) {
	if text := written(t, JSON, Report{VerdictLine: "<a & b>"}); !bytes.Contains(text, []byte(`"<a & b>"`)) {
		t.Errorf("%s", text)
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := JSON(&b, sample()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"schema": "mcpconform.report/v1", "findings": [{"id": "a", "verdict": "fail", "consequence_of": "a", "evidence": [{"offset": -1}]}], "summary": {"inconclusive": 1}}`))
	f.Add([]byte(`{"schema": "mcpconform.report/v1", "performance": [{"latency_ms": {"p50": 1e308}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, format := range Formats() {
			var out bytes.Buffer
			if err := format.Write(&out, r); err != nil {
				t.Fatalf("%s: %v", format.Name, err)
			}
			if hostileBytes(out.String()) != "" {
				t.Errorf("%s prints %s", format.Name, hostileBytes(out.String()))
			}
		}
	})
}
