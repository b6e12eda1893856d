package platforms

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// piece is one text of a server, and where it stands.
type piece struct{ tool, path, text string }

var textsOf = []string{"tool.name", "tool.description", "server.instructions", "input.keys", "input.parameters"}

// texts gives the texts that a look is about.
func texts(s *Subject, of string) (all []piece, lacks string) {
	switch {
	case of == "server.instructions":
		if !s.Greeted {
			return nil, noGreeting
		}
		if s.Instructions == "" {
			return nil, ""
		}
		return []piece{{"", "instructions", s.Instructions}}, ""
	case of != "tool.name" && s.NamesOnly:
		return nil, noSchemas
	}
	for i := range s.Tools {
		t := &s.Tools[i]
		switch of {
		case "tool.name":
			all = append(all, piece{t.Name, "name", t.Name})
		case "tool.description":
			all = append(all, piece{t.Name, "description", description(t)})
		case "input.parameters":
			for _, m := range members(t.InputSchema.Get("properties")) {
				all = append(all, piece{t.Name, m.Value.Pointer(), m.Name})
			}
		case "input.keys":
			schemas(t.InputSchema, func(n *rawjson.Node) {
				for _, m := range members(n.Get("properties")) {
					all = append(all, piece{t.Name, m.Value.Pointer(), m.Name})
				}
			})
		}
	}
	return all, ""
}

func pattern(s *Subject, w with) (seen sight) {
	all, lacks := texts(s, w.of)
	seen.lacks, seen.of = lacks, len(all)
	like := regexp.MustCompile(w.pattern) // compiled once before, when the data were read
	for _, p := range all {
		if like.MatchString(p.text) == w.forbid {
			seen.hit(p.tool, p.path, quoted(p.text))
		}
	}
	return seen
}

// quoted shortens a text of the server's for a finding.
func quoted(text string) string { return "`" + rawjson.Cut(text, 80) + "`" }

func length(s *Subject, w with) (seen sight) {
	all, lacks := texts(s, w.of)
	seen.lacks, seen.of = lacks, len(all)
	before := strings.ReplaceAll(w.prefix, "{server}", s.ServerName)
	if strings.Contains(w.prefix, "{server}") && s.ServerName == "" && lacks == "" {
		seen.lacks = noServerName
	}
	for _, p := range all {
		size, unit := utf8.RuneCountInString(before+p.text)+w.add, "characters"
		if w.unit == "bytes" {
			size, unit = len(before)+len(p.text)+w.add, "bytes"
		}
		if size <= w.most && (w.warn == 0 || size <= w.warn) {
			continue
		}
		got := fmt.Sprintf("%d %s", size, unit)
		switch {
		case before != "":
			got += fmt.Sprintf(" with %q before it", before)
		case w.add > 0:
			got += fmt.Sprintf(" with %d for what the client puts before it", w.add)
		}
		h := hit{tool: p.tool, path: p.path, got: got}
		if size <= w.most {
			h.severity, h.got = conform.Warning, fmt.Sprintf("%s, and %d is the older limit", got, w.warn)
		}
		seen.hits = append(seen.hits, h)
	}
	return seen
}

// letters finds what a reader of a description cannot see, or takes for something else.
func letters(s *Subject, _ with) (seen sight) {
	if s.NamesOnly {
		return lacking(noSchemas)
	}
	for i := range s.Tools {
		t := &s.Tools[i]
		title, _ := t.Node.Get("title").Str()
		all := []piece{{t.Name, "name", t.Name}, {t.Name, "title", title}, {t.Name, "description", description(t)}}
		schemas(t.InputSchema, func(n *rawjson.Node) {
			if text, ok := n.Get("description").Str(); ok {
				all = append(all, piece{t.Name, "inputSchema" + n.Get("description").Pointer(), text})
			}
		})
		for _, p := range all {
			if p.text == "" {
				continue
			}
			seen.of++
			if what := odd(p.text); what != "" {
				seen.hit(p.tool, p.path, what)
			}
		}
	}
	return seen
}

