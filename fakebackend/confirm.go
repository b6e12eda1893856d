package fakebackend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// confirmedTool asks the user before it does anything.
func confirmedTool(o Options) tool {
	return tool{
		name: cancelConfirmed, title: "Cancel products after asking",
		description: "Cancels several products in one call, after the user has agreed. What the user does not agree to is left alone, and its row in results[] says so.",
		input:       schema([]string{"items"}, items(o), key()), output: o.Shape.batchSchema(writeRow()),
		run: (*Backend).cancelIfAgreed,
	}
}

const declined = "declined"

// question is one thing that the user is asked, as a form of one field.
type question struct {
	name    string // of the field, and of the input request
	message string
	field   *object
	agrees  func(value any) (yes, answered bool)
}

func (q question) form() *object {
	return of("type", "object", "properties", of(q.name, q.field), "required", []any{q.name})
}

// questions are what is asked before products are cancelled.
func (b *Backend) questions(good, bad []string) []question {
	message := fmt.Sprintf("Cancel %d %s: %s?", len(good), plural(len(good), "product"), enumerate(good))
	if len(bad) > 0 {
		message += " Not possible: " + enumerate(bad) + "."
	}
	return []question{
		{
			name: "confirm", message: message,
			field: of("type", "boolean", "title", "Cancel", "description", "A cancellation is final."),
			agrees: func(value any) (yes, answered bool) {
				yes, answered = value.(bool)
				return yes, answered
			},
		},
		{
			name: "reason", message: "Why are they cancelled?",
			field: of("type", "string", "title", "Reason", "minLength", 1),
			agrees: func(value any) (yes, answered bool) {
				reason, _ := value.(string)
				return true, strings.TrimSpace(reason) != ""
			},
		},
	}[:b.options.ConfirmRounds]
}

// cancelIfAgreed is the confirming tool. It asks only where there is something to
// cancel, and not for a repeat of what was answered under its key.
func (b *Backend) cancelIfAgreed(c *call) *answer {
	w := b.cancelling(c)
	good, bad := w.sorted()
	_, many := b.tooMany(w.refs)
	if len(good) == 0 || many || c.sentKey() != "" && b.keys.answered(c.tool+" "+c.sentKey()) {
		return b.write(c, w)
	}
	switch err := c.asker.ask(c.ctx, b, w, b.questions(good, bad)); {
	case err == nil:
		return b.write(c, w)
	case errors.Is(err, errAsked):
		return nil
	case errors.Is(err, errDeclined):
		return b.notAgreed(c, w, refused(declined))
	case errors.Is(err, errNobody):
		return b.notAgreed(c, w, refused("confirmation_impossible"))
	case c.ctx.Err() != nil:
		return b.notAgreed(c, w, refused(pending))
	case c.asker.sessionless(): // the requestState is not good
		c.failure = err
		return nil
	default:
		return b.notAgreed(c, w, outcome{problem: "confirmation_failed", detail: "the user could not be asked; nothing was done"})
	}
}

// notAgreed answers for every item that nothing was done: with what is wrong with
// the item itself, else with the reason why none was.
func (b *Backend) notAgreed(c *call, w write, why outcome) *answer {
	rows := make([]any, len(w.refs))
	for i, r := range w.refs {
		item := w.shelf.resolve(r, false)
		if o := w.shelf.possible(item); o.problem != pending {
			rows[i] = item.row(o)
		} else {
			rows[i] = item.row(why)
		}
	}
	a := w.tell(rows)
	for _, bent := range c.bends {
		if bent.declined != nil && why.problem == declined {
			a = bent.declined(b, c, w, a)
		}
	}
	return a
}

// possible says what keeps an item from being done at the moment; pending if
// nothing does.
func (s *shelf) possible(item resolved) outcome {
	if o := admit(item); o.problem != pending {
		return o
	}
	if problem := refusal(item.entry, s.look(item.entry)); problem != "" {
		return refused(problem)
	}
	return refused(pending)
}

// sorted names what can be done and what cannot, each with its reason.
func (w write) sorted() (good, bad []string) {
	for _, r := range w.refs {
		item := w.shelf.resolve(r, false)
		if o := w.shelf.possible(item); o.problem == pending {
			good = append(good, item.canonicalName())
		} else {
			bad = append(bad, item.canonicalName()+" ("+o.problem+")")
		}
	}
	return good, bad
}

// sentKey is the idempotency key of a call that is good for one; empty if there
// is none.
func (c *call) sentKey() string {
	key, _ := c.args.text("idempotency_key")
	return strings.TrimSpace(key)
}

var (
	errAsked    = errors.New("the user is asked")
	errDeclined = errors.New("the user does not agree")
	errNobody   = errors.New("the client cannot ask")
)

// askFor is how long a call waits for the user, at the revisions in which it
// waits at all.
const askFor = 10 * time.Minute

// asker asks the user of the client that made a call.
type asker struct {
	peer
	responses mcp.InputResponseMap // to questions of an earlier round
	state     string               // that came with them

	// What the call is answered with when it has to come back with responses.
	requests mcp.InputRequestMap
	next     string
}

// ask puts the questions. The error is nil if the user agreed to all of them,
// and errAsked if the call ends here with questions.
func (a *asker) ask(ctx context.Context, b *Backend, w write, questions []question) error {
	if !a.answersForms() {
		return errNobody
	}
	if a.sessionless() {
		return a.askByResult(b, w, questions)
	}
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	for _, q := range questions {
		got, err := a.session.Elicit(ctx, q.request())
		if err != nil {
			return fmt.Errorf("asking the user: %w", err)
		}
		// The SDK has held the content against the form, unless there is none.
		if yes, answered := q.read(got); !yes || !answered {
			return errDeclined
		}
	}
	return nil
}

func (q question) request() *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: q.message, RequestedSchema: encode(q.form())}
}

// read tells whether an answer is a yes, and whether it is an answer at all.
func (q question) read(got *mcp.ElicitResult) (yes, answered bool) {
	if got.Action != "accept" {
		return false, true
	}
	return q.agrees(got.Content[q.name])
}
