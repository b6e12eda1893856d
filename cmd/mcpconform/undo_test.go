package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/fixtures/targets"
	"github.com/mcpconform/mcpconform/internal/selftest"
	"github.com/mcpconform/mcpconform/reports"
)

// undoing is a backend without a reset, which takes back item by item what was done.
var undoing = fakebackend.Options{Undo: true, Stock: true, NoReset: true}

// undoTarget writes the target file of such a backend, changed: each pair is a text
// and what stands in its place.
func undoTarget(t *testing.T, pairs ...string) string {
	t.Helper()
	return write(t, "target.yaml", undoText(t, pairs...))
}

func undoText(t *testing.T, pairs ...string) string {
	t.Helper()
	text, err := targets.Read("fakebackend-undo")
	if err != nil {
		t.Fatal(err)
	}
	changed := string(text)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(changed, pairs[i]) {
			t.Fatalf("the target file does not hold %q", pairs[i])
		}
		changed = strings.ReplaceAll(changed, pairs[i], pairs[i+1])
	}
	return changed
}

// enough are the scenarios that a verdict needs, without the largest batches.
func enough(t *testing.T) string {
	t.Helper()
	names, err := selftest.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, ",")
}

const (
	productUndo = "undo: {tool: restore_products, argument: items}"
	takesAway   = ", undo: {tool: remove_products, argument: ids}"
	itsSetup    = "setup: {tool: add_products, argument: items" + takesAway + "}"
)

// left gives what is not as it was at the start: things that were cancelled, and
// products that were added.
func left(t *testing.T, running *fakebackend.Running) []string {
	t.Helper()
	var changed []string
	there := map[string]int{}
	for _, e := range running.Backend.Effects() {
		switch {
		case strings.HasSuffix(e.Kind, "-cancelled"), e.Kind == "product-added":
			there[e.Kind[:7]+e.Item]++
		case strings.HasSuffix(e.Kind, "-restored"):
			there[e.Kind[:7]+e.Item] = 0
		case e.Kind == "product-removed":
			delete(there, "product"+e.Item)
		}
	}
	for item, n := range there {
		if n > 0 {
			changed = append(changed, item)
		}
	}
	return changed
}

func conformant(t *testing.T, r reports.Report) {
	t.Helper()
	if r.Verdict != reports.Conformant || len(r.LeftBehind) > 0 {
		t.Errorf("%s\nleft behind: %v\nnotes: %q", r.VerdictLine, r.LeftBehind, r.Notes)
	}
}

// What must be seen: a target whose items are used up and which has an undo only is
// conformant twice in a row, with everything as it was.
func TestTwoRunsInARowOnATargetWithAnUndoOnly(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing)
	// Products that are there for everybody, no more than one scenario needs at once.
	file := undoTarget(t, "    "+itsSetup+"\n", "", "ignore:\n", "ignore:\n  - {tool: add_products, because: not used}\n  - {tool: remove_products, because: not used}\n", `{name: "Café {run} nº {n}, grande", id: "{run}-{n}"}, count: 24`, `{name: "Bulk {n}", id: "B{n}"}, count: 40`,
		`{name: "Box {run} {n}", id: "box-{run}-{n}"}`, `{name: "Bulk of-{n}", id: "Bof-{n}"}`)
	for _, seed := range []string{"4", "5"} {
		transcript := filepath.Join(t.TempDir(), "t.jsonl")
		r, got := run(t, "--target", file, "--url", running.URL, "--seed", seed, "--scenario", enough(t), "--transcript", transcript)
		conformant(t, r)
		if now := left(t, running); len(now) > 0 {
			t.Errorf("not as it was: %v", now)
		}
		if again := mcpconform(t, "judge", "--format", "json", transcript); again.out != got.out {
			t.Errorf("judge differs: %s", firstDifference(got.out, again.out))
		}
		done := mcpconform(t, "cleanup", transcript, "--target", file, "--url", running.URL).exits(t, 0)
		says(t, "stdout", done.out, "nothing was left")
	}
}

// What must be seen: two runs at once, each on items of its own.
func TestTwoRunsAtOnce(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing)
	var both sync.WaitGroup
	scenarios := enough(t)
	for _, seed := range []string{"4", "5"} {
		both.Add(1)
		go func() {
			defer both.Done()
			got := mcpconform(t, "run", "--format", "json", "--target", "builtin:fakebackend-undo", "--url", running.URL, "--seed", seed, "--scenario", scenarios)
			var r reports.Report
			if err := json.Unmarshal([]byte(got.out), &r); err != nil {
				t.Errorf("%v: %s", err, got.err)
				return
			}
			conformant(t, r)
		}()
	}
	both.Wait()
	if now := left(t, running); len(now) > 0 {
		t.Errorf("not as it was: %v", now)
	}
}

