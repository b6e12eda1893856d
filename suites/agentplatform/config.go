package agentplatform

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/mcpconform/mcpconform/internal/yamlfile"
)

// Config is the platform's configuration of a server's tools: tools.yaml, and
// tool_policies.yaml.
type Config struct {
	ToolsFile, PoliciesFile string
	Tools                   []Tool
	Policies                []Policy // of tool_policies.yaml; empty: none was given
	// Unknown are keys that the platform does not have, though people write them.
	Unknown []Key
}

// Key is a key and where it stands.
type Key struct {
	Name, File string
	Line       int
	Instead    string // the key that was most likely meant; empty: it is not needed at all
}

// Tool is one entry of tools.yaml.
type Tool struct {
	Name         string
	Line         int
	Description  string
	Server       string
	Enabled      bool
	Confirmation *bool // nil: not said
	Requires     []string
	Arguments    []Argument
}

// Argument is one parameter of args_schema.
type Argument struct {
	Name string
	Type string // array, list, or a scalar's; empty: not said
	Line int
}

// Several tells whether the argument takes a collection.
func (a Argument) Several() bool { return a.Type == "array" || a.Type == "list" }

// Policy is one entry of tool_policies.yaml.
type Policy struct {
	Tool         string
	Line         int
	Operation    string // transactional, read_only, conversational, internal; empty: not said
	Confirmation *bool
	Requires     []string
	// Validates is set where pre_validation is enabled, Validator the tool that it calls.
	Validates   bool
	Validator   string
	ValidatorAt int // its line
	FailOpen    bool
}

// Tool gives a tool by its name; nil if there is none.
func (c *Config) Tool(name string) *Tool {
	for i := range c.Tools {
		if c.Tools[i].Name == name {
			return &c.Tools[i]
		}
	}
	return nil
}

// Policy gives a tool's policy; nil if there is none.
func (c *Config) Policy(tool string) *Policy {
	for i := range c.Policies {
		if c.Policies[i].Tool == tool {
			return &c.Policies[i]
		}
	}
	return nil
}

// Confirms tells whether a call is confirmed by the user first. Where the two files
// disagree the policy wins.
func (c *Config) Confirms(tool string) bool {
	if p := c.Policy(tool); p != nil && p.Confirmation != nil {
		return *p.Confirmation
	}
	t := c.Tool(tool)
	return t != nil && t.Confirmation != nil && *t.Confirmation
}

// none are keys that people expect and that do not exist: what several items need is
// said by the parameter's type.
var none = []string{"multi_item", "multi_item_strategy", "fan_out"}

// known are the keys that are read, by where they stand.
var known = map[string][]string{
	"a tool":           {"description", "mcp_server", "enabled", "tool_type", "confirmation_required", "requires", "args_schema"},
	"a parameter":      {"type", "label", "description", "user_prompt"},
	"a policy":         {"operation_type", "require_confirmation", "requires", "pre_validation"},
	"`pre_validation`": {"enabled", "tool", "fail_open"},
}

// Read reads tools.yaml, and tool_policies.yaml if there is one (nil: there is none).
// Keys that it does not know are the platform's own affair, but for those that are
// expected and do not exist, and those that are misspelt.
func Read(toolsFile string, tools []byte, policiesFile string, policies []byte) (*Config, error) {
	c := &Config{ToolsFile: toolsFile, PoliciesFile: policiesFile}
	errs := c.read(toolsFile, tools, "tools", c.tool)
	if policies != nil {
		errs = errors.Join(errs, c.read(policiesFile, policies, "tool_policies", c.policy))
	}
	if errs != nil {
		return nil, errs
	}
	return c, nil
}

