package main

import (
	"encoding/json"
	"testing"

	"github.com/mcpconform/mcpconform/internal/schemas"
)

func TestSchemasArePrinted(t *testing.T) {
	t.Parallel()
	for _, name := range schemas.Names() {
		got := mcpconform(t, "schema", name).exits(t, 0)
		var schema map[string]any
		if err := json.Unmarshal([]byte(got.out), &schema); err != nil || schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: %v %v", name, err, schema["$schema"])
		}
	}
	says(t, "stderr", mcpconform(t, "schema", "targets").exits(t, 2).err, `no schema is called "targets"`, "baseline, report, scenario, target, workload")
	says(t, "stderr", mcpconform(t, "schema").exits(t, 2).err, "schema needs one name", "target")
}