// killed starts a run as a process of its own, and kills it once something is to be
// put back.
func killed(t *testing.T, ripe <-chan struct{}, args ...string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, append([]string{"run", "-q"}, args...)...)
	c.Env = append(os.Environ(), asCommand+"=1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait() // it is killed
	}()
	select {
	case <-ripe:
	case <-ended:
		t.Error("the run ended, and left nothing behind: there is nothing to see here")
	}
	_ = c.Process.Kill()
	<-ended
}

// What must be seen: after kill -9 in the middle, cleanup puts everything back, with
// eyes and without, item by item, and takes away what the setup made.
func TestAfterAKillEverythingIsBack(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][]string{
		"undo and setup":   nil,
		"without eyes":     {`probe: {tool: get_products, argument: ids, path: "$.products[*]", id: id, state: status, count: cancellations, done: [CANCELLED]}`, "probe: none"},
		"over HTTP":        {productUndo, `undo: {http: {url: "/restore?ids={ids}"}}`},
		"one at a time":    {productUndo, `undo: {http: {url: "/restore?ids={id}"}}`},
		"the setup alone":  {"    " + productUndo + "\n", ""},
		"as whole items":   {productUndo, "undo: {tool: restore_products, argument: items, takes: items}"},
		"a call each":      {productUndo, "undo: {tool: restore_products, argument: items, takes: id}"},
		"on another port":  nil,
		"with other names": {"argument: ids}}", "argument: ids, id: id}}"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := undoing
			options.StateFile = filepath.Join(t.TempDir(), "state.json")
			running := backend(t, options)
			gate := gated(t, running)
			file, transcript := undoTarget(t, change...), filepath.Join(t.TempDir(), "t.jsonl")
			gate.killed(t, "--target", file, "--url", gate.URL,
				"--operation", "cancel-products", "--scenario", "all-succeed", "--seed", "4", "--transcript", transcript)
			if name == "on another port" {
				if err := running.Close(); err != nil {
					t.Fatal(err)
				}
				options.Resume = true
				other := backend(t, options)
				done := mcpconform(t, "cleanup", transcript, "--target", file, "--url", other.URL).exits(t, 0)
				says(t, "stdout", done.out, "cancel-products: put back")
				says(t, "stderr", done.err, "on another port")
				says(t, "the state", read(t, options.StateFile), `"1001"`)
				silent(t, "the state", read(t, options.StateFile), `"cancellations":1`, "grande")
				return
			}
			done := mcpconform(t, "cleanup", transcript, "--target", file, "--url", running.URL).exits(t, 0)
			says(t, "stdout", done.out, "cancel-products: put back")
			if now := left(t, running); len(now) > 0 {
				t.Errorf("not as it was: %v", now)
			}
		})
	}
}

// A server over stdio that keeps its state in a file is started again to put back.
func TestACleanupStartsAServerThatKeepsItsStateInAFile(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	server := []string{"--", self(t), "fakebackend", "--stdio", "--undo", "--stock", "--no-reset", "--state-file", state, "--resume"}
	transcript := filepath.Join(t.TempDir(), "t.jsonl")
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if text, err := os.ReadFile(state); err == nil && strings.Contains(string(text), `"cancellations":1`) {
				return
			}
		}
	}()
	killed(t, kept, append([]string{"--target", "builtin:fakebackend-undo", "--operation", "cancel-products", "--scenario", "all-succeed", "--seed", "4",
		"--transcript", transcript}, append(server, "--delay", "500ms")...)...)
	got := mcpconform(t, "cleanup", transcript, "--target", "builtin:fakebackend-undo", "--url", "http://127.0.0.1:1/mcp").exits(t, 2)
	says(t, "stderr", got.err, "started as a command")
	done := mcpconform(t, append([]string{"cleanup", transcript, "--target", "builtin:fakebackend-undo"}, server...)...).exits(t, 0)
	says(t, "stdout", done.out, "cancel-products: put back")
	silent(t, "the state", read(t, state), `"cancellations":1`, "grande")
}