func (c *Config) read(file string, text []byte, key string, entry func(r *yamlfile.Reader, name string, line int, t yamlfile.Table)) error {
	documents, err := yamlfile.Documents(file, text, "the platform's configuration")
	if err != nil {
		return err
	}
	if len(documents) != 1 {
		return &yamlfile.Error{File: file, Line: 1, What: fmt.Sprintf("the file has %d documents, and must have one", len(documents)), Mend: "begin with " + key + ":"}
	}
	r := &yamlfile.Reader{File: file}
	top := r.Table(documents[0], "the file")
	all := top.Values[key]
	if all == nil {
		r.Fail(top.At, "the file has no `"+key+"`", "is it the right file?")
		return errors.Join(r.Errs...)
	}
	c.misplaced(r, top, "")
	list := r.Table(all, "`"+key+"`")
	for _, name := range list.Keys {
		if slices.Contains(none, name) {
			c.misplaced(r, list, "")
			continue
		}
		entry(r, name, list.Lines[name], r.Table(list.Values[name], "`"+name+"`"))
	}
	return errors.Join(r.Errs...)
}

// misplaced notes keys that the platform does not have.
func (c *Config) misplaced(r *yamlfile.Reader, t yamlfile.Table, where string) {
	for _, key := range t.Keys {
		k := Key{Name: key, File: r.File, Line: t.Lines[key]}
		if !slices.Contains(none, key) {
			if where == "" || slices.Contains(known[where], key) {
				continue
			}
			if k.Instead = near(key, known[where]); k.Instead == "" {
				continue
			}
		}
		if !slices.Contains(c.Unknown, k) {
			c.Unknown = append(c.Unknown, k)
		}
	}
}

// near gives the known key that another one is a spelling of.
func near(key string, known []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(s))
	}
	for _, k := range known {
		if plain(k) == plain(key) || plain(k) == plain(key)+"s" || plain(k)+"s" == plain(key) {
			return k
		}
	}
	return ""
}

func (c *Config) tool(r *yamlfile.Reader, name string, line int, t yamlfile.Table) {
	c.misplaced(r, t, "a tool")
	tool := Tool{Name: name, Line: line, Description: r.Text(t, "description", false), Server: r.Text(t, "mcp_server", false),
		Enabled: t.Values["enabled"] == nil || r.Yes(t, "enabled"), Confirmation: maybe(r, t, "confirmation_required"), Requires: r.Words(t, "requires")}
	if schema := t.Values["args_schema"]; schema != nil && schema.Type() != ast.NullType {
		args := r.Table(schema, "`args_schema` of "+name)
		for _, key := range args.Keys {
			if slices.Contains(none, key) {
				c.misplaced(r, args, "")
				continue
			}
			a := Argument{Name: key, Line: args.Lines[key]}
			switch n := args.Values[key]; n.Type() {
			case ast.StringType: // the short form: its type alone
				a.Type = yamlfile.Plain(n)
			case ast.NullType:
			default:
				inner := r.Table(n, "`"+key+"`")
				c.misplaced(r, inner, "a parameter")
				a.Type = r.Text(inner, "type", false)
			}
			tool.Arguments = append(tool.Arguments, a)
		}
	}
	c.Tools = append(c.Tools, tool)
}

func (c *Config) policy(r *yamlfile.Reader, name string, line int, t yamlfile.Table) {
	c.misplaced(r, t, "a policy")
	p := Policy{Tool: name, Line: line, Operation: r.Text(t, "operation_type", false), Confirmation: maybe(r, t, "require_confirmation"), Requires: r.Words(t, "requires")}
	if n := t.Values["pre_validation"]; n != nil && n.Type() != ast.NullType {
		v := r.Table(n, "`pre_validation`")
		c.misplaced(r, v, "`pre_validation`")
		p.FailOpen = r.Yes(v, "fail_open")
		p.Validates, p.Validator, p.ValidatorAt = r.Yes(v, "enabled"), r.Text(v, "tool", false), t.Lines["pre_validation"]
	}
	c.Policies = append(c.Policies, p)
}

// maybe reads true or false; nil where it is not there.
func maybe(r *yamlfile.Reader, t yamlfile.Table, key string) *bool {
	if t.Values[key] == nil {
		return nil
	}
	yes := r.Yes(t, key)
	return &yes
}
