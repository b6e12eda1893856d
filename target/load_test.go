package target

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fixtures/targets"
)

func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func whole(t *testing.T) *File {
	t.Helper()
	f, err := Load("testdata/whole.yaml", environment("URL_PASSWORD", "p@ss:word", "ACME_TOKEN", "token-12345678",
		"OTHER_SECRET", "another-secret", "CHANNEL", "web"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestEveryKeyArrives(t *testing.T) {
	f := whole(t)
	if f.Name != "Acme accounts" || f.Catalogue != "2026-12-draft" || f.Server.Protocol != "2025-11-25" || f.Server.Transport != StreamableHTTP {
		t.Errorf("%+v", f)
	}
	start := f.Server.Start
	if start == nil || len(start.Command) != 3 || start.Dir != "sub" || start.Timeout != 20*time.Second || start.ReadyPort || !start.ReadyLog.MatchString("listening on 1") {
		t.Fatalf("start %+v", start)
	}
	if port := start.Command[2]; port == "" || start.Env[0] != "PORT="+port || !strings.HasPrefix(start.Env[1], "DATA=") {
		t.Errorf("port %q in %q", start.Command[2], start.Env)
	}
	if want := (Limits{Rate: 1, InFlight: 4, Batch: 100, Payload: 1_000_000}); f.Limits != want {
		t.Errorf("limits %+v", f.Limits)
	}
	if want := (Timeouts{5 * time.Second, time.Minute, 20 * time.Second, 200 * time.Millisecond, 3 * time.Second, true}); f.Timeouts != want {
		t.Errorf("timeouts %+v", f.Timeouts)
	}
	if got := f.Timeouts.For(100); got != 40*time.Second {
		t.Errorf("a call on 100 items waits %s", got)
	}
	if got := f.Timeouts.Most(100); got != 400*time.Second {
		t.Errorf("a call on 100 items that tells of progress waits %s", got)
	}
	if got := DefaultTimeouts.Most(100); got != 0 {
		t.Errorf("without the key, progress gives a call %s", got)
	}
	if p := f.Privacy; len(p.Paths) != 1 || p.Paths[0].Written != "$..email" || p.Paths[0].Path.String() != `$..["email"]` || !slices.Equal(p.Headers, []string{"X-Customer"}) ||
		!slices.Equal(p.Keep, []string{"support@acme.example"}) || len(p.KeepPaths) != 1 {
		t.Errorf("privacy %+v", p)
	}
	if f.Safety.MaxWriteItems != 500 || !slices.Equal(f.Safety.WriteHosts, []string{"accounts.staging.acme.example"}) {
		t.Errorf("safety %+v", f.Safety)
	}
	var names []string
	for _, o := range f.Operations {
		names = append(names, o.Name)
	}
	if !slices.Equal(names, []string{"cancel-products", "cancel-subscriptions", "query-orders"}) {
		t.Fatalf("operations %q", names)
	}

	cancel := f.Operation("cancel-products")
	want := conform.Operation{
		Name: "cancel-products", Tool: "cancel_products", Write: true, Argument: "items", Style: conform.StyleArray,
		Fixed:     json.RawMessage(`{"customer_id":"123","channel":"web","limit":9007199254740993}`),
		Validator: conform.Present, ValidatorTool: "validate_products",
		Workflow: conform.Present, AuxiliaryFailure: json.RawMessage(`{"fail_notification":true}`),
		Idempotency: conform.Present, KeyArgument: "idempotency_key",
		Probe: conform.Present, ProbeTool: "get_products", ProbeID: "id", Reset: conform.Present, ResetTool: "reset_products",
		DryRun:   json.RawMessage(`{"preview":true}`),
		Eventual: true, Semantics: "once", Atomic: true, FoldCase: true, ProtocolIDs: true,
		Results: conform.Results{Path: "$.rows[*]", Success: []string{"success", "ok"}, ID: []string{"index", "key"},
			Split: `\n---\n`, RowID: `^(\w+):`, RowFailed: "Error", Add: []string{"cancelled"}, Remove: []string{"status"},
			Async: &conform.Async{Tool: "get_job", Argument: "id", Arguments: json.RawMessage(`{"verbose":true}`), ID: "$.job.id", State: "phase",
				Done: []string{"DONE"}, Failed: []string{"FAILED", "DROPPED"}, Result: "$.result", Every: 100 * time.Millisecond},
			Next: &conform.Next{Tool: "more_rows", Cursor: "$.page.next", Argument: "from", Arguments: json.RawMessage(`{"verbose":true}`), Repeat: true}},
	}
	if got := f.Operation("cancel-subscriptions").Results; !reflect.DeepEqual([]any{got.Async, got.Next}, []any{&conform.Async{Tool: "get_job"}, &conform.Next{Cursor: "more"}}) {
		t.Errorf("in short: %+v, %+v", got.Async, got.Next)
	}
	if got := f.Operation("query-orders").Results; got.Async != nil || !reflect.DeepEqual(got.Next, &conform.Next{}) {
		t.Errorf("as usual: %+v, %+v", got.Async, got.Next)
	}
	if !reflect.DeepEqual(cancel.Operation, want) {
		t.Errorf("got  %+v\nwant %+v", cancel.Operation, want)
	}
	wantProbe := &Probe{Means: Means{Tool: "get_products", Arguments: json.RawMessage(`{"verbose":true}`)}, Argument: "ids", Path: "$.products[*]",
		ID: "id", State: "status", Count: "cancellations", Settle: 2 * time.Second,
		Done: &Done{Values: []json.RawMessage{json.RawMessage(`"CANCELLED"`), json.RawMessage(`2`)}}}
	if !reflect.DeepEqual(cancel.Probe, wantProbe) {
		t.Errorf("probe %+v", cancel.Probe)
	}
	if cancel.Consumes || cancel.Reset == nil || string(cancel.Reset.Arguments) != `{"all":true}` {
		t.Errorf("consumes %v, reset %+v", cancel.Consumes, cancel.Reset)
	}
	if want := (Limits{Rate: 10, InFlight: 2, Batch: 20, Payload: 64 << 10}); cancel.Limits != want {
		t.Errorf("limits %+v", cancel.Limits)
	}
	if cancel.Line != 19 || cancel.Column != 3 {
		t.Errorf("stands at %d:%d", cancel.Line, cancel.Column)
	}

	subscriptions := f.Operation("cancel-subscriptions")
	for what, presence := range map[string]conform.Presence{"validator": subscriptions.Validator, "workflow": subscriptions.Workflow,
		"idempotency": subscriptions.Idempotency, "probe": subscriptions.Operation.Probe, "reset": subscriptions.Operation.Reset} {
		if presence != conform.Absent {
			t.Errorf("%s: none was read as %q", what, presence)
		}
	}
	if !subscriptions.Consumes || subscriptions.Probe != nil || subscriptions.Style != conform.StyleScalar || subscriptions.Results.Path != "" {
		t.Errorf("%+v", subscriptions)
	}
	query := f.Operation("query-orders")
	if query.Validator != conform.Unsaid || query.Workflow != conform.Present || query.Write || query.Consumes || query.Items.Good.Len() != 0 {
		t.Errorf("%+v", query)
	}
	if f.Operation("nothing") != nil {
		t.Error("an operation that is not there")
	}
}

func TestTheNarrowerLimitCounts(t *testing.T) {
	file, own := Limits{Rate: 1, Batch: 100, Payload: 1000}, Limits{Rate: 10, InFlight: 2, Batch: 20}
	want := Limits{Rate: 1, InFlight: 2, Batch: 20, Payload: 1000}
	if got := file.Narrower(own); got != want {
		t.Errorf("%+v", got)
	}
	if got := own.Narrower(file); got != want {
		t.Errorf("the other way round %+v", got)
	}
	if got := own.Narrower(Limits{}); got != own {
		t.Errorf("beside none %+v", got)
	}
}

func TestWhatTravelsInTheTranscript(t *testing.T) {
	f := whole(t)
	c := f.Conform()
	if c.Name != f.Name || c.File != "testdata/whole.yaml" || c.Host != "accounts.staging.acme.example" || c.Transport != "streamable-http" ||
		c.Protocol != "2025-11-25" || c.Builtin || !c.HasFile || len(c.Operations) != 3 || len(c.Ignore) != 1 {
		t.Errorf("%+v", c)
	}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back conform.Target
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, c) {
		t.Errorf("does not come back the same: %v", err)
	}
	for _, s := range f.Secrets() {
		if strings.Contains(string(text), s.Value) {
			t.Errorf("%s is in the transcript's header", s.Name)
		}
	}
	f.Demonstration = true
	if !f.Conform().Builtin {
		t.Error("the demonstration backend is not named as such")
	}
}

func TestBuiltinFilesLoad(t *testing.T) {
	names := targets.Names()
	if len(names) < 3 {
		t.Fatalf("there are only %q", names)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			f, err := Load(BuiltinPrefix+name, noEnvironment)
			if err != nil {
				t.Fatal(err)
			}
			from, err := Load(filepath.Join("..", "fixtures", "targets", name+".yaml"), noEnvironment)
			if err != nil {
				t.Fatal(err)
			}
			a, b := f.Conform(), from.Conform()
			a.File, b.File = "", ""
			if !reflect.DeepEqual(a, b) {
				t.Errorf("the embedded file and the one on disk differ")
			}
			for _, o := range f.Operations {
				takesAll := o.Name == "request-planning" // whatever is a task is planned
				if o.Items.Good.Len() == 0 || o.Items.Bad.Len() == 0 && !takesAll {
					t.Errorf("%s has %d good and %d bad items", o.Name, o.Items.Good.Len(), o.Items.Bad.Len())
				}
			}
		})
	}
}

