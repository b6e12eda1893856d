package platforms

import (
	"fmt"
	"strings"

	"github.com/mcpconform/mcpconform/conform"
	"github.com/mcpconform/mcpconform/internal/rawjson"
)

// Plays changes an operation to how a client with the allow-list calls its tool: the
// parameters that the list sets are sent with every call, and in no other form. It
// tells false where the list does not hold the tool, so that nobody could call it.
//
// The list holds texts; what the definition says is a number or a boolean is sent as
// one. That is our reading: the sources do not say who converts it.
func (a *AllowList) Plays(o *conform.Operation) (bool, error) {
	for i := range a.Entries {
		e := &a.Entries[i]
		if e.Tool.Name != o.Tool {
			continue
		}
		fixed, err := rawjson.Parse(o.Fixed)
		if err != nil && len(o.Fixed) > 0 {
			return false, fmt.Errorf("reading the arguments of %s: %w", o.Name, err)
		}
		var all []string
		for _, m := range members(fixed) {
			if !e.Overrides.Has(m.Name) {
				all = append(all, encoded(m.Name)+":"+string(m.Value.Raw))
			}
		}
		for _, m := range members(e.Overrides) {
			text, is := m.Value.Str()
			p := e.Tool.InputSchema.At("properties", m.Name)
			switch {
			case !is:
				return false, fmt.Errorf("argOverrides of %s: the value of %s is no string", o.Tool, quoted(m.Name))
			case m.Name == o.Argument:
				return false, fmt.Errorf("argOverrides of %s: %s takes the items of %s, which are then the same in every call", o.Tool, quoted(m.Name), o.Name)
			case m.Name == o.KeyArgument:
				return false, fmt.Errorf("argOverrides of %s: %s is the idempotency key of %s, which is then the same in every call", o.Tool, quoted(m.Name), o.Name)
			case p == nil:
				return false, fmt.Errorf("argOverrides of %s: the tool has no parameter %s", o.Tool, quoted(m.Name))
			}
			if why := unread(text, p); why != "" {
				return false, fmt.Errorf("argOverrides of %s: %s: %s", o.Tool, quoted(m.Name), why)
			}
			value := encoded(text)
			switch typ, _ := p.Get("type").Str(); typ {
			case "integer", "number", "boolean":
				value = text
			}
			all = append(all, encoded(m.Name)+":"+value)
		}
		if all != nil {
			o.Fixed = []byte("{" + strings.Join(all, ",") + "}")
		}
		return true, nil
	}
	return false, nil
}
