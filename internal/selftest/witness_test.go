//go:build mutate

package selftest

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/fakebackend"
	"github.com/mcpconform/mcpconform/internal/tools/mutate/switches"
	"github.com/mcpconform/mcpconform/runner"
)

// These two are no tests of the selftest. internal/tools/mutate compiles them,
// with mutated checks, to find out whether the table of a selftest comes out
// otherwise where a check is changed.

// kept is a run that was written down.
type kept struct {
	Name      string   `json:"name"`
	Fault     string   `json:"fault,omitempty"` // empty: it breaks no rule
	Transport string   `json:"transport"`
	Key       string   `json:"key"`               // of the good server that it is compared with
	Neighbour bool     `json:"neighbour"`         // it is such a good server
	Breaks    string   `json:"breaks,omitempty"`  // see named
	Unclear   []string `json:"unclear,omitempty"` // likewise
	File      string   `json:"file"`

	header       conform.Header
	observations []conform.Observation
	differs      map[int]bool
}

const keptList = "list.json"

// TestRecordEverything plays everything that a selftest plays and writes it down
// in the folder that MUTANT_RECORDINGS names.
func TestRecordEverything(t *testing.T) {
	dir := os.Getenv("MUTANT_RECORDINGS")
	o := Options{Self: self(), AtOnce: 8}
	chosen, err := choose(fakebackend.Faults(), "")
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	var all []*kept
	var work []task
	add := func(k kept, s server, scenarios []string) {
		k.File = strconv.Itoa(len(all)) + ".jsonl"
		k.Transport = string(s.transport)
		all = append(all, &k)
		work = append(work, task{k.Fault, slow[k.Fault] != nil || s.plays != nil, func(ctx context.Context) error {
			r, err := record(ctx, s, o.Self, scenarios)
			if err == nil && k.Fault != "" {
				r, err = short(ctx, s, o.Self, k.Fault, r)
			}
			if err != nil {
				return fmt.Errorf("playing %s: %w", k.Name, err)
			}
			return os.WriteFile(filepath.Join(dir, k.File), r.transcript, 0o644)
		}})
	}
	compared := map[string]bool{}
	for _, p := range chosen {
		if !compared[p.key()] {
			compared[p.key()] = true
			add(kept{Name: "the good server of " + p.fault.Check, Key: p.key(), Neighbour: true}, p.neighbour(), scenarios)
		}
		plays := scenarios
		if only := SetupOf(p.fault).Scenarios; only != nil {
			plays = only
		}
		add(kept{Name: p.fault.ID, Fault: p.fault.ID, Key: p.key()}, p.server(), plays)
	}
	for _, n := range good() {
		plays := brief
		if n.server.plays != nil {
			plays = n.server.plays
		}
		add(kept{Name: n.name, Breaks: n.breaks, Unclear: n.unclear}, n.server, plays)
	}
	for _, n := range oddServers() {
		add(kept{Name: n.name, Breaks: n.breaks, Unclear: n.unclear}, n.server, brief)
	}
	slices.SortStableFunc(work, func(a, b task) int { return waits(a) - waits(b) })
	if err := o.pool(t.Context(), work); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, keptList), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestJudgeAgain reads numbers of mutants, a line each, and answers each with a
// line: what of the selftest's table comes out otherwise, or "same", or "unmet"
// where no recording meets the mutant. The first line tells how many recordings
// there are, and which were left out because they do not hold even unchanged.
func TestJudgeAgain(t *testing.T) {
	j, err := readKept(os.Getenv("MUTANT_RECORDINGS"))
	if err != nil {
		t.Fatal(err)
	}
	switches.Turn(0)
	left := j.settle()
	answer := func(format string, a ...any) { fmt.Printf("\n=> "+format+"\n", a...) }
	answer("%d recordings, without %s", len(j.all), strings.Join(left, ", "))
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		id, err := strconv.Atoi(in.Text())
		if err != nil {
			t.Fatal(err)
		}
		answer("%s", j.try(id))
	}
}

// brief are the scenarios that good and odd servers are played: each kind of
// outcome once, and no long batch. The good servers that faulty ones are compared
// with are played everything.
var brief = []string{"all-succeed/three", "partial/bad-first", "all-fail", "one-item", "read-only-bulk", "workflow", "scalar-expression", "partial-eligibility"}

// short plays a fault once more, in the one scenario that it was caught in, and
// gives that run if it is caught there as well: to judge two hundred long runs
// anew for each mutant would take days.
func short(ctx context.Context, s server, self []string, id string, long recorded) (recorded, error) {
	fault, err := fakebackend.ParseFault(id)
	if err != nil {
		return long, err
	}
	// What the long run is told besides is known already.
	usual := slices.DeleteFunc(failing(long.report.Findings), func(a Accused) bool { return a.ID == fault.Check })
	for _, a := range assign(fault, long.report.Findings, nil).own {
		// What has no scenario shows while connecting, which every run does.
		r, err := record(ctx, s, self, []string{cmp.Or(a.Scenario, "one-item")})
		if err != nil {
			return long, err
		}
		if assign(fault, r.report.Findings, usual).word == Caught {
			return r, nil
		}
	}
	return long, nil
}

