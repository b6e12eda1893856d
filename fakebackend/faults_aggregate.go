package fakebackend

import "slices"

// aggregateFaults break the rules on what a batch says as a whole.
func aggregateFaults() []Fault {
	return []Fault{
		{
			ID: "AGG-01/last-fails", Sentence: "The last of several good items is left alone and told as failed.", Consequences: []string{"RES-12"},
			how: how{on: writes, bend: func() *bend {
				return &bend{plan: func(_ *Backend, c *call, j *job) {
					if good := j.doable(); len(good) >= 2 && len(good) == len(j.items) && j.plain(c) {
						j.outcomes[len(j.items)-1] = broken
					}
				}}
			}},
		},
		{
			ID: "AGG-02/all-or-nothing", Sentence: "One bad item, and nothing is done and every row says failed.", Consequences: []string{"RES-12", "RES-03"},
			how: how{on: writes, bend: func() *bend {
				return &bend{plan: func(_ *Backend, _ *call, j *job) {
					good := j.doable()
					if len(good)+len(j.repeats) == len(j.items) {
						return
					}
					for _, i := range good {
						j.outcomes[i] = outcome{problem: "rolled_back", detail: "another item of the call cannot be done"}
					}
				}}
			}},
		},
		{
			ID: "AGG-03/bare-error", Sentence: "A batch of which every item fails is answered with an error alone.", Consequences: []string{"RES-01"},
			how: how{on: plainWrites, undeclared: true, told: func(x *exchange, t *told) bool {
				if !x.plain() || t.n() < 2 || !t.allFailed() {
					return false
				}
				return t.replace(of("error", "nothing could be cancelled"), true)
			}},
		},
		{
			ID: "AGG-04/ok-true", Sentence: "A batch of which every item fails is answered with ok:true.",
			how: how{on: direct, told: func(x *exchange, t *told) bool {
				if t.n() < 2 || !t.allFailed() {
					return false
				}
				t.payload.set("ok", true)
				t.isError = false
				return true
			}},
		},
		{
			ID: "AGG-04/says-nothing", Sentence: "A batch of which every item fails is answered as if nothing was wrong, but for its rows.",
			how: how{on: batches, told: func(x *exchange, t *told) bool {
				if t.n() < 2 || !t.allFailed() {
					return false
				}
				t.isError = false
				return true
			}},
		},
		{
			ID: "AGG-05/no-failures", Sentence: "failed is 0 although items failed.",
			how: how{on: batches, told: func(x *exchange, t *told) bool { return t.mixed() && t.publish("failed", 0) }},
		},
		{
			ID: "AGG-05/says-success", Sentence: "status is SUCCESS although items failed.",
			how: how{on: direct, told: func(x *exchange, t *told) bool { return t.mixed() && t.publish("status", "SUCCESS") }},
		},
		{
			ID: "AGG-05/one-too-many", Sentence: "total counts one item more than there are.",
			how: how{on: batches, told: func(x *exchange, t *told) bool { return t.n() > 1 && t.publish("total", t.n()+1) }},
		},
		{
			ID: "AGG-06/forged-status", Sentence: "The server sends the framework's own multi_item_status, and it is wrong.",
			how: how{on: direct, told: func(x *exchange, t *told) bool {
				if !t.mixed() {
					return false
				}
				t.payload.set("multi_item_status", "SUCCESS").set("partial_success", false)
				return true
			}},
		},
		{
			ID: "AGG-07/terminal", Sentence: "terminal:true stands beside items that succeeded.",
			how: how{on: direct, told: func(x *exchange, t *told) bool {
				if len(t.with(true)) == 0 {
					return false
				}
				t.payload.set("terminal", true)
				return true
			}},
		},
		{
			ID: "AGG-08/paused", Sentence: "status is PAUSED, as if a workflow were waiting.",
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool { return t.n() > 0 && t.say("PAUSED") }},
		},
		{
			ID: "AGG-08/completed", Sentence: "status is COMPLETED beside rows of both kinds.",
			how: how{on: direct, undeclared: true, told: func(x *exchange, t *told) bool { return t.mixed() && t.say("COMPLETED") }},
		},
	}
}

// publish changes an aggregate where it is published beside the rows.
func (t *told) publish(name string, value any) bool {
	if !t.holder.has(name) {
		return false
	}
	t.holder.set(name, value)
	return true
}

// say sets the status of the answer.
func (t *told) say(status string) bool {
	if t.holder == nil {
		return false
	}
	t.holder.set("status", status)
	return true
}

// workflowFaults break the rules on workflows.
func workflowFaults() []Fault {
	auxiliaryFailed := func(t *told) bool {
		output := t.output()
		return output.child(notifyCustomer).get("success") == false
	}
	return []Fault{
		{
			ID: "WF-01/step-id", Sentence: "The rows stand under the id of the workflow's step, not under the tool's name.",
			Consequences: []string{"RES-01", "ENV-02", "RES-13", "AGG-03", "LD-02"},
			how: how{on: workflows, undeclared: true, told: func(x *exchange, t *told) bool {
				t.output().rename(x.tool, "step1")
				return t.output().has("step1")
			}},
		},
		{
			ID: "WF-02/flips", Sentence: "When the customer cannot be told, everything that was done is told as failed.",
			Consequences: []string{"RES-12", "AGG-01", "AGG-02", "EFF-02", "AGG-04"},
			how: how{on: workflows, told: func(x *exchange, t *told) bool {
				if !auxiliaryFailed(t) {
					return false
				}
				for _, row := range t.with(true) {
					row.set("success", false).drop("protocol").add("error", "notification_failed")
				}
				t.settle()
				return true
			}},
		},
		{
			ID: "WF-03/no-output", Sentence: "When the customer cannot be told, the answer is an error without output.",
			Consequences: []string{"WF-01", "RES-01", "ENV-02", "WF-02"},
			how: how{on: workflows, undeclared: true, told: func(x *exchange, t *told) bool {
				return auxiliaryFailed(t) && t.replace(of("ok", false, "error", "customer_unreachable"), true)
			}},
		},
		{
			ID: "WF-04/merges-steps", Sentence: "The step that tells the customer has a row among those of the products.",
			Consequences: []string{"RES-02", "AGG-01", "AGG-02", "AGG-03", "RES-09", "LD-02", "RES-13"},
			how: how{on: workflows, told: func(x *exchange, t *told) bool {
				step := t.output().child(notifyCustomer)
				if step == nil || t.n() < 2 || !x.plain() {
					return false
				}
				step.add("protocol", inventedProtocol(x, step))
				t.rows = append(slices.Clip(t.rows), clone(step))
				t.settle()
				return true
			}},
		},
	}
}

// output is the object that holds the outputs of a workflow's steps.
func (t *told) output() *object {
	if output := t.payload.child("output"); output != nil {
		return output
	}
	return t.payload.child("result").child("output")
}
