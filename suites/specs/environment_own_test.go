package specs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	pkg := filepath.Join(dir, "suites", "specs")
	for name, text := range map[string]string{
		"go.mod":                    "module m\n",
		"at-root.yaml":              "version: 1\nname: root\nserver: {url: http://127.0.0.1:1/mcp}\n",
		"suites/above.yaml":         "version: 1\nname: above\nserver: {url: http://127.0.0.1:1/mcp}\n",
		"suites/specs/here.yaml":    "version: 1\nname: here\nserver: {url: http://127.0.0.1:1/mcp}\n",
		"suites/specs/at-root.yaml": "version: 1\nname: nearest\nserver: {url: http://127.0.0.1:1/mcp}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name  string
		all   []string
		want  string // the target's name
		wrong string // else what the error says
	}{
		{name: "nothing said: the fake backend", all: []string{"HOME=/"}, want: "fakebackend"},
		{name: "a file of the folder", all: []string{"MCPCONFORM_TARGET=here.yaml"}, want: "here"},
		{name: "a file above", all: []string{"MCPCONFORM_TARGET=suites/above.yaml"}, want: "above"},
		{name: "the nearest of two", all: []string{"MCPCONFORM_TARGET=at-root.yaml"}, want: "nearest"},
		{name: "an absolute path", all: []string{"MCPCONFORM_TARGET=" + filepath.Join(dir, "at-root.yaml")}, want: "root"},
		{name: "a file that is built in", all: []string{"MCPCONFORM_TARGET=builtin:server-memory"}, want: "server-memory"},
		{name: "a URL alone", all: []string{"MCPCONFORM_URL=http://127.0.0.1:9/mcp"}, want: "127.0.0.1:9"},
		{name: "the last of two values", all: []string{"MCPCONFORM_TARGET=nowhere", "MCPCONFORM_TARGET=here.yaml"}, want: "here"},
		{name: "a file that is nowhere", all: []string{"MCPCONFORM_TARGET=nowhere.yaml"}, wrong: "looked for " + filepath.Join(pkg, "nowhere.yaml")},
		{name: "nothing above go.mod is read", all: []string{"MCPCONFORM_TARGET=" + filepath.Base(dir) + "/at-root.yaml"}, wrong: "there is no file"},
		{name: "an empty target", all: []string{"MCPCONFORM_TARGET="}, wrong: "MCPCONFORM_TARGET is set and empty"},
		{name: "a misspelt variable", all: []string{"MCPCONFORM_TARGETS=here.yaml"}, wrong: "MCPCONFORM_TARGETS is not known"},
		{name: "no URL", all: []string{"MCPCONFORM_URL=localhost"}, wrong: "URL"},
		{name: "no seed", all: []string{"MCPCONFORM_SEED=many"}, wrong: "MCPCONFORM_SEED"},
		{name: "neither strict nor not", all: []string{"MCPCONFORM_STRICT=perhaps"}, wrong: "MCPCONFORM_STRICT"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, err := environment{all: tc.all, dir: pkg}.options()
			if tc.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wrong) {
					t.Fatalf("error %v, want one that says %s", err, tc.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if o.Target.Name != tc.want {
				t.Errorf("target %s, want %s", o.Target.Name, tc.want)
			}
		})
	}
}

func TestEnvironmentSetsTheRun(t *testing.T) {
	o, err := environment{dir: t.TempDir(), all: []string{"MCPCONFORM_TARGET=builtin:fakebackend", "MCPCONFORM_URL=http://127.0.0.1:9/mcp",
		"MCPCONFORM_SEED=42", "MCPCONFORM_STRICT=true"}}.options()
	if err != nil {
		t.Fatal(err)
	}
	if o.Run.Seed != 42 || !o.Run.Strict || o.Target.Server.URL != "http://127.0.0.1:9/mcp" || o.Target.Demonstration {
		t.Errorf("%+v", o.Run)
	}
	if want := "--target builtin:fakebackend --url http://127.0.0.1:9/mcp"; o.Run.Selector != want {
		t.Errorf("selector %q, want %q", o.Run.Selector, want)
	}
}
