package agentplatform_test

import (
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/suites/agentplatform"
	"github.com/mcpconform/mcpconform/target"
)

const (
	tools = `tools:
  cancel_products:
    description: Cancels one product or several.
    mcp_server: accounts
    enabled: true
    tool_type: action
    confirmation_required: true
    requires: [items]
    args_schema:
      note: string
      items:
        type: array
        label: the products
        description: What the customer asks for.
        user_prompt: Which products?
  query_orders:
    args_schema:
      order_ids: {type: list}
  cancel_subscriptions:
    args_schema:
      subject: {type: string}
  old_tool:
    enabled: false
  ping:
    args_schema: {}
`
	policies = `tool_policies:
  cancel_products:
    operation_type: transactional
    require_confirmation: false
    requires: [items]
    pre_validation:
      enabled: true
      tool: validate_products
      fail_open: true
  query_orders:
    operation_type: read_only
  cancel_subscriptions:
    pre_validation: {enabled: true, tool: validate_subscriptions}
`
)

func config(t *testing.T, tools, policies string) *agentplatform.Config {
	t.Helper()
	c, err := agentplatform.Read("tools.yaml", []byte(tools), "tool_policies.yaml", []byte(policies))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestConfigurationIsRead(t *testing.T) {
	c := config(t, tools, policies)
	if len(c.Unknown) != 0 {
		t.Errorf("unknown keys: %+v", c.Unknown)
	}
	tool, policy := c.Tool("cancel_products"), c.Policy("cancel_products")
	if tool == nil || !tool.Enabled || tool.Line != 2 || len(tool.Arguments) != 2 || !tool.Arguments[1].Several() || tool.Arguments[1].Line != 11 {
		t.Errorf("the tool: %+v", tool)
	}
	if policy == nil || !policy.Validates || policy.Validator != "validate_products" || !policy.FailOpen || policy.ValidatorAt != 6 {
		t.Errorf("the policy: %+v", policy)
	}
	if c.Confirms("cancel_products") {
		t.Error("the policy does not win")
	}
	if c.Tool("old_tool").Enabled || !c.Tool("ping").Enabled {
		t.Error("enabled is not read")
	}
}

func TestKeysThatDoNotExistAreFoundWhereverTheyStand(t *testing.T) {
	for name, c := range map[string]struct{ old, new, key, instead string }{
		"at the top":     {"tools:\n", "multi_item: true\ntools:\n", "multi_item", ""},
		"among tools":    {"tools:\n", "tools:\n  multi_item_strategy: partial\n", "multi_item_strategy", ""},
		"in a tool":      {"    enabled: true\n", "    enabled: true\n    fan_out: framework\n", "fan_out", ""},
		"in a parameter": {"        label: the", "        multi_item: true\n        label: the", "multi_item", ""},
		"misspelt":       {"    confirmation_required", "    confirmationRequired", "confirmationRequired", "confirmation_required"},
	} {
		t.Run(name, func(t *testing.T) {
			got := config(t, strings.Replace(tools, c.old, c.new, 1), policies).Unknown
			if len(got) != 1 || got[0].Name != c.key || got[0].Instead != c.instead || got[0].Line == 0 {
				t.Errorf("got %+v", got)
			}
		})
	}
	// A key of the platform's own that is not read here is nobody's mistake.
	if got := config(t, strings.Replace(tools, "    enabled: true\n", "    enabled: true\n    cache_ttl: 5\n", 1), policies).Unknown; len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestMistakesOfAConfigurationAreToldByLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"another file":  {"policies: {}\n", "tools.yaml:1:1: the file has no `tools`"},
		"no mapping":    {"tools:\n  a: 5\n", "tools.yaml:2:6: `a` is no mapping"},
		"a key twice":   {"tools:\n  a:\n    enabled: true\n    enabled: true\n", "tools.yaml:4:5:"},
		"not true":      {"tools:\n  a:\n    enabled: maybe\n", "tools.yaml:3:14: `enabled` is neither true nor false"},
		"no list":       {"tools:\n  a:\n    requires: items\n", "tools.yaml:3:15: `requires` is no list"},
		"no YAML":       {"tools: [\n", "tools.yaml:"},
		"nothing":       {"", "tools.yaml:1: the file has 0 documents"},
		"two documents": {"tools: {}\n---\ntools: {}\n", "the file has 2 documents"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := agentplatform.Read("tools.yaml", []byte(c.text), "", nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// The target file that is written is one, as soon as its gaps are filled.
func TestConfigurationBecomesATargetFile(t *testing.T) {
	c := config(t, tools, policies)
	text := c.Target("Acme ${x}", "  url: http://127.0.0.1:1/mcp\n", func(tool string) bool { return tool != "ping" })
	filled := strings.NewReplacer("good: [FILL-IN]", "good: [a, b, c]", "bad: [FILL-IN]", "bad: [x, y, z]").Replace(text)
	file, err := target.Parse("target.yaml", []byte(filled), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if file.Name != "Acme ${x}" || len(file.Operations) != 3 {
		t.Errorf("%s: %d operations\n%s", file.Name, len(file.Operations), text)
	}
	for _, want := range []string{"  cancel-products:\n    tool: \"cancel_products\"\n    effect: write # operation_type: transactional\n    input: {argument: \"items\", style: array}\n    validator: {tool: \"validate_products\"}",
		"effect: read # operation_type: read_only\n    input: {argument: \"order_ids\", style: array}\n    validator: none", `input: {argument: "subject", style: scalar}`,
		`{tool: "old_tool", because: "enabled: false`, "# ping: the server has no such tool"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
