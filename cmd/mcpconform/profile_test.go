package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/reports"
	"github.com/mcpconform/mcpconform/suites/platforms"
)

func profiled(t *testing.T, args ...string) (told, reports.Profiles) {
	t.Helper()
	got := mcpconform(t, append([]string{"profile", "--format", "json"}, args...)...)
	var ps reports.Profiles
	if err := json.Unmarshal([]byte(got.out), &ps); err != nil {
		t.Fatalf("%v: exit %d, %s\n%s", args, got.code, got.err, got.out)
	}
	return got, ps
}

func toolIn(t *testing.T, ps reports.Profiles, name string) conform.ProfileTool {
	t.Helper()
	for _, tool := range ps.Profiles[0].Tools {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("the profile has no tool %s", name)
	return conform.ProfileTool{}
}

func TestProfileOfAgentforceTellsWhatIsUsable(t *testing.T) {
	got, ps := profiled(t, "agentforce")
	if got.code != 0 {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
	tool := toolIn(t, ps, "query_orders")
	if strings.Join(tool.Fields.Output.Usable, " ") != "status total succeeded failed message" || !tool.Fields.Verdicts.Condition || tool.Suggested != "" {
		t.Errorf("with a summary: %+v", tool)
	}
	at := backend(t, fakebackend.Options{Shape: fakebackend.NoSummary}).URL
	_, ps = profiled(t, "agentforce", "--url", at)
	tool = toolIn(t, ps, "query_orders")
	if !strings.Contains(strings.Join(tool.Rules, " "), "AF-SUMMARY") || !strings.Contains(tool.Suggested, `"failed_items"`) || !strings.Contains(tool.Suggested, `"results"`) {
		t.Errorf("without a summary: %+v", tool)
	}
}

func TestProfileExitCodes(t *testing.T) {
	tools := filepath.Join(t.TempDir(), "tools.json")
	write := func(text string) {
		if err := os.WriteFile(tools, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"tools":[{"name":"a.b","description":"x","inputSchema":{"type":"object"}}]}`)
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"agentforce --from " + tools, 0, ""},
		{"agentforce --strict --no-rule AF-NOSCHEMA --from " + tools, 0, ""},
		{"vscode --from " + tools, 1, ""},
		{"vscode --no-rule GC-NAME --from " + tools, 0, ""},
		{"portable --from " + tools, 0, ""},
		{"portable --strict --include-unproven --from " + tools, 1, ""},
		{"agentforse", 2, `there is no platform "agentforse"`},
		{"", 2, "no platform was named"},
		{"agentforce vscode", 2, "several platforms have commas between them"},
		{"--all agentforce", 2, "leave one out"},
		{"agentforce --no-rule XX-1", 2, "is no rule of a platform"},
		{"agentforce --from " + tools + " --url http://127.0.0.1:1/mcp", 2, "leave one out"},
		{"agentforce --from nowhere.json", 2, "no such file"},
		{"agentforce --export allowed-tools", 2, "is for oracle-aidp"},
		{"oracle-aidp --export lists", 2, "is not known"},
		{"oracle-aidp --override a.b=c", 2, "belong to --export allowed-tools"},
		{"agentforce --export client --from " + tools, 2, "is not known"},
		{"agentforce --format yaml", 2, "is none of text, json, markdown, html"},
		{"agentforce --url http://127.0.0.1:1/mcp", 4, ""},
	} {
		got := mcpconform(t, append([]string{"profile"}, strings.Fields(c.args)...)...)
		if got.code != c.code || !strings.Contains(got.err, c.says) {
			t.Errorf("profile %s: exit %d, want %d: %s", c.args, got.code, c.code, got.err)
		}
	}
	write("{\n \"tools\": [\n  {\"name\": \"a\"},\n  {}\n ]}")
	if got := mcpconform(t, "profile", "agentforce", "--from", tools); got.code != 2 || !strings.Contains(got.err, "tools.json:4: tool 2 has no name") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

// What is exported for a platform is accepted back, and a change shows.
func TestProfileComparesAnAllowListWithTheServer(t *testing.T) {
	exported := mcpconform(t, "profile", "oracle-aidp", "--export", "allowed-tools", "--override", "query_orders.orders=x")
	if exported.code != 2 || !strings.Contains(exported.err, "no such parameter") {
		t.Errorf("a parameter that is not there: exit %d: %s", exported.code, exported.err)
	}
	exported = mcpconform(t, "profile", "oracle-aidp", "--export", "allowed-tools", "--override", "cancel_products.idempotency_key=k")
	if exported.code != 0 {
		t.Fatal(exported.err)
	}
	path := filepath.Join(t.TempDir(), "allowed.json")
	for old, want := range map[string]string{"": "", `"name": "query_orders"`: "DRIFT-GONE"} {
		if err := os.WriteFile(path, []byte(strings.Replace(exported.out, old, `"name": "find_orders"`, min(len(old), 1))), 0o600); err != nil {
			t.Fatal(err)
		}
		got, ps := profiled(t, "oracle-aidp", "--allowed-tools", path)
		found := ""
		for _, f := range ps.Profiles[0].Findings {
			if f.Verdict == conform.Fail && f.Severity == conform.Error {
				found += f.ID
			}
		}
		if found != want || got.code != min(len(want), 1) {
			t.Errorf("found %q, want %q; exit %d", found, want, got.code)
		}
	}
}

func TestProfileFromATranscriptJudgesAnswers(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run.jsonl")
	report := filepath.Join(t.TempDir(), "run.json")
	if got := mcpconform(t, "run", "--scenario", "partial", "--operation", "query-orders", "--quiet", "--transcript", run, "--output", "json="+report); got.code > 3 {
		t.Fatalf("exit %d: %s", got.code, got.err)
	}
	_, ps := profiled(t, "--all", "--from", run)
	verdicts := map[string]conform.Verdict{}
	for _, pr := range ps.Profiles {
		for _, f := range pr.Findings {
			verdicts[f.ID] = f.Verdict
		}
	}
	for _, id := range []string{"AF-SUMMARY-TRUE", "AF-L1-TYPES", "LC-TEXT", "CL-OUT-25K", "CS-120S", "AF-AUTH", "AC-REV", "PO-PARTIAL", "OR-L-30S"} {
		if verdicts[id] != conform.Pass {
			t.Errorf("%s: %s", id, verdicts[id])
		}
	}
	// A report holds names only, and nothing is said of what it does not hold.
	_, ps = profiled(t, "agentforce", "--from", report)
	for _, f := range ps.Profiles[0].Findings {
		if f.Verdict == conform.Fail {
			t.Errorf("of a report: %s: %s", f.ID, f.Got)
		}
	}
}

func TestProfileFormatsAndExports(t *testing.T) {
	tools := filepath.Join(t.TempDir(), "tools.json")
	const hostile = `{"url":"https://user:pw@host.example/mcp?key=secret","tools":[{"name":"a|b<script>","description":"x\u001b[2J","inputSchema":{"type":"object","properties":{"x":{"type":"array"}}}}]}`
	if err := os.WriteFile(tools, []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range profileFormats {
		got := mcpconform(t, "profile", "--all", "--from", tools, "--format", format)
		if got.code != 1 || strings.Contains(got.out, "\x1b") || !strings.Contains(got.out, "VS-ITEMS") {
			t.Errorf("%s: exit %d: %s", format, got.code, got.err)
		}
		if strings.Contains(got.out, "<script>") && (format == "html" || format == "markdown") {
			t.Errorf("%s: a tool's name is markup", format)
		}
	}
	for _, platform := range platforms.ClientShapes() {
		got := mcpconform(t, "profile", platform, "--export", "client", "--from", tools, "--server-name", "acme")
		if got.code != 0 || !json.Valid([]byte(got.out)) || strings.Contains(got.out, "secret") || strings.Contains(got.out, "pw") || !strings.Contains(got.out, "host.example") {
			t.Errorf("%s: exit %d: %s%s", platform, got.code, got.err, got.out)
		}
	}
	again := filepath.Join(t.TempDir(), "again.json")
	got := mcpconform(t, "profile", "portable", "--export", "tools", "--from", tools)
	if err := os.WriteFile(again, []byte(got.out), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ps := profiled(t, "agentcore", "--from", tools, "--snapshot", again); ps.Profiles[0].Tools[0].Works != conform.WorksWhole {
		t.Errorf("a listing against itself: %+v", ps.Profiles[0])
	}
	if got := mcpconform(t, "profile", "agentforce", "--export", "fields", "--from", tools); got.code != 0 || !strings.Contains(got.out, `"verdicts"`) {
		t.Errorf("exit %d: %s%s", got.code, got.err, got.out)
	}
}

func TestExplainAndListTellEveryRuleOfAPlatform(t *testing.T) {
	data, err := platforms.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	list := mcpconform(t, "profile", "--list")
	for _, p := range data.Platforms {
		for _, r := range p.Rules {
			if !strings.Contains(list.out, r.ID) {
				t.Errorf("%s is not in the list", r.ID)
			}
			got := mcpconform(t, "explain", strings.ToLower(r.ID))
			if got.code != 0 || !strings.Contains(got.out, "How to mend it") || !strings.Contains(strings.Join(strings.Fields(got.out), " "), "read on") {
				t.Errorf("explain %s: exit %d: %s", r.ID, got.code, got.err)
			}
		}
	}
}

func TestProfileReadsFurtherData(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	text := "version: 1\nplatform: mine\ntitle: Mine\nabout: Ours.\nrules:\n  - {id: MY-NAME, level: error, text: Short., basis: official, source: ours, verified: 2026-11-30, mend: Shorten., look: {length: {of: tool.name, most: 5}}}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, ps := profiled(t, "mine", "--data", path)
	if got.code == 2 || toolIn(t, ps, "query_orders").Rules[0] != "MY-NAME" {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(text, "level", "lefel", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mcpconform(t, "profile", "mine", "--data", path); got.code != 2 || !strings.Contains(got.err, "mine.yaml:6:19:") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

// A run says it besides, a recording of it the same, and it counts where asked.
func TestRunJudgesForPlatformsBesides(t *testing.T) {
	record := filepath.Join(t.TempDir(), "run.jsonl")
	narrow := []string{"--scenario", "partial", "--operation", "query-orders", "--quiet", "--seed", "7"}
	got := mcpconform(t, append([]string{"run", "--profile", "agentforce,langchain", "--transcript", record, "--format", "json"}, narrow...)...)
	var r reports.Report
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatalf("%v: %s", err, got.err)
	}
	if len(r.Profiles) != 2 || r.Profiles[0].Platform != "agentforce" || r.Profiles[0].Tools[0].Fields == nil {
		t.Fatalf("%d profiles", len(r.Profiles))
	}
	if again := mcpconform(t, "judge", record, "--format", "json"); again.out != got.out {
		t.Error("judge says something else than the run")
	}
	if text := mcpconform(t, "judge", record); !strings.Contains(text.out, "CLIENT PLATFORMS") {
		t.Error("the text does not tell it")
	}
	stdio := []string{"--target", "builtin:fakebackend", "--profile", "agentforce", "--"}
	command := append(append([]string{"run"}, narrow...), stdio...)
	command = append(command, os.Args[0], "fakebackend", "--stdio")
	free := mcpconform(t, command...)
	if free.code == 1 {
		t.Errorf("a platform without a gate: exit %d: %s", free.code, free.err)
	}
	if got := mcpconform(t, "run", "--gate-profile"); got.code != 2 {
		t.Errorf("a gate on nothing: exit %d", got.code)
	}
	if got := mcpconform(t, "run", "--profile", "nowhere"); got.code != 2 || !strings.Contains(got.err, "there is no platform") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
	// A run judges by its own day, on which the rule may be too old to count.
	data, err := platforms.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	_, rule := data.Rule("AF-TRANSPORT")
	if time.Since(rule.Verified) > platforms.Old*24*time.Hour {
		t.Skip("skipped: needs AF-TRANSPORT's source to have been read again")
	}
	if !strings.Contains(free.out, "AF-TRANSPORT") {
		t.Error("the text does not tell the error")
	}
	gated := mcpconform(t, append([]string{"run", "--gate-profile"}, command[1:]...)...)
	if gated.code != 1 || !strings.Contains(gated.out, "errors on the platforms agentforce (AF-TRANSPORT)") {
		t.Errorf("exit %d, %d without the gate: %s", gated.code, free.code, gated.out)
	}
}

// The configuration of the capability's own README, in its keys, has nothing against it.
func TestProfileReadsTheAgentPlatformsConfiguration(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tools := `tools:
  cancel_products:
    description: Cancels one product or more.
    mcp_server: accounts
    enabled: true
    tool_type: action
    confirmation_required: true
    requires: [items]
    args_schema:
      items:
        type: array
        label: the products
        description: What the customer asked for.
        user_prompt: Which products are to be cancelled?
`
	policies := file("tool_policies.yaml", `tool_policies:
  cancel_products:
    operation_type: transactional
    require_confirmation: true
    requires: [items]
    pre_validation:
      enabled: true
      tool: validate_products_for_cancellation
      fail_open: false
`)
	at := backend(t, noOptions).URL
	args := []string{"agent-platform-oci", "--url", at, "--tools", file("tools.yaml", tools), "--policies", policies}
	got, ps := profiled(t, args...)
	judged := 0
	for _, f := range ps.Profiles[0].Findings {
		if f.Verdict == conform.Fail {
			t.Errorf("%s: %s", f.ID, f.Got)
		}
		if strings.HasPrefix(f.ID, "AP-CFG") && f.Verdict == conform.Pass {
			judged++
		}
	}
	if got.code != 0 || judged != 6 {
		t.Errorf("exit %d, %d rules judged: %s", got.code, judged, got.err)
	}
	exported := mcpconform(t, append([]string{"profile", "--export", "target"}, args...)...)
	target := file("target.yaml", strings.NewReplacer("good: [FILL-IN]", `good: [{name: Product A, id: "1001"}, {name: Product B, id: "1002"}, {name: Product C, id: "1003"}]`,
		"bad: [FILL-IN]", `bad: [{item: {name: Product X, id: "9999"}, because: not_found}]`).Replace(exported.out))
	if plan := mcpconform(t, "plan", "--target", target); plan.code != 0 || !strings.Contains(plan.out, "cancel-products") {
		t.Errorf("the exported target file: exit %d: %s\n%s", plan.code, plan.err, exported.out)
	}
	file("tools.yaml", strings.Replace(tools, "    enabled: true\n", "    enabled: true\n    multi_item: true\n", 1))
	if _, ps = profiled(t, args...); ps.Profiles[0].Findings == nil || !strings.Contains(ps.Profiles[0].Findings[keyRule(ps)].Path, "tools.yaml:6") {
		t.Errorf("a key that does not exist: %+v", ps.Profiles[0].Findings[keyRule(ps)])
	}
	for words, want := range map[string]string{
		"agent-platform-oci --tools " + dir + "/tools.yaml": "without the server",
		"agentforce --tools " + dir + "/tools.yaml":         "belongs to agent-platform-oci",
		"agent-platform-oci --policies " + dir + "/x":       "without --tools",
		"agent-platform-oci --export target --url " + at:    "without --tools",
		"agent-platform-oci --export answers --url " + at:   "without --from",
	} {
		if got := mcpconform(t, append([]string{"profile"}, strings.Fields(words)...)...); got.code != 2 || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit %d: %s", words, got.code, got.err)
		}
	}
}

func keyRule(ps reports.Profiles) int {
	for i, f := range ps.Profiles[0].Findings {
		if f.ID == "AP-CFG-KEYS" {
			return i
		}
	}
	return 0
}

func TestProfileTellsEachAnswerAsTheAgentPlatformSeesIt(t *testing.T) {
	run := filepath.Join(t.TempDir(), "run.jsonl")
	if got := mcpconform(t, "run", "--scenario", "partial", "--operation", "query-orders", "--quiet", "--transcript", run); got.code > 3 {
		t.Fatalf("exit %d: %s", got.code, got.err)
	}
	got := mcpconform(t, "profile", "agent-platform-oci", "--export", "answers", "--from", run)
	var all []seenAnswer
	if err := json.Unmarshal([]byte(got.out), &all); err != nil || len(all) == 0 {
		t.Fatalf("%v: %s", err, got.err)
	}
	partial := 0
	for _, a := range all {
		if a.Items < 2 {
			continue
		}
		if len(a.Views) != 3 || !a.Views[0].Recognised || a.Views[1].Recognised || a.Views[1].Why == "" || !a.Views[2].Recognised {
			t.Errorf("%s: %+v", a.Call, a.Views)
		}
		if a.Views[0].Status == "PARTIAL_SUCCESS" {
			partial++
		}
	}
	if partial == 0 {
		t.Error("no answer is partial")
	}
}

func TestRunPlaysAnAllowListAsAClientWould(t *testing.T) {
	dir := t.TempDir()
	list, record := filepath.Join(dir, "allowed.json"), filepath.Join(dir, "run.jsonl")
	exported := mcpconform(t, "profile", "oracle-aidp", "--export", "allowed-tools", "--override", "cancel_products_workflow.notify=nobody")
	if exported.code != 0 {
		t.Fatal(exported.err)
	}
	write := func(text string) {
		if err := os.WriteFile(list, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Replace(exported.out, `"name": "query_orders"`, `"name": "other"`, 1))
	got := mcpconform(t, "run", "--allowed-tools", list, "--scenario", "partial", "--quiet", "--transcript", record)
	if got.code > 3 || got.code == 2 || !strings.Contains(got.out, "query_orders") {
		t.Fatalf("exit %d: %s%s", got.code, got.err, got.out)
	}
	with := 0
	for _, c := range transcript(t, record).Calls {
		switch {
		case c.Planned.Tool == "query_orders" && c.Planned.Role == conform.RolePrimary:
			t.Error("a tool that is not in the list was called")
		case c.Planned.Tool == "cancel_products_workflow" && len(c.Planned.Items) > 0:
			if !strings.Contains(string(c.Planned.Arguments), `"notify":"nobody"`) {
				t.Errorf("called with %s", c.Planned.Arguments)
			}
			with++
		}
	}
	if with == 0 {
		t.Error("the tool was not called")
	}
	write(strings.Replace(exported.out, `"notify": "nobody"`, `"idempotency_key": "k"`, 1))
	if got := mcpconform(t, "run", "--allowed-tools", list); got.code != 2 || !strings.Contains(got.err, "idempotency key") {
		t.Errorf("a key that is set: exit %d: %s", got.code, got.err)
	}
	write("[]")
	if got := mcpconform(t, "run", "--allowed-tools", list); got.code != 2 || !strings.Contains(got.err, "holds no tool of an operation") {
		t.Errorf("an empty list: exit %d: %s", got.code, got.err)
	}
}

// What was reached with a key says nothing about what it takes without one.
func TestProfileDoesNotTakeAKeyForNoAuthorization(t *testing.T) {
	at := backend(t, noOptions).URL
	for _, c := range []struct {
		words []string
		want  conform.Verdict
	}{{nil, conform.Pass}, {[]string{"--header", "X-Acme: 0123456789"}, conform.NotRun}} {
		got, ps := profiled(t, append([]string{"agentforce", "--url", at}, c.words...)...)
		for _, f := range ps.Profiles[0].Findings {
			if f.ID == "AF-AUTH" && f.Verdict != c.want {
				t.Errorf("%v: %s: %s", c.words, f.Verdict, f.Reason)
			}
		}
		if strings.Contains(got.out+got.err, "0123456789") {
			t.Errorf("the key is told: %s%s", got.out, got.err)
		}
	}
}
