package platforms

import (
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

const weather = `{"tools":[
 {"name":"get_forecast","description":"The forecast.","inputSchema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},"units":{"type":"string","enum":["metric","imperial"]},"hours":{"type":"array","items":{"type":"integer"}}},"required":["city"]},"outputSchema":{"type":"object"}},
 {"name":"get_alerts","description":"Warnings \"now\"\nand here: <b>é</b>","inputSchema":{"type":"object","properties":{"state":{"type":"string"}}},"title":"Alerts"}]}`

func listing(t *testing.T, text string) *Subject {
	t.Helper()
	s, err := ReadTools("tools.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is exported is read back, and differs in nothing from the server.
func TestAllowListIsReadBackWithoutDrift(t *testing.T) {
	d := builtinData(t)
	for _, form := range []string{"json", "node"} {
		s := listing(t, weather)
		text, err := AllowListOf(s, form, []Setting{{"get_forecast", "days", "5"}, {"get_forecast", "units", "metric"}}, []Setting{{Tool: "get_alerts", Value: "Ask for the state first."}}, "weather", "https://host.example/mcp")
		if err != nil {
			t.Fatal(err)
		}
		for _, never := range []string{"outputSchema", "title"} {
			if strings.Contains(text, never) {
				t.Errorf("%s: %s is in the list", form, never)
			}
		}
		if s.Allowed, err = ReadAllowList("allowed.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if n := len(s.Allowed.Entries); n != 2 {
			t.Fatalf("%s: %d entries", form, n)
		}
		if got := string(s.Allowed.Entries[0].Overrides.Get("days").Raw); got != `"5"` {
			t.Errorf("%s: days is %s", form, got)
		}
		if got := s.Allowed.Entries[1].Instruction; got != "Ask for the state first." {
			t.Errorf("%s: instruction %q", form, got)
		}
		for _, f := range d.Judge(d.Find("oracle-aidp"), s, Options{Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Unproven: true}).Findings {
			if f.Verdict == conform.Fail && f.Severity != conform.Info {
				t.Errorf("%s: %s on %s: %s", form, f.ID, f.Tool, f.Got)
			}
		}
		for i := range s.Tools {
			if a, b := Fingerprint(&s.Tools[i], false), Fingerprint(&s.Allowed.Entries[i].Tool, false); a != b {
				t.Errorf("%s: the fingerprints differ", form)
			}
		}
	}
}

func TestAllowListInPython(t *testing.T) {
	s := listing(t, `{"tools":[{"name":"a","description":"it's \"so\"\u0000","inputSchema":{"type":"object","properties":{"x":{"type":"boolean","default":false,"const":null}},"additionalProperties":true}}]}`)
	text, err := AllowListOf(s, "python", nil, nil, "acme", "https://host.example/mcp")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ALLOWED_TOOLS = [\n", `"default": False`, `"const": None`, `"additionalProperties": True`, `"description": "it's \"so\"\x00"`,
		`"token": "{{sessionvariables.cred.mcp.acme.bearer}}"`, `transport="streamable_http"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if _, err := ReadAllowList("allowed.py", []byte(text)); err == nil || !strings.Contains(err.Error(), "print the list as JSON") {
		t.Errorf("a Python file: %v", err)
	}
}

func TestSettingsThatDoNotFitAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		override Setting
		want     string
	}{
		"no tool":      {Setting{"get_rain", "city", "x"}, "the server has no such tool"},
		"no parameter": {Setting{"get_forecast", "town", "x"}, "the tool has no such parameter"},
		"a list":       {Setting{"get_forecast", "hours", "[1]"}, "a list or an object, and only texts can be set"},
		"no number":    {Setting{"get_forecast", "days", "five"}, "`five` is no whole number"},
		"no choice":    {Setting{"get_forecast", "units", "miles"}, "`miles` is none of"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := AllowListOf(listing(t, weather), "json", []Setting{c.override}, nil, "w", ""); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestAllowListIsReadInEveryForm(t *testing.T) {
	const list = `[{"tool":{"name":"a","description":"d","inputSchema":{"type":"object"}}}]`
	for _, text := range []string{list, `{"ALLOWED_TOOLS":` + list + `}`, `{"ALLOWED_MCP_TOOLS":` + list + `}`, `{"allowedTools":` + list + `}`, `{"toolConfig":{"allowedTools":` + list + `}}`} {
		a, err := ReadAllowList("a.json", []byte(text))
		if err != nil || len(a.Entries) != 1 || a.Entries[0].Tool.Name != "a" {
			t.Errorf("%s: %v, %v", text, a, err)
		}
	}
	for text, want := range map[string]string{
		"{\n \"ALLOWED_TOOLS\": [}":    "a.json:2:20: this is not JSON",
		`{"tools":[]}`:                 "a.json:1: no list of allowed tools was found",
		"\n\n{\"ALLOWED_TOOLS\":[1,]}": "a.json:3:",
	} {
		if _, err := ReadAllowList("a.json", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// A server that changed beneath a list: each change has its own word, and no other.
func TestEachDriftHasItsOwnFinding(t *testing.T) {
	d := builtinData(t)
	for name, c := range map[string]struct {
		old, new  string // in the server's listing
		overrides []Setting
		want      []string
	}{
		"nothing":                {"", "", nil, nil},
		"other order and titles": {`"enum":["metric","imperial"]`, `"title":"Units","enum":["imperial","metric"]`, nil, nil},
		"renamed":                {`"name":"get_alerts"`, `"name":"get-Alerts"`, nil, []string{"DRIFT-CASE", "DRIFT-GONE"}},
		"gone":                   {`"name":"get_alerts"`, `"name":"warn"`, nil, []string{"DRIFT-GONE", "DRIFT-NEW"}},
		"another description":    {"The forecast.", "The weather.", nil, []string{"DRIFT-DESC"}},
		"a parameter more":       {`"city":{"type":"string"},`, `"city":{"type":"string"},"lang":{"type":"string"},`, nil, []string{"DRIFT-OPT-ADDED"}},
		"one that is required":   {`"required":["city"]`, `"required":["city","days"]`, nil, []string{"DRIFT-REQ-ADDED"}},
		"required, and set":      {`"required":["city"]`, `"required":["city","days"]`, []Setting{{"get_forecast", "days", "5"}}, nil},
		"another type":           {`"days":{"type":"integer"}`, `"days":{"type":"string"}`, nil, []string{"DRIFT-TYPE"}},
		"a choice less":          {`["metric","imperial"]`, `["metric"]`, nil, []string{"DRIFT-TYPE"}},
		"a parameter gone":       {`"days":{"type":"integer"},`, ``, nil, []string{"DRIFT-PARAM-GONE"}},
		"gone, and set":          {`"days":{"type":"integer"},`, ``, []Setting{{"get_forecast", "days", "5"}}, []string{"DRIFT-OVR-GONE", "DRIFT-PARAM-GONE"}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := AllowListOf(listing(t, weather), "json", c.overrides, nil, "w", "")
			if err != nil {
				t.Fatal(err)
			}
			s := listing(t, strings.Replace(weather, c.old, c.new, 1))
			if s.Allowed, err = ReadAllowList("allowed.json", []byte(text)); err != nil {
				t.Fatal(err)
			}
			var got []string
			pr := d.Judge(d.Find("oracle-aidp"), s, Options{Now: today})
			same := true
			for _, f := range pr.Fingerprints {
				same = same && f.List == f.Server
			}
			if same != (len(c.want) == 0) && name != "required, and set" {
				t.Errorf("the fingerprints are the same: %t", same)
			}
			for _, f := range pr.Findings {
				if f.Verdict == conform.Fail && strings.HasPrefix(f.ID, "DRIFT-") {
					got = append(got, f.ID)
				}
			}
			if strings.Join(sorted(got), " ") != strings.Join(c.want, " ") {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
