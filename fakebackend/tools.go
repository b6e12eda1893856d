package fakebackend

import (
	"slices"
	"strings"
	"sync/atomic"
)

// tool is one tool as it is listed and called.
type tool struct {
	name, title, description string
	input, output            *object // JSON Schemas; a nil output is not declared
	readOnly                 bool
	idempotent               bool // a repeat has no further effect
	run                      func(*Backend, *call) *answer
}

// The names of the tools.
const (
	cancelProducts         = "cancel_products"
	validateProducts       = "validate_products_for_cancellation"
	cancelProduct          = "cancel_product"
	cancelSubscriptions    = "cancel_subscriptions"
	validateSubscriptions  = "validate_subscriptions"
	cancelProductsWorkflow = "cancel_products_workflow"
	notifyCustomer         = "notify_customer" // a step of the workflow
	queryOrders            = "query_orders"
	getProducts            = "get_products"
	getSubscriptions       = "get_subscriptions"
	resetTool              = "reset"

	// Of options.
	cancelConfirmed = "cancel_products_confirmed"
	cancelAsTask    = "cancel_products_task"
	cancelAsJob     = "cancel_products_job"
	getJob          = "get_job"
	cancelPaged     = "cancel_products_paged"
	cancelRehearsed = "cancel_products_rehearsed"
	restoreProducts = "restore_products"

	restoreSubscriptions = "restore_subscriptions"
	addProducts          = "add_products"
	removeProducts       = "remove_products"
)

// toolList is everything the backend serves.
func toolList(o Options) []tool {
	tools := shop(o)
	if o.NoProbe {
		tools = slices.DeleteFunc(tools, func(t tool) bool { return t.name == getProducts || t.name == getSubscriptions })
	}
	if o.NoReset {
		tools = slices.DeleteFunc(tools, func(t tool) bool { return t.name == resetTool })
	}
	if o.ConfirmRounds > 0 {
		tools = append(tools, confirmedTool(o))
	}
	if o.Tasks != "" {
		tools = append(tools, taskTool(o))
	}
	if o.Jobs {
		tools = append(tools, jobTools(o)...)
	}
	if o.PageRows > 0 {
		tools = append(tools, pagedTool(o))
	}
	if o.DryRuns {
		tools = append(tools, rehearsedTool(o))
	}
	if o.Undo {
		tools = append(tools, restoreTools(o)...)
	}
	if o.Stock {
		tools = append(tools, stockTools(o)...)
	}
	return tools
}

// tool gives a tool by its name.
func (b *Backend) tool(name string) tool {
	for _, t := range toolList(b.options) {
		if t.name == name {
			return t
		}
	}
	return tool{}
}

// key and items are arguments that several tools take.
func key() property {
	return prop("idempotency_key", text("A repeat with the same key and the same items gives the first answer again and does nothing."))
}

func items(o Options) property {
	return prop("items", collection("The products: objects with id or name, or names or ids as plain texts.", o.MaxItems))
}

