package scenarios

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const small = `name: mine
title: Mine
why: To see.
steps:
  - execute: batch
variants:
  one: {batch: [good]}
`

func TestWhatIsWrongIsToldWithItsPlace(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":              {strings.Replace(small, "title:", "tilte:", 1), `f.yaml:2:1: unknown key "tilte" in a scenario: did you mean title?`},
		"unknown key of a variant": {strings.Replace(small, "batch:", "bacth:", 1), `f.yaml:7:9: unknown key "bacth" in variant one: did you mean batch?`},
		"unknown key of a step":    {strings.Replace(small, "execute:", "excute:", 1), `f.yaml:5:5: unknown key "excute" in a step: did you mean execute?`},
		"a need that is none":      {small + "needs: [validatr]\n", `f.yaml:8:9: an entry of needs: "validatr" is none of validator, workflow, auxiliary_failure, idempotency, probe, fold_case, answers, tasks, no_tasks: did you mean validator?`},
		"no item":                  {strings.Replace(small, "[good]", "[good, goood]", 1), `f.yaml:7:23: "goood" is no item: write for example`},
		"an item before its time":  {strings.Replace(small, "[good]", "[good, 2 again]", 1), `f.yaml:7:23: "2 again": there is no item 2 before it`},
		"again what":               {strings.Replace(small, "[good]", "[good again]", 1), `f.yaml:7:17: "good again" does not say which item comes again`},
		"how again":                {strings.Replace(small, "[good]", "[good, \"1\"]", 1), `f.yaml:7:23: "1" does not say how item 1 comes again`},
		"a bad item spelled":       {strings.Replace(small, "[good]", "[bad decomposed]", 1), `f.yaml:7:17: "bad decomposed": only good items`},
		"no variants":              {small[:strings.Index(small, "variants")], "f.yaml:1:1: variants is missing: name at least one, with its batch"},
		"no batch":                 {strings.Replace(small, "{batch: [good]}", "{effort: quick}", 1), "f.yaml:7:3: variant one has no batch, and step execute asks for it: write batch: [good, bad]"},
		"no why":                   {strings.Replace(small, "why: To see.\n", "", 1), "f.yaml:1:1: why is missing: say it in the file"},
		"two acts":                 {strings.Replace(small, "- execute: batch", "- {execute: batch, validate: batch}", 1), "f.yaml:5:22: the step says execute and validate: make them two steps"},
		"no act":                   {strings.Replace(small, "- execute: batch", "- {as: x}", 1), "the step does not say what to do: one of probe, reset"},
		"a key out of place":       {strings.Replace(small, "execute: batch", "{validate: batch, times: 3}", 1), "times has no meaning in a step that does validate: it goes with execute"},
		"one key, other items":     {strings.Replace(small, "execute: batch", "{parallel: batch, key: same}", 1), "f.yaml:5:5: one key for calls that ask for different items: write items: same, or key: own"},
		"beside the same":          {strings.Replace(small, "execute: batch", "{parallel: batch, items: same, beside: [many x 10]}", 1), "beside has no meaning where the items are same: leave beside or items out"},
		"among what overlaps":      {strings.Replace(small, "execute: batch", "{parallel: batch, items: overlapping, among: [read]}", 1), "among has no meaning where the items are overlapping: leave among or items out"},
		"nothing beside":           {strings.Replace(small, "execute: batch", "{parallel: batch, beside: []}", 1), "f.yaml:5:31: beside is empty: write beside: [many x 1000]"},
		"nothing among":            {strings.Replace(small, "execute: batch", "{parallel: batch, among: []}", 1), "among is empty: write among: [validate, read]"},
		"a stranger among":         {strings.Replace(small, "execute: batch", "{parallel: batch, among: [reed]}", 1), `f.yaml:5:31: an entry of among: "reed" is none of validate, read: did you mean read?`},
		"one item overlaps":        {strings.Replace(small, "execute: batch", "{parallel: [good], items: overlapping}", 1), "step parallel overlaps, and its batch has one item: write two or more: the first half is in every call"},
		"again in what overlaps":   {strings.Replace(small, "execute: batch", "{parallel: [good, 1 again], items: overlapping}", 1), "step parallel overlaps, and an item of its batch comes again: leave it out"},
		"a key that is neither":    {strings.Replace(small, "execute: batch", "{parallel: batch, key: true}", 1), "key is not a text"},
		"a key of nobody":          {strings.Replace(small, "execute: batch", "{execute: batch, key: true, as: first}\n  - {execute: batch, key_of: frist}", 1), `f.yaml:6:30: key_of: no step named "frist" with a key stands before: did you mean first?`},
		"a key of one without":     {strings.Replace(small, "execute: batch", "{execute: batch, as: first}\n  - {execute: batch, key_of: first}", 1), `key_of: no step named "first" with a key stands before`},
		"two keys":                 {strings.Replace(small, "execute: batch", "{execute: batch, key: true, as: first}\n  - {execute: batch, key: true, key_of: first}", 1), "the step has a key of its own and that of another step: leave one out"},
		"a session by name":        {strings.Replace(small, "execute: batch", "{execute: batch, session: s3}", 1), `session: "s3" is none of other`},
		"sessions in words":        {strings.Replace(small, "one: {", "one: {sessions: many, ", 1), "sessions is neither a whole number nor several"},
		"a step unknown":           {strings.Replace(small, "execute: batch", "{execute: batch, as: first}\n  - {repeat: frist}", 1), `f.yaml:6:14: no step named "frist" stands before: did you mean first?`},
		"resolved of an execute":   {strings.Replace(small, "execute: batch", "{execute: batch, as: first}\n  - {resolved: first}", 1), "f.yaml:6:16: resolved cannot follow step first, which does execute"},
		"a name twice":             {strings.Replace(small, "execute: batch", "execute: batch\n  - execute: batch", 1), "a second step named execute: name it apart with as:"},
		"a number out of range":    {small + "order: 20000\n", "f.yaml:8:8: order is not a whole number from 0 to 10000"},
		"no check's id":            {small + "checks: [res-2]\n", `f.yaml:8:10: "res-2" is no check's id`},
		"twice the same key":       {small + "title: again\n", "f.yaml:8:1:"},
		"not YAML":                 {"name: [\n", "f.yaml:"},
		"an anchor":                {strings.Replace(small, "To see.", "&a To see.", 1), "f.yaml:3:6:"},
		"two documents":            {small + "---\n" + small, "f.yaml:1:1: holds 2 documents: a scenario file holds one"},
		"nothing":                  {"", "f.yaml:1:1:"},
		"a list":                   {"- a\n", "f.yaml:1:1: a scenario is not a mapping"},
		"too deep":                 {"name: " + strings.Repeat("[", 40), "nested deeper than 16 levels"},
		"too long":                 {strings.Repeat("#", MaxFile+1), "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Parse("f.yaml", []byte(c.text))
			var told *Error
			if err == nil || !errors.As(err, &told) {
				t.Fatalf("read as %+v, error %v", s, err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("told %q\nwant %q", err, c.want)
			}
		})
	}
}

