package main

import (
	"encoding/json"
	"testing"
)

// A server that answers every batch with what it found, under a name of its own,
// breaks one rule, whichever scenario shows it.
func TestAnotherShapeIsOneRuleInEveryScenario(t *testing.T) {
	t.Parallel()
	const tool = `[{"name":"query_orders","inputSchema":{"type":"object","properties":{"order_ids":{"type":"array","items":{"type":"string"}}},"required":["order_ids"]}}]`
	server := serve(t, script{tools: tool, call: func(_ string, arguments json.RawMessage) (string, string) {
		var asked struct {
			IDs []string `json:"order_ids"`
		}
		if err := json.Unmarshal(arguments, &asked); err != nil {
			return "error", `{"code":-32602,"message":"order_ids is a list of texts"}`
		}
		found := []map[string]string{}
		for _, id := range asked.IDs {
			if len(id) == 6 && id[:3] == "O-1" {
				found = append(found, map[string]string{"order": id, "state": "open"})
			}
		}
		payload, _ := json.Marshal(map[string]any{"orders": found})
		text, _ := json.Marshal(string(payload))
		return "result", `{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":` + string(payload) + `}`
	}})
	for _, scenario := range []string{"all-succeed/three", "partial/bad-first", "partial/several", "all-fail", "read-only-bulk/one-missing", "partial,all-fail,all-succeed"} {
		t.Run(scenario, func(t *testing.T) {
			r, got := run(t, onBackend(server.URL+"/mcp", "--operation", "query-orders", "--scenario", scenario, "--seed", "2")...)
			got.exits(t, 1)
			if ids := failing(r)["query-orders"]; len(ids) != 1 || ids[0] != "RES-01" {
				t.Errorf("failing %v, wanted RES-01 alone", failing(r))
			}
		})
	}
}