// shop is what the backend serves without any option.
func shop(o Options) []tool {
	key, items := key(), items(o)
	return []tool{
		{
			name: cancelProducts, title: "Cancel products",
			description: "Cancels several products in one call. Each product succeeds or fails on its own; results[] has one row for each, in the order asked.",
			input:       schema([]string{"items"}, items, key), output: o.Shape.batchSchema(writeRow()),
			run: func(b *Backend, c *call) *answer {
				return b.write(c, b.cancelling(c))
			},
		},
		{
			name: validateProducts, title: "Check products for cancellation",
			description: "Says which of several products can be cancelled, under their canonical names and ids, and how to call cancel_products for them. Changes nothing. Understands informal names.",
			input:       schema(nil, items), output: validatorSchema(), readOnly: true, idempotent: true,
			run: func(b *Backend, c *call) *answer {
				target := cancelProducts
				if asked, _ := c.args.text("target_tool"); asked == cancelProductsWorkflow {
					target = asked
				}
				return b.validate(c, b.products, c.args.refs("items"), "items", target)
			},
		},
		{
			name: cancelProduct, title: "Cancel one product",
			description: "Cancels one product, by its id.",
			input:       schema([]string{"id"}, prop("id", text("The product's id."))), output: schema([]string{"success"}, writeRow()...),
			run: (*Backend).cancelUnit,
		},
		{
			name: cancelSubscriptions, title: "Cancel subscriptions",
			description: "Cancels the subscriptions named in a text: separated by commas, semicolons, line breaks or the word and; a name that holds a separator in double quotes. Instead of the text, items[] as validate_subscriptions gives them. One row in results[] for each.",
			input: schema(nil,
				prop("subject", text("The subscriptions, by name or id, in one text.")),
				prop("items", collection("The subscriptions as a list; counts before subject.", o.MaxItems)), key),
			output: o.Shape.batchSchema(writeRow()),
			run: func(b *Backend, c *call) *answer {
				return b.write(c, write{shelf: b.subscriptions, refs: c.args.subject(b.subscriptions, false), tell: func(rows []any) *answer {
					return o.Shape.batch(rows, summary(rows, "subscription"))
				}})
			},
		},
		{
			name: validateSubscriptions, title: "Check subscriptions for cancellation",
			description: "Says which of the subscriptions named in a text can be cancelled, and how to call cancel_subscriptions for them. Changes nothing. Understands informal names.",
			input:       schema(nil, prop("subject", text("The subscriptions, by name or id, in one text."))), output: validatorSchema(),
			readOnly: true, idempotent: true,
			run: func(b *Backend, c *call) *answer {
				return b.validate(c, b.subscriptions, c.args.subject(b.subscriptions, true), "subject", cancelSubscriptions)
			},
		},
		{
			name: cancelProductsWorkflow, title: "Cancel products and tell the customer",
			description: "Cancels several products and then tells the customer. The rows are under output.cancel_products_workflow.results; whether the customer was reached is under output.notify_customer and changes no row.",
			input:       schema([]string{"items"}, items, prop("notify", text("How to reach the customer: an address, or unreachable.")), key),
			output:      o.Shape.workflowSchema(writeRow()),
			run:         (*Backend).cancelByWorkflow,
		},
		{
			name: queryOrders, title: "Look up orders",
			description: "Reads several orders in one call. An order that cannot be read hides no other; results[] has one row for each, in the order asked.",
			input:       schema([]string{"order_ids"}, prop("order_ids", exemplified(collection("The orders, by id.", o.MaxItems), "O-1001", "O-1002", "O-1003", "O-1004", "O-1005", "O-1006"))),
			output:      o.Shape.batchSchema(queryRow()), readOnly: true, idempotent: true,
			run: func(b *Backend, c *call) *answer { return b.query(c, c.args.refs("order_ids")) },
		},
		{
			name: getProducts, title: "Read products",
			description: "The state of products: of those asked for, else of all that are stored or were changed.",
			input:       schema(nil, prop("ids", collection("The products, by id; left out: all.", 0))), output: probeSchema("products"),
			readOnly: true, idempotent: true,
			run: func(b *Backend, c *call) *answer {
				return b.probe(b.products, c.args.refs("ids"), !c.args.present("ids"))
			},
		},
		{
			name: getSubscriptions, title: "Read subscriptions",
			description: "The state of subscriptions: of those asked for, else of all that are stored or were changed.",
			input:       schema(nil, prop("ids", collection("The subscriptions, by id; left out: all.", 0))), output: probeSchema("subscriptions"),
			readOnly: true, idempotent: true,
			run: func(b *Backend, c *call) *answer {
				return b.probe(b.subscriptions, c.args.refs("ids"), !c.args.present("ids"))
			},
		},
		{
			name: resetTool, title: "Start over",
			description: "Puts every product and subscription back as it was at the start, and forgets every idempotency key.",
			input:       schema(nil), output: schema([]string{"reset"}, prop("reset", of("type", "boolean")), prop("message", of("type", "string"))),
			idempotent: true,
			run:        (*Backend).reset,
		},
	}
}

// cancelling is the cancellation of the products that a call names.
func (b *Backend) cancelling(c *call) write {
	return write{shelf: b.products, refs: c.args.refs("items"), tell: func(rows []any) *answer {
		return b.options.Shape.batch(rows, summary(rows, "product"))
	}}
}

// cancelUnit is the one-item tool.
func (b *Backend) cancelUnit(c *call) *answer {
	refs := c.args.refs("id")
	atomic.StoreInt64(&c.items, int64(len(refs)))
	if len(refs) != 1 {
		return &answer{payload: of("success", false, "error", "invalid_item", "message", "id names one product"), failed: true}
	}
	item := b.products.resolve(ref{id: refs[0].id + refs[0].name, invalid: refs[0].invalid}, false)
	result := admit(item)
	if result.problem == pending {
		b.load.each(c.ctx, 1, func(int) { result = b.cancelOne(c, b.products, item) })
	}
	return &answer{payload: item.row(result), failed: result.problem != ""}
}

// cancelByWorkflow cancels products and then tells the customer. A customer who
// cannot be told changes nothing of what was done, nor of what is said of it.
func (b *Backend) cancelByWorkflow(c *call) *answer {
	notify, _ := c.args.text("notify")
	return b.write(c, write{
		shelf: b.products, refs: c.args.refs("items"), particulars: notify,
		tell: func(rows []any) *answer {
			message := summary(rows, "product")
			_, succeeded := tally(rows)
			output := of("success", true, "message", "The customer was told.")
			switch {
			case succeeded == 0:
				output = of("success", true, "skipped", true, "message", "There was nothing to tell the customer.")
			case notify == "unreachable":
				output = of("success", false, "error", "customer_unreachable")
				message += " The customer could not be told."
			default:
				b.effects.add(Effect{Tool: c.tool, Kind: "customer-notified", Key: c.key})
			}
			return b.options.Shape.workflow(c.tool, rows, message, step{notifyCustomer, output})
		},
	})
}

// subject reads the items of a scalar tool: the list, where there is one, else
// the names in the text. guess lets informal names be recognised in it.
func (a arguments) subject(s *shelf, guess bool) []ref {
	if items := a.refs("items"); len(items) > 0 {
		return items
	}
	subject, isText := a.text("subject")
	if !isText {
		return a.refs("subject")
	}
	names := expand(subject, func(name string) bool {
		if _, ok := s.withID(strings.TrimSpace(name)); ok {
			return true
		}
		_, ok := s.named(name)
		return ok || guess && len(s.meant(name)) > 0
	})
	refs := make([]ref, len(names))
	for i, name := range names {
		refs[i] = ref{name: name, loose: true}
	}
	return refs
}