// odd says what of a text is invisible, decorative or of a second script.
func odd(text string) string {
	scripts := map[string]bool{}
	for _, r := range text {
		switch {
		case r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069:
			return fmt.Sprintf("the mark U+%04X turns the direction of writing", r)
		case r >= 0xE0000 && r <= 0xE007F:
			return fmt.Sprintf("the tag character U+%04X is invisible", r)
		case unicode.Is(unicode.Cf, r):
			return fmt.Sprintf("the character U+%04X is invisible", r)
		case r >= 0x1D400 && r <= 0x1D7FF:
			return fmt.Sprintf("the letter U+%04X is a mathematical one", r)
		case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r == 0xFE0F:
			return fmt.Sprintf("U+%04X is a pictogram", r)
		case unicode.IsLetter(r):
			if name := scriptOf(r); name != "" {
				scripts[name] = true
			}
		}
	}
	if len(scripts) > 1 {
		return "letters of several scripts: " + strings.Join(slices.Sorted(maps.Keys(scripts)), ", ")
	}
	return ""
}

// scriptOf names the script of a letter. What is common to scripts is none, and the
// three of Japanese are one.
func scriptOf(r rune) string {
	for _, s := range []struct {
		name string
		all  []*unicode.RangeTable
	}{
		{"Latin", []*unicode.RangeTable{unicode.Latin}}, {"Greek", []*unicode.RangeTable{unicode.Greek}}, {"Cyrillic", []*unicode.RangeTable{unicode.Cyrillic}},
		{"Arabic", []*unicode.RangeTable{unicode.Arabic}}, {"Hebrew", []*unicode.RangeTable{unicode.Hebrew}}, {"Devanagari", []*unicode.RangeTable{unicode.Devanagari}},
		{"Han or Kana", []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}}, {"Hangul", []*unicode.RangeTable{unicode.Hangul}}, {"Thai", []*unicode.RangeTable{unicode.Thai}},
		{"Common", []*unicode.RangeTable{unicode.Common, unicode.Inherited}},
	} {
		if unicode.In(r, s.all...) {
			if s.name == "Common" {
				return ""
			}
			return s.name
		}
	}
	return "another"
}

func described(s *Subject, _ with) (seen sight) {
	all, lacks := texts(s, "tool.description")
	seen.lacks, seen.of = lacks, len(all)
	for _, p := range all {
		if strings.TrimSpace(p.text) == "" {
			seen.hit(p.tool, p.path, "no description")
		}
	}
	return seen
}

func parametersDescribed(s *Subject, _ with) (seen sight) {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		var bare []string
		for _, m := range members(t.InputSchema.Get("properties")) {
			seen.of++
			if text, _ := m.Value.Get("description").Str(); strings.TrimSpace(text) == "" {
				bare = append(bare, m.Name)
			}
		}
		if len(bare) > 0 {
			seen.hit(t.Name, "inputSchema", "no description of "+names(bare))
		}
	})
}

// everyTool looks at each tool's whole definition.
func everyTool(s *Subject, each func(*conform.Tooling, *sight)) (seen sight) {
	if s.NamesOnly {
		return lacking(noSchemas)
	}
	for i := range s.Tools {
		each(&s.Tools[i], &seen)
	}
	return seen
}

// names lists a few names for a finding.
func names(all []string) string {
	const shown = 6
	quoted := make([]string, 0, shown)
	for _, name := range all[:min(len(all), shown)] {
		quoted = append(quoted, rawjson.Cut(name, 60))
	}
	text := strings.Join(quoted, ", ")
	if more := len(all) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// declared looks whether members of a tool's definition are there; with forbid,
// whether they are not.
func declared(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		seen.of++
		var found, missing []string
		for _, word := range w.words {
			if t.Node.Has(word) {
				found = append(found, word)
			} else {
				missing = append(missing, word)
			}
		}
		switch {
		case w.forbid && len(found) > 0:
			seen.hit(t.Name, found[0], "the tool has "+names(found))
		case !w.forbid && len(missing) > 0:
			seen.hit(t.Name, missing[0], "the tool has no "+names(missing))
		}
	})
}

