package fakebackend

import "slices"

// scopeFaults have the server do what its target file says it does not.
func scopeFaults() []Fault {
	return []Fault{
		{
			ID: "SCOPE-03/takes-a-key", Sentence: "The query of orders lists an argument for an idempotency key, which its target file says it does not have.",
			how: how{listing: func(result *object) bool {
				properties := listedTool(result, queryOrders).child("inputSchema").child("properties")
				if properties == nil {
					return false
				}
				properties.set("idempotency_key", of("type", "string"))
				return true
			}},
		},
		{
			ID: "SCOPE-03/has-a-validator", Sentence: "There is a tool that validates orders before they are queried, which the target file says there is not.", Consequences: []string{"SCOPE-01"},
			how: how{listing: func(result *object) bool {
				tools, _ := result.get("tools").([]any)
				if listedTool(result, queryOrders) == nil {
					return false
				}
				result.set("tools", append(slices.Clip(tools), of(
					"name", "validate_query_orders", "description", "Says which orders can be queried.",
					"inputSchema", of("type", "object", "properties", of("order_ids", of("type", "string", "description", "Ids with commas between."))))))
				return true
			}},
		},
		{
			ID: "SCOPE-03/answers-as-a-workflow", Sentence: "The query of orders answers as a workflow does, which its target file says it is not.",
			Consequences: []string{"ENV-05"},
			how: how{on: queries, undeclared: true, told: func(x *exchange, t *told) bool {
				if t.holder == nil {
					return false
				}
				return t.replace(of("output", of(x.tool, t.payload)), t.isError)
			}},
		},
	}
}

// listedTool gives a tool of a tools/list result; nil where it is not on the page.
func listedTool(result *object, name string) *object {
	tools, _ := result.get("tools").([]any)
	for _, entry := range tools {
		if tool, ok := entry.(*object); ok && tool.text("name") == name {
			return tool
		}
	}
	return nil
}
