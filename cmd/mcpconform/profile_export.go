package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/suites/agentplatform"
	"github.com/mcpconform/mcpconform/suites/platforms"
)

// agentPlatform is the platform whose configuration can be read.
const agentPlatform = "agent-platform-oci"

const exportWords = "allowed-tools (oracle-aidp), fields (agentforce), target and answers (agent-platform-oci), tools (any), client (the platforms whose configuration has a known shape)"

// exportable says what cannot be exported for a platform.
func (f profileFlags) exportable(p *platforms.Platform) error {
	switch f.export {
	case "allowed-tools":
		if !strings.HasPrefix(p.Name, "oracle-aidp") {
			return usage(fmt.Errorf("--export allowed-tools is for oracle-aidp, not for %s", p.Name), "")
		}
		if !slices.Contains([]string{"json", "python", "node"}, f.form) {
			return usage(fmt.Errorf("--form %q is none of json, python, node", f.form), "")
		}
		return nil
	case "fields":
		if !strings.HasPrefix(p.Name, "agentforce") {
			return usage(fmt.Errorf("--export fields is for agentforce, not for %s", p.Name), "")
		}
	case "client":
		if !slices.Contains(platforms.ClientShapes(), p.Name) {
			return usage(fmt.Errorf("--export client: the shape of %s's configuration is not known", p.Name), "known are "+strings.Join(platforms.ClientShapes(), ", "))
		}
	case "target", "answers":
		if p.Name != agentPlatform {
			return usage(fmt.Errorf("--export %s is for %s, not for %s", f.export, agentPlatform, p.Name), "")
		}
		if f.export == "target" && f.tools == "" {
			return usage(errors.New("--export target is given without --tools"), "it is made of the platform's configuration: --tools tools.yaml --policies tool_policies.yaml")
		}
		if f.export == "answers" && f.from == "" {
			return usage(errors.New("--export answers is given without --from"), "it tells the answers of a recording: run --transcript FILE, then --from FILE")
		}
	case "tools":
	default:
		return usage(fmt.Errorf("--export %q is not known", f.export), "there are "+exportWords)
	}
	if len(f.overrides) > 0 || len(f.told) > 0 || f.form != "json" {
		return usage(fmt.Errorf("--override, --instruction and --form belong to --export allowed-tools, not to %s", f.export), "")
	}
	return nil
}

// exported writes what --export asks for.
func (f profileFlags) exported(w world, p *platforms.Platform, s *platforms.Subject, command []string) error {
	if s.NamesOnly && f.export != "client" && f.export != "target" {
		return usage(fmt.Errorf("%s holds the names of the tools only", f.from), "export from the server itself, or from a transcript")
	}
	name, at := s.ServerName, conform.WithoutSecrets(s.URL)
	if name == "" {
		name = "SERVER"
	}
	if at == "" {
		at = "https://HOST/mcp"
	}
	switch f.export {
	case "fields":
		type fields struct {
			Tool string `json:"tool"`
			conform.ToolFields
		}
		var all []fields
		for i := range s.Tools {
			all = append(all, fields{s.Tools[i].Name, platforms.Fields(&s.Tools[i])})
		}
		return writeJSON(w.out, all)
	case "target":
		return writeText(w, s.Config.Target(name, serverLines(at, command), func(tool string) bool {
			return slices.ContainsFunc(s.Tools, func(t conform.Tooling) bool { return t.Name == tool })
		}))
	case "answers":
		return writeJSON(w.out, answersSeen(s))
	case "tools":
		return writeText(w, platforms.Listing(s))
	case "client":
		return writeText(w, platforms.ClientConfig(p.Name, name, at, s))
	}
	overrides, err := settings(f.overrides, true)
	if err != nil {
		return err
	}
	told, err := settings(f.told, false)
	if err != nil {
		return err
	}
	text, err := platforms.AllowListOf(s, f.form, overrides, told, name, at)
	if err != nil {
		return usage(err, "")
	}
	return writeText(w, text)
}

func writeText(w world, text string) error {
	if _, err := io.WriteString(w.out, text); err != nil {
		return &exitError{code: exitInternal, cause: fmt.Errorf("writing the export: %w", err)}
	}
	return nil
}

// settings reads TOOL.PARAMETER=VALUE, or TOOL=TEXT and TOOL=@FILE.
func settings(words []string, parameter bool) (all []platforms.Setting, err error) {
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		s := platforms.Setting{Tool: key, Value: value}
		if parameter {
			at := strings.LastIndexByte(key, '.')
			if !ok || at <= 0 || at == len(key)-1 {
				return nil, usage(fmt.Errorf("--override %q is not of the form TOOL.PARAMETER=VALUE", word), "for example --override cancel_products.channel=agent")
			}
			s.Tool, s.Parameter = key[:at], key[at+1:]
		} else if !ok || key == "" {
			return nil, usage(fmt.Errorf("--instruction %q is not of the form TOOL=TEXT or TOOL=@FILE", word), "")
		} else if path, file := strings.CutPrefix(value, "@"); file {
			text, err := readSmall("--instruction", path)
			if err != nil {
				return nil, err
			}
			s.Value = strings.TrimSpace(string(text))
		}
		all = append(all, s)
	}
	return all, nil
}

// serverLines are the lines of a target file that say where the server is.
func serverLines(address string, command []string) string {
	if len(command) == 0 {
		return fmt.Sprintf("  url: %q\n", address)
	}
	var words []string
	for _, word := range command {
		quoted, _ := json.Marshal(strings.ReplaceAll(word, "${", "$${")) // a string always encodes
		words = append(words, string(quoted))
	}
	return "  command: [" + strings.Join(words, ", ") + "]\n"
}

// seenAnswer is one recorded answer as the agent platform sees it.
type seenAnswer struct {
	Call  string               `json:"call,omitempty"`
	Tool  string               `json:"tool"`
	Items int                  `json:"items"`
	Views []agentplatform.View `json:"views"`
}

func answersSeen(s *platforms.Subject) []seenAnswer {
	all := []seenAnswer{}
	for i := range s.Answers {
		a := &s.Answers[i]
		if a.Result == nil {
			continue
		}
		one := seenAnswer{Call: a.Call, Tool: a.Tool, Items: a.Items}
		for _, over := range agentplatform.Transports() {
			one.Views = append(one.Views, platforms.Seen(a, over))
		}
		all = append(all, one)
	}
	return all
}
