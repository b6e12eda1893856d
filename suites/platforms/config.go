package platforms

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// everyEntry looks at each entry of an allow-list.
func everyEntry(s *Subject, each func(i int, e *Entry, seen *sight)) (seen sight) {
	if s.Allowed == nil {
		return lacking(noAllowed)
	}
	for i := range s.Allowed.Entries {
		seen.of++
		each(i, &s.Allowed.Entries[i], &seen)
	}
	return seen
}

// entries looks whether each entry holds a whole definition; without an allow-list,
// whether the server's tools would make one.
func entries(s *Subject, _ with) sight {
	missing := func(n *rawjson.Node) (all []string) {
		for _, key := range []string{"name", "description", "inputSchema"} {
			if n.Get(key) == nil || n.Get(key).Is(rawjson.Null) {
				all = append(all, key)
			}
		}
		return all
	}
	if s.Allowed == nil {
		return everyTool(s, func(t *conform.Tooling, seen *sight) {
			seen.of++
			if all := missing(t.Node); len(all) > 0 {
				seen.hit(t.Name, "", "the server's definition has no "+names(all))
			}
		})
	}
	return everyEntry(s, func(i int, e *Entry, seen *sight) {
		at := fmt.Sprintf("[%d].tool", i)
		if !e.Whole {
			seen.hit(e.Tool.Name, at, "`tool` is no object with the tool's definition")
		} else if all := missing(e.Tool.Node); len(all) > 0 {
			seen.hit(e.Tool.Name, at, "no "+names(all))
		}
	})
}

func entryKeys(s *Subject, _ with) sight {
	return everyEntry(s, func(i int, e *Entry, seen *sight) {
		at := fmt.Sprintf("[%d]", i)
		for _, m := range members(e.Node) {
			switch m.Name {
			case "tool":
			case "instruction":
				if !m.Value.Is(rawjson.String) {
					seen.hit(e.Tool.Name, at, "`instruction` is no string")
				}
			case "argOverrides":
				if !m.Value.Is(rawjson.Object) {
					seen.hit(e.Tool.Name, at, "`argOverrides` is no object")
				}
			default:
				seen.hit(e.Tool.Name, at, "the key "+quoted(m.Name)+" is none of tool, instruction, argOverrides")
			}
		}
	})
}

func entryTwice(s *Subject, _ with) sight {
	seenAt := map[string]int{}
	return everyEntry(s, func(i int, e *Entry, seen *sight) {
		if first, twice := seenAt[e.Tool.Name]; twice {
			seen.hit(e.Tool.Name, fmt.Sprintf("[%d]", i), fmt.Sprintf("the name stands at [%d] already", first))
			return
		}
		seenAt[e.Tool.Name] = i
	})
}

// authTypes are those that the platform's own library takes, and those that only a
// visual node takes.
var authTypes = map[string]bool{"NO_AUTH": true, "BEARER_TOKEN": true, "OAUTH": false, "OCI_RESOURCE_PRINCIPAL": false}

func entryAuth(s *Subject, _ with) (seen sight) {
	switch {
	case s.Allowed == nil:
		return lacking(noAllowed)
	case s.Allowed.Auth == nil:
		return lacking("the allow-list's file says nothing of `auth`")
	}
	seen.of = 1
	typ, _ := s.Allowed.Auth.Get("authType").Str()
	token, _ := s.Allowed.Auth.Get("token").Str()
	coded, known := authTypes[typ]
	switch {
	case !known:
		seen.hit("", "auth", "`authType` is "+quoted(typ))
	case !coded:
		seen.hits = append(seen.hits, hit{path: "auth", severity: conform.Warning, got: quoted(typ) + " is taken by the visual node, and refused by aidputils in code"})
	case typ == "BEARER_TOKEN" && token == "":
		seen.hit("", "auth", "BEARER_TOKEN without `token`")
	}
	return seen
}

var reference = regexp.MustCompile(`^\{\{\s*session[Vv]ariables\.[^}]+\}\}$`)

func entryToken(s *Subject, _ with) (seen sight) {
	switch {
	case s.Allowed == nil:
		return lacking(noAllowed)
	case s.Allowed.Auth.Get("token") == nil:
		return lacking("the allow-list's file holds no `token`")
	}
	seen.of = 1
	if token, _ := s.Allowed.Auth.Get("token").Str(); !reference.MatchString(token) {
		seen.hit("", "auth/token", "the token itself stands in the file") // and not in the finding
	}
	return seen
}

