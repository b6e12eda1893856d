package agentplatform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
)

// Target writes a target file from the configuration: an operation for each enabled
// tool that takes several items, with its validator. server are the lines under
// `server`. What the configuration does not say is left to be filled in, or marked as
// a guess. fits tells whether the server has a tool.
func (c *Config) Target(name, server string, has func(tool string) bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# From the agent platform's configuration. What is called %s is to be filled in;\n# what is marked as a guess the configuration does not say.\nversion: 1\nname: %s\nserver:\n%s", conform.Placeholder, word(name), server)
	var ignored, left []string
	taken := map[string]bool{}
	for _, p := range c.Policies {
		if p.Validates {
			taken[p.Validator] = true
		}
	}
	var operations strings.Builder
	for _, t := range c.Tools {
		switch argument, style := t.collection(c.Policy(t.Name)); {
		case !t.Enabled:
			if has(t.Name) {
				ignored = append(ignored, fmt.Sprintf("  - {tool: %s, because: %s}\n", word(t.Name), word("enabled: false in the agent platform's configuration")))
			}
		case taken[t.Name]: // the validator of another
		case !has(t.Name):
			left = append(left, fmt.Sprintf("# %s: the server has no such tool\n", comment(t.Name)))
		case argument == "":
			left = append(left, fmt.Sprintf("# %s: no parameter of type array or list, and no validator that could make a list of a text\n", comment(t.Name)))
		default:
			c.operation(&operations, t, argument, style)
		}
	}
	if len(ignored) > 0 {
		b.WriteString("ignore:\n" + strings.Join(ignored, ""))
	}
	if operations.Len() > 0 {
		b.WriteString("operations:\n" + operations.String())
	}
	if len(left) > 0 {
		b.WriteString("# Left out:\n" + strings.Join(left, ""))
	}
	return b.String()
}

// collection gives the parameter that takes the items, and in which style.
func (t Tool) collection(p *Policy) (argument, style string) {
	required := t.Requires
	if p != nil {
		required = slices.Concat(required, p.Requires)
	}
	for _, wanted := range []bool{true, false} { // a required one first
		for _, a := range t.Arguments {
			if a.Several() && (slices.Contains(required, a.Name) || !wanted) {
				return a.Name, "array"
			}
		}
	}
	if p == nil || !p.Validates {
		return "", ""
	}
	for _, a := range t.Arguments {
		if slices.Contains([]string{"", "string"}, a.Type) && slices.Contains([]string{"subject", "id", "query"}, a.Name) {
			return a.Name, "scalar"
		}
	}
	return "", ""
}

func (c *Config) operation(b *strings.Builder, t Tool, argument, style string) {
	p := c.Policy(t.Name)
	effect := "write # guess: no policy says that it only reads"
	if p != nil {
		switch p.Operation {
		case "transactional":
			effect = "write # operation_type: transactional"
		case "read_only":
			effect = "read # operation_type: read_only"
		}
	}
	fmt.Fprintf(b, "  %s:\n    tool: %s\n    effect: %s\n    input: {argument: %s, style: %s}\n", operationName(t.Name), word(t.Name), effect, word(argument), style)
	if p != nil && p.Validates && p.Validator != "" {
		fmt.Fprintf(b, "    validator: {tool: %s}\n", word(p.Validator))
	} else {
		b.WriteString("    validator: none\n")
	}
	fmt.Fprintf(b, "    workflow: none # guess\n    idempotency: none # guess\n    items:\n      good: [%s] # items on which it must succeed; three or more, ten are better\n      bad: [%s] # items that it must refuse\n", conform.Placeholder, conform.Placeholder)
}

// operationName is a tool's name as an operation is called.
func operationName(tool string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, tool)
	return strings.Trim(name, "-")
}

// word writes a text as a YAML string. A JSON string is one; ${ is not to be read as
// a variable.
func word(text string) string {
	b, _ := json.Marshal(strings.ReplaceAll(text, "${", "$${")) // a string always encodes
	return string(b)
}

func comment(text string) string { return strings.Trim(word(text), `"`) }
