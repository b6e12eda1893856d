package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/reports"
)

// played is one run against a server from npm, shared by the tests of it.
type played struct {
	once       sync.Once
	report     reports.Report
	told       told
	transcript string
}

// The reads of server-memory are a run of their own: each look at its state is
// the whole graph, and few of them show what there is to see.
var memory, memoryReads, filesystem, edits played

// What the long batches and the sweep could show of a rule, shorter ones show too.
const npmScenarios = "all-succeed/three,partial/bad-first,partial/several,all-fail,one-item,read-only-bulk/one-missing,retry,empty-collection/empty,duplicates/identical,input-forms,concurrent/one-session,large-batches/25"

// on plays operations of the shipped target file of a server, once. Without Node on a laptop
// the tests are skipped; in CI that is a failure, for nobody would see it.
func (p *played) on(t *testing.T, name, operations, scenarios string) *played {
	t.Helper()
	if _, err := exec.LookPath("npx"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("CI is set, and there is no npx: the servers from npm must be played")
		}
		t.Skip("skipped: needs npx")
	}
	p.once.Do(func() {
		folder, err := os.MkdirTemp("", "mcpconform-npm-*")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		file := filepath.Join(folder, "t.jsonl")
		w := quiet()
		w.getenv = os.LookupEnv
		p.told = mcpconformIn(t, w, "run", "-q", "--format", "json", "--target", "../../fixtures/targets/"+name+".yaml",
			"--seed", "20", "--operation", operations, "--scenario", scenarios, "--transcript", file)
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p.transcript = string(content)
		if p.told.out != "" {
			p.report = report(t, p.told.out)
		}
	})
	if p.told.code != 1 {
		t.Fatalf("exit %d, wanted 1: %s\n%s", p.told.code, p.report.VerdictLine, p.told.err)
	}
	return p
}

// only gives the one finding of a check on an operation.
func (p *played) only(t *testing.T, id, operation string) conform.Finding {
	t.Helper()
	list := findings(p.report, id, operation)
	if len(list) != 1 {
		t.Fatalf("%d findings of %s on %s, wanted one", len(list), id, operation)
	}
	return list[0]
}

// words is everything a finding says of what was got, in its places too.
func words(f conform.Finding) string {
	text := []string{f.Got}
	for _, e := range f.Evidence {
		text = append(text, e.Note, e.Excerpt)
	}
	return strings.Join(text, "\n")
}

// accused gives every rule of any level that failed, as "MUST RES-01", by operation.
func accused(r reports.Report) map[string][]string {
	all := map[string][]string{}
	for _, f := range r.Findings {
		if f.Verdict == conform.Fail {
			all[f.Operation] = append(all[f.Operation], f.Level.String()+" "+f.ID)
		}
	}
	for _, list := range all {
		slices.Sort(list)
	}
	return all
}

func sameAccusations(t *testing.T, r reports.Report, want map[string][]string) {
	t.Helper()
	got := accused(r)
	for _, operation := range slices.Sorted(maps.Keys(got)) {
		if want[operation] == nil {
			t.Errorf("on %q: %v, and nothing was to be accused", operation, got[operation])
		}
	}
	for _, operation := range slices.Sorted(maps.Keys(want)) {
		if !slices.Equal(got[operation], want[operation]) {
			t.Errorf("on %q: %v\nwanted  %v", operation, got[operation], want[operation])
		}
	}
}

