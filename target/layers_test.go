package target

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const layeredOperation = `
operations:
  cancel:
    tool: cancel
    effect: write
    input: {argument: items}
`

func inEnvironment(t *testing.T, environment, text string, files map[string]string, variables ...string) (*File, error) {
	t.Helper()
	folder := fstest.MapFS{}
	for name, content := range files {
		folder[name] = &fstest.MapFile{Data: []byte(content)}
	}
	getenv := func(name string) (string, bool) {
		for _, v := range variables {
			if key, value, _ := strings.Cut(v, "="); key == name {
				return value, true
			}
		}
		return "", false
	}
	return parse("targets/acme.yaml", []byte(text), environment, getenv, folder, "")
}

func mustRead(t *testing.T, environment, text string, files map[string]string, variables ...string) *File {
	t.Helper()
	f, err := inEnvironment(t, environment, text, files, variables...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDefaultsAreInherited(t *testing.T) {
	f := mustRead(t, "", `version: 1
defaults: {effect: write, validator: none, undo: {tool: restore, argument: ids}, limits: {batch: 7}}
operations:
  cancel: {tool: cancel, input: {argument: items}}
  close: {tool: close, input: {argument: items}, limits: {rate: 1/s}, undo: none}
  find: {tool: find, effect: read, input: {argument: ids}}
`, nil)
	cancel, closes, find := f.Operation("cancel"), f.Operation("close"), f.Operation("find")
	if !cancel.Write || cancel.Validator != "absent" && string(cancel.Validator) == "" || cancel.Undo == nil || cancel.Limits.Batch != 7 {
		t.Errorf("cancel inherits: %+v", cancel)
	}
	if closes.Undo != nil || closes.Limits.Batch != 0 || closes.Limits.Rate != 1 {
		t.Errorf("a value of its own is taken whole: %+v", closes)
	}
	if find.Write || find.Undo != nil {
		t.Errorf("what only reads inherits no undo: %+v", find)
	}
}

func TestIncludedFiles(t *testing.T) {
	f := mustRead(t, "", `version: 1
include: [common/limits.yaml, common/operations.yaml]
timeouts: {call: 5s}
secrets: [B]
operations:
  close: {tool: close_all, effect: write, input: {argument: items}}
`, map[string]string{
		"common/limits.yaml":     "version: 1\ntimeouts: {call: 50s, connect: 3s}\nlimits: {batch: 10}\nsecrets: [A]\n",
		"common/operations.yaml": "include: common/more.yaml\nlimits: {batch: 20}\noperations:\n  close: {tool: close, effect: read, input: {argument: ids}}\n  cancel: {tool: cancel, effect: write, input: {argument: items}}\n",
		"common/more.yaml":       "operations:\n  find: {tool: find, effect: read, input: {argument: ids}}\n",
	}, "A=first-secret", "B=second-secret")
	if f.Timeouts.Call != 5*time.Second || f.Timeouts.Connect != 3*time.Second {
		t.Errorf("timeouts %+v: the file's own count, the others are taken over", f.Timeouts)
	}
	if f.Limits.Batch != 20 {
		t.Errorf("batch %d: of two included files the later one counts", f.Limits.Batch)
	}
	if len(f.Operations) != 3 || f.Operation("close").Tool != "close_all" || f.Operation("close").Argument != "items" {
		t.Errorf("operations %+v", f.Operations)
	}
	if at := f.Operation("find"); at.File != "targets/common/more.yaml" || at.Line != 2 {
		t.Errorf("find stands at %s:%d", at.File, at.Line)
	}
	if len(f.Secrets()) != 2 {
		t.Errorf("secrets %v: those of all files are kept", f.Secrets())
	}
}

func TestAnEnvironmentIsLaidOver(t *testing.T) {
	text := `version: 1
name: Acme
server:
  url: https://one.example/mcp
  protocol: 2025-11-25
  headers: {Authorization: "Bearer ${ONE}"}
limits: {batch: 50, in_flight: 4}
environments:
  two: {server: {url: "https://two.example/mcp"}, limits: {in_flight: 1}, operations: {cancel: {items: {good: [A-1]}}}}
  three: {name: The third, server: {url: "https://three.example/mcp"}, safety: {write_hosts: [three.example]}}
  here: {server: {url: "http://127.0.0.1:8080/mcp"}}
  slow: {timeouts: {call: 2m}}
` + layeredOperation
	f := mustRead(t, "two", text, nil)
	switch {
	case f.Server.URL != "https://two.example/mcp", len(f.Server.Headers) > 0, f.Server.Protocol != "2025-11-25":
		t.Errorf("server %+v: another address leaves all but the revision behind", f.Server)
	case f.Limits.Batch != 50 || f.Limits.InFlight != 1:
		t.Errorf("limits %+v", f.Limits)
	case f.Name != "Acme (two)" || f.Environment != "two" || len(f.Environments) != 4:
		t.Errorf("%q in %q of %q", f.Name, f.Environment, f.Environments)
	case f.Operation("cancel").Items.Good.Len() != 1 || f.Operation("cancel").Tool != "cancel":
		t.Errorf("operation %+v", f.Operation("cancel"))
	}
	for _, c := range []struct {
		environment, host string
		may               bool
		told              string
	}{
		{"two", "two.example", false, "environment two"},
		{"two", "one.example", false, "does not follow"},
		{"three", "three.example", true, ""},
		{"here", "127.0.0.1:8080", true, ""},
	} {
		f := mustRead(t, c.environment, text, nil)
		if may, reason := f.MayWrite(c.host); may != c.may || !strings.Contains(reason, c.told) {
			t.Errorf("%s may write to %s: %t, %q", c.environment, c.host, may, reason)
		}
	}
	if f := mustRead(t, "three", text, nil); f.Name != "The third" {
		t.Errorf("name %q", f.Name)
	}
	slow := mustRead(t, "slow", text, nil, "ONE=geheimnis-eins")
	if may, reason := slow.MayWrite("one.example"); !may || len(slow.Server.Headers) != 1 || slow.Timeouts.Call != 2*time.Minute {
		t.Errorf("the server stays, with its consent: %s %+v", reason, slow.Server)
	}
}

func TestLayersThatAreWrong(t *testing.T) {
	for name, c := range map[string]struct {
		environment, text string
		files             map[string]string
		told              []string
	}{
		"a circle": {"", "version: 1\ninclude: a.yaml\n", map[string]string{"a.yaml": "\ninclude: b.yaml\n", "b.yaml": "include: a.yaml\n"},
			[]string{"targets/b.yaml:1:10", "acme.yaml includes a.yaml includes b.yaml includes a.yaml"}},
		"itself":           {"", "version: 1\ninclude: acme.yaml\n", nil, []string{"targets/acme.yaml:2:10", "acme.yaml includes acme.yaml"}},
		"no such file":     {"", "version: 1\ninclude: [gone.yaml]\n", nil, []string{"targets/acme.yaml:2:11", "gone.yaml"}},
		"outside":          {"", "version: 1\ninclude: ../up.yaml\n", nil, []string{"targets/acme.yaml:2:10", "not below the target file's folder"}},
		"wrong in there":   {"", "version: 1\ninclude: a.yaml\n", map[string]string{"a.yaml": "# a\ntimeouts: {cal: 3s}\n"}, []string{"targets/a.yaml:2:12", "did you mean `call`"}},
		"no YAML in there": {"", "version: 1\ninclude: a.yaml\n", map[string]string{"a.yaml": "a: [\n"}, []string{"targets/a.yaml:"}},
		"another version":  {"", "version: 1\ninclude: a.yaml\n", map[string]string{"a.yaml": "version: 2\n"}, []string{"targets/a.yaml:1:10", "version 1"}},
		"a placeholder":    {"", "version: 1\ninclude: a.yaml\n", map[string]string{"a.yaml": "name: FILL-IN\n"}, []string{"targets/a.yaml:1:7", "FILL-IN"}},
		"no such environment": {"stagin", "version: 1\nenvironments: {staging: {}}\n", nil,
			[]string{"targets/acme.yaml:", "no environment stagin", "did you mean `staging`"}},
		"no environments": {"staging", "version: 1\n", nil, []string{"leave --env out"}},
		"an environment's key": {"", "version: 1\nenvironments:\n  staging: {ignore: []}\n", nil,
			[]string{"targets/acme.yaml:3:13", "unknown key `ignore` in `environments.staging`"}},
		"an operation that is not there": {"x", "version: 1\nenvironments:\n  x: {operations: {cancle: {effect: read}}}\n" + layeredOperation, nil,
			[]string{"targets/acme.yaml:3:20", "no operation cancle", "did you mean `cancel`"}},
		"a default that is no key":   {"", "version: 1\ndefaults: {efect: write}\n" + layeredOperation, nil, []string{"targets/acme.yaml:2:12", "`efect` in `defaults`", "did you mean `effect`"}},
		"a default that is wrong":    {"", "version: 1\ndefaults: {atomic: perhaps}\n" + layeredOperation, nil, []string{"targets/acme.yaml:2:20", "must be true or false"}},
		"a tool for every operation": {"", "version: 1\ndefaults: {tool: cancel}\n", nil, []string{"unknown key `tool` in `defaults`"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := inEnvironment(t, c.environment, c.text, c.files)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.told {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\ndoes not say %q", err, want)
				}
			}
		})
	}
}