func self(t *testing.T) string {
	t.Helper()
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// A server of another name is not the one of the recording, whatever its address.
func TestACleanupKnowsTheServer(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing)
	gate := gated(t, running)
	transcript := filepath.Join(t.TempDir(), "t.jsonl")
	gate.killed(t, "--target", "builtin:fakebackend-undo", "--url", gate.URL,
		"--operation", "cancel-products", "--scenario", "all-succeed", "--seed", "4", "--transcript", transcript)
	other := serve(t, script{tools: batchTool, call: outOfOrder})
	got := mcpconform(t, "cleanup", transcript, "--target", "builtin:fakebackend-undo", "--url", other.URL+"/mcp").exits(t, 2)
	says(t, "stderr", got.err, `calls itself "fakebackend"`)
}

// An undo that claims and does not is told item by item, and breaks no rule.
func TestAnIdleUndoIsToldAndAccusedOfNothing(t *testing.T) {
	t.Parallel()
	options := undoing
	options.IdleUndo = true
	running := backend(t, options)
	file := undoTarget(t, "done: [CANCELLED]}", "done: [CANCELLED], settle: 50ms}")
	text := filepath.Join(t.TempDir(), "r.txt")
	r, _ := run(t, "--target", file, "--url", running.URL, "--seed", "4", "--operation", "cancel-subscriptions", "--scenario", "all-succeed,partial", "--output", "text="+text)
	if len(failing(r)) > 0 {
		t.Errorf("failing %v", failing(r))
	}
	if len(r.LeftBehind) != cancelled(running.Backend) {
		t.Errorf("%d things are told of, %d were cancelled", len(r.LeftBehind), cancelled(running.Backend))
	}
	for _, l := range r.LeftBehind {
		if l.Operation != "cancel-subscriptions" || !strings.HasPrefix(l.Item, "SB") || l.State != "CANCELLED" || !strings.Contains(l.What, "said that it was put back, and it was not") {
			t.Fatalf("%+v", l)
		}
	}
	if notes := strings.Join(r.Notes, "\n"); strings.Count(notes, "undo of cancel-subscriptions") != 1 {
		t.Errorf("notes: %q", r.Notes)
	}
	says(t, "the report", read(t, text), "LEFT BEHIND", "is CANCELLED", "restore_subscriptions said that")
}

// refusing is the undoing backend behind a front that refuses a tool.
func refusing(t *testing.T, tool string, whole bool) (url string, backend *fakebackend.Backend) {
	t.Helper()
	options := undoing
	options.JSONAnswers, options.Sessions = true, fakebackend.Stateless
	b, err := fakebackend.New(options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is not whole is no message
		var m struct {
			ID     json.RawMessage
			Params struct {
				Name      string
				Arguments struct{ Items, IDs []json.RawMessage }
			}
		}
		_ = json.Unmarshal(body, &m)
		if m.Params.Name == tool && (whole || len(m.Params.Arguments.Items) > 1) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","content":[{"type":"text","text":"only on Mondays"}],"isError":true}}`, m.ID)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		b.Handler().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/mcp", b
}

func TestAnUndoThatIsRefusedIsAskedTwiceAndAtTheEnd(t *testing.T) {
	t.Parallel()
	url, b := refusing(t, "restore_subscriptions", true)
	file := filepath.Join(t.TempDir(), "t.jsonl")
	r, got := run(t, "--target", "builtin:fakebackend-undo", "--url", url, "--seed", "4", "--operation", "cancel-subscriptions", "--scenario", writesOf, "--transcript", file)
	if len(failing(r)) > 0 {
		t.Errorf("failing %v: a refused undo breaks no rule", failing(r))
	}
	if len(r.LeftBehind) != cancelled(b) || !strings.Contains(r.LeftBehind[0].What, "only on Mondays") {
		t.Errorf("%d were cancelled, left behind %v", cancelled(b), r.LeftBehind)
	}
	rounds := map[string]bool{}
	for _, c := range transcript(t, file).Calls {
		if c.Planned.Role == conform.RoleUndo {
			rounds[c.Planned.Instance] = true
		}
	}
	if len(rounds) != 3 {
		t.Errorf("it was asked in %d rounds", len(rounds))
	}
	if again := mcpconform(t, "judge", "--format", "json", file); again.out != got.out {
		t.Errorf("judge differs: %s", firstDifference(got.out, again.out))
	}
	usedOnce(t, file)
}

// An undo that refuses the whole call for one of its items is asked for them apart.
func TestAnUndoThatTakesOneItemOnlyIsAskedInHalves(t *testing.T) {
	t.Parallel()
	url, _ := refusing(t, "restore_subscriptions", false)
	r, _ := run(t, "--target", "builtin:fakebackend-undo", "--url", url, "--seed", "4", "--operation", "cancel-subscriptions", "--scenario", "all-succeed,partial")
	if len(r.LeftBehind) > 0 || len(failing(r)) > 0 {
		t.Errorf("left behind %v, failing %v", r.LeftBehind, failing(r))
	}
}

// With both, the undo takes over where the reset is refused.
func TestAnUndoTakesOverFromARefusedReset(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing) // it has no reset
	file := undoTarget(t, productUndo, productUndo+"\n    reset: {http: {url: /no-such-place}}")
	transcript := filepath.Join(t.TempDir(), "t.jsonl")
	r, _ := run(t, "--target", file, "--url", running.URL, "--seed", "4", "--operation", "cancel-products", "--scenario", writesOf, "--transcript", transcript)
	if len(failing(r)) > 0 || len(r.LeftBehind) > 0 {
		t.Errorf("failing %v, left behind %v", failing(r), r.LeftBehind)
	}
	if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, "reset of cancel-products") {
		t.Errorf("the refused reset is not told: %q", r.Notes)
	}
	if now := left(t, running); len(now) > 0 {
		t.Errorf("not as it was: %v", now)
	}
}