func TestServerMemory(t *testing.T) {
	t.Parallel()
	p := memory.on(t, "server-memory", "*-entities,add-observations", npmScenarios)
	t.Run("exactly the rules it breaks are told", func(t *testing.T) {
		sameAccusations(t, p.report, map[string][]string{
			"create-entities":  {"MUST CON-01", "MUST CON-05", "MUST RES-01", "SHOULD INP-05"},
			"add-observations": {"MAY ENV-05", "MUST AGG-03", "MUST CON-01", "MUST CON-05", "MUST RES-01", "MUST RES-05", "MUST RES-13", "SHOULD INP-05"},
			"delete-entities":  {"MUST CON-01", "MUST CON-05", "MUST RES-01", "SHOULD INP-05"},
		})
	})
	t.Run("create_entities leaves out what exists", func(t *testing.T) {
		f := p.only(t, "RES-01", "create-entities")
		if f.Count != f.Of {
			t.Errorf("%d of %d calls, wanted every one", f.Count, f.Of)
		}
		says(t, "RES-01", words(f), "entities", "not named results", "shelf-", "left out without a word", "exists already")
		says(t, "the mend", f.Hint, "results[]", "`results` maps this shape")
	})
	t.Run("add_observations lets one bad item sink the call", func(t *testing.T) {
		f := p.only(t, "RES-01", "add-observations")
		if f.Count == 0 || f.Count == f.Of {
			t.Errorf("%d of %d calls, wanted those with a bad item and no others", f.Count, f.Of)
		}
		says(t, "RES-01", words(f), "the whole call was refused", "Entity with name nowhere-", "not found")
		says(t, "RES-05", words(p.only(t, "RES-05", "add-observations")), "neither success nor ok")
		says(t, "RES-13", words(p.only(t, "RES-13", "add-observations")), "the whole call was refused")
		says(t, "AGG-03", words(p.only(t, "AGG-03", "add-observations")), "no rows", "isError")
	})
	t.Run("delete_entities claims success for what nobody has", func(t *testing.T) {
		says(t, "RES-01", words(p.only(t, "RES-01", "delete-entities")), "no results list", "nowhere-", "success is claimed", "Entities deleted successfully")
	})
	t.Run("what was acknowledged is lost when calls come together", func(t *testing.T) {
		for operation, item := range map[string]string{"create-entities": "part-", "add-observations": "shelf-", "delete-entities": "crate-"} {
			f := p.only(t, "CON-01", operation)
			says(t, "CON-01 on "+operation, words(f), "acknowledged", "did not change", "open_nodes", item, "read afterwards")
			if f.Count < 1 || f.Count > f.Of {
				t.Errorf("%d of %d", f.Count, f.Of)
			}
		}
		if eff := p.only(t, "EFF-01", "create-entities"); eff.Verdict != conform.Pass {
			t.Errorf("EFF-01 %s: one call after another loses nothing: %s", eff.Verdict, eff.Got)
		}
	})
	t.Run("what hangs on rows is not run, and says on what", func(t *testing.T) {
		for _, operation := range []string{"create-entities", "delete-entities"} {
			for _, id := range []string{"RES-02", "RES-06", "AGG-01"} {
				if f := p.only(t, id, operation); f.Verdict != conform.NotRun || !strings.Contains(f.Reason, "RES-01") {
					t.Errorf("%s on %s: %s, %q", id, operation, f.Verdict, f.Reason)
				}
			}
		}
	})
	noInconclusive(t, p)
	judgedAgain(t, p)
	t.Run("no item is used as good again", func(t *testing.T) {
		usedOnce(t, write(t, "t.jsonl", p.transcript))
	})
}

func TestServerMemoryReads(t *testing.T) {
	t.Parallel()
	p := memoryReads.on(t, "server-memory", "open-nodes", "partial/bad-first,all-fail,one-item,empty-collection/empty")
	t.Run("exactly the rules it breaks are told", func(t *testing.T) {
		sameAccusations(t, p.report, map[string][]string{"open-nodes": {"MUST RES-01", "SHOULD INP-05"}})
	})
	t.Run("open_nodes leaves out what it does not know", func(t *testing.T) {
		says(t, "RES-01", words(p.only(t, "RES-01", "open-nodes")), "none named results", "nowhere-", "left out without a word")
	})
	noInconclusive(t, p)
	judgedAgain(t, p)
}

func TestServerFilesystem(t *testing.T) {
	t.Parallel()
	p := filesystem.on(t, "server-filesystem", "read-multiple-files", npmScenarios)
	t.Run("exactly the rules it breaks are told", func(t *testing.T) {
		sameAccusations(t, p.report, map[string][]string{"read-multiple-files": {"MUST RES-01"}})
	})
	t.Run("a file that fails stands inside a flat text", func(t *testing.T) {
		f := p.only(t, "RES-01", "read-multiple-files")
		if f.Count != f.Of {
			t.Errorf("%d of %d calls, wanted every one", f.Count, f.Of)
		}
		says(t, "RES-01", words(f), "no results list", "gone-", "only inside a text", "Error - ENOENT")
	})
	noInconclusive(t, p)
	judgedAgain(t, p)
}