func count(s *Subject, w with) (seen sight) {
	seen.of = 1
	n := len(s.Tools)
	switch {
	case n > w.most:
		seen.hit("", "", fmt.Sprintf("%d tools, and %d are the most", n, w.most))
	case w.warn > 0 && n > w.warn:
		seen.hits = append(seen.hits, hit{severity: conform.Warning, got: fmt.Sprintf("%d tools, and %d are the most that are advised", n, w.warn)})
	}
	return seen
}

func onePage(s *Subject, _ with) (seen sight) {
	if s.Pages == 0 && !s.More {
		return lacking(noPages)
	}
	seen.of = 1
	switch {
	case s.Pages > 1:
		seen.hit("", "", fmt.Sprintf("the tools came on %d pages", s.Pages))
	case s.More:
		seen.hit("", "nextCursor", "the list announces a further page")
	}
	return seen
}

func pagesEnd(s *Subject, _ with) (seen sight) {
	if s.Pages == 0 {
		return lacking(noPages)
	}
	seen.of = s.Pages
	if s.Circles {
		seen.hit("", "nextCursor", "tools/list gave a cursor twice")
	}
	return seen
}

// cutNames finds tools that get the same name where a client cuts the middle out.
func cutNames(s *Subject, w with) (seen sight) {
	const mark = "___"
	by := map[string]string{}
	for _, t := range s.Tools {
		seen.of++
		name := t.Name
		if most := w.most - w.add; len(name) > most && most > len(mark)+1 {
			head := (most - len(mark)) / 2
			tail := most - len(mark) - head
			name = name[:head] + mark + name[len(name)-tail:]
		}
		if other, taken := by[name]; taken && other != t.Name {
			seen.hit(t.Name, "name", fmt.Sprintf("cut to %d characters it is called as %s is", w.most, quoted(other)))
		}
		by[name] = t.Name
	}
	return seen
}

// uniqueBeside finds names that another server of the same client has too.
func uniqueBeside(s *Subject, _ with) (seen sight) {
	if len(s.Beside) == 0 {
		return lacking(noBeside)
	}
	for _, server := range slices.Sorted(maps.Keys(s.Beside)) {
		for _, t := range s.Tools {
			seen.of++
			if slices.Contains(s.Beside[server], t.Name) {
				seen.hit(t.Name, "name", "the server of "+quoted(server)+" has a tool of that name too")
			}
		}
	}
	return seen
}

// resultsClash finds tools of given names whose results are none of a batch.
func resultsClash(s *Subject, w with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		seen.of++
		if !slices.Contains(w.words, t.Name) {
			return
		}
		items := t.OutputSchema.At("properties", "results", "items", "properties")
		if t.OutputSchema.At("properties", "results") != nil && !items.Has("success") && !items.Has("ok") {
			seen.hit(t.Name, "outputSchema", "`results` here are what was found, not what became of a batch")
		}
	})
}

// searchTool looks at the two tools that a client calls by their names.
func searchTool(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		seen.of++
		if t.Name != "search" && t.Name != "fetch" {
			return
		}
		parameters := members(t.InputSchema.Get("properties"))
		if len(parameters) != 1 {
			seen.hit(t.Name, "inputSchema", fmt.Sprintf("%d parameters, and one string is wanted", len(parameters)))
		} else if typ, _ := parameters[0].Value.Get("type").Str(); typ != "string" {
			seen.hit(t.Name, "inputSchema", "the one parameter is no string")
		}
		if item := t.OutputSchema.At("properties", "results", "items", "properties"); t.Name == "search" && item != nil {
			var missing []string
			for _, key := range []string{"id", "title", "url"} {
				if !item.Has(key) {
					missing = append(missing, key)
				}
			}
			if len(missing) > 0 {
				seen.hit(t.Name, "outputSchema", "an entry of `results` has no "+names(missing))
			}
		}
	})
}