func TestASetupThatIsRefusedIsNoPass(t *testing.T) {
	t.Parallel()
	url, b := refusing(t, "add_products", true)
	r, _ := run(t, "--target", "builtin:fakebackend-undo", "--url", url, "--seed", "4", "--operation", "cancel-products", "--scenario", writesOf)
	if r.Verdict != reports.Incomplete || len(failing(r)) > 0 || len(r.LeftBehind) > 0 || cancelled(b) > 0 {
		t.Errorf("%s, failing %v, left behind %v, %d cancelled", r.VerdictLine, failing(r), r.LeftBehind, cancelled(b))
	}
	told := false
	for _, f := range r.Findings {
		told = told || f.Verdict == conform.NotRun && strings.Contains(f.Reason, "add_products did not put") && strings.Contains(f.Reason, "only on Mondays") &&
			strings.Contains(f.Hint, "operations.cancel-products.setup")
	}
	if !told {
		t.Error("no finding says why")
	}
}

// What a setup makes and nothing takes away is told.
func TestWhatASetupMadeAndNothingTakesAway(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing)
	file := undoTarget(t, takesAway, "", "ignore:\n", "ignore:\n  - {tool: remove_products, because: not used}\n")
	r, _ := run(t, "--target", file, "--url", running.URL, "--seed", "4", "--operation", "cancel-products", "--scenario", "all-succeed")
	added := 0
	for _, e := range running.Backend.Effects() {
		if e.Kind == "product-added" {
			added++
		}
	}
	if added == 0 || len(r.LeftBehind) != added || r.LeftBehind[0].State != "ACTIVE" || !strings.Contains(r.LeftBehind[0].What, "the tool add_products made it") {
		t.Errorf("%d were added, left behind %v", added, r.LeftBehind)
	}
}

// What is there already is not made, and so not taken away at the end.
func TestASetupMakesOnlyWhatIsNotThere(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing)
	file := undoTarget(t, `{template: {name: "Café {run} nº {n}, grande", id: "{run}-{n}"}, count: 24}`, "[{name: Product A, id: \"1001\"}, {name: Product B, id: \"1002\"}, {name: Product C, id: \"1003\"}, {name: One, id: n-1}]")
	r, _ := run(t, "--target", file, "--url", running.URL, "--seed", "4", "--operation", "cancel-products", "--scenario", "all-succeed,partial")
	if len(r.LeftBehind) > 0 || len(failing(r)) > 0 {
		t.Errorf("left behind %v, failing %v", r.LeftBehind, failing(r))
	}
	for _, e := range running.Backend.Effects() {
		if (e.Kind == "product-added" || e.Kind == "product-removed") && regexp.MustCompile(`^100\d$`).MatchString(e.Item) {
			t.Errorf("%s %s", e.Kind, e.Item)
		}
	}
	if now := left(t, running); len(now) > 0 {
		t.Errorf("not as it was: %v", now)
	}
}