type rejudged struct {
	all   []*kept
	usual map[string]*kept
	plain map[string][]Accused // what the good servers are told without a mutant
	odd   map[int]bool         // the mutants that the recorded answers meet
}

func readKept(dir string) (*rejudged, error) {
	text, err := os.ReadFile(filepath.Join(dir, keptList))
	if err != nil {
		return nil, fmt.Errorf("reading the list of recordings: %w", err)
	}
	j := &rejudged{usual: map[string]*kept{}, plain: map[string][]Accused{}}
	if err := json.Unmarshal(text, &j.all); err != nil {
		return nil, fmt.Errorf("reading the list of recordings: %w", err)
	}
	for _, k := range j.all {
		transcript, err := os.ReadFile(filepath.Join(dir, k.File))
		if err != nil {
			return nil, fmt.Errorf("reading a recording: %w", err)
		}
		if k.header, k.observations, err = conform.ReadTranscript(bytes.NewReader(transcript)); err != nil {
			return nil, fmt.Errorf("reading the recording of %s: %w", k.Name, err)
		}
		if k.Neighbour {
			j.usual[k.Key] = k
		}
	}
	return j, nil
}

// settle judges everything without a mutant: it writes down which mutants each
// recording meets, and leaves out what does not come out as it must.
func (j *rejudged) settle() []string {
	var left []string
	var stay []*kept
	meet := func(do func() string) (map[int]bool, string) {
		met := map[int]bool{}
		switches.Record(func(id int) { met[id] = true })
		said := do()
		switches.Record(nil)
		return met, said
	}
	for key, k := range j.usual {
		k.differs, _ = meet(func() string { j.plain[key] = j.told(k); return "" })
	}
	for _, k := range j.all {
		if k.Neighbour {
			continue
		}
		met, said := meet(func() string { return j.says(k, j.plain) })
		if k.differs = met; said != "" {
			left = append(left, said)
			continue
		}
		stay = append(stay, k)
	}
	j.all = stay
	j.odd, _ = meet(oddSay)
	return left
}

func (j *rejudged) told(k *kept) []Accused {
	report, err := runner.Judge(k.header, k.observations)
	if err != nil {
		return nil
	}
	return failing(report.Findings)
}

// says is empty where the recording comes out as a selftest wants it.
func (j *rejudged) says(k *kept, usual map[string][]Accused) string {
	report, err := runner.Judge(k.header, k.observations)
	if err != nil {
		return k.Name + ": " + err.Error()
	}
	if k.Fault == "" {
		all := alarms(report.Findings)
		a := slices.DeleteFunc(slices.Clone(all), func(a Accused) bool { return a.ID == k.Breaks })
		switch {
		case len(a) > 0:
			return k.Name + ": false alarm of " + a[0].ID
		case k.Breaks != "" && len(a) == len(all):
			return k.Name + ": " + k.Breaks + " does not fail"
		case len(k.Unclear) > 0:
			// Of a brief run some rules are not asked: what is told must be unclear.
			for _, f := range report.Findings {
				if slices.Contains(k.Unclear, f.ID) && f.Verdict == conform.Pass {
					return k.Name + ": " + f.ID + " passes"
				}
			}
		case k.Breaks == "" && report.Verdict.String() != "conformant":
			return k.Name + ": " + report.Verdict.String()
		}
		return ""
	}
	fault, err := fakebackend.ParseFault(k.Fault)
	if err != nil {
		return k.Name + ": " + err.Error()
	}
	if b := assign(fault, report.Findings, usual[k.Key]); b.word != Caught {
		return fmt.Sprintf("%s over %s: %s", k.Name, k.Transport, b.word)
	}
	return ""
}

func oddSay() string {
	answers, err := oddAnswers()
	if err != nil {
		return err.Error()
	}
	for _, a := range answers {
		if a.FalseAlarm() {
			return a.Name + ": false alarm"
		}
	}
	return ""
}

// try turns a mutant on and judges what meets it.
func (j *rejudged) try(id int) (said string) {
	defer func() {
		if p := recover(); p != nil {
			said = strings.Join(strings.Fields(fmt.Sprintf("panic: %v", p)), " ")
			debug.FreeOSMemory()
		}
		switches.Turn(0)
	}()
	met := false
	switches.Turn(id)
	if j.odd[id] {
		met = true
		if said := oddSay(); said != "" {
			return said
		}
	}
	usual := map[string][]Accused{}
	for key, k := range j.usual {
		usual[key] = j.plain[key]
		if k.differs[id] {
			met = true
			switches.Turn(id)
			usual[key] = j.told(k)
		}
	}
	for _, k := range j.all {
		if !k.differs[id] {
			continue
		}
		met = true
		switches.Turn(id)
		if said := j.says(k, usual); said != "" {
			return said
		}
	}
	if !met {
		return "unmet"
	}
	return "same"
}
