package platforms

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
)

func sorted(all []string) []string { return slices.Sorted(slices.Values(all)) }

var today = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

func failed(pr conform.Profile, id string) *conform.ProfileFinding {
	for i, f := range pr.Findings {
		if f.ID == id && f.Verdict == conform.Fail {
			return &pr.Findings[i]
		}
	}
	return nil
}

// Rules on nobody's word that could fail a server, and rules whose source was read
// long ago, are info and say why.
func TestWeakAndOldRulesAreInfo(t *testing.T) {
	d := builtinData(t)
	s := listing(t, `{"tools":[{"name":"1 a","description":"x","inputSchema":{"type":"object","properties":{"descrição":{"type":"string"}}}}],"pages":1}`)
	judge := func(platform string, o Options) conform.Profile { return d.Judge(d.Find(platform), s, o) }

	f := failed(judge("portable", Options{Now: today}), "PO-KEY")
	if f == nil || f.Severity != conform.Info || f.Stated != conform.Error || !strings.Contains(f.Lowered, "inferred") {
		t.Errorf("our own conclusion: %+v", f)
	}
	if f := failed(judge("portable", Options{Now: today, Unproven: true}), "PO-KEY"); f == nil || f.Severity != conform.Error {
		t.Errorf("our own conclusion, raised: %+v", f)
	}
	if f := failed(judge("agentforce", Options{Now: today}), "AF-NAME"); f == nil || f.Severity != conform.Error || f.Lowered != "" {
		t.Errorf("an official rule: %+v", f)
	}
	verified := failed(judge("agentforce", Options{Now: today}), "AF-NAME").Verified
	day, _ := time.Parse(time.DateOnly, verified)
	if f := failed(judge("agentforce", Options{Now: day.AddDate(0, 0, Old)}), "AF-NAME"); f.Severity != conform.Error {
		t.Errorf("on its last day: %+v", f)
	}
	if f := failed(judge("agentforce", Options{Now: day.AddDate(0, 0, Old+1)}), "AF-NAME"); f.Severity != conform.Info || !strings.Contains(f.Lowered, verified) {
		t.Errorf("a day later: %+v", f)
	}
	if f := failed(judge("agentforce", Options{Now: today, Without: []string{"af-name"}}), "AF-NAME"); f != nil {
		t.Errorf("left out: %+v", f)
	}
}

func TestVariantsTakeTheRulesOfAnother(t *testing.T) {
	d := builtinData(t)
	s := listing(t, `{"tools":[{"name":"a","description":"x","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"e":{"type":["string","null"]}}}}]}`)
	for platform, want := range map[string]conform.Severity{"agentforce": conform.Warning, "agentforce-deterministic": conform.Error} {
		pr := d.Judge(d.Find(platform), s, Options{Now: today})
		if f := failed(pr, "AF-OPERATOR"); f == nil || f.Severity != want {
			t.Errorf("%s: %+v", platform, f)
		}
		if pr.Tools[0].Fields == nil {
			t.Errorf("%s maps fields, and tells none", platform)
		}
	}
	s.Answers = []Answer{{Tool: "a", Result: parsed(t, `{"content":[{"type":"audio","data":""}]}`)}}
	if f := failed(d.Judge(d.Find("oracle-aidp"), s, Options{Now: today}), "LC-AUDIO"); f == nil || f.Severity != conform.Info {
		t.Errorf("a rule of langchain in oracle-aidp: %+v", f)
	}
	if f := failed(d.Judge(d.Find("claude-code"), &Subject{Tools: s.Tools, Transport: "streamable-http", URL: "http://host.example/mcp"}, Options{Now: today}), "CL-API-HTTPS"); f != nil {
		t.Errorf("a rule that claude-code leaves out: %+v", f)
	}
}

// What is wrong with the server as a whole is wrong with each tool; info is wrong with none.
func TestWorksIsTheHeaviestOfATool(t *testing.T) {
	d := builtinData(t)
	s := listing(t, `{"transport":"sse","tools":[{"name":"a","description":"x","inputSchema":{"type":"object","properties":{"list":{"type":"array"}}}},{"name":"b","description":"x","inputSchema":{"type":"object"}}]}`)
	for platform, want := range map[string][2]conform.Works{
		"agentforce":  {conform.WorksNot, conform.WorksNot},
		"vscode":      {conform.WorksNot, conform.WorksWhole},
		"portable":    {conform.WorksWhole, conform.WorksWhole},
		"oracle-aidp": {conform.WorksNot, conform.WorksNot},
	} {
		pr := d.Judge(d.Find(platform), s, Options{Now: today})
		if got := [2]conform.Works{pr.Tools[0].Works, pr.Tools[1].Works}; got != want {
			t.Errorf("%s: %v, want %v", platform, got, want)
		}
	}
	names := &Subject{NamesOnly: true, Tools: s.Tools, Transport: "streamable-http"}
	for _, p := range d.Platforms {
		for _, f := range d.Judge(p, names, Options{Now: today}).Findings {
			if f.Verdict == conform.Fail && !strings.HasPrefix(f.ID, "PO-DRIFT") {
				t.Errorf("of names alone, %s says %s", f.ID, f.Got)
			}
		}
	}
}

func TestOpposedRulesAreToldOnce(t *testing.T) {
	d := builtinData(t)
	s := listing(t, `{"tools":[{"name":"a","description":"x","inputSchema":{"type":"object","properties":{"note":{"type":"string"}}}}]}`)
	var all []conform.Profile
	for _, p := range d.Platforms {
		all = append(all, d.Judge(p, s, Options{Now: today}))
	}
	got := d.Opposed(all)
	if len(got) != 1 || got[0].Rule != "OA-STRICT-OBJ" || len(got[0].Against) != 3 {
		t.Errorf("got %+v", got)
	}
	if one := d.Opposed([]conform.Profile{d.Judge(d.Find("openai"), s, Options{Now: today})}); one != nil {
		t.Errorf("of one platform: %+v", one)
	}
}

// A server's listing may be anything: nothing panics on it, and nothing takes for ever.
func TestHostileListingsAreJudged(t *testing.T) {
	d := builtinData(t)
	var defs strings.Builder
	for i := range 60 { // as many paths as there are atoms, if all were walked
		fmt.Fprintf(&defs, `"d%d":{"type":"object","properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
	}
	for name, text := range map[string]string{
		"schemas that are none":   `{"tools":[{"name":"a","inputSchema":"x","outputSchema":[]},{"name":"b","inputSchema":true,"outputSchema":{"properties":[],"items":5,"enum":{}}},{"name":"c","inputSchema":null}]}`,
		"members of other kinds":  `{"tools":[{"name":"a","description":5,"title":{},"_meta":[],"inputSchema":{"type":["object",5],"properties":{"x":5,"y":null,"z":{"type":"array","items":[{"type":"string"}]}},"required":"x"}}],"nextCursor":5,"answers":[{"tool":"a"},{"tool":"zz","result":5},{"result":{"content":5,"structuredContent":[],"isError":"x"}},{"tool":"a","items":3,"result":{"content":[5,{"type":"text","text":5}],"structuredContent":{"results":[5,null]}}}]}`,
		"definitions that branch": `{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/d0"}},"$defs":{` + defs.String() + `"d60":{"type":"string"}}}}]}`,
		"no tools":                `{"tools":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := listing(t, text)
			for _, p := range d.Platforms {
				d.Judge(p, s, Options{Now: today, Unproven: true})
				for _, form := range []string{"json", "python", "node"} {
					if _, err := AllowListOf(s, form, nil, nil, "a", ""); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}