func TestAnUnknownBuiltinNamesThoseThereAre(t *testing.T) {
	for _, name := range []string{"server-memroy", "../targets/server-memory", "", "files/x"} {
		_, err := Load(BuiltinPrefix+name, noEnvironment)
		if err == nil || !strings.Contains(err.Error(), "server-memory, ") && !strings.HasSuffix(err.Error(), "server-memory") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAFileThatIsNotThere(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.yaml"), noEnvironment)
	if err == nil || !os.IsNotExist(unwrapAll(err)) {
		t.Errorf("%v", err)
	}
}

func unwrapAll(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		if _, path := err.(*os.PathError); path {
			return err
		}
		err = inner.Unwrap()
	}
}

func TestTheServersFolderIsFoundFromTheFile(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "acme.yaml")
	if err := os.WriteFile(file, []byte("version: 1\nserver: {command: [node, server.js, --port, 8080], dir: here, env: {A: 1, B: \"\"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Load(file, noEnvironment)
	if err != nil {
		t.Fatal(err)
	}
	if f.Server.Dir != filepath.Join(folder, "here") || f.Server.Transport != Stdio || f.Name != "node" {
		t.Errorf("%+v", f.Server)
	}
	if !slices.Equal(f.Server.Command, []string{"node", "server.js", "--port", "8080"}) || !slices.Equal(f.Server.Env, []string{"A=1", "B="}) {
		t.Errorf("%q %q", f.Server.Command, f.Server.Env)
	}
	if f.Timeouts != DefaultTimeouts {
		t.Errorf("%+v", f.Timeouts)
	}
}

func FuzzParse(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/errors/*.yaml")
	builtin, _ := filepath.Glob("../fixtures/targets/*.yaml")
	for _, file := range append(append(seeds, builtin...), "testdata/whole.yaml") {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := Parse("fuzz.yaml", src, environment("A", "b"))
		if err != nil {
			if got != nil {
				t.Fatal("a file and an error")
			}
			return
		}
		for _, o := range got.Operations {
			for _, supply := range []*Supply{&o.Items.Good, &o.Items.Bad, &o.Items.Informal, &o.Items.Many} {
				if supply.Len() == 0 {
					continue
				}
				item := supply.Item(supply.Len()-1, Run{ID: `r"1`, Seed: 7})
				if !json.Valid(item.Given) || item.Means != nil && !json.Valid(item.Means) {
					t.Fatalf("%s: an item is no JSON: %s, %s", o.Name, item.Given, item.Means)
				}
			}
			if o.Probe != nil && !json.Valid(o.Probe.Ask([]json.RawMessage{json.RawMessage(`"a"`)})) {
				t.Fatalf("%s: the probe's arguments are no JSON", o.Name)
			}
		}
	})
}

func TestLimitsAreReadInTheirUnits(t *testing.T) {
	for text, want := range map[string]Limits{
		"{rate: 10/s}": {Rate: 10}, "{rate: 90/min}": {Rate: 1.5}, "{rate: 1800/h}": {Rate: 0.5}, "{rate: 2.5 / second}": {Rate: 2.5},
		"{payload: 64KiB}": {Payload: 65536}, "{payload: 1.5MB}": {Payload: 1_500_000}, "{payload: 2000}": {Payload: 2000}, "{payload: 7B}": {Payload: 7},
	} {
		f, err := Parse("acme.yaml", []byte("version: 1\nserver: {command: [x]}\nlimits: "+text+"\n"), noEnvironment)
		if err != nil || f.Limits != want {
			t.Errorf("%s: %+v, %v", text, f, err)
		}
	}
	for _, text := range []string{"{rate: 0/s}", "{rate: -1/s}", "{rate: 1/day}", "{rate: 9999999/s}", "{payload: 0}", "{payload: 2GiB}", "{payload: []}", "{batch: 0}", "[]"} {
		if _, err := Parse("acme.yaml", []byte("version: 1\nserver: {command: [x]}\nlimits: "+text+"\n"), noEnvironment); err == nil {
			t.Errorf("%s was taken for right", text)
		}
	}
}

func TestPortIsAFreeOneWhereTheServerIsStarted(t *testing.T) {
	env := func(name string) (string, bool) { return "4711", name == "PORT" }
	f, err := Parse("acme.yaml", []byte("version: 1\nserver: {url: \"http://127.0.0.1:${PORT}/mcp\", start: {command: [a, \"${PORT}\"]}}\n"), env)
	if err != nil {
		t.Fatal(err)
	}
	if port := f.Server.Start.Command[1]; port == "4711" || f.Host() != "127.0.0.1:"+port {
		t.Errorf("%s at %s", port, f.Host())
	}
	f, err = Parse("acme.yaml", []byte("version: 1\nserver: {url: \"http://127.0.0.1:${PORT}/mcp\"}\n"), env)
	if err != nil || f.Host() != "127.0.0.1:4711" {
		t.Errorf("%v, %v", f, err)
	}
}