// A setup is a write: it needs the consent of one, and counts as one.
func TestASetupCountsAsAWrite(t *testing.T) {
	t.Parallel()
	reads := `  find:
    tool: get_products
    effect: read
    input: {argument: ids}
    validator: none
    workflow: none
    idempotency: none
    setup: {tool: add_products, argument: items, undo: {tool: remove_products, argument: ids}}
    items: {good: {template: {id: "f{run}-{n}", name: "Found {run} {n}"}, count: 20}, bad: ["9999", "9998", "9997"]}
`
	for name, c := range map[string]struct {
		further string
		args    []string
		reason  string
	}{
		"--read-only": {"", []string{"--read-only"}, "put in place by a setup, which writes: --read-only"},
		"the bound":   {"safety: {max_write_items: 1}\n", nil, "puts in place and writes 2 items, and only 1 of the 1 that a run may write are left"},
	} {
		t.Run(name, func(t *testing.T) {
			running := backend(t, undoing)
			file := undoTarget(t, "operations:\n", c.further+"operations:\n"+reads)
			r, _ := run(t, append([]string{"--target", file, "--url", running.URL, "--seed", "4", "--operation", "find", "--scenario", "all-succeed"}, c.args...)...)
			told := false
			for _, f := range r.Findings {
				told = told || f.Verdict == conform.NotRun && strings.Contains(f.Reason, c.reason)
			}
			if !told {
				t.Errorf("nothing says %q", c.reason)
			}
			for _, e := range running.Backend.Effects() {
				t.Errorf("%s %s", e.Kind, e.Item)
			}
		})
	}
}

// After a signal what was done is taken back, and the transcript says so.
func TestASignalTakesBackItemByItem(t *testing.T) {
	t.Parallel()
	w, press := hand(os.Interrupt)
	options := undoing
	options.JSONAnswers, options.Sessions = true, fakebackend.Stateless
	b, err := fakebackend.New(options)
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		b.Handler().ServeHTTP(rw, r)
		if bytes.Contains(body, []byte(`"cancel_products"`)) {
			once.Do(press) // it was done, and is not answered yet
		}
	}))
	defer server.Close()
	transcript := filepath.Join(t.TempDir(), "t.jsonl")
	got := mcpconformIn(t, w, "run", "--format", "json", "--target", "builtin:fakebackend-undo", "--url", server.URL+"/mcp", "--seed", "4",
		"--operation", "cancel-products", "--scenario", "all-succeed", "--transcript", transcript).exits(t, 130)
	says(t, "stderr", got.err, "putting back for at most 5 s: the tool remove_products, the tool restore_products")
	silent(t, "stderr", got.err, "left behind")
	if now := left(t, &fakebackend.Running{Backend: b}); len(now) > 0 || cancelled(b) == 0 {
		t.Errorf("not as it was: %v", now)
	}
	done := mcpconform(t, "cleanup", transcript, "--target", "builtin:fakebackend-undo", "--url", server.URL+"/mcp").exits(t, 0)
	says(t, "stdout", done.out, "nothing was left")
	if again := mcpconform(t, "judge", "--format", "json", transcript); again.out != got.out {
		t.Errorf("judge differs: %s", firstDifference(got.out, again.out))
	}
}

func TestAPlanSaysWhoPutsBack(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing)
	flags := []string{"--target", "builtin:fakebackend-undo", "--url", running.URL, "--seed", "7", "--scenario", "partial,all-fail,validator-twice"}
	p := plan(t, flags...)
	for _, o := range p.Operations {
		if o.UsedUp || o.PutBack != "undo" || !strings.HasPrefix(o.PutBackBy, "the tool restore_") || o.PutBacks != 5 {
			t.Errorf("%+v", o)
		}
		if made := o.Name == "cancel-products"; made != (o.SetUp > 0) || made != (o.TakenAwayBy == "the tool remove_products") {
			t.Errorf("%+v", o)
		}
	}
	got := mcpconform(t, append([]string{"plan"}, flags...)...).exits(t, 0)
	says(t, "the plan", got.out, "undone", "put in place by the tool add_products, and taken away at the end by the tool remove_products", "the tool restore_products would take back what was written, 5 times")
	if len(running.Backend.Effects()) > 0 {
		t.Error("a plan did something")
	}
}

// A recording with pseudonyms does not tell which items an undo is for.
func TestACleanupAsksNothingForPseudonyms(t *testing.T) {
	t.Parallel()
	running := backend(t, undoing)
	gate := gated(t, running)
	file, transcript := undoTarget(t, "ignore:\n", "privacy: {mask: [$.items]}\nignore:\n"), filepath.Join(t.TempDir(), "t.jsonl")
	gate.killed(t, "--target", file, "--url", gate.URL,
		"--operation", "cancel-products", "--scenario", "all-succeed", "--seed", "4", "--transcript", transcript)
	before := len(running.Backend.Effects())
	done := mcpconform(t, "cleanup", transcript, "--target", file, "--url", running.URL).exits(t, 1)
	says(t, "stdout", done.out, "cancel-products: left behind", "pseudonyms")
	if after := len(running.Backend.Effects()); after != before {
		t.Errorf("%d things were done", after-before)
	}
}
