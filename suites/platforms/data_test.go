package platforms

import (
	"strings"
	"testing"
)

func builtinData(t *testing.T) *Data {
	t.Helper()
	d, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestBuiltinPlatformsRead(t *testing.T) {
	d := builtinData(t)
	if len(d.Platforms) < 14 {
		t.Errorf("%d platforms", len(d.Platforms))
	}
	ids := map[string]string{}
	for _, p := range d.Platforms {
		for _, r := range p.Rules {
			if other := ids[r.ID]; other != "" {
				t.Errorf("%s stands in %s and in %s", r.ID, other, p.Name)
			}
			ids[r.ID] = p.Name
		}
	}
	for _, p := range d.Platforms {
		for _, r := range p.Rules {
			for _, id := range r.Against {
				if ids[id] == "" {
					t.Errorf("%s is against %s, which does not exist", r.ID, id)
				}
			}
		}
	}
	if !strings.HasPrefix(d.Digest(), "sha256:") {
		t.Error(d.Digest())
	}
}

func TestDataMistakesAreToldByLine(t *testing.T) {
	const good = `version: 1
platform: mine
title: Mine
about: A client of ours.
rules:
  - id: MY-NAME
    level: error
    text: Short names.
    basis: official
    source: our page
    verified: 2026-11-01
    mend: Shorten it.
    look: {length: {of: tool.name, most: 10}}
`
	d := builtinData(t)
	more, err := d.With("mine.yaml", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if more.Find("mine") == nil || more.Find("agentforce") == nil || more.Digest() == d.Digest() {
		t.Error("the file is not added to what comes with the tool")
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"an unknown key":        {"    mend:", "    mended: x\n    mend:", `mine.yaml:12:5: a rule has the key "mended"`},
		"a wrong level":         {"level: error", "level: fatal", `mine.yaml:7:12: the level "fatal" is none of`},
		"a wrong basis":         {"basis: official", "basis: rumour", `mine.yaml:9:12: the basis "rumour" is none of`},
		"a wrong day":           {"2026-11-01", "yesterday", `mine.yaml:11:15: ` + "`verified` is \"yesterday\""},
		"an unknown look":       {"length:", "lenght:", `mine.yaml:13:12: there is no look "lenght"`},
		"a look without figure": {", most: 10", "", "mine.yaml:13:12: the look length needs `most`"},
		"an unknown figure":     {"most: 10", "most: 10, least: 2", `mine.yaml:13:46: the look length has the key "least"`},
		"a wrong figure":        {"most: 10", "most: ten", "mine.yaml:13:42: `most` is \"ten\""},
		"an unknown text":       {"tool.name", "tool.nam", "mine.yaml:13:25: `of` is \"tool.nam\""},
		"no source":             {"    source: our page\n", "", "mine.yaml:6:5: `source` is missing or empty"},
		"no version":            {"version: 1", "version: 2", "`version` is missing, or not 1"},
		"an id that is none":    {"MY-NAME", "my name", `"my name" is no id`},
		"no YAML":               {"rules:", "rules: [", "mine.yaml:"},
		"nothing":               {good, "", "the file holds no platform"},
		"an unknown other":      {"rules:", "like: yours\nrules:", `there is no platform "yours"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.With("mine.yaml", []byte(strings.Replace(good, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// What explain says that a rule needs is about looks that exist.
func TestNeedsNameLooksThatExist(t *testing.T) {
	for need, names := range evidence {
		for _, name := range names {
			if _, ok := looks[name]; !ok {
				t.Errorf("%s: there is no look %s", need, name)
			}
		}
	}
	used := map[string]bool{}
	for _, p := range builtinData(t).Platforms {
		for _, r := range p.Rules {
			for _, l := range r.Looks {
				used[l.name] = true
			}
		}
	}
	for name := range looks {
		if !used[name] {
			t.Errorf("no rule looks by %s", name)
		}
	}
}

func TestOddLettersAreTold(t *testing.T) {
	for text, want := range map[string]string{
		"Cancela um ou mais produtos: ação, não; «ç» – 5 µs → ok": "",
		"製品をキャンセルする":                                              "",
		"Отменяет заказы":                                         "",
		"a\u200bb":                                                "invisible",
		"a\u00adb":                                                "invisible",
		"a\u202eb":                                                "direction of writing",
		"a\U000e0041":                                             "tag character",
		"\U0001d400bold":                                          "mathematical",
		"done \u2705":                                             "pictogram",
		"done \U0001f600":                                         "pictogram",
		"p\u0430ypal":                                             "several scripts: Cyrillic, Latin",
	} {
		if got := odd(text); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%+q: got %q, want %q", text, got, want)
		}
	}
}
