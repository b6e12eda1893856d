package fakebackend

// property is one member of an object schema.
type property struct {
	name   string
	schema *object
}

func prop(name string, schema *object) property { return property{name, schema} }

// schema is an object schema that is open to further members: agents send
// context beside what was asked.
func schema(required []string, properties ...property) *object {
	members := &object{}
	for _, p := range properties {
		members.add(p.name, p.schema)
	}
	s := of("type", "object", "properties", members)
	if len(required) > 0 {
		names := make([]any, len(required))
		for i, name := range required {
			names[i] = name
		}
		s.add("required", names)
	}
	return s
}

func text(description string) *object { return of("type", "string", "description", description) }

func kind(name string) *object { return of("type", name) }

// collection takes a list of objects or texts, one object, or one text.
func collection(description string, most int) *object {
	one := of("type", "object", "properties", of(
		"id", text("The id."),
		"name", text("The name."),
	))
	list := of("type", "array", "items", of("anyOf", []any{one, kind("string")}))
	if most > 0 {
		list.add("maxItems", most)
	}
	return of("description", description, "anyOf", []any{list, one, kind("string")})
}

// exemplified gives a collection one example: a list of ids that exist.
func exemplified(collection *object, ids ...string) *object {
	list := make([]any, len(ids))
	for i, id := range ids {
		list[i] = id
	}
	collection.add("examples", []any{list})
	return collection
}

// row is the schema of one row of results[].
type row []property

func writeRow() row {
	return row{
		{"id", kind("string")}, {"name", kind("string")}, {"success", kind("boolean")},
		{"protocol", text("Of this one cancellation; only where it succeeded.")},
		{"error", text("Why it failed, as a code.")}, {"message", text("The same for a person.")},
	}
}

func queryRow() row {
	return row{
		{"id", kind("string")}, {"name", kind("string")}, {"success", kind("boolean")},
		{"order", schema([]string{"state"}, prop("state", kind("string")), prop("customer", kind("string")), prop("total", kind("object")))},
		{"error", text("Why it failed, as a code.")}, {"message", text("The same for a person.")},
	}
}

func (r row) list() *object { return of("type", "array", "items", schema([]string{"success"}, r...)) }

func statuses() *object {
	return of("type", "string", "enum", []any{"SUCCESS", "PARTIAL_SUCCESS", "FAILED"})
}

func countMembers() []property {
	return []property{{"total", kind("integer")}, {"succeeded", kind("integer")}, {"failed", kind("integer")}}
}

// batchSchema describes the answer that Shape.batch makes.
func (s Shape) batchSchema(r row) *object {
	results := prop("results", r.list())
	message := prop("message", kind("string"))
	switch s {
	case Bare:
		return schema([]string{"results"}, results)
	case NoSummary:
		return schema([]string{"message", "results"}, message, results)
	}
	members := append([]property{{"status", statuses()}}, countMembers()...)
	return s.wrapSchema(schema([]string{"status", "total", "succeeded", "failed", "message", "results"}, append(members, message, results)...))
}

// workflowSchema describes the answer that Shape.workflow makes.
func (s Shape) workflowSchema(r row) *object {
	primary := schema([]string{"results"}, append(countMembers(), prop("results", r.list()))...)
	auxiliary := schema([]string{"success"}, prop("success", kind("boolean")), prop("skipped", kind("boolean")),
		prop("error", kind("string")), prop("message", kind("string")))
	output := prop("output", schema([]string{cancelProductsWorkflow}, prop(cancelProductsWorkflow, primary), prop(notifyCustomer, auxiliary)))
	message := prop("message", kind("string"))
	switch s {
	case Bare:
		return schema([]string{"output"}, output)
	case NoSummary:
		return schema([]string{"message", "output"}, message, output)
	}
	return s.wrapSchema(schema([]string{"status", "message", "output"}, prop("status", statuses()), message, output))
}

func (s Shape) wrapSchema(inner *object) *object {
	if s == Wrapped {
		return schema([]string{"ok", "result"}, prop("ok", kind("boolean")), prop("result", inner))
	}
	return inner
}

func validatorSchema() *object {
	item := schema([]string{"eligible"}, prop("id", kind("string")), prop("name", kind("string")),
		prop("requested", kind("string")), prop("eligible", kind("boolean")), prop("reason", kind("string")), prop("detail", kind("string")))
	resolvedArguments := schema([]string{"items"}, prop("subject", kind("string")), prop("items", of("type", "array", "items", item)))
	decision := schema([]string{"resolved_arguments"}, prop("resolved_arguments", resolvedArguments),
		prop("target_tool", kind("string")), prop("confirmation_message", kind("string")))
	return schema([]string{"eligible", "status"}, prop("eligible", kind("boolean")), prop("status", kind("string")),
		prop("reason", kind("string")), prop("parameter", kind("string")), prop("parameter_message", kind("string")),
		prop("transaction_decision", decision))
}

func probeSchema(what string) *object {
	one := schema([]string{"id", "status"}, prop("id", kind("string")), prop("name", kind("string")),
		prop("status", kind("string")), prop("cancellations", kind("integer")))
	return schema([]string{what, "missing"}, prop(what, of("type", "array", "items", one)),
		prop("missing", of("type", "array", "items", kind("string"))))
}
