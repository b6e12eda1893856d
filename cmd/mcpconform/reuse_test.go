package main

import (
	"encoding/json"
	"testing"

	"github.com/mcpconform/mcpconform/conform"
)

// usedOnce tells that no item was sent as good again after a write that was
// acknowledged, unless a reset in between was acknowledged. Calls that repeat
// another on purpose are none of that: their truth is not "good" any more, or
// they say what they repeat.
func usedOnce(t *testing.T, path string) (writes int) {
	t.Helper()
	rec := transcript(t, path)
	spent := map[string]string{} // by operation and item: the call that used it up
	write := map[string]bool{}
	for _, op := range rec.Header.Target.Operations {
		write[op.Name] = op.Write
	}
	for _, c := range rec.Calls {
		if c.Planned.Role == conform.RoleReset && acknowledged(c) {
			clear(spent)
		}
		if c.Planned.Role != conform.RolePrimary || !write[c.Planned.Operation] || c.Sent == nil {
			continue
		}
		writes++
		var mine []string
		for _, item := range c.Planned.Items {
			if item.Truth != conform.Good {
				continue
			}
			key := c.Planned.Operation + " " + canonical(item)
			if before := spent[key]; before != "" && c.Planned.Repeats == "" && c.Planned.Retries == "" {
				t.Errorf("%s asks for %s as a good item, and %s had used it up", c.ID, canonical(item), before)
			}
			mine = append(mine, key)
		}
		if acknowledged(c) {
			for _, key := range mine {
				spent[key] = c.ID
			}
		}
	}
	return writes
}

func canonical(item conform.Item) string {
	meant := item.Given
	if item.Means != nil {
		meant = item.Means
	}
	var named struct{ ID, Name json.RawMessage }
	if json.Unmarshal(meant, &named) == nil && named.ID != nil {
		return string(named.ID)
	}
	return string(meant)
}

func acknowledged(c *conform.Call) bool {
	if c.Result == nil {
		return false
	}
	isError, _ := c.Result.Get("isError").Bool()
	return !isError
}
