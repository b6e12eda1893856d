package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

func TestEveryRuleIsToldWhole(t *testing.T) {
	checks := Checks()
	if len(checks) != 18 {
		t.Errorf("%d checks", len(checks))
	}
	for i, c := range checks {
		if want := fmt.Sprintf("PRO-%02d", i+1); c.ID != want {
			t.Errorf("check %d is %s, wanted %s", i, c.ID, want)
		}
		level := conform.Must
		if c.ID == "PRO-13" {
			level = conform.Should
		}
		if c.Level != level || c.Basis != conform.Documented || c.Group != conform.GroupProtocol || c.Since != set {
			t.Errorf("%s: %s, %s, %s, %s", c.ID, c.Level, c.Basis, c.Group, c.Since)
		}
		for name, text := range map[string]string{
			"title": c.Title, "text": c.Text, "impact": c.Impact, "source": c.Source,
			"good": c.Good, "bad": c.Bad, "mend": c.Mend, "missing": c.Missing,
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", c.ID, name)
			}
		}
		if !strings.HasPrefix(c.Source, "MCP 20") || !strings.HasSuffix(c.Text, ".") || !strings.HasSuffix(c.Impact, ".") {
			t.Errorf("%s: source %q, text %q, impact %q", c.ID, c.Source, c.Text, c.Impact)
		}
		if !slices.Equal(c.Needs, []conform.Need{conform.NeedResponse}) || c.Whole != (c.ID == "PRO-04" || c.ID == "PRO-15") {
			t.Errorf("%s needs %v, of the whole of a call: %v", c.ID, c.Needs, c.Whole)
		}
		if c.Judge == nil || c.Applies == nil || c.PerServer == (i < 3) {
			t.Errorf("%s: per server %v, or a function is missing", c.ID, c.PerServer)
		}
	}
}