// entryStdio finds a configuration that starts a command.
func entryStdio(s *Subject, _ with) (seen sight) {
	if s.Allowed == nil {
		return lacking(noAllowed)
	}
	seen.of = 1
	commands := s.Allowed.Top.Has("command")
	for _, m := range members(s.Allowed.Top.Get("mcpServers")) {
		commands = commands || m.Value.Has("command")
	}
	if commands {
		seen.hit("", "command", "the configuration starts a command")
	}
	return seen
}

func instruction(s *Subject, _ with) sight {
	return everyEntry(s, func(i int, e *Entry, seen *sight) {
		t := s.tool(e.Tool.Name)
		if strings.TrimSpace(e.Instruction) == "" || t == nil || s.NamesOnly {
			return
		}
		if e.Whole && description(t) != description(&e.Tool) {
			h := hit{tool: e.Tool.Name, path: fmt.Sprintf("[%d].instruction", i), got: "the instruction replaces a description that the server has changed since",
				list: description(&e.Tool), server: description(t)}
			seen.hits = append(seen.hits, h)
		}
	})
}

// override looks at the values that an allow-list sets: their names, that they are
// texts, that they read as the parameter's type.
func override(s *Subject, w with) (seen sight) {
	of := func(e *Entry) *rawjson.Node { // the definition that counts: the one in the list
		if e.Whole && e.Tool.InputSchema != nil {
			return e.Tool.InputSchema
		}
		if t := s.tool(e.Tool.Name); t != nil {
			return t.InputSchema
		}
		return nil
	}
	if s.Allowed == nil {
		return lacking(noAllowed)
	}
	for i := range s.Allowed.Entries {
		e := &s.Allowed.Entries[i]
		schema := of(e)
		for _, m := range members(e.Overrides) {
			seen.of++
			at := fmt.Sprintf("[%d].argOverrides.%s", i, m.Name)
			p := schema.At("properties", m.Name)
			value, text := m.Value.Str()
			switch {
			case slices.Contains(w.words, "name") && schema != nil && p == nil:
				mend := ""
				if near := nearest(m.Name, schema); near != "" {
					mend = "; did you mean " + quoted(near) + "?"
				}
				seen.hit(e.Tool.Name, at, "the tool has no parameter "+quoted(m.Name)+mend)
			case slices.Contains(w.words, "string") && !text:
				seen.hit(e.Tool.Name, at, fmt.Sprintf("the value is %s, and must be a string: %s", m.Value.Kind.Article(), encoded(string(m.Value.Raw))))
			case slices.Contains(w.words, "type") && text && p != nil:
				if why := unread(value, p); why != "" {
					seen.hit(e.Tool.Name, at, why)
				}
			}
		}
	}
	return seen
}

// nearest gives the parameter that a misspelt name most likely means.
func nearest(name string, schema *rawjson.Node) string {
	for _, m := range members(schema.Get("properties")) {
		if folded(m.Name) == folded(name) || strings.HasPrefix(m.Name, name) || strings.HasPrefix(name, m.Name) {
			return m.Name
		}
	}
	return ""
}

// overrideable finds parameters of which no part can be set.
func overrideable(s *Subject, _ with) sight {
	return everyTool(s, func(t *conform.Tooling, seen *sight) {
		seen.of++
		var deep []string
		for _, f := range classify(t.InputSchema).fields {
			if f.class != primitive && f.class != unmapped {
				deep = append(deep, f.name)
			}
		}
		if len(deep) > 0 {
			seen.hit(t.Name, "inputSchema", "no part of these can be set: "+names(deep))
		}
	})
}

// requiredLeft tells which required parameters the agent has to fill in, and which are set.
func requiredLeft(s *Subject, _ with) sight {
	return everyEntry(s, func(i int, e *Entry, seen *sight) {
		var set, left []string
		for _, name := range texted(e.Tool.InputSchema.Get("required")) {
			if e.Overrides.Has(name) {
				set = append(set, name)
			} else {
				left = append(left, name)
			}
		}
		if len(set) > 0 {
			seen.hit(e.Tool.Name, fmt.Sprintf("[%d]", i), fmt.Sprintf("required and set: %s; left to the agent: %s", names(set), orNothing(left)))
		}
	})
}