func TestKeysOfOnesOwnAreFree(t *testing.T) {
	s, err := Parse("f.yaml", []byte(small+"x-owner: us\n"))
	if err != nil || s.Name != "mine" || s.Line != 1 || s.Variants[0].Batch.Size() != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestScenariosOfAFolderJoinTheBuiltInOnes(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "no file there ends in .yaml") {
		t.Errorf("an empty folder: %v", err)
	}
	write("mine.yaml", small)
	write("notes.txt", "nothing for us")
	all, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	ours, _ := All()
	if len(all) != len(ours)+1 || all[len(all)-1].Name != "mine" {
		t.Errorf("%d scenarios, %d built in", len(all), len(ours))
	}
	write("other.yaml", strings.Replace(small, "name: mine", "name: partial", 1))
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "a second scenario named partial (the first is scenarios/builtin/partial.yaml:1)") {
		t.Errorf("a name taken: %v", err)
	}
	if _, err := Load(filepath.Join(folder, "nowhere")); err == nil {
		t.Error("a folder that is not there was read")
	}
}

func TestBatchesAreCutToWhatIsAllowed(t *testing.T) {
	for _, c := range []struct {
		words string
		most  int
		size  int
		ok    bool
	}{
		{"many x 1000", 50, 50, true},
		{"good x 3", 2, 2, true},
		{"good x 3", 1, 2, false},
		{"bad, good x 9", 4, 4, true},
		{"good, bad, good", 2, 3, false},
		{"many x 12, bad, many x 11, bad", 7, 7, true},
		{"good", 1, 1, true},
	} {
		var b Batch
		for _, word := range strings.Split(c.words, ", ") {
			e, err := parseEntry(word, b.Size())
			if err != nil {
				t.Fatal(err)
			}
			b = append(b, e)
		}
		got, ok := b.atMost(c.most)
		if ok != c.ok || ok && got.Size() != c.size {
			t.Errorf("%s at most %d: %d items, %v", c.words, c.most, got.Size(), ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	entries, err := files.ReadDir("builtin")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		text, err := files.ReadFile("builtin/" + e.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(small))
	f.Add([]byte("name: {a: [b, {c: d}]}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Parse("f.yaml", text)
		if err != nil {
			var told *Error
			if !errors.As(err, &told) || told.Line < 1 || told.Column < 1 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		if s.Name == "" || len(s.Variants) == 0 || s.AllChecks() == nil && len(s.Checks) > 0 {
			t.Fatalf("half a scenario: %+v", s)
		}
	})
}