// Calls in flight together that edit one file: every one is acknowledged, and the
// last one to store the file takes the others' edits away.
func TestServerFilesystemEdits(t *testing.T) {
	t.Parallel()
	p := edits.on(t, "server-filesystem", "edit-file", "all-succeed/three,partial/bad-first,concurrent/one-session,concurrent-same/identical")
	t.Run("no rule is told but those that it breaks", func(t *testing.T) {
		// Which of the rules about a crowd it breaks hangs on how near its calls come to one another.
		told := accused(p.report)["edit-file"]
		crowd := slices.DeleteFunc(slices.Clone(told), func(rule string) bool { return !strings.HasPrefix(rule, "MUST CON-0") })
		if rest := len(told) - len(crowd); rest != 1 || !slices.Contains(told, "MUST RES-01") || len(crowd) == 0 {
			t.Errorf("told %v", told)
		}
	})
	t.Run("what was acknowledged is lost when calls come together", func(t *testing.T) {
		if f := p.only(t, "CON-01", "edit-file"); f.Verdict == conform.Fail {
			says(t, "CON-01", words(f), "acknowledged", "did not change", "read_text_file", "read afterwards", "line ")
		}
		if eff := p.only(t, "EFF-01", "edit-file"); eff.Verdict != conform.Pass {
			t.Errorf("EFF-01 %s: one call after another loses nothing: %s", eff.Verdict, eff.Got)
		}
	})
	noInconclusive(t, p)
	judgedAgain(t, p)
}

// Servers of other authors, of shapes of their own. The ids that task-manager gives its
// tasks are like the titles that others were asked for: they name nobody's item.
func TestOtherServersFromNPM(t *testing.T) {
	t.Parallel()
	// In a crowd knowledge-graph loses what it acknowledged, or its whole file: what is seen
	// of that differs from run to run.
	const calmly = "all-succeed/three,partial/bad-first,one-item,empty-collection/empty"
	crowd := map[string]string{"task-manager": ",concurrent/one-session,concurrent-same/overlapping"}
	for name, want := range map[string]map[string][]string{
		"knowledge-graph": {
			"create-entities": {"MUST ENV-01", "SHOULD INP-05"},
			"update-entities": {"MUST ENV-01", "MUST RES-01", "SHOULD INP-05"},
			"delete-entities": {"MUST ENV-01", "SHOULD INP-05"},
			"open-nodes":      {"MUST RES-01", "SHOULD INP-05"},
		},
		"task-manager":  {"request-planning": {"MUST RES-01", "SHOULD INP-05"}},
		"memory-libsql": {"create-entities": {"MUST ENV-01", "MUST RES-01", "SHOULD INP-05"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := (&played{}).on(t, name, "*", calmly+crowd[name])
			sameAccusations(t, p.report, want)
			judgedAgain(t, p)
		})
	}
}

func noInconclusive(t *testing.T, p *played) {
	t.Run("nothing is left unclear", func(t *testing.T) {
		for _, f := range p.report.Findings {
			if reports.ClassOf(f) == reports.ClassInconclusive {
				t.Errorf("%s on %q: %s", f.ID, f.Operation, f.Reason)
			}
			if f.Group == conform.GroupProtocol && f.Verdict != conform.Pass && !f.Narrowed {
				t.Errorf("%s on %q: %s %s%s", f.ID, f.Operation, f.Verdict, f.Got, f.Reason)
			}
		}
	})
}

func judgedAgain(t *testing.T, p *played) {
	t.Run("judge gives the same report, to the byte", func(t *testing.T) {
		again := mcpconform(t, "judge", "--format", "json", write(t, "t.jsonl", p.transcript)).exits(t, 1)
		if again.out != p.told.out {
			t.Errorf("the reports differ: %s", firstDifference(p.told.out, again.out))
		}
	})
}

// firstDifference shows where two texts part.
func firstDifference(a, b string) string {
	one, other := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(one), len(other)) {
		if one[i] != other[i] {
			return fmt.Sprintf("line %d\n  %s\n  %s", i+1, shortened(one[i]), shortened(other[i]))
		}
	}
	return fmt.Sprintf("one has %d lines, the other %d", len(one), len(other))
}
